"""The card of one quantity of the training: gradient norm, accuracy, learning rate, speed and others."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QSignalBlocker

from lab.base.charts.averages import SMOOTHING, Values, smoothing
from lab.runs.metrics.clocks import Unit
from lab.runs.metrics.gauges import is_gauged
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.scales import (
    CLIPPED_NORM,
    CLIPPED_STEPS,
    NORM,
    axis_kind,
    axis_name,
    has_axis,
    run_colour,
    run_dashes,
)
from lab.shell.train.run_card import ChartCard
from lab.widgets.charts.chart import Floor, Line
from lab.widgets.charts.crosshair import Crosshair
from lab.widgets.charts.lines import Style
from lab.widgets.core.controls import Button, MenuButton
from lab.widgets.core.drawing import Drawing
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.theme import mixed, themes
from lab.widgets.figures.view import ExportButton

RATE, SPEED = "learning rate", "tokens per second"
BY_LAYER = " by layer"
LAYERS = NORM + BY_LAYER
GAP = "generalisation gap"
"""The validation loss less the training loss, which is no series of its own."""
ACCURACY = "validation accuracy"
SHARES = ("accuracy", "faultless", CLIPPED_STEPS)
"""Quantities that are shown in percent."""
LAST_STEPS = 100
"""Number of the latest steps for which the share of clipped ones is shown."""
HIDDEN = ("train loss", "validation loss", "tokens", "seconds", "epochs", SPEED, CLIPPED_NORM)
"""Series that other cards show."""
AVERAGED = "averaged validation loss"
"""The series of the validation loss of the averaged weights."""
RAW_OF = 3
"""Most shown runs for which the unsmoothed line is drawn too."""


def name_of(quantity: str) -> str:
    """Return the label of a quantity; quantities of objectives and plugins are labelled with their names."""
    names = {
        NORM: tr("gradient norm"),
        RATE: tr("learning rate"),
        SPEED: tr("tokens/s"),
        GAP: tr("gap: validation − training loss"),
        CLIPPED_STEPS: tr("clipped steps"),
        "momentum": tr("momentum"),
        "processor": tr("processor (cores in use)"),
        "memory": tr("memory (bytes)"),
        "accelerator memory": tr("accelerator memory (bytes)"),
        "temperature": tr("temperature (°C)"),
        "power": tr("power (W)"),
        "loss scale": tr("loss scale"),
        AVERAGED: tr("averaged validation loss"),
        "train faultless": tr("faultless training examples"),
        "validation faultless": tr("faultless validation examples"),
    }
    if quantity.endswith(BY_LAYER):
        return tr("{what} by layer", what=name_of(quantity.removesuffix(BY_LAYER)))
    return names.get(quantity, quantity)


def quantity_of(name: str, series: Collection[str]) -> str:
    """Return the quantity of a series; series of layers ("gradient norm blocks.0") share one quantity "… by layer"."""
    if name.startswith(f"{NORM} "):
        return LAYERS
    base, _, layer = name.rpartition(" ")
    by_layer = base.startswith("auxiliary ") and base in series and layer.split(".")[-1].isdigit()
    return f"{base}{BY_LAYER}" if by_layer else name


def is_share(quantity: str) -> bool:
    """Return True if a quantity is shown in percent."""
    return quantity.endswith(SHARES)


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


class SeriesCard(ChartCard):
    """The card with a chart of one quantity, selected in its menu.

    Until the user selects a quantity, the card of the gradient norm shows the accuracy of runs that train on examples.

    Args:
        registry: The runs.
        drawing: Schedules the drawing.
        crosshair: The crosshair, shared with the other charts of the place.
        quantity: The initial quantity.
    """

    def __init__(self, registry: RunRegistry, drawing: Drawing, crosshair: Crosshair, quantity: str) -> None:
        super().__init__(_capitalized(name_of(quantity)), registry, drawing, crosshair)
        self.quantity = quantity
        self._follows = quantity == NORM  # show the most informative quantity of the selected run
        self._offered: list[str] = []
        self._offered_for: tuple[tuple[str, ...], str] | None = None  # the series and the quantity of what is offered
        self._percent: dict[str, tuple[Values, Values]] = {}  # by line: shares, and the same in percent
        self._menu = MenuButton(tr("quantity"), [(quantity, name_of(quantity))], self._take, face=tr("quantity"))
        self._log = Button(tr("log y"), hint=tr("Logarithmic y axis"))
        self._log.setCheckable(True)
        self._log.toggled.connect(self._axes)
        self.add_control(self._menu)
        self.add_control(self._log)
        self.add_control(ExportButton(self.chart))
        self.set_content(self.chart, margin=0)
        self._show(quantity)
        self.draw()

    def state_dict(self) -> dict[str, Any]:
        """Return the quantity that the user selected, and the scale."""
        return {"quantity": "" if self._follows else self.quantity, "log": self._log.isChecked()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned."""
        quantity, log = state.get("quantity"), state.get("log")
        if isinstance(quantity, str) and quantity:
            self._take(quantity)
        if isinstance(log, bool):
            self._log.setChecked(log)

    def show_by(self, by: Unit) -> None:
        """Use another x axis."""
        if by != self.by:
            self.by = by
            self._axes()

    def _take(self, quantity: str) -> None:
        self._follows = False
        self._show(quantity)

    def _show(self, quantity: str) -> None:
        self.quantity = quantity
        with QSignalBlocker(self._log):
            self._log.setChecked(quantity in (NORM, LAYERS))  # the values of the first steps are much larger
        self._log.setVisible(not is_share(quantity))
        self._axes()

    def _follow(self) -> None:
        """Show the most informative quantity of the selected run, unless the user selected one."""
        run = self._registry.selected
        if not self._follows or run is None:
            return
        is_expected = (run.works or run.elsewhere) and run.recipe.training.evaluate_every > 0
        has_accuracy = run.on_examples and (is_expected or ACCURACY in run.curves.names())
        best = ACCURACY if has_accuracy else NORM
        if best != self.quantity:
            self._show(best)

    def _axes(self) -> None:
        name, share = name_of(self.quantity), is_share(self.quantity)
        axis = tr("{what} (%)", what=name) if share else name
        self.chart.set_axes(axis_name(self.by), axis, y_log=self._log.isChecked(), x_kind=axis_kind(self.by))
        self.chart.include_values(*((0, 100) if share else ()))
        self.change_at_once()

    def _offer(self, runs: list[RunModel]) -> None:
        names = tuple(dict.fromkeys(name for run in runs for name in run.curves.names()))
        if (names, self.quantity) == self._offered_for:
            return
        self._offered_for = (names, self.quantity)
        series = [name for name in names if name not in HIDDEN and not is_gauged(name)]
        found = list(dict.fromkeys(quantity_of(name, series) for name in series))
        first = [name for name in (NORM, LAYERS, RATE) if name in found] + [SPEED]
        first += [GAP] if {"train loss", "validation loss"} <= set(names) else []
        offered = [*first, *(name for name in found if name not in first)]
        if self.quantity not in offered:
            offered.insert(0, self.quantity)
        if offered != self._offered:
            self._offered = offered
            self._menu.set_choices([(name, name_of(name)) for name in offered])
        if self._menu.value != self.quantity:
            self._menu.show_value(self.quantity)

    def draw(self) -> None:
        """Draw the quantity of all shown runs."""
        runs = self._registry.shown
        self._follow()
        self._offer(runs)
        self.set_title(_capitalized(name_of(self.quantity)), *self._clipped_note(self._registry.selected))
        lines = [line for run in runs for line in self._lines(run, len(runs))]
        if not any(len(line.x) for line in lines):
            reading = [run for run in runs if self._registry.is_reading(run)]
            if reading:
                self.show_reading(reading[-1])
            elif any(run.works for run in runs) or not runs:
                what = _capitalized(name_of(self.quantity))
                self.show_empty(tr("{what} of the shown runs, step by step.", what=what))
            else:
                self.show_empty(tr("This run has no {what}.", what=name_of(self.quantity)))
            return
        self.show_content()
        run = self._registry.selected
        clip = 0.0 if run is None else run.changed.get("training.clip", run.recipe.training.clip)
        self.chart.set_floors([Floor(tr("limit"), clip)] if clip and self.quantity == NORM else [])
        self.chart.set_lines(lines)
        self.chart.caption = runs[0].name if len(runs) == 1 else ""
        self.chart.draw()

    def _clipped_note(self, run: RunModel | None) -> tuple[str, str]:
        """Return the share of clipped steps among the selected run's last ones, and a sentence about it."""
        clipped = run.curves.values(CLIPPED_STEPS)[-LAST_STEPS:] if run is not None else ()
        if self.quantity not in (NORM, CLIPPED_STEPS) or not len(clipped):
            return "", ""
        share = number_text(float(100 * np.mean(clipped)), ".0f")
        hint = tr("{share} % of the last {n} steps were clipped: their gradient was longer than the bound",
                  share=share, n=len(clipped))  # fmt: skip
        return tr("{share} % clipped", share=share), hint

    def _lines(self, run: RunModel, count: int) -> list[Line]:
        colour, curves, name = run_colour(run), run.curves, "" if count == 1 else run.name
        dashes, description = run_dashes(run), f"{run.name} · {name_of(self.quantity)}"
        if not has_axis(run, self.by):
            return []
        if self.quantity == SPEED:
            x, y = curves.speed(self.by)
            return [Line(f"{run.key}/speed", name, colour, x, y, "thin", dashes, description)]
        if self.quantity == GAP:
            x, y = curves.gap(self.by)
            return [Line(f"{run.key}/gap", name, colour, x, y, "main", dashes, description)]
        if self.quantity.endswith(BY_LAYER):
            return self._by_layer(run) if run is self._registry.selected or count == 1 else []
        if self.quantity not in curves.names():
            return []
        x, y = curves.x(self.quantity, self.by), curves.values(self.quantity)
        if self.quantity == CLIPPED_STEPS:
            share = smoothing(CLIPPED_STEPS)
            y = curves.smoothed(CLIPPED_STEPS, share)
            description = tr("{what}, smoothed by {share}", what=description, share=share)
        if is_share(self.quantity):
            return [self._share(run, x, y, name, description)]
        if self.quantity != NORM:
            return [Line(f"{run.key}/value", name, colour, x, y, "thin", dashes, description)]
        smoothed = tr("{what}, smoothed by {share}", what=description, share=number_text(SMOOTHING, "g"))
        clipped = CLIPPED_NORM in curves.names()
        name = tr("unclipped") if clipped and not name else name
        smooth = Line(f"{run.key}/smooth", name, colour, x, curves.smoothed(NORM, SMOOTHING), "thin", dashes, smoothed)
        if count > RAW_OF:
            return [smooth]
        raw = Line(f"{run.key}/raw", "", colour, x, y, "faint", dashes, description)
        return [raw, self._clipped(run, count), smooth] if clipped else [raw, smooth]

    def _clipped(self, run: RunModel, count: int) -> Line:
        """Return the line of the norm after clipping, in the run's colour mixed with the text colour."""
        colour = mixed(run_colour(run), themes.now.text, 0.5)
        description = tr(
            "{run} · gradient norm after clipping, smoothed by {share}",
            run=run.name,
            share=number_text(SMOOTHING, "g"),
        )
        x, y = run.curves.x(CLIPPED_NORM, self.by), run.curves.smoothed(CLIPPED_NORM, SMOOTHING)
        name = tr("clipped") if count == 1 else ""
        return Line(f"{run.key}/clipped", name, colour, x, y, "thin", run_dashes(run), description)

    def _share(self, run: RunModel, x: Values, y: Values, name: str, description: str) -> Line:
        """Return a line in percent, labelled with its last value; equal values give the same array."""
        key, validated = f"{run.key}/value", self.quantity.startswith("validation ")
        if self.quantity == CLIPPED_STEPS:
            name = name or tr("clipped")
        made = self._percent.get(key)
        if made is None or made[0] is not y:
            made = self._percent[key] = (y, 100 * y)
        name = name or (tr("validation") if validated else tr("train"))
        end_label = f"{number_text(made[1][-1], '.1f')} %" if len(y) else ""
        style: Style = "main" if validated else "thin"
        return Line(key, name, run_colour(run), x, made[1], style, run_dashes(run), description, end_label)

    def _by_layer(self, run: RunModel) -> list[Line]:
        base = f"{self.quantity.removesuffix(BY_LAYER)} "
        series = run.curves.names()
        names = [name for name in series if quantity_of(name, series) == self.quantity]
        lines = []
        for index, name in enumerate(names):
            share = 1 - 0.65 * index / max(1, len(names) - 1)
            colour = mixed(run_colour(run), themes.now.text, share)
            x, y = run.curves.x(name, self.by), run.curves.smoothed(name, SMOOTHING)
            layer, dashes = name.removeprefix(base), run_dashes(run)
            description = tr(
                "{run} · {what}, smoothed by {share}", run=run.name, what=name, share=number_text(SMOOTHING, "g")
            )
            lines.append(Line(f"{run.key}/{name}", layer, colour, x, y, "thin", dashes, description))
        return lines
