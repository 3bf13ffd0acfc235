"""Use of an opened, dropped or pasted corpus: it is read in the background and summarised in a notice."""

from __future__ import annotations

from functools import partial
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
    """Set a corpus in the draft, read it in a thread, and summarise it in a notice.

    Args:
        draft: The draft.
        background: Runs the reading in a thread.
        corpus: The name of the card, and its settings.
        name: The name of the corpus, as shown to people.

    Returns:
        The problem if the corpus cannot be set, with the draft unchanged; None if it was set.
    """
    problem = draft.apply({"corpus": None}, {"corpus": corpus})  # without the settings of the previous corpus
    if problem is None:
        try:
            corpus_card = draft.card("corpus")
        except LabError as error:
            return error.problem
        title, work = tr("Reading {name}", name=name), partial(_summarise, corpus_card)
        background.run(title, work, partial(_report, name), _warn, replaces="corpus that was opened")
    return problem


def _summarise(corpus: Resolved, job: Job) -> str:
    """Read a corpus, and return its summary; in a thread."""
    from lab.training.material import read_corpus

    del job
    found: Given = read_corpus(corpus)
    return corpus_summary(found)


def _report(name: str, summary: str) -> None:
    notify("info", tr("The next run trains on {name}: {what}", name=name, what=summary))


def _warn(problem: Problem) -> None:
    notify("warning", problem)
