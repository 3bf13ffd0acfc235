"""One text under several runs: which of them it fits, where, and by how much."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput
from lab.base.units import bits
from lab.workbench.access.generation import Piece
from lab.workbench.access.model_access import ModelAccess
from lab.workbench.scoring.scores import TextScore, score_text
from lab.workbench.texts.tree import is_typed


@dataclass(frozen=True)
class Comparison:
    """Two scores of one text.

    Args:
        ends: (M,) the bytes of the text at which both runs have a border between tokens; the first is where counting
            begins.
        ratio: (M,) ln of the probability of the text from the first border up to each, under one run over the other:
            positive where the one gives it more.
        differences: (N,) nats of each token under the one less those under the other, NaN where not scored; None where
            the two cut the text into other tokens.
    """

    ends: NDArray[np.int64]
    ratio: NDArray[np.float64]
    differences: NDArray[np.float64] | None

    @property
    def total(self) -> float:
        """The log-likelihood ratio of the text in nats."""
        return float(self.ratio[-1])


def compare(one: TextScore, other: TextScore) -> Comparison:
    """Compare two scores of one text, also with different tokenizers.

    Raises:
        BadInput: They share no positions of the text, or one of them is a pseudo-probability.
    """
    if one.is_pseudo != other.is_pseudo:
        what = "a run that predicts hidden tokens gives a text no probability that another run's compares with"
        raise BadInput(what, field="--with", remedy="Compare runs of one kind")
    both = _common([one, other])
    ratio = _sums_at(other, both) - _sums_at(one, both)
    same = np.array_equal(one.tokens, other.tokens) and one.labels == other.labels
    differences = one.values.nats - other.values.nats if same else None
    return Comparison(both, ratio, differences)


def written_differences(prompt: str, pieces: Sequence[Piece], other: TextScore) -> list[float | None]:
    """Return by how many bits each token of a written text surprised its author more than another run.

    Where the other run cuts the text elsewhere, several tokens together have one value, which stands at the last of
    them. It is None where there is none: at what the user wrote, and where the two share no border.

    Args:
        prompt: What stands before.
        pieces: The tokens of the author.
        other: The score of prompt and text under the other run.
    """
    found: list[float | None] = [None] * len(pieces)
    if not other.is_aligned or other.is_pseudo:
        return found
    first = _first(other)
    sums = dict(zip(other.ends[first:].tolist(), other.sums[first:].tolist(), strict=True))
    start = end = len(prompt.encode())
    own = 0.0
    for at, piece in enumerate(pieces):
        end += len(piece.text.encode())
        if is_typed(piece):
            start, own = end, 0.0
            continue
        own -= math.log(max(piece.probability, 1e-300))
        if piece.text and end in sums:
            if start in sums:
                found[at] = bits(own - (sums[end] - sums[start]))
            start, own = end, 0.0
    return found


def bits_from(scores: Sequence[TextScore]) -> tuple[int, list[float], list[float]]:
    """Return the first byte that all scores count from, and bits per byte and per character of each from there on.

    Raises:
        BadInput: They share no positions of the text.
    """
    both = _common(scores)
    rest = scores[0].text.encode()[both[0] : both[-1]]
    total = [bits(float(_sums_at(score, both)[-1])) for score in scores]
    characters = len(rest.decode(errors="ignore"))
    return int(both[0]), [_over(one, len(rest)) for one in total], [_over(one, characters) for one in total]


def score_under(
    runs: Sequence[ModelAccess],
    text: str,
    *,
    protocol: str | None = None,
    device: str | None = None,
    progress: Callable[[float], object] = lambda _share: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> list[TextScore]:
    """Score a text under one run after the other; the arguments, and what is raised, are those of `score_text`."""
    return [
        score_text(
            run, text, protocol=protocol, device=device, cancelled=cancelled,
            progress=lambda share, at=at: progress((at + share) / len(runs)),  # type: ignore[misc]
        )
        for at, run in enumerate(runs)
    ]  # fmt: skip


def _over(value: float, count: int) -> float:
    return value / count if count else math.nan


def _common(scores: Sequence[TextScore]) -> NDArray[np.int64]:
    """Return the bytes at which all scores have a border between tokens, from the first that all can count from."""
    if not all(score.is_aligned for score in scores):
        what = "a tokenizer of these runs changes the text, so that positions in it do not compare"
        raise BadInput(what, field="--with", remedy="Compare runs whose tokenizers give the text back")
    both = reduce(np.intersect1d, [score.ends[_first(score) :] for score in scores])
    if len(both) < 2:
        what = "is too short to compare runs of different tokenizers: they share no two borders between tokens"
        raise BadInput(what, field="text", remedy="Give a longer text")
    return both


def _first(score: TextScore) -> int:
    """Return the index of the last token before the scored ones; every later one is scored."""
    return max(0, int(np.argmax(score.values.scored)) - 1)


def _sums_at(score: TextScore, ends: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return (M,) nats from the first of some borders up to each."""
    sums = score.sums[np.searchsorted(score.ends, ends, side="right") - 1]
    found: NDArray[np.float64] = sums - sums[0]
    return found
