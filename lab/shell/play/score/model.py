"""The state of the page Score, without Qt: the text, its scores under the runs, and what is drawn of them."""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lab.base.jobs import Cancelled
from lab.base.problems import LabError, Problem
from lab.base.units import bits
from lab.workbench.scoring.comparison import Comparison, bits_from, compare
from lab.workbench.scoring.scores import TextScore, read_text_of, score_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lab.base.jobs import Job
    from lab.shell.session.runs.model import RunModel
    from lab.workbench.access.model_access import ModelAccess

MOST_RUNS = 6
"""Most runs under which a text is scored at once."""
ALTERNATIVES = 8
"""Likeliest tokens in the tool tip of each token."""


class Quantity(Enum):
    """What the chart shows over the tokens of the text."""

    SUM = "sum"
    SURPRISAL = "surprisal"
    RATIO = "ratio"


class Colour(Enum):
    """What colours the text."""

    SURPRISAL = "surprisal"
    ENTROPY = "entropy"
    RANK = "rank"
    DIFFERENCE = "difference"


class State(Enum):
    """The states of the page."""

    EMPTY = auto()
    SCORING = auto()
    SCORED = auto()


@dataclass(frozen=True)
class RunAccess:
    """A run under which a text is scored; `run` is None for the untrained model of the draft."""

    access: ModelAccess
    run: RunModel | None


@dataclass(frozen=True)
class Scored:
    """A run, and its score of the text or the problem that prevented it.

    Args:
        run: The run; None for the untrained model of the draft.
        score: The score.
        problem: Why there is none.
        comparison: With the first run; None where they do not compare, and for the first itself.
        per_byte: Bits per byte of the part of the text that all runs scored, or else of its own part.
    """

    run: RunModel | None
    score: TextScore | None
    problem: Problem | None = None
    comparison: Comparison | None = None
    per_byte: float = math.nan


class Scoring:
    """One text that is being scored; a thread writes the progress here.

    Args:
        text: The text, or the file that it is read from.
        runs: The runs, the one that colours the text first.
    """

    def __init__(self, text: str | Path, runs: Sequence[RunAccess]) -> None:
        self.text, self.runs = text, tuple(runs)
        self.share = 0.0

    def work(self, job: Job) -> tuple[str, list[Scored]]:
        """Score the text under one run after the other; in a thread.

        Returns:
            The text, and the scores.

        Raises:
            BadInput: The file cannot be read.
            Cancelled: It was cancelled.
        """
        text = read_text_of(self.text) if isinstance(self.text, Path) else self.text
        found = []
        for at, one in enumerate(self.runs):

            def progress(share: float, at: int = at) -> None:
                self.share = (at + share) / len(self.runs)

            try:
                score = score_text(
                    one.access, text, alternatives=ALTERNATIVES, progress=progress, cancelled=lambda: job.cancelled
                )
                found.append(Scored(one.run, score))
            except Cancelled:
                raise
            except LabError as error:
                found.append(Scored(one.run, None, error.problem))
        return text, _compared(found)


def _compared(found: list[Scored]) -> list[Scored]:
    """Return the runs with what follows from all of their scores together; it may take long for a long text."""
    scores = [one.score for one in found if one.score is not None]
    try:
        per_byte = iter(bits_from(scores)[1] if len(scores) > 1 else [one.bits_per_byte for one in scores])
    except LabError:
        per_byte = iter([one.bits_per_byte for one in scores])
    made = []
    for one in found:
        if one.score is None:
            made.append(one)
            continue
        comparison = None
        if one.score is not scores[0]:
            with contextlib.suppress(LabError):
                comparison = compare(one.score, scores[0])
        made.append(replace(one, comparison=comparison, per_byte=next(per_byte)))
    return made


class ScoreModel:
    """The state of the page. The first run colours the text, and the others are compared with it.

    Attributes:
        state: The state.
        text: The scored text.
        scored: The runs with their scores or problems.
        scoring: What is being scored; None while nothing is.
    """

    def __init__(self) -> None:
        self.state = State.EMPTY
        self.text = ""
        self.scored: list[Scored] = []
        self.scoring: Scoring | None = None

    def start(self, text: str | Path, runs: Sequence[RunAccess]) -> Scoring:
        """Start scoring; an earlier one is stale from now on."""
        self.state, self.scoring = State.SCORING, Scoring(text, runs)
        return self.scoring

    def take(self, scoring: Scoring, text: str, found: list[Scored]) -> bool:
        """Take scores; return False if they are stale."""
        if scoring is not self.scoring:
            return False
        self.scoring, self.text, self.scored, self.state = None, text, found, State.SCORED
        return True

    def cancel(self) -> None:
        """Score no more; earlier scores stay."""
        self.scoring = None
        self.state = State.SCORED if self.scored else State.EMPTY

    @property
    def known(self) -> list[Scored]:
        """The runs that scored the text."""
        return [one for one in self.scored if one.score is not None]

    @property
    def first(self) -> TextScore:
        """The score under the first run that has one."""
        score = self.known[0].score
        assert score is not None
        return score

    @property
    def problems(self) -> list[tuple[RunModel | None, Problem]]:
        """The runs that did not, with the reason."""
        return [(one.run, one.problem) for one in self.scored if one.problem is not None]

    def line(self, index: int, quantity: Quantity) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """Return x and y of the line of a known run: bytes of the text, and bits; None where it has none."""
        one = self.known[index]
        score, found = one.score, one.comparison
        assert score is not None
        if quantity is Quantity.RATIO:
            return None if found is None else (found.ends.astype(float), found.ratio / math.log(2))
        ends = score.ends.astype(float) if score.is_aligned else np.arange(1.0, len(score.tokens) + 1)
        values = score.sums if quantity is Quantity.SUM else score.values.nats
        return ends[score.values.scored], values[score.values.scored] / math.log(2)

    def shades(self, colour: Colour) -> NDArray[np.float64]:
        """Return (N,) the colour of each token of the first run on the scale of surprisal, in bits; NaN for none."""
        values = self.first.values
        if colour is Colour.ENTROPY:
            return values.entropies / math.log(2)
        if colour is Colour.RANK:
            with np.errstate(divide="ignore"):
                return np.where(values.scored, np.log2(values.ranks), np.nan)
        if colour is Colour.DIFFERENCE:
            found = self.known[1].comparison if len(self.known) > 1 else None
            if found is None or found.differences is None:
                return np.full(len(values.nats), np.nan)
            return -found.differences / math.log(2)  # positive where the first run is more surprised
        return values.nats / math.log(2)

    @property
    def has_difference(self) -> bool:
        """True if the first two runs cut the text into the same tokens."""
        found = self.known[1].comparison if len(self.known) > 1 else None
        return found is not None and found.differences is not None


def factor(nats: float) -> str:
    """Return exp(nats) with a power of ten: "3.2e-12", also where a float underflows."""
    if math.isinf(nats) or math.isnan(nats):
        return "0" if nats < 0 else "∞"
    power = math.floor(nats / math.log(10))
    return f"{10 ** (nats / math.log(10) - power):.2f}e{power:+d}"


def ratio_bits(found: Comparison | None) -> float:
    """Return the log-likelihood ratio of a text in bits; NaN where runs do not compare."""
    return math.nan if found is None else bits(found.total)
