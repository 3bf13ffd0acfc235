"""The n-gram model: a trie of counts, one sorted table per order, and three ways to smooth them.

B batch, T tokens, V vocabulary, K distinct n-grams of one order. A node is the place of an n-gram in the table of its
order. The table holds, for the n-gram h·w, the code (node of h) · V + w: codes stay below K · V at every order and
vocabulary, and what was seen after h stands side by side. Node −1 is an n-gram that was never seen; every array that
nodes index has one more entry at its end, for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lab.layers import LanguageModel

if TYPE_CHECKING:
    from lab.api import State, Task
    from lab_ngram import NgramConfig

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NEVER = np.iinfo(np.int64).max  # greater than every code
POSITIONS_AT_ONCE = 65_536  # searched for
NUMBERS_AT_ONCE = 2**21  # of distributions over the vocabulary


@dataclass(frozen=True, eq=False)
class Grams:
    """The n-grams h·w of one order that were seen. Never written, so that copies of a model share them.

    Args:
        codes: (K + 1,) rising; the last is NEVER.
        counts: (K + 1,) c(hw); the last is 0.
        contexts: How many different h there may be: the n-grams of the order below.
        vocabulary_size: V.
    """

    codes: Ints
    counts: Ints
    contexts: int
    vocabulary_size: int

    @classmethod
    def of(cls, codes: Ints, counts: Ints, contexts: int, vocabulary_size: int) -> Grams:
        """From the (K,) codes and counts of what was seen."""
        return cls(np.append(codes, NEVER), np.append(counts, 0), contexts, vocabulary_size)

    def __len__(self) -> int:
        return len(self.codes) - 1

    def __deepcopy__(self, memo: object) -> Grams:
        return self

    @cached_property
    def distinct(self) -> Ints:
        """(contexts + 1,) N1+(h·): how many different tokens followed each context."""
        return np.bincount(self.codes[:-1] // self.vocabulary_size, minlength=self.contexts + 1)

    @cached_property
    def first(self) -> Ints:
        """(contexts + 2,) what followed context h has the nodes first[h] to first[h + 1] − 1."""
        return np.concatenate([[0], np.cumsum(self.distinct)])

    @cached_property
    def totals(self) -> Ints:
        """(contexts + 1,) c(h) = Σ_w c(hw): how often anything followed each context."""
        return np.diff(np.concatenate([[0], np.cumsum(self.counts[:-1])])[self.first])

    def find(self, contexts: Ints, tokens: Ints) -> Ints:
        """The nodes of contexts·tokens, two arrays of one shape; −1 where it was never seen."""
        wanted = contexts * self.vocabulary_size + tokens  # after context −1 below zero: not found
        nodes = np.searchsorted(self.codes, wanted)
        return np.where(self.codes[nodes] == wanted, nodes, -1)

    def continuations(self, contexts: Ints) -> tuple[Ints, Ints]:
        """All that followed each of (R,) contexts: index into contexts (M,) and node (M,), M = Σ N1+(h·)."""
        lengths = self.distinct[contexts]
        rows = np.repeat(np.arange(len(contexts)), lengths)
        skipped = self.first[contexts] - (np.cumsum(lengths) - lengths)
        return rows, np.arange(len(rows)) + skipped[rows]


class NgramModel(LanguageModel):
    """p(w|h) = λ(h) c(hw)/c(h) + (1 − λ(h)) p(w|h'), down to 1/V; h' is h without its oldest token.

    That is Jelinek & Mercer 1980; the smoothings differ in λ alone. The context of a token is the last order − 1 before
    it in its row. Before anything is counted all tokens are equally likely. Sums are made in float64; answers have the
    dtype that was torch's default when the model was made, or that of `model.to(dtype)`.
    """

    learns: Literal["gradient", "counting"] = "counting"

    def __init__(self, config: NgramConfig, task: Task) -> None:
        super().__init__(config, task)
        self.history: int = max(0, config.order - 2)  # before the token being read
        none = np.zeros(0, np.int64)
        self.grams = tuple(
            Grams.of(none, none, 1 if m == 1 else 0, task.vocabulary_size) for m in range(1, config.order + 1)
        )
        self.tail: Ints = none  # the last order − 1 tokens counted: n-grams reach over the borders of slices
        self.like: Tensor  # has the device and dtype that answers shall have, as weights would
        self.register_buffer("like", torch.empty(0), persistent=False)

    def count(self, tokens: Any) -> None:
        """Counts the n-grams of every order in one more contiguous slice of the training text.

        Args:
            tokens: (N,) whole numbers from 0 to V − 1.

        Raises:
            ValueError: The tokens are no such numbers.
        """
        V = self.task.vocabulary_size
        text = np.concatenate([self.tail, _symbols(np.asarray(tokens), V)])
        nodes = np.zeros(len(text) + 1, np.int64)  # of the n-gram of the order below that begins at each position
        moved = np.zeros(1, np.int64)  # where each node of the order below has gone
        contexts, counted = 1, []
        for m, old in enumerate(self.grams, 1):
            known = moved[old.codes[:-1] // V] * V + old.codes[:-1] % V
            read = nodes[:-1] * V + text[m - 1 :]
            codes, places = _ranked(np.concatenate([known, read]), contexts * V)
            moved, nodes = places[: len(old)], places[len(old) :]
            ending_here = nodes[max(0, len(self.tail) - m + 1) :]  # the others were counted with the slice before
            counts = np.bincount(ending_here, minlength=len(codes))
            counts[moved] += old.counts[:-1]
            counted.append(Grams.of(codes, counts, contexts, V))
            contexts = len(codes)
        self.grams, self.tail = tuple(counted), text[max(0, len(text) - self.config.order + 1) :].copy()

    def tables(self) -> dict[str, Tensor]:
        """Codes and counts of every order, and the last tokens, to count on from. They share the model's memory."""
        tables = {"tail": torch.from_numpy(self.tail)}
        for m, grams in enumerate(self.grams, 1):
            tables[f"codes.{m}"] = torch.from_numpy(grams.codes[:-1])
            tables[f"counts.{m}"] = torch.from_numpy(grams.counts[:-1])
        return tables

    def load_tables(self, tables: dict[str, Tensor]) -> None:
        """The inverse of `tables`.

        Raises:
            ValueError: A table is missing or unknown, or holds what counting with this vocabulary cannot give.
        """
        own = self.tables().keys()
        if own != tables.keys():
            missing, extra = sorted(own - tables.keys()), sorted(tables.keys() - own)
            raise ValueError(f"tables do not fit order {self.config.order}: missing {missing[:3]}, unknown {extra[:3]}")
        arrays = {name: _whole_numbers(name, table) for name, table in tables.items()}
        V, contexts, loaded = self.task.vocabulary_size, 1, []
        for m in range(1, self.config.order + 1):
            codes, counts = arrays[f"codes.{m}"], arrays[f"counts.{m}"]
            if len(codes) and (codes[0] < 0 or codes[-1] >= contexts * V or (codes[1:] <= codes[:-1]).any()):
                raise ValueError(f"codes.{m} must rise from 0 or more to less than {contexts * V}")
            if len(counts) != len(codes) or (counts < 1).any() or counts.sum(dtype=np.float64) > 2**53:
                raise ValueError(f"counts.{m} must be {len(codes)} numbers, each 1 or more, together at most 2^53")
            loaded.append(Grams.of(codes, counts, contexts, V))
            contexts = len(codes)
        tail = arrays["tail"]
        if len(tail) > self.config.order - 1 or ((tail < 0) | (tail >= V)).any():
            raise ValueError(f"tail must be at most {self.config.order - 1} tokens from 0 to {V - 1}")
        self.grams, self.tail = tuple(loaded), tail.copy()

    @torch.no_grad()
    def score(self, tokens: Tensor, targets: Tensor, **given: Tensor) -> Tensor:
        """Log-probability of each target in nats: (B, T) and (B, T) -> (B, T), 0 where target < 0.

        A search in the tables, piece by piece: V plays no part in its memory, and next to none in its time.
        """
        del given
        if tokens.is_meta:
            return self.like.new_empty(tokens.shape, device="meta")
        V = self.task.vocabulary_size
        text, wanted = _symbols(tokens.cpu().numpy(), V), _symbols(targets.clamp(min=0).cpu().numpy(), V)
        nats = np.empty(text.shape)
        columns = max(self.config.order, POSITIONS_AT_ONCE // max(1, len(text)))
        overlap = max(0, self.config.order - 2)  # the first token of a piece is in its own context, order − 1 long
        for begin in range(0, text.shape[1], columns):
            here = slice(begin, begin + columns)
            seen = text[:, max(0, begin - overlap) : begin + columns]
            nats[:, here] = np.log(self._probabilities(seen, wanted[:, here]))
        return torch.from_numpy(nats).to(self.like).masked_fill(targets.to(self.like.device) < 0, 0.0)

    def start(self, batch: int, **given: Tensor) -> State:
        """No tokens (B, 0); later the last order − 2 of them, which with the next one are a context."""
        del given
        return self.like.new_zeros(batch, 0, dtype=torch.int64)

    @torch.no_grad()
    def extend(self, tokens: Tensor, state: State, last: int | None = None) -> tuple[Tensor, State]:
        """Reads (B, T) more tokens -> log-probabilities as logits (B, T or last, V), and the new state.

        Reports "order" (batch, order, token): the share of each order, 0 being 1/V, in the distribution of the next
        token.
        """
        V, (B, T) = self.task.vocabulary_size, tokens.shape
        seen = torch.cat([state.to(tokens.device), tokens], dim=1)
        new_state = seen[:, max(0, seen.shape[1] - self.history) :]
        kept = min(T, last or T)
        logits = self.like.new_empty(B, kept, V, device=tokens.device)
        if not tokens.is_meta:
            text = _symbols(seen.cpu().numpy(), V)
            self.report("order", lambda: self._weights(text, T), axes=("batch", "order", "token"), units="share")
            self._write_distributions(text, logits)
        return logits, new_state

    def _orders(self, text: Ints) -> Iterator[tuple[Grams, Ints, Floats]]:
        """For each order from 1: its n-grams, the context that every position of (B, T) gives them, and its λ."""
        tokens_there = np.arange(text.shape[1]) + 1
        contexts = np.zeros(text.shape, np.int64)
        for m, grams in enumerate(self.grams, 1):
            if m > 1:  # one token longer: what was the context one position ago, and the token here
                outside = 0 if m == 2 else -1
                ago = np.pad(contexts, ((0, 0), (1, 0)), constant_values=outside)[:, :-1]
                contexts = self.grams[m - 2].find(ago, text)
            yield grams, contexts, self._share(grams, contexts, m == np.minimum(tokens_there + 1, self.config.order))

    def _share(self, grams: Grams, contexts: Ints, longest: NDArray[np.bool_]) -> Floats:
        """λ(h), 0 where h was never seen. `longest` says where no order above this one has a context."""
        total = grams.totals[contexts]
        share: Floats
        if self.config.smoothing == "witten-bell":  # the more has followed h, the likelier is something new
            share = total / np.maximum(1, total + grams.distinct[contexts])
        elif self.config.smoothing == "jelinek-mercer":
            share = self.config.weight * (total > 0)
        else:  # (c(hw) + k) / (c(h) + kV) = λ c(hw)/c(h) + (1 − λ)/V, of the longest context alone
            share = longest * total / (total + self.config.k * self.task.vocabulary_size)
        return share

    def _probabilities(self, text: Ints, wanted: Ints) -> Floats:
        """The probability of the (B, n) wanted tokens, each after one of the last n positions of text."""
        n = wanted.shape[1]
        p: Floats = np.full(wanted.shape, 1 / self.task.vocabulary_size)
        for grams, contexts, share in self._orders(text):
            contexts, share = contexts[:, -n:], share[:, -n:]
            seen = grams.counts[grams.find(contexts, wanted)]
            p = share * seen / np.maximum(1, grams.totals[contexts]) + (1 - share) * p
        return p

    def _write_distributions(self, text: Ints, logits: Tensor) -> None:
        """Writes log p of all V tokens after the last n positions of text into logits (B, n, V)."""
        _, n, V = logits.shape
        flat = logits.view(-1, V)
        orders = [
            (grams, contexts[:, -n:].ravel(), share[:, -n:].ravel()) for grams, contexts, share in self._orders(text)
        ]
        rows_at_once = max(1, NUMBERS_AT_ONCE // V)
        for begin in range(0, len(flat), rows_at_once):
            here = slice(begin, begin + rows_at_once)
            p = np.full(flat[here].shape, 1 / V)
            for grams, contexts, share in orders:
                p *= (1 - share[here])[:, None]
                rows, nodes = grams.continuations(contexts[here])
                per_sighting = share[here] / np.maximum(1, grams.totals[contexts[here]])
                p[rows, grams.codes[nodes] % V] += per_sighting[rows] * grams.counts[nodes]
            flat[here] = torch.from_numpy(np.log(p))

    def _weights(self, text: Ints, n: int) -> Tensor:
        """(B, order + 1, n): the product of λ and the (1 − λ) above it, at the last n positions; sums to 1."""
        weights = np.ones((len(text), self.config.order + 1, n))
        for m, (_, _, share) in enumerate(self._orders(text), 1):
            weights[:, :m] *= 1 - share[:, None, -n:]
            weights[:, m] = share[:, -n:]
        return torch.from_numpy(weights)


def _ranked(codes: Ints, limit: int) -> tuple[Ints, Ints]:
    """The distinct codes, rising, and the place of each code among them. All codes are below limit."""
    if limit > 4 * len(codes):
        distinct, places = np.unique(codes, return_inverse=True)
        return distinct, places
    # so few are possible that a table of them all is 3 to 40 times as fast as sorting
    seen = np.bincount(codes, minlength=limit) > 0
    return np.flatnonzero(seen), (np.cumsum(seen) - 1)[codes]


def _symbols(tokens: NDArray[Any], V: int) -> Ints:
    """The same numbers as int64, if they are symbols of the vocabulary."""
    if tokens.dtype.kind not in "iu":
        raise ValueError(f"tokens must be whole numbers, not {tokens.dtype}")
    if tokens.size and (tokens.min() < 0 or tokens.max() >= V):
        raise ValueError(f"tokens must lie from 0 to {V - 1}; these lie from {tokens.min()} to {tokens.max()}")
    return tokens.astype(np.int64, copy=False)


def _whole_numbers(name: str, table: Tensor) -> Ints:
    if table.dtype != torch.int64 or table.ndim != 1:
        raise ValueError(f"{name} must be (K,) torch.int64, not {tuple(table.shape)} {table.dtype}")
    return table.detach().cpu().contiguous().numpy()
