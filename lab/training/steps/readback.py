"""Reading of numbers from the device without blocking it: one stacked copy per step, read after it has arrived."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import torch


class Readback:
    """The copies in progress, oldest first. On the CPU they arrive at once.

    Args:
        device: The device that computes the numbers.
    """

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._pending: deque[tuple[int, Sequence[int], torch.Tensor, Any]] = deque()

    def put(self, step: int, numbers: Sequence[int], values: torch.Tensor) -> None:
        """Begin copying the values (N,) of one step.

        Args:
            step: The step.
            numbers: The series number of each value.
            values: The values on the device, detached.
        """
        arrived = None
        if self._device.type == "cuda":
            values = torch.empty_like(values, device="cpu", pin_memory=True).copy_(values, non_blocking=True)
            arrived = torch.cuda.Event()  # type: ignore[no-untyped-call]
            arrived.record(torch.cuda.current_stream(self._device))
        self._pending.append((step, numbers, values, arrived))

    def forget(self, step: int) -> None:
        """Drop the values of a step that failed."""
        while self._pending and self._pending[-1][0] == step:
            self._pending.pop()

    def take(self, *, wait: bool) -> Iterator[tuple[int, Sequence[int], list[float]]]:
        """Yield (step, series numbers, values) of the copies that have arrived; with `wait`, of all copies."""
        while self._pending:
            step, numbers, values, arrived = self._pending[0]
            if arrived is not None and not arrived.query():
                if not wait and len(self._pending) < 8:
                    return
                arrived.synchronize()
            self._pending.popleft()
            yield step, numbers, values.tolist()
