"""The evaluation of runs on the same text in the background, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from lab.base.problems import Problem
from lab.shell.runtime.background import Background
from lab.shell.session.comparison.evaluation import (
    Row,
    SameTextEvaluation,
    evaluate_run,
    text_of_file,
    validation_text,
)
from lab.shell.session.runs.comparability import Comparability
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.i18n import tr

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.training.evaluation import Evaluation


class SameTextEvaluator(QObject):
    """Evaluates runs on the same text in the background, one after the other.

    Args:
        registry: The runs; the model of the selected one stays in memory.
        background: Runs the evaluations in threads.
        parent: Its parent; no result is delivered after Qt has deleted it.

    Attributes:
        model: The state.
    """

    changed = Signal()
    """The state has changed."""

    def __init__(self, registry: RunRegistry, background: Background, parent: QObject) -> None:
        super().__init__(parent)
        self.model = SameTextEvaluation()
        self._registry, self._background = registry, background

    def start(self, found: Comparability, protocol: str, file: Path | None = None) -> None:
        """Evaluate the runs of a comparison on the validation text of its reference, or on a file."""
        if found.reference is None:
            return
        number = self.model.start([one.run for one in found.runs], found.reference, protocol, file)
        taken = partial(self._take_text, number)
        if file is None:
            work: Callable[[Job], str] = partial(validation_text, found.reference.source)
            title = tr("Reading the validation text of {run}", run=found.reference.name)
        else:
            work, title = partial(text_of_file, file), tr("Reading {name}", name=file.name)
        self._background.run(title, work, taken, partial(self._refuse, number))
        self.changed.emit()

    def cancel(self) -> None:
        """End the evaluation; what was measured stays."""
        self.model.cancel()
        self.changed.emit()

    def _take_text(self, number: int, text: str) -> None:
        if self.model.take_text(number, text):
            self._evaluate_next(number)

    def _refuse(self, number: int, problem: Problem) -> None:
        self.model.refuse(number, problem)
        self.changed.emit()

    def _evaluate_next(self, number: int) -> None:
        row = self.model.next_run()
        if row is not None:
            title = tr("Evaluating {run}", run=row.run.name)
            work = partial(self._evaluate, number, row, release=row.run is not self._registry.selected)
            taken, failed = partial(self._take, number, row), partial(self._fail, number, row)
            self._background.run(title, work, taken, failed)
        self.changed.emit()

    def _evaluate(self, number: int, row: Row, job: Job, *, release: bool) -> Evaluation:
        """Evaluate a run; in a thread."""
        model = self.model

        def cancelled() -> bool:
            return job.cancelled or not model.is_current(number)

        return evaluate_run(row.run.source, model.text, model.protocol, release=release, cancelled=cancelled)

    def _take(self, number: int, row: Row, found: Evaluation) -> None:
        if self.model.take(number, row, found):
            self._evaluate_next(number)

    def _fail(self, number: int, row: Row, problem: Problem) -> None:
        if self.model.take(number, row, None, problem):
            self._evaluate_next(number)
