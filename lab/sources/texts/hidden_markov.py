"""Text of a hidden Markov model: letters emitted by states that are not in the text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab.api import ENTROPY_RATE, Text, setting
from lab.sources.texts.chains import Chain, drawn_rows, entropies, refuse_one_letter
from lab.sources.texts.lengths import LETTERS, GeneratedConfig, written

APART = 1e-3
"""Difference of the bounds of an entropy rate, in nats, below which their mean is used."""

_CELLS = 1 << 19  # joint probabilities that are enumerated for the bounds
_BEFORE, _STEPS = 200, 500  # steps of each simulated walk: burn-in, and counted
_GROUPS, _GROUP = 60, 16  # walks computed at once: few enough that no threads are started


class HiddenMarkovConfig(GeneratedConfig):
    """The size of the model, and the certainty of its rows."""

    states: int = setting(8, ge=1, le=64, log=True, unit="states", help="Hidden states.")
    letters: int = setting(8, ge=2, le=len(LETTERS), log=True, unit="letters", help="Letters that a state may emit.")
    concentration: float = setting(
        0.1,
        ge=0.01,
        le=1000,
        log=True,
        help="Concentration of the Dirichlet distribution of transitions and emissions: small values give each state "
        "one main letter and one main next state. A probability below 0.0001 becomes 0.",
    )


@dataclass(frozen=True)
class HiddenMarkov:
    """A hidden Markov model with its stationary law.

    Args:
        A: (N, N) probabilities of the next state.
        B: (N, M) probabilities of the letter that a state emits.
        law: (N,) stationary probabilities of the states.
    """

    A: NDArray[np.float64]
    B: NDArray[np.float64]
    law: NDArray[np.float64]


def hidden_markov(config: HiddenMarkovConfig) -> Text:
    """Return a stationary text of the emitted letters, with their entropy rate and its error.

    Raises:
        BadInput: The states mix too slowly to compute a rate, or all emit the same letter.
    """
    source, draws = config.draws()
    model = drawn_model(config, source)
    rate, error, method = entropy_rate(model, source)
    N = len(model.A)
    hidden = Chain(model.A, np.tile(np.arange(N), (N, 1)))
    steps, emissions = draws.spawn(2)
    states, _ = hidden.walk(steps, int(draws.choice(N, p=model.law)), config.length)
    letters = _drawn(model.B[states], emissions)
    facts = {"states": N, "entropy_rate_from": method, "entropy_rate_error": error}
    return Text(written(letters), "hidden Markov model", facts=facts, floors={ENTROPY_RATE: rate})


def drawn_model(config: HiddenMarkovConfig, random: np.random.Generator) -> HiddenMarkov:
    """Return a random model, restricted to a closed class of its states.

    Raises:
        BadInput: The states mix too slowly to compute their stationary law, or all emit the same letter.
    """
    N = config.states
    chain = Chain(drawn_rows(random, N, N, config.concentration), np.tile(np.arange(N), (N, 1)))
    B = drawn_rows(random, N, config.letters, config.concentration)
    settled, states = chain.settled(int(random.integers(N)))
    A = settled.P[:, states]  # the symbol of a hidden chain is the number of its next state
    refuse_one_letter(B[states], "corpus.concentration", config.concentration)
    return HiddenMarkov(A, B[states], settled.stationary())


def entropy_rate(model: HiddenMarkov, random: np.random.Generator) -> tuple[float, float, str]:
    """Return the nats per letter. There is no closed form, so they are bounded or simulated.

    Returns:
        The rate, its error (half the difference of the bounds, plus one standard error if simulated), and the method:
        "bounds" or "simulation".
    """
    low, high = bounds(model)
    if high - low <= APART:
        return (low + high) / 2, (high - low) / 2, "bounds"
    return (*_simulated(model, random), "simulation")


def bounds(model: HiddenMarkov) -> tuple[float, float]:
    """Return the bounds H(Y_n | Y_1…Y_n−1, X_1) ≤ H ≤ H(Y_n | Y_1…Y_n−1) (Cover & Thomas 2006, theorem 4.5.1).

    They cover all texts of n letters, for the largest n that can be enumerated quickly, or the first that is close
    enough.
    """
    N, M = model.B.shape
    joint = np.diag(model.law)[:, None, :]  # p(first state, letters so far, current state)
    known = lower = upper = 0.0  # entropies of the letters so far, given the first state and without it
    low, high = 0.0, float(np.log(M))
    while joint.size * M <= _CELLS and high - low > APART:
        emitted = joint[:, :, None, :] * model.B.T  # (N, texts, M, N)
        joint = emitted.reshape(N, -1, N)
        texts = joint.sum(axis=2)
        before, lower = lower, float(entropies(texts.ravel()) - entropies(model.law))
        known, upper = upper, float(entropies(texts.sum(axis=0)))
        low, high = max(low, lower - before), min(high, upper - known)
        joint = joint[:, texts.sum(axis=0) > 0] @ model.A
    return low, high


def _simulated(model: HiddenMarkov, random: np.random.Generator) -> tuple[float, float]:
    """Return the mean entropy of the forward algorithm's prediction of the next letter, over many walks.

    Each walk is followed once from its first state and once from the stationary law. Their means are the bounds above
    for all counted n, whose difference gives one part of the error; the independent walks give the standard error.
    """
    N = len(model.A)
    hidden = random.choice(N, size=(_GROUPS, _GROUP), p=model.law)
    belief = np.stack([np.eye(N)[hidden], np.broadcast_to(model.law, (*hidden.shape, N))])
    sums = np.zeros((2, *hidden.shape))
    for step in range(_BEFORE + _STEPS):
        if step >= _BEFORE:
            sums += entropies(belief @ model.B)
        letters = _drawn(model.B[hidden], random)
        belief *= model.B.T[letters]
        belief = (belief / belief.sum(axis=-1, keepdims=True)) @ model.A
        hidden = _drawn(model.A[hidden], random)
    low, high = sums / _STEPS
    middle = (low + high) / 2
    error = abs(float((high - low).mean())) / 2 + float(middle.std(ddof=1)) / middle.size**0.5
    return float(middle.mean()), error


def _drawn(rows: NDArray[np.float64], random: np.random.Generator) -> NDArray[np.int64]:
    """Return one draw (…) from each of the distributions (…, V)."""
    borders = rows.cumsum(axis=-1)
    return np.asarray((borders <= random.random(rows.shape[:-1])[..., None] * borders[..., -1:]).sum(axis=-1), np.int64)
