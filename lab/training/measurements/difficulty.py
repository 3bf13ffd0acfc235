"""What a model finds hard: its loss by position and by class of token, the hardest tokens, and the hardest passages."""

from __future__ import annotations

import heapq
import itertools
import math
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import torch

from lab.api import Batch, Objective, Tokenizer, scored_of
from lab.base import BadInput, LabError
from lab.layers import LanguageModel
from lab.text.documents import DocumentTokenizer
from lab.text.streams import TokenSource
from lab.training.evaluation import NUMBERS_AT_ONCE, windows_read
from lab.training.experiment import Experiment

TARGETS = 200_000
"""Targets that are read, unless another number is asked for."""
SHOWN = 20
"""Hardest tokens, symbols and passages that are reported."""
PIECE = 1 << 22
"""Tokens of the training text that are counted at once."""
LEAST_OFTEN = 5
"""A symbol that occurs less often among the targets is not among the hardest ones: its mean says little."""
CONTEXT = 40
"""Tokens before and after one of the hardest tokens that are shown with it."""
FREQUENT = (10, 100, 1000)
"""Borders between classes of symbols by their rank in the training text."""
MOST_SHOWN = 20_000
"""Most tokens of a document that are shown."""
KINDS = ("space", "line end", "letter at the start of a word", "letter within a word", "digit", "punctuation", "other")
"""Classes of tokens by what they begin with."""


@dataclass(frozen=True)
class ClassLoss:
    """The loss of a class of targets.

    Args:
        name: Its name: one of KINDS, "rank 1 to 10", or the label of a symbol.
        loss: The mean loss.
        targets: How many there were.
        share: Its share of the loss of all targets.
    """

    name: str
    loss: float
    targets: int
    share: float


@dataclass(frozen=True)
class HardToken:
    """A target with a high loss.

    Args:
        loss: Its loss.
        before: The text before it.
        token: Its label.
        after: The text after it.
        passage: The number of its passage.
        position: Its position in the passage, from 0.
    """

    loss: float
    before: str
    token: str
    after: str
    passage: int
    position: int


@dataclass(frozen=True)
class HardPassage:
    """A window, document or example with a high mean loss.

    Args:
        number: Its number in the order of the text.
        loss: The mean loss of its targets.
        targets: How many it has.
        text: Its text; "" if it is no text.
    """

    number: int
    loss: float
    targets: int
    text: str


@dataclass(frozen=True)
class Difficulty:
    """What a model finds hard in a split.

    Args:
        loss: The mean loss of all targets.
        targets: How many were read.
        unit: The unit of the losses.
        by_position: (T,) the mean loss at each position of a window; NaN where there is no target.
        by_kind: The loss by what tokens begin with, in the order of KINDS; () if targets are no text.
        by_rank: The loss by how frequent a symbol is in the training text; () if that is unknown.
        symbols: The symbols with the highest mean loss.
        tokens: The targets with the highest loss.
        passages: The passages with the highest mean loss.
        passage_kind: "documents" if the text marks where they end; else "windows", or "examples".
    """

    loss: float
    targets: int
    unit: str
    by_position: tuple[float, ...]
    by_kind: tuple[ClassLoss, ...]
    by_rank: tuple[ClassLoss, ...]
    symbols: tuple[ClassLoss, ...]
    tokens: tuple[HardToken, ...]
    passages: tuple[HardPassage, ...]
    passage_kind: str


