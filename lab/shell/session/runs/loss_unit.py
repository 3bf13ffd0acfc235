"""The unit in which the losses of runs are shown, in the chart as in the list: conversion from nats per token."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

import numpy as np

from lab.api import ENTROPY_RATE
from lab.base.charts.averages import Values
from lab.shell.session.runs.formatting import loss_text
from lab.shell.session.runs.model import PER_TOKEN, RunModel
from lab.widgets.core.i18n import tr

NATS: Final = "nats"
BITS: Final = "bits"
PERPLEXITY: Final = "perplexity"
BYTES: Final = "bits per byte"
"""The unit that needs the bytes per token of a run."""
KL: Final = "KL"
"""The unit that needs the entropy of a run's source."""


def is_known(run: RunModel, unit: str) -> bool:
    """Return True if the loss of a run can be converted to a unit."""
    if unit == KL:
        return ENTROPY_RATE in run.floors
    if unit == PERPLEXITY:
        return run.loss_unit == PER_TOKEN
    if unit == BITS:
        return run.loss_unit.startswith("nats")
    return unit != BYTES or run.bits_per_byte_factor is not None


def unit_name(run: RunModel) -> str:
    """Return the unit of the losses of a run for display."""
    return {
        PER_TOKEN: tr("nats per token"),
        "nats per hidden token": tr("nats per hidden token"),
        "nats per label": tr("nats per label"),
        "mean squared error": tr("mean squared error"),
        "mean absolute error": tr("mean absolute error"),
        "mean Huber loss": tr("mean Huber loss"),
    }.get(run.loss_unit, run.loss_unit)


def shared_unit(runs: Iterable[RunModel], unit: str) -> str:
    """Return a unit if the losses of all of these runs can be converted to it, otherwise NATS."""
    return unit if all(is_known(run, unit) for run in runs) else NATS


def short_unit_name(run: RunModel, unit: str = NATS) -> str:
    """Return the unit of the losses of a run as it stands behind or below a large number."""
    nats = tr("nats") if run.loss_unit.startswith("nats") else unit_name(run)
    return {BITS: tr("bits"), PERPLEXITY: tr("perplexity"), BYTES: tr("bits/byte")}.get(unit) or nats


def unit_label(unit: str) -> str:
    """Return the name of a unit of losses in nats per token, as it stands in brackets behind what is measured."""
    return {
        BITS: tr("bits per token"),
        PERPLEXITY: tr("perplexity"),
        BYTES: tr("bits per byte"),
        KL: tr("nats above the entropy"),
    }.get(unit) or tr("nats per token")


def unit_phrase(unit: str, run: RunModel) -> str:
    """Return a unit of a run's losses as it stands behind a number in a sentence."""
    return {
        BITS: tr("bits per token"),
        PERPLEXITY: tr("(perplexity)"),
        BYTES: tr("bits per byte"),
        KL: tr("nats per token above the entropy"),
    }.get(unit) or unit_name(run)


def with_unit(value: float, unit: str, run: RunModel) -> str:
    """Return a loss that is in a unit, with that unit."""
    if unit == PERPLEXITY:
        return tr("perplexity {value}", value=loss_text(value))
    return f"{loss_text(value)} {unit_phrase(unit, run)}"


def convert(nats: Values, run: RunModel, unit: str) -> Values:
    """Return losses of a run, in nats per token, in a unit; NaN where that is not possible."""
    if unit == BITS:
        return nats / math.log(2)
    if unit == PERPLEXITY:
        return np.where(np.isinf(nats), nats, np.exp(np.minimum(nats, 700.0)))
    if unit == BYTES:
        return nats * (run.bits_per_byte_factor or math.nan)
    return nats - run.floors.get(ENTROPY_RATE, math.nan) if unit == KL else nats


def convert_one(nats: float, run: RunModel, unit: str) -> float:
    """Return one loss of a run in a unit."""
    return float(convert(np.array([nats]), run, unit)[0])


def validation_label(unit: str) -> str:
    """Return the name of the validation loss with its unit."""
    return {
        BITS: tr("validation loss, bits per token"),
        PERPLEXITY: tr("validation perplexity"),
        BYTES: tr("validation, bits per byte"),
        KL: tr("validation, nats above the entropy"),
    }.get(unit) or tr("validation loss, nats per token")


def training_label(unit: str) -> str:
    """Return the name of the training loss with its unit."""
    return {
        BITS: tr("training loss, bits per token"),
        PERPLEXITY: tr("training perplexity"),
        BYTES: tr("training, bits per byte"),
        KL: tr("training, nats above the entropy"),
    }.get(unit) or tr("training loss, nats per token")
