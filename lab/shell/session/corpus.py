"""The corpus that the draft names, read off the main thread for those who look at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from lab.api import LongText, Text
from lab.base.problems import LabError, Problem
from lab.recipes import Choice
from lab.shell.runtime.background import Background
from lab.shell.session.draft import Draft
from lab.widgets.core.i18n import tr

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.training.material import Given
    from lab.training.resolution import Resolved

AFTER_EDIT = 400
"""Milliseconds without an edit after which another corpus is read."""
TOKENS = 10_000
"""Tokens of the examples that stand for a source which never ends."""


class DraftCorpus(QObject):
    """Reads the corpus of the draft when somebody looks, and again when the draft names another one meanwhile.

    Args:
        draft: The draft.
        background: Reads.
        parent: Its parent.

    Attributes:
        source: The corpus; None until it is read.
        beginning: What a tokenizer is fitted to: all of a text, the first part of a long one, joined examples.
        problem: Why it cannot be read.
        reads: Whether it is being read.
        watched: Whether somebody looks.
    """

    changed = Signal()
    """It was read, is being read, or cannot be."""

    def __init__(self, draft: Draft, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.draft, self._background = draft, background
        self.source: Given | None = None
        self.beginning = ""
        self.problem: Problem | None = None
        self.reads = self.watched = False
        self._choice: Choice | None = None  # what was read, or is
        self._reading: _Reading | None = None
        self._edited = QTimer(self)
        self._edited.setSingleShot(True)
        self._edited.setInterval(AFTER_EDIT)
        self._edited.timeout.connect(self._follow)
        draft.changed.connect(self._draft_changed)

    def watch(self, watched: bool) -> None:
        """Says whether somebody looks; what could not be read is tried again."""
        self.watched = watched
        self._edited.stop()
        if watched and (self.problem is not None or self._choice != self.draft.recipe.corpus):
            self.read()

    def read(self) -> None:
        """Reads the corpus."""
        self._choice = self.draft.recipe.corpus
        self.source, self.beginning, self.problem, self.reads = None, "", None, True
        try:
            self._reading = _Reading(self.draft.card("corpus"))
        except LabError as error:
            self._refuse(error.problem)
            return
        title = tr("Reading the corpus")
        self._background.run(title, self._reading.work, self._take, self._refuse, replaces="corpus at hand")
        self.changed.emit()

    def cancel(self) -> None:
        """Waits for it no longer; what still reads is let go."""
        if self.reads:
            self._reading, self.reads = None, False
            self.problem = Problem(tr("The corpus was not read, since that was cancelled"))
            self.changed.emit()

    @property
    def name(self) -> str:
        """What people call it; "" until it is read."""
        return self.source.name if self.source is not None else ""

    def _draft_changed(self) -> None:
        if self.watched and self._choice != self.draft.recipe.corpus:
            self._edited.start()

    def _follow(self) -> None:
        if self.watched and self._choice != self.draft.recipe.corpus:
            self.read()

    def _take(self, read: tuple[_Reading, Given, str]) -> None:
        if read[0] is self._reading:
            _, self.source, self.beginning = read
            self._reading, self.reads = None, False
            self.changed.emit()

    def _refuse(self, problem: Problem) -> None:
        if self.reads:
            self._reading, self.reads, self.problem = None, False, problem
            self.changed.emit()


class _Reading:
    """One reading of a corpus."""

    def __init__(self, corpus: Resolved) -> None:
        self._corpus = corpus

    def work(self, job: Job) -> tuple[_Reading, Given, str]:
        """In a thread: the corpus, and what a tokenizer is fitted to."""
        from lab.training.material import read_corpus

        del job
        source = read_corpus(self._corpus)
        return self, source, _beginning_of(source)


def _beginning_of(source: Given) -> str:
    if isinstance(source, Text):
        return source.text
    if isinstance(source, LongText):
        return source.beginning
    import numpy as np

    numbers = np.arange(max(1, min(4096, TOKENS // source.longest)))
    tokens = source.draw(numbers, 0, "train").tokens
    return "".join(source.symbols[token] for token in tokens[tokens >= 0])
