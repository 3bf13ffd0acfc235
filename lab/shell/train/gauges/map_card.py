"""The card of one gauge of the selected run as a map of layers and steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from lab.runs.metrics.gauges import GAUGES, Gauge, GaugeMap, gauge_map, gauges_in
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.train.gauges.labels import gauge_hint, gauge_title
from lab.shell.train.run_card import RunCard
from lab.widgets.core.controls import Button, MenuButton
from lab.widgets.core.drawing import Drawing
from lab.widgets.core.i18n import number_text, tr, tr_registered
from lab.widgets.figures.view import ExportButton
from lab.widgets.maps.layout import NameLabel
from lab.widgets.maps.map import MapView

COLUMNS = 512
"""Most steps of a map; of more, every second, third, … is drawn, and always the last one."""


class GaugeCard(RunCard):
    """The card with the map of a gauge, selected in its menu.

    Args:
        registry: The runs.
        drawing: Schedules the drawing.
        gauge: The initial gauge.
    """

    shows_selected_only = True

    def __init__(self, registry: RunRegistry, drawing: Drawing, gauge: Gauge) -> None:
        super().__init__(gauge_title(gauge.name), registry, drawing)
        self.gauge = gauge
        self.view = MapView()
        self._drawn: tuple[str, int, str] | None = None  # run, last step and gauge of the picture
        self._menu = MenuButton(tr("gauge"), [(gauge.name, gauge_title(gauge.name))], self._take)
        self._log = Button(tr("log"), hint=tr("Colours follow the logarithm of the values"))
        self._log.setCheckable(True)
        self._log.setChecked(gauge.log)
        self._log.toggled.connect(self._rescale)
        self.add_control(self._menu)
        self.add_control(self._log)
        self.add_control(ExportButton(self.view))
        self.set_content(self.view)
        self.draw()

    def state_dict(self) -> dict[str, Any]:
        """Return the selected gauge and the scale."""
        return {"gauge": self.gauge.name, "log": self._log.isChecked()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned; other values are left out."""
        found = next((gauge for gauge in GAUGES if gauge.name == state.get("gauge")), None)
        if found is not None:
            self._take(found.name)
        if isinstance(state.get("log"), bool):
            self._log.setChecked(state["log"])

    def _take(self, name: str) -> None:
        self.gauge = next(gauge for gauge in GAUGES if gauge.name == name)
        self._log.setChecked(self.gauge.log)
        self._rescale()

    def _rescale(self) -> None:
        self._drawn = None
        self.change_at_once()

    def _offer(self, run: RunModel | None) -> None:
        offered = gauges_in([] if run is None else run.curves.names())
        offered = offered if self.gauge in offered else [self.gauge, *offered]
        self._menu.set_choices([(gauge.name, gauge_title(gauge.name)) for gauge in offered])
        self._menu.set_hints({gauge.name: gauge_hint(gauge.name) for gauge in offered})
        self._menu.show_value(self.gauge.name)

    def draw(self) -> None:
        """Draw the gauge of the selected run."""
        run = self._registry.selected
        self._offer(run)
        title = gauge_title(self.gauge.name)
        if run is None or (not run.curves.names() and self._registry.is_reading(run)):
            self.set_title(title)
            self.show_empty(tr("The layers of the selected run are measured here while it trains."))
            return
        found = gauge_map(
            self.gauge, run.curves.names(), lambda name: (run.curves.steps(name), run.curves.values(name))
        )
        if not found.values.size or not np.isfinite(found.values).any():
            self.set_title(title, run.name)
            self.show_empty(why_nothing(run))
            return
        self.show_content()
        last = int(found.steps[-1])
        self.set_title(title, run.name, gauge_hint(self.gauge.name))
        if self._drawn == (run.key, last, self.gauge.name):
            return
        self._drawn = (run.key, last, self.gauge.name)
        shown = thinned(found)
        self.view.set_log(self._log.isChecked())
        self.view.set_map(
            np.where(np.isfinite(shown.values), shown.values, np.nan).astype(np.float32),
            tuple(NameLabel(layer) for layer in shown.layers),
            tuple(NameLabel(number_text(int(step))) for step in shown.steps),
            row_name=tr("layer"),
            column_name=tr("step"),
            unit=tr_registered(self.gauge.unit) if self.gauge.unit else "",
        )
        self.view.note_change()


def why_nothing(run: RunModel) -> str:
    """Return why a run has no value of a gauge."""
    if run.counts:
        return tr("This model counts; it has no layers that are trained.")
    if not run.recipe.readings.gauges_every:
        return tr("This run measures no layers: its setting Gauges every is 0.")
    if run.works:
        return tr("The layers of the selected run are measured here while it trains.")
    return tr("This run has no values of this gauge.")


def thinned(found: GaugeMap) -> GaugeMap:
    """Return a map with at most COLUMNS of its steps, the last one among them."""
    count = len(found.steps)
    if count <= COLUMNS:
        return found
    every = -(-count // COLUMNS)
    some = np.arange(count - 1, -1, -every)[::-1]
    return GaugeMap(found.gauge, found.layers, found.steps[some], found.values[:, some])
