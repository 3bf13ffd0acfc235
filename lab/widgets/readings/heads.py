"""The view of maps between positions, such as attention: all heads, one of them large, and the coloured text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from lab.api import Reading
from lab.widgets.core.controls import Button, MenuButton
from lab.widgets.core.i18n import number_text, quoted, tr
from lab.widgets.core.theme import px, themes
from lab.widgets.figures.view import ExportButton
from lab.widgets.maps.colours import Numbers, Scale, figure, levels_within, scale_of
from lab.widgets.maps.head_grid import HeadGrid
from lab.widgets.maps.head_strip import SMALLEST, HeadStrip
from lab.widgets.maps.links import LinksArea
from lab.widgets.maps.map import MapView
from lab.widgets.maps.token_row import TokenStrip
from lab.widgets.readings.axes import OF_THE_TEXT, POSITIONS, axis_name
from lab.widgets.readings.base import Line, ReadingView

CLEAR = 0.5
"""Share of the weight from which a head has a clear duty."""
SECOND = 1
"""The first token whose share counts, from 0: the one before it can only read itself. Head scores count likewise."""
LINE = 20
"""Height of a line of text in pixels."""
APART = 16
"""Pixels between the strip and the large map."""
ROOM_FOR_TEXT = 340
"""Height in pixels from which the text is shown below the map."""
NAMED = 3
"""Number of read tokens that are listed."""
HALF = 0.5
"""The largest share of the width for the small maps of all blocks."""


class HeadsView(ReadingView):
    """A view of all heads of one or all layers as small maps, and of one head large, as a map or as lines.

    The text is coloured by the weights with which the selected token reads it.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        themes.changed.connect(self._resize_type)
        self.strip = HeadStrip(self.body)
        self.strip.picked.connect(self._on_head_picked)
        self.grid = HeadGrid(self.body)
        self.grid.picked.connect(self._on_grid_picked)
        self.map = MapView(self.body)
        self.map.selected.connect(self._follow)
        self.lines = LinksArea(self.body)
        self.lines.links.followed.connect(self._follow_line)
        self.text = TokenStrip(self.body)
        self.text.picked.connect(self._follow_token)
        self.title, self.followed = Line(self.body), Line(self.body)
        self._root = Button(tr("√ scale"), hint=tr("Colours follow the square root, to show small weights"))
        self._root.setCheckable(True)
        self._root.setChecked(True)
        self._root.toggled.connect(self._rescale)
        self._blocks = MenuButton(tr("Small maps"), _small_maps(has_heads=True), self._change, steady=True)
        shapes = [("map", tr("map")), ("lines", tr("lines"))]
        self._shape = MenuButton(tr("Large map"), shapes, self._change, steady=True)
        self._exports = ExportButton(self.map), ExportButton(self.lines.links)
        for option in (self._blocks, self._shape, self._root, *self._exports):
            self.add_option(option)
        self._values: Numbers = np.zeros((1, 1, 1), np.float32)
        self._axes = ("query", "key")
        self._unit = ""
        self._are_shares = False
        self._notes: list[str] = []

    def show_values(self, values: Numbers, axes: tuple[str, ...], unit: str) -> None:
        """Draw (query, key) or (head, query, key), in any order of the axes."""
        row, column = sorted((axis for axis in axes if axis in POSITIONS), key=POSITIONS.index)
        ordered = self._ordered(values, axes, row, column)
        among_themselves = column != "source"
        self._values = without_future(ordered) if among_themselves else ordered
        self._axes = (row, column)
        self._are_shares = _are_shares(ordered)
        self._unit = unit or (tr("share") if self._are_shares else "")
        self._notes = head_duties(ordered, among_themselves)
        self._draw()
        self._arrange()

    def numbers_of(self, reading: Reading) -> None:
        """Return None: maps have no curves."""

    @staticmethod
    def _ordered(values: Numbers, axes: tuple[str, ...], row: str, column: str) -> Numbers:
        """Return (H, Q, K), with one head if there is no axis of heads."""
        wanted = ("head", row, column) if "head" in axes else (row, column)
        ordered = values.transpose([axes.index(axis) for axis in wanted])
        return ordered if "head" in axes else ordered[None]

    @property
    def _with_all(self) -> bool:
        """True if the small maps are those of all blocks."""
        return self._blocks.value == "all" and len(self.layers()) > 1

    def _draw_all(self, scale: Scale) -> None:
        """Draw the heads of all blocks; the values of the shown block are reused."""
        maps, names, now = [], [], self.shown
        for layer in self.layers():
            reading = self._readings[layer]
            values, axes = np.asarray(reading.values).astype(np.float32), tuple(reading.axes)
            if axes[:1] == ("batch",):
                values, axes = values[min(int(self._row.value), len(values) - 1)], axes[1:]
            ordered = self._values if reading is now else self._ordered(values, axes, *self._axes)
            maps.append(without_future(ordered) if self._axes[1] != "source" and reading is not now else ordered)
            names.append(tr("all") if layer is None else tr("block {n}", n=layer + 1))
        self.grid.set_maps(maps, names, scale)
        self.grid.set_current(self.layers().index(None if now is None else now.layer), self._index)

    @property
    def _index(self) -> int:
        """The number of the head or map that is shown large."""
        return self.index_among(len(self._values))

    def _axis_names(self, row: str, column: str) -> tuple[str, str]:
        """Return the names of the axes, in neutral words where the architecture has no heads."""
        if self.has_heads or (row, column) != ("query", "key"):
            return axis_name(row), axis_name(column)
        return tr("reading token"), tr("read token")

    def _draw(self) -> None:
        row, column = self._axes
        levels = (0.0, 1.0) if self._are_shares else levels_within(self.limits)
        scale = scale_of(self._values, levels=levels, root=self._root.isChecked())
        self._blocks.set_choices(_small_maps(has_heads=self.has_heads))
        self._blocks.setVisible(len(self.layers()) > 1)
        if self._with_all:
            self._draw_all(scale)
        names_of_heads = self.names_of("head", len(self._values))
        self.strip.set_heads(self._values, self._notes, scale, names_of_heads)
        self.strip.set_current(self._index)
        _, rows, columns = self._values.shape
        names = self.labels_of(row, rows), self.labels_of(column, columns)
        self.map.set_root(self._root.isChecked())
        named = self._axis_names(row, column)
        self.map.set_map(
            self._values[self._index], *names, row_name=named[0], column_name=named[1], unit=self._unit,
            levels=(scale.low, scale.high), signed=scale.signed, square=True,
        )  # fmt: skip
        if self.map.selection[0] < 0:
            self.map.select(rows - 1, -1)
        self.text.set_tokens(names[1])
        does = tr("{duty} over tokens 2–{last}", duty=self._notes[self._index], last=self._values.shape[1])
        head = f"{names_of_heads[self._index]} · {does}" if len(self._values) > 1 else does
        title = " · ".join(filter(None, (self.where, head)))
        self.title.set_full_text(title)
        self.map.caption = self.lines.links.caption = title
        high = max(abs(scale.low), abs(scale.high))
        self.lines.links.set_links(self._values[self._index], *names, names=named, unit=self._unit, high=high)
        self._show_followed()

    def _show_followed(self) -> None:
        """Show the tokens that the selected token reads."""
        row = self.map.selection[0]
        weights = self._values[self._index, row]
        sizes = np.abs(np.nan_to_num(weights, nan=0.0, posinf=0.0, neginf=0.0))
        names = self.labels_of(self._axes[1], len(weights))
        rows = self.labels_of(self._axes[0], self._values.shape[1])
        strongest = np.argsort(-sizes, kind="stable")[:NAMED]
        read = ", ".join(
            f"{quoted(names[at])} {at + 1} ({figure(float(weights[at]))})" for at in strongest if sizes[at]
        )
        text = tr("“{token}” {number} reads {read}", token=rows[row], number=row + 1, read=read or tr("nothing"))
        self.followed.set_full_text(text)
        own = row + len(weights) - len(rows)
        is_same = self._axes[1] in OF_THE_TEXT and 0 <= own < len(weights)
        self.text.set_values(weights, self.map.scale, own if is_same else -1)

    def choose_as(self, other: Self) -> None:
        """Show the head, the token and the scale that are selected in another view."""
        self._blocks.show_value(other._blocks.value)
        self._shape.show_value(other._shape.value)
        self.lines.links.pin(other.lines.links.pinned)
        with QSignalBlocker(self._root):
            self._root.setChecked(other._root.isChecked())
        self.map.select(*other.map.selection)
        super().choose_as(other)

    def set_head(self, head: int) -> None:
        """Show a head large and frame its small map."""
        super().set_head(head)
        if self.shown is not None:
            self._draw()
            self.strip.reveal(self._index)

    def _on_head_picked(self, head: int) -> None:
        self.pick_index(head)
        self._draw()
        self.picked.emit()

    def _on_grid_picked(self, index: int, head: int) -> None:
        self.pick_index(head)
        layer = self.layers()[index]
        self.set_layer(layer)
        self.picked.emit()
        if layer is not None:
            self.layer_picked.emit(layer)

    def _change(self, _choice: str) -> None:
        self._draw()
        self._arrange()
        self.picked.emit()

    def _follow(self, _row: int, _column: int) -> None:
        self._show_followed()
        self.picked.emit()

    def _follow_line(self, row: int) -> None:
        self.map.select(row, -1)
        self._follow(row, -1)

    def _follow_token(self, token: int) -> None:
        rows, columns = self._values.shape[1:]
        row = token - (columns - rows)
        if 0 <= row < rows and self._axes[1] in OF_THE_TEXT:
            self.map.select(row, -1)
            self.lines.follow(row)
            self._show_followed()
            self.picked.emit()

    def _rescale(self, _on: bool) -> None:
        self._draw()
        self.picked.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out everything again."""
        super().resizeEvent(event)
        self._arrange()

    def _resize_type(self) -> None:
        """Arrange everything again for another size of the type."""
        if self.shown is not None:
            self._arrange()

    def _arrange(self) -> None:
        """Lay out the large map at full height, the small maps in the remaining width, the text below both."""
        width, height = self.width(), self.height()
        known = self._axes[1] in OF_THE_TEXT and len(self.labels) == self._values.shape[2]
        with_text = height >= px(ROOM_FOR_TEXT) and known
        below = self.text.height_for(width) if with_text else 0
        top = height - (below + px(LINE) + 4 if with_text else 0)
        small = self.grid if self._with_all else self.strip if len(self._values) > 1 else None
        wide = width
        if small is not None:
            least = SMALLEST + 12 if small is self.strip else int(min(self.grid.heads.minimumWidth(), HALF * width))
            wide = int(min(self.map.width_for(top - px(LINE)), width - least - APART))
        left = width - wide
        for one in (self.strip, self.grid):
            one.setVisible(one is small)
        if small is not None:
            small.fit(left - APART, top)
            left -= max(0, left - APART - small.used) // 2  # centred in the free width
            small.setGeometry(0, 0, max(0, left - APART), top)
        as_lines = self._shape.value == "lines"
        self.title.setGeometry(left, 0, wide, px(LINE))
        for large, export in zip((self.map, self.lines), self._exports, strict=True):
            shown = (large is self.lines) == as_lines
            large.setGeometry(left, px(LINE), wide, top - px(LINE))
            large.setVisible(shown)
            export.setVisible(shown)
        self._root.setVisible(not as_lines or small is not None)
        self.text.setVisible(with_text)
        self.followed.setVisible(with_text)
        self.followed.setGeometry(0, top + 4, width, px(LINE))
        self.text.setGeometry(0, top + px(LINE) + 4, width, below)


def _small_maps(*, has_heads: bool) -> list[tuple[str, str]]:
    """Return the choices of small maps, in neutral words where the architecture has no heads."""
    if has_heads:
        return [("one", tr("heads of the block")), ("all", tr("heads of all blocks"))]
    return [("one", tr("maps of the block")), ("all", tr("maps of all blocks"))]


def without_future(maps: Numbers) -> Numbers:
    """Return the maps with NaN at later keys if these are 0 in all maps, since no token can read them.

    Args:
        maps: (H, Q, K); the queries are the last Q of the K positions.
    """
    queries, keys = maps.shape[1:]
    later = np.triu(np.ones((queries, keys), bool), keys - queries + 1)
    if queries > keys or not later.any() or np.nan_to_num(maps[:, later]).any():
        return maps
    return np.where(later, np.float32(np.nan), maps)


def head_duties(maps: Numbers, among_themselves: bool) -> list[str]:
    """Return the duty of each head: the one position it reads most, or else its entropy.

    Shares and entropies are means over all tokens but the first, of absolute weights, as in the head scores.

    Args:
        maps: (H, Q, K).
        among_themselves: Whether the keys are positions of the same text as the queries.
    """
    weights = np.abs(np.nan_to_num(maps, nan=0.0, posinf=0.0, neginf=0.0))
    total = weights.sum(-1, keepdims=True)
    weights = weights / np.where(total > 0, total, np.float32(1))
    _, queries, keys = maps.shape
    own = np.arange(queries) + keys - queries
    rows = np.flatnonzero(own >= SECOND)
    logs = np.log2(np.where(weights > 0, weights, np.float32(1)))
    spread = -(weights * logs).sum(-1)[:, rows if len(rows) else slice(None)].mean(-1)
    found: Sequence[tuple[str, Numbers]] = ()
    if among_themselves and len(rows) and queries <= keys:
        found = (
            (tr("{share} on the previous token"), weights[:, rows, own[rows] - 1].mean(-1)),
            (tr("{share} on the first token"), weights[:, rows, 0].mean(-1)),
            (tr("{share} on itself"), weights[:, rows, own[rows]].mean(-1)),
        )
    duties = []
    for head, bits in enumerate(spread):
        sentence, share = max(((each, shares[head]) for each, shares in found), key=lambda one: one[1], default=("", 0))
        duty = sentence.format(share=number_text(share, ".2f")) if share >= CLEAR else ""
        duties.append(duty or tr("{bits} bits of entropy", bits=number_text(bits, ".1f")))
    return duties


def _are_shares(maps: Numbers) -> bool:
    known = np.nan_to_num(maps, nan=0.0, posinf=2.0, neginf=-1.0)
    return bool((known >= 0).all() and np.allclose(known.sum(-1), 1, atol=0.02))
