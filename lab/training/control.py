"""Commands to a running training: pause, resume, make single steps, stop, change a live setting.

Commands are small JSON objects, so that the same commands can be sent to a training in another process.
"""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Mapping
from typing import Any

from lab.base import BadInput


class Control:
    """The queue of commands of one run. Any thread adds commands; the training thread takes them at step boundaries.

    Args:
        send: A function that sends each command as JSON to another process; None queues them here for `take`.

    Attributes:
        stopping: Set by `stop`; long work between two steps checks it.
        check: A function that raises BadInput for a change that is not allowed; set by the training when it starts.
    """

    def __init__(self, send: Callable[[str], object] | None = None) -> None:
        self._commands: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._send = send or self._commands.put
        self.stopping = threading.Event()
        self.check: Callable[[str, Any], object] | None = None

    def pause(self) -> None:
        """Pause at the next step boundary until `resume`, `single_step` or `stop`."""
        self._put(do="pause")

    def resume(self) -> None:
        """Resume training."""
        self._put(do="resume")

    def single_step(self, steps: int = 1) -> None:
        """Make `steps` steps, at least one, and pause again."""
        if steps < 1:
            raise ValueError(f"steps must be at least 1, not {steps}")
        self._put(do="step", steps=steps)

    def stop(self) -> None:
        """End the training at the next step boundary; the model is saved."""
        self.stopping.set()
        self._put(do="stop")

    def set(self, path: str, value: Any) -> None:
        """Change a live setting ("training.optimizer.learning_rate") at the next step boundary.

        Raises:
            BadInput: There is no such setting, it is not live, or the value is not allowed. Before the training
                starts this is not known: it is then reported as a notice and an event of the run.
            TypeError: The value is not plain data.
        """
        if not isinstance(path, str):
            raise TypeError(f"a path in the recipe is text, not {path!r}")
        if self.check is not None:
            self.check(path, value)
        self._put(do="set", path=path, value=value)

    def give(self, command: Mapping[str, Any]) -> None:
        """Queue a command that `take` returned in another process.

        Raises:
            BadInput: It is not a command, or a change that is not allowed.
        """
        match command:
            case {"do": "pause" | "resume" | "stop" | "checkpoint" as do}:
                getattr(self, do)()
            case {"do": "step", "steps": int(steps)} if steps > 0:
                self.single_step(steps)
            case {"do": "set", "path": str(path), "value": value}:
                self.set(path, value)
            case _:
                raise BadInput(
                    "is not a command to a training run", field="command", value=json.dumps(dict(command))[:200]
                )

    def checkpoint(self) -> None:
        """Save the state at the next step boundary; the lab never removes this checkpoint."""
        self._put(do="checkpoint")

    def wake(self) -> None:
        """Wake a paused training, so that it makes a requested copy."""
        self._put(do="wake")

    def take(self, seconds: float | None = None) -> dict[str, Any] | None:
        """Return the next command; None if there is none after waiting up to `seconds`."""
        try:
            text = self._commands.get(block=seconds is not None, timeout=seconds)
        except queue.Empty:
            return None
        command: dict[str, Any] = json.loads(text)
        return command

    def _put(self, **command: Any) -> None:
        self._send(json.dumps(command))
