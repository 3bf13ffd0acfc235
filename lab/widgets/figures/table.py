"""The numbers of a figure as a table over the window, with its description, to read, copy and save."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QTableView, QVBoxLayout, QWidget

from lab.widgets.core.controls import Button, label
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import number_text, tr, tr_n
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import INSIDE, control_height, px
from lab.widgets.figures.chart import ChartFigure
from lab.widgets.figures.csv_table import number_texts, part_cells, part_columns, with_unit
from lab.widgets.figures.diagram import DiagramFigure
from lab.widgets.figures.links import LinksFigure
from lab.widgets.figures.map import BarsFigure, MapFigure
from lab.widgets.figures.points import PointsFigure
from lab.widgets.figures.sentence import sentence_of

Index = QModelIndex | QPersistentModelIndex
ROW = 26
"""Height of a row in pixels."""
COPIED = 20_000
"""The largest number of rows that are copied at once; a file takes more."""
COLUMNS = 40
"""The largest number of columns whose width is fitted to their cells."""
WIDTH, HEIGHT = 720, 520
"""The largest size in pixels, at a size of the type of 100 percent."""


class FigureTable:
    """The cells of a figure, in the rows and columns of its CSV file; a cell is formatted when it is read.

    Args:
        figure: A ChartFigure, MapFigure, LinksFigure, BarsFigure, PointsFigure or DiagramFigure.

    Attributes:
        head: The names of the columns.
        rows: The number of rows.
    """

    def __init__(self, figure: Any) -> None:
        self._blocks: list[tuple[int, Callable[[int, int], str]]] = []
        match figure:
            case ChartFigure():
                self._take_chart(figure)
            case MapFigure() | LinksFigure():
                corner = with_unit(f"{figure.row_name} \\ {figure.column_name}", figure.unit)
                self.head = [corner, *figure.columns]
                self._add(len(figure.rows), lambda row, column: (
                    _number(figure.values[row, column - 1 :][:1]) if column else figure.rows[row]))  # fmt: skip
            case BarsFigure():
                self.head = [figure.name, with_unit(tr("value"), figure.unit)]
                self._add(len(figure.labels), lambda row, column: (
                    _number(figure.values[row : row + 1]) if column else figure.labels[row]))  # fmt: skip
            case PointsFigure():
                self.head = [figure.order_name, tr("label"), figure.x_name, figure.y_name]
                self._add(len(figure.labels), lambda row, column: (
                    (str(row + 1), figure.labels[row])[column] if column < 2
                    else _number(figure.points[row, column - 2 :][:1])))  # fmt: skip
            case DiagramFigure():
                self.head = part_columns()
                self._add(len(figure.parts), lambda row, column: part_cells(figure.parts[row])[column])
            case _:
                raise TypeError(f"{type(figure).__name__} is not a figure")
        self.rows = sum(count for count, _ in self._blocks)

    def _take_chart(self, figure: ChartFigure) -> None:
        self.head = [tr("kind"), tr("name"), figure.x.name, figure.y.name]
        for line in figure.lines:
            positions = figure.x.positions(line.points[:, 0])
            points = line.points[(positions >= 0) & (positions <= 1)]

            def cell(row: int, column: int, name: str = line.name, points: Any = points) -> str:
                return (tr("line"), name)[column] if column < 2 else _number(points[row, column - 2 :][:1])

            self._add(len(points), cell)
        floors = [(tr("reference line"), name, "", *number_texts(np.array([value]))) for name, value in figure.floors]
        flags = [(tr("flag"), caption, *number_texts(np.array([x])), "") for x, caption in figure.flags]
        self._add(len(floors), lambda row, column: floors[row][column])
        self._add(len(flags), lambda row, column: flags[row][column])

    def _add(self, count: int, cell: Callable[[int, int], str]) -> None:
        self._blocks.append((count, cell))

    def cell(self, row: int, column: int) -> str:
        """Return the text of a cell."""
        for count, cell in self._blocks:
            if row < count:
                return cell(row, column)
            row -= count
        raise IndexError(row)

    def text(self, rows: Sequence[int]) -> str:
        """Return some rows with the head, separated by tabs, as spreadsheets take them from the clipboard."""
        file = io.StringIO()
        file.write("\t".join(self.head) + "\n")
        for row in rows:
            cells = (self.cell(row, column) for column in range(len(self.head)))
            file.write("\t".join(text.replace("\t", " ").replace("\n", " ") for text in cells) + "\n")
        return file.getvalue()


def _number(values: Any) -> str:
    return number_texts(values)[0]


class _Model(QAbstractTableModel):
    def __init__(self, table: FigureTable, parent: QWidget) -> None:
        super().__init__(parent)
        self.table = table

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else self.table.rows

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.table.head)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole) and index.isValid():
            return self.table.cell(index.row(), index.column())
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return self.table.head[section] if orientation == Qt.Orientation.Horizontal else str(section + 1)


class DataTable(Overlay):
    """The table of one figure over its window; it is deleted when it closes.

    Args:
        figure: The figure.
        window: The window.
    """

    save_requested = Signal()
    """A file with the table is requested."""

    def __init__(self, figure: Any, window: QWidget) -> None:
        data = FigureTable(figure)  # first: what is no figure leaves no overlay
        super().__init__(window, tr("Data of {title}", title=figure.title))
        self._data = data
        title, sentence = label(figure.title, "title"), label(sentence_of(figure), "dim")
        title.setWordWrap(True)
        sentence.setWordWrap(True)
        sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        close = Button(hint=tr("Close"), icon_name="close")
        close.clicked.connect(self.shut)
        head = QHBoxLayout()
        head.addWidget(title, 1)
        head.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        self.view = _View(tr("Data of {title}", title=figure.title))
        self.view.setModel(_Model(self._data, self.view))
        self.view.copied.connect(self.copy)
        self.sentence = sentence.text()
        self.copy_button = Button(tr("Copy"), hint=tr("Copy the selected rows, or all of them"), role="")
        self.copy_button.clicked.connect(self.copy)
        save = Button(tr("Save as CSV…"), role="")
        save.clicked.connect(self.save_requested)
        self._count = label(tr_n("1 row", "{n} rows", self._data.rows), "note")
        foot = QHBoxLayout()
        foot.addWidget(self._count)
        foot.addStretch(1)
        foot.addWidget(self.copy_button)
        foot.addWidget(save)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(INSIDE, 8, 8, INSIDE)
        layout.addLayout(head)
        layout.addWidget(sentence)
        layout.addWidget(self.view, 1)
        layout.addLayout(foot)

    def open(self) -> None:
        """Show it, with the focus in the table."""
        self.show_over(self.view)
        self.view.selectRow(0)

    def place(self) -> None:
        """Place it in the centre of the window."""
        free = self._window.size()
        width, height = min(px(WIDTH), free.width() - 40), min(px(HEIGHT), free.height() - 40)
        self.setGeometry((free.width() - width) // 2, (free.height() - height) // 2, width, height)

    def shut(self) -> None:
        """Hide and delete it."""
        super().shut()
        self.deleteLater()

    def copy(self) -> None:
        """Copy the selected rows, or all if fewer than two are selected, to the clipboard."""
        selected = sorted({index.row() for index in self.view.selectionModel().selectedRows()})
        rows = selected if len(selected) > 1 else range(min(COPIED, self._data.rows))
        QGuiApplication.clipboard().setText(self._data.text(rows))
        note = tr("Copied {n} of {all} rows", n=number_text(len(rows)), all=number_text(self._data.rows))
        self._count.setText(note)


class _View(QTableView):
    """The cells; the usual keys copy. Signal: `copied`."""

    copied = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setProperty("role", "view")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        follow_type(self, _fit)

    def setModel(self, model: Any) -> None:
        """Show a model, with columns as wide as their heads and first cells."""
        super().setModel(model)
        self.horizontalHeader().setResizeContentsPrecision(50)
        if model.columnCount() <= COLUMNS:
            self.resizeColumnsToContents()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy with the usual keys."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copied.emit()
        else:
            super().keyPressEvent(event)


def _fit(view: _View) -> None:
    """Give the rows the height of the size of the type."""
    view.verticalHeader().setDefaultSectionSize(control_height(ROW))
