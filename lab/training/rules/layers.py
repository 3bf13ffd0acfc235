"""Rules about single layers: updates, units, gates, gradients by depth, attention, experts."""

from __future__ import annotations

import math

import numpy as np

from lab.api import Evidence, Finding, Remedy, RunRecord
from lab.runs.metrics.gauges import (
    ATTENTION_ENTROPY,
    DEAD_UNITS,
    GRADIENT_BY_LAG,
    GRADIENT_NORM,
    SATURATED_UNITS,
    UNUSED_EXPERTS,
    UPDATE_RATIO,
)
from lab.training.rules.common import LARGEST, LOSS, clean, faster, first_beyond, latest, slower

FAST, SLOW = 0.15, 1e-5
"""Update ratios between which a training learns and remains stable."""
DEAD, SATURATED, UNUSED = 0.5, 0.85, 0.5
"""Shares of units, gates and experts of a layer from which it hardly works."""
VANISHED, VANISHED_PLAIN = 1e-3, 1e-6
"""The gradient norm of the first layer over that of the last one, below which the first learns nothing: of blocks, and
of a plain network, whose layers may differ more at their start."""
VANISHED_BY_LAG = 1e-6
"""The gradient over the longest lag, over that of the last token, below which nothing of it can be learned."""
COLLAPSED = 0.05
"""The entropy of attention in bits below which it reads a single token."""


def too_fast(record: RunRecord) -> list[Finding]:
    """Find updates that are long compared to the weights, in most layers and at a tenth of the measurements."""
    found = _ratios(record)
    if found is None:
        return []
    steps, middle = found
    fast = middle >= FAST
    if fast.sum() < max(2, 0.1 * len(middle)):
        return []
    share = 100 * float(np.median(middle[fast]))
    what = f"the learning rate is too high: a step changes the weights by {share:.0f} % of their length"
    remedy = "A tenth of a percent is usual; with more, what was learned is overwritten"
    series = tuple(record.layers(UPDATE_RATIO.name).values())
    return [
        Finding(
            what,
            int(steps[np.argmax(fast)]),
            remedy=remedy,
            evidence=Evidence(series, FAST, log=True),
            remedies=slower(record),
        )
    ]


def too_slow(record: RunRecord) -> list[Finding]:
    """Find updates that are tiny compared to the weights in all of the run, while the loss hardly falls."""
    found, (_, losses) = _ratios(record), clean(record, LOSS)
    if found is None or len(losses) < 100:
        return []
    steps, middle = found
    start, now = float(np.mean(losses[:20])), float(np.mean(losses[-20:]))
    if float(np.max(middle)) > SLOW or start - now > 0.05 * abs(start):
        return []
    share = float(np.median(middle))
    what = f"the learning rate is too low: each step changes the weights by {share:.1g} of their length"
    remedy = "At this rate the training would take hundreds of times as long"
    series = tuple(record.layers(UPDATE_RATIO.name).values())
    return [
        Finding(what, int(steps[0]), remedy=remedy, evidence=Evidence(series, SLOW, log=True), remedies=faster(record))
    ]


def dead_units(record: RunRecord) -> list[Finding]:
    """Find layers in which most units stay near zero for all tokens."""
    found = _largest(record, DEAD_UNITS.name, DEAD)
    if found is None:
        return []
    layer, series, share = found
    what = f"{100 * share:.0f} % of the units of {layer} are dead: they stay near zero for all tokens"
    remedy = (
        "Units that never fire get no gradient; a function with a slope everywhere, or shorter steps, keep them alive"
    )
    remedies = list(slower(record))
    activation = record.setting("architecture.feed_forward")
    if isinstance(activation, str) and activation.startswith("relu"):
        changes = {"architecture.feed_forward": "gelu"}
        remedies.insert(0, Remedy(what="GELU as activation", changes=changes, start="beginning"))
    return [
        Finding(
            what,
            first_beyond(record, series, DEAD),
            remedy=remedy,
            layer=layer,
            evidence=Evidence((series,), DEAD),
            remedies=tuple(remedies),
        )
    ]


def saturated_gates(record: RunRecord) -> list[Finding]:
    """Find layers whose gates are nearly all shut or open, or whose states are at their bounds."""
    found = _largest(record, SATURATED_UNITS.name, SATURATED)
    if found is None:
        return []
    layer, series, share = found
    what = f"{100 * share:.0f} % of the gates or states of {layer} are saturated"
    remedy = "Where a gate is shut or open its gradient is nearly zero; shorter steps keep it between"
    step = first_beyond(record, series, SATURATED)
    return [
        Finding(
            what, step, remedy=remedy, layer=layer, evidence=Evidence((series,), SATURATED), remedies=slower(record)
        )
    ]


def vanishing(record: RunRecord) -> list[Finding]:
    """Find layers whose gradients are lost on the way from the loss to the first one."""
    layers = record.layers(GRADIENT_NORM.name).items()
    names = [name for layer, name in layers if layer.startswith(("blocks.", "layers."))]
    if len(names) < 3:
        return []
    late = [clean(record, name)[1][-20:] for name in names]
    norms = [float(np.median(values)) if len(values) == 20 else 0.0 for values in late]
    limit = VANISHED if any(" blocks." in name for name in names) else VANISHED_PLAIN
    if min(norms[-1], norms[0]) <= 0 or norms[0] / norms[-1] > limit:
        return []
    first = names[0].removeprefix(f"{GRADIENT_NORM.name} ")
    what = f"the gradient vanishes with depth: in {first} it is {norms[0] / norms[-1]:.0e} of that in the last layer"
    remedy = "Residual connections and norms before each branch carry gradients to the first layers"
    remedies: list[Remedy] = []
    if record.setting("architecture.norm_place") == "post":
        changes = {"architecture.norm_place": "pre"}
        remedies.append(Remedy(what="Norms before each branch", changes=changes, start="beginning"))
    if record.setting("architecture.residual") is False:
        residual: dict[str, object] = {"architecture.residual": True}
        remedies.append(Remedy(what="Residual connections", changes=residual, start="beginning"))
    step = int(record.steps(names[0])[-20])
    return [
        Finding(
            what, step, remedy=remedy, layer=first, evidence=Evidence(tuple(names), log=True), remedies=tuple(remedies)
        )
    ]


