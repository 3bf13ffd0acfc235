"""The view of a mixture of experts: the load of each expert, next to the tokens it takes and its partners."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Self

import numpy as np
from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from lab.api import Reading
from lab.widgets.core.controls import MenuButton
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.theme import INSIDE
from lab.widgets.figures.view import ExportButton
from lab.widgets.maps.colours import Numbers
from lab.widgets.readings.base import Limited, ReadingView, Training, WrappedText
from lab.widgets.readings.maps import GeneralView
from lab_moe import GATES, ROUTING
from lab_moe.statistics import likeliest, load
from lab_moe.views.favourites import FavouritesPart
from lab_moe.views.load_bars import LoadBars
from lab_moe.views.parts import ClassesPart, Part, Routed, TextPart, TogetherPart, TrainingPart

DROPPED = "auxiliary dropped"
"""The series of the share of assignments dropped by a capacity in training; prefix of the series of each block."""
SIDE_BY_SIDE = 430
"""Least width at which the load and another part stand side by side."""
STACKED = 440
"""Least height at which they are stacked, if the width is too small."""
TALL = 330
"""Least height at which the load over the training is shown under the load."""
TEXT = 0.45
"""Share of the height for the text if the classes of its tokens are shown below it."""
HEADS = 170
"""Least height at which the parts have titles."""


class RoutingView(ReadingView):
    """The load of each expert and its figures, next to the text by experts or a map of what they take."""

    switched = Signal(object, int, int)
    """The bar of an expert was clicked: the block and the expert, both from 0, and the number of its experts."""

    shows_training = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: dict[int | None, dict[str, Reading]] = {}  # by layer and name
        self._training = Training()
        self._off: Mapping[int, Collection[int]] = {}
        self._dropped: Mapping[str, float] = {}
        self._fitted: object = None  # the room that the layout was made for
        self._second = MenuButton(tr("Beside the load"), [("text", "")], self._on_choice)
        self.add_option(self._second)
        self.figures = WrappedText()
        self.bars, self.training = LoadBars(), TrainingPart()
        self.bars.clicked.connect(self._on_click)
        self.text, self.classes = TextPart(), ClassesPart()
        self.favourites, self.together = FavouritesPart(), TogetherPart()
        self.classes.edited.connect(self.picked)
        self.router, self.gates = GeneralView(), GeneralView()
        for view in (self.router, self.gates):
            view.picked.connect(self.picked)
        self._load = Part(tr("Load of each expert"), self.bars, [ExportButton(self.bars)])
        self._strip = Part(tr("Load over the training"), self.training, [ExportButton(self.training.map)])
        self._parts = {
            "text": Part(tr("Text coloured by expert"), self.text, [ExportButton(self.router.map)]),
            "router": Part(tr("Router probabilities"), self.router, self.router.options),
            "gates": Part(tr("Gate weights of the experts"), self.gates, self.gates.options),
            "classes": Part(tr("Tokens by class"), self.classes, [ExportButton(self.classes.map)]),
            "favourites": Part(
                tr("Tokens that each expert takes most"), self.favourites, [ExportButton(self.favourites.map)]
            ),
            "together": Part(tr("Experts used together"), self.together, [ExportButton(self.together.map)]),
        }
        self._left, self._right = QVBoxLayout(), QVBoxLayout()
        for name, part in self._parts.items():
            self._right.addWidget(part, 0 if name == "text" else 1)
            part.hide()  # parts that fit are shown with the first readings
        self._strip.hide()
        self._left.addWidget(self._load, 3)
        self._left.addWidget(self._strip, 2)  # the tab key always comes to it next
        self._halves = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._halves.setSpacing(INSIDE)
        for half, share in ((self._left, 2), (self._right, 3)):
            half.setSpacing(4)
            self._halves.addLayout(half, share)
        rows = QVBoxLayout(self.body)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        rows.addWidget(self.figures)
        rows.addLayout(self._halves, 1)
        self.resize(1, 1)  # one part, until it gets a size

    # ------------------------------------------------------------------------------------------------- input

    def set_limits(self, limits: Limited) -> None:
        """Draw the next readings on a scale shared with others."""
        for view in (self.router, self.gates):
            view.set_limits(limits)

    def set_training(self, training: Training) -> None:
        """Set the recorded training, and the shares that were dropped, for the next readings."""
        self._training = training
        dropped = training.values_of(DROPPED)  # by the path of a block ("blocks.0"), or by "" for all
        self._dropped = {name.removeprefix(DROPPED).strip(): share for name, share in dropped.items()}

    def set_off(self, off: Mapping[int, Collection[int]]) -> None:
        """Mark the experts of each block that are switched off, and let the user switch others."""
        self._off, self.bars.switches = off, True
        self._mark()

    def show_readings(self, readings: list[Reading], labels: tuple[str, ...]) -> None:
        """Show other readings of routing.

        Args:
            readings: The readings named ROUTING and GATES.
            labels: The labels of the tokens that were read, as the tokenizer shows them.
        """
        self._found = {}
        for reading in readings:
            self._found.setdefault(reading.layer, {})[reading.name] = reading
        self.labels = labels
        self._show()

    def choose_as(self, other: Self) -> None:
        """Show the block and the part selected in another view, and count the same keywords."""
        self._wanted, self._second.value = other._wanted, other._second.value
        self._row.value = other._row.value
        self.classes.set_keywords(other.classes.keywords)
        for mine, theirs in ((self.router, other.router), (self.gates, other.gates)):
            with QSignalBlocker(mine):
                mine.choose_as(theirs)
        self._show()

    # ------------------------------------------------------------------------------------------------- output

    def layers(self) -> list[int | None]:
        """Return the layers that have a router."""
        routed = (layer for layer, found in self._found.items() if ROUTING in found)
        return sorted(routed, key=lambda layer: -1 if layer is None else layer)

    @property
    def shown(self) -> Reading | None:
        """The shown probabilities of the router."""
        return self._found[self._layer][ROUTING] if self.layers() else None

    @property
    def _layer(self) -> int | None:
        """The shown layer."""
        layers = self.layers()
        return self._wanted if self._wanted in layers or not layers else layers[0]

    def numbers_of(self, reading: Reading) -> tuple[list[str], Numbers] | None:
        """Return None: the view shows the load over the training in a part of its own."""
        del reading
        return None

    def show_values(self, values: Numbers, axes: tuple[str, ...], unit: str) -> None:
        """Draw the probabilities of a router and the statistics derived from them."""
        del unit
        here = self._found[self._layer]
        p = _upright(values, axes)
        g = likeliest(p) if GATES not in here else self._table(here[GATES])
        routed = Routed(p, g if g.shape == p.shape else likeliest(p), self.labels, self.where)
        loads = [
            (name, one)
            for name, found in self._training.snapshots
            if (one := self._load_of(found, len(routed.load))) is not None
        ]
        most = max((float(np.nan_to_num(one).max()) for _, one in loads), default=0.0)
        self.figures.set_full_text(" · ".join([routed.figures(), *self._drops(here[ROUTING])]))
        self.bars.caption = self.where
        self.bars.set_load(routed.load, max(most, float(np.nan_to_num(routed.load).max())))
        self._mark()
        self._offer(len(loads))
        if not self._strip.isHidden():
            self.training.show_loads(loads, self.where)
        for name, part in self._parts.items():
            if not part.isHidden():
                self._fill(name, part.content, routed, here)

    def _drops(self, reading: Reading) -> list[str]:
        paths = [path for path in self._dropped if reading.path.startswith(f"{path}.")] or [""]
        share = self._dropped.get(paths[0])
        return [] if share is None else [tr("{share} % dropped in training", share=number_text(100 * share, ".1f"))]

    def _mark(self) -> None:
        """Mark the experts of the block that are switched off."""
        layer = self._layer
        self.bars.set_off(() if layer is None else self._off.get(layer, ()))

    def _fill(self, name: str, part: QWidget, routed: Routed, here: Mapping[str, Reading]) -> None:
        if isinstance(part, TextPart | ClassesPart | FavouritesPart | TogetherPart):
            part.show_routed(routed)
        if name in ("text", "router", "gates"):  # the text is exported as its map
            view, reading = (self.gates, here[GATES]) if name == "gates" else (self.router, here[ROUTING])
            table = replace(reading, axes=("token", "expert"), values=self._table(reading))
            view.show_readings([table], self.labels)

    @property
    def _room(self) -> tuple[bool, bool, bool, bool]:
        """True, in order, if there is room for parts side by side, for stacked parts, for the training, for titles."""
        width, height = self.width(), self.height()
        return width >= SIDE_BY_SIDE, height >= STACKED, height >= TALL, height >= HEADS

    def _offer(self, snapshots: int) -> None:
        """Offer the parts that can stand next to the load, and show those that fit."""
        self._fitted = self._room
        wide, high, tall, titled = self._fitted
        roomy = wide or high
        strip = snapshots > 1 and roomy and tall
        labels = {
            "load": tr("load"),
            "text": tr("text"),
            "router": tr("router"),
            "gates": tr("gate weights"),
            "classes": tr("token classes"),
            "favourites": tr("favourite tokens"),
            "together": tr("experts together"),
            "training": tr("during training"),
        }
        left_out = {"load"} if roomy else set()
        left_out |= {"training"} if snapshots < 2 or strip else set()
        left_out |= set() if GATES in self._found[self._layer] else {"gates"}
        self._second.set_choices([one for one in labels.items() if one[0] not in left_out])
        name = self._second.value
        self._load.setVisible(roomy or name == "load")
        self._move_strip(self._right if name == "training" else self._left)
        self._strip.setVisible(strip or name == "training")
        below = {"classes"} if name == "text" and tall and wide else set()  # most texts leave room
        for each, part in self._parts.items():
            part.setVisible(each == name or each in below)
        self.text.set_most(int(TEXT * self.height()) if below else 0)
        direction = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        self._halves.setDirection(direction)
        for part in (self._load, self._strip, *self._parts.values()):
            part.head.setVisible(titled)

    def _move_strip(self, half: QVBoxLayout) -> None:
        """Put the load over the training under the load, or next to it if it was selected."""
        if half.indexOf(self._strip) < 0:
            for one in (self._left, self._right):
                one.removeWidget(self._strip)
            half.addWidget(self._strip, 2)

    def _load_of(self, readings: Sequence[Reading], experts: int) -> Numbers | None:
        """Return the load of the shown router in another snapshot."""
        now = self.shown
        found = {
            one.name: one
            for one in readings
            if one.name in (ROUTING, GATES)
            and set(one.axes) - {"batch"} == {"token", "expert"}
            and now is not None
            and one.layer == now.layer
        }
        if ROUTING not in found or np.shape(found[ROUTING].values)[found[ROUTING].axes.index("expert")] != experts:
            return None
        return load(self._table(found[GATES]) if GATES in found else likeliest(self._table(found[ROUTING])))

    def _table(self, reading: Reading) -> Numbers:
        """Return the values (T, E) of the shown row of the batch."""
        values, axes = np.asarray(reading.values).astype(np.float32), tuple(reading.axes)
        if axes[0] == "batch":
            values, axes = values[min(int(self._row.value), len(values) - 1)], axes[1:]
        return _upright(values, axes)

    def _on_choice(self, _part: str) -> None:
        self._show()
        self.picked.emit()

    def _on_click(self, expert: int) -> None:
        self.switched.emit(self._layer, expert, self.bars.count)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the parts that fit."""
        super().resizeEvent(event)
        if self._room != self._fitted:
            self._show()


def _upright(values: Numbers, axes: tuple[str, ...]) -> Numbers:
    """Return the values as (T, E)."""
    return values if axes[0] == "token" else values.T
