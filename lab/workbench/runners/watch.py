"""The doctor beside a training: a thread that examines what it records, and stores what it finds in the run."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from lab.base import LabError
from lab.base.notices import notify
from lab.base.problems import problem_of
from lab.host import Plugins
from lab.runs import RunFolder
from lab.runs.finding_list import RuleFinding, read_findings, write_findings
from lab.workbench.analysis.curves import Curves
from lab.workbench.analysis.examination import Examiner, facts_of, record_of

if TYPE_CHECKING:
    from lab.training.trainer import Trainer

INTERVAL, REST = 5.0, 50
"""Seconds between two examinations, but at least so many times what the last one took."""


class Watch:
    """The examination of a training run, from the moment before its first step until it has ended.

    Args:
        trainer: The trainer, which has made no step in this process.
        folder: Its folder.
        plugins: The plugins with the rules.
    """

    def __init__(self, trainer: Trainer, folder: RunFolder, plugins: Plugins) -> None:
        self._trainer, self._folder = trainer, folder
        self._examiner = Examiner(plugins)
        self._curves = Curves()
        self._reader = trainer.ring.reader()
        self._facts: dict[str, Any] = {}
        self._found: list[RuleFinding] = []
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"lab: doctor of {folder.name}", daemon=True)

    def __enter__(self) -> Watch:
        if self._trainer.step:
            with contextlib.suppress(LabError):  # then only what follows is examined
                self._curves.fill(self._folder.metrics())
            with contextlib.suppress(LabError):
                self._found, _ = read_findings(self._folder.path)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def finish(self) -> None:
        """Examine the whole run once more, after its last record is in its folder."""
        self._attempt()

    def _run(self) -> None:
        with contextlib.suppress(OSError, AttributeError):  # only Linux has priorities of threads
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
        try:
            self._facts = facts_of(self._trainer, self._end.is_set)
        except Exception as error:  # noqa: BLE001 - a plugin's source
            notify("info", problem_of(error, doing="Examining the data"))
        pause = 0.5
        while not self._end.wait(pause):
            started = time.monotonic()
            self._attempt()
            pause = max(INTERVAL, REST * (time.monotonic() - started))

    def _attempt(self) -> None:
        try:
            self._examine()
        except LabError as error:
            notify("info", error.problem)
        except Exception as error:  # noqa: BLE001 - nothing above this thread would report it
            notify("warning", problem_of(error, doing="Examining the run"))
            self._end.set()

    def _examine(self) -> None:
        trainer = self._trainer
        rows = self._reader.take()
        if len(rows):
            self._curves.feed(rows, trainer.ring.names)
        curves = self._curves
        series = {name: (curves.steps(name).astype(np.int64), curves.values(name)) for name in curves.names()}
        problem = "" if trainer.problem is None else trainer.problem.what
        found = self._examiner.examine(record_of(self._folder, series, self._facts, problem))
        if found != self._found or not (self._folder.path / "findings.json").exists():
            write_findings(self._folder.path, found, self._facts)
        self._found = found
