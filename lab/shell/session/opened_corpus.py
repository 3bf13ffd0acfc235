"""The corpus that somebody opened, dropped or pasted: read beside the window, and what it turned out to be is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.shell.runtime.background import Background
from lab.shell.session.corpus_labels import corpus_summary
from lab.shell.session.draft import Draft
from lab.widgets.core.i18n import tr

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.training.material import Given
    from lab.training.resolution import Resolved


def use_opened_corpus(draft: Draft, background: Background, corpus: dict[str, object], name: str) -> Problem | None:
    """Makes a corpus that of the draft, reads it in a thread, and tells in a notice what it turned out to be.

    Args:
        draft: The draft.
        background: Reads.
        corpus: Its card and settings.
        name: What people call it.

    Returns:
        Why it cannot be the draft's; the draft is then as it was.
    """
    problem = draft.lay({"corpus": None}, {"corpus": corpus})  # nothing of the one that stood there stays
    if problem is None:
        try:
            opened = _Opened(draft.card("corpus"), name)
        except LabError as error:
            return error.problem
        doing = tr("Reading {name}", name=name)
        background.run(doing, opened.read, opened.tell, opened.refuse, replaces="corpus that was opened")
    return problem


class _Opened:
    """A corpus on its way to a notice."""

    def __init__(self, corpus: Resolved, name: str) -> None:
        self._corpus, self._name = corpus, name

    def read(self, job: Job) -> str:
        """In a thread: what it turned out to be."""
        from lab.training.material import read_corpus

        del job
        found: Given = read_corpus(self._corpus)
        return corpus_summary(found)

    def tell(self, words: str) -> None:
        """In the main thread."""
        notify("info", tr("The next run learns from {name}: {what}", name=self._name, what=words))

    def refuse(self, problem: Problem) -> None:
        """In the main thread."""
        notify("warning", problem)
