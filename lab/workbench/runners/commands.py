"""Communication with the process that trains a run, through the run's folder: commands in, figures out."""

from __future__ import annotations

import contextlib
import json
import threading
from typing import Any

from lab.base import LabError, Problem
from lab.base.notices import notify
from lab.base.problems import problem_of
from lab.base.run_state import RunState
from lab.runs import RunFolder
from lab.runs.commands import CommandReader, append_command
from lab.training.control import Control
from lab.workbench.launch.summary import summary_of

POLL = 0.2
"""Seconds between two checks for commands; a check reads the size of a file."""


class CommandListener:
    """A thread that passes commands from the run's folder to its training, and writes the training's status there.

    The status has the figures of the last evaluation, and the problem that paused the training.

    Args:
        folder: The run; this process is its writer.
        trainer: Its lab.training.trainer.Trainer.
    """

    def __init__(self, folder: RunFolder, trainer: Any) -> None:
        self._folder, self._trainer = folder, trainer
        self._commands = CommandReader(folder.path)
        self._written: tuple[Any, Problem | None] = (None, None)  # evaluation and problem as last written
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"lab: commands to {folder.name}", daemon=True)
        self._thread.start()

    def __enter__(self) -> None:
        """The thread was started by the constructor."""

    def __exit__(self, *error: object) -> None:
        self._end.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._end.wait(POLL):
            for command in self._commands.take():
                try:
                    self._trainer.control.give(command)
                except Exception as error:  # noqa: BLE001 - the training continues, whatever was written there
                    problem = problem_of(error)
                    notify("warning", problem)
                    self._trainer.log.event("problem", self._trainer.step, **problem.as_dict())
            evaluation, problem = self._trainer.evaluation, self._trainer.problem
            if (evaluation, problem) != self._written:
                with contextlib.suppress(LabError):  # a full disk; it is tried again
                    self._folder.update(state=RunState.RUNNING, summary=summary_of(self._trainer), problem=problem)
                    self._written = evaluation, problem


def control_of(folder: RunFolder) -> Control:
    """Return the control of a run that any process trains; its commands raise LabError if none does."""
    return Control(lambda command: append_command(folder, json.loads(command)))
