"""The rows of the form that replace the model with a simpler baseline, or restore it, with one click."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import interface_font, px

NAME = 216
"""Width of a name in pixels."""


class BaselineRow(QWidget):
    """A row with a button for each baseline of the architecture, hidden if there are none.

    Args:
        choose: Called with the name of the baseline whose button is clicked.
        previous: The widget before the buttons in the tab order.
    """

    def __init__(self, choose: Callable[[str], object], previous: QWidget) -> None:
        super().__init__()
        self._choose, self._previous = choose, previous
        self.buttons: dict[str, Button] = {}
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(0)
        self._rows.addWidget(label(tr("Baseline")))

    def offer(self, names: Sequence[str], current: str) -> None:
        """Offer baselines.

        Args:
            names: Their names.
            current: The baseline that is the current draft; "" for none.
        """
        self.setVisible(bool(names))
        if list(names) != list(self.buttons):
            for button in self.buttons.values():
                self._rows.removeWidget(button)
                button.hide()
                button.deleteLater()
            self.buttons = {name: self._button(name) for name in names}
            before = self._previous
            for button in self.buttons.values():
                QWidget.setTabOrder(before, button)
                before = button
        for name, button in self.buttons.items():
            button.setChecked(name == current)
            tip = tr("Back to the original model") if name == current else tr("Use this baseline instead of the model")
            button.setToolTip(tip)

    def _button(self, name: str) -> Button:
        title = name[:1].upper() + name[1:]
        button = Button(QFontMetrics(interface_font("note")).elidedText(title, Qt.TextElideMode.ElideRight, px(NAME)))
        button.setAccessibleName(title)
        button.setCheckable(True)
        button.setProperty("baseline", name)
        button.clicked.connect(self._clicked)
        self._rows.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        return button

    def _clicked(self) -> None:
        self._choose(self.sender().property("baseline"))
