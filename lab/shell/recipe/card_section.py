"""The section of the form for one card of the draft: the choice of the card, and its settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lab.api import NoSettings
from lab.base.problems import LabError, Problem
from lab.host import Plugins
from lab.shell.session.draft import Draft
from lab.widgets.core.controls import ChoiceBox, follow_in_tab_order, label, plain_tip
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import px
from lab.widgets.forms.form import Form
from lab.widgets.forms.row_parts import WayBack

NAME = 94
"""Width of the titles in pixels."""


class CardSection(QWidget):
    """The choice of one card in the recipe, and the form of its settings.

    Args:
        field: The field of the recipe that names the card ("training.optimizer").
        title: The title of the section.
        draft: The draft.
        plugins: The plugins that provide the cards.
    """

    edited = Signal(str, object)
    focused = Signal(object)
    invalid = Signal()

    def __init__(self, field: str, title: str, draft: Draft, plugins: Plugins) -> None:
        super().__init__()
        self.field, self._draft, self._plugins = field, draft, plugins
        self.kind = draft.recipe.choices()[field][0]
        self.form: Form | None = None
        self._config: type | None = None
        self._box = ChoiceBox()
        self._box.setAccessibleName(title)
        self._box.activated.connect(self._select)
        name = label(title, "strong")
        name.setBuddy(self._box)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(0)
        follow_type(name, lambda name: name.setFixedWidth(px(NAME)))
        head.addWidget(name)
        head.addSpacing(4)
        head.addWidget(self._box, 1)
        self._back = WayBack()
        self._back.clicked.connect(self._reset)
        head.addWidget(self._back)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(2)
        self._rows.addLayout(head)
        self._problem = label("", "bad")
        self._problem.setWordWrap(True)
        self._problem.hide()
        self._rows.addWidget(self._problem)

    def refresh(self) -> None:
        """Show the current draft."""
        cards = self._plugins.cards(self.kind)
        names = list(cards)
        required = self._required()
        if [self._box.itemData(index) for index in range(self._box.count())] != names:
            with QSignalBlocker(self._box):
                self._box.clear()
                for name, card in cards.items():
                    self._box.addItem(card.title, name)
                    self._box.setItemData(self._box.count() - 1, card.summary, Qt.ItemDataRole.ToolTipRole)
        try:
            resolved = self._draft.card(self.field)
        except LabError as error:
            self._show_message(error.problem)
            return
        self._show_message(None)
        self._show_way_back(cards)
        self._box.setEnabled(required not in names)
        if required in names:
            with QSignalBlocker(self._box):
                self._box.setCurrentIndex(names.index(required))
            self._box.setToolTip(tr("This corpus comes with its own symbols"))
            self._back.hide()
            self._make_form(NoSettings)
            return
        with QSignalBlocker(self._box):
            self._box.setCurrentIndex(names.index(resolved.card.name))
        self._box.setToolTip(plain_tip(f"{resolved.card.title}: {resolved.card.summary}"))
        self._make_form(type(resolved.config))
        if self.form is not None:
            self.form.show_values(resolved.config.stored(), self._draft.base_settings(self.field))

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
            self._rows.removeWidget(self.form)
            self.form.hide()
            self.form.deleteLater()
            self.form = None
        self._config = config
        if config.model_fields:
            self.form = Form(config, prefix=self.field)
            self.form.edited.connect(self._edited)
            self.form.focused.connect(self.focused)
            self.form.invalid.connect(self.invalid)
            self._rows.addWidget(self.form)
            follow_in_tab_order(self._back, self.form)
        self.invalid.emit()

    def _edited(self, path: str, value: object) -> None:
        self.edited.emit(f"{self.field}.{path}", value)

    def _show_way_back(self, cards: Mapping[str, Any]) -> None:
        """Show the reset button if the base names another card; keep its space free otherwise."""
        policy = self._back.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._back.setSizePolicy(policy)
        base = self._draft.base.choices().get(self.field)
        differs = base is not None and base[1].name != self._draft.recipe.choices()[self.field][1].name
        self._back.setVisible(differs)
        if base is not None:
            title = cards[base[1].name].title if base[1].name in cards else base[1].name
            self._back.setToolTip(plain_tip(tr("Back to {value}", value=title)))
            self._back.setAccessibleName(tr("Back to {value}", value=title))

    def _reset(self) -> None:
        base = self._draft.base.choices().get(self.field)
        if base is not None:
            self.edited.emit(self.field, {"name": base[1].name, **base[1].settings})

    def _select(self, index: int) -> None:
        self.edited.emit(f"{self.field}.name", self._box.itemData(index))

    def _show_message(self, problem: Problem | None) -> None:
        self._problem.setText(problem.line() if problem else "")
        self._problem.setVisible(problem is not None)

    def show_problem(self, path: str, problem: Problem | None) -> bool:
        """Show or clear a problem of the engine at its field. Return False if this section has no such field."""
        if path in (self.field, f"{self.field}.name"):
            self._show_message(problem)
            return True
        inside = path.startswith(self.field + ".")
        return inside and self.form is not None and self.form.show_problem(path.removeprefix(self.field + "."), problem)
