"""Pictures that are painted from recorded trainings: curves with their floors, small curves, and coloured tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from lab.base.charts.layout import spread
from lab.base.charts.ranges import filled
from lab.base.charts.transform import Frame
from lab.recipes import Points
from lab.widgets.charts.annotations import legible
from lab.widgets.core.fonts import Font
from lab.widgets.core.theme import px, themes
from lab.widgets.tokens.surprisal import surprisal_colour

RADIUS = 6
LEAST, MOST = 64, 148
"""Heights of a picture in pixels."""
MOST_OF_NAMES = 0.5
"""The largest share of a picture's width for the names of its curves."""
EDGE = 12
"""Pixels between a picture and its content."""
LINE = 22
"""Height of a line of tokens in pixels."""


@dataclass(frozen=True)
class PictureLine:
    """A line of a picture.

    Args:
        points: Its points.
        colour: Index of its colour among those of runs.
        name: Its name at the right end; "" for none.
        faint: True for a thin line in the background.
    """

    points: Points
    colour: int
    name: str = ""
    faint: bool = False


def paint_curve(painter: QPainter, points: Points, rect: QRectF, pen: QPen) -> None:
    """Paint a curve that fills a rectangle."""
    if not points:
        return
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(_polyline(points, _frame(points, [y for _, y in points], rect)))


def _frame(points: Sequence[tuple[float, float]], heights: Sequence[float], rect: QRectF) -> Frame:
    """Return the frame of points in a rectangle, as high as the values of `heights` need."""
    xs = [x for x, _ in points]
    size = rect.left(), rect.top(), rect.width(), rect.height()
    return Frame(*filled(min(xs), max(xs)), *filled(min(heights), max(heights)), *size)


def _polyline(points: Points, frame: Frame) -> QPolygonF:
    return QPolygonF([QPointF(frame.across(x), frame.down(y)) for x, y in points])