def vanishing_by_lag(record: RunRecord) -> list[Finding]:
    """Find models whose loss does not depend on tokens a few steps back, though they read them."""
    by_lag = {int(lag): name for lag, name in record.layers(GRADIENT_BY_LAG.name).items() if lag.isdecimal()}
    if len(by_lag) < 4:
        return []
    farthest = max(by_lag)
    known = {lag: values for lag, name in by_lag.items() if len(values := clean(record, name)[1])}
    if farthest < 16 or len(known) < len(by_lag) or len(known[farthest]) < 2:
        return []
    latest_ratio = float(np.median(known[farthest][-3:]))
    if not 0 < latest_ratio < VANISHED_BY_LAG:  # exactly 0 is a model that reads a window by design
        return []
    halved = next((lag for lag in sorted(known) if float(np.median(known[lag][-3:])) < 1e-3), farthest)
    series = tuple(by_lag[lag] for lag in sorted(by_lag))
    what = (
        f"the gradient vanishes with the lag: {farthest} tokens back it is {latest_ratio:.0e} of that of the last token"
    )
    remedy = (
        f"What stands more than about {halved} tokens back cannot be learned; gates, residual connections over time or "
        "attention carry gradients further"
    )
    remedies: list[Remedy] = []
    if record.setting("architecture.initialisation") in ("xavier", "uniform"):
        changes = {"architecture.initialisation": "orthogonal"}
        remedies.append(Remedy(what="A rotation as recurrent matrix", changes=changes, start="beginning"))
    steps = record.steps(by_lag[farthest])
    evidence = Evidence(series, VANISHED_BY_LAG, log=True)
    return [Finding(what, int(steps[-1]), remedy=remedy, evidence=evidence, remedies=tuple(remedies))]


def attention_collapse(record: RunRecord) -> list[Finding]:
    """Find layers whose attention read many tokens once and reads a single one now."""
    found = []
    for layer, series in record.layers(ATTENTION_ENTROPY.name).items():
        now, (_, values) = latest(record, series), clean(record, series)
        if now is not None and now < COLLAPSED and float(np.max(values)) > 10 * COLLAPSED:
            found.append((now, layer, series))
    if not found:
        return []
    now, layer, series = min(found)
    steps, values = clean(record, series)
    below = values < COLLAPSED
    what = f"the attention of {layer} has collapsed: each token reads a single one (entropy {now:.2g} bits)"
    remedy = "Scores that grow without bound fix the attention; norms of queries and keys bound them"
    remedies = list(slower(record))
    if record.setting("architecture.qk_norm") is False:
        changes = {"architecture.qk_norm": True}
        remedies.insert(0, Remedy(what="Norms of queries and keys", changes=changes, start="beginning"))
    return [
        Finding(
            what,
            int(steps[np.argmax(below)]),
            remedy=remedy,
            layer=layer,
            evidence=Evidence((series,), COLLAPSED),
            remedies=tuple(remedies),
        )
    ]


def expert_collapse(record: RunRecord) -> list[Finding]:
    """Find layers in which most experts get hardly any token."""
    found = _largest(record, UNUSED_EXPERTS.name, UNUSED)
    if found is None:
        return []
    layer, series, share = found
    what = f"{100 * share:.0f} % of the experts of {layer} get hardly any token"
    remedy = "Experts that are not used do not learn; a balance loss spreads the tokens"
    remedies: tuple[Remedy, ...] = ()
    weight = record.setting("architecture.balance")
    if isinstance(weight, int | float) and not isinstance(weight, bool) and math.isfinite(weight):
        remedies = (Remedy(what="A stronger balance loss", changes={"architecture.balance": max(0.01, 10 * weight)}),)
    step = first_beyond(record, series, UNUSED)
    return [Finding(what, step, remedy=remedy, layer=layer, evidence=Evidence((series,), UNUSED), remedies=remedies)]


def _ratios(record: RunRecord) -> tuple[np.ndarray, np.ndarray] | None:
    """Return steps and the median update ratio of the layers; None if there are fewer than five measurements."""
    series = [record.values(name) for name in record.layers(UPDATE_RATIO.name).values()]
    count = min((len(values) for values in series), default=0)
    if count < 5:
        return None
    steps = record.steps(next(iter(record.layers(UPDATE_RATIO.name).values())))[-count:]
    stacked = np.stack([values[-count:] for values in series])
    stacked = np.where(np.abs(stacked) < LARGEST, stacked, np.nan)
    known = np.isfinite(stacked).any(axis=0)
    return (steps[known], np.nanmedian(stacked[:, known], axis=0)) if known.sum() >= 5 else None


def _largest(record: RunRecord, gauge: str, limit: float) -> tuple[str, str, float] | None:
    """Return layer, series and value of the layer in which a gauge is largest; None if it is not beyond a limit."""
    known = [(latest(record, series), layer, series) for layer, series in record.layers(gauge).items()]
    found = max(((value, layer, series) for value, layer, series in known if value is not None), default=None)
    return None if found is None or found[0] <= limit else (found[1], found[2], found[0])
