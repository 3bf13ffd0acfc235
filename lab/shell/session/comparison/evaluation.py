"""The evaluation of several runs on the same text, in one protocol, one run after the other.

The text is the validation text of one of them, or a file of the user.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING

from lab.api import Text
from lab.base.files.writing import write_file
from lab.base.jobs import Cancelled
from lab.shell.session.runs.comparability import same_corpus
from lab.workbench import SavedRun

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.base.problems import Problem
    from lab.shell.session.runs.model import RunModel
    from lab.training.evaluation import Evaluation
    from lab.workbench.access.model_access import ModelAccess

CHARACTERS = 50_000
"""Most characters of a validation text on which several runs are evaluated."""
PROTOCOLS = ("windows", "stream")
"""The protocols that are offered; every model can be evaluated in windows."""


class State(Enum):
    """The states of an evaluation of several runs."""

    IDLE = auto()
    """Nothing was evaluated."""
    READING = auto()
    """The text is being read."""
    EVALUATING = auto()
    """The runs are being evaluated."""
    DONE = auto()
    """Every run has a loss or a problem."""
    CANCELLED = auto()
    """The user ended it; what was measured stays."""
    REFUSED = auto()
    """There is no text."""


@dataclass
class Row:
    """The result for one run.

    Args:
        run: The run.
        seen: True if the run trained on a part of the text.
        evaluation: Its loss; None until it is measured.
        problem: Why it cannot be measured.
    """

    run: RunModel
    seen: bool = False
    evaluation: Evaluation | None = None
    problem: Problem | None = None

    @property
    def is_current(self) -> bool:
        """True if the run has made no step since its loss was measured."""
        return self.evaluation is not None and self.evaluation.step in (None, self.run.step)


class SameTextEvaluation:
    """The state of an evaluation of several runs on the validation text of one of them, or on a file.

    Attributes:
        state: What happens.
        protocol: The protocol for all of them.
        reference: The run whose validation text is read; None before the first evaluation.
        file: The file of the text; None for the validation text.
        text: The text; "" until it is read.
        rows: One for each run, in the order in which they are evaluated.
        problem: Why there is no text.
        number: The number of the evaluation; answers with another number are stale.
    """

    def __init__(self) -> None:
        self.state = State.IDLE
        self.protocol = PROTOCOLS[0]
        self.reference: RunModel | None = None
        self.file: Path | None = None
        self.text = ""
        self.rows: list[Row] = []
        self.problem: Problem | None = None
        self.number = 0

    @property
    def works(self) -> bool:
        """True while the text is being read or runs are being evaluated."""
        return self.state in (State.READING, State.EVALUATING)

    @property
    def progress(self) -> tuple[int, int]:
        """The number of runs that have a loss or a problem, and of all of them."""
        return sum(_has_ended(row) for row in self.rows), len(self.rows)

    def row_of(self, run: RunModel) -> Row | None:
        """Return the result for a run; None if it was not evaluated."""
        return next((row for row in self.rows if row.run is run), None)

    def start(self, runs: Sequence[RunModel], reference: RunModel, protocol: str, file: Path | None = None) -> int:
        """Start another evaluation, and return its number.

        Args:
            runs: The runs.
            reference: The one whose validation text all of them read, unless there is a file.
            protocol: One of PROTOCOLS.
            file: The file that they read; None for the validation text.
        """
        self.number += 1
        self.state, self.problem, self.text = State.READING, None, ""
        self.reference, self.protocol, self.file = reference, protocol, file
        self.rows = [Row(run, file is None and has_seen(run, reference)) for run in runs]
        return self.number

    def is_current(self, number: int) -> bool:
        """Return True if this evaluation was neither cancelled nor replaced by another one."""
        return number == self.number

    def take_text(self, number: int, text: str) -> bool:
        """Store the text. Return False if the answer is stale."""
        if number != self.number or self.state is not State.READING:
            return False
        self.state, self.text = State.EVALUATING, text
        return True

    def refuse(self, number: int, problem: Problem) -> None:
        """Note that there is no text."""
        if number == self.number and self.state is State.READING:
            self.state, self.problem = State.REFUSED, problem

    def next_run(self) -> Row | None:
        """Return the next run to evaluate; None at the end."""
        if self.state is not State.EVALUATING:
            return None
        waiting = next((row for row in self.rows if not _has_ended(row)), None)
        if waiting is None:
            self.state = State.DONE
        return waiting

    def take(self, number: int, row: Row, found: Evaluation | None, problem: Problem | None = None) -> bool:
        """Store the loss of a run, or why it has none. Return False if the answer is stale."""
        if number != self.number or self.state is not State.EVALUATING:
            return False
        row.evaluation, row.problem = found, problem
        return True

    def cancel(self) -> None:
        """End the evaluation; what was measured stays."""
        if self.works:
            self.state = State.CANCELLED
            self.number += 1


def has_seen(run: RunModel, reference: RunModel) -> bool:
    """Return True if a run trained on a part of the validation text of another one."""
    less = run.recipe.training.validation_share < reference.recipe.training.validation_share
    return run is not reference and same_corpus(run, reference) and less


def can_evaluate(runs: Sequence[RunModel], reference: RunModel | None) -> bool:
    """Return True if there is more than one run, and a validation text that all of them can read."""
    with_text = reference is not None and reference.recipe.training.validation_share > 0
    return with_text and can_evaluate_on_file(runs, reference)


def can_evaluate_on_file(runs: Sequence[RunModel], reference: RunModel | None) -> bool:
    """Return True if there is more than one run, and they read text."""
    return reference is not None and not reference.on_examples and len(runs) > 1


def validation_text(access: ModelAccess, job: Job) -> str:
    """Return the start of the validation text of a run; in a thread.

    Raises:
        BadInput: The run has no validation text, or its corpus is not here.
        LabError: The run has not started.
    """
    del job
    return access.validation_text(CHARACTERS)


def text_of_file(file: Path, job: Job) -> str:
    """Return the start of the text in a file; in a thread.

    Raises:
        BadInput: The file cannot be read, or has no text.
    """
    from lab.text.corpora.files import FileConfig, read_file  # imported here, so that the window opens sooner

    del job
    given = read_file(FileConfig.read({"path": str(file)}, field="corpus"))
    if isinstance(given, Text):
        return given.text[:CHARACTERS]
    start = ""
    for piece in given.pieces():
        start += piece
        if len(start) >= CHARACTERS:
            break
    return start[:CHARACTERS]


def evaluate_run(
    access: ModelAccess, text: str, protocol: str, *, release: bool, cancelled: Callable[[], bool]
) -> Evaluation:
    """Evaluate a run on a text; in a thread.

    Args:
        access: The model of the run.
        text: The text.
        protocol: One of PROTOCOLS.
        release: True to free the model of a run on disk afterwards.
        cancelled: Called between batches; returns True to end it.

    Raises:
        Cancelled: It was.
        LabError: The model cannot be evaluated on the text.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="lm-lab-", ignore_cleanup_errors=True) as folder:
            file = Path(folder) / "validation.txt"
            write_file(file, text)
            found = access.evaluate(text=file, protocol=protocol, cancelled=cancelled)
    finally:
        if release and isinstance(access, SavedRun):
            access.forget_model()
    if cancelled():
        raise Cancelled
    return found


def _has_ended(row: Row) -> bool:
    return row.evaluation is not None or row.problem is not None
