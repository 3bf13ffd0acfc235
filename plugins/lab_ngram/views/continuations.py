"""The view of a value for each symbol after contexts of each order: the symbols with the largest values."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lab.widgets.core.controls import MenuButton, label
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import number_text, tr, tr_n
from lab.widgets.lists.bar_list import Bar, BarList
from lab.widgets.maps.colours import Numbers, figure
from lab.widgets.readings.base import ReadingView
from lab.widgets.tokens.next_tokens import percent

MOST = 50
"""The largest number of listed symbols."""


class ContinuationsView(ReadingView):
    """The symbols with the largest values after a context of the selected length; initially the longest with values."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars = BarList(tr("Symbols, the largest value first"), tokens=True)
        self._none = label("", "dim")
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._none)
        layout.addWidget(self.bars, 1)
        self._choice = MenuButton(tr("Length of the context"), [("", "")], self._on_choice)
        self.add_option(self._choice)
        self._values: Numbers = np.zeros((1, 1), np.float32)
        self._unit = ""

    def show_values(self, values: Numbers, axes: tuple[str, ...], unit: str) -> None:
        """List values by order and symbol."""
        values = values if axes[0] == "order" else values.T
        self._values, self._unit = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0), unit
        first = not self._choice.value
        lengths = [tr_n("after 1 token", "after {n} tokens", n) for n in range(len(values))]
        self._choice.set_choices([(str(n), each) for n, each in enumerate(lengths)])
        if first:
            known = np.flatnonzero(self._values.any(axis=1))
            self._choice.show_value(str(known[-1] if len(known) else 0))
        self._list()

    def choose_as(self, other: ContinuationsView) -> None:
        """Show the length of context that is selected in another view."""
        self._choice.value = other._choice.value  # shown once the choices are offered
        super().choose_as(other)

    def _list(self) -> None:
        row = self._values[int(self._choice.value)]
        order = [symbol for symbol in np.argsort(-row, kind="stable")[:MOST] if row[symbol] > 0]
        total = float(row[row > 0].sum())
        bars = []
        for symbol in order:
            value, name = float(row[symbol]), glyphs(self.symbol(int(symbol)))
            figures = (number_text(value, ",.0f") if value.is_integer() else figure(value), percent(value / total))
            description = tr("{symbol}: {value}, {share} of all", symbol=name, value=figures[0], share=figures[1])
            bars.append(Bar(name, value / float(row[order[0]]), figures, description))
        self.bars.set_bars((tr("symbol"), self._unit or tr("value"), tr("of all")), bars)
        self._none.setText("" if bars else tr("No symbol occurs after a context of this length."))
        self._none.setVisible(not bars)

    def _on_choice(self, _choice: str) -> None:
        self._list()
        self.picked.emit()
