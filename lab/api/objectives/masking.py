"""Hiding tokens of a row, for objectives that predict them from both sides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import model_validator

from lab.api.config import ModelConfig, setting
from lab.base import BadInput
from lab.base.randomness import scrambled, uniforms

if TYPE_CHECKING:
    from numpy.typing import NDArray

FIXED = 20_061
"""Second number of the seed by which a row that is masked once and for all gets its masks."""


class MaskingConfig(ModelConfig):
    """The settings of how tokens are hidden."""

    share: float = setting(
        0.15,
        gt=0,
        le=1,
        label="Hidden share",
        group="Objective",
        help="Share of the tokens that are hidden and must be predicted. Typical: 0.15 to 0.4.",
        cite="Devlin et al. 2018",
    )
    masked: float = setting(
        0.8,
        ge=0,
        le=1,
        label="Shown as mask",
        group="Objective",
        help="Share of the hidden tokens in whose place the mask symbol stands. Typical: 0.8, or 1.",
        cite="Devlin et al. 2018, section 3.1",
    )
    swapped: float = setting(
        0.1,
        ge=0,
        le=1,
        label="Shown as another",
        group="Objective",
        help="Share of the hidden tokens in whose place another, random token stands; what is left is shown as it is. "
        "Typical: 0.1, or 0.",
        cite="Devlin et al. 2018, section 3.1",
    )
    whole_words: bool = setting(
        False,
        group="Objective",
        help="Hide all tokens of a word, or none: a part of a word is easily guessed from its other parts.",
        cite="Cui et al. 2019",
    )
    maskings: int = setting(
        0,
        ge=0,
        le=1000,
        group="Objective",
        label="Maskings of a row",
        zero="a new one at every reading",
        help="How many ways of hiding the tokens of a row are drawn, once, before the training: 1 hides the same ones "
        "at every reading (static), 10 is BERT's, 0 draws new ones each time (dynamic, RoBERTa's). It matters where "
        "rows come again, as with training.order=epochs. Typical: 0, 1 or 10.",
        cite="Liu et al. 2019, section 4.1",
    )

    @model_validator(mode="after")
    def _shares_fit(self) -> MaskingConfig:
        if self.masked + self.swapped > 1 + 1e-9:
            raise ValueError(f"masked {self.masked:g} and swapped {self.swapped:g} are more than all hidden tokens")
        return self


@dataclass(frozen=True)
class Masking:
    """The tokens of rows as a model reads them, and those that it predicts.

    Args:
        shown: (B, T) int64 what is read; 0 where there is no token.
        targets: (B, T) int64 the hidden tokens, −1 elsewhere.
    """

    shown: NDArray[np.int64]
    targets: NDArray[np.int64]


def masked_rows(
    tokens: NDArray[np.int64],
    source: Any,
    examples: NDArray[np.int64],
    seed: int,
    config: MaskingConfig,
    mask: int,
    may: NDArray[np.bool_] | None = None,
) -> Masking:
    """Hide tokens of rows, at least one in each that has any.

    Args:
        tokens: (B, T), −1 where there is none.
        source: The lab.api.Source that they come from, with the number of its symbols, and the edges of words.
        examples: (B,) the numbers of the rows.
        seed: The run's seed.
        config: How many, and what is shown instead.
        mask: The number of the symbol that stands for a hidden token.
        may: (B, T) which may be hidden; None for all.

    Raises:
        BadInput: Whole words are to be hidden, and the source has no words.
    """
    T = tokens.shape[1]
    if config.maskings:
        seed, examples = seed + FIXED, fixed_numbers(tokens, examples, seed, config.maskings)
    draws = uniforms(seed, examples, 3 * T)
    ranks, fate, other = draws[:, :T], draws[:, T : 2 * T], draws[:, 2 * T :]
    if config.whole_words:
        firsts = first_of_words(tokens, source)
        ranks = np.take_along_axis(ranks, firsts, axis=1)
    present = tokens >= 0 if may is None else (tokens >= 0) & may
    ranks = np.where(present, ranks, 2.0)
    hidden = (ranks < config.share) | (ranks == ranks.min(axis=1, keepdims=True))
    hidden &= present
    shown = np.where(hidden & (fate < config.masked), mask, np.maximum(tokens, 0))
    exchanged = hidden & (fate >= 1 - config.swapped)
    shown = np.where(exchanged, (other * source.vocabulary_size).astype(np.int64), shown)
    return Masking(shown, np.where(hidden, tokens, -1))


def fixed_numbers(
    tokens: NDArray[np.int64], examples: NDArray[np.int64], seed: int, maskings: int
) -> NDArray[np.int64]:
    """Return (B,) a number for each row that follows from what stands in it, and from which of its maskings is used.

    Args:
        tokens: (B, T), −1 where there is none.
        examples: (B,) the numbers of the examples.
        seed: The run's seed.
        maskings: How many numbers a row has.
    """
    places = scrambled(seed, np.arange(tokens.shape[1]))
    content = scrambled(seed, (tokens.astype(np.uint64) + np.uint64(1)) * places).sum(axis=1, dtype=np.uint64)
    which = scrambled(seed + 1, examples) % np.uint64(maskings)
    return scrambled(seed, content + which).astype(np.int64)


def first_of_words(tokens: NDArray[np.int64], source: Any) -> NDArray[np.int64]:
    """Return (B, T) the position of the first token of the word that each token belongs to.

    Args:
        tokens: (B, T), −1 where there is none.
        source: What they come from. Its `words` returns (continues, ends), both (V,) bool: whether a token begins with
            a character of a word that its predecessor may have begun, and whether it ends with one.

    Raises:
        BadInput: The source has no words.
    """
    edges: Callable[[], tuple[NDArray[np.bool_], NDArray[np.bool_]]] | None = getattr(source, "words", None)
    if edges is None:
        raise BadInput(
            "this corpus is no text with words that could be hidden as a whole",
            field="objective.whole_words",
            value="true",
            remedy="Choose one text as the corpus, or set objective.whole_words=false",
        )
    continues, ends = edges()
    known = np.clip(tokens, 0, len(continues) - 1)
    belongs = np.zeros(tokens.shape, bool)  # to the word of the token before it
    belongs[:, 1:] = continues[known[:, 1:]] & ends[known[:, :-1]]
    belongs &= (tokens >= 0) & (tokens < len(continues))
    belongs[:, 1:] &= (tokens[:, :-1] >= 0) & (tokens[:, :-1] < len(continues))
    here = np.broadcast_to(np.arange(tokens.shape[1]), tokens.shape)
    return np.maximum.accumulate(np.where(belongs, 0, here), axis=1)