def measure_difficulty(
    experiment: Experiment,
    model: LanguageModel,
    *,
    targets: int = TARGETS,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[float], object] = lambda _: None,
) -> Difficulty:
    """Measure the loss of every target of the validation text, window by window.

    Args:
        experiment: The experiment.
        model: A model of it, in the state that is measured.
        targets: Most targets that are read, in windows evenly spaced over the text; 0 reads all.
        cancelled: Called between batches; True ends it, and what was read counts.
        progress: Called with the share that is done.

    Raises:
        BadInput: There is no validation text, or the number is not allowed.
        LabError: It was cancelled before the first batch.
    """
    if targets < 0:
        raise BadInput("is not allowed", field="--targets", value=str(targets), allowed="0 or more; 0 reads all")
    if experiment.validation is None:
        raise BadInput("this recipe has no validation text", field="training.validation_share", value=0)
    source = experiment.validation.ordered()
    numbers = windows_read(source, targets)
    at_once = max(1, NUMBERS_AT_ONCE // max(1, source.context_length * max(1, source.vocabulary_size)))
    at_once = min(at_once, max(1, 16384 // max(1, source.context_length)))
    device = experiment.placement.device
    counts = _Counts(experiment, source)
    model.eval()
    with torch.no_grad():
        for start in range(0, len(numbers), at_once):
            if cancelled():
                break
            some = numbers[start : start + at_once]
            batch = experiment.objective.batch(source, some, 0)
            batch.fresh = True
            nats = experiment.objective.loss(model, batch.to(device)).nats
            counts.add(some, batch, nats.float().cpu().numpy())
            progress(min(1.0, (start + len(some)) / len(numbers)))
    if not counts.targets:
        raise LabError("nothing was measured", remedy="Let it run for longer")
    return counts.result()


class _Counts:
    """The sums over all targets that were read.

    Args:
        experiment: The experiment.
        source: Its validation split, in order.
    """

    def __init__(self, experiment: Experiment, source: Any) -> None:
        self._experiment, self._source = experiment, source
        tokenizer = experiment.tokenizer
        self._reader = None if tokenizer is None or experiment.sizes is None else _Reader(tokenizer)
        self._documents = document_numbers(source, tokenizer)
        self.targets, self._nats = 0, 0.0
        self._positions = np.zeros((2, 0))
        size = experiment.task.vocabulary_size
        self._symbols = np.zeros((2, size))
        self._hardest: list[tuple[float, int, int]] = []  # loss, passage, position
        passages = int(source.examples) if self._documents is None else int(self._documents[-1]) + 1
        self._passages = np.zeros((2, passages))
        self._kinds = np.zeros((2, len(KINDS)))

    def add(self, numbers: np.ndarray, batch: Any, nats: np.ndarray) -> None:
        """Add the losses of a batch of windows."""
        targets = batch.targets.numpy()
        scored = scored_of(batch.targets).numpy()
        values = np.where(scored, nats.reshape(targets.shape) if nats.size == targets.size else 0.0, 0.0)
        flat = (len(numbers), -1)
        values, scored = values.reshape(flat), scored.reshape(flat)
        self.targets += int(scored.sum())
        self._nats += float(values.sum(dtype=np.float64))
        self._add_positions(values, scored)
        if targets.dtype.kind == "i":
            symbols = targets.reshape(flat)
            at = symbols[scored]
            size = self._symbols.shape[1]
            at = np.minimum(at, size - 1)
            self._symbols[0] += np.bincount(at, values[scored].astype(np.float64), minlength=size)
            self._symbols[1] += np.bincount(at, minlength=size)
            if self._reader is not None:
                self._add_kinds(symbols, values, scored, _before(batch, self._experiment.objective))
        passages = self._passages_of(numbers, values.shape[1])[scored]
        size = self._passages.shape[1]
        self._passages[0] += np.bincount(passages, values[scored].astype(np.float64), minlength=size)
        self._passages[1] += np.bincount(passages, minlength=size)
        self._add_hardest(numbers, values, scored)

    def _passages_of(self, numbers: np.ndarray, width: int) -> np.ndarray:
        """Return (B, T) the number of the passage of each target of some windows."""
        if self._documents is None:
            return np.broadcast_to(numbers[:, None], (len(numbers), width))
        at = numbers[:, None] * self._source.context_length + np.arange(1, width + 1)
        found: np.ndarray = self._documents[np.minimum(at, len(self._documents) - 1)]
        return found

    def _add_positions(self, values: np.ndarray, scored: np.ndarray) -> None:
        longer = values.shape[1] - self._positions.shape[1]
        if longer > 0:
            self._positions = np.pad(self._positions, ((0, 0), (0, longer)))
        self._positions[0, : values.shape[1]] += values.sum(axis=0, dtype=np.float64)
        self._positions[1, : values.shape[1]] += scored.sum(axis=0)

    def _add_kinds(self, symbols: np.ndarray, values: np.ndarray, scored: np.ndarray, given: np.ndarray | None) -> None:
        """Add losses by the kind of symbol; `given` has the one before each, where the model reads it."""
        assert self._reader is not None
        before = np.roll(symbols, 1, axis=1) if given is None else given
        if given is None:
            before[:, 0] = -1
        for symbol, previous, value in zip(symbols[scored], before[scored], values[scored], strict=True):
            kind = self._reader.kind(int(symbol), int(previous))
            self._kinds[0, kind] += value
            self._kinds[1, kind] += 1

    def _add_hardest(self, numbers: np.ndarray, values: np.ndarray, scored: np.ndarray) -> None:
        flat = np.where(scored, values, -np.inf).ravel()
        most = min(SHOWN, int(scored.sum()))
        if not most:
            return
        for index in np.argpartition(flat, -most)[-most:].tolist():
            row, position = divmod(index, values.shape[1])
            self._hardest.append((float(flat[index]), int(numbers[row]), position))
        self._hardest = heapq.nlargest(SHOWN, self._hardest)

    def result(self) -> Difficulty:
        """Return what was found."""
        sums, counts = self._positions
        read = np.flatnonzero(self._passages[1])
        means = self._passages[0, read] / self._passages[1, read]
        hardest = np.argsort(-means, kind="stable")[:SHOWN]
        passages = [(int(read[at]), float(means[at]), int(self._passages[1, read[at]])) for at in hardest]
        is_text = self._reader is not None
        return Difficulty(
            loss=self._nats / self.targets,
            targets=self.targets,
            unit=self._experiment.objective.unit,
            by_position=tuple(_means(sums, counts).tolist()),
            by_kind=self._classes(KINDS, *self._kinds) if is_text else (),
            by_rank=self._by_rank(),
            symbols=self._hardest_symbols(),
            tokens=tuple(self._hard_token(*one) for one in self._hardest) if is_text else (),
            passages=tuple(HardPassage(number, loss, n, self._text(number)) for number, loss, n in passages),
            passage_kind=self._passage_kind,
        )

    @property
    def _passage_kind(self) -> str:
        if self._documents is not None:
            return "documents"
        return "windows" if hasattr(self._source, "tokens") else "examples"

    def _classes(self, names: tuple[str, ...], sums: np.ndarray, counts: np.ndarray) -> tuple[ClassLoss, ...]:
        total = max(self._nats, 1e-300)
        return tuple(
            ClassLoss(name, float(amount / count), int(count), float(amount / total))
            for name, amount, count in zip(names, sums, counts, strict=True)
            if count
        )

    def _by_rank(self) -> tuple[ClassLoss, ...]:
        """Return the losses by the rank of symbols in the training text."""
        tokens = getattr(self._experiment.train, "tokens", None)
        if self._reader is None or not isinstance(tokens, np.ndarray):
            return ()
        size = self._symbols.shape[1]
        often = np.zeros(size, np.int64)
        for at in range(0, len(tokens), PIECE):  # the text may be larger than the memory
            often += np.bincount(tokens[at : at + PIECE].astype(np.int64), minlength=size)[:size]
        ranks = np.empty(size, np.int64)
        ranks[np.argsort(-often, kind="stable")] = np.arange(size)
        borders = [0, *(border for border in FREQUENT if border < size), size]
        names, sums, counts = [], [], []
        for first, last in itertools.pairwise(borders):
            here = (ranks >= first) & (ranks < last)
            names.append(f"rank {first + 1} to {last}")
            sums.append(self._symbols[0, here].sum())
            counts.append(self._symbols[1, here].sum())
        return self._classes(tuple(names), np.array(sums), np.array(counts))

    def _hardest_symbols(self) -> tuple[ClassLoss, ...]:
        sums, counts = self._symbols
        often = np.flatnonzero(counts >= LEAST_OFTEN)
        hardest = often[np.argsort(-sums[often] / counts[often], kind="stable")][:SHOWN]
        names = tuple(self._label(int(symbol)) for symbol in hardest)
        return self._classes(names, sums[hardest], counts[hardest])

    def _label(self, symbol: int) -> str:
        names = getattr(getattr(self._experiment.train, "shape", None), "class_names", ())
        if self._reader is not None:
            return self._reader.label(symbol)
        return str(names[symbol]) if symbol < len(names) else str(symbol)

    def _symbols_of(self, number: int) -> np.ndarray | None:
        """Return the tokens of a passage; None if it is no text."""
        if self._experiment.tokenizer is None:
            return None
        rows = self._source.rows(np.array([number]), 0)
        for name in ("tokens", "target", "inputs", "source"):
            found = rows.get(name)
            if isinstance(found, np.ndarray) and found.dtype.kind == "i":
                return np.asarray(found[0][found[0] >= 0])
        return None

    def _text(self, number: int) -> str:
        """Return the text of a passage; "" if it is no text."""
        if self._documents is None:
            tokens = self._symbols_of(number)
        else:
            first, last = np.searchsorted(self._documents, [number, number + 1])
            tokens = np.asarray(self._source.tokens[first : min(last, first + MOST_SHOWN)])
        return "" if tokens is None or self._reader is None else self._reader.text(tokens)

    def _hard_token(self, loss: float, number: int, position: int) -> HardToken:
        assert self._reader is not None
        batch = self._experiment.objective.batch(self._source, np.array([number]), 0)
        targets = batch.targets.numpy().reshape(-1)
        needs = self._experiment.objective.needs
        tokens = self._symbols_of(number) if needs in ("causal", "masked") else None
        if tokens is None:  # it is found by its position among the targets
            tokens, at = targets[targets >= 0], int((targets[:position] >= 0).sum())
        else:  # a target stands one token further in a text that is continued, and in its own place where it is hidden
            at = position + (len(tokens) - int((targets >= 0).sum()) if needs == "causal" else 0)
        at = min(max(0, at), len(tokens) - 1) if len(tokens) else 0
        return HardToken(
            loss,
            self._reader.text(tokens[max(0, at - CONTEXT) : at]),
            self._reader.label(int(targets[position])),
            self._reader.text(tokens[at + 1 : at + 1 + CONTEXT]),
            int(self._passages_of(np.array([number]), position + 1)[0, position]),
            position,
        )


def _before(batch: Batch, objective: Objective) -> np.ndarray | None:
    """Return the token before each target of a model that continues a text: what it has just read."""
    tokens = batch.inputs["tokens"]
    if objective.needs != "causal" or tokens.shape != batch.targets.shape:
        return None
    found: np.ndarray = tokens.cpu().numpy()
    return found


def document_numbers(source: Any, tokenizer: Any) -> np.ndarray | None:
    """Return (N,) the number of the document of each token of a text, which its end symbol ends; None without any."""
    if not isinstance(source, TokenSource) or not isinstance(tokenizer, DocumentTokenizer):
        return None
    ends = source.tokens == tokenizer.end
    found: np.ndarray = np.cumsum(ends) - ends
    return found


class _Reader:
    """What symbols stand for.

    Args:
        tokenizer: The tokenizer.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._first = lru_cache(maxsize=None)(self._decode)

    def _decode(self, symbol: int) -> str:
        return self._tokenizer.decode([symbol]) if 0 <= symbol < self._tokenizer.vocabulary_size else ""

    def text(self, tokens: np.ndarray) -> str:
        """Return the text of symbols of the tokenizer."""
        return self._tokenizer.decode([one for one in tokens.tolist() if one < self._tokenizer.vocabulary_size])

    def label(self, symbol: int) -> str:
        """Return the label of a symbol; its number if it is one of the objective."""
        known = 0 <= symbol < self._tokenizer.vocabulary_size
        label = getattr(self._tokenizer, "label", None)
        return (str(label(symbol)) if label is not None else self._decode(symbol)) if known else f"<{symbol}>"

    def kind(self, symbol: int, before: int) -> int:
        """Return the index of the kind of a symbol after another one; −1 before the first."""
        text = self._first(symbol)
        if not text:
            return len(KINDS) - 1
        if text.strip() == "":
            return KINDS.index("line end" if "\n" in text else "space")
        starts = text[0].isspace() or not self._first(before)[-1:].isalpha() if before >= 0 else True
        letter = text.strip()[0]
        if letter.isalpha():
            return KINDS.index("letter at the start of a word" if starts else "letter within a word")
        if letter.isdigit():
            return KINDS.index("digit")
        return KINDS.index("punctuation" if unicodedata.category(letter)[0] in "PS" else "other")


def _means(sums: np.ndarray, counts: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        found: np.ndarray = np.where(counts > 0, sums / counts, math.nan)
    return found
