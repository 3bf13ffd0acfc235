"""Compiled blocks: torch writes code of its own for the blocks of a model, which its training steps run."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn

from lab.base import BadInput

BACKEND = "inductor"
"""Torch's compiler, as a backend of torch.compile."""
OF_COMPILER = ("torch._dynamo", "torch._inductor", "torch._functorch")
"""The modules whose errors are about what cannot be compiled."""


class CompiledBlocks:
    """The blocks of a model in two forms: as written, for evaluations, copies and readings, and compiled, for steps.

    Blocks of one kind share their code. What cannot become one graph is refused rather than run in pieces.

    Args:
        model: A stack of blocks, if they are compiled.
        enabled: Whether they are compiled.
    """

    def __init__(self, model: nn.Module, enabled: bool) -> None:
        self.enabled = enabled
        self._seconds: list[float] = []  # of the first two steps
        blocks: Any = model.blocks if enabled else ()
        options: Any = {"compile_threads": 1} if BACKEND == "inductor" else None  # no further processes
        if enabled:
            limit = torch._dynamo.config.recompile_limit
            torch._dynamo.config.recompile_limit = max(limit, 4 * len(blocks))
        self._forms = [
            (block, torch.compile(block.forward, backend=BACKEND, fullgraph=True, options=options)) for block in blocks
        ]

    @contextlib.contextmanager
    def used(self) -> Iterator[None]:
        """Let the blocks run in their compiled form in the body, which compiles them the first time.

        Raises:
            BadInput: A block cannot be compiled.
        """
        if not self.enabled:
            yield
            return
        for block, compiled in self._forms:
            block.forward = compiled
        try:
            with warnings.catch_warnings():  # the compiler reads the gradients of whatever it sees
                warnings.filterwarnings("ignore", "The .grad attribute of a Tensor", UserWarning)
                yield
        except Exception as error:
            if type(error).__module__.startswith(OF_COMPILER):
                raise _refused(error) from None
            raise
        finally:
            for block, _ in self._forms:
                del block.forward  # the method of the class is visible again

    def note_seconds(self, seconds: float) -> float | None:
        """Note the time of a step; return how long compiling took, once, after the second step."""
        if not self.enabled or len(self._seconds) == 2:
            return None
        self._seconds.append(seconds)
        return max(0.0, self._seconds[0] - self._seconds[1]) if len(self._seconds) == 2 else None


def _refused(error: Exception) -> BadInput:
    reason = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
    return BadInput(
        f"the blocks of this model cannot be compiled to one graph: {reason}",
        field="training.compile",
        value="true",
        allowed="false",
        remedy="Set training.compile=false",
    )
