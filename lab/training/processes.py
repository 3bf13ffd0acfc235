"""The processes that train one run together, as torchrun starts them: each computes its rows of every batch.

The first process leads: it alone evaluates, takes commands and writes the run. All hold the same weights and make the
same steps (data parallelism, Li et al. 2020), or each holds a part of the weights, gradients and optimizer state, which
is gathered block by block while it is needed (fully sharded, Zhao et al. 2023).
"""

from __future__ import annotations

import contextlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Literal, TypeVar

import numpy as np
import torch
from safetensors.torch import load, save
from torch import nn

from lab.base import BadInput
from lab.recipes import Training
from lab.training.devices import Placement

T = TypeVar("T")
BY_ELEMENT = ("adamw", "sgd")
"""Optimizers that change each weight by itself, whatever part of a matrix a process holds."""
DRAWN = ("sophia",)
"""Optimizers that ask for gradients of labels drawn from the model."""
Way = Literal["replicate", "shard"]
"""Whether each process holds all weights, or a part of them."""
PATIENCE = timedelta(days=1)
"""For this long the others wait for the leading process, which may evaluate; one that dies is noticed at once."""


@dataclass(frozen=True)
class Processes:
    """The processes of one run; without others all methods return what they are given.

    Args:
        rank: The number of this process, from 0.
        size: How many there are.
        way: One of Way.
    """

    rank: int = 0
    size: int = 1
    way: Way = "replicate"

    @property
    def leads(self) -> bool:
        """True if this process evaluates, takes commands and writes the run."""
        return self.rank == 0

    @property
    def alone(self) -> bool:
        """True if there are no others."""
        return self.size == 1

    @property
    def sharded(self) -> bool:
        """True if this process holds a part of the weights."""
        return not self.alone and self.way == "shard"

    def rows(self, examples: np.ndarray) -> np.ndarray:
        """Return the examples of this process, some (n,) of all (N,) in order."""
        return examples if self.alone else np.array_split(examples, self.size)[self.rank]

    def check(self, training: Training, optimizer: str, *, carries: bool, compares: bool = False) -> None:
        """Refuse a training that cannot be divided among the processes.

        Args:
            training: The training.
            optimizer: The name of its optimizer.
            carries: Whether a state is carried from batch to batch.
            compares: Whether the objective compares the rows of a batch with each other.

        Raises:
            BadInput: It cannot.
        """
        if self.alone:
            return
        smallest = min(training.batch_size, training.batch_start) if training.batch_warmup else training.batch_size
        rows = smallest // training.accumulation
        if rows < self.size:
            raise BadInput(
                f"a piece of a batch has {rows} rows, fewer than the {self.size} processes that share them",
                field="training.batch_size",
                remedy="Take a larger batch, less accumulation, or fewer processes",
            )
        if training.compile:
            raise BadInput(
                "blocks that processes share are not compiled", field="training.compile", remedy="Set it to false"
            )
        if optimizer in DRAWN:
            raise BadInput(
                "estimates the curvature by labels that each process would draw for itself",
                field="training.optimizer.name",
                value=optimizer,
                remedy="Choose another optimizer, or train in one process",
            )
        if compares:
            raise BadInput(
                "compares the rows of a batch with each other, and each process would have a part of them",
                field="objective.name",
                remedy="Train in one process",
            )
        if carries:
            raise BadInput(
                "rows that carry a state cannot be divided among processes",
                field="objective.name",
                remedy="Choose an objective without carried state, or train in one process",
            )
        if not self.sharded:
            return
        remedy = "Train without --shard: each process then holds all weights"
        if optimizer not in BY_ELEMENT:
            what, allowed = "needs whole matrices, and each process holds a part of them", ", ".join(BY_ELEMENT)
            field = "training.optimizer.name"
            raise BadInput(what, field=field, value=optimizer, allowed=allowed, remedy=remedy)
        whole = {
            "training.clip_by": training.clip_by != "norm",
            "training.gradient_noise": training.gradient_noise,
            "training.average": training.averaging == "ema" or training.average,
        }
        for field in (field for field, is_on in whole.items() if is_on):
            raise BadInput("needs all weights, and each process holds a part of them", field=field, remedy=remedy)

    def sums(self, values: Sequence[Any], device: torch.device) -> list[torch.Tensor]:
        """Return the sums of numbers or tensors over all processes, each float64 in its own shape."""
        each = [torch.as_tensor(value, device=device).double() for value in values]
        flat = torch.cat([value.reshape(-1) for value in each])
        if not self.alone:
            torch.distributed.all_reduce(flat)
        parts = torch.split(flat, [value.numel() for value in each])
        return [part.view(value.shape) for part, value in zip(parts, each, strict=True)]

    def led(self, value: T) -> T:
        """Return the value of the leading process, plain data that JSON represents; those of the others are ignored."""
        if self.alone:
            return value
        text = torch.tensor(list(json.dumps(value, allow_nan=True).encode()), dtype=torch.uint8)
        content: T = json.loads(bytes(self._broadcast(text).tolist()).decode())
        return content

    def led_tensors(self, tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        """Return the tensors of the leading process by name, on the CPU; those of the others are ignored."""
        if self.alone:
            return dict(tensors)
        content = save({name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()})
        return load(self._broadcast(torch.frombuffer(bytearray(content), dtype=torch.uint8)).numpy().tobytes())

    def _broadcast(self, content: torch.Tensor) -> torch.Tensor:
        """Return the bytes of the leading process."""
        count = torch.tensor([len(content)])
        torch.distributed.broadcast(count, 0)
        there = content if self.leads else torch.empty(int(count), dtype=torch.uint8)
        torch.distributed.broadcast(there, 0)
        return there

    def placed(self, placement: Placement) -> Placement:
        """Return the placement of this process: on a machine with several cards each process has its own."""
        if self.alone or placement.device.type != "cuda":
            return placement
        device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", self.rank)))
        torch.cuda.set_device(device)
        return replace(placement, device=device)


ALONE = Processes()
_joined = ALONE


def join(way: Way = "replicate") -> Processes:
    """Join the other processes, as the variables of torchrun say; without others do nothing.

    Args:
        way: One of Way.

    Raises:
        BadInput: They cannot be reached.
    """
    global _joined
    if int(os.environ.get("WORLD_SIZE") or 1) < 2 or not _joined.alone:
        return _joined
    try:
        backend = "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo"
        torch.distributed.init_process_group(backend, timeout=PATIENCE)
    except (RuntimeError, ValueError) as error:
        raise BadInput(
            f"the other processes cannot be reached: {error}",
            field="MASTER_ADDR",
            value=os.environ.get("MASTER_ADDR"),
            remedy="Start all of them with torchrun",
        ) from None
    _joined = Processes(torch.distributed.get_rank(), torch.distributed.get_world_size(), way)
    return _joined


def leave_others() -> None:
    """Leave the other processes."""
    global _joined
    if not _joined.alone:
        torch.distributed.destroy_process_group()
    _joined = ALONE


def whole(tensor: torch.Tensor) -> torch.Tensor:
    """Return all of a tensor of which each process holds a part; all processes call this. Others are returned."""
    found: torch.Tensor = tensor.full_tensor() if is_part(tensor) else tensor  # type: ignore[attr-defined]
    return found


def is_part(tensor: torch.Tensor) -> bool:
    """Return True if this process holds a part of a tensor: a torch.distributed.tensor.DTensor, imported if needed."""
    return hasattr(tensor, "full_tensor")


def part_like(tensor: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """Return the part of a tensor that this process holds, if it holds a part of another one of this shape.

    Args:
        tensor: All of it, which every process has.
        like: The other one.
    """
    if not is_part(like) or tensor.shape != like.shape:
        return tensor
    from torch.distributed.tensor import DTensor

    other: Any = like
    mesh = other.device_mesh
    parts = tensor.chunk(mesh.size(), dim=0)  # as fully_shard divides them
    rank = mesh.get_local_rank()
    own = parts[rank] if rank < len(parts) else tensor.new_empty((0, *tensor.shape[1:]))
    found: torch.Tensor = DTensor.from_local(
        own.to(like.device).clone(), mesh, other.placements, run_check=False, shape=tensor.shape, stride=tensor.stride()
    )
    return found


class _Call(nn.Module):
    """A module that computes a function of a model, since torch's wrappers act when a module is called."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, compute: Callable[[], Any]) -> Any:
        """Return what the function computes."""
        return compute()


class Passes:
    """Forward and backward passes of a model, after which the gradients are those of all processes' rows.

    Args:
        model: The model; if its weights are to be sharded, its parameters are replaced.
        processes: The processes.
    """

    def __init__(self, model: nn.Module, processes: Processes) -> None:
        self._processes = processes
        self._module: Any = None
        if processes.alone:
            return
        called = _Call(model)
        if processes.way == "shard":
            self._module = _sharded(called, processes.size)
            return
        device = next(model.parameters()).device
        self._module = nn.parallel.DistributedDataParallel(
            called, device_ids=[device] if device.type == "cuda" else None, find_unused_parameters=True
        )

    def compute(self, compute: Callable[[], T]) -> T:
        """Return what a function of the model computes: tensors in tuples, lists, dicts and dataclasses."""
        result: T = compute() if self._module is None else self._module(compute)
        return result

    def synced(self, *, last: bool) -> contextlib.AbstractContextManager[object]:
        """Return a context for the passes of a piece of a batch: gradients are exchanged with the last piece alone."""
        if self._module is None or last or self._processes.way == "shard":
            return contextlib.nullcontext()
        found: contextlib.AbstractContextManager[object] = self._module.no_sync()
        return found

    def scaled(self, loss: torch.Tensor) -> torch.Tensor:
        """Return the loss of which to compute gradients: torch takes their mean over the processes, not the sum."""
        return loss if self._processes.alone else loss * self._processes.size

    @contextlib.contextmanager
    def gathered(self) -> Iterator[None]:
        """Let the model of this process have all its weights in the body; all processes call this together."""
        if not self._processes.sharded:
            yield
            return
        modules = [module for module in self._module.modules() if hasattr(module, "unshard")]
        self._module.set_reshard_after_forward(False)
        for module in modules:
            module.unshard()
        try:
            yield
        finally:
            for module in modules:
                module.reshard()
            self._module.set_reshard_after_forward(True)


def _sharded(called: _Call, size: int) -> Any:
    """Divide the parameters of a model among processes: those of each block, and all others."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard  # imported late, as it takes long

    mesh = init_device_mesh(next(called.parameters()).device.type, (size,))
    blocks = list(dict.fromkeys(getattr(called.model, "blocks", ())))
    used = Counter(id(parameter) for block in blocks for parameter in block.parameters())
    if max(used.values(), default=1) == 1:  # no parameter belongs to two of them
        for block in blocks:
            fully_shard(block, mesh=mesh)
    return fully_shard(called, mesh=mesh)
