"""The map: an array of two axes as a picture, with labels, a colour bar and the selected cell.

It paints itself: an update takes 0.8 ms for 64 x 64 cells with labels and colour bar, and 1.7 ms with pyqtgraph's
PlotItem, ImageItem and ColorBarItem, whose axes paint overlapping labels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from lab.base.charts.colours import COLOURS
from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.i18n import quoted, tr
from lab.widgets.core.theme import INSIDE, Theme, px, themes
from lab.widgets.figures.export import Export
from lab.widgets.figures.map import MapFigure
from lab.widgets.figures.view import FigureView
from lab.widgets.maps.colours import Numbers, Scale, figure, picture, scale_of, shrunk, ticks_of
from lab.widgets.maps.layout import (
    GAP,
    LABEL,
    SIDE,
    Frame,
    NameLabel,
    Needs,
    draw_upright,
    fitting,
    frame_of,
    name_of,
    readable,
)
from lab.widgets.maps.margins import RowBars, draw_cell_texts, draw_note, draw_row_bars

LabelRect = tuple[QRectF, Qt.AlignmentFlag, str, bool]
"""A label: its rectangle, its alignment, its text, and whether its row or column is selected."""
ARROWS = {Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0), Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1)}
"""Steps of the arrow keys, in rows and columns."""
NAMED = 150
"""Height and width in pixels from which the axes are named."""
SLIDE = QSize(480, 360)
"""The smallest size of a map or of bars on a slide in pixels, before doubling."""


class MapView(FigureView):
    """A view of an array of two axes as a picture that fills the widget.

    The colours start at zero, or diverge at zero if there are negative values; cells that are NaN are transparent. A
    click or the arrow keys select a cell: its row is outlined, and `selected` is emitted.
    """

    selected = Signal(int, int)
    """(row, column) that the user selected."""
    _token_font, _font = Font("note", tokens=True), Font("note")
    _token_metrics, _metrics = Metrics("note", tokens=True), Metrics("note")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scale = Scale(0.0, 1.0)
        self.selection = (-1, -1)
        self.marked = (-1, -1)
        """The cell that is outlined with dashes; −1 for none."""
        self._values: Numbers = np.zeros((0, 0), np.float32)
        self._rows: Sequence[str] = ()
        self._columns: Sequence[str] = ()
        self._row_name = self._column_name = self._unit = ""
        self.always_named = False
        """True to name the axes at any size."""
        self._levels: tuple[float, float] | None = None
        self._signed: bool | None = None
        self._square = self._root = self._log = False
        self._decimals: int | None = None
        self._bars: RowBars | None = None
        self._texts: tuple[Sequence[Sequence[str]], bool] = ((), False)
        self._hovered: tuple[int, int] | None = None
        self._image: tuple[tuple[int, int], str, QImage] | None = None
        self._longest = 0.0
        self._layout: Frame | None = None
        self._labels: tuple[object, list[LabelRect]] | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(64, 48)
        self.setAccessibleName(tr("Map"))
        themes.changed.connect(self._resize_type)

    def set_map(
        self,
        values: Numbers,
        rows: Sequence[str],
        columns: Sequence[str],
        *,
        row_name: str,
        column_name: str,
        unit: str = "",
        levels: tuple[float, float] | None = None,
        signed: bool | None = None,
        square: bool = False,
    ) -> None:
        """Show other values; the selected cell stays selected if it still exists.

        Args:
            values: (R, C); NaN for empty cells.
            rows: R labels, from top to bottom.
            columns: C labels, from left to right.
            row_name: Name of the rows, with an explanation after a colon.
            column_name: Name of the columns.
            unit: Unit of the values.
            levels: Values of the first and last colour; None for those of the values.
            signed: Whether the colours diverge at zero; None: if there are negative values.
            square: Whether cells are square.

        Raises:
            ValueError: There is not one label for each row and column.
        """
        if values.shape != (len(rows), len(columns)):
            raise ValueError(f"{len(rows)} and {len(columns)} labels for a map of shape {values.shape}")
        self._values = values if values.dtype == np.float32 else values.astype(np.float32)
        if rows != self._rows:
            self._longest = self._widest_of(rows)
        self._rows, self._columns = rows, columns
        self._row_name, self._column_name, self._unit = row_name, column_name, unit
        self._levels, self._signed, self._square = levels, signed, square
        row, column = self.selection
        self.selection = (min(row, len(rows) - 1), min(column, len(columns) - 1))
        self._hovered = None
        self.setAccessibleName(tr("Map: {rows} from top to bottom, {columns} from left to right",
                                    rows=row_name, columns=column_name))  # fmt: skip
        self._rescale()

    def set_root(self, root: bool) -> None:
        """Set whether the colours follow the square root of the values, which makes small ones visible."""
        self._root = root
        self._rescale()

    def set_log(self, log: bool) -> None:
        """Set whether the colours follow the logarithm of the values; those that are not positive have no colour."""
        self._log = log
        self._rescale()

    def set_decimals(self, decimals: int | None) -> None:
        """Write the values of cells with a number of decimals; None for three significant digits."""
        self._decimals = decimals

    def set_bars(self, bars: RowBars | None) -> None:
        """Draw a bar next to each row; None for no bars."""
        self._bars = bars
        self._layout = None
        self.update()

    def set_cell_texts(self, texts: Sequence[Sequence[str]], *, all_or_none: bool = False) -> None:
        """Write a text into each cell that has space for it.

        Args:
            texts: R rows of C texts; () for none.
            all_or_none: Whether no text is written if not all fit, as with numbers.
        """
        self._texts = texts, all_or_none
        self.update()

    def select(self, row: int, column: int) -> None:
        """Select a cell without emitting anything; −1 for none."""
        self.selection = (row, column)
        self.update()

    def mark(self, row: int, column: int) -> None:
        """Outline a cell with dashes, such as the largest one; −1 for none."""
        self.marked = (row, column)
        self.update()

    def text_at(self, row: int, column: int) -> str:
        """Return the text of a cell: its row, its column, its value with the unit."""
        value = float(self._values[row, column])
        text = figure(value, self._decimals) if not np.isnan(value) else tr("nothing here")
        names = [name_of(self._row_name, self._rows, row), name_of(self._column_name, self._columns, column)]
        if self._texts[0] and not self._texts[1]:
            names.append(quoted(self._texts[0][row][column]))
        return f"{' · '.join(filter(None, [*names, text]))} {self._unit}".rstrip()

    def width_for(self, height: float) -> float:
        """Return the width in which square cells fill a height."""
        needs = self._needs(height, float("inf"))
        cells = height - needs.below - GAP - 2
        return needs.left + needs.right + cells * len(self._columns) / max(1, len(self._rows))

    def height_for(self, pitch: float) -> float:
        """Return the height in which each row of cells has so many pixels."""
        cells = pitch * len(self._rows)
        return cells + self._needs(cells, float("inf")).below + GAP + 2

    def cell_at(self, position: QPointF) -> tuple[int, int] | None:
        """Return (row, column) under a point; None outside the map."""
        cells = self._frame().cells
        rows, columns = self._values.shape
        if not self._values.size or not cells.contains(position):
            return None
        row = int((position.y() - cells.top()) / cells.height() * rows)
        column = int((position.x() - cells.left()) / cells.width() * columns)
        return min(row, rows - 1), min(column, columns - 1)

    def rect_of(self, row: int, column: int) -> QRectF:
        """Return the rectangle of a cell, in pixels of the widget."""
        cells = self._frame().cells
        high, wide = cells.height() / self._values.shape[0], cells.width() / self._values.shape[1]
        return QRectF(cells.left() + column * wide, cells.top() + row * high, wide, high)

    # Input

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the cell under the mouse."""
        cell = self.cell_at(event.position())
        if cell is not None and event.button() == Qt.MouseButton.LeftButton:
            self.select(*cell)
            self.selected.emit(*cell)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the text of the cell under the mouse."""
        self._hover(self.cell_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the note."""
        super().leaveEvent(event)
        self._hover(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the selected cell, and show its text."""
        step = ARROWS.get(Qt.Key(event.key()))
        if step is None or not self._values.size:
            super().keyPressEvent(event)
            return
        (rows, columns), (row, column) = self._values.shape, self.selection
        cell = (min(max(row + step[0], 0), rows - 1), min(max(column + step[1], 0), columns - 1))
        self.select(*cell)
        self._hover(cell)
        self.setAccessibleDescription(self.text_at(*cell))
        self.selected.emit(*cell)

    def export(self, title: str) -> Export | None:
        """Return an export of the map without selection, with a title; None if it is empty."""
        if not self._values.size:
            return None
        copy = self._empty_copy()
        copy.set_root(self._root)
        copy.set_log(self._log)
        copy.set_bars(self._bars)
        copy.mark(*self.marked)
        copy.set_cell_texts(self._texts[0], all_or_none=self._texts[1])
        copy.set_map(
            self._values, self._rows, self._columns, row_name=self._row_name, column_name=self._column_name,
            unit=self._unit, levels=self._levels, signed=self._signed, square=self._square,
        )  # fmt: skip
        copy.resize(self.size().expandedTo(SLIDE))
        figure = MapFigure(
            title, self._row_name, self._column_name, self._unit, list(self._rows), list(self._columns),
            self.scale.low, self.scale.high, self.scale.signed, self.scale.root, self._square, self._values,
            self.scale.log, self._path(),
        )  # fmt: skip
        return Export(figure, copy.size(), copy._paint, INSIDE)

    def _path(self) -> Sequence[tuple[float, float, str]]:
        """Return the points of a line over the map, as of MapFigure; none in a plain map."""
        return ()

    def _empty_copy(self) -> MapView:
        """Return a map of the same class, to be painted without selection."""
        return MapView()

    def _hover(self, cell: tuple[int, int] | None) -> None:
        if cell != self._hovered:
            self._hovered = cell
            self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out everything again."""
        super().resizeEvent(event)
        self._layout = None

    # Painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the map with everything around it."""
        with QPainter(self) as painter:
            self._paint(painter)

    def _paint(self, painter: QPainter) -> None:
        if not self._values.size:
            return
        theme, frame = themes.now, self._frame()
        painter.drawImage(frame.cells, self._picture(frame, theme))
        self._draw_cells(painter, frame.cells, theme)
        if self._texts[0]:
            painter.setFont(self._token_font)
            colours = self.scale.colours(self._values, theme)
            draw_cell_texts(painter, frame.cells, *self._texts, colours, theme, self._token_metrics)
        self._draw_labels(painter, frame, theme)
        if self._bars is not None:
            draw_row_bars(painter, frame.side, self._bars, self.selection[0], theme, self._metrics)
        if not frame.bar.isEmpty():
            self._draw_scale(painter, frame.bar, theme)
        self._draw_mark(painter, theme)
        self._draw_selection(painter, frame.cells, theme)
        if self._hovered is not None:
            draw_note(painter, self.rect_of(*self._hovered), self.text_at(*self._hovered), theme, self._token_metrics)

    def _draw_cells(self, painter: QPainter, cells: QRectF, theme: Theme) -> None:
        """Draw over the colours and below the texts; nothing in a plain map."""

    def _picture(self, frame: Frame, theme: Theme) -> QImage:
        ratio = self.devicePixelRatioF()
        rows, columns = self._values.shape
        size = (min(rows, int(frame.cells.height() * ratio)), min(columns, int(frame.cells.width() * ratio)))
        if self._image is None or self._image[:2] != (size, theme.name):
            self._image = (size, theme.name, picture(shrunk(self._values, *size), self.scale, theme))
        return self._image[2]

    def _draw_labels(self, painter: QPainter, frame: Frame, theme: Theme) -> None:
        cells, line = frame.cells, self._token_metrics.height()
        painter.setFont(self._token_font)
        for room, flags, text, is_selected in self._label_rects(frame):
            painter.setPen(QColor(theme.text if is_selected else theme.dim))
            painter.drawText(room, flags, text)
        if not self._is_named(self.height(), self.width()):
            return
        painter.setFont(self._font)
        painter.setPen(QColor(theme.dim))
        left = cells.left() - GAP - min(self._longest, px(LABEL)) - line / 2 - 2
        draw_upright(painter, QPointF(left, cells.center().y()), cells.height(), self._row_name, self._metrics)
        room = QRectF(0, cells.bottom() + GAP + line, self.width(), line)
        room.setLeft(max(0.0, cells.center().x() - self.width() / 2))
        room.setRight(min(float(self.width()), 2 * cells.center().x() - room.left()))
        text = self._metrics.elidedText(self._column_name, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)

    def _label_rects(self, frame: Frame) -> list[LabelRect]:
        """Return the labels of rows and columns with their rectangles; cached while the layout stays."""
        what = (frame, self._rows, self._columns, self.selection)
        if self._labels is None or self._labels[0] != what:
            self._labels = (what, [*self._row_labels(frame.cells), *self._column_labels(frame.cells)])
        return self._labels[1]

    def _row_labels(self, cells: QRectF) -> Iterator[LabelRect]:
        line, pitch = self._token_metrics.height(), cells.height() / len(self._rows)
        labels = readable(self._rows, pitch, lambda _: line - 1)
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for number, middle in fitting(labels, pitch, lambda _: line - 1, always=self.selection[0]):
            room = QRectF(cells.left() - GAP - px(LABEL), cells.top() + middle - line / 2, px(LABEL), line)
            yield room, flags, self._elided(labels[number]), number == self.selection[0]

    def _column_labels(self, cells: QRectF) -> Iterator[LabelRect]:
        line, pitch = self._token_metrics.height(), cells.width() / len(self._columns)
        labels = readable(self._columns, pitch, self._label_extent)
        for number, middle in fitting(labels, pitch, self._label_extent, always=self.selection[1]):
            room = QRectF(cells.left() + middle - px(LABEL), cells.bottom() + GAP, 2 * px(LABEL), line)
            yield room, Qt.AlignmentFlag.AlignCenter, self._elided(labels[number]), number == self.selection[1]

    def _elided(self, text: str) -> str:
        return self._token_metrics.elidedText(text, Qt.TextElideMode.ElideRight, px(LABEL))

    def _draw_scale(self, painter: QPainter, bar: QRectF, theme: Theme) -> None:
        ramp = np.linspace(1, 0, COLOURS, dtype=np.float32)[:, None]
        even = Scale(-1.0, 1.0, True) if self.scale.signed else Scale(0.0, 1.0)
        painter.drawImage(bar, picture(ramp * 2 - 1 if self.scale.signed else ramp, even, theme))
        painter.setFont(self._font)
        painter.setPen(QColor(theme.dim))
        line, above = self._metrics.height(), float("inf")
        for position, text in self._ticks(bar.height()):
            y = bar.bottom() - position * bar.height()
            if above - y >= line:
                room = QRectF(bar.right() + GAP, y - line / 2, px(80), line)
                painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
                above = y
        room = QRectF(bar.left(), bar.bottom() + GAP, self.width() - bar.left(), line)
        unit = self._metrics.elidedText(self._unit, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, unit)

    def _draw_mark(self, painter: QPainter, theme: Theme) -> None:
        row, column = self.marked
        if not (0 <= row < len(self._rows) and 0 <= column < len(self._columns)):
            return
        painter.setBrush(Qt.BrushStyle.NoBrush)
        box = self.rect_of(row, column).adjusted(2, 2, -2, -2)
        for colour, style in ((theme.panel, Qt.PenStyle.SolidLine), (theme.text, Qt.PenStyle.DashLine)):
            painter.setPen(QPen(QColor(colour), 2, style))
            painter.drawRect(box)

    def _draw_selection(self, painter: QPainter, cells: QRectF, theme: Theme) -> None:
        row, column = self.selection
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for box, colour, width in self._outlines(row, column, cells, theme):
            painter.setPen(QPen(QColor(colour), width))
            painter.drawRect(box)

    def _outlines(self, row: int, column: int, cells: QRectF, theme: Theme) -> list[tuple[QRectF, str, float]]:
        found = []
        if row >= 0:
            cell = self.rect_of(row, max(column, 0))
            strip = QRectF(cells.left(), cell.top(), cells.width(), cell.height()).adjusted(-1, -1, 1, 1)
            found += [(strip.adjusted(-1, -1, 1, 1), theme.panel, 1.0), (strip, theme.text, 1.0)]
            if column >= 0:
                found.append((cell.adjusted(-1, -1, 1, 1), theme.text, 2.0))
        if self.hasFocus():
            found.append((cells.adjusted(-3, -3, 3, 3), theme.accent, 1.0))
        return found

    # Layout

    def _widest_of(self, rows: Sequence[str]) -> float:
        """Return the width of the longest labels of rows; numbers may replace labels."""
        long = [*sorted(rows, key=len)[-8:], str(len(rows))]
        return max((self._token_metrics.horizontalAdvance(each) for each in long), default=0.0)

    def _resize_type(self) -> None:
        """Lay out everything again for another size of the type."""
        self._longest = self._widest_of(self._rows)
        self._layout = self._labels = None
        self.update()

    def _rescale(self) -> None:
        self.scale = scale_of(self._values, levels=self._levels, signed=self._signed, root=self._root, log=self._log)
        self._image = self._layout = None
        self.update()

    def _ticks(self, height: float) -> list[tuple[float, str]]:
        return ticks_of(self.scale, max(1, min(5, int(height / (2.5 * self._metrics.height())))))

    def _needs(self, height: float, width: float) -> Needs:
        text = [text for _, text in self._ticks(height)]
        widest = max((self._metrics.horizontalAdvance(each) for each in text), default=0.0)
        unit = self._metrics.horizontalAdvance(self._unit) - 10 - GAP
        side = min(SIDE, width / 4) if self._bars is not None and width >= 2 * NAMED else 0.0
        return Needs(self._longest, max(widest, min(unit, px(LABEL))) + 1, self._is_named(height, width), side,
                     self._token_metrics.height())  # fmt: skip

    def _frame(self) -> Frame:
        if self._layout is None:
            shape = self._values.shape
            needs = self._needs(self.height(), self.width())
            self._layout = frame_of(self.width(), self.height(), needs, (shape[0], shape[1]), self._square)
        return self._layout

    def _is_named(self, height: float, width: float) -> bool:
        return self.always_named or min(height, width) >= NAMED

    def _label_extent(self, label: str) -> float:
        width = self._token_metrics.horizontalAdvance(label)
        pitch = self._frame().cells.width() / len(self._columns)
        if len(label) == 1 and not isinstance(label, NameLabel) and self._token_metrics.horizontalAdvance("0") <= pitch:
            return min(width, pitch)  # single signs that all fit
        return min(width, px(LABEL)) + 2 * GAP
