"""Comparable losses: those of runs of one corpus and vocabulary, evaluated by one protocol after equally many steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from lab.workbench.launch.known_corpora import portable, sha256_of
from lab.workbench.launch.known_tokenizers import vocabulary_digest

if TYPE_CHECKING:
    from lab.runs import RunFolder
    from lab.shell.session.runs.model import RunModel


class Difference(Enum):
    """A reason why two losses do not compare, the weightiest first."""

    CORPUS = auto()
    """They are losses on different texts."""
    SPLIT = auto()
    """They are losses on different parts of one corpus."""
    OBJECTIVE = auto()
    """They are losses of different tasks, such as predicting the next token and a hidden one."""
    VOCABULARY = auto()
    """Their tokens differ, so that nats per token do; bits per byte compare."""
    PROTOCOL = auto()
    """One was evaluated in windows, the other in a stream."""
    STEPS = auto()
    """The models were trained for different numbers of steps, or one has not come as far as the other yet."""


@dataclass(frozen=True)
class Compared:
    """A shown run and what separates its loss from the reference.

    Args:
        run: The run.
        differences: The reasons, the weightiest first; none if the losses compare.
    """

    run: RunModel
    differences: tuple[Difference, ...]


@dataclass(frozen=True)
class Comparability:
    """The comparability of the losses of several runs with the loss of one of them.

    Args:
        reference: The run with which the others are compared; None if no run has a loss.
        runs: All runs that have a loss, the reference too.
    """

    reference: RunModel | None
    runs: tuple[Compared, ...]

    @property
    def others(self) -> list[Compared]:
        """The runs whose loss does not compare."""
        return [one for one in self.runs if one.differences]

    @property
    def counts(self) -> dict[Difference, int]:
        """The number of these runs by their weightiest reason, the weightiest reason first."""
        counted = Counter(one.differences[0] for one in self.others)
        return {reason: counted[reason] for reason in Difference if counted[reason]}


def comparability_of(runs: Sequence[RunModel], reference: RunModel | None, *, by_bytes: bool = False) -> Comparability:
    """Compare the losses of runs with that of one of them.

    Args:
        runs: The runs; those without a loss are left out.
        reference: One of them, usually the selected one; otherwise the last one is the reference.
        by_bytes: True for losses in bits per byte, which compare across vocabularies.
    """
    measured = [run for run in runs if run.loss is not None]
    if not measured:
        return Comparability(None, ())
    reference = reference if reference in measured else measured[-1]
    compared = (Compared(run, tuple(differences(run, reference, by_bytes=by_bytes))) for run in measured)
    return Comparability(reference, tuple(compared))


def differences(run: RunModel, reference: RunModel, *, by_bytes: bool = False) -> list[Difference]:
    """Return what separates the losses of two runs, the weightiest reason first."""
    if run is reference:
        return []
    found = set()
    if not same_corpus(run, reference):
        found.add(Difference.CORPUS)
    elif run.recipe.training.validation_share != reference.recipe.training.validation_share:
        found.add(Difference.SPLIT)
    if (run.recipe.objective.name, run.reads_later) != (reference.recipe.objective.name, reference.reads_later):
        found.add(Difference.OBJECTIVE)
    if not by_bytes and not same_vocabulary(run, reference):
        found.add(Difference.VOCABULARY)
    if run.protocol and reference.protocol and run.protocol != reference.protocol:
        found.add(Difference.PROTOCOL)
    if not (run.counts or reference.counts) and run.step != reference.step:
        found.add(Difference.STEPS)  # a step of a model that counts is no optimizer update
    return [reason for reason in Difference if reason in found]


def same_corpus(run: RunModel, other: RunModel) -> bool:
    """Return True if two runs train on the same text; until a run has read it, the recipe decides."""
    hashes = [None if one.source.folder is None else sha256_of(one.source.folder) for one in (run, other)]
    if None not in hashes:
        return hashes[0] == hashes[1]
    return bool(portable(run.recipe).corpus == portable(other.recipe).corpus)


def same_vocabulary(run: RunModel, other: RunModel) -> bool:
    """Return True if two runs read the same tokens; until a run has made its vocabulary, the recipe decides."""
    digests = [None if one.source.folder is None else _digest(one.source.folder) for one in (run, other)]
    if None not in digests:
        return digests[0] == digests[1]
    return bool(portable(run.recipe).tokenizer == portable(other.recipe).tokenizer)


_digests: WeakKeyDictionary[RunFolder, str | None] = WeakKeyDictionary()


def _digest(folder: RunFolder) -> str | None:
    """Return a digest of a run's vocabulary, computed once; None if it stores none."""
    if folder not in _digests:
        _digests[folder] = vocabulary_digest(folder)
    return _digests[folder]
