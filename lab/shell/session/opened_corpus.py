"""Use of an opened, dropped or pasted corpus: it is read in the background, then set in the draft and summarised."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.shell.runtime.background import Background
from lab.shell.session.corpus.labels import corpus_summary
from lab.shell.session.draft import Draft
from lab.widgets.core.i18n import tr

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.training.material import Given
    from lab.training.resolution import Resolved


READING = "corpus that was opened"
"""The key of the reading in the background."""


class OpenedCorpus:
    """Reads a corpus that was opened, and sets it in the draft once it was read; otherwise the draft keeps its corpus.

    The reading is cancelled when another recipe becomes the draft, or the draft gets another corpus meanwhile.

    Args:
        draft: The draft.
        background: Runs the reading in a thread.
        ended: Called when the reading has ended, with True if the corpus is now that of the draft.

    Attributes:
        is_reading: True while a corpus is being read.
    """

    def __init__(self, draft: Draft, background: Background, ended: Callable[[bool], object]) -> None:
        self._draft, self._background, self._ended = draft, background, ended
        self.is_reading = False
        draft.replaced.connect(self.cancel)
        draft.corpus_selected.connect(self.cancel)

    def read(self, corpus: Mapping[str, Any], name: str, taken: Callable[[], object]) -> Problem | None:
        """Read a corpus in a thread, set it in the draft, and summarise it in a notice; a problem is a notice too.

        Args:
            corpus: The name of the card, and its settings.
            name: The name of the corpus, as shown to the user.
            taken: Called when it is the corpus of the draft.

        Returns:
            The problem if the draft cannot have this corpus; None if it is being read.
        """
        pieces = ({"corpus": None}, {"corpus": corpus})  # without the settings of the previous corpus
        try:
            card = self._draft.resolved(*pieces)["corpus"]
        except LabError as error:
            return error.problem
        self.is_reading = True
        title, work = tr("Reading {name}", name=name), partial(_summarise, card)
        done, failed = partial(self._take, pieces, name, taken), partial(self._refuse, name)
        self._background.run(title, work, done, failed, replaces=READING)
        return None

    def cancel(self) -> None:
        """Cancel the reading if there is one; the draft keeps its corpus."""
        if self.is_reading:
            self._background.cancel(READING)
            self.is_reading = False
            self._ended(False)

    def _take(self, pieces: Sequence[Mapping[str, Any]], name: str, taken: Callable[[], object], summary: str) -> None:
        self.is_reading = False
        problem = self._draft.apply(*pieces)
        if problem is None:
            notify("info", tr("The next run trains on {name}: {what}", name=name, what=summary))
            taken()
        else:
            notify("warning", problem)
        self._ended(problem is None)

    def _refuse(self, name: str, problem: Problem) -> None:
        self.is_reading = False
        notify("warning", replace(problem, field=name, value=None))  # the field of the draft has another corpus
        self._ended(False)


def _summarise(corpus: Resolved, job: Job) -> str:
    """Read a corpus, and return its summary; in a thread."""
    from lab.training.material import read_corpus

    del job
    found: Given = read_corpus(corpus)
    return corpus_summary(found)
