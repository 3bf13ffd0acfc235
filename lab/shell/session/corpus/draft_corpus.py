"""The corpus of the draft, read in the background while the corpus page is visible."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject, QTimer, Signal

from lab.api import Examples, LongText, Rows, Text
from lab.base.problems import LabError, Problem
from lab.recipes import Choice
from lab.shell.runtime.background import Background
from lab.shell.session.draft import Draft
from lab.shell.session.requests import Requests
from lab.widgets.core.i18n import tr, tr_registered

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.training.resolution import Resolved

Counted: TypeAlias = Text | LongText | Examples | Rows
"""What the corpus page can count."""
AFTER_EDIT = 400
"""Milliseconds without an edit after which the new corpus is read."""
TOKENS = 10_000
"""Tokens of the examples that represent an endless source."""


class DraftCorpus(QObject):
    """Reads the corpus of the draft while it is watched, and again when the draft names another one.

    Args:
        draft: The draft.
        background: Runs the reading in a thread.
        parent: Its parent.

    Attributes:
        source: The corpus; None until it is read.
        beginning: The text to which a tokenizer is fitted: a full text, the start of a long one, joined
            examples, or the texts of rows; "" for rows without text.
        problem: Why the corpus cannot be read; None if there is no problem.
        is_reading: True while the corpus is being read.
        watched: True while a page shows the corpus.
    """

    changed = Signal()
    """The corpus was read, is being read, or cannot be read."""

    def __init__(self, draft: Draft, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.draft, self._background = draft, background
        self.source: Counted | None = None
        self.beginning = ""
        self.problem: Problem | None = None
        self.is_reading = self.watched = False
        self._choice: Choice | None = None  # the corpus that was read, or is being read
        self._requests = Requests()
        self._edited = QTimer(self)
        self._edited.setSingleShot(True)
        self._edited.setInterval(AFTER_EDIT)
        self._edited.timeout.connect(self._follow)
        draft.changed.connect(self._draft_changed)

    def watch(self, watched: bool) -> None:
        """Start or stop watching the corpus; retry one that could not be read."""
        self.watched = watched
        self._edited.stop()
        if watched and (self.problem is not None or self._choice != self.draft.recipe.corpus):
            self.read()

    def read(self) -> None:
        """Read the corpus."""
        self._choice = self.draft.recipe.corpus
        self.source, self.beginning, self.problem, self.is_reading = None, "", None, True
        number = self._requests.start()
        try:
            corpus = self.draft.card("corpus")
        except LabError as error:
            self._fail(number, error.problem)
            return
        taken, failed = partial(self._take, number), partial(self._fail, number)
        self._background.run(tr("Reading the corpus"), partial(_read, corpus), taken, failed, replaces="draft corpus")
        self.changed.emit()

    def cancel(self) -> None:
        """Stop waiting for the corpus; the thread that reads it ends by itself."""
        if self.is_reading:
            self._requests.drop()
            self.is_reading = False
            self.problem = Problem(tr("Reading the corpus was cancelled"))
            self.changed.emit()

    @property
    def lacks_text(self) -> bool:
        """True if the corpus was read, and gives numbers or images without any text."""
        return isinstance(self.source, Rows) and not self.beginning

    @property
    def name(self) -> str:
        """The name of the corpus, as shown to the user; "" until it is read."""
        if self.source is None:
            return ""
        try:
            title = self.draft.card("corpus").card.title
        except LabError:  # its card is gone
            title = ""
        return tr_registered(title) if self.source.name == title else self.source.name

    def _draft_changed(self) -> None:
        if self.watched and self._choice != self.draft.recipe.corpus:
            self._edited.start()

    def _follow(self) -> None:
        if self.watched and self._choice != self.draft.recipe.corpus:
            self.read()

    def _take(self, number: int, read: tuple[Counted, str]) -> None:
        if self._requests.end(number):
            self.source, self.beginning = read
            self.is_reading = False
            self.changed.emit()

    def _fail(self, number: int, problem: Problem) -> None:
        if self._requests.end(number):
            self.is_reading, self.problem = False, problem
            self.changed.emit()


def _read(corpus: Resolved, job: Job) -> tuple[Counted, str]:
    """Return a corpus, and the text to which a tokenizer is fitted; in a thread."""
    from lab.training.material import read_corpus

    del job
    source = read_corpus(corpus)
    return source, _beginning_of(source)


def _beginning_of(source: Counted) -> str:
    if isinstance(source, Text):
        return source.text
    if isinstance(source, LongText):
        return source.beginning
    if isinstance(source, Rows):
        from lab.text.rows.columns import texts_of

        return "\n".join(texts_of(source))
    import numpy as np

    numbers = np.arange(max(1, min(4096, TOKENS // source.longest)))
    tokens = source.draw(numbers, 0, "train").tokens
    return "".join(source.symbols[token] for token in tokens[tokens >= 0])
