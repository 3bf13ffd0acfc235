"""The study that is edited and trained, without widgets: its text, its plan, and its runs in a thread."""

from __future__ import annotations

import contextlib
import os
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from lab.base import BadInput, LabError
from lab.base.files.reading import read_text
from lab.base.jobs import Job
from lab.base.units import duration
from lab.host import Plugins
from lab.shell.compare.many.table_model import Cell
from lab.studies.plans import Study, parse_study
from lab.widgets.core.i18n import localized, tr
from lab.workbench.studies.execution import StudyExecution
from lab.workbench.studies.results import StudyResults, TrialState
from lab.workbench.studies.store import STUDY, StudyStore, studies_folder

MOST_LISTED = 100
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
    """What the controller does."""

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


class StudyController:
    """One study at a time. `carry_out` is called in a thread; everything else in the main thread.

    Args:
        plugins: The plugins.

    Attributes:
        text: The text of the study, as it is edited.
        folder: Where a recipe that it names is searched for; None for nowhere.
        state: What it does.
        results: What is known of the runs of the study that was checked or trained last; None at first.
    """

    def __init__(self, plugins: Plugins) -> None:
        self._plugins = plugins
        self.text = EXAMPLE
        self.folder: Path | None = None
        self.state = State.IDLE
        self.results: StudyResults | None = None
        self._execution: StudyExecution | None = None

    def known(self) -> list[Known]:
        """Return the studies of this machine, those that changed last first."""
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

    def start(self) -> None:
        """Note that a study starts to train."""
        self.state = State.TRAINING

    def pause(self) -> None:
        """Stop and save the runs that train; the study continues with the next start."""
        if self.state == State.TRAINING:
            self.state = State.PAUSING
            if self._execution is not None:
                self._execution.cancel()

    def end(self, results: StudyResults | None) -> None:
        """Note that a study has ended or was paused.

        Args:
            results: Its results; None if it failed.
        """
        self.state, self._execution = State.IDLE, None
        self.results = results or self.results

    def put_first(self, rows: Sequence[int]) -> None:
        """Let runs that wait train before all others that wait.

        Args:
            rows: Their positions in the table.

        Raises:
            LabError: It cannot be stored.
        """
        if self.results is None:
            return
        trials = [self.results.trials[row] for row in rows if row < len(self.results.trials)]
        keys = [each.trial.key for each in trials if each.state == TrialState.WAITING]
        if keys:
            StudyStore(self.results.study).put_first(keys)

    def table(self) -> tuple[list[str], list[list[Cell]]]:
        """Return titles and cells of the runs."""
        titles = [tr("Run"), tr("Setting"), tr("Seed"), tr("State"), tr("Loss"), tr("Time")]
        rows = []
        for each in () if self.results is None else self.results.trials:
            seconds, state = each.figure("seconds"), state_labels()[each.state]
            rows.append(
                [
                    Cell(str(each.trial.number + 1), float(each.trial.number)),
                    Cell(each.trial.arm, each.trial.arm),
                    Cell(str(each.trial.seed), float(each.trial.seed)),
                    Cell(f"{state}: {each.problem}" if each.problem else state, state),
                    Cell("–" if each.loss is None else localized(f"{each.loss:.4f}"), each.loss),
                    Cell("–" if seconds is None else localized(duration(seconds)), seconds),
                ]
            )
        return titles, rows

    def summary(self) -> str:
        """Return how many runs are in which state."""
        if self.results is None:
            return ""
        counts: dict[TrialState, int] = {}
        for each in self.results.trials:
            counts[each.state] = counts.get(each.state, 0) + 1
        labels = state_labels()
        return ", ".join(f"{count} {labels[state]}" for state, count in counts.items())


def state_labels() -> dict[TrialState, str]:
    """Return the states of runs with their labels."""
    return {
        TrialState.WAITING: tr("waiting"),
        TrialState.RUNNING: tr("training"),
        TrialState.FINISHED: tr("finished"),
        TrialState.STOPPED: tr("stopped by its rule"),
        TrialState.FAILED: tr("failed"),
    }


def machine_label() -> str:
    """Return the cores of this machine, how busy they are, and its free memory."""
    cores, free = os.cpu_count() or 1, psutil.virtual_memory().available / 2**30
    busy = psutil.cpu_percent(interval=None)
    return tr("{cores} cores, {busy} % busy, {free} GB of memory free", cores=cores, busy=round(busy),
              free=localized(f"{free:.1f}"))  # fmt: skip


def problem_text(error: LabError) -> str:
    """Return the problem of a study in the language of the window."""
    from lab.widgets.core.messages import problem_line

    return problem_line(error.problem)
