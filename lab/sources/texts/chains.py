"""Finite Markov chains whose steps emit symbols: stationary law, entropy rate and walks."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput

NEVER = 1e-4
"""Drawn probabilities below this become 0: a chain connected by less would not mix within a text."""

_DENSE = 1000  # states up to which the stationary law is solved for directly
_ROUNDS = 3000  # iterations for more states
_STAYS = 0.1  # share that stays in each round, against oscillation of periodic chains
_CLOSE = 1e-10  # the largest change of a stationary law in a step


@dataclass(frozen=True)
class Chain:
    """A Markov chain in which state and symbol determine the next state, so that its loss is known at each step.

    Args:
        P: (S, V) float64, the probability of each symbol in each state; rows sum to 1.
        to: (S, V) int64, the next state; undefined where P is 0.
    """

    P: NDArray[np.float64]
    to: NDArray[np.int64]

    def settled(self, start: int) -> tuple[Chain, NDArray[np.int64]]:
        """Return the chain on a closed class of states reachable from `start`, where each state reaches each other.

        Returns:
            The chain, and the numbers of its states in this one, (S',) ascending.
        """
        inside = self._reached(start)
        while True:
            returning = self._leading_to(start, inside)
            lost = np.flatnonzero(inside & ~returning)
            if not len(lost):
                break
            start = int(lost[0])  # this state cannot return, so it reaches fewer states
            inside = self._reached(start)
        states = np.flatnonzero(inside)
        number = np.zeros(len(inside), np.int64)
        number[states] = np.arange(len(states))
        return Chain(self.P[states], number[self.to[states]]), states

    def stationary(self) -> NDArray[np.float64]:
        """Return the share of time in each state, (S,), of a chain that is one class, even if periodic.

        Raises:
            BadInput: The iteration converges too slowly.
        """
        S = len(self.P)
        law = self._solved() if S <= _DENSE else np.full(S, 1 / S)
        for _ in range(_ROUNDS):
            after = self._step(law)
            if np.abs(after - law).sum() < _CLOSE:
                return law
            law = _STAYS * law + (1 - _STAYS) * after
        raise BadInput(
            "this chain mixes so slowly that its entropy rate cannot be computed",
            field="corpus",
            remedy="Raise the concentration, or use another seed",
        )

    def entropy_rate(self) -> float:
        """Return the nats per symbol of a chain that is one class: H = −Σ π P log P (Shannon 1948, section 7)."""
        return float(self.stationary() @ entropies(self.P))

    def walk(self, random: np.random.Generator, start: int, steps: int) -> tuple[list[int], list[int]]:
        """Return the symbols of a walk, and the state before each symbol."""
        visited: dict[int, tuple[list[float], list[int]]] = {}  # most states of a large chain are never visited
        symbols, states, state = [], [], start
        for draw in random.random(steps).tolist():
            known = visited.get(state)
            if known is None:
                known = visited[state] = self._borders(state), self.to[state].tolist()
            symbol = bisect(known[0], draw)
            states.append(state)
            symbols.append(symbol)
            state = known[1][symbol]
        return symbols, states

    def _borders(self, state: int) -> list[float]:
        """Return the cumulative probabilities of the symbols without the last possible one, which gets the rest."""
        P = self.P[state]
        borders: list[float] = P[: P.nonzero()[0][-1]].cumsum().tolist()
        return borders

    def _step(self, law: NDArray[np.float64]) -> NDArray[np.float64]:
        flow = np.bincount(self.to.ravel(), weights=(law[:, None] * self.P).ravel(), minlength=len(law))
        return np.asarray(flow / flow.sum(), np.float64)

    def _solved(self) -> NDArray[np.float64]:
        S = len(self.P)
        cells = (self.to + S * np.arange(S)[:, None]).ravel()
        T = np.bincount(cells, weights=self.P.ravel(), minlength=S * S).reshape(S, S)
        law = np.linalg.solve(np.eye(S) - T.T + 1, np.ones(S))  # π = π T and Σ π = 1 in one system
        law = np.maximum(law, 0)
        return np.asarray(law / law.sum(), np.float64)

    def _reached(self, start: int) -> NDArray[np.bool_]:
        reached = np.zeros(len(self.P), bool)
        reached[start] = True
        new = np.array([start])
        while len(new):
            after = np.unique(self.to[new][self.P[new] > 0])
            new = after[~reached[after]]
            reached[new] = True
        return reached

    def _leading_to(self, goal: int, inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
        leading = np.zeros(len(self.P), bool)
        leading[goal] = True
        states = np.flatnonzero(inside)
        possible, to = self.P[states] > 0, self.to[states]
        while True:
            more = states[(possible & leading[to]).any(axis=1)]
            if leading[more].all():
                return leading
            leading[more] = True


def entropies(P: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the entropies in nats (…) of probabilities (…, V), where 0 log 0 = 0."""
    logs = np.log(P, where=P > 0, out=np.zeros_like(P))
    return np.asarray(-(P * logs).sum(axis=-1), np.float64)


def drawn_rows(random: np.random.Generator, rows: int, columns: int, concentration: float) -> NDArray[np.float64]:
    """Return distributions (rows, columns) from the symmetric Dirichlet law, with values below NEVER set to 0."""
    P = random.dirichlet(np.full(columns, concentration), size=rows)
    P[P < NEVER] = 0
    return np.asarray(P / P.sum(axis=1, keepdims=True), np.float64)


def refuse_one_letter(P: NDArray[np.float64], field: str, concentration: float) -> None:
    """Refuse rows (S, V) that all give the same letter with certainty, since there is nothing to learn.

    Args:
        P: The probabilities of each letter, in each state that occurs.
        field: The setting of the concentration.
        concentration: The value of that setting.

    Raises:
        BadInput: All rows give the same letter with certainty.
    """
    if (P > 0).any(axis=0).sum() == 1:
        raise BadInput(
            "this random source repeats one letter for ever",
            field=field,
            value=concentration,
            remedy="Raise the concentration, or use another seed",
        )
