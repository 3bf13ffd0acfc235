"""The picture of a formula with its symbols, and the same picture with one of them marked."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from lab.widgets.core.theme import mixed, themes

AROUND = 1.5
"""Pixels by which a mark is larger than its symbol."""
NEAR = 4.0
"""Pixels around a symbol in which it is pointed at."""
STRENGTH = 0.38
"""Share of the accent in the colour of a mark."""


@dataclass(frozen=True)
class FormulaPicture:
    """A typeset formula.

    Args:
        image: Its picture; a null one if its LaTeX could not be read.
        symbols: The letter of each symbol and its rectangle, in pixels of an ordinary screen.
    """

    image: QImage
    symbols: tuple[tuple[str, QRectF], ...] = ()

    def symbol_at(self, position: QPointF) -> str:
        """Return the symbol at a position of the picture, in pixels of an ordinary screen; "" for none."""
        near = [
            (abs(area.center().x() - position.x()) + abs(area.center().y() - position.y()), symbol)
            for symbol, area in self.symbols
            if area.adjusted(-NEAR, -NEAR, NEAR, NEAR).contains(position)
        ]
        return min(near, default=(0.0, ""))[1]

    def has(self, symbol: str) -> bool:
        """Return True if a symbol occurs in it."""
        return any(one == symbol for one, _ in self.symbols)

    def marked(self, symbol: str) -> QImage:
        """Return the picture with a symbol marked wherever it occurs."""
        if self.image.isNull() or not self.has(symbol):
            return self.image
        image = QImage(self.image.size(), QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(self.image.devicePixelRatio())
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mark_colour())
        for one, area in self.symbols:
            if one == symbol:
                painter.drawRoundedRect(area.adjusted(-AROUND, -AROUND, AROUND, AROUND), 2, 2)
        painter.drawImage(QPointF(0, 0), self.image)
        painter.end()
        return image

    def scaled_to(self, width: float) -> FormulaPicture:
        """Return it with at most a width, in pixels of an ordinary screen."""
        ratio = self.image.devicePixelRatio()
        own = self.image.width() / ratio
        if own <= width:
            return self
        image = self.image.scaledToWidth(round(width * ratio), Qt.TransformationMode.SmoothTransformation)
        share = image.width() / self.image.width()
        areas = [(symbol, QRectF(a.x() * share, a.y() * share, a.width() * share, a.height() * share))
                 for symbol, a in self.symbols]  # fmt: skip
        return FormulaPicture(image, tuple(areas))


def mark_colour() -> QColor:
    """Return the ground of what is marked, in formulas and beside them."""
    theme = themes.now
    return QColor(mixed(theme.accent, theme.panel, STRENGTH))


def typeset_picture(
    latex: str, colour: str, scale: float, points: float | None = None, x_height: float | None = None
) -> FormulaPicture:
    """Typeset a formula; a thread may call it.

    Args:
        latex: The formula in LaTeX.
        colour: The colour of the letters, "#rrggbb".
        scale: Device pixels of a pixel.
        points: The size of the letters in points; None for the usual one.
        x_height: As of `typeset`, for a formula within a line.

    Returns:
        The picture; a null one if matplotlib cannot read the LaTeX.

    Raises:
        ImportError: matplotlib is not installed.
    """
    from lab.widgets.formulas.typesetting import POINTS, typeset

    try:
        made = typeset(latex, colour, scale, POINTS if points is None else points, x_height)
    except ValueError:
        return FormulaPicture(QImage())
    height, width, _ = made.picture.shape
    image = QImage(made.picture.tobytes(), width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()
    image.setDevicePixelRatio(scale)
    areas = [
        (one.letter, QRectF(one.left / scale, one.top / scale, (one.right - one.left) / scale,
                            (one.bottom - one.top) / scale))
        for one in made.symbols
    ]  # fmt: skip
    return FormulaPicture(image, tuple(areas))
