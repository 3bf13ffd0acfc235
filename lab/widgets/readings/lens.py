"""The view of the logit lens: a coloured table of the symbols that each block predicts at each token."""

from __future__ import annotations

from typing import Self

import numpy as np
from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lab.widgets.core.controls import Button, MenuButton
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import quoted, tr, tr_registered
from lab.widgets.core.theme import px, themes
from lab.widgets.figures.view import ExportButton
from lab.widgets.maps.colours import Numbers, figure, levels_within, scale_of
from lab.widgets.maps.map import MapView
from lab.widgets.maps.token_row import TokenStrip
from lab.widgets.readings.axes import axis_name
from lab.widgets.readings.base import Line, ReadingView

CHOICE = "choice"
"""The quantity whose values are symbols."""
ROOM_FOR_TEXT = 240
"""Height in pixels from which the text is shown below the table."""
SIGN, CELLS = 8, (18, 72)
"""Widths in pixels: of a sign, and the smallest and largest width of a cell with symbols."""
SIDES = 170
"""Pixels to the left and right of the cells."""


class LensView(ReadingView):
    """A table of blocks by tokens with the predicted next symbols, coloured by another quantity."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        themes.changed.connect(self._resize_type)
        self.map = MapView()
        self.map.selected.connect(self._follow)
        self.followed = Line()
        self.text = TokenStrip()
        self.text.picked.connect(self._follow_token)
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.map, 1)
        layout.addWidget(self.followed)
        layout.addWidget(self.text)
        self._choice = MenuButton(tr("Colours"), [("0", "1")], self._on_choice)
        self.add_option(self._choice)
        self._root = Button(tr("√ scale"), hint=tr("Colours follow the square root, to show small values"))
        self._root.setCheckable(True)
        self._root.setChecked(True)
        self._root.toggled.connect(self._rescale)
        self.add_option(self._root)
        self.add_option(ExportButton(self.map))
        self._values: Numbers = np.zeros((1, 1, 1), np.float32)
        self._token = self._layer = -1  # the selected ones
        self._first = 0  # the first visible token

    def show_values(self, values: Numbers, axes: tuple[str, ...], unit: str) -> None:
        """Draw (quantity, layer, token), in any order of the axes."""
        del unit
        self._values = values.transpose([axes.index(axis) for axis in ("quantity", "layer", "token")])
        quantities, layers, tokens = self._values.shape
        names = self.labels_of("quantity", quantities)
        choice = tr_registered(CHOICE)
        self._symbols = names.index(choice) if choice in names else -1
        choices = [(str(number), str(name)) for number, name in enumerate(names) if number != self._symbols]
        self._choice.set_choices(choices or [("0", str(names[0]))])
        if self._token < 0:
            self._token, self._layer = tokens - 1, (layers - 1) // 2
        self._token, self._layer = min(self._token, tokens - 1), min(self._layer, layers - 1)
        self.text.set_tokens(self.labels_of("token", tokens))
        self._draw()
        self._arrange()

    def sliced(self, values: Numbers, axes: tuple[str, ...]) -> tuple[Numbers, tuple[str, ...]]:
        """Return the selected quantity of all blocks at the selected token."""
        ordered = values.transpose([axes.index(axis) for axis in ("quantity", "layer", "token")])
        return ordered[int(self._choice.value), :, min(self._token, ordered.shape[2] - 1)], ("layer",)

    def _draw(self) -> None:
        quantities, layers, tokens = self._values.shape
        number = int(self._choice.value)
        texts = [[self._cell_text(layer, token) for token in range(tokens)] for layer in range(layers)]
        count = self._room_for(texts) if self._symbols >= 0 else tokens
        self._first = min(max(self._first, self._token - count + 1), self._token, tokens - count)
        seen = slice(self._first, self._first + count)
        values = self._values[number]
        levels = levels_within(self.limits_at(number))
        scale = scale_of(values, levels=levels, root=self._root.isChecked())
        labels = self.labels_of("token", tokens)
        self.map.set_root(self._root.isChecked())
        self.map.caption = name = self.labels_of("quantity", quantities)[number]
        self.map.set_map(
            values[:, seen], self.labels_of("layer", layers), labels[seen], row_name=axis_name("layer"),
            column_name=self._column_name(count, tokens), unit=name, levels=(scale.low, scale.high),
            signed=scale.signed,
        )  # fmt: skip
        self.map.set_cell_texts([row[seen] for row in texts], all_or_none=self._symbols < 0)
        self.map.select(self._layer, self._token - self._first)
        self._show_followed()

    def _room_for(self, texts: list[list[str]]) -> int:
        """Return the number of tokens that fit with readable symbols."""
        longest = max(len(text) for row in texts for text in row)
        cell = min(max(px(CELLS[0]), px(SIGN) * longest + 4), px(CELLS[1]))
        return max(1, min(len(texts[0]), (self.width() - px(SIDES)) // cell))

    def _column_name(self, count: int, tokens: int) -> str:
        if count == tokens:
            return axis_name("token")
        first, last = self._first + 1, self._first + count
        return tr("token: {first} to {last} of {all}", first=first, last=last, all=tokens)

    def _cell_text(self, layer: int, token: int) -> str:
        """Return the text of a cell."""
        number = max(self._symbols, 0)
        value = float(self._values[number, layer, token])
        if self._symbols < 0:
            return figure(value)
        return glyphs(self.symbol(int(value))) if np.isfinite(value) and value >= 0 else ""

    def _show_followed(self) -> None:
        """Show the prediction of each block at the selected token, and colour the text by the selected block."""
        tokens = self._values.shape[2]
        label = self.labels_of("token", tokens)[self._token]
        layers = self.labels_of("layer", self._values.shape[1])
        number = int(self._choice.value)
        values = self._values[number, :, self._token].tolist()
        found = [
            f"{name} {quoted(self._cell_text(layer, self._token))} ({figure(values[layer])})"
            for layer, name in enumerate(layers)
        ]
        text = tr("“{token}” {number}: {found}", token=label, number=self._token + 1, found=" → ".join(found))
        self.followed.set_full_text(text)
        self.text.set_values(self._values[number, self._layer], self.map.scale, self._token)

    def choose_as(self, other: Self) -> None:
        """Show the quantity, the token and the scale that are selected in another view."""
        self._choice.value = other._choice.value  # shown once the choices are offered
        self._token, self._layer, self._first = other._token, other._layer, other._first
        with QSignalBlocker(self._root):
            self._root.setChecked(other._root.isChecked())
        super().choose_as(other)

    def _follow(self, layer: int, column: int) -> None:
        self._layer, self._token = layer, self._first + column
        self._show_followed()
        self.picked.emit()

    def _follow_token(self, token: int) -> None:
        self._token = token
        self._draw()
        self.picked.emit()

    def _on_choice(self, _choice: str) -> None:
        self._draw()
        self.picked.emit()

    def _rescale(self, _on: bool) -> None:
        self._draw()
        self.picked.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many tokens as fit, and the text if there is space for it."""
        super().resizeEvent(event)
        if self.shown is not None:
            self._draw()
        self._arrange()

    def _resize_type(self) -> None:
        """Arrange everything again for another size of the type."""
        if self.shown is not None:
            self._arrange()

    def _arrange(self) -> None:
        room = self.height() >= px(ROOM_FOR_TEXT)
        self.followed.setVisible(room)
        self.text.setVisible(room and len(self.labels) == self._values.shape[2])
        self.text.setFixedHeight(self.text.height_for(self.width()))
