"""The card of the distributions inside the selected run: of one layer over time, or of all layers at one step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.runs.histograms import KINDS, Histogram, Histograms, add_histograms
from lab.shell.runtime.background import Background
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.train.gauges.labels import kind_title
from lab.shell.train.gauges.map_card import why_nothing
from lab.shell.train.run_card import RunCard
from lab.widgets.core.controls import MenuButton
from lab.widgets.core.drawing import Drawing
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.figures.view import ExportButton
from lab.widgets.maps.ridges import Ridge, Ridges

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.base.problems import Problem

MOST = 24
"""Most ridges over time; of more steps, evenly spaced ones are drawn."""
ALL = ""
"""The choice of all layers at one step."""


class RidgesCard(RunCard):
    """The card with ridges.

    Args:
        registry: The runs.
        drawing: Schedules the drawing.
        background: Reads the histograms in threads.
    """

    shows_selected_only = True

    def __init__(self, registry: RunRegistry, drawing: Drawing, background: Background) -> None:
        super().__init__(tr("Distributions"), registry, drawing)
        self._background = background
        self._kind, self._layer, self._step = KINDS[0], ALL, 0
        self._known: Histograms = {}
        self._read: tuple[str, int] = ("", 0)  # run and offset
        self._is_reading = self._is_stale = False
        self.view = Ridges()
        self._kinds = MenuButton(tr("numbers"), [(kind, kind_title(kind)) for kind in KINDS], self._take_kind)
        self._layers = MenuButton(tr("layer"), [(ALL, tr("all layers"))], self._take_layer)
        self._steps = MenuButton(tr("step"), [("0", tr("last step"))], self._take_step)
        for control in (self._kinds, self._layers, self._steps):
            self.add_control(control)
        self.add_control(ExportButton(self.view))
        self.set_content(self.view)
        self.draw()

    def state_dict(self) -> dict[str, Any]:
        """Return what is shown."""
        return {"kind": self._kind, "layer": self._layer}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned; other values are left out."""
        if state.get("kind") in KINDS:
            self._kinds.show_value(str(state["kind"]))
            self._take_kind(str(state["kind"]))
        if isinstance(state.get("layer"), str):
            self._take_layer(state["layer"])

    def _take_kind(self, kind: str) -> None:
        self._kind = kind
        self.change_at_once()

    def _take_layer(self, layer: str) -> None:
        self._layer = layer
        self.change_at_once()

    def _take_step(self, step: str) -> None:
        self._step = int(step)
        self.change_at_once()

    def draw(self) -> None:
        """Draw the distributions that were read, and read those that were added since."""
        run = self._registry.selected
        path = None if run is None else run.path
        if run is None or path is None:
            self.set_title(tr("Distributions"))
            self.show_empty(tr("Distributions inside the selected run are drawn here while it trains."))
            return
        if self._read[0] != run.key:
            self._known, self._read, self._is_reading = {}, (run.key, 0), False
        self._request(run.key, path)
        self._show(run)

    def _request(self, key: str, path: Path) -> None:
        self._is_stale = self._is_reading  # what was added since is read afterwards
        if self._is_reading:
            return
        self._is_reading = True
        work = partial(_read, path, self._read[1])
        self._background.run(
            tr("Reading distributions"), work, partial(self._take_read, key), partial(self._skip, key),
            replaces="distributions",
        )  # fmt: skip

    def _take_read(self, key: str, found: tuple[Histograms, int]) -> None:
        self._is_reading = False
        known, end = found
        if key != self._read[0]:
            return
        if self._is_stale:
            self.changed()
        if end == self._read[1]:
            return
        self._read = (key, end)
        for kind, layers in known.items():
            for layer, histograms in layers.items():
                self._known.setdefault(kind, {}).setdefault(layer, []).extend(histograms)
        run = self._registry.selected
        if run is not None and run.key == key:
            self._show(run)

    def _skip(self, key: str, problem: Problem) -> None:
        self._is_reading = False
        if key == self._read[0]:
            self.show_broken(problem)

    def _show(self, run: RunModel) -> None:
        layers = self._known.get(self._kind, {})
        steps = sorted({one.step for histograms in layers.values() for one in histograms})
        self._offer(list(layers), steps)
        what = kind_title(self._kind)
        if not steps:
            self.set_title(tr("Distributions"), run.name)
            self.show_empty(why_nothing(run))
            return
        self.show_content()
        over_time = self._layer in layers
        step = self._step if self._step in steps else steps[-1]
        where = self._layer if over_time else tr("step {step}", step=number_text(step))
        self.set_title(tr("Distributions"), f"{run.name} · {where}")
        if over_time:
            ridges = [_ridge(number_text(one.step), one) for one in spaced(layers[self._layer], MOST)]
        else:
            at = {layer: _at(histograms, step) for layer, histograms in layers.items()}
            ridges = [_ridge(layer, found) for layer, found in at.items() if found is not None]
        self.view.set_ridges(ridges, name=what, row_name=tr("step") if over_time else tr("layer"))

    def _offer(self, layers: Sequence[str], steps: Sequence[int]) -> None:
        self._layers.set_choices([(ALL, tr("all layers")), *((layer, layer) for layer in layers)])
        if self._layer in layers:
            self._layers.show_value(self._layer)
        some = [*reversed(spaced(steps, 40))]
        self._steps.set_choices([("0", tr("last step")), *((str(step), number_text(step)) for step in some)])
        self._steps.setVisible(self._layer not in layers)


def spaced(items: Sequence[Any], most: int) -> list[Any]:
    """Return at most so many of some items, evenly spaced, the first and the last one among them."""
    if len(items) <= most:
        return list(items)
    return [items[round(index * (len(items) - 1) / (most - 1))] for index in range(most)]


def _at(histograms: Sequence[Histogram], step: int) -> Histogram | None:
    return next((one for one in histograms if one.step == step), None)


def _ridge(label: str, found: Histogram) -> Ridge:
    return Ridge(label, found.bound, found.counts)


def _read(path: Path, start: int, job: Job) -> tuple[Histograms, int]:
    """Read the histograms after an offset; in a thread."""
    del job
    known: Histograms = {}
    return known, add_histograms(known, path, start)
