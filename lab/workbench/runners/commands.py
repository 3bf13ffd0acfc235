"""What passes between the process that trains a run and others that have its folder: commands in, figures out."""

from __future__ import annotations

import contextlib
import json
import threading
from typing import Any

from lab.base import LabError, Problem
from lab.base.notices import notify
from lab.base.problems import problem_of
from lab.runs import RunFolder
from lab.runs.commands import CommandReader, append_command
from lab.training.control import Control
from lab.workbench.runners.summary import summary_of

POLL = 0.2
"""Seconds between two checks for commands; a check reads the size of a file."""


class CommandListener:
    """A thread that passes commands from the run's folder to its training, and writes there how the training is.

    It writes the figures of each evaluation, and the problem for which the training waits.

    Args:
        folder: The run, which this process writes.
        trainer: Its lab.training.trainer.Trainer.
    """

    def __init__(self, folder: RunFolder, trainer: Any) -> None:
        self._folder, self._trainer = folder, trainer
        self._orders = CommandReader(folder.path)
        self._written: tuple[Any, Problem | None] = (None, None)  # evaluation and problem, as the folder has them
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"lab: orders to {folder.name}", daemon=True)
        self._thread.start()

    def __enter__(self) -> None:
        """The thread runs since it was made."""

    def __exit__(self, *error: object) -> None:
        self._end.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._end.wait(POLL):
            for order in self._orders.take():
                try:
                    self._trainer.control.give(order)
                except Exception as error:  # noqa: BLE001 - whatever was written there, the training continues
                    problem = problem_of(error)
                    notify("warning", problem)
                    self._trainer.log.event("problem", self._trainer.step, **problem.as_dict())
            evaluation, problem = self._trainer.evaluation, self._trainer.problem
            if (evaluation, problem) != self._written:
                with contextlib.suppress(LabError):  # a full disk: tried again
                    self._folder.update(state="running", summary=summary_of(self._trainer), problem=problem)
                    self._written = evaluation, problem


def control_of(folder: RunFolder) -> Control:
    """Return the control of whichever process trains a run; each command raises LabError where none does."""
    return Control(lambda order: append_command(folder, json.loads(order)))
