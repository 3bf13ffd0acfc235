"""The choices of cards and the forms of settings in the panel, found by their paths in the recipe."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QAbstractButton, QWidget

from lab.api import ModelConfig
from lab.base.problems import LabError, Problem
from lab.host import Plugins
from lab.recipes import Distillation, Training
from lab.recipes.recipe import Readings
from lab.shell.recipe.card_section import CardSection
from lab.shell.recipe.outline import Field
from lab.shell.session.draft import Draft
from lab.widgets.core.i18n import tr, tr_registered
from lab.widgets.forms.form import Form

TITLES = {
    "corpus": "Corpus",
    "tokenizer": "Tokenizer",
    "architecture": "Architecture",
    "objective": "Objective",
    "training.optimizer": "Optimizer",
    "training.schedule": "Schedule",
    "adapter": "Adapter",
}
"""Titles of the choices of cards, in the order of the form."""

PLAIN: dict[str, tuple[type[ModelConfig], tuple[str, ...]]] = {
    "distillation": (Distillation, ()),
    "training": (Training, ("optimizer", "schedule", "edits")),
    "readings": (Readings, ("probes",)),
}
"""Parts of the recipe with settings of their own: their config, and the fields of it that are not in the form."""


class Sections(QObject):
    """The choice of each card of the draft, and the forms of its settings; their rows stand where the panel puts them.

    Args:
        draft: The draft.
        plugins: The plugins that provide the cards.
        show_corpus: The button next to the title of the corpus.
        parent: The panel.
        spare: The parent of choices that stand nowhere yet.
    """

    edited = Signal(str, object)
    """A path of the recipe and its new value."""
    focused = Signal(object)
    """The Setting that has the focus, or None."""
    described = Signal(str, str)
    """The choice of a card got the focus: a description of the selected card, and facts about it."""
    invalid = Signal()
    """`problems` changed."""
    wanted = Signal(str)
    """The row of a path is about to be shown; open the group that holds it."""
    form_changed = Signal()
    """A card has another form now, so its rows are gone."""

    def __init__(
        self, draft: Draft, plugins: Plugins, show_corpus: QAbstractButton, parent: QWidget, spare: QWidget
    ) -> None:
        super().__init__(parent)
        self._draft = draft
        self.choices: dict[str, CardSection] = {}
        self._plain: dict[str, Form] = {}
        self._marked: Collection[str] = ()
        for field, title in TITLES.items():
            button = show_corpus if field == "corpus" else None
            choice = self.choices[field] = CardSection(field, tr(title), draft, plugins, button)
            choice.setParent(spare)
            choice.edited.connect(self.edited)
            choice.wanted.connect(self.wanted)
            choice.described.connect(self.described)
            choice.form_changed.connect(self.form_changed)
            choice.focused.connect(self.focused)
            choice.invalid.connect(self.invalid)
        for field, (config, omitted) in PLAIN.items():
            form = self._plain[field] = Form(config, prefix=field, leave_out=omitted, scattered=True, parent=parent)
            form.hide()
            form.edited.connect(self._edited)
            form.wanted.connect(self._want)
            form.focused.connect(self.focused)
            form.invalid.connect(self.invalid)

    def refresh(self) -> None:
        """Show the current draft."""
        for choice in self.choices.values():
            choice.refresh()
        for field, form in self._plain.items():
            form.show_values(getattr(self._draft.recipe, field).stored(), getattr(self._draft.base, field).stored())
        self.mark(self._marked)

    def _edited(self, path: str, value: object) -> None:
        self.edited.emit(f"{self._sending()}.{path}", value)

    def _want(self, name: str) -> None:
        self.wanted.emit(f"{self._sending()}.{name}")

    def _sending(self) -> str:
        """Return the part of the recipe whose form sends a signal."""
        return next(field for field, form in self._plain.items() if form is self.sender())

    # ---------------------------------------------------------------------------------------------------------- parts

    def forms(self) -> dict[str, Form]:
        """Return the forms of all parts of the recipe that have settings, by path."""
        found = {field: choice.form for field, choice in self.choices.items() if choice.form is not None}
        return found | self._plain

    def row(self, field: Field) -> QWidget:
        """Return the row of a setting."""
        return self.forms()[field.section].row(field.setting.name)

    def card_title(self, field: str) -> str:
        """Return the title of the card that a field of the recipe names; "" for an unknown card."""
        try:
            return tr_registered(self._draft.card(field).card.title)
        except LabError:
            return ""

    def titles(self) -> dict[str, str]:
        """Return the titles of a choice and of all cards that it offers, by the field of the recipe."""
        return {
            field: f"{tr_registered(TITLES[field])} {field} {choice.card_titles()}"
            for field, choice in self.choices.items()
        }

    def settings(self) -> list[tuple[str, str]]:
        """Return (path, title) of every setting of the draft, for the palette."""
        return [
            (f"{field}.{setting.name}", setting.title)
            for field, form in self.forms().items()
            for setting in form.nested()
            if setting.kind != "group" or setting.optional
        ]

    def titles_of(self, paths: Sequence[str]) -> list[str]:
        """Return the titles of settings and choices, as the form has them."""
        known = {field: tr(title) for field, title in TITLES.items()} | dict(self.settings())
        return [known.get(path, path) for path in paths]

    def has_field(self, path: str) -> bool:
        """Return True if the form has the field of a path."""
        return path in self.choices or path in self._plain or path in dict(self.settings())

    def differing(self) -> list[str]:
        """Return the paths of the settings that differ from the base, and the fields of the cards that do."""
        found = [field for field, choice in self.choices.items() if choice.differs]
        return found + [f"{field}.{path}" for field, form in self.forms().items() for path in form.differing()]

    # -------------------------------------------------------------------------------------------------------- problems

    @property
    def problems(self) -> dict[str, Problem]:
        """The problems of invalid settings, by path."""
        return {path: problem for form in self.forms().values() for path, problem in form.problems.items()}

    def show_problem(self, path: str, problem: Problem | None) -> None:
        """Show a problem of the engine at its field; None removes it."""
        if not any(choice.show_problem(path, problem) for choice in self.choices.values()):
            for field, form in self._plain.items():
                if path.startswith(f"{field}."):
                    form.show_problem(path, problem)

    def mark(self, paths: Collection[str]) -> list[QWidget]:
        """Mark the rows of settings and of choices of cards, and take the mark from all others.

        Args:
            paths: Their paths in the recipe.

        Returns:
            The marked rows that are made.
        """
        self._marked = paths
        choices = [choice for choice in self.choices.values() if f"{choice.field}.name" in paths]
        for choice in self.choices.values():
            choice.set_marked(choice in choices)
        rows = [
            row
            for field, form in self.forms().items()
            for row in form.mark([path for path in paths if path.startswith(f"{field}.")])
        ]
        return [*choices, *rows]

    def reveal(self, path: str) -> None:
        """Have the groups above a field opened, scroll to it and give it the focus."""
        choice = self.choices.get(path.removesuffix(".name"))
        if choice is not None:
            self.wanted.emit(choice.field)
            choice.select()
            return
        forms = [(field, form) for field, form in self.forms().items() if path.startswith(f"{field}.")]
        if forms:
            max(forms, key=lambda found: len(found[0]))[1].reveal(path)
