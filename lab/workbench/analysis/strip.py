"""The strip: one prompt continued with one seed by every checkpoint of a run."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from lab.base import BadInput, LabError
from lab.host import Plugins
from lab.runs import RunFolder
from lab.workbench.access.generation import Piece
from lab.workbench.access.saved import SavedRun

TOKENS = 60
"""Tokens that each checkpoint writes, unless another number is asked for."""
MOST_TOKENS = 2000
SEED = 0


@dataclass(frozen=True)
class StripText:
    """What a checkpoint writes.

    Args:
        step: Its step.
        text: What it adds to the prompt.
        logarithm: The mean of log p of the tokens it wrote, in nats; 0 of none.
    """

    step: int
    text: str
    logarithm: float


@dataclass(frozen=True)
class Strip:
    """What the checkpoints of a run write after a prompt.

    Args:
        prompt: The prompt.
        seed: The seed of all texts.
        texts: In the order of the steps.
    """

    prompt: str
    seed: int
    texts: tuple[StripText, ...]


def strip_of(
    folder: RunFolder,
    plugins: Plugins,
    *,
    prompt: str | None = None,
    seed: int = SEED,
    count: int = TOKENS,
    until: int | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[float], object] = lambda _: None,
    report: Callable[[StripText], object] = lambda _: None,
) -> Strip:
    """Continue a prompt at every checkpoint, as the run's recipe says how texts are decoded.

    Args:
        folder: The run.
        plugins: The plugins that provide its cards.
        prompt: The prompt; None takes one that the run's vocabulary has.
        seed: Of every text, so that only the weights differ.
        count: Tokens that each checkpoint writes at most.
        until: The step of the last checkpoint; None takes all.
        cancelled: Called between tokens; True ends it, and the texts so far count.
        progress: Called with the share that is done.
        report: Called with each text.

    Raises:
        BadInput: The run has no checkpoint, writes no text, or an option is not allowed.
        LabError: A checkpoint is damaged, or it was cancelled before the first text.
    """
    if not 1 <= count <= MOST_TOKENS:
        raise BadInput("is not allowed", field="--max-tokens", value=str(count), allowed=f"1 to {MOST_TOKENS:,}")
    steps = [step for step in folder.checkpoint_steps() if until is None or step <= until]
    if not steps:
        raise BadInput("has no checkpoint", field="RUN", value=folder.name, remedy="Wait until the run has ended")
    run = SavedRun(folder, plugins)
    prompt = run.default_prompt() if prompt is None else prompt
    found: list[StripText] = []
    for number, step in enumerate(steps):
        pieces = list(run.at(step).generate(prompt, seed=seed, count=count, alternatives=1, cancelled=cancelled))
        if cancelled():
            break
        found.append(StripText(step, "".join(piece.text for piece in pieces), _mean_logarithm(pieces)))
        report(found[-1])
        progress((number + 1) / len(steps))
    if not found:
        raise LabError("nothing was written", remedy="Let it run for longer")
    return Strip(prompt, seed, tuple(found))


def _mean_logarithm(pieces: list[Piece]) -> float:
    """Return the mean of the logarithms of the probabilities under the model."""
    known = [math.log(piece.probability) for piece in pieces if piece.probability > 0]
    return sum(known) / len(known) if known else 0.0
