"""What fits the data of the draft's corpus: its objective, architecture and tokenizer follow it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.recipes import Recipe
from lab.shell.runtime.background import Background
from lab.shell.session.corpus.labels import corpus_name
from lab.shell.session.draft import Draft
from lab.training.corpus_fit import changed_names, expected_target, fitted_to_corpus, inputs_of
from lab.training.resolution import NAMES_OF_DATA, data_kind
from lab.widgets.core.i18n import tr, tr_registered

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.training.corpus_fit import Target
    from lab.training.resolution import Resolved


class CorpusFit(QObject):
    """Replaces what does not fit a corpus that the draft just got, as a part of the same edit.

    Vectors and images are read in the background first, since their kind does not say what is predicted of them.

    Args:
        draft: The draft.
        background: Reads a corpus in a thread.
        parent: Its parent.
    """

    def __init__(self, draft: Draft, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._draft, self._background = draft, background
        draft.corpus_selected.connect(self._follow)

    def _follow(self) -> None:
        draft, before = self._draft, self._draft.previous
        if draft.recipe is draft.base:  # a recipe that was taken as a whole
            return
        try:
            corpus = draft.card("corpus")
            kind, kind_before = corpus.card.kind, data_kind(draft.plugins, before.corpus)
        except LabError:
            return
        reads_tokens = inputs_of(kind) == "tokens"
        if reads_tokens and kind == kind_before:
            return
        self._fit(before, draft.recipe, expected_target(kind))
        if reads_tokens:
            self._report()
        else:
            work, taken = partial(_target, corpus), partial(self._take, before, draft.recipe)
            self._background.run(tr("Reading the corpus"), work, taken, self._leave, replaces="corpus fit")

    def _take(self, before: Recipe, recipe: Recipe, target: Target) -> None:
        if self._draft.recipe is recipe:
            self._fit(before, recipe, target)
            self._report()

    def _fit(self, before: Recipe, recipe: Recipe, target: Target) -> None:
        """Fit the draft; say what differs from the recipe before its corpus was chosen."""
        draft = self._draft
        try:
            fitted = fitted_to_corpus(recipe, draft.plugins, target)
            if fitted is not recipe:
                draft.replace_edit(fitted, self._describe(fitted, changed_names(before, fitted)))
        except LabError:  # a card is gone, or a plugin's code raised; the start says so
            return

    def _describe(self, recipe: Recipe, names: dict[str, str]) -> str:
        draft = self._draft
        titles = {"objective": tr("objective"), "architecture": tr("architecture"), "tokenizer": tr("tokenizer")}
        cards = {field: draft.plugins.card(recipe.choices()[field][0], name) for field, name in names.items()}
        what = ", ".join(f"{titles[field]} “{tr_registered(card.title)}”" for field, card in cards.items())
        given = tr_registered(NAMES_OF_DATA[draft.card("corpus").card.kind])
        return tr("{name} gives {kind}; chosen for it: {what}", name=corpus_name(draft), kind=given, what=what)

    def _report(self) -> None:
        if self._draft.note:
            notify("info", self._draft.note)

    def _leave(self, problem: Problem) -> None:
        """Leave the draft as it is: who reads the corpus to show it reports the problem."""


def _target(corpus: Resolved, job: Job) -> Target:
    """Return what is predicted of a corpus; in a thread."""
    from lab.training.corpus_fit import target_of
    from lab.training.material import read_corpus

    del job
    return target_of(read_corpus(corpus))
