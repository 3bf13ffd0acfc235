"""Conversion of exceptions of a training into problems: out of memory, a lost device, a loss that is not finite."""

from __future__ import annotations

import math

import torch

from lab.base import LabError, Problem
from lab.base.problems import problem_of
from lab.recipes import Training


class Diverged(LabError):
    """A loss or gradient that is not finite. On the CPU the weights are those before the step."""


class OutOfMemory(LabError):
    """A step did not fit into memory. The weights are those before the step, which can be made in smaller pieces."""


class DeviceLost(LabError):
    """A device failed; only a new process can use it again."""


def diverged(step: int, loss: float, gradient_norm: float, learning_rate: float) -> Diverged:
    """Return the error for a step whose loss or gradient is not finite."""
    what = f"the gradient norm is {gradient_norm}" if math.isfinite(loss) else f"the loss is {loss}"
    return Diverged(
        Problem(
            f"{what} at step {step}; the training stopped there",
            field="training.optimizer.learning_rate",
            value=f"{learning_rate:g}",
            remedy="Try a third of the learning rate, a longer warm-up (training.schedule.warmup), or clipping at 1",
        )
    )


def is_out_of_memory(error: BaseException) -> bool:
    """Return True if an exception means that the memory of the CPU or a device was exhausted."""
    if isinstance(error, torch.OutOfMemoryError | MemoryError):
        return True
    return isinstance(error, RuntimeError) and any(sign in str(error) for sign in NO_MEMORY)


def failure_of(
    error: BaseException, *, step: int, training: Training, plugin: str | None, doing: str | None = None
) -> LabError:
    """Return the error for an exception; an unknown one is attributed to the plugin that owns the model.

    Args:
        error: Any exception.
        step: The step being made, or the last one made.
        training: The recipe's training, with live edits.
        plugin: The owner of the model.
        doing: The work after that step ("evaluating"); None during the step itself.
    """
    if isinstance(error, LabError):
        return error
    text = str(error)
    if is_out_of_memory(error) and doing is not None:
        return LabError(
            Problem(f"out of memory while {doing} after step {step}; the weights are unchanged", remedy=ELSEWHERE)
        )
    if is_out_of_memory(error):
        pieces = min(2 * training.accumulation, training.batch_size)
        smaller = f"Set training.accumulation={pieces}, which halves the size of a computation"
        return OutOfMemory(
            Problem(
                f"out of memory at step {step}; nothing is lost, and smaller pieces give the same result, except for "
                "draws of dropout and noise and the balance losses of experts",
                field="training.accumulation",
                value=str(training.accumulation),
                remedy=smaller if pieces > training.accumulation else SMALLEST,
            )
        )
    first_line = text.partition("\n")[0]
    if isinstance(error, torch.AcceleratorError) or any(sign in text for sign in STICKY):
        return DeviceLost(
            Problem(
                f"the device failed at step {step} and cannot be used again by this process: {first_line}",
                field="training.device",
                remedy="Start the run again in a new process; with training.device=cpu the error is clearer",
                trace=problem_of(error).trace,
            )
        )
    if UNDETERMINED in text:
        return LabError(
            f"step {step} needs an algorithm that torch has in no deterministic form: {first_line}",
            field="training.deterministic",
            value="true",
            remedy="Set training.deterministic=false, or training.device=cpu",
        )
    what = f"{doing.capitalize()} after step {step}" if doing is not None else f"Step {step}"
    return LabError(problem_of(error, plugin=plugin, doing=what))


NO_MEMORY = ("out of memory", "can't allocate memory", "not enough memory", "CUBLAS_STATUS_ALLOC_FAILED")
"""Messages of the allocators of CPU, CUDA and MPS that only raise a RuntimeError."""

UNDETERMINED = "does not have a deterministic implementation"
"""The message of torch about an algorithm that is refused."""

SMALLEST = "Stop, and start a new run with a shorter context or a smaller model: one example at a time does not fit"

ELSEWHERE = "Free memory of the device, or use a device with more memory: lm-lab evaluate --device cpu"
"""The remedy if work outside the steps does not fit."""

STICKY = ("device-side assert", "CUDA error", "device lost", "illegal memory access", "unspecified launch failure")
"""Messages of errors after which a CUDA context is unusable."""
