"""The probe of predictions: of one row, and of all rows against their targets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lab.api import LanguageModel, ProbedRows, ProbeFunction, Reading, probed_rows

AT_ONCE = 256
"""Rows that a model reads at once."""
RATES = 101
"""Number of false positive rates of a ROC curve."""
BINS = 10
"""Number of bins of a calibration diagram."""
MOST_CLASSES = 32
"""The largest number of classes with a curve each and a matrix of confusion."""

Array = NDArray[np.float64]


def predictions(config: Any) -> ProbeFunction:
    """Return the probe of what a model predicts for a row, and of what it predicts for many against their targets."""
    del config

    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        del tokens  # one of the rows
        rows = probed_rows(model)
        if rows.captions:
            return []
        found = outputs_of(model, rows.inputs)
        return of_classes(rows, found) if rows.classes else of_numbers(rows, found)

    return probe


def outputs_of(model: Any, inputs: Tensor) -> Array:
    """Return what a model gives for rows, (N, K)."""
    with torch.no_grad():
        found = [model(part).double().cpu() for part in torch.split(inputs, AT_ONCE)]
    return torch.cat(found).flatten(1).numpy()


def of_classes(rows: ProbedRows, logits: Array) -> list[Reading]:
    """Return the readings of rows with classes.

    Args:
        rows: The rows.
        logits: (N, K) what the model gives for them.
    """
    targets, names, at = rows.targets.cpu().numpy(), rows.classes, rows.example
    shares = softmax(logits)
    wanted = (np.arange(len(names)) == targets[at]).astype(np.float64)
    quantities: dict[str, Array] = {"logit": logits[at], "probability": shares[at], "target": wanted}
    if not rows.gives_probabilities:
        quantities = {"score": logits[at], "target": wanted}
    readings = [_named("prediction", quantities, "class", names)]
    known = targets >= 0
    targets, logits, shares = targets[known], logits[known], shares[known]
    if not len(targets) or len(names) > MOST_CLASSES:
        return readings
    scores = shares if rows.gives_probabilities else logits
    of_class = {"class": names}
    readings += [
        Reading("confusion", ("class", "predicted"), confusion(targets, logits.argmax(axis=1), len(names)),
                units="rows", coordinates={**of_class, "predicted": names}),
        *_roc_readings(targets, scores, names),
    ]  # fmt: skip
    if rows.gives_probabilities:
        readings += calibration_readings(targets, shares)
    return readings


def of_numbers(rows: ProbedRows, found: Array) -> list[Reading]:
    """Return the readings of rows with numbers to predict.

    Args:
        rows: The rows.
        found: (N, K) what the model gives for them; of probabilities their logits.
    """
    targets, at = rows.targets.cpu().numpy().astype(np.float64), rows.example
    if rows.gives_probabilities:
        found = 1 / (1 + np.exp(-found))
    quantities = {"prediction": found[at], "target": targets[at], "residual": targets[at] - found[at]}
    readings = [_named("prediction", quantities, "class", rows.outputs)]
    for number, name in enumerate(rows.outputs[:MOST_CLASSES]):
        wanted, given = targets[:, number], found[:, number]
        plane = rows.inputs.ndim == 2 and rows.inputs.shape[1] == 1
        across = rows.inputs[:, 0].cpu().numpy().astype(np.float64) if plane else wanted
        known = np.flatnonzero(np.isfinite(wanted))
        order = known[np.argsort(across[known], kind="stable")]
        feature = (rows.features[:1] or ("input",))[0] if plane else "target"
        values = {feature: across, "measured": wanted, "prediction": given, "residual": wanted - given}
        several = f" {name}" if len(rows.outputs) > 1 else ""
        named = tuple(values)
        stacked = np.stack([one[order] for one in values.values()])
        readings.append(Reading(f"fit{several}", ("quantity", "example"), stacked, coordinates={"quantity": named}))
    return readings


def softmax(logits: Array) -> Array:
    """Return the probabilities of rows of logits."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Array = powers / powers.sum(axis=1, keepdims=True)
    return shares


