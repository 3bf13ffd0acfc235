"""The views of readings other than maps between positions: maps, maps with bars, bars, one number."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Self

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lab.api.readings import FROM_ZERO
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.theme import px, themes
from lab.widgets.figures.view import ExportButton
from lab.widgets.forms.number_field import NumberField
from lab.widgets.maps.bars import Bars
from lab.widgets.maps.colours import Numbers, figure, levels_within, scale_of
from lab.widgets.maps.layout import are_numbers
from lab.widgets.maps.map import MapView
from lab.widgets.maps.margins import RowBars
from lab.widgets.maps.token_row import LINE, LINES, TokenStrip
from lab.widgets.readings.axes import OF_THE_TEXT, POSITIONS, axis_name, short_name
from lab.widgets.readings.axis_choice import ChoosingView
from lab.widgets.readings.base import Line, ReadingView

ROOM_FOR_TEXT = 300
"""Height in pixels from which the text is shown below a map of its tokens."""
TEXT = 0.3
"""Share of the height for a long text below its map."""
CELLS = 1024
"""The largest number of cells of a map with numbers in them."""


class GeneralView(ChoosingView):
    """Two axes as a map, with a third as a choice; tokens run from left to right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        themes.changed.connect(self._resize_type)
        self.map = MapView()
        self.map.selected.connect(self._follow)
        self.text = TokenStrip()
        self.text.picked.connect(self._follow_token)
        self.followed = Line()
        self.number = NumberField()
        self.number.picked.connect(self._follow_number)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.number)
        line.addWidget(self.followed, 1)
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.map, 1)
        layout.addLayout(line)
        layout.addWidget(self.text)
        self._root = Button(tr("√ scale"), hint=tr("Colours follow the square root, to show small values"))
        self._root.setCheckable(True)
        self._root.toggled.connect(self.map.set_root)
        self._root.toggled.connect(self._on_root)
        self.add_option(self._root)
        self.add_option(ExportButton(self.map))
        self._values: Numbers = np.zeros((1, 1), np.float32)
        self._axes: tuple[str, str] = ("channel", "token")

    def show_slice(self, values: Numbers, axes: tuple[str, ...], unit: str, full_values: Numbers, caption: str) -> None:
        """Draw values of two axes."""
        scale = scale_of(full_values, levels=self.levels_of(full_values, axes))
        self.map.caption = caption
        self.map.set_decimals(self.decimals)
        self._axes = _upright(axes)
        self._values = values if axes == self._axes else values.T
        rows, columns = map(self.labels_of, self._axes, self._values.shape)
        self.map.set_bars(self.row_bars(self._values))
        self.map.set_map(
            self._values, rows, columns, row_name=_name(self._axes[0], rows), column_name=_name(self._axes[1], columns),
            unit=unit, levels=(scale.low, scale.high), signed=scale.signed,
            square=all(axis in POSITIONS for axis in self._axes),
        )  # fmt: skip
        self.map.set_cell_texts(self._cell_texts(), all_or_none=not self.are_symbols)
        if self._shows_heads:
            self._mark_head()
        if self.map.selection[0] < 0:
            self.map.select(int(np.argmax(_known(self._values).max(axis=1))), -1)
        first = 0 if self._axes[0] in FROM_ZERO else 1
        self.number.offer(short_name(self._axes[0]), first, len(rows) if are_numbers(rows) else 0)
        self.text.set_tokens(columns)
        self._show_followed()
        self._arrange()

    @property
    def _shows_heads(self) -> bool:
        """True if the cells are the heads of all blocks."""
        return set(self._axes) == {"layer", "head"}

    def _mark_head(self) -> None:
        """Select the cell of the selected block and head, if it is there."""
        blocks = self.labels_of("layer", self._values.shape[self._axes.index("layer")])
        block = -1 if self._wanted is None else self._wanted
        if str(block + 1) not in blocks:
            return
        count = self._values.shape[self._axes.index("head")]
        at = {"layer": blocks.index(str(block + 1)), "head": self.index_among(count)}
        row, column = (at[axis] for axis in self._axes)
        rows, columns = self._values.shape
        if row < rows and column < columns:
            self.map.select(row, column)

    def selected_number(self) -> int | None:
        """Return the index of the selected head among those of all blocks; None if the cells are no heads."""
        row, column = self.map.selection
        return row * self._values.shape[1] + column if self._shows_heads and min(row, column) >= 0 else None

    def set_head(self, head: int) -> None:
        """Mark a head among those of all blocks."""
        super().set_head(head)
        if self._all is not None and self._shows_heads:
            self._mark_head()
            self._show_followed()

    def _pick_head(self) -> None:
        """Report the block and the head of the selected cell."""
        at = dict(zip(self._axes, self.map.selection, strict=True))
        blocks = self.labels_of("layer", self._values.shape[self._axes.index("layer")])
        if at["head"] >= 0 and not np.isnan(self._values[self.map.selection]):
            self.pick_index(at["head"])
        if blocks[at["layer"]].isdecimal():
            self.layer_picked.emit(int(blocks[at["layer"]]) - 1)

    def _cell_texts(self) -> list[list[str]]:
        """Return the texts of the cells: symbols, or numbers if there are few and no axis is a text."""
        few = self._values.size <= CELLS and not set(self._axes) & set(POSITIONS)
        if not self.are_symbols and not few:
            return []
        decimals = short_figure if self.decimals is None else partial(figure, decimals=self.decimals)
        write = self.format_cell if self.are_symbols else decimals
        return [[write(value) for value in row] for row in self._values.tolist()]

    def levels_of(self, values: Numbers, axes: tuple[str, ...]) -> tuple[float, float] | None:
        """Return the values of the first and last colour; None for those of the values."""
        del values, axes
        return levels_within(self.limits)

    def row_bars(self, values: Numbers) -> RowBars | None:
        """Return the bars next to the rows of the map; None for none."""
        del values
        return None

    def choose_as(self, other: Self) -> None:
        """Show the slice, the cell and the scale that are selected in another view."""
        with QSignalBlocker(self._root):
            self._root.setChecked(other._root.isChecked())
        self.map.set_root(other._root.isChecked())
        self.map.select(*other.map.selection)
        super().choose_as(other)

    def _show_followed(self) -> None:
        """Show the selected row in the text, on its own scale, so that small values are visible too."""
        row = self.map.selection[0]
        values = self._values[row]
        at = int(np.argmax(_known(values)))
        self.followed.set_full_text(tr("strongest in this row: {cell}", cell=self.map.text_at(row, at)))
        self.number.show_index(row)
        signed, root = self.map.scale.signed, self.map.scale.root
        shares = self.map.scale.low == 0 and self.map.scale.high == 1
        self.text.set_values(values, self.map.scale if shares else scale_of(values, signed=signed, root=root))

    def _on_root(self, _on: bool) -> None:
        if self._all is not None:
            self._show_followed()
        self.picked.emit()

    def _follow(self, _row: int, _column: int) -> None:
        self._show_followed()
        self.picked.emit()
        if self._shows_heads:
            self._pick_head()

    def _follow_number(self, row: int) -> None:
        self.map.select(row, self.map.selection[1])
        self._follow(*self.map.selection)

    def _follow_token(self, token: int) -> None:
        self.map.select(self.map.selection[0], token)
        self.picked.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the text if there is space for it."""
        super().resizeEvent(event)
        self._arrange()

    def _resize_type(self) -> None:
        """Arrange everything again for another size of the type."""
        if self.shown is not None:
            self._arrange()

    def _arrange(self) -> None:
        room = self.height() >= px(ROOM_FOR_TEXT)
        self.followed.setVisible(room)
        self.number.setVisible(room and self.number.offers)
        known = self._axes[1] in OF_THE_TEXT and len(self.labels) == self._values.shape[1]
        self.text.setVisible(room and known)
        self.text.setFixedHeight(self.text.height_for(self.width(), max(LINES, int(TEXT * self.height() / px(LINE)))))


def _name(axis: str, labels: Sequence[str]) -> str:
    """Return the name of an axis; maps that have names of their own are no heads."""
    has_names = not all(label[:1].isdigit() for label in labels)
    return tr("map") if axis == "head" and has_names else axis_name(axis)


class BarsView(ChoosingView):
    """One axis as bars, with a second as a choice."""

    drawn = 1

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars = Bars()
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.bars)
        self.add_option(ExportButton(self.bars))

    def show_slice(self, values: Numbers, axes: tuple[str, ...], unit: str, full_values: Numbers, caption: str) -> None:
        """Draw values of one axis."""
        del full_values
        self.bars.caption = caption
        labels = self.labels_of(axes[0], len(values))
        write = self.format_cell if self.are_symbols else figure
        self.bars.set_bars(values, labels, name=axis_name(axes[0]), unit=unit, levels=self.limits, format_bar=write)


class NumberView(ReadingView):
    """A single number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.number, self.unit = label("", "number"), label("", "dim")
        layout = QHBoxLayout(self.body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addStretch(1)
        layout.addWidget(self.number, 0, Qt.AlignmentFlag.AlignBaseline)
        layout.addWidget(self.unit, 0, Qt.AlignmentFlag.AlignBaseline)
        layout.addStretch(1)

    def show_values(self, values: Numbers, axes: tuple[str, ...], unit: str) -> None:
        """Show the value."""
        del axes
        self.number.setText(self.format_cell(float(values)))
        self.unit.setText(unit)


def short_figure(value: float) -> str:
    """Return a number with two digits, a whole one with all of its digits; "" for none."""
    if value == value and value.is_integer() and abs(value) < 1e5:
        return number_text(value, ",.0f").replace("-", "−")
    return "" if value != value else number_text(value, ".2g").replace("-", "−")


def _upright(axes: tuple[str, ...]) -> tuple[str, str]:
    """Return the axes of rows and columns: positions of a text run from left to right."""
    first, second = axes
    if first in POSITIONS and (second not in POSITIONS or POSITIONS.index(first) > POSITIONS.index(second)):
        return second, first
    return first, second


def share_levels(values: Numbers, axis: int) -> tuple[float, float] | None:
    """Return 0 and 1, the values of the first and last colour, if the values are shares along an axis; else None."""
    known = np.nan_to_num(values, nan=0.0, posinf=2.0, neginf=-1.0)
    return (0.0, 1.0) if (known >= 0).all() and np.allclose(known.sum(axis), 1, atol=0.02) else None


def _known(values: Numbers) -> Numbers:
    return np.abs(np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0))
