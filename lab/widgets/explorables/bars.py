"""Upright bars with names below and numbers above them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from lab.widgets.core.i18n import localized
from lab.widgets.core.theme import mixed, px, themes
from lab.widgets.explorables.surface import Surface


class Bars(Surface):
    """Upright bars with names below and numbers above them.

    Args:
        name: Its name for screen readers.
        height: Its least height in pixels.
    """

    def __init__(self, name: str, height: int = 220) -> None:
        super().__init__(name, height)
        self._names: Sequence[str] = ()
        self._values: NDArray[np.float64] = np.zeros(0)
        self._inside: Sequence[bool] = ()
        self._most = 1.0
        self._form: Callable[[float], str] = "{:.3f}".format

    def show_bars(
        self,
        names: Sequence[str],
        values: NDArray[np.float64],
        *,
        inside: Sequence[bool] | None = None,
        most: float = 1.0,
        form: Callable[[float], str] = "{:.3f}".format,
    ) -> None:
        """Show other bars.

        Args:
            names: The name of each.
            values: Their lengths, from 0 to `most`.
            inside: Which are drawn in the accent; the others are dimmed. None means all.
            most: The length of a bar as high as the drawing.
            form: Writes a length.
        """
        self._names, self._values, self._most, self._form = names, values, most, form
        self._inside = [True] * len(names) if inside is None else inside
        self.show_state(", ".join(f"{name} {form(value)}" for name, value in zip(names, values, strict=True)))

    def draw(self, painter: QPainter, area: QRectF) -> None:
        """Paint the bars."""
        theme = themes.now
        line = self.metrics_small.height()
        inner = area.adjusted(4, line + 6, -4, -line - 6)
        if not len(self._names):
            return
        pitch = inner.width() / len(self._names)
        wide = min(pitch * 0.7, px(64))
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.drawLine(inner.bottomLeft(), inner.bottomRight())
        painter.setFont(self.font_small)
        middle = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
        for at, (name, value, is_inside) in enumerate(zip(self._names, self._values, self._inside, strict=True)):
            x = inner.x() + pitch * (at + 0.5)
            high = inner.height() * min(1.0, float(value) / self._most)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent if is_inside else mixed(theme.dim, theme.panel, 0.35)))
            painter.drawRoundedRect(QRectF(x - wide / 2, inner.bottom() - high, wide, high), 2, 2)
            painter.setPen(QColor(theme.text if is_inside else theme.dim))
            number = QRectF(x - pitch / 2, inner.bottom() - high - line - 2, pitch, line)
            painter.drawText(number, middle, localized(self._form(float(value))))
            below = self.metrics_small.elidedText(name, Qt.TextElideMode.ElideRight, pitch - 2)
            self.draw_name(painter, QRectF(x - pitch / 2, inner.bottom() + 4, pitch, line), below, middle)
