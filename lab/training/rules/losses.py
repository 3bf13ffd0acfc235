"""Rules about the loss: no number, divergence, spikes, plateaus, overfitting."""

from __future__ import annotations

import math

import numpy as np

from lab.api import ENTROPY_RATE, Evidence, Finding, Remedy, RunRecord
from lab.training.rules.common import LOSS, VALIDATION, clean, faster, mean_of, slower

WIDTH = 20
"""Steps over which the training loss is averaged."""
NEAR = 0.015
"""A loss within this share of a floor is at the floor."""
SPIKE = 12.0
"""A loss so many standard deviations above its neighbours is a spike, if it is also a fifth above them."""
WORSE = 0.05
"""A validation loss that has risen by this share of its least value is overfitted."""
MEMORISED = 0.5
"""Training losses below this share of the validation loss are remembered, not predicted."""


def no_number(record: RunRecord) -> list[Finding]:
    """Name the first tensor and layer that is not finite, if a training failed for a loss or gradient."""
    if not record.problem.startswith(("the loss is ", "the gradient norm is ")):
        return []
    events = [event for event in record.events if event.get("event") == "not finite"]
    remedies = list(slower(record))
    if record.setting("training.precision") in ("float16", "bfloat16"):
        changes = {"training.precision": "float32"}
        remedies.append(Remedy(what="Products in float32", changes=changes))
    evidence = Evidence((LOSS, "gradient norm"), log=True)
    remedy = "Weights that move too far in one step give numbers that no format holds"
    if not events:
        steps = record.steps(LOSS)
        step = int(steps[-1]) + 1 if len(steps) else 1
        return [
            Finding(
                f"the loss or its gradient is no number at step {step}",
                step,
                remedy=remedy,
                evidence=evidence,
                remedies=tuple(remedies),
            )
        ]
    event = events[-1]
    step, tensor, layer = int(event.get("step", 0)), str(event.get("tensor")), str(event.get("layer", ""))
    where = event.get("where")
    if where == "weights":
        what = f"the weights {tensor} are no numbers before step {step}"
    elif where == "forward":
        what = f"the first numbers that are not finite at step {step} are the outputs of {tensor}"
    else:
        what = f"the first numbers that are not finite at step {step} are the gradients of {tensor}"
    return [Finding(what, step, remedy=remedy, layer=layer, evidence=evidence, remedies=tuple(remedies))]


def divergence(record: RunRecord) -> list[Finding]:
    """Find a training that has lost half of what it had learned."""
    steps, values = clean(record, LOSS)
    means = mean_of(values, WIDTH)
    if len(means) < 2 * WIDTH:
        return []
    best = int(np.argmin(means[:-WIDTH]))
    start, least, last = float(np.max(means[: best + 1])), float(means[best]), float(means[-1])
    if not (last > least + 0.5 * (start - least) and last > 1.2 * least + 0.05 and start > least):
        return []
    limit = least + 0.5 * (start - least)
    after = best + int(np.argmax(means[best:] > limit))
    step = int(steps[min(after + WIDTH - 1, len(steps) - 1)])
    what = f"the training diverges: its loss fell to {least:.3f} and has risen to {last:.3f}"
    remedy = "The steps are too long for the curvature where the weights are now"
    return [Finding(what, step, remedy=remedy, evidence=Evidence((LOSS,), limit), remedies=slower(record))]


