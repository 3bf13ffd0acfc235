"""The probe before a start: some steps on a copy, whose time and memory are those of the training."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import psutil  # type: ignore[import-untyped]
import torch

from lab.training.experiment import Experiment
from lab.training.finders.trials import Prepare, Trial

SECONDS = 2.0
"""Seconds that a probe takes, unless a single step takes longer."""
FIRST = 1
"""Steps that are not counted: they allocate memory and start threads."""


@dataclass(frozen=True)
class StepCost:
    """What a step takes on this machine.

    Args:
        seconds: The median time of a step.
        steps: Steps that were timed.
        bytes: Memory that model, optimizer and step take: of an accelerator the most that was allocated, else by how
            much the process grew, which is less where it had room left from earlier work.
    """

    seconds: float
    steps: int
    bytes: int


def measure_step(
    experiment: Experiment,
    prepare: Prepare = lambda *_: None,
    *,
    seconds: float = SECONDS,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[float], object] = lambda _: None,
) -> StepCost:
    """Make steps for some seconds, and return what one takes.

    Args:
        experiment: The experiment; its weights are not touched.
        prepare: Gives the model its weights.
        seconds: How long; at least one step is timed.
        cancelled: Called between steps; True ends it once a step was timed.
        progress: Called with the share that is done.

    Raises:
        BadInput: The model counts.
        LabError: A step failed.
    """
    device = experiment.placement.device
    process = psutil.Process()
    before = process.memory_info().rss
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
    trial = Trial(experiment, prepare)
    for _ in range(FIRST):
        trial.advance()
    times: list[float] = []
    largest = process.memory_info().rss
    while sum(times) < seconds and not (times and cancelled()):
        started = time.perf_counter()
        trial.advance()  # its loss is read back, so that an accelerator has finished
        times.append(time.perf_counter() - started)
        largest = max(largest, process.memory_info().rss)
        progress(min(1.0, sum(times) / seconds))
    held = torch.cuda.max_memory_allocated(device) if device.type == "cuda" else max(0, largest - before)
    return StepCost(sorted(times)[len(times) // 2], len(times), int(held))
