"""The n-gram model as a language model: counts that grow, and probabilities derived from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lab.layers import LanguageModel
from lab_ngram.counts import Counts, Floats, Grams, Ints, checked, symbols
from lab_ngram.smoothing import Level, Smoothed, smoothed

if TYPE_CHECKING:
    from lab.api import State, Task
    from lab_ngram.settings import NgramConfig

POSITIONS_AT_ONCE = 65_536  # that are searched for
NUMBERS_AT_ONCE = 2**21  # of distributions over the vocabulary
DEPENDENCE = "share of the prediction"
"""The unit of the mixing map: several tokens may each have a share near 1, since an order reads all of its tokens."""


class NgramModel(LanguageModel):
    """Probabilities of the next token from the counts of n-grams, with a smoothing.

    The context of a token is the last order − 1 tokens before it in its row. Before anything is counted all tokens are
    equally likely. Sums are in float64; answers have torch's default dtype at the time the model was made, or that of
    `model.to(dtype)`. Tokens that cannot come next have the log-probability −∞.
    """

    learns: Literal["gradient", "counting"] = "counting"

    def __init__(self, config: NgramConfig, task: Task) -> None:
        super().__init__(config, task)
        named = {str(m): f"{m}-grams" for m in range(1, config.order + 1)}
        self.part_names = {"tail": "last tokens", "codes": "which were seen", "counts": "how often", **named}
        self.history: int = max(0, config.order - 2)  # before the token being read
        self.counts = Counts.none(config.order, task.vocabulary_size)
        self._made: tuple[Counts, tuple[object, ...], Smoothed] | None = None
        self.like: Tensor  # its device and dtype are those of answers, as weights would be
        self.register_buffer("like", torch.empty(0), persistent=False)

    @property
    def order(self) -> int:
        """The order of answers: that of the counts, or a lower one from the settings."""
        wanted = self.config.answer_order
        return int(self.config.order if wanted is None else min(wanted, self.config.order))

    @property
    def smoothed(self) -> Smoothed:
        """The smoothed counts, computed on first use."""
        config = self.config
        settings = (self.order, config.smoothing, config.weight, config.k, config.backoff)
        made = self._made
        if made is None or made[0] is not self.counts or made[1] != settings:
            made = self._made = self.counts, settings, smoothed(self.counts, self.order, config)
        return made[2]

    def count(self, tokens: Any) -> None:
        """Count the n-grams of every order in one more contiguous slice of the training text.

        Args:
            tokens: (N,) integers from 0 to V − 1.

        Raises:
            ValueError: The tokens are not such integers.
        """
        self.counts = self.counts.and_of(np.asarray(tokens))

    def tables(self) -> dict[str, Tensor]:
        """Return codes and counts of every order, and the last tokens; they share the model's memory."""
        tables = {"tail": torch.from_numpy(self.counts.tail)}
        for m, grams in enumerate(self.counts.grams, 1):
            tables[f"codes.{m}"] = torch.from_numpy(grams.codes[:-1])
            tables[f"counts.{m}"] = torch.from_numpy(grams.counts[:-1])
        return tables

    def load_tables(self, tables: dict[str, Tensor]) -> None:
        """Load tables of the form that `tables` returns.

        Raises:
            ValueError: A table is missing or unknown, or holds what counting with this vocabulary cannot give.
        """
        own = self.tables().keys()
        if own != tables.keys():
            missing, extra = sorted(own - tables.keys()), sorted(tables.keys() - own)
            raise ValueError(f"tables do not fit order {self.config.order}: missing {missing[:3]}, unknown {extra[:3]}")
        arrays = {name: _integers(name, table) for name, table in tables.items()}
        self.counts = checked(arrays, self.config.order, self.task.vocabulary_size)

    @torch.no_grad()
    def score(self, tokens: Tensor, targets: Tensor, **given: Tensor) -> Tensor:
        """Return the log-probability of each target in nats: (B, T) and (B, T) -> (B, T), 0 where target < 0.

        It searches the tables piece by piece: its memory does not depend on V, and its time hardly does.
        """
        del given
        if tokens.is_meta:
            return self.like.new_empty(tokens.shape, device="meta")
        V = self.task.vocabulary_size
        text, wanted = symbols(tokens.cpu().numpy(), V), symbols(targets.clamp(min=0).cpu().numpy(), V)
        nats = np.empty(text.shape)
        columns = max(1, self.config.order, POSITIONS_AT_ONCE // max(1, len(text)))
        overlap = max(0, self.config.order - 2)  # the context, order − 1 long, includes the token itself
        for first in range(0, text.shape[1], columns):
            here = slice(first, first + columns)
            seen = text[:, max(0, first - overlap) : first + columns]
            with np.errstate(divide="ignore"):  # the logarithm of zero is −∞
                nats[:, here] = np.log(self._probabilities(seen, wanted[:, here]))
        return torch.from_numpy(nats).to(self.like).masked_fill(targets.to(self.like.device) < 0, 0.0)

    def start(self, batch: int, **given: Tensor) -> State:
        """Return the state of no tokens (B, 0); later it is the last order − 2 tokens, a context with the next one."""
        del given
        return self.like.new_zeros(batch, 0, dtype=torch.int64)

    @torch.no_grad()
    def extend(self, tokens: Tensor, state: State, last: int | None = None) -> tuple[Tensor, State]:
        """Read (B, T) more tokens -> log-probabilities as logits (B, T or last, V), and the new state.

        Reports "order" (batch, order, token): the share of each order, 0 being 1/V, in the distribution of the next
        token; "mixing" (batch, head, query, key): how much of that distribution depends on each previous token; and
        "matched" (batch, token): the length of the longest seen n-gram that ends at each token, which is the order
        that decided its probability.
        """
        V, (B, T) = self.task.vocabulary_size, tokens.shape
        # on the meta device, cat would import torch's compiler, which takes longer than counting
        seen = torch.cat([state.to(tokens.device), tokens], dim=1) if state.shape[1] else tokens
        new_state = seen[:, max(0, seen.shape[1] - self.history) :].clone()
        returned = min(T, last or T)
        logits = self.like.new_empty(B, returned, V, device=tokens.device)
        if not tokens.is_meta:
            text = symbols(seen.cpu().numpy(), V)
            self.report("order", lambda: self._weights(text, T), axes=("batch", "order", "token"), units="share")
            maps = ("batch", "head", "query", "key")
            self.report("mixing", lambda: self._mixing(text, T), axes=maps, units=DEPENDENCE)
            self.report("matched", lambda: self._matched(text, T), axes=("batch", "token"), units="tokens")
            self._write_distributions(text, logits)
        return logits, new_state

    def _levels(self, text: Ints) -> Iterator[tuple[Grams, Level, Ints, NDArray[np.bool_]]]:
        """Yield for each order from 1 its n-grams, level, contexts in a (B, T) text, and where it is the longest."""
        longest = np.minimum(np.arange(text.shape[1]) + 2, self.order)
        contexts = self.counts.contexts_in(text, self.order)
        for m, level in enumerate(self.smoothed.levels, 1):
            yield self.counts.grams[m - 1], level, next(contexts), np.broadcast_to(longest == m, text.shape)

    def _probabilities(self, text: Ints, wanted: Ints) -> Floats:
        """Return the probability of each of the wanted tokens (B, n) after one of the last n positions of text."""
        n, made = wanted.shape[1], self.smoothed
        p: Floats = np.full(wanted.shape, 1 / self.task.vocabulary_size)
        for grams, level, contexts, longest in self._levels(text):
            contexts, longest = contexts[:, -n:], longest[:, -n:]
            p = made.combined(p, level, grams.find(contexts, wanted), contexts, longest)
        return p

    def _write_distributions(self, text: Ints, logits: Tensor) -> None:
        """Write log p of all V tokens after the last n positions of text into logits (B, n, V)."""
        _, n, V = logits.shape
        flat, backs_off = logits.view(-1, V), self.smoothed.backs_off
        levels = [
            (grams, level, np.where(backs_off | longest[:, -n:], contexts[:, -n:], -1).ravel())
            for grams, level, contexts, longest in self._levels(text)
        ]
        rows_at_once = max(1, NUMBERS_AT_ONCE // V)
        for first in range(0, len(flat), rows_at_once):
            here = slice(first, first + rows_at_once)
            p = np.full(flat[here].shape, 1 / V)
            for grams, level, contexts in levels:
                p *= level.rest[contexts[here]][:, None]
                rows, nodes = grams.continuations(contexts[here])
                p[rows, grams.tokens[nodes]] = level.seen[nodes]
            with np.errstate(divide="ignore"):
                flat[here] = torch.from_numpy(np.log(p))

    def _weights(self, text: Ints, n: int) -> Tensor:
        """Return each order's share of the distribution, (B, order + 1, n); shares sum to 1."""
        weights = np.zeros((len(text), self.config.order + 1, n))
        weights[:, 0] = 1.0
        for m, (_, level, contexts, longest) in enumerate(self._levels(text), 1):
            share = np.where(self.smoothed.backs_off | longest, level.decides[contexts], 0.0)[:, None, -n:]
            weights[:, :m] *= 1 - share
            weights[:, m : m + 1] = share
        return torch.from_numpy(weights)

    def _mixing(self, text: Ints, n: int) -> Tensor:
        """Return (B, 1, n, n): at t, t − j the total weight of the orders that read token t − j, from j + 2 on."""
        weights = self._weights(text, n)
        mixing = weights.new_zeros(len(text), 1, n, n)
        for back in range(min(n, self.order - 1)):
            mixing[:, 0].diagonal(-back, 1, 2).copy_(weights[:, back + 2 :, back:].sum(dim=1))
        return mixing

    def _matched(self, text: Ints, n: int) -> Tensor:
        """Return the length of the longest seen n-gram ending at each of the last n tokens, (B, n); 0 if none."""
        matched = np.zeros((len(text), n), np.int64)
        for m, nodes in enumerate(self.counts.contexts_in(text, self.order + 1)):
            matched = np.where(nodes[:, -n:] >= 0, m, matched)
        return torch.from_numpy(matched)


def _integers(name: str, table: Tensor) -> Ints:
    if table.dtype != torch.int64 or table.ndim != 1:
        raise ValueError(f"{name} must be (K,) torch.int64, not {tuple(table.shape)} {table.dtype}")
    return table.detach().cpu().contiguous().numpy()
