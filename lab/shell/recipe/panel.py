"""The configuration: the form of the draft, the costs of a run, and the button that starts it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from lab.api import ModelConfig, Setting
from lab.base.problems import Problem
from lab.host import Plugins
from lab.recipes import Edit, Recipe, Training
from lab.recipes.recipe import Readings
from lab.shell.recipe.baseline_row import BaselineRow
from lab.shell.recipe.card_section import CardSection
from lab.shell.recipe.costs import Costs
from lab.shell.recipe.size_row import SizeRow
from lab.shell.session.draft import BranchPoint, Draft, quick_start
from lab.widgets.core.controls import Button, MenuButton, label, plain_tip
from lab.widgets.core.i18n import tr, tr_count
from lab.widgets.core.side_panel import SidePanel
from lab.widgets.core.theme import ROW, interface_font
from lab.widgets.forms.form import Form, HelpStrip

SECTIONS = (
    ("corpus", "Corpus"),
    ("tokenizer", "Tokenizer"),
    ("architecture", "Architecture"),
    ("objective", "Objective"),
    ("training", "Training"),
    ("training.optimizer", "Optimizer"),
    ("training.schedule", "Schedule"),
    ("readings", "Readings"),
)
"""Sections of a recipe in the order of the form, with their titles."""

NAME = 92
"""Most pixels of the name of the preset next to the title."""

LISTED = 12
"""Most scheduled edits that are listed."""

PLAIN: dict[str, tuple[type[ModelConfig], tuple[str, ...]]] = {
    "training": (Training, ("optimizer", "schedule")),
    "readings": (Readings, ("probes",)),
}
"""Sections for settings of the recipe itself: their config, and the fields of it that have their own sections."""


class DraftPanel(SidePanel):
    """The side panel of Train: the form of the draft, the costs, and the button that starts a run.

    Args:
        draft: The draft.
        plugins: The plugins that provide the cards.
        start: Starts a run of the draft.
    """

    def __init__(self, draft: Draft, plugins: Plugins, start: Callable[[], object]) -> None:
        super().__init__(tr("Configuration"), scrolls=True)
        self._draft, self._plugins = draft, plugins
        self._sections: dict[str, CardSection | Form] = {}
        self._presets = MenuButton(tr("preset"), [], self._take_preset)
        self.head.addWidget(self._presets)
        self._size = SizeRow(self._take_size)
        self.rows.addWidget(self._size)
        self.baselines = BaselineRow(self._take_baseline, self._size.box)
        self.rows.addWidget(self.baselines)
        hint = tr("Browse corpora, their statistics and tokens (Ctrl+Shift+T)")
        self.show_corpus = Button(tr("Browse corpora…"), hint=hint)
        self._fill()
        self.help = HelpStrip()
        self.costs = Costs()
        self._reported: tuple[Recipe, Problem] | None = None  # a draft, and the problem that the engine reported for it
        self._problem = label("", "bad")
        self._problem.setWordWrap(True)
        self._problem.hide()
        self.start_button = Button(tr("Start new run"), role="primary", icon_name="start")
        self.start_button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.start_button.clicked.connect(start)
        self.branch = _Inherited(tr("Start with new weights instead"), draft.clear_branch_point)
        self.schedule = _Inherited(tr("Start without these edits"), self._remove_edits)
        for widget in (self.help, self.costs, self._problem, self.branch, self.schedule, self.start_button):
            self.foot.addWidget(widget)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self.refresh)
        draft.changed.connect(self._later.start)
        self.refresh()

    def _fill(self) -> None:
        """Make a section for each part of a recipe."""
        for field, title in SECTIONS:
            section: CardSection | Form
            if field in PLAIN:
                config, omitted = PLAIN[field]
                section = Form(config, prefix=field, leave_out=omitted)
                heading = label(tr(title), "strong")
                heading.setMinimumHeight(ROW - 4)
                self.rows.addWidget(heading)
                section.edited.connect(self._edited_plain)
            else:
                section = CardSection(field, tr(title), self._draft, self._plugins)
                section.edited.connect(self._edited)
            section.focused.connect(self._focus)
            section.invalid.connect(self._count)
            self._sections[field] = section
            self.rows.addWidget(section)
            if field == "corpus":
                self.rows.addWidget(self.show_corpus, 0, Qt.AlignmentFlag.AlignLeft)
        self.rows.addStretch()

    # ------------------------------------------------------------------------------------------------------- refreshing

    def refresh(self) -> None:
        """Show the current draft."""
        recipe, base = self._draft.recipe, self._draft.base
        if self._reported is not None and self._reported[0] != recipe:
            self.forget_problem()
        for field, section in self._sections.items():
            if isinstance(section, CardSection):
                section.refresh()
            else:
                section.show_values(getattr(recipe, field).stored(), getattr(base, field).stored())
        self._offer_presets()
        self.baselines.offer(*self._draft.baselines())
        self._count()

    def _offer_presets(self) -> None:
        cards = self._plugins.cards("architectures")
        card = cards.get(self._draft.recipe.architecture.name)
        choices = [("", self._draft.base_name), ("quick start", tr("quick start"))]
        choices += [(name, name) for name in (card.presets if card is not None else ())]
        shown = [choices[0], *(choice for choice in choices[1:] if choice[1] != self._draft.base_name)]
        self._presets.value = ""
        metrics = QFontMetrics(interface_font("note"))
        shorten = Qt.TextElideMode.ElideRight
        self._presets.set_choices([(value, metrics.elidedText(name, shorten, NAME)) for value, name in shown])
        sizes = card.sizes.get(self._draft.origin, ()) if card is not None else ()
        self._size.offer(self._draft.origin, sizes, self._draft.card("architecture").config.stored() if sizes else {})

    def _count(self) -> None:
        changes = self._draft.changes()
        branch_point = self._draft.branch_point
        title = tr("Start new run") if branch_point is None else tr("Start branch")
        if changes:
            counted = tr_count("1 change", "{n} changes", len(changes))
            title = tr("{what} ({changes})", what=title, changes=counted)
        self.branch.show_text("" if branch_point is None else _branch_label(branch_point))
        self.schedule.show_text(*_edits_label(self._draft.recipe.training.edits))
        what = ", ".join(changes) or tr("no changes")
        hint = tr("Compared with {name}: {what}", name=self._draft.base_name, what=what)
        self.start_button.set_face(title, "start", hint)
        reported = None if self._reported is None else self._reported[1]
        self._show_at_foot(next(iter(self.problems.values()), reported))

    @property
    def problems(self) -> dict[str, Problem]:
        """The problems of invalid settings, by path."""
        problems: dict[str, Problem] = {}
        for section in self._sections.values():
            form = section.form if isinstance(section, CardSection) else section
            problems |= form.problems if form is not None else {}
        return problems

    def show_problem(self, problem: Problem) -> None:
        """Show a problem of the engine at its field and above the button, until the draft changes."""
        self.forget_problem()
        self._reported = self._draft.recipe, problem
        self._show_at_field(problem.field or "", problem)
        self._show_at_foot(problem)

    def forget_problem(self) -> None:
        """Remove the problem that the engine reported for the draft."""
        if self._reported is not None:
            self._show_at_field(self._reported[1].field or "", None)
            self._reported = None
            self._count()

    def _show_at_foot(self, problem: Problem | None) -> None:
        self._problem.setText("" if problem is None else problem.line())
        self._problem.setVisible(problem is not None)

    def _show_at_field(self, path: str, problem: Problem | None) -> None:
        for field, section in self._sections.items():
            inside = path.startswith(f"{field}.") and not isinstance(section, CardSection)
            if inside and section.show_problem(path.removeprefix(f"{field}."), problem):
                return
            if isinstance(section, CardSection) and section.show_problem(path, problem):
                return

    def has_field(self, path: str) -> bool:
        """Return True if the form has the field of a path."""
        return path in self._sections or any(path == field for field, _ in self.settings())

    def reveal(self, path: str) -> None:
        """Scroll to a field and give it the focus."""
        for field, section in reversed(self._sections.items()):
            form = section.form if isinstance(section, CardSection) else section
            if path.startswith(f"{field}.") and form is not None:
                form.reveal(path.removeprefix(f"{field}."))
                return

    def settings(self) -> list[tuple[str, str]]:
        """Return (path, label) of every setting in the form, for the palette."""
        found = []
        for field, section in self._sections.items():
            form = section.form if isinstance(section, CardSection) else section
            if form is not None:
                found += [(f"{field}.{path}", path.replace("_", " ")) for path in form.values()]
        return found

    # ---------------------------------------------------------------------------------------------------------- edits

    def _edited_plain(self, path: str, value: object) -> None:
        sender = self.sender()
        field = next(name for name, section in self._sections.items() if section is sender)
        self._edited(f"{field}.{path}", value)

    def _edited(self, path: str, value: object) -> None:
        problem = self._draft.edit(path, value)
        if problem is not None:
            self.show_problem(problem)

    def _remove_edits(self) -> None:
        self._edited("training.edits", None)

    def _take_preset(self, name: str) -> None:
        if not name:
            return
        if name == "quick start":
            problem = self._draft.take(quick_start(), name)
        else:
            card = self._plugins.card("architectures", self._draft.recipe.architecture.name)
            preset: Mapping[str, Any] = card.presets[name]
            problem = self._draft.take(self._draft.recipe.with_values(preset, {"title": ""}), name)
        if problem is not None:
            self.show_problem(problem)

    def _take_size(self, settings: Mapping[str, Any]) -> None:
        problem = self._draft.apply({"architecture": settings})
        if problem is not None:
            self.show_problem(problem)

    def _take_baseline(self, name: str) -> None:
        problem = self._draft.take_baseline(name)
        if problem is not None:
            self.show_problem(problem)

    def _focus(self, setting: Setting | None) -> None:
        self.help.show_setting(setting)


class _Inherited(QWidget):
    """A line that describes what the next run inherits from another one, with a button that removes it.

    Args:
        hint: Tool tip of the button.
        remove: Removes the inheritance from the draft.
    """

    def __init__(self, hint: str, remove: Callable[[], object]) -> None:
        super().__init__()
        self.text = label("", "note")
        self.text.setWordWrap(True)
        self.remove = Button(hint=hint, icon_name="close")
        self.remove.clicked.connect(remove)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.text, 1)
        row.addWidget(self.remove, 0, Qt.AlignmentFlag.AlignTop)

    def show_text(self, text: str, tip: str = "") -> None:
        """Show another text; "" hides the line."""
        self.text.setText(text)
        self.text.setToolTip(plain_tip(tip) if tip else "")
        self.setVisible(bool(text))


def _branch_label(branch_point: BranchPoint) -> str:
    return tr("Branch from {run} at step {step}", run=branch_point.name, step=f"{branch_point.step:,}")


def _edits_label(edits: Sequence[Edit]) -> tuple[str, str]:
    """Return a text with the number of scheduled edits, and a list of them."""
    if not edits:
        return "", ""
    first, count = f"{edits[0].step:,}", len(edits)
    text = tr_count("1 scheduled edit at step {first}", "{n} scheduled edits from step {first}", count, first=first)
    lines = [
        tr("step {step}: {path} = {value}", step=f"{edit.step:,}", path=edit.path, value=edit.value)
        for edit in edits[:LISTED]
    ]
    return text, "\n".join([*lines, *(["…"] if count > LISTED else [])])
