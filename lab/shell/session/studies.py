"""The study that is edited and trained, without widgets: its text, its plan, and its runs in a thread."""

from __future__ import annotations

import contextlib
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from lab.base import BadInput
from lab.base.files.reading import read_text
from lab.base.jobs import Job
from lab.base.problems import Problem
from lab.host import Plugins
from lab.shell.runtime.background import Background
from lab.studies.plans import Study, parse_study
from lab.widgets.core.i18n import tr
from lab.workbench.studies.execution import StudyExecution
from lab.workbench.studies.results import StudyResults, TrialState
from lab.workbench.studies.store import STUDY, StudyStore, studies_folder

MOST_LISTED = 100
TRAINING = "carry out the study"
EXAMPLE = """title = "Width and rate"
question = "Does the best learning rate depend on the width?"
recipe = "quick-start"
set = ["training.steps=200"]
seeds = [0, 1]

[[vary]]
path = "architecture.width"
values = [32, 64]

[[vary]]
path = "training.optimizer.learning_rate"
low = 1e-3
high = 1e-2
log = true
count = 2
"""
"""The text of a new study."""


class State(Enum):
    """The state of the controller."""

    IDLE = auto()
    TRAINING = auto()
    PAUSING = auto()


@dataclass(frozen=True)
class Known:
    """A study of this machine.

    Args:
        title: Its title.
        file: Its file.
    """

    title: str
    file: Path


class StudyController(QObject):
    """One study at a time, which goes on while the window is made again.

    `known`, `check` and `carry_out` are called in threads; everything else in the main thread.

    Args:
        plugins: The plugins.
        background: Trains in a thread.
        parent: Its parent.

    Attributes:
        text: The text of the study, as it is edited.
        folder: Where a recipe that it names is searched for; None for nowhere.
        state: What it does.
        results: What is known of the runs of the study that was checked or trained last; None at first.
        problem: Why the study that was trained last failed; None if it did not.
    """

    changed = Signal()
    """A study started, pauses, ended or failed."""

    def __init__(self, plugins: Plugins, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plugins, self._background = plugins, background
        self.text = EXAMPLE
        self.folder: Path | None = None
        self.state = State.IDLE
        self.results: StudyResults | None = None
        self.problem: Problem | None = None
        self._execution: StudyExecution | None = None

    def known(self, job: Job) -> list[Known]:
        """Return the studies of this machine, those that changed last first; in a thread."""
        del job
        found = []
        with contextlib.suppress(OSError):
            files = [file for file in studies_folder().glob(f"*/{STUDY}") if file.is_file()]
            for file in sorted(files, key=lambda file: -file.stat().st_mtime)[:MOST_LISTED]:
                with contextlib.suppress(OSError, ValueError):
                    title = tomllib.loads(read_text(file)).get("title")
                    found.append(Known(str(title or file.parent.name), file))
        return found

    def open(self, file: Path) -> None:
        """Open a study file.

        Raises:
            BadInput: It cannot be read.
        """
        try:
            self.text = read_text(file)
        except (OSError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or error
            raise BadInput(tr("cannot be read: {reason}", reason=reason), field="study", value=file.name) from None
        self.folder = file.parent

    def study(self) -> Study:
        """Return the study that the text describes.

        Raises:
            BadInput: It is none; the problem names the field.
        """
        return parse_study(self.text, self.folder)

    def check(self, study: Study, job: Job) -> StudyResults:
        """Return the plan of a study with what is known of its runs; in a thread.

        Raises:
            BadInput: The plan cannot be used.
        """
        del job
        return StudyExecution(study, self._plugins).results()

    def carry_out(self, study: Study, workers: int, job: Job) -> StudyResults:
        """Train the runs of a study; in a thread. It ends when all have ended, or after `pause`.

        Raises:
            BadInput: The plan cannot be used.
            LabError: The folder of the study cannot be written.
        """

        def take(results: StudyResults) -> None:
            self.results = results
            if job.cancelled:
                execution.cancel()

        execution = self._execution = StudyExecution(study, self._plugins, workers, take)
        if self.state == State.PAUSING:  # before there was anything to pause
            execution.cancel()
        return execution.run()

    def train(self, study: Study, workers: int) -> None:
        """Start to train the runs of a study, as many at once as there are workers."""
        self.start()
        work = partial(self.carry_out, study, workers)
        self._background.run(study.title, work, self.end, self.fail, replaces=TRAINING)

    def start(self) -> None:
        """Note that a study starts to train."""
        self.state, self.problem = State.TRAINING, None
        self.changed.emit()

    def pause(self) -> None:
        """Stop and save the runs that train; the study continues with the next start."""
        if self.state == State.TRAINING:
            self.state = State.PAUSING
            if self._execution is not None:
                self._execution.cancel()
            self.changed.emit()

    def end(self, results: StudyResults) -> None:
        """Note that a study has ended or was paused, with its results."""
        self.state, self._execution, self.results = State.IDLE, None, results
        self.changed.emit()

    def fail(self, problem: Problem) -> None:
        """Note that a study failed."""
        self.state, self._execution, self.problem = State.IDLE, None, problem
        self.changed.emit()

    def put_first(self, keys: Sequence[str]) -> None:
        """Let runs that wait train before all others that wait.

        Args:
            keys: Their keys.

        Raises:
            LabError: It cannot be stored.
        """
        if self.results is None:
            return
        waiting = [each.trial.key for each in self.results.trials if each.state == TrialState.WAITING]
        found = [key for key in waiting if key in set(keys)]
        if found:
            StudyStore(self.results.study).put_first(found)
