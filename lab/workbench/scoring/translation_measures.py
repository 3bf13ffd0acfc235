"""Measures of translations against the targets of a corpus: exact match, right tokens, BLEU and chrF, by length."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lab.api import BadInput
from lab.base.extras import need
from lab.base.jobs import Cancelled
from lab.recipes import Decoding
from lab.workbench.access.model_access import ModelAccess
from lab.workbench.scoring.translation import MOST, beam_search, check_translates, translate_on

PAIRS = 200
"""Pairs that are translated where nothing else is asked for."""
BANDS = 5
"""Most bands of source lengths."""
EXTRA = "translation"
"""The extra that installs sacrebleu."""


@dataclass(frozen=True)
class Measures:
    """The measures of some translations.

    Args:
        pairs: How many there are.
        exact: Share of those that are the target.
        accuracy: Share of the tokens of the targets, and of their ends, that stand at their place.
        bleu: BLEU of all of them, 0 to 100 (Papineni et al. 2002); None without sacrebleu, and where no translation has
            four words.
        chrf: chrF2 of all of them, 0 to 100 (Popović 2015); None without sacrebleu.
    """

    pairs: int
    exact: float
    accuracy: float
    bleu: float | None
    chrf: float | None

    def stored(self) -> dict[str, float | None]:
        """Return the measures by name."""
        return {
            "pairs": self.pairs, "exact match": self.exact, "token accuracy": self.accuracy, "BLEU": self.bleu,
            "chrF": self.chrf,
        }  # fmt: skip


@dataclass(frozen=True)
class Band:
    """The measures of the sources of some lengths.

    Args:
        shortest: Fewest tokens of a source.
        longest: Most tokens of one.
        measures: Of their translations.
    """

    shortest: int
    longest: int
    measures: Measures


@dataclass(frozen=True)
class Pair:
    """A pair of the corpus and its translation.

    Args:
        source: The text that was read.
        target: The target.
        written: What the model wrote; "" if the strategy ended no text.
        length: Tokens of the source.
        right: Tokens of the target, and its end, that stand at their place.
        tokens: Tokens of the target with its end.
    """

    source: str
    target: str
    written: str
    length: int
    right: int
    tokens: int


@dataclass(frozen=True)
class Measured:
    """What the translations of a validation split are like.

    Args:
        step: Optimizer updates that the model had; 0 is untrained.
        measures: Of all pairs.
        bands: By length of the source, the shortest first.
        pairs: The pairs, in the order of the split.
        problem: Why there is no BLEU; "" if there is.
    """

    step: int
    measures: Measures
    bands: tuple[Band, ...]
    pairs: tuple[Pair, ...]
    problem: str = ""


def measure_translations(
    access: ModelAccess,
    *,
    pairs: int = PAIRS,
    decoding: Decoding | None = None,
    count: int = MOST,
    device: str | None = None,
    progress: Callable[[float], object] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Measured:
    """Translate the first pairs of the validation split, and compare with their targets.

    Args:
        access: The model.
        pairs: How many.
        decoding: As of `translate`.
        count: As of `translate`.
        device: Where to compute; see ModelAccess.borrow.
        progress: Called with the share that is done.
        cancelled: Called before each token.

    Raises:
        BadInput: The run translates nothing, or has no validation pairs.
        LabError: A plugin's code raised.
        Cancelled: It was cancelled.
    """
    objective = check_translates(access)
    split, tokenizer = access.evaluation_data().source.ordered(), access.tokenizer
    if "target" not in split.rows(np.zeros(1, np.int64), 0):
        what = "this run learned from a text, which has no targets to compare with"
        raise BadInput(what, field="corpus", remedy="Choose a run on pairs")
    found: list[Pair] = []
    total = min(pairs, split.examples)
    with access.borrow(device, own=True) as borrowed:
        for number in range(total):
            row = split.rows(np.array([number]), 0)
            source, target = ([int(token) for token in row[name][0] if token >= 0] for name in ("source", "target"))
            text = tokenizer.decode(source)
            made = None
            if source:
                made = translate_on(
                    access, borrowed, objective, text, decoding=decoding or beam_search(), settings={}, seed=0,
                    count=count, align=False, cancelled=cancelled,
                )  # fmt: skip
            if cancelled():
                raise Cancelled
            best = made.hypotheses[0].tokens if made is not None and made.hypotheses else ()
            wanted = [*target, tokenizer.vocabulary_size]
            right = sum(one == other for one, other in zip(best, wanted, strict=False))
            written = "" if made is None or not made.hypotheses else made.hypotheses[0].text
            found.append(Pair(text, tokenizer.decode(target), written, len(source), right, len(wanted)))
            progress((number + 1) / total)
        step = borrowed.step
    problem = ""
    try:
        need("sacrebleu", EXTRA, "BLEU")
    except BadInput as error:
        problem = f"{error.problem.what}. {error.problem.remedy}"
    return Measured(step, measures_of(found), bands_of(found), tuple(found), problem)


def measures_of(pairs: Sequence[Pair]) -> Measures:
    """Return the measures of translated pairs, at least one."""
    exact = sum(pair.written == pair.target for pair in pairs) / len(pairs)
    accuracy = sum(pair.right for pair in pairs) / sum(pair.tokens for pair in pairs)
    bleu, chrf = None, None
    with contextlib.suppress(BadInput):
        sacrebleu: Any = need("sacrebleu", EXTRA, "BLEU")
        written, targets = [pair.written for pair in pairs], [[pair.target for pair in pairs]]
        found = sacrebleu.corpus_bleu(written, targets)
        bleu = float(found.score) if found.totals[-1] else None
        chrf = float(sacrebleu.corpus_chrf(written, targets).score)
    return Measures(len(pairs), exact, accuracy, bleu, chrf)


def bands_of(pairs: Sequence[Pair]) -> tuple[Band, ...]:
    """Return the measures by length of the source, in at most BANDS bands of about as many pairs each."""
    lengths = sorted({pair.length for pair in pairs})
    found: list[Band] = []
    rest = sorted(pairs, key=lambda pair: pair.length)
    for left in range(min(BANDS, len(lengths)), 0, -1):
        if not rest:
            break
        longest = rest[max(0, -(-len(rest) // left) - 1)].length
        band = [pair for pair in rest if pair.length <= longest]
        rest = rest[len(band) :]
        found.append(Band(band[0].length, longest, measures_of(band)))
    return tuple(found)
