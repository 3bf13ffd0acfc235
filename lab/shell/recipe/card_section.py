"""The choice of one card of the draft in a row, and the form of its settings, whose rows stand elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QVBoxLayout

from lab.api import ModelConfig, NoSettings, Setting
from lab.base.problems import LabError, Problem
from lab.host import Plugins
from lab.recipes import Recipe, Training
from lab.shell.recipe.card_box import CardBox, CardLine
from lab.shell.session.draft import Draft
from lab.training.corpus_fit import objectives, offers
from lab.training.resolution import NAMES_OF_DATA
from lab.widgets.core.controls import follow_in_tab_order, label, plain_tip
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import sort_key, tr, tr_registered
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import px
from lab.widgets.forms.form import Form
from lab.widgets.forms.row_parts import MarkableRow, WayBack
from lab.widgets.forms.rows import Knob, mark_text
from lab.widgets.forms.translated import translated

NAME = 88
"""Width of the titles in pixels."""
BUTTON = 28
"""Width of a button next to a title in pixels."""
OWN_TEXTS = ("file", "text")
"""Cards of corpora for the user's own texts."""


class CardSection(MarkableRow):
    """The row with the choice of one card in the recipe.

    Args:
        field: The field of the recipe that names the card ("training.optimizer").
        title: The title of the section.
        draft: The draft.
        plugins: The plugins that provide the cards.
        button: A button next to the title; None for none.

    Attributes:
        form: The scattered form of the card's settings; None if it has none.
    """

    edited = Signal(str, object)
    focused = Signal(object)
    """The Setting that has the focus, or None."""
    described = Signal(str, str)
    """The choice of the card got the focus: a description of the selected card, and facts about it."""
    invalid = Signal()
    wanted = Signal(str)
    """The row of a setting at this path is about to be shown; open the group that holds it."""
    form_changed = Signal()
    """The card has another form now."""

    def __init__(
        self, field: str, title: str, draft: Draft, plugins: Plugins, button: QAbstractButton | None = None
    ) -> None:
        super().__init__()
        self.field, self._title, self._draft, self._plugins = field, title, draft, plugins
        self.kind = draft.recipe.choices()[field][0]
        self.form: Form | None = None
        self._config: type | None = None
        self._box = CardBox()
        self._box.setAccessibleName(title)
        self._box.reasons = partial(misfits, field, draft)
        self._box.activated.connect(self._select)
        self._box.installEventFilter(self)
        name = label(title)
        name.setBuddy(self._box)
        taken = 0 if button is None else BUTTON + 2  # the button has one size
        follow_type(name, lambda name: name.setFixedWidth(px(NAME) - taken))
        head = QHBoxLayout()
        head.setContentsMargins(0, 2, 0, 2)
        head.setSpacing(0)
        head.addWidget(name)
        if button is not None:
            button.setFixedWidth(BUTTON)
            head.addWidget(button)
            head.addSpacing(2)
        head.addWidget(self._box, 1)
        self._back = WayBack()
        self._back.clicked.connect(self._reset)
        head.addWidget(self._back)
        self._question: Knob | None = None  # for the path of another card, which it cannot do without
        rows = self._rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addLayout(head)
        self._problem = label("", "bad")
        self._problem.setWordWrap(True)
        self._problem.hide()
        rows.addWidget(self._problem)

    def set_marked(self, marked: bool) -> None:
        """Show or remove the mark of a choice that shapes the selected part of the model."""
        super().set_marked(marked)
        self._box.setAccessibleDescription(mark_text() if marked else "")

    def refresh(self) -> None:
        """Show the current draft."""
        cards = self._plugins.cards(self.kind)
        required = self._required()
        self._box.offer(grouped(self.kind, cards))
        try:
            resolved = self._draft.card(self.field)
        except LabError as error:
            self._show_message(error.problem)
            return
        self._show_message(None)
        self._show_way_back(cards)
        self._box.setEnabled(required not in cards)
        if required in cards:
            self._box.select(required)
            self._box.setToolTip(tr("This corpus comes with its own symbols"))
            self._back.hide()
            self._make_form(NoSettings)
            return
        self._box.select(resolved.card.name)
        self._box.setToolTip(plain_tip(f"{tr_registered(resolved.card.title)}: {tr_registered(resolved.card.summary)}"))
        self._make_form(type(resolved.config))
        if self._box.hasFocus():
            self._describe()
        if self.form is not None:
            self.form.show_values(resolved.config.stored(), self._draft.base_settings(self.field))

    def card_titles(self) -> str:
        """Return the titles and names of all cards that are offered, by which a filter finds the choice."""
        cards = self._plugins.cards(self.kind).items()
        return " ".join(f"{tr_registered(card.title)} {name}" for name, card in cards)

    def select(self) -> None:
        """Give the choice of the card the focus."""
        self._box.setFocus(Qt.FocusReason.TabFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Describe the selected card when the choice gets the focus."""
        if isinstance(event, QFocusEvent) and event.reason() != Qt.FocusReason.PopupFocusReason:
            if event.type() == QEvent.Type.FocusIn:
                self._describe()
            else:
                self.focused.emit(None)
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Give the focus to the choice whose title is pressed."""
        event.accept()
        self._box.setFocus(Qt.FocusReason.MouseFocusReason)

    def _describe(self) -> None:
        try:
            card = self._draft.card(self.field).card
        except LabError:
            return
        owner, _, last = self.field.rpartition(".")
        info = (Training if owner else Recipe).model_fields.get(last)
        what = (
            tr("{title}: {help}", title=self._title, help=tr_registered(info.description or ""))
            if info
            else self._title
        )
        references = list(getattr(card, "references", ()))[:1]
        self.described.emit(
            tr("{title}. {summary}", title=tr_registered(card.title), summary=tr_registered(card.summary)),
            " · ".join([what, *references]),
        )

    def _required(self) -> str:
        """Return the name of the tokenizer that the corpus requires; "" if it requires none, and for other fields."""
        if self.field != "tokenizer":
            return ""
        try:
            return self._draft.card("corpus").card.tokenizer or ""
        except LabError:
            return ""

    def _make_form(self, config: type[Any]) -> None:
        if self._config is config:
            return
        if self.form is not None:
            self.form.discard()
            self.form = None
        self._config = config
        if config.model_fields:
            self.form = Form(config, prefix=self.field, scattered=True, parent=self)
            self.form.hide()
            self.form.edited.connect(self._edited)
            self.form.focused.connect(self.focused)
            self.form.invalid.connect(self.invalid)
            self.form.wanted.connect(self._want)
        self.form_changed.emit()
        self.invalid.emit()

    def _edited(self, path: str, value: object) -> None:
        self.edited.emit(f"{self.field}.{path}", value)

    def _want(self, name: str) -> None:
        self.wanted.emit(f"{self.field}.{name}")

    def _show_way_back(self, cards: Mapping[str, Any]) -> None:
        """Show the reset button if the base names another card; keep its space free otherwise."""
        policy = self._back.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._back.setSizePolicy(policy)
        base = self._draft.base.choices().get(self.field)
        self._back.setVisible(self.differs)
        if base is not None:
            title = tr_registered(cards[base[1].name].title) if base[1].name in cards else base[1].name
            self._back.setToolTip(plain_tip(tr("Differs from {value}; click to use that", value=title)))
            self._back.setAccessibleName(tr("Back to {value}", value=title))

    @property
    def differs(self) -> bool:
        """True if the base names another card."""
        base = self._draft.base.choices().get(self.field)
        return base is not None and base[1].name != self._draft.recipe.choices()[self.field][1].name

    def _reset(self) -> None:
        base = self._draft.base.choices().get(self.field)
        if base is not None:
            self.edited.emit(self.field, {"name": base[1].name, **base[1].settings})

    def _select(self, index: int) -> None:
        name = self._box.itemData(index)
        self._drop_question()
        setting = missing_path(self._plugins.cards(self.kind)[name].config)
        if setting is None or name == self._draft.recipe.choices()[self.field][1].name:
            self.edited.emit(f"{self.field}.name", name)
        else:
            self._ask_for_path(name, setting)

    def _ask_for_path(self, name: str, setting: Setting) -> None:
        """Show a field for the path without which a card cannot be selected; the draft's card stays until there is one.

        Args:
            name: The card.
            setting: The setting with the path.
        """
        card = self._plugins.cards(self.kind)[name]
        self._question = Knob(setting, tr_registered(card.title))
        self._question.show_value("", "")
        self._question.given.connect(partial(self._take_path, name))
        self._question.focused.connect(self.focused)
        self._rows.insertWidget(1, self._question)
        follow_in_tab_order(self._box, self._question)
        self.refresh()  # the draft's card again
        self._question.show()
        self._question.controls[1].setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """End the question for a path with Esc."""
        if self._question is not None and event.key() == Qt.Key.Key_Escape:
            self._box.setFocus(Qt.FocusReason.OtherFocusReason)
            self._drop_question()
        else:
            super().keyPressEvent(event)

    def _take_path(self, name: str, setting: str, path: object) -> None:
        if path:
            self._drop_question()
            self.edited.emit(self.field, {"name": name, setting: path})

    def _drop_question(self) -> None:
        """Remove the field for the path of another card."""
        if self._question is not None:
            self._rows.removeWidget(self._question)
            self._question.hide()
            self._question.deleteLater()
            self._question = None

    def _show_message(self, problem: Problem | None) -> None:
        self._problem.setText(problem_line(problem) if problem else "")
        self._problem.setVisible(problem is not None)

    def show_problem(self, path: str, problem: Problem | None) -> bool:
        """Show or clear a problem of the engine at its field. Return False if this section has no such field."""
        if path in (self.field, f"{self.field}.name"):
            self._show_message(problem)
            return True
        inside = path.startswith(self.field + ".")
        return inside and self.form is not None and self.form.show_problem(path.removeprefix(self.field + "."), problem)


def missing_path(config: type[ModelConfig]) -> Setting | None:
    """Return the setting with a path that a config cannot do without; None if it has none."""
    return next((one for one in translated(config) if one.path and one.default is None), None)


def misfits(field: str, draft: Draft) -> dict[str, str]:
    """Return why a card does not fit the data of the draft's corpus, by the names of such cards.

    Args:
        field: The field of the recipe that names the card; only objectives and architectures depend on the data.
        draft: The draft.
    """
    if field not in ("objective", "architecture"):
        return {}
    try:
        corpus = draft.card("corpus").card
        known = objectives(draft.plugins)
    except LabError:
        return {}
    readers = {name: one for name, one in known.items() if corpus.kind in one.reads}
    given = tr_registered(NAMES_OF_DATA[corpus.kind])
    reason = tr("Does not read {kind}, which the corpus gives", kind=given)
    if field == "objective":
        return {name: reason for name in known if name not in readers}
    cards = draft.plugins.cards("architectures")
    return {
        name: reason
        for name, card in cards.items()
        if not any(offers(card, one, corpus.kind) for one in readers.values())
    }


def grouped(kind: str, cards: Mapping[str, Any]) -> Sequence[tuple[str, list[CardLine]]]:
    """Return cards in groups with headings: architectures by family, corpora by where they come from; sorted by title.

    Args:
        kind: The kind of the cards ("architectures").
        cards: The cards by name.
    """
    groups: dict[str, list[CardLine]] = {}
    for name, card in sorted(cards.items(), key=lambda item: sort_key(tr_registered(item[1].title))):
        groups.setdefault(_heading(kind, name, card), []).append(
            CardLine(name, tr_registered(card.title), tr_registered(card.summary))
        )
    first = [tr("Your text"), tr("On this machine")]
    return sorted(groups.items(), key=lambda item: (item[0] not in first, sort_key(item[0])))


def _heading(kind: str, name: str, card: Any) -> str:
    if kind == "architectures":
        family = tr_registered(card.family)
        return family[:1].upper() + family[1:]
    if kind == "corpora":
        own = tr("Your text") if name in OWN_TEXTS else tr("On this machine")
        return tr("Synthetic sources") if card.tests else own
    return ""
