"""Numbers from the device to Python without stopping it: one stacked copy per step, read when it has arrived."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import torch


class Readback:
    """Copies under way, oldest first. On the processor they have arrived at once.

    Args:
        device: Where the numbers are computed.
    """

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._under_way: deque[tuple[int, Sequence[int], torch.Tensor, Any]] = deque()

    def put(self, step: int, numbers: Sequence[int], values: torch.Tensor) -> None:
        """Sends (N,) values of one step on their way.

        Args:
            step: Their step.
            numbers: The series of each.
            values: On the device, detached.
        """
        arrived = None
        if self._device.type == "cuda":
            values = torch.empty_like(values, device="cpu", pin_memory=True).copy_(values, non_blocking=True)
            arrived = torch.cuda.Event()  # type: ignore[no-untyped-call]
            arrived.record(torch.cuda.current_stream(self._device))
        self._under_way.append((step, numbers, values, arrived))

    def forget(self, step: int) -> None:
        """Drops the values of a step that was not made after all."""
        while self._under_way and self._under_way[-1][0] == step:
            self._under_way.pop()

    def take(self, *, wait: bool) -> Iterator[tuple[int, Sequence[int], list[float]]]:
        """(step, series numbers, values) of the copies that have arrived; with `wait`, of all."""
        while self._under_way:
            step, numbers, values, arrived = self._under_way[0]
            if arrived is not None and not arrived.query():
                if not wait and len(self._under_way) < 8:
                    return
                arrived.synchronize()
            self._under_way.popleft()
            yield step, numbers, values.tolist()
