"""The rows of the configuration that make its model the plainer one to compare it with, and back: one click each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import interface_font

NAME = 216
"""Pixels that a name may take."""


class BaselineRow(QWidget):
    """A button for each baseline of the architecture; it is hidden where there are none.

    Args:
        choose: Called with the name of the baseline whose button is clicked; keep it a bound method.
        behind: What the tab key comes to before them.
    """

    def __init__(self, choose: Callable[[str], object], behind: QWidget) -> None:
        super().__init__()
        self._choose, self._behind = choose, behind
        self.buttons: dict[str, Button] = {}
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(0)
        self._rows.addWidget(label(tr("Baseline")))

    def offer(self, names: Sequence[str], held: str) -> None:
        """Offers baselines.

        Args:
            names: What they are called.
            held: Which of them the draft is now; "" where it is none.
        """
        self.setVisible(bool(names))
        if list(names) != list(self.buttons):
            for button in self.buttons.values():
                self._rows.removeWidget(button)
                button.hide()
                button.deleteLater()
            self.buttons = {name: self._button(name) for name in names}
            before = self._behind
            for button in self.buttons.values():
                QWidget.setTabOrder(before, button)
                before = button
        for name, button in self.buttons.items():
            button.setChecked(name == held)
            what = tr("Back to the model itself") if name == held else tr("Make it the model to compare this one with")
            button.setToolTip(what)

    def _button(self, name: str) -> Button:
        words = name[:1].upper() + name[1:]
        button = Button(QFontMetrics(interface_font("note")).elidedText(words, Qt.TextElideMode.ElideRight, NAME))
        button.setAccessibleName(words)
        button.setCheckable(True)
        button.setProperty("baseline", name)
        button.clicked.connect(self._clicked)
        self._rows.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        return button

    def _clicked(self) -> None:
        self._choose(self.sender().property("baseline"))
