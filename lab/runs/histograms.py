"""The recorded histograms of a run: one line for each recorded step, of each kind and layer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.runs.records import read_new_lines

HISTOGRAMS = "histograms.jsonl"
"""The name of the file in a run's folder."""
KINDS = ("weights", "gradients", "updates", "activations")
"""What is counted, in the order in which it is offered."""
MOST_BINS = 4096


@dataclass(frozen=True)
class Histogram:
    """A histogram with bins of equal width from −bound to bound.

    Args:
        step: The step at which it was recorded.
        bound: The upper end of the last bin; 0 if all numbers were 0.
        counts: (N,) numbers in each bin; the outermost ones also count what lies beyond.
    """

    step: int
    bound: float
    counts: NDArray[np.float64]


Histograms = dict[str, dict[str, list[Histogram]]]
"""Histograms by kind and layer, in the order of their steps."""


def add_histograms(known: Histograms, run: Path, start: int = 0) -> int:
    """Add the histograms that were recorded after an offset; return the offset at which to continue.

    Args:
        known: The histograms so far.
        run: The run's folder.
        start: The bytes of the file that were read before.

    Raises:
        LabError: The file is damaged.
    """
    records, end = read_new_lines(run / HISTOGRAMS, start)
    for record in records:
        step = record.get("step")
        if not isinstance(step, int):
            continue
        for kind in KINDS:
            layers = record.get(kind)
            for layer, stored in layers.items() if isinstance(layers, Mapping) else ():
                found = _histogram(step, stored)
                series = known.setdefault(kind, {}).setdefault(str(layer), [])
                if found is not None and (not series or series[-1].step < step):
                    series.append(found)
    return end


def _histogram(step: int, stored: Any) -> Histogram | None:
    """Return a histogram; None if what is stored is none."""
    if not isinstance(stored, Mapping):
        return None
    bound, counts = stored.get("bound"), stored.get("counts")
    if not (isinstance(bound, int | float) and math.isfinite(bound) and bound >= 0 and isinstance(counts, list)):
        return None
    if not 0 < len(counts) <= MOST_BINS or not all(type(one) is int and 0 <= one < 2**53 for one in counts):
        return None
    return Histogram(step, float(bound), np.array(counts, np.float64))
