"""The gauges of a training by layer: their names, units and scales, and their series as maps of layer and step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lab.runs.metrics.clocks import ACCELERATOR_POWER, POWER
from lab.runs.metrics.file import Steps, Values

STEP_PARTS = ("data", "forward", "backward", "optimizer", "gauges", "between steps")
"""The parts of a step whose seconds are recorded, in the order in which they are passed."""

MACHINE = {
    "processor": "cores",
    "memory": "bytes",
    "accelerator memory": "bytes",
    "temperature": "°C",
    POWER: "W",
    ACCELERATOR_POWER: "W",
}
"""The series about the machine, and their units."""


@dataclass(frozen=True)
class Gauge:
    """A quantity that is recorded for each layer: one series "NAME LAYER" for each.

    Args:
        name: Its name.
        unit: Its unit; "" without one.
        log: Whether its values are positive and spread over powers of ten.
    """

    name: str
    unit: str = ""
    log: bool = True

    def series(self, layer: str) -> str:
        """Return the name of the series of a layer."""
        return f"{self.name} {layer}"


GRADIENT_NORM = Gauge("gradient norm")
UPDATE_RATIO = Gauge("update ratio")
WEIGHT_NORM = Gauge("weight norm")
SPECTRAL_NORM = Gauge("spectral norm")
ACTIVATION_MEAN = Gauge("activation mean", log=False)
ACTIVATION_RMS = Gauge("activation RMS")
ACTIVATION_KURTOSIS = Gauge("activation kurtosis")
ACTIVATION_LARGEST = Gauge("activation largest")
DEAD_UNITS = Gauge("dead units", "share", log=False)
SATURATED_UNITS = Gauge("saturated units", "share", log=False)
ATTENTION_ENTROPY = Gauge("attention entropy", "bits", log=False)
RESIDUAL_SHARE = Gauge("residual share", "share", log=False)
UNUSED_EXPERTS = Gauge("unused experts", "share", log=False)
GRADIENT_BY_LAG = Gauge("lag gradient")
"""Its layers are lags, in tokens."""
GAUGES = (
    GRADIENT_NORM,
    UPDATE_RATIO,
    WEIGHT_NORM,
    SPECTRAL_NORM,
    ACTIVATION_MEAN,
    ACTIVATION_RMS,
    ACTIVATION_KURTOSIS,
    ACTIVATION_LARGEST,
    DEAD_UNITS,
    SATURATED_UNITS,
    ATTENTION_ENTROPY,
    RESIDUAL_SHARE,
    UNUSED_EXPERTS,
    GRADIENT_BY_LAG,
)
"""All gauges by layer, in the order in which they are offered."""
_BY_NAME = {gauge.name: gauge for gauge in GAUGES}


def gauge_of(series: str) -> tuple[Gauge, str] | None:
    """Return the gauge and the layer of a series; None if it is no series of a gauge by layer."""
    for name, gauge in _BY_NAME.items():
        if series.startswith(f"{name} "):
            return gauge, series.removeprefix(f"{name} ")
    return None


@lru_cache(maxsize=4096)  # the window asks for all series of a run with each draw
def is_gauged(series: str) -> bool:
    """Return True if a series is one of many that only a map of layers and steps, or of the parts of a step, shows.

    The gradient norm of a layer is a curve of its own, too.
    """
    known = gauge_of(series)
    return is_step_part(series) or (known is not None and known[0] != GRADIENT_NORM)


def is_step_part(series: str) -> bool:
    """Return True if a series holds the seconds that a part of a step takes."""
    return series.endswith(" seconds") and series.removesuffix(" seconds") in STEP_PARTS


@dataclass(frozen=True)
class GaugeMap:
    """The values of a gauge over layers and steps.

    Args:
        gauge: The gauge.
        layers: L names of layers, from the input to the output.
        steps: (S,) steps, increasing.
        values: (L, S); NaN where a layer has no value.
    """

    gauge: Gauge
    layers: tuple[str, ...]
    steps: Steps
    values: NDArray[np.float64]


def gauges_in(names: Iterable[str]) -> list[Gauge]:
    """Return the gauges that have a series among these names, in the order of GAUGES."""
    found = {known[0] for name in names if (known := gauge_of(name)) is not None}
    return [gauge for gauge in GAUGES if gauge in found]


def gauge_map(gauge: Gauge, names: Iterable[str], read: Callable[[str], tuple[Values, Values]]) -> GaugeMap:
    """Return a gauge as a map of layers and steps.

    Args:
        gauge: The gauge.
        names: The names of all series of the run, in the order of their first values.
        read: Returns (N,) steps and (N,) values of a series by its name.
    """
    layers: list[str] = []
    rows: list[tuple[Steps, Values]] = []
    for name in names:
        known = gauge_of(name)
        if known is not None and known[0] == gauge:
            at, values = read(name)
            layers.append(known[1])
            rows.append((np.asarray(at, np.int64), np.asarray(values, np.float64)))
    every = np.unique(np.concatenate([at for at, _ in rows])) if rows else np.zeros(0, np.int64)
    filled = np.full((len(rows), len(every)), np.nan)
    for row, (steps, found) in enumerate(rows):
        filled[row, np.searchsorted(every, steps)] = found
    return GaugeMap(gauge, tuple(layers), every, filled)
