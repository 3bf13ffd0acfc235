"""The batch size: what fits into memory, and what reads most tokens in a second."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import psutil  # type: ignore[import-untyped]
import torch

from lab.base import LabError
from lab.training.experiment import Experiment
from lab.training.failures import failure_of, is_out_of_memory
from lab.training.finders.trials import Prepare, Progress, Trial

LARGEST = 4096
"""Largest batch that is tried, in examples."""
SECONDS = 0.5
"""Seconds that each size is timed for, at least."""
ENOUGH = 0.95
"""The smallest size with this share of the highest speed is suggested, since it makes most updates in the same time."""
SLOWER = 0.8
"""Share of the highest speed below which larger sizes are not tried."""
SPARE = 0.8
"""Share of the free memory that the next size may need."""


@dataclass(frozen=True)
class BatchSpeed:
    """The speed of a batch size.

    Args:
        size: Examples in a step, in one piece.
        seconds: Of a step, the median.
        tokens_per_second: Tokens read in a second.
        bytes: What a step stores for the backward pass, estimated from its first; None if unknown.
    """

    size: int
    seconds: float
    tokens_per_second: float
    bytes: int | None


@dataclass(frozen=True)
class BatchTest:
    """The speeds of batch sizes.

    Args:
        speeds: Of each size that was tried and fits, the smallest first.
        largest: The largest size that fits, of those that were tried.
        ended: Why no larger one was tried: "memory", "slower", "largest" or "cancelled".
        suggestion: The size that is suggested.
    """

    speeds: tuple[BatchSpeed, ...]
    largest: int
    ended: str
    suggestion: int


def find_batch(
    experiment: Experiment,
    prepare: Prepare = lambda *_: None,
    *,
    largest: int = LARGEST,
    seconds: float = SECONDS,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Progress = lambda _: None,
    report: Callable[[BatchSpeed], object] = lambda _: None,
) -> BatchTest:
    """Time steps of 1, 2, 4, … examples, each in one piece, until one does not fit or is slower.

    Args:
        experiment: The experiment; its weights are not touched.
        prepare: Gives the model its weights.
        largest: The largest size to try.
        seconds: Seconds that each size is timed for, at least.
        cancelled: Called between steps; True ends the test, and the sizes so far count.
        progress: Called with the share that is done at most.
        report: Called with each speed.

    Raises:
        BadInput: The model counts.
        LabError: Not even one example fits, or a plugin's code raised.
    """
    speeds: list[BatchSpeed] = []
    size, ended = 1, "largest"
    while size <= largest:
        try:
            found = _timed(experiment, prepare, size, seconds, cancelled)
        except Exception as error:  # noqa: BLE001 - a plugin's code
            memory = is_out_of_memory(error) or "out of memory" in str(error)
            if not (memory and speeds):
                training = experiment.recipe.training
                raise failure_of(error, step=1, training=training, plugin=experiment.architecture.plugin) from None
            ended = "memory"
            if experiment.placement.device.type == "cuda":
                torch.cuda.empty_cache()
            break
        if found is None:
            ended = "cancelled"
            break
        speeds.append(found)
        report(found)
        progress(len(speeds) / largest.bit_length())
        best = max(speed.tokens_per_second for speed in speeds)
        if found.tokens_per_second < SLOWER * best and speeds[-2].tokens_per_second < best:
            ended = "slower"
            break
        if found.bytes is not None and 2 * found.bytes > SPARE * _free(experiment.placement.device):
            ended = "memory"
            break
        size *= 2
    if not speeds:
        raise LabError("no batch size was timed", remedy="Let the test run for some seconds")
    best = max(speed.tokens_per_second for speed in speeds)
    suggestion = next(speed.size for speed in speeds if speed.tokens_per_second >= ENOUGH * best)
    return BatchTest(tuple(speeds), speeds[-1].size, ended, suggestion)


def _timed(
    experiment: Experiment, prepare: Prepare, size: int, seconds: float, cancelled: Callable[[], bool]
) -> BatchSpeed | None:
    """Return the speed of a size; None if it was cancelled before a step was timed."""
    trial = Trial(experiment, prepare, batch_size=size, accumulation=1)
    trial.advance()  # allocates
    times: list[float] = []
    while not cancelled() and (sum(times) < seconds or len(times) < 3):
        start = time.perf_counter()
        trial.advance()
        times.append(time.perf_counter() - start)
    if not times:
        return None
    typical = statistics.median(times)
    tokens = trial.learner.tokens / trial.step
    stored = trial.learner.activation_bytes
    return BatchSpeed(size, typical, tokens / typical, None if stored is None else round(stored * tokens))


def _free(device: torch.device) -> int:
    """Return the free bytes of the memory of a device."""
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[0])
    return int(psutil.virtual_memory().available)
