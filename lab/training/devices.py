"""Device, number format and threads of a run, as the recipe requests and this machine has them."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

from lab.base import BadInput
from lab.base.system.policy import policy
from lab.recipes import Training

PRECISIONS = {"bfloat16": torch.bfloat16, "float16": torch.float16}
"""Number formats of matrix products that differ from that of the weights."""


@dataclass(frozen=True)
class Placement:
    """The device and number format of a run; stored with the run and used again when it resumes.

    Args:
        device: The device.
        autocast: The number format of matrix products; None means that of the weights.
        threads: CPU threads of the training thread.
        tf32: Whether products of float32 are computed in TF32.
        deterministic: Whether torch refuses algorithms that do not give the same result each time.
    """

    device: torch.device
    autocast: torch.dtype | None
    threads: int
    tf32: bool = False
    deterministic: bool = False

    def apply(self) -> None:
        """Set the CPU threads of this thread, and the precision of float32 and the algorithms in this process."""
        torch.set_num_threads(self.threads)
        use_float32(tf32=self.tf32)
        if self.deterministic:
            os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # without it cuBLAS is refused
        if self.deterministic != torch.are_deterministic_algorithms_enabled():
            torch.use_deterministic_algorithms(self.deterministic)

    def autocasting(self) -> contextlib.AbstractContextManager[object]:
        """Return a context in which matrix products run in this format."""
        if self.autocast is None:
            return contextlib.nullcontext()
        return torch.autocast(self.device.type, dtype=self.autocast)

    def as_dict(self) -> dict[str, object]:
        """Return the placement as stored in run.json."""
        plain = "tf32" if self.tf32 else "float32"
        precision = plain if self.autocast is None else str(self.autocast).removeprefix("torch.")
        return {"device": str(self.device), "precision": precision, "threads": self.threads}


def placement_of(training: Training, kinds: frozenset[str] | None = None) -> Placement:
    """Return the placement of a recipe's training on this machine.

    Args:
        training: The recipe's training.
        kinds: The kinds of devices the architecture runs on; None means all.

    Raises:
        BadInput: This machine lacks the device that the training names, or its policy forbids that or the threads.
    """
    _check_threads(training.threads)
    device = find_device(training.device, kinds)
    precision = training.precision
    if precision == "auto" and device.type == "cuda":  # a card that only emulates bfloat16 computes it slowly
        precision = "bfloat16" if torch.cuda.is_bf16_supported(including_emulation=False) else "float16"
    if precision == "tf32" and device.type != "cuda":
        raise BadInput(
            "TF32 is a number format of NVIDIA cards, and this device computes float32 as it is",
            field="training.precision",
            value=precision,
            allowed="float32, bfloat16, float16",
            remedy="Choose float32, or training.device=cuda where there is one",
        )
    if training.compile:
        _check_compiler(device)
    threads = training.threads or default_threads()
    return Placement(
        device, PRECISIONS.get(precision), threads, tf32=precision == "tf32", deterministic=training.deterministic
    )


def _check_compiler(device: torch.device) -> None:
    """Refuse to compile for a device for which this machine cannot.

    Raises:
        BadInput: There is no compiler.
    """
    what, remedy = "", "Set training.compile=false"
    if device.type == "mps":
        what = "torch does not compile training steps for this device"
    elif device.type == "cuda" and importlib.util.find_spec("triton") is None:
        what, remedy = (
            "torch compiles for this device with triton, which is not installed",
            f"Install it, or s{remedy[1:]}",
        )
    elif device.type == "cpu" and not any(map(shutil.which, _cpp_compilers())):
        what = "torch compiles for a processor with a C++ compiler, and this machine has none"
        remedy = f"Install one ({_cpp_compilers()[-1]}), or {remedy[0].lower()}{remedy[1:]}"
    if what:
        raise BadInput(what, field="training.compile", value="true", allowed="false", remedy=remedy)


def _cpp_compilers() -> list[str]:
    """Return the commands among which torch looks for a C++ compiler, the usual one last."""
    given = os.environ.get("CXX")
    return [*([given] if given else []), *(["cl"] if os.name == "nt" else ["clang++", "g++"])]


def restored_placement(stored: Mapping[str, Any], otherwise: Placement) -> Placement:
    """Return the placement of a stored run, if this machine has it.

    Args:
        stored: The result of `as_dict`.
        otherwise: The placement to use otherwise.
    """
    device, threads = str(stored.get("device")), stored.get("threads")
    most = policy().threads
    if _numbered(device) not in available_devices() or not isinstance(threads, int) or threads < 1:
        return otherwise
    threads = threads if most is None else min(threads, most)
    precision = str(stored.get("precision"))
    return Placement(
        torch.device(device),
        PRECISIONS.get(precision),
        threads,
        tf32=precision == "tf32",
        deterministic=otherwise.deterministic,
    )


def use_full_float32() -> None:
    """Compute products, convolutions and recurrent layers of float32 in float32, in all of this process.

    Otherwise CUDA computes convolutions and recurrent layers in TF32, which has 10 of the 23 bits of a fraction.
    """
    use_float32(tf32=False)


def use_float32(*, tf32: bool) -> None:
    """Compute products, convolutions and recurrent layers of float32 on CUDA in TF32 or in full, in this process."""
    backends: Any = torch.backends
    torch.set_float32_matmul_precision("high" if tf32 else "highest")
    backends.cudnn.allow_tf32 = tf32
    for part in (backends.cuda.matmul, getattr(backends.cudnn, "conv", None), getattr(backends.cudnn, "rnn", None)):
        if part is not None and hasattr(part, "fp32_precision"):  # torch 2.9 or later
            part.fp32_precision = "tf32" if tf32 else "ieee"


def find_device(name: str, kinds: frozenset[str] | None = None) -> torch.device:
    """Return the device of this name; "auto" selects CUDA, then MPS, then the CPU.

    Args:
        name: "auto", "cpu", "cuda", "cuda:1", "mps".
        kinds: The kinds of devices that "auto" may select; None means all.

    Raises:
        BadInput: This machine lacks the device, or its policy forbids it; the problem lists those that can be used.
    """
    available = available_devices()
    if name == "auto":
        fits = {device.partition(":")[0] for device in available if kinds is None or device.partition(":")[0] in kinds}
        return torch.device(next((kind for kind in ("cuda", "mps") if kind in fits), "cpu"))
    if _numbered(name) not in available:
        if not policy().allows_device(_numbered(name)):
            what = f"this device is not allowed by {policy().source('devices')}"
            allowed = ", ".join(["auto", *available])
            raise BadInput(what, field="training.device", value=name, allowed=allowed, remedy="Choose auto")
        raise BadInput(
            "this machine has no such device",
            field="training.device",
            value=name,
            allowed=", ".join(["auto", *available]),
            remedy="Choose auto, or install a torch build for that device",
        )
    return torch.device(name)


def _numbered(device: str) -> str:
    """Return the name of a device as `available_devices` lists it: "cuda" is the first CUDA device."""
    return "cuda:0" if device == "cuda" else device


def available_devices() -> list[str]:
    """Return the names of the devices of this machine that its policy allows, "cpu" first."""
    cuda = [f"cuda:{i}" for i in range(torch.cuda.device_count())] if torch.cuda.is_available() else []
    mps = ["mps"] if torch.backends.mps.is_available() else []
    return ["cpu", *filter(policy().allows_device, [*cuda, *mps])]


def default_threads() -> int:
    """Return OMP_NUM_THREADS if it is set, else the number of cores that this process may use, as far as allowed."""
    here, most = _threads_here(), policy().threads
    return here if most is None else min(here, most)


def _threads_here() -> int:
    given = os.environ.get("OMP_NUM_THREADS", "")
    if given.isdigit() and int(given) > 0:
        return int(given)
    with contextlib.suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _check_threads(threads: int) -> None:
    most = policy().threads
    if most is not None and threads > most:
        raise BadInput(
            f"more threads are not allowed by {policy().source('threads')}",
            field="training.threads",
            value=threads,
            allowed=f"at most {most}, or 0 for as many as are allowed",
            remedy="Set it to 0",
        )
