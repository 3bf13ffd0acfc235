"""The bar of questions above the cards of Inspect: one click shows the cards that answer one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QWidget

from lab.shell.inspect.gallery.entries import ALL, OWN, VIEWS
from lab.shell.inspect.gallery.labels import question_hint, question_label
from lab.widgets.core.controls import Button
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import STEP, themes


class QuestionBar(QWidget):
    """Buttons in as many lines as their width needs; the arrow keys move between them."""

    selected = Signal(str)
    """The user selected a question, OWN, ALL or OTHER; the selected one again, too."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Questions"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.buttons: dict[str, Button] = {}
        self._offered: set[str] = {OWN, ALL}
        self._group = QButtonGroup(self)
        for view in VIEWS:
            button = Button(question_label(view), hint=question_hint(view))
            button.setParent(self)
            button.setCheckable(True)
            button.setVisible(view in self._offered)
            button.setProperty("view", view)
            self._group.addButton(button)
            self.buttons[view] = button
        self._group.buttonClicked.connect(self._take)
        themes.changed.connect(self._lay_out)
        self.show_selected(OWN)

    def offer(self, views: Sequence[str]) -> None:
        """Offer these questions, the user's selection and all cards; the selected one stays."""
        checked = self._group.checkedButton()
        selected = OWN if checked is None else str(checked.property("view"))
        offered = {OWN, ALL, selected, *views}
        if offered != self._offered:
            self._offered = offered
            for view, button in self.buttons.items():
                button.setVisible(view in offered)
            self._lay_out()

    def show_selected(self, view: str) -> None:
        """Show which question is selected."""
        self.buttons[view].setChecked(True)
        if view not in self._offered:
            self._offered.add(view)
            self.buttons[view].setVisible(True)
            self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the buttons into as many lines as the new width needs."""
        super().resizeEvent(event)
        self._lay_out()

    def showEvent(self, event: QShowEvent) -> None:
        """Lay the buttons out with the fonts of the style sheet."""
        super().showEvent(event)
        self._lay_out()

    def minimumSizeHint(self) -> QSize:
        """Return a width that is always there, and the height of the lines."""
        return QSize(0, self.minimumHeight())

    def _lay_out(self) -> None:
        x = y = height = 0
        for view, button in self.buttons.items():
            if view not in self._offered:
                continue
            size = button.sizeHint()
            if x and x + size.width() > self.width():
                x, y = 0, y + height + STEP
            height = max(height, size.height())
            button.setGeometry(x, y, min(size.width(), max(1, self.width())), size.height())
            x += size.width() + STEP
        self.setFixedHeight(y + height)

    def _take(self, button: Button) -> None:
        self.selected.emit(str(button.property("view")))
