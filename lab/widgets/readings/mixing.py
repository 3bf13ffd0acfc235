"""The view of token mixing in any architecture: exact maps of each layer, and influences on the predictions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Self

import numpy as np
from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lab.api import Reading
from lab.widgets.core.controls import Button, MenuButton
from lab.widgets.core.i18n import tr
from lab.widgets.readings.base import Limited, ReadingView
from lab.widgets.readings.heads import HeadsView

MIXING_AXES = ("query", "key", "map")
"""The key of the card of these maps; the key of other cards is the axes of their reading."""
MAPS = ("mixing", "influence", "rollout")
"""The readings of the card; the first one is the default."""
BETWEEN = {"query", "key"}
"""The axes that each of them has."""


def readings_of_mixing(readings: Sequence[Reading]) -> list[Reading]:
    """Return the maps that one card shows together: those with one map for each layer."""
    found = [one for one in readings if one.name in MAPS and _is_map(one)]
    keys = [(one.name, one.layer) for one in found]
    return [one for one, key in zip(found, keys, strict=True) if keys.count(key) == 1]


def _is_map(reading: Reading) -> bool:
    return set(reading.axes) >= BETWEEN and set(reading.axes) <= BETWEEN | {"batch", "head"}


class MixingView(ReadingView):
    """A view of one map at a time: of one layer, or of the influence of each token on each prediction of the model."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: dict[str, list[Reading]] = {}
        self._selected_map = ""  # the map that the user selected; it may be missing temporarily
        self._comparison: tuple[list[str], tuple[str, ...]] = [], ()  # maps and tokens of the compared view
        self._map = MenuButton(tr("Map"), [("", "")], self.show_map, steady=True)
        self.add_option(self._map)
        self._rows = Button(tr("row by row"), hint=tr("Shares of each row, to compare two models"))
        self._rows.setCheckable(True)
        self._rows.setChecked(True)
        self._rows.toggled.connect(self._divide)
        self.add_option(self._rows)
        self.heads = HeadsView()
        self.heads.picked.connect(self.picked)
        self.heads.layer_picked.connect(self.layer_picked)
        self.heads.head_picked.connect(self.head_picked)
        for option in self.heads.options:
            self.add_option(option)
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.heads)

    def set_limits(self, limits: Limited) -> None:
        """Draw the next readings on one scale with others; shares of rows need none."""
        super().set_limits(limits)
        self.heads.set_limits({} if self._is_by_row else limits)

    def show_readings(self, readings: list[Reading], labels: tuple[str, ...]) -> None:
        """Show other readings.

        Args:
            readings: Readings from `readings_of_mixing`.
            labels: The tokenizer's labels of the tokens that were read.
        """
        self._found = {name: found for name in MAPS if (found := [one for one in readings if one.name == name])}
        self.labels = labels
        self._show()

    def set_comparison(self, readings: Sequence[Reading], labels: tuple[str, ...]) -> None:
        """Prefer a map that the compared view has, too, for the first tokens that both have read."""
        comparison = [name for name in MAPS if any(one.name == name for one in readings)], labels
        if comparison != self._comparison:
            self._comparison = comparison
            if self._found:
                self._show()

    def set_layer(self, layer: int | None) -> None:
        """Show the map of a layer, or the first map if the layer has none."""
        self.heads.set_layer(layer)

    def set_head(self, head: int) -> None:
        """Show a head of the map."""
        super().set_head(head)
        self.heads.set_head(head)

    def has_map(self, name: str) -> bool:
        """Return True if there is a map of this name."""
        return name in self._found

    def show_map(self, name: str) -> None:
        """Show the map with this name whenever there is one."""
        self._selected_map = name
        self._show()
        self.picked.emit()

    def choose_as(self, other: Self) -> None:
        """Show the map, the head and the token that are selected in another view."""
        self._selected_map = other._selected_map
        with QSignalBlocker(self._rows):
            self._rows.setChecked(other._rows.isChecked())
        with QSignalBlocker(self.heads):
            self.heads.choose_as(other.heads)
        self._show()

    def layers(self) -> list[int | None]:
        """Return the layers that have a map of any name."""
        layers = {one.layer for found in self._found.values() for one in found}
        return sorted(layers, key=lambda layer: -1 if layer is None else layer)

    def numbers_of(self, reading: Reading) -> None:
        """Return None: maps have no curves."""

    @property
    def shown(self) -> Reading | None:
        """The shown map."""
        return self.heads.shown

    @property
    def _offered(self) -> list[str]:
        """The maps that can be selected, including those that only the compared view has."""
        return [name for name in MAPS if name in self._found or name in self._comparison[0]]

    @property
    def _name(self) -> str:
        """The name of the shown map: the selected one, else the first that both views have, else the first one."""
        if self._selected_map in (self._offered if self._comparison[0] else self._found):
            return self._selected_map
        both = [name for name in self._comparison[0] if name in self._found]
        return next(iter(both or self._found), "")

    @property
    def _is_by_row(self) -> bool:
        """True if rows are divided by their sums; exact weights never are."""
        return self._rows.isChecked() and self._name != "mixing"

    def _show(self) -> None:
        if not self._found:
            self._show_message(tr("Nothing was reported yet."))
            return
        name = self._name
        self._map.set_choices([(each, _called(each)) for each in self._offered])
        self._map.show_value(name)
        self._map.setVisible(len(self._offered) > 1)
        self._rows.setVisible(name == "influence")
        if name not in self._found:
            self._show_message(_why_missing(name))
            return
        self._pages.setCurrentWidget(self.body)
        self.heads.symbol = self.symbol
        self.heads.set_limits({} if self._is_by_row else self._limits)
        tokens = self._shared
        shown = [_start_of(one, tokens) for one in self._found[name]]
        self.heads.show_readings([_by_row(one) if self._is_by_row else one for one in shown], self.labels[:tokens])

    @property
    def _shared(self) -> int | None:
        """The number of first tokens that both views have read; None to show all tokens."""
        others = self._comparison[1]
        if not others or any(one != other for one, other in zip(self.labels, others, strict=False)):
            return None
        return min(len(self.labels), len(others))

    def _divide(self, _on: bool) -> None:
        self._show()
        self.picked.emit()


def _called(name: str) -> str:
    named = {"mixing": tr("what a layer reads"), "influence": tr("influence"), "rollout": tr("rollout")}
    return named[name]


def _why_missing(name: str) -> str:
    if name == "mixing":
        return tr("No layer of this model has an exact map: choose influence, which every model has.")
    return tr("“{map}” was not recorded at this step. Select now, or record it in the next run: "
                "--set readings.probes.{name}={{}}", map=_called(name), name=name)  # fmt: skip


def _start_of(reading: Reading, tokens: int | None) -> Reading:
    """Return the map of the first tokens, which in a causal model does not depend on later ones."""
    cut = tuple(slice(tokens if axis in BETWEEN else None) for axis in reading.axes)
    return reading if tokens is None else replace(reading, values=np.asarray(reading.values)[cut])


def _by_row(reading: Reading) -> Reading:
    """Return the map with each row divided by the sum of its absolute values."""
    values = np.asarray(reading.values).astype(np.float32)
    axis = reading.axes.index("key")
    total = np.abs(np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)).sum(axis, keepdims=True)
    return replace(reading, values=values / np.where(total > 0, total, np.float32(1)), units=tr("share of the row"))
