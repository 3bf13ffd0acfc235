"""Recall of earlier tokens: a repeated passage, tokens among noise, values by their keys."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, Drawn, Examples, ModelConfig, setting
from lab.api.examples import Split
from lab.sources.tasks.rows import LONGEST, SCORED_HELP, Scored, below, checked_length, draws, letters, shown


class InductionConfig(ModelConfig):
    """Random tokens, the last of which occur again; `length` counts the tokens before the repetition."""

    version: ClassVar[int] = 2

    length: int = setting(12, ge=2, le=LONGEST, log=True, unit="tokens", help="Random tokens before the repetition.")
    alphabet: int = setting(
        52, ge=1, le=LONGEST, log=True, unit="symbols", help="Different symbols, each equally likely."
    )
    distance: Literal["drawn", "constant"] = setting(
        "drawn",
        help="Distance of a token from its repetition: drawn separately for each example, from 2 to the length, among "
        "different tokens; or always the length, which a single layer of attention learns by position alone.",
    )
    scored: Scored = setting("answers", help=SCORED_HELP)

    @classmethod
    def migrate(cls, settings: dict[str, Any], version: int) -> dict[str, Any]:
        """Restore the constant distance of version 1, and its default length."""
        del version
        return {"length": 25, "distance": "constant", **settings}


class SelectiveCopyingConfig(ModelConfig):
    """Data tokens among noise, to be repeated in order; `length` counts the tokens before the separator."""

    length: int = setting(
        48, ge=1, le=LONGEST, log=True, unit="tokens", help="Tokens that are read, data and noise, in each example."
    )
    data: int = setting(
        8, ge=1, le=4096, log=True, unit="tokens", help="Number of data tokens, which the model repeats in order."
    )
    alphabet: int = setting(
        14, ge=1, le=4096, log=True, unit="symbols", help="Different data tokens, each equally likely."
    )
    easier: float = setting(
        0.0,
        ge=0,
        le=1,
        help="Share of the training examples whose data are near the separator, at a random distance. They are learned "
        "first and help with the others; validation has none.",
        cite="Bengio et al. 2009, Curriculum Learning",
    )


class RecallConfig(ModelConfig):
    """Keys with their values, then questions for them; `length` counts all tokens of an example."""

    length: int = setting(
        64, ge=4, le=LONGEST, log=True, unit="tokens", help="Tokens of each example: pairs, questions and filler."
    )
    pairs: int = setting(
        4, ge=1, le=4096, log=True, unit="pairs", help="Keys with their values at the start; each key is queried once."
    )
    vocabulary: int = setting(
        256,
        ge=4,
        le=16384,
        log=True,
        unit="symbols",
        help="Symbols: the filler, then the keys in the lower half and the values in the upper one.",
    )
    power: float = setting(
        0.01,
        gt=0,
        le=10,
        log=True,
        help="Distance of questions from the pairs: position i has the weight i^(power − 1); 1 makes all positions "
        "equally likely.",
        cite="Arora et al. 2024, section 4 and zoology/data/multiquery_ar.py (power_a)",
    )
    random_filler: bool = setting(
        False, help="Fill gaps between questions with random symbols instead of the filler symbol."
    )


def induction(config: InductionConfig) -> Examples:
    """Return the source of random tokens, the last of which occur again; scored from the second repeated token.

    With the distance "drawn", `length` different tokens are followed by the last 2 to `length` of them, all numbers
    equally likely. This number is the distance of a token from its repetition, so no position and no order in which
    tokens came tells the next one: only what followed the current token before. With "constant", all tokens are
    repeated, and they may be equal.

    The first repeated token is not known before it is read, unless the distance is constant. If all tokens are scored,
    it is scored too. The best predictor then loses the logarithms of the number of possible tokens at each token of the
    first part, and of the number of distances at the first repeated token.

    Raises:
        BadInput: There are fewer symbols than different tokens.
    """
    length, size, drawn = config.length, config.alphabet, config.distance == "drawn"
    if drawn and length > size:
        raise BadInput(
            f"is more than the {size} symbols of the alphabet, and the tokens are different",
            field="corpus.length",
            value=str(length),
            allowed=f"at most {size}",
            remedy="Increase corpus.alphabet, or set corpus.distance to constant",
        )
    columns = np.arange(2 * length)
    first = length + 1 if config.scored == "answers" else 1

    def draw(numbers: np.ndarray, seed: int, split: Split) -> Drawn:
        uniform = draws(numbers, seed, split, length + drawn)
        if drawn:
            passage, distance = _different(uniform[:, :length], size), 2 + below(uniform[:, length:], length - 1)
        else:
            passage, distance = below(uniform, size), np.full((len(numbers), 1), length)
        inside = columns < length + distance
        source = np.where(columns < length, columns, columns - distance)  # (B, 2 · length)
        tokens = np.where(inside, np.take_along_axis(passage, np.minimum(source, length - 1), axis=1), -1)
        return Drawn(tokens, inside & (columns >= first))

    def at_length(other: int) -> Examples:
        return induction(config.model_copy(update={"length": checked_length(other, 2)}))

    entropy = 0.0 if config.scored == "answers" else _entropy_per_token(length, size, drawn=drawn)
    return Examples("Induction", shown(letters(size)), 2 * length, draw, entropy, length, at_length)


def _entropy_per_token(length: int, size: int, *, drawn: bool) -> float:
    """Return the nats per token, but the first, of random tokens and their repetition."""
    if not drawn:
        return (length - 1) * math.log(size) / (2 * length - 1)
    tokens = sum(math.log(size - seen) for seen in range(1, length))
    return (tokens + math.log(length - 1)) / (length + (2 + length) / 2 - 1)


def selective_copying(config: SelectiveCopyingConfig) -> Examples:
    """Return the source of data tokens at random positions among noise, a separator, and the data tokens, scored.

    In the paper there are markers at the positions of the answers; here each answer is read before the next one, as in
    a language model.

    Raises:
        BadInput: There are more data tokens than positions.
    """
    length, data, size = config.length, config.data, config.alphabet
    if data > length:
        raise BadInput(
            f"leaves no room for {data} data tokens",
            field="corpus.length",
            value=str(length),
            allowed=f"at least {data}",
            remedy="Make the examples longer, or corpus.data smaller",
        )
    longest = length + 1 + data

    def draw(numbers: np.ndarray, seed: int, split: Split) -> Drawn:
        easier = config.easier if split == "train" else 0.0
        uniform = draws(numbers, seed, split, 2 * length + 2 * (easier > 0))
        order = uniform[:, :length]
        if easier:
            easy, near = uniform[:, -2:].T
            reach = np.where(easy < easier, data * (length / data) ** near, length)  # log-uniform
            order = order + (np.arange(length) < length - np.ceil(reach)[:, None])
        is_data = np.zeros((len(numbers), length), dtype=bool)
        positions = np.argpartition(order, data - 1, axis=1)[
            :, :data
        ]  # of the smallest values, so all sets are equally likely
        np.put_along_axis(is_data, positions, values=True, axis=1)
        tokens = np.full((len(numbers), longest), size, dtype=np.int64)
        tokens[:, :length] = np.where(is_data, below(uniform[:, length : 2 * length], size), size)
        tokens[:, length] = size + 1
        tokens[:, length + 1 :] = tokens[:, :length][is_data].reshape(-1, data)
        return Drawn(tokens, np.broadcast_to(np.arange(longest) > length, tokens.shape).copy())

    def at_length(other: int) -> Examples:
        return selective_copying(config.model_copy(update={"length": checked_length(other, data)}))

    symbols = shown([*letters(size), "-", "|"])
    return Examples("Selective copying", symbols, longest, draw, 0.0, length, at_length)


def associative_recall(config: RecallConfig) -> Examples:
    """Return the source of multi-query associative recall, as in zoology/data/multiquery_ar.py.

    Symbol 0 is the filler, keys are 1 … V/2 − 1, values V/2 … V − 1. Pairs of different keys and different values come
    first. After them are slots of two tokens; each key is queried in one of them, drawn without replacement with
    weights i^(power − 1), the key of the first pair first. There are two differences: the token after a question is its
    value, which is scored (there the label is separate, and filler follows the question), and `length` may be odd (its
    last token is then filler). Random filler may be any symbol, including keys.

    Raises:
        BadInput: Pairs and questions need more tokens or keys than there are.
    """
    length, pairs, size = config.length, config.pairs, config.vocabulary
    if 4 * pairs > length:
        raise _too_many(pairs, f"at most {length // 4} for examples of {length} tokens", "Increase corpus.length")
    keys = size // 2 - 1
    if pairs > keys:
        raise _too_many(pairs, f"at most {keys} for {size} symbols", "Increase corpus.vocabulary")
    context = 2 * pairs
    positions = (length - context) // 2
    weights = np.arange(1, positions + 1) ** (config.power - 1.0)

    def draw(numbers: np.ndarray, seed: int, split: Split) -> Drawn:
        uniform = draws(numbers, seed, split, context + positions + length * config.random_filler)
        rows = np.arange(len(numbers))[:, None]
        queried = 1 + _different(uniform[:, :pairs], keys)
        values = size // 2 + _different(uniform[:, pairs:context], size - size // 2)
        tokens = np.zeros((len(numbers), length), dtype=np.int64)
        if config.random_filler:
            tokens[:] = below(uniform[:, context + positions :], size)
        tokens[:, 0:context:2], tokens[:, 1:context:2] = queried, values
        # ordering exponential times with these rates draws without replacement
        times = -np.log1p(-uniform[:, context : context + positions]) / weights
        questions = context + 2 * np.argsort(times, axis=1)[:, :pairs]
        tokens[rows, questions], tokens[rows, questions + 1] = queried, values
        scored = np.zeros(tokens.shape, dtype=bool)
        scored[rows, questions + 1] = True
        return Drawn(tokens, scored)

    def at_length(other: int) -> Examples:
        return associative_recall(config.model_copy(update={"length": checked_length(other, 4 * pairs)}))

    names = [*(f"k{i}" for i in range(1, keys + 1)), *(f"v{i}" for i in range(1, size - keys))]
    return Examples("Associative recall", shown(["-", *names]), length, draw, 0.0, length, at_length)


def _too_many(pairs: int, allowed: str, remedy: str) -> BadInput:
    remedy = f"{remedy}, or use fewer pairs"
    return BadInput(
        "is more than fits into an example", field="corpus.pairs", value=str(pairs), allowed=allowed, remedy=remedy
    )


def _different(uniform: NDArray[np.float64], size: int) -> NDArray[np.int64]:
    """Return different numbers (B, M) from 0 to size − 1 in each row, all equally likely (Fisher and Yates)."""
    rows = np.arange(len(uniform))
    table = np.tile(np.arange(size), (len(uniform), 1))
    for index in range(uniform.shape[1]):
        other = index + below(uniform[:, index], size - index)
        table[rows, index], table[rows, other] = table[rows, other], table[rows, index]
    return table[:, : uniform.shape[1]]
