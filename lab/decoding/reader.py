"""Reading with a model: the hypotheses of a text, tokens ahead of them, and the same texts with another run's model."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from lab.api import BadInput, Histories, RunReader, capture, select_state, state_bytes

if TYPE_CHECKING:
    from lab.api import LanguageModel, Reading, State

UNREAD = 16
"""Tokens behind a state that are read with the next ones; more of them are read on their own first."""
PIECE = 1024
"""Tokens of a text that are read at once: attention within a window compares all of them with each other."""
HIDDEN = ("residual", "hidden state")
"""The readings whose last one is taken for the hidden states: after the last block, or of the last recurrent layer."""
STORED, STORED_BYTES = 40, 256 * 2**20
"""Most states that the reader of a run keeps, and most bytes in them; at least the last two."""


@dataclass(frozen=True)
class Read:
    """The result of reading H texts with a model.

    Args:
        logits: (H, V) in float32 on the CPU.
        reread: Whether only the ends of the texts were read for them.
        hidden: (H, n, D) of the last n tokens, in float32 on the CPU; None if they are not asked for.
    """

    logits: Tensor
    reread: bool
    hidden: Tensor | None = None


@dataclass(frozen=True)
class _Place:
    """A state of the model: `rows` texts, of each the first `tokens`, which take `positions` in the state."""

    state: State
    positions: int
    tokens: int
    rows: int


class Reader:
    """Reads the hypotheses of one text; rows of the model's state follow them.

    Tokens that were proposed are read together with the last one. The state before them stays until all of them are
    taken: if the text goes on otherwise, what was taken is read again from there, with the next tokens.

    Args:
        model: In eval mode.
        device: Where it is.
        symbols: Number of first symbols that are chosen from.
        hidden: Whether the hidden states are wanted.
    """

    def __init__(self, model: LanguageModel, device: Any, symbols: int, *, hidden: bool = False) -> None:
        self._model, self._device, self._symbols, self._hidden = model, device, symbols, hidden
        self._place: _Place | None = None
        self._queue: list[tuple[int, Read]] = []  # the proposed tokens and what follows each
        self._behind: _Place | None = None  # after all of them
        self._peeked: tuple[dict[tuple[int, int], int], Read, _Place] | None = None

    @property
    def state_bytes(self) -> int:
        """The size of the state of all hypotheses behind what was read last."""
        return 0 if self._place is None else state_bytes(self._place.state)

    def read(
        self,
        texts: Sequence[Sequence[int]],
        parents: Sequence[int],
        propose: Callable[[int], Sequence[int]] = lambda _most: (),
    ) -> Read:
        """Return what follows H texts, with a pass of the model unless that is known already.

        Args:
            texts: All tokens of each text, all of one length.
            parents: The row of the last call that each text continues with one token.
            propose: Most tokens that can be read ahead of one text -> the tokens; asked only before a pass.
        """
        known = self._after_peek(texts, parents) or self._after_proposed(texts)
        if known is not None:
            return known
        most = self._room(len(texts[0])) if len(texts) == 1 else 0
        ahead = list(propose(most)) if most > 0 else []
        logits, hidden, place, reread = self._pass(texts, parents, ahead)
        if not ahead:
            self._place = place
            return Read(logits[:, -1], reread, hidden)
        self._behind = place
        split = [None] * (1 + len(ahead)) if hidden is None else _split(hidden, len(ahead))
        reads = [Read(logits[:, at], reread and at == 0, states) for at, states in enumerate(split)]
        self._queue = list(zip(ahead, reads[1:], strict=True))
        return reads[0]

    def peek(self, texts: Sequence[Sequence[int]], parents: Sequence[int]) -> tuple[Tensor, Tensor | None]:
        """Return logits (C, V) after C texts, and the hidden states (C, D) of their last tokens if they are wanted.

        Args:
            texts: All tokens of each text, all of one length, one token longer than those of the last call of `read`.
            parents: The row of that call that each one continues.
        """
        logits, hidden, place, reread = self._pass(texts, parents, ())
        rows = {(parent, text[-1]): row for row, (parent, text) in enumerate(zip(parents, texts, strict=True))}
        self._peeked = rows, Read(logits[:, -1], reread, hidden), place
        return logits[:, -1], None if hidden is None else hidden[:, -1]

    def _after_peek(self, texts: Sequence[Sequence[int]], parents: Sequence[int]) -> Read | None:
        """Return what follows texts that were peeked at, whose state is then the reader's; else None."""
        if self._peeked is None:
            return None
        (rows, read, place), self._peeked = self._peeked, None
        wanted = [rows.get((parent, text[-1])) for parent, text in zip(parents, texts, strict=True)]
        if None in wanted:
            return None
        at = torch.tensor(wanted)
        self._queue.clear()
        state = select_state(place.state, at.to(self._device))
        self._place = _Place(state, place.positions, place.tokens, len(texts))
        return Read(read.logits[at], read.reread, None if read.hidden is None else read.hidden[at])

    def _after_proposed(self, texts: Sequence[Sequence[int]]) -> Read | None:
        """Return what follows a text that goes on with the next proposed token; None if it does not."""
        if not self._queue:
            return None
        token, read = self._queue.pop(0)
        if texts[0][-1] != token:
            self._queue.clear()
            return None
        if not self._queue:
            self._place = self._behind
        return read

    def _is_full(self, length: int) -> bool:
        """Return True if the model must start again to read the last token of texts of this length."""
        reach, place = self._model.reach, self._place
        return place is not None and reach is not None and place.positions + length - 1 - place.tokens >= reach

    def _room(self, length: int) -> int:
        """Return how many tokens can be read behind texts of this length in the next pass; 0 or less for none."""
        reach, place = self._model.reach, self._place
        if place is None:
            return 0  # a pass over a long text is not repeated because a proposal was wrong
        return sys.maxsize if reach is None else reach - place.positions - (length - place.tokens)

    def _pass(
        self, texts: Sequence[Sequence[int]], parents: Sequence[int], ahead: Sequence[int]
    ) -> tuple[Tensor, Tensor | None, _Place, bool]:
        """Read what is new in texts, and tokens ahead of the only one.

        Returns:
            Logits (H, 1 + A, V) after the texts and each of the A tokens ahead; the hidden states (H, n + A, D), where
            n is 1 or the length that was read anew; the place behind all of them; True if only ends were read.
        """
        length, place, full = len(texts[0]), self._place, self._is_full(len(texts[0]))
        if place is None or full:
            part = self._part(length, again=full)
            tokens = torch.tensor([text[-part:] for text in texts], device=self._device)
            logits, state, hidden = self._extend(tokens, self._model.start(len(texts)), last=1)
            return logits, hidden, _Place(state, part, length, len(texts)), part < length
        if length - place.tokens > UNREAD:
            between = torch.tensor([text[place.tokens : -1] for text in texts], device=self._device)
            state = self._selected(place, parents)
            state = self._extend(between, state, last=1)[1]
            place = _Place(state, place.positions + between.shape[1], length - 1, len(texts))
            if len(texts) == 1:
                self._place = place
        else:
            place = _Place(self._selected(place, parents), place.positions, place.tokens, len(texts))
        tokens = torch.tensor([[*text[place.tokens :], *ahead] for text in texts], device=self._device)
        logits, state, hidden = self._extend(tokens, place.state, last=1 + len(ahead))
        hidden = None if hidden is None else hidden[:, -1 - len(ahead) :]
        behind = _Place(state, place.positions + tokens.shape[1], length + len(ahead), len(texts))
        return logits, hidden, behind, False

    def _selected(self, place: _Place, parents: Sequence[int]) -> State:
        """Return the state of the rows that texts continue."""
        if list(parents) == list(range(place.rows)):
            return place.state
        return select_state(place.state, torch.tensor(parents, device=self._device))

    def _extend(self, tokens: Tensor, state: State, last: int) -> tuple[Tensor, State, Tensor | None]:
        """Read (H, T) tokens; return logits (H, last, V), the state, and the hidden states (H, T, D) if wanted."""
        if not self._hidden:
            logits, state = _read_on(self._model, tokens, state, last)
            return self._of_symbols(logits), state, None
        inner = getattr(self._model, "inner", self._model)
        readings: list[Reading] = []
        if hasattr(inner, "named_modules"):
            with capture(inner, HIDDEN, graph=True) as readings:  # of all tokens
                logits, state = _read_at_once(self._model, tokens, state, last)
        states = [one.values for one in readings if one.axes[:2] == ("batch", "token") and len(one.axes) == 3]
        if not states:
            what = "this strategy compares hidden states, and this model reports none"
            raise BadInput(what, field="strategy.name", remedy="Choose another strategy, or a model with layers")
        return self._of_symbols(logits), state, states[-1][:, -tokens.shape[1] :].float().cpu()

    def _of_symbols(self, logits: Tensor) -> Tensor:
        return logits[..., : self._symbols].float().cpu()

    def _part(self, length: int, *, again: bool) -> int:
        """Return how many of the last tokens of a text are read at once."""
        reach = self._model.reach
        if reach is None or not (again or length > reach):
            return length
        return max(1, reach // 2)


def _read_on(model: Any, tokens: Tensor, state: State, last: int) -> tuple[Tensor, State]:
    """Read (H, T) tokens, many of them in pieces; a single one by a step."""
    while tokens.shape[1] > PIECE + last:
        _, state = model.extend(tokens[:, :PIECE], state, last=1)
        tokens = tokens[:, PIECE:]
    return _read_at_once(model, tokens, state, last)


def _read_at_once(model: Any, tokens: Tensor, state: State, last: int) -> tuple[Tensor, State]:
    """Read (H, T) tokens; a single one by a step."""
    if tokens.shape[1] > 1:
        return model.extend(tokens, state, last=last)  # type: ignore[no-any-return]
    logits, state = model.step(tokens[:, 0], state)
    return logits[:, None], state


def _split(hidden: Tensor, ahead: int) -> list[Tensor]:
    """Return hidden states (H, n + A, D) as those of the text, and those of each of the A tokens ahead of it."""
    return [hidden[:, :-ahead], *torch.split(hidden[:, -ahead:], 1, dim=1)]


@dataclass(frozen=True)
class _Known:
    """A cached reading of texts of `length` tokens from token `start` on: state and logits (H, V) behind them."""

    rows: dict[tuple[int, ...], int]
    length: int
    start: int
    state: State
    logits: Tensor


class ModelReader(RunReader):
    """A RunReader that keeps the states behind the last texts.

    Of a text longer than the model's reach an end is read that begins at a multiple of half the reach, so that texts
    that grow have one beginning for as long as possible.

    Args:
        model: In eval mode, and not used elsewhere at the same time.
        device: Where it is.
        symbols: V.
    """

    def __init__(self, model: LanguageModel, device: Any, symbols: int) -> None:
        self._model, self._device, self._symbols = model, device, symbols
        self._known: list[_Known] = []  # the newest last

    def logits(self, texts: Histories) -> Tensor:
        """Return logits (H, V) after H texts of one length."""
        keys = [tuple(text) for text in texts]
        length = len(keys[0])
        start = self._start(length)
        for index in reversed(range(len(self._known))):
            known = self._known[index]
            rows = [known.rows.get(key[: known.length]) for key in keys]
            if known.start == start and known.length <= length and None not in rows:
                at = torch.tensor(rows)
                if known.length == length:
                    return known.logits[at]
                del self._known[index + 1 :]  # of texts that did not go on like these
                return self._read(keys, known.length, start, select_state(known.state, at.to(self._device)))
        self._known.clear()
        return self._read(keys, start, start, self._model.start(len(keys)))

    def _read(self, keys: list[tuple[int, ...]], begin: int, start: int, state: State) -> Tensor:
        """Read texts from a token on, and keep what is found."""
        with torch.no_grad():
            tokens = torch.tensor([key[begin:] for key in keys], device=self._device)
            found, state = _read_on(self._model, tokens, state, last=1)
        logits = found[:, -1, : self._symbols].float().cpu()
        rows = {key: row for row, key in enumerate(keys)}
        self._known.append(_Known(rows, len(keys[0]), start, state, logits))
        while len(self._known) > STORED or (len(self._known) > 2 and self._bytes() > STORED_BYTES):
            del self._known[0]
        return logits

    def _bytes(self) -> int:
        return sum(state_bytes(one.state) for one in self._known)

    def _start(self, length: int) -> int:
        reach = self._model.reach
        if reach is None or length <= reach:
            return 0
        half = max(1, reach // 2)
        return -(-(length - reach) // half) * half
