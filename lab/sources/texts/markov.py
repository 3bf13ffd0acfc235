"""Text of a Markov chain over letters, with random rows or rows counted in a file."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import model_validator

from lab.api import ENTROPY_RATE, BadInput, ModelConfig, Text, setting
from lab.sources.texts.chains import Chain, drawn_rows, refuse_one_letter
from lab.sources.texts.fitted import FittedChain, fitted_text
from lab.sources.texts.lengths import LETTERS, GeneratedConfig, written

CELLS = 1 << 20
"""Largest number of probabilities of a random chain: letters to the power of order + 1."""


class RandomChain(ModelConfig):
    """A chain with random probabilities."""

    kind: Literal["random"] = setting("random", help="Each context gets its own random probabilities.")
    letters: int = setting(8, ge=2, le=len(LETTERS), log=True, unit="letters", help="Size of the alphabet.")
    concentration: float = setting(
        0.5,
        ge=0.01,
        le=1000,
        log=True,
        help="Concentration of the Dirichlet distribution of the rows: small values favour one letter per row, large "
        "values make all letters equally likely. A probability below 0.0001 becomes 0.",
    )


class MarkovConfig(GeneratedConfig):
    """A chain and the length of its text."""

    order: int = setting(
        2,
        ge=0,
        le=8,
        unit="letters",
        help="Number of previous letters that determine the probabilities of the next one; 0 makes all letters "
        "independent.",
        cite="Shannon 1948, section 3",
    )
    chain: RandomChain | FittedChain = setting(RandomChain(), help="Source of the probabilities.")

    @model_validator(mode="before")
    @classmethod
    def _infer_kind(cls, given: Any) -> Any:
        """Infer a missing kind of chain: fitted if it has a path, else random."""
        chain = given.get("chain") if isinstance(given, dict) else None
        if not isinstance(chain, dict) or "kind" in chain:
            return given
        return {**given, "chain": {"kind": "fitted" if "path" in chain else "random", **chain}}


def markov(config: MarkovConfig) -> Text:
    """Return a stationary text of the chain, with its entropy rate H = −Σ π P log P (Shannon 1948, section 7).

    A chain with several closed classes stays in one of them, and the rate is that of this class.

    Raises:
        BadInput: The chain is too large, mixes too slowly or repeats one letter, or the file cannot be used.
    """
    source, draws = config.draws()
    if isinstance(config.chain, FittedChain):
        return fitted_text(config.chain, config.order, config.length, draws)
    chain, contexts = random_chain(config.chain, config.order, source)
    refuse_one_letter(chain.P, "corpus.chain.concentration", config.chain.concentration)
    law = chain.stationary()
    start = int(draws.choice(len(law), p=law))
    symbols, _ = chain.walk(draws, start, config.length)
    facts = {"contexts": len(contexts)}
    return Text(written(symbols), "Markov chain", facts=facts, floors={ENTROPY_RATE: chain.entropy_rate()})


def random_chain(config: RandomChain, order: int, random: np.random.Generator) -> tuple[Chain, NDArray[np.int64]]:
    """Return a random chain, restricted to a closed class of its contexts.

    Returns:
        The chain, and its contexts as numbers in base `letters`, the latest letter last.

    Raises:
        BadInput: The chain would have more than CELLS probabilities.
    """
    V = config.letters
    contexts = V**order
    if contexts * V > CELLS:
        raise BadInput(
            f"{V} letters have {contexts:,} contexts of {order}, which makes {contexts * V:,} probabilities",
            field="corpus.order",
            value=order,
            allowed=f"at most {CELLS:,} probabilities: order {_highest(V)} with {V} letters",
            remedy="Lower the order, or use fewer letters",
        )
    P = drawn_rows(random, contexts, V, config.concentration)
    to = (np.arange(contexts)[:, None] * V + np.arange(V)) % contexts
    return Chain(P, to).settled(int(random.integers(contexts)))


def _highest(V: int) -> int:
    return max(order for order in range(9) if V ** (order + 1) <= CELLS)
