"""Between the process that trains a run and others that have its folder: their orders come in, its figures go out."""

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
"""Seconds between two looks for orders: one look asks for the size of a file."""


class Listener:
    """A thread that hands orders from the run's folder to its training, and tells there how that is.

    It tells the figures of each evaluation, and the problem for which the training waits.

    Args:
        folder: The run, which this process writes.
        trainer: Its lab.training.trainer.Trainer.
    """

    def __init__(self, folder: RunFolder, trainer: Any) -> None:
        self._folder, self._trainer = folder, trainer
        self._orders = CommandReader(folder.path)
        self._told: tuple[Any, Problem | None] = (None, None)  # evaluation and problem, as they stand in the folder
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"lab: orders to {folder.name}", daemon=True)
        self._thread.start()

    def __enter__(self) -> None:
        """It listens since it was made."""

    def __exit__(self, *error: object) -> None:
        self._end.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._end.wait(POLL):
            for order in self._orders.take():
                try:
                    self._trainer.control.give(order)
                except Exception as error:  # noqa: BLE001 - whatever somebody wrote there, the training goes on
                    problem = problem_of(error)
                    notify("warning", problem)
                    self._trainer.log.event("problem", self._trainer.step, **problem.as_dict())
            evaluation, problem = self._trainer.evaluation, self._trainer.problem
            if (evaluation, problem) != self._told:
                with contextlib.suppress(LabError):  # a full disk: it is tried again
                    self._folder.update(state="running", summary=summary_of(self._trainer), problem=problem)
                    self._told = evaluation, problem


def control_of(folder: RunFolder) -> Control:
    """What gives orders to whichever process trains a run; each order raises LabError where none does."""
    return Control(lambda order: append_command(folder, json.loads(order)))
