"""From an exception in a training to the problem people read: no memory, a lost device, a loss that is no number."""

from __future__ import annotations

import math

import torch

from lab.base import LabError, Problem
from lab.base.problems import problem_of


class Diverged(LabError):
    """A loss or gradient that is no finite number. The weights are those before the step."""


class OutOfMemory(LabError):
    """A step did not fit into memory. The weights are those before the step, and it can be made in smaller pieces."""


class DeviceLost(LabError):
    """The device is in a state that only a new process gets out of."""


def diverged(step: int, loss: float, gradient_norm: float, learning_rate: float) -> Diverged:
    """The problem of a step whose loss or gradient is no finite number."""
    what = f"the gradient norm is {gradient_norm}" if math.isfinite(loss) else f"the loss is {loss}"
    return Diverged(
        Problem(
            f"{what} at step {step}; the training stopped before this update",
            field="training.optimizer.learning_rate",
            value=f"{learning_rate:g}",
            remedy="Try a third of the learning rate, a longer warm-up (training.schedule.warmup), or clipping at 1",
        )
    )


def failure_of(error: BaseException, *, step: int, accumulation: int, plugin: str | None) -> LabError:
    """What an exception inside a step means; what nobody knows is attributed to the plugin that owns the model."""
    if isinstance(error, LabError):
        return error
    text = str(error)
    if isinstance(error, torch.OutOfMemoryError | MemoryError) or "can't allocate memory" in text:
        return OutOfMemory(
            Problem(
                f"out of memory at step {step}; nothing is lost, and smaller pieces give the same result",
                field="training.accumulation",
                value=str(accumulation),
                remedy=f"Set training.accumulation={accumulation * 2}, which halves what is computed at once",
            )
        )
    if isinstance(error, torch.AcceleratorError) or any(sign in text for sign in STICKY):
        return DeviceLost(
            Problem(
                f"the device failed at step {step} and cannot be used again by this process: {text.splitlines()[0]}",
                field="training.device",
                remedy="Start the run anew in a new process; with training.device=cpu the error is plainer",
                trace=problem_of(error).trace,
            )
        )
    return LabError(problem_of(error, plugin=plugin, doing=f"Step {step}"))


STICKY = ("device-side assert", "CUDA error", "device lost", "illegal memory access", "unspecified launch failure")
"""Words of errors after which a CUDA context answers nothing else."""
