"""What a running training can be told: pause, resume, make single steps, stop, change a live setting.

Orders are small JSON objects, so the same ones reach a training in another process.
"""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Mapping
from typing import Any

from lab.base import BadInput


class Control:
    """The queue of orders of one run. Any thread puts; the training thread takes at step boundaries.

    Args:
        send: Takes each order as JSON, to bring it to a training elsewhere; None keeps them here for `take`.

    Attributes:
        stopping: Set from `stop` on; long work between two steps looks at it.
        check: Raises BadInput for a setting that cannot be changed so; the training says what it is, once it begins.
    """

    def __init__(self, send: Callable[[str], object] | None = None) -> None:
        self._orders: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._send = send or self._orders.put
        self.stopping = threading.Event()
        self.check: Callable[[str, Any], object] | None = None

    def pause(self) -> None:
        """Waits at the next step boundary until `resume`, `single_step` or `stop`."""
        self._put(do="pause")

    def resume(self) -> None:
        """Goes on."""
        self._put(do="resume")

    def single_step(self, steps: int = 1) -> None:
        """Makes so many steps, at least one, and pauses again."""
        if steps < 1:
            raise ValueError(f"at least one step is made, not {steps}")
        self._put(do="step", steps=steps)

    def stop(self) -> None:
        """Ends the training at the next step boundary; the model is saved."""
        self.stopping.set()
        self._put(do="stop")

    def set(self, path: str, value: Any) -> None:
        """Changes a live setting ("training.optimizer.learning_rate") at the next step boundary.

        Raises:
            BadInput: There is no such setting, it is not live, or the value is not allowed. Before the training has
                begun nobody can say so: then it becomes a notice and an event of the run when it does.
            TypeError: The value is no plain data.
        """
        if not isinstance(path, str):
            raise TypeError(f"a path in the recipe is text, not {path!r}")
        if self.check is not None:
            self.check(path, value)
        self._put(do="set", path=path, value=value)

    def give(self, order: Mapping[str, Any]) -> None:
        """Takes an order as `take` gave it in another process.

        Raises:
            BadInput: It is no order, or a setting that cannot be changed so.
        """
        match order:
            case {"do": "pause" | "resume" | "stop" | "checkpoint" as do}:
                getattr(self, do)()
            case {"do": "step", "steps": int(steps)} if steps > 0:
                self.single_step(steps)
            case {"do": "set", "path": str(path), "value": value}:
                self.set(path, value)
            case _:
                raise BadInput("a training knows no such order", field="order", value=json.dumps(dict(order))[:200])

    def checkpoint(self) -> None:
        """Keeps the state at the next step boundary; that checkpoint is not removed by the lab."""
        self._put(do="checkpoint")

    def wake(self) -> None:
        """Lets a paused training look around (for a snapshot)."""
        self._put(do="look")

    def take(self, seconds: float | None = None) -> dict[str, Any] | None:
        """The next order; None when there is none, after waiting up to `seconds` for one."""
        try:
            text = self._orders.get(block=seconds is not None, timeout=seconds)
        except queue.Empty:
            return None
        order: dict[str, Any] = json.loads(text)
        return order

    def _put(self, **order: Any) -> None:
        self._send(json.dumps(order))
