"""Which device, which number format, how many threads: from what the recipe asks to what this machine has."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

from lab.base import BadInput
from lab.recipes import Training

PRECISIONS = {"bfloat16": torch.bfloat16, "float16": torch.float16}
"""Number formats of matrix products, beside that of the weights."""


@dataclass(frozen=True)
class Placement:
    """Where and how a run computes; stored with the run and used again when it resumes.

    Args:
        device: The device.
        autocast: The number format of matrix products, if it is not the weights'.
        threads: Processor threads of the training thread.
    """

    device: torch.device
    autocast: torch.dtype | None
    threads: int

    def casting(self) -> contextlib.AbstractContextManager[object]:
        """A context in which matrix products run in the chosen format."""
        if self.autocast is None:
            return contextlib.nullcontext()
        return torch.autocast(self.device.type, dtype=self.autocast)

    def as_dict(self) -> dict[str, object]:
        """For run.json."""
        precision = "float32" if self.autocast is None else str(self.autocast).removeprefix("torch.")
        return {"device": str(self.device), "precision": precision, "threads": self.threads}


def place(training: Training, kinds: frozenset[str] | None = None) -> Placement:
    """The placement a recipe's training gets on this machine.

    Args:
        training: The recipe's training.
        kinds: Kinds of devices the architecture runs on; None means all.

    Raises:
        BadInput: The device it names is not here.
    """
    device = find_device(training.device, kinds)
    wants = training.precision
    half = wants == "bfloat16" or (wants == "auto" and device.type == "cuda" and torch.cuda.is_bf16_supported())
    return Placement(device, torch.bfloat16 if half else None, training.threads or default_threads())


def placed_again(stored: Mapping[str, Any], otherwise: Placement) -> Placement:
    """The placement a run had, as far as this machine has it.

    Args:
        stored: What `as_dict` gave.
        otherwise: What it gets here.
    """
    device, threads = stored.get("device"), stored.get("threads")
    if device not in available_devices() or not isinstance(threads, int) or threads < 1:
        return otherwise
    return Placement(torch.device(device), PRECISIONS.get(str(stored.get("precision"))), threads)


def find_device(name: str, kinds: frozenset[str] | None = None) -> torch.device:
    """The device of this name; "auto" takes CUDA, then MPS, then the processor.

    Args:
        name: "auto", "cpu", "cuda", "cuda:1", "mps".
        kinds: Kinds of devices a model runs on, among which "auto" chooses; None means all.

    Raises:
        BadInput: It is not here; the problem lists what is.
    """
    here = available_devices()
    if name == "auto":
        fits = {device.partition(":")[0] for device in here if kinds is None or device.partition(":")[0] in kinds}
        return torch.device(next((kind for kind in ("cuda", "mps") if kind in fits), "cpu"))
    wanted = "cuda:0" if name == "cuda" else name
    if wanted not in here:
        raise BadInput(
            "this device is not here",
            field="training.device",
            value=name,
            allowed=", ".join(["auto", *here]),
            remedy="Choose auto, or install a torch build for that device",
        )
    return torch.device(name)


def available_devices() -> list[str]:
    """Names of the devices of this machine, "cpu" first."""
    cuda = [f"cuda:{i}" for i in range(torch.cuda.device_count())] if torch.cuda.is_available() else []
    mps = ["mps"] if torch.backends.mps.is_available() else []
    return ["cpu", *cuda, *mps]


def default_threads() -> int:
    """OMP_NUM_THREADS where it is set, else the cores this process may use."""
    asked = os.environ.get("OMP_NUM_THREADS", "")
    if asked.isdigit() and int(asked) > 0:
        return int(asked)
    with contextlib.suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
