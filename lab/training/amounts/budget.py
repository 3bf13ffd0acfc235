"""The budget of a training, in steps, tokens, epochs, seconds or FLOPs, and the steps that it pays for."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from lab.base import BadInput
from lab.recipes import Training
from lab.text.examples.source import ExampleSource
from lab.training.amounts.warmups import sizes

FIELD = "training.budget"
UNITS = {
    "step": "steps", "token": "tokens", "epoch": "epochs", "second": "seconds", "s": "seconds", "minute": "minutes",
    "min": "minutes", "hour": "hours", "h": "hours", "flop": "FLOPs",
}  # fmt: skip
"""Units by what may stand for them, in lower case and without the s of a plural."""
SECONDS = {"minutes": 60.0, "hours": 3600.0}
PREFIXES = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
ALLOWED = "a number above 0 and one of steps, tokens, epochs, seconds, minutes, hours, FLOPs, such as 2e6 tokens"
MOST_STEPS = 10**9


class Budget(NamedTuple):
    """What a training may spend.

    Args:
        amount: How much, above 0.
        unit: "steps", "tokens", "epochs", "seconds" or "FLOPs".
    """

    amount: float
    unit: str


def parse_budget(text: str) -> Budget | None:
    """Return the budget that a text names ("2M tokens"); None for an empty one.

    Raises:
        BadInput: It is no number with a unit, or not above 0.
    """
    if not text.strip():
        return None
    found = re.fullmatch(r"\s*([0-9][0-9_,]*\.?[0-9]*(?:e[+-]?[0-9]+)?)\s*([kMGTP]?)\s*([A-Za-z]+)\s*", text)
    word = found.group(3).lower() if found else ""
    unit = UNITS.get(word) or UNITS.get(word.removesuffix("s"))
    amount = float(re.sub("[_,]", "", found.group(1))) * PREFIXES[found.group(2)] if found else 0.0
    if unit is None or not 0 < amount < math.inf:
        remedy = "Name one, or leave it empty and set training.steps"
        raise BadInput("is no budget", field=FIELD, value=text, allowed=ALLOWED, remedy=remedy)
    return Budget(amount * SECONDS.get(unit, 1.0), "seconds" if unit in SECONDS else unit)


def steps_of(
    training: Training, *, epoch: int | None, flops_per_token: Callable[[], float | None], counts: bool = False
) -> int:
    """Return the steps of a training: as many as its budget pays for, rounded up; of seconds those of the settings.

    Args:
        training: The settings of the training.
        epoch: Examples of one epoch; None if the examples have no end.
        flops_per_token: Returns the operations of a training step per token; None if they are unknown.
        counts: Whether the model learns by counting, which only has steps.

    Raises:
        BadInput: The budget cannot be read, or is in a unit that this training has not.
    """
    budget = parse_budget(training.budget)
    if budget is None:
        return training.steps
    if counts and budget.unit != "steps":
        raise _refused(training, "this model counts its text once, slice by slice, and has no other budget", "steps")
    if budget.unit == "epochs" and epoch is None:
        raise _refused(training, "the examples of this corpus are generated and have no end", "another unit")
    if budget.unit == "FLOPs":
        each = flops_per_token()
        if each is None:
            raise _refused(training, "the FLOPs of this model are not known", "another unit")
        budget = Budget(budget.amount / each, "tokens")
    if budget.unit == "epochs":
        budget = Budget(budget.amount * (epoch or 0), "examples")
    steps = training.steps if budget.unit == "seconds" else _paid(training, budget)
    if steps > MOST_STEPS:
        raise _refused(training, f"pays for {steps:,} steps", f"at most {MOST_STEPS:,} steps")
    return steps


def _paid(training: Training, budget: Budget) -> int:
    """Return how many steps a number of steps, examples or tokens pays for, while batches and contexts grow."""
    left, steps = budget.amount, 0
    if budget.unit == "steps":
        return math.ceil(left)
    for size, context in sizes(training):
        if left <= 0:
            return steps
        left -= size * (context if budget.unit == "tokens" else 1)
        steps += 1
    each = training.batch_size * (training.context_length if budget.unit == "tokens" else 1)
    return steps + max(0, math.ceil(left / each))


def tokens_of(training: Training) -> int:
    """Return the tokens that the steps of a training read, while batches and contexts grow."""
    read = steps = 0
    for size, context in sizes(training):
        if steps == training.steps:
            return read
        read, steps = read + size * context, steps + 1
    return read + (training.steps - steps) * training.batch_size * training.context_length


def epoch_of(source: Any) -> int | None:
    """Return the examples of one epoch of a training split; None if they are generated and have no end."""
    return None if isinstance(source, ExampleSource) else int(source.examples)


def _refused(training: Training, what: str, allowed: str) -> BadInput:
    return BadInput(what, field=FIELD, value=training.budget, allowed=allowed, remedy="Choose another budget")
