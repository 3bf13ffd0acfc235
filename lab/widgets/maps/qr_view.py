"""The picture of a QR code: dark modules on a light plate in both themes, since many cameras read no other."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from lab.recipes.qr_code import BORDER, QrCode

DARK, LIGHT = QColor("#000000"), QColor("#fdfdfd")
"""Colours of no theme, as the code looks the same in both."""
SIDE = 300
"""Width and height in pixels that fit every code of a usual recipe with several pixels for each module."""


class QrView(QWidget):
    """A picture of a QR code, with modules of equal size in whole pixels of the screen."""

    def __init__(self) -> None:
        super().__init__()
        self._code: QrCode | None = None
        self.setFixedSize(self.sizeHint())
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_code(self, code: QrCode | None, name: str) -> None:
        """Show a code; None shows an empty place.

        Args:
            code: The code.
            name: Its description for screen readers.
        """
        self._code = code
        self.setAccessibleName(name)
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of the plate."""
        return QSize(SIDE, SIDE)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the plate and the modules."""
        del event
        if self._code is None:
            return
        painter = QPainter(self)
        scale = self.devicePixelRatioF()
        painter.scale(1 / scale, 1 / scale)
        side = round(SIDE * scale)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(LIGHT)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawRoundedRect(QRect(0, 0, side, side), 8 * scale, 8 * scale)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        count = len(self._code.rows)
        module = side // (count + 2 * BORDER)
        start = (side - module * count) // 2
        for row, modules in enumerate(self._code.rows):
            for column, is_dark in enumerate(modules):
                if is_dark:
                    painter.fillRect(start + column * module, start + row * module, module, module, DARK)
        painter.end()
