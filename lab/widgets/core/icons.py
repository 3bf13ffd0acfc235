"""The icons of the window, drawn as paths in a colour of the theme, sharp at every scale."""

from __future__ import annotations

import functools
from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap

from lab.widgets.core.theme import px, themes

SIZE = 16
"""Pixels of an icon, at scale 1 and a size of the type of 100 percent."""


def icon(name: str, colour: str | None = None) -> QIcon:
    """Return an icon by name (a key of DRAWINGS), in the theme's text colour by default."""
    return _icon(name, colour or themes.now.text, themes.now.field, px(SIZE))


@functools.lru_cache(maxsize=256)
def _icon(name: str, colour: str, disabled: str, size: int) -> QIcon:
    made = QIcon()
    for scale in (1, 2, 3):
        made.addPixmap(_pixmap(name, colour, size, scale))
        made.addPixmap(_pixmap(name, disabled, size, scale), QIcon.Mode.Disabled)
    return made


def _pixmap(name: str, colour: str, size: int, scale: int) -> QPixmap:
    pixmap = QPixmap(QSize(size, size) * scale)
    pixmap.setDevicePixelRatio(scale)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_icon(painter, name, QRectF(0, 0, size, size), colour)
    painter.end()
    return pixmap


def paint_icon(painter: QPainter, name: str, rect: QRectF, colour: str) -> None:
    """Paint an icon into a square of the painter's device."""
    painter.save()
    painter.translate(rect.topLeft())
    painter.scale(rect.width() / SIZE, rect.height() / SIZE)
    path, filled = QPainterPath(), name in FILLED
    DRAWINGS[name](path)
    pen = QPen(QColor(colour), 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.setPen(Qt.PenStyle.NoPen if filled else pen)
    painter.setBrush(QColor(colour) if filled else Qt.BrushStyle.NoBrush)
    painter.drawPath(path)
    painter.restore()


def _lines(*lines: tuple[tuple[float, float], ...]) -> Callable[[QPainterPath], None]:
    """Return a drawing of open lines through points."""

    def draw(path: QPainterPath) -> None:
        for line in lines:
            path.moveTo(*line[0])
            for point in line[1:]:
                path.lineTo(*point)

    return draw


def _start(path: QPainterPath) -> None:
    _lines(((4, 2.5), (13, 8), (4, 13.5), (4, 2.5)))(path)


def _pause(path: QPainterPath) -> None:
    path.addRoundedRect(QRectF(3.5, 3, 3.2, 10), 1, 1)
    path.addRoundedRect(QRectF(9.3, 3, 3.2, 10), 1, 1)


def _step(path: QPainterPath) -> None:
    _lines(((3, 3), (10, 8), (3, 13), (3, 3)))(path)
    path.addRoundedRect(QRectF(10.8, 3, 2.2, 10), 1, 1)


def _stop(path: QPainterPath) -> None:
    path.addRoundedRect(QRectF(3.5, 3.5, 9, 9), 1.5, 1.5)


def _undo(path: QPainterPath) -> None:
    _lines(((5.5, 2.5), (2.5, 5.5), (5.5, 8.5)))(path)
    path.moveTo(2.5, 5.5)
    path.lineTo(9.5, 5.5)
    path.arcTo(QRectF(5.5, 5.5, 8, 8), 90, -180)
    path.lineTo(6, 13.5)


def _redo(path: QPainterPath) -> None:
    _lines(((10.5, 2.5), (13.5, 5.5), (10.5, 8.5)))(path)
    path.moveTo(13.5, 5.5)
    path.lineTo(6.5, 5.5)
    path.arcTo(QRectF(2.5, 5.5, 8, 8), 90, 180)
    path.lineTo(10, 13.5)


def _eye(path: QPainterPath) -> None:
    path.moveTo(1.5, 8)
    path.quadTo(QPointF(8, 0.5), QPointF(14.5, 8))
    path.quadTo(QPointF(8, 15.5), QPointF(1.5, 8))
    path.addEllipse(QPointF(8, 8), 2.2, 2.2)


def _eye_closed(path: QPainterPath) -> None:
    path.moveTo(1.5, 7)
    path.quadTo(QPointF(8, 13.5), QPointF(14.5, 7))
    _lines(((3.2, 9.6), (2.2, 11.6)), ((8, 10.6), (8, 12.8)), ((12.8, 9.6), (13.8, 11.6)))(path)


def _find(path: QPainterPath) -> None:
    path.addEllipse(QPointF(7, 7), 4.5, 4.5)
    _lines(((10.4, 10.4), (14, 14)))(path)


def _sun(path: QPainterPath) -> None:
    path.addEllipse(QPointF(8, 8), 3, 3)
    for (x, y), (u, v) in (
        ((8, 1.5), (8, 3)), ((8, 13), (8, 14.5)), ((1.5, 8), (3, 8)), ((13, 8), (14.5, 8)),
        ((3.4, 3.4), (4.4, 4.4)), ((11.6, 11.6), (12.6, 12.6)), ((3.4, 12.6), (4.4, 11.6)), ((11.6, 4.4), (12.6, 3.4)),
    ):  # fmt: skip
        _lines(((x, y), (u, v)))(path)


def _moon(path: QPainterPath) -> None:
    path.moveTo(13.5, 10)
    path.cubicTo(QPointF(8, 12), QPointF(4, 8), QPointF(6.5, 2.5))
    path.cubicTo(QPointF(1, 4.5), QPointF(1, 13.5), QPointF(8, 13.8))
    path.quadTo(QPointF(12, 13.5), QPointF(13.5, 10))


def _info(path: QPainterPath) -> None:
    path.addEllipse(QPointF(8, 8), 6, 6)
    _lines(((8, 7.4), (8, 11)), ((8, 4.9), (8, 5.0)))(path)


def _warning(path: QPainterPath) -> None:
    _lines(((8, 2.2), (14.2, 13.4), (1.8, 13.4), (8, 2.2)), ((8, 6.4), (8, 9.6)), ((8, 11.5), (8, 11.6)))(path)


def _error(path: QPainterPath) -> None:
    path.addEllipse(QPointF(8, 8), 6, 6)
    _lines(((5.8, 5.8), (10.2, 10.2)), ((10.2, 5.8), (5.8, 10.2)))(path)


def _branch(path: QPainterPath) -> None:
    path.moveTo(4, 2.5)
    path.lineTo(4, 13.5)
    path.moveTo(4, 10)
    path.quadTo(QPointF(11.5, 10), QPointF(11.5, 3.5))
    _lines(((8.8, 5.8), (11.5, 3), (14.2, 5.8)))(path)


def _plug(path: QPainterPath) -> None:
    path.moveTo(4, 6)
    path.lineTo(12, 6)
    path.lineTo(12, 8)
    path.cubicTo(QPointF(12, 12.5), QPointF(4, 12.5), QPointF(4, 8))
    path.lineTo(4, 6)
    _lines(((6, 2.5), (6, 6)), ((10, 2.5), (10, 6)), ((8, 11.5), (8, 14)))(path)


def _sliders(path: QPainterPath) -> None:
    for height, knob in ((4, 10.5), (8, 5.5), (12, 9)):
        _lines(((2.5, height), (knob - 1.6, height)), ((knob + 1.6, height), (13.5, height)))(path)
        path.addEllipse(QPointF(knob, height), 1.6, 1.6)


def _near(path: QPainterPath) -> None:
    for height in (5.5, 10.5):
        path.moveTo(2.5, height + 1)
        path.cubicTo(QPointF(5.5, height - 3), QPointF(10.5, height + 4), QPointF(13.5, height - 0.5))


DRAWINGS: dict[str, Callable[[QPainterPath], None]] = {
    "undo": _undo,
    "redo": _redo,
    "start": _start,
    "pause": _pause,
    "step": _step,
    "stop": _stop,
    "eye": _eye,
    "eye closed": _eye_closed,
    "find": _find,
    "sun": _sun,
    "moon": _moon,
    "info": _info,
    "warning": _warning,
    "error": _error,
    "menu": _lines(((2.5, 4), (13.5, 4)), ((2.5, 8), (13.5, 8)), ((2.5, 12), (13.5, 12))),
    "list": _lines(
        ((2.5, 4), (2.6, 4)), ((6, 4), (13.5, 4)), ((2.5, 8), (2.6, 8)), ((6, 8), (13.5, 8)),
        ((2.5, 12), (2.6, 12)), ((6, 12), (13.5, 12)),
    ),
    "down": _lines(((4.5, 6.5), (8, 10), (11.5, 6.5))),
    "left": _lines(((9.5, 4.5), (6, 8), (9.5, 11.5))),
    "right": _lines(((6.5, 4.5), (10, 8), (6.5, 11.5))),
    "close": _lines(((4, 4), (12, 12)), ((12, 4), (4, 12))),
    "check": _lines(((3.5, 8.5), (6.8, 11.6), (12.6, 4.6))),
    "back": _lines(
        ((6.5, 3), (3, 6.2), (6.5, 9.4)), ((3, 6.2), (10.5, 6.2), (12.8, 8.4), (12.8, 10.4), (10.5, 12.6), (6, 12.6))
    ),
    "enlarge": _lines(
        ((9.5, 3), (13, 3), (13, 6.5)), ((13, 3), (9.2, 6.8)), ((6.5, 13), (3, 13), (3, 9.5)), ((3, 13), (6.8, 9.2))
    ),
    "reduce": _lines(
        ((9.2, 3.3), (9.2, 6.8), (12.7, 6.8)), ((9.2, 6.8), (13, 3)), ((3.3, 9.2), (6.8, 9.2), (6.8, 12.7)),
        ((6.8, 9.2), (3, 13)),
    ),
    "add": _lines(((8, 3), (8, 13)), ((3, 8), (13, 8))),
    "export": _lines(
        ((8, 2.5), (8, 10)), ((4.8, 6.8), (8, 10), (11.2, 6.8)), ((2.5, 10.5), (2.5, 13.5), (13.5, 13.5), (13.5, 10.5))
    ),
    "star": _lines(
        ((8, 1.6), (9.9, 6), (14.6, 6.4), (11, 9.5), (12.1, 14.2), (8, 11.7), (3.9, 14.2), (5, 9.5), (1.4, 6.4),
         (6.1, 6), (8, 1.6)),
    ),
    "star off": _lines(
        ((8, 1.6), (9.9, 6), (14.6, 6.4), (11, 9.5), (12.1, 14.2), (8, 11.7), (3.9, 14.2), (5, 9.5), (1.4, 6.4),
         (6.1, 6), (8, 1.6)),
    ),
    "filter": _lines(((2.5, 4.5), (13.5, 4.5)), ((4.8, 8), (11.2, 8)), ((6.8, 11.5), (9.2, 11.5))),
    "pen": _lines(((3, 13), (3.6, 10.4), (10.8, 3.2), (12.8, 5.2), (5.6, 12.4), (3, 13)), ((9.3, 4.7), (11.3, 6.7))),
    "branch": _branch,
    "near": _near,
    "plug": _plug,
    "sliders": _sliders,
    "table": _lines(
        ((2.5, 3.5), (13.5, 3.5), (13.5, 12.5), (2.5, 12.5), (2.5, 3.5)), ((2.5, 6.8), (13.5, 6.8)),
        ((6.5, 3.5), (6.5, 12.5)),
    ),
}  # fmt: skip
FILLED = frozenset({"start", "pause", "step", "stop", "star"})
