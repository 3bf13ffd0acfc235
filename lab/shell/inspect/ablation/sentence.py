"""A sentence of secondary weight that takes some lines, and ends in an ellipsis where it is longer."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from lab.widgets.core.controls import plain_tip


class Sentence(QLabel):
    """A label of a fixed number of lines; a longer text is complete in its tool tip."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "note")
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.full_text = ""
        self._lines = 1

    def set_lines(self, lines: int) -> None:
        """Set how many lines it takes."""
        self._lines = lines
        self._fit()

    def set_full_text(self, text: str) -> None:
        """Show another text."""
        if text != self.full_text:
            self.full_text = text
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the text into the width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        height = self._lines * self.fontMetrics().lineSpacing()
        if height != self.minimumHeight():
            self.setFixedHeight(height)
        room, flags = self.contentsRect(), Qt.TextFlag.TextWordWrap
        room.setHeight(10 * height)
        words, shown = self.full_text.split(" "), self.full_text
        while len(words) > 1 and self.fontMetrics().boundingRect(room, flags, shown).height() > height:
            words.pop()
            shown = " ".join(words) + " …"
        self.setText(shown)
        self.setToolTip(plain_tip(self.full_text) if shown != self.full_text else "")