class Picture(QWidget):
    """The base of pictures: a quiet panel whose height follows the window's.

    Args:
        name: What it shows, for screen readers and the tool tip.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setMinimumHeight(LEAST)
        self.setMaximumHeight(MOST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        themes.changed.connect(self.update)
        self._drawn: tuple[object, QPixmap] | None = None  # what it was drawn for, and the drawing

    def sizeHint(self) -> QSize:
        """Return the least height: what is left of the window's makes it higher."""
        return QSize(200, LEAST)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the panel and the content, which are drawn again only where size or theme differ."""
        del event
        ratio = self.devicePixelRatioF()
        made_for = (self.size(), ratio, themes.now, themes.scale)
        if self._drawn is None or self._drawn[0] != made_for:
            self._drawn = made_for, self._draw(ratio)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._drawn[1])
        painter.end()

    def _draw(self, ratio: float) -> QPixmap:
        drawn = QPixmap(self.size() * ratio)
        drawn.setDevicePixelRatio(ratio)
        drawn.fill(Qt.GlobalColor.transparent)
        painter = QPainter(drawn)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(themes.now.ground))
        painter.drawRoundedRect(QRectF(self.rect()), RADIUS, RADIUS)
        self.paint_content(painter, QRectF(self.rect()).adjusted(EDGE, EDGE, -EDGE, -EDGE))
        painter.end()
        return drawn

    def paint_content(self, painter: QPainter, rect: QRectF) -> None:
        """Paint the content into a rectangle."""
        raise NotImplementedError


class CurvesPicture(Picture):
    """A picture of curves with floors; names stand at the right of the curves.

    Args:
        name: What it shows.
        lines: The curves.
        floors: Heights of dotted lines by name.
    """

    font_of_names = Font("note")

    def __init__(self, name: str, lines: Sequence[PictureLine], floors: Mapping[str, float]) -> None:
        super().__init__(name)
        self._lines, self._floors = lines, floors

    def area_of_curves(self, rect: QRectF) -> QRectF:
        """Return the part of a rectangle that the names leave to the curves."""
        metrics = QFontMetricsF(self.font_of_names)
        names = [*self._floors, *(line.name for line in self._lines)]
        widest = max((metrics.horizontalAdvance(name) for name in names), default=0)
        return rect.adjusted(0, 0, -min(widest, MOST_OF_NAMES * rect.width()) - 8, 0)

    def paint_content(self, painter: QPainter, rect: QRectF) -> None:
        """Paint floors and curves."""
        theme, area = themes.now, self.area_of_curves(rect)
        points = [point for line in self._lines for point in line.points]
        if not points:
            return
        frame = _frame(points, [*(y for _, y in points), *self._floors.values()], area)
        labels: list[tuple[float, str, str]] = []
        for name, floor in self._floors.items():
            y = frame.down(floor)
            painter.setPen(QPen(QColor(theme.dim), 1, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            labels.append((y, name, theme.dim))
        for line in self._lines:
            colour = QColor(theme.runs[line.colour])
            if line.faint:
                colour.setAlphaF(0.35)
            painter.setPen(QPen(colour, 1 if line.faint else 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(_polyline(line.points, frame))
            if line.name and line.points:
                labels.append((frame.down(line.points[-1][1]), line.name, legible(theme.runs[line.colour])))
        self._write(painter, labels, area, rect.right() - area.right() - 8)

    def _write(self, painter: QPainter, labels: list[tuple[float, str, str]], area: QRectF, width: float) -> None:
        """Write labels at their heights, moved apart where they would overlap, shortened to a width."""
        painter.setFont(self.font_of_names)
        metrics = QFontMetricsF(self.font_of_names)
        height = metrics.height()
        middles = spread([y for y, _, _ in labels], height, area.top() - EDGE / 2, area.bottom() + EDGE / 2)
        for middle, (_, name, colour) in zip(middles, labels, strict=True):
            painter.setPen(QColor(colour))
            fits = metrics.horizontalAdvance(name) <= width + 0.5
            short = name if fits else name.partition(" (")[0]
            shown = metrics.elidedText(short, Qt.TextElideMode.ElideRight, width + 0.5)
            painter.drawText(QPointF(area.right() + 8, middle + height * 0.3), shown)


class TokensPicture(Picture):
    """A picture of a text whose tokens are coloured by their surprisal.

    Args:
        name: What it shows.
        tokens: Text and surprisal in bits of each token.
    """

    font_of_tokens = Font(tokens=True)

    def __init__(self, name: str, tokens: Sequence[tuple[str, float]]) -> None:
        super().__init__(name)
        self._tokens = tokens

    def paint_content(self, painter: QPainter, rect: QRectF) -> None:
        """Paint as many complete lines as fit; a line ends between words."""
        metrics = QFontMetricsF(self.font_of_tokens)
        painter.setFont(self.font_of_tokens)
        line_height = px(LINE)
        lines = self._lines(rect.width(), metrics)[: max(1, int(rect.height() // line_height))]
        top = rect.top() + (rect.height() - len(lines) * line_height) / 2
        for number, line in enumerate(lines):
            left = rect.left()
            for text, bits in line:
                width = metrics.horizontalAdvance(text)
                box = QRectF(left, top + number * line_height + 2, width, line_height - 4)
                painter.fillRect(box, QColor(surprisal_colour(bits)))
                painter.setPen(QColor(themes.now.text))
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
                left += width

    def _lines(self, width: float, metrics: QFontMetricsF) -> list[list[tuple[str, float]]]:
        words: list[list[tuple[str, float]]] = [[]]
        for text, bits in self._tokens:
            words[-1].append((text.replace("\n", " "), bits))
            if text.isspace():
                words.append([])
        lines: list[list[tuple[str, float]]] = [[]]
        used = 0.0
        for word in words:
            needed = sum(metrics.horizontalAdvance(text) for text, _ in word)
            if used and used + needed > width:
                lines.append([])
                used = 0.0
            lines[-1] += word
            used += needed
        return lines