def spikes(record: RunRecord) -> list[Finding]:
    """Find losses far above those around them, from which the training recovers."""
    steps, values = clean(record, LOSS)
    if len(values) < 10 * WIDTH or divergence(record):
        return []
    half = len(values) // 4  # the first steps fall steeply
    late, at = values[half:], steps[half:]
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(late, WIDTH, mode="edge"), 2 * WIDTH + 1)
    every = max(1, len(late) // 20_000)
    middle = np.median(windows[::every], axis=1)
    above = late[::every] - middle
    spread = 1.4826 * float(np.median(np.abs(above - np.median(above)))) + 1e-9
    found = np.flatnonzero((above > SPIKE * spread) & (above > 0.2 * np.abs(middle)))
    separate = 1 + int((np.diff(found) > WIDTH // every + 1).sum()) if len(found) else 0
    if separate < 3:
        return []
    step = int(at[::every][found[0]])
    highest = float(above[found].max())
    what = f"the loss has {separate} spikes since step {step}, the highest {highest:.2f} above its neighbours"
    remedy = "Single batches throw the weights far; shorter steps or a bound on the gradient keep them near"
    return [
        Finding(
            what, step, remedy=remedy, evidence=Evidence((LOSS, "gradient norm"), log=True), remedies=slower(record)
        )
    ]


def plateau(record: RunRecord) -> list[Finding]:
    """Find a training that stays at the loss of guessing blindly, or by the frequencies of symbols alone."""
    steps, values = clean(record, LOSS)
    if len(values) < 10 * WIDTH:
        return []
    late = values[len(values) // 2 :]
    level, third, fourth = (float(np.mean(part)) for part in (late, late[: len(late) // 2], late[len(late) // 2 :]))
    if third - fourth > 0.005 * abs(level):
        return []
    floors = {str(name): float(loss) for name, loss in dict(record.facts.get("floors") or {}).items()}
    targets = record.facts.get("targets")
    blind = math.log(targets) if isinstance(targets, int) and targets > 1 else floors.get("uniform")
    entropy = floors.get(ENTROPY_RATE, -math.inf)
    step, evidence = int(steps[len(values) // 2]), (LOSS,)
    if blind is not None and abs(level - blind) < NEAR * blind and entropy < blind * (1 - 2 * NEAR):
        what = f"the loss stays at {level:.3f}, that of guessing blindly (ln V = {blind:.3f})"
        remedy = "Nothing is learned: the steps are too short, or nothing reaches the weights"
        return [Finding(what, step, remedy=remedy, evidence=Evidence(evidence, blind), remedies=faster(record))]
    unigram = floors.get("unigram")
    if unigram is not None and abs(level - unigram) < NEAR * unigram and entropy < unigram * (1 - 2 * NEAR):
        what = f"the loss stays at {level:.3f}, that of symbols guessed by their frequency alone ({unigram:.3f})"
        remedy = "The model has learned the frequencies and nothing from the context"
        return [Finding(what, step, remedy=remedy, evidence=Evidence(evidence, unigram), remedies=faster(record))]
    return []


def overfitting(record: RunRecord) -> list[Finding]:
    """Find a validation loss that rises while the training loss falls on."""
    steps, values = clean(record, VALIDATION)
    if len(values) < 4:
        return []
    best = int(np.argmin(values))
    least, last = float(values[best]), float(values[-1])
    at, of_train = clean(record, LOSS)
    before, now = of_train[at <= steps[best]][-100:], of_train[-100:]
    falls = len(before) and len(now) and float(np.mean(now)) < float(np.mean(before))
    if best >= len(values) - 2 or last - least < WORSE * abs(least) or not falls:
        return []
    what = f"the model overfits since step {int(steps[best])}: its validation loss rose from {least:.3f} to {last:.3f}"
    remedy = "It learns the training text by heart; dropout, decay or fewer steps keep what holds for other text"
    end = Remedy(what="End at the best step", changes={"training.steps": max(1, int(steps[best]))}, start="beginning")
    remedies = [end]
    dropout = record.setting("architecture.dropout")
    if isinstance(dropout, int | float) and dropout < 0.2:
        remedies.insert(0, Remedy(what="Dropout of 0.2", changes={"architecture.dropout": 0.2}))
    return [
        Finding(
            what,
            int(steps[best]),
            remedy=remedy,
            evidence=Evidence((LOSS, VALIDATION), least),
            remedies=tuple(remedies),
        )
    ]


def memorised(record: RunRecord) -> list[Finding]:
    """Find training losses far below the validation loss after several passes over the text."""
    (at, validation), (steps, losses) = clean(record, VALIDATION), clean(record, LOSS)
    (_, tokens), size = clean(record, "tokens"), record.facts.get("tokens")
    if not len(validation) or len(losses) < 100 or not len(tokens) or not isinstance(size, int) or size < 1:
        return []
    passes, train, other = float(tokens[-1]) / size, float(np.mean(losses[-100:])), float(validation[-1])
    if passes < 2 or train >= MEMORISED * other:
        return []
    what = (
        f"the training text is memorised: after {passes:.0f} passes over it the loss is {train:.3f} there and "
        f"{other:.3f} on other text"
    )
    remedy = "More text, a smaller model or fewer passes give what holds for other text"
    share = float(steps[-1]) * 2 / passes
    remedies = (
        Remedy(what="Two passes over the text", changes={"training.steps": max(1, round(share))}, start="beginning"),
    )
    return [Finding(what, int(at[-1]), remedy=remedy, evidence=Evidence((LOSS, VALIDATION)), remedies=remedies)]
