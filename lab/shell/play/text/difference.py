"""The difference of the text on show to another run: which run it is, scoring under it, and the colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject

from lab.base.problems import Problem
from lab.shell.play.text.pages import TextPages
from lab.shell.runtime.background import Background
from lab.widgets.core.i18n import tr
from lab.widgets.core.messages import problem_line
from lab.widgets.tokens.surprisal import DIFFERENCE
from lab.workbench import SavedRun
from lab.workbench.scoring.comparison import written_differences
from lab.workbench.scoring.scores import score_text

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.shell.play.model import PlayModel
    from lab.shell.session.runs.model import RunModel
    from lab.workbench.access.generation import Piece

ShownRuns: TypeAlias = "tuple[RunModel | None, list[RunModel]]"
"""The selected run, and the others that are shown."""
JOB = "difference of a text"
"""The key of the work."""


class TextDifference(QObject):
    """Scores the text on show under another run, while the colours measure the difference.

    Args:
        pages: The text.
        model: The state of Play.
        background: Scores in a thread.
        runs: Returns the selected run, None for the model of the draft, and the others that are shown.
    """

    def __init__(
        self, pages: TextPages, model: PlayModel, background: Background, runs: Callable[[], ShownRuns]
    ) -> None:
        super().__init__()
        self._pages, self._model, self._background, self._runs = pages, model, background, runs
        self._followed: tuple[object, ...] | None = None  # what was scored last, or is being scored
        pages.quantity_changed.connect(self.follow)

    def follow(self) -> None:
        """Score what is on show, unless that was done or other colours are shown; a text that grows waits."""
        document = self._model.document
        if self._pages.quantity.value != DIFFERENCE:
            self._followed = None
            if self._pages.differences is not None:
                self._pages.show_differences(None)
            return
        if self._model.is_writing or not document.tokens:
            return
        selected, others = self._runs()
        if selected is not None and document.author not in ("", selected.name):  # another one wrote it
            others = [selected, *others]
        other = next(iter(others), None)
        key = (document, document.shown, len(document.tokens), None if other is None else other.key)
        if key == self._followed:
            return
        self._followed = key
        if not self._model.can_branch:
            self._pages.show_differences((), tr("What follows a source is not compared."))
        elif other is None:
            self._pages.show_differences((), tr("Show a second run, to compare the text with it."))
        else:
            self._pages.show_differences((), tr("Comparing with {run} …", run=other.name))
            work = partial(_differences, other, document.prompt, list(document.tokens))
            taken, failed = partial(self._take, key, other.name), partial(self._fail, key)
            self._background.run(tr("Comparing a text"), work, taken, failed, replaces=JOB)

    def close(self) -> None:
        """Stop the work."""
        self._background.cancel(JOB)

    def _take(self, key: tuple[object, ...], name: str, found: list[float | None]) -> None:
        if key == self._followed:
            sentence = tr(
                "Bits by which a token surprises its author more than {run}; less in the second colour.", run=name
            )
            self._pages.show_differences(found, sentence)

    def _fail(self, key: tuple[object, ...], problem: Problem) -> None:
        if key == self._followed:
            self._pages.show_differences((), problem_line(problem))


def _differences(run: RunModel, prompt: str, pieces: Sequence[Piece], job: Job) -> list[float | None]:
    """Return the differences of a text to a run; in a thread."""
    text = prompt + "".join(piece.text for piece in pieces)
    try:
        score = score_text(run.source, text, alternatives=1, cancelled=lambda: job.cancelled)
    finally:
        if isinstance(run.source, SavedRun):
            run.source.forget_model()
    return written_differences(prompt, pieces, score)