def confusion(targets: NDArray[Any], found: NDArray[Any], classes: int) -> NDArray[np.int64]:
    """Return how often each class (row) was taken for each (column), (K, K)."""
    counts = np.bincount(targets * classes + found, minlength=classes * classes)
    return counts.reshape(classes, classes).astype(np.int64)


def roc(positive: NDArray[np.bool_], scores: Array) -> tuple[Array, Array]:
    """Return the curve of the receiver operating characteristic: false and true positive rates from (0, 0) to (1, 1).

    Rows of one score are told apart by no threshold, so that they are one step of the curve (Fawcett 2006).

    Args:
        positive: (N,) which rows are of the class; both kinds must occur.
        scores: (N,) how much speaks for it.
    """
    order = np.argsort(-scores, kind="stable")
    hits, scores = positive[order], scores[order]
    last = np.append(np.flatnonzero(np.diff(scores)), len(scores) - 1)
    true, false = np.cumsum(hits)[last], np.cumsum(~hits)[last]
    return np.append(0.0, false / false[-1]), np.append(0.0, true / true[-1])


def area(false: Array, true: Array) -> float:
    """Return the area under a curve of `roc`."""
    return float(np.trapezoid(true, false))


def _roc_readings(targets: NDArray[Any], scores: Array, names: Sequence[str]) -> list[Reading]:
    grid = np.linspace(0, 1, RATES)
    curves: dict[str, Array] = {}
    areas = np.full(len(names), np.nan)
    for number, name in enumerate(names):
        positive = targets == number
        if positive.all() or not positive.any():
            continue  # there is nothing to tell it from
        false, true = roc(positive, scores[:, number] - np.delete(scores, number, axis=1).max(axis=1, initial=-np.inf)
                          if len(names) > 1 else scores[:, number])  # fmt: skip
        areas[number] = area(false, true)
        curves[name] = np.array([true[false <= rate].max() for rate in grid])
    if not curves:
        return []
    curves["bound"] = grid  # that of chance
    rates = tuple(map(float, grid))
    stacked = np.stack(list(curves.values()))
    places: dict[str, tuple[str | float, ...]] = {"quantity": tuple(curves), "bin": rates}
    return [
        Reading("ROC", ("quantity", "bin"), stacked, units="true positive rate", coordinates=places),
        Reading("area under ROC", ("class",), areas, units="share", coordinates={"class": tuple(names)}),
    ]


def calibration_readings(targets: NDArray[Any], shares: Array) -> list[Reading]:
    """Return how often predictions of a confidence are right, and the expected calibration error (Guo et al. 2017).

    Args:
        targets: (N,) classes.
        shares: (N, K) probabilities.
    """
    confidence, right = shares.max(axis=1), shares.argmax(axis=1) == targets
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    counts = np.bincount(bins, minlength=BINS)
    divided = np.maximum(counts, 1)
    measured = np.where(counts, np.bincount(bins, right, BINS) / divided, np.nan)
    mean = np.where(counts, np.bincount(bins, confidence, BINS) / divided, np.nan)
    centres = tuple((number + 0.5) / BINS for number in range(BINS))
    places: dict[str, tuple[str | float, ...]] = {"quantity": ("measured", "bound", "rows"), "bin": centres}
    error = float(np.nansum(counts * np.abs(measured - mean)) / len(targets))
    stacked = np.stack([measured, np.array(centres), counts / len(targets)])
    return [
        Reading("calibration", ("quantity", "bin"), stacked, units="share", coordinates=places),
        Reading("calibration error", (), np.array(error), units="share"),
    ]


def _named(name: str, quantities: dict[str, Array], axis: str, labels: Sequence[str]) -> Reading:
    places: dict[str, tuple[str | float, ...]] = {"quantity": tuple(quantities), axis: tuple(labels)}
    return Reading(name, ("quantity", axis), np.stack(list(quantities.values())), coordinates=places)
