"""Objectives that make pairs from a text: spans cut out and written (T5), and a noised text restored (BART)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from lab.api import BadInput, Batch, Loss, Objective, Shaped, Source, State, Task, uniforms
from lab.layers import written_loss

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lab.api import LanguageModel
    from lab_seq2seq.denoising_settings import DenoisingConfig, SpanCorruptionConfig

    Row = NDArray[np.int64]

POISSON = 12
"""Most tokens of a span of text infilling; with a mean of 3 longer ones are rarer than one in 10,000."""


class FromText(Objective):
    """The base: each window of a text becomes a source and a target, by draws of (seed, example number).

    The decoder reads "begin" and the target, and predicts the target and "end". The training loss is smoothed as its
    setting says, that of an evaluation is not.
    """

    needs = "sequence-to-sequence"
    reads = frozenset({"text"})
    symbols: tuple[str, ...] = ("begin", "end")  # type: ignore[misc]
    source_symbols: tuple[str, ...] = ()  # type: ignore[misc]
    written_symbols: tuple[str, ...] = ()  # type: ignore[misc]

    def pair(self, source: Source, row: Row, draws: NDArray[np.float64]) -> tuple[Row, Row]:
        """Return source and target of the tokens of one window, which may be those of the window itself.

        Args:
            source: Where the window is from.
            row: (n,), n ≥ 1.
            draws: (4, T) numbers in [0, 1), n ≤ T.
        """
        raise NotImplementedError

    def longest_target(self, length: int) -> int:
        """Return the most tokens of a target, of a window of this length; of a source it is the length itself."""
        return length

    def task(self, source: Shaped) -> Task:
        """Return a causal task with a source side of the same vocabulary."""
        size = source.vocabulary_size + len(self.symbols)
        return Task(size, source.context_length + 1, source_vocabulary_size=size)

    def batch(self, source: Source, examples: np.ndarray, seed: int) -> Batch:
        """Return a batch of pairs, all batches of the same shape.

        Raises:
            BadInput: The corpus is no text.
        """
        given = source.rows(examples, seed)
        if "tokens" not in given:
            raise BadInput(
                "this corpus is no text, from which pairs could be made",
                field="objective.name",
                remedy="Choose a corpus of text, or the objective sequence-to-sequence for pairs",
            )
        rows = given["tokens"][:, : source.context_length]
        draws = uniforms(seed, examples, 4 * rows.shape[1]).reshape(len(rows), 4, -1)
        pairs = [self.pair(source, row[row >= 0], drawn) for row, drawn in zip(rows, draws, strict=True)]
        end = self.symbol(source, "end")
        read = filled([one for one, _ in pairs], rows.shape[1])
        targets = filled([np.append(other, end) for _, other in pairs], self.longest_target(rows.shape[1]) + 1)
        tokens = np.full_like(targets, self.symbol(source, "begin"))
        tokens[:, 1:] = np.maximum(targets[:, :-1], 0)
        inputs = {"tokens": tokens, "source": np.maximum(read, 0), "source_mask": read >= 0}
        weight = int(np.count_nonzero(targets >= 0))
        return Batch(
            {name: torch.from_numpy(array) for name, array in inputs.items()}, torch.from_numpy(targets), weight
        )

    def loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Loss:
        """Return nats per target, "accuracy", the share of right tokens, and "exact match", that of faultless rows."""
        del carry
        inputs: dict[str, Any] = dict(batch.inputs)
        logits: Tensor = model(inputs.pop("tokens"), **inputs)  # (B, T, V)
        smoothing = self.config.label_smoothing if getattr(model, "training", False) else 0.0
        return written_loss(logits, batch, smoothing)


class SpanCorruption(FromText):
    """Spans of a text, replaced by sentinels in the source, are the target (Raffel et al. 2020, section 3.1.4).

    "a b c d e f" with the spans "b c" and "f" becomes the source "a ① d e ②" and the target "① b c ② f". The spans are
    as in T5's own code: the share and the mean length determine how many tokens and spans there are, and both the spans
    and what is between them are random partitions.

    Args:
        config: The settings.
    """

    def __init__(self, config: SpanCorruptionConfig) -> None:
        super().__init__(config)
        sentinels = tuple(f"sentinel {number}" for number in range(config.sentinels))
        self.symbols = (*sentinels, "begin", "end")
        self.source_symbols = self.written_symbols = sentinels

    def pair(self, source: Source, row: Row, draws: NDArray[np.float64]) -> tuple[Row, Row]:
        """Return the text with a sentinel for each span, and each sentinel with its span."""
        n = len(row)
        cut, spans = self._sizes(n)
        between, lengths = partition(n - cut, spans, draws[0]), partition(cut, spans, draws[1])
        read: list[Row] = []
        written: list[Row] = []
        at, first = 0, self.symbol(source, "sentinel 0")
        for number in range(spans):
            sentinel = np.array([first + number])
            read += [row[at : at + between[number]], sentinel]
            at += between[number]
            written += [sentinel, row[at : at + lengths[number]]]
            at += lengths[number]
        return np.concatenate(read), np.concatenate(written)

    def longest_target(self, length: int) -> int:
        """Return the most tokens of a target, of a window of this length."""
        return sum(self._sizes(length))

    def _sizes(self, length: int) -> tuple[int, int]:
        """Return how many tokens are cut from a text, and in how many spans."""
        cut = int(np.clip(round(length * self.config.share), 1, max(1, length - 1)))
        most = min(cut, max(1, length - cut), self.config.sentinels)
        return cut, int(np.clip(round(cut / self.config.span), 1, most))


class Denoising(FromText):
    """A noised text is the source, the text itself the target (Lewis et al. 2020, section 2.2).

    - masking: some tokens are "mask";
    - deletion: some tokens are left out;
    - infilling: spans, whose lengths are Poisson distributed, are one "mask" each; a span may be empty, unless the
      source would then be longer than the text;
    - rotation: the text begins at a token drawn evenly;
    - permutation: its sentences are in an order drawn evenly. What stands before the first end of a sentence in a
      window, and behind the last, counts as a sentence too.

    Args:
        config: The settings.
    """

    symbols: tuple[str, ...] = ("mask", "begin", "end")  # type: ignore[misc]
    source_symbols: tuple[str, ...] = ("mask",)  # type: ignore[misc]

    def __init__(self, config: DenoisingConfig) -> None:
        super().__init__(config)

    def pair(self, source: Source, row: Row, draws: NDArray[np.float64]) -> tuple[Row, Row]:
        """Return the noised text and the text."""
        n, mask = len(row), self.symbol(source, "mask")
        if self.config.noise == "rotation":
            return np.roll(row, -int(draws[0, 0] * n)), row
        if self.config.noise == "permutation":
            sentences = np.split(row, sentence_starts(source, row))
            order = np.argsort(draws[0, : len(sentences)], kind="stable")
            return np.concatenate([sentences[number] for number in order]), row
        if self.config.noise == "infilling":
            return self._infilled(row, mask, draws), row
        hidden = np.zeros(n, bool)
        hidden[np.argsort(draws[0, :n], kind="stable")[: max(1, round(n * self.config.share))]] = True
        if self.config.noise == "masking":
            return np.where(hidden, mask, row), row
        return (row[~hidden] if not hidden.all() else row[:1]), row

    def _infilled(self, row: Row, mask: int, draws: NDArray[np.float64]) -> Row:
        """Replace spans by one mask each, from the left; a token is kept behind each.

        Where each begins is drawn so that the share is met, up to m / (m + 1) for a mean length of m.
        """
        wanted, mean = self.config.share, self.config.span
        lengths = poisson(mean, draws[1])
        begins = draws[0] * mean * (1 - wanted) < wanted
        read: list[int] = []
        at = 0
        while at < len(row):
            if begins[at]:
                at_least = int(len(read) == at)
                read.append(mask)
                at += max(int(lengths[at]), at_least)
                if at >= len(row):
                    break
            read.append(int(row[at]))
            at += 1
        return np.array(read)


def sentence_starts(source: Source, row: Row) -> Row:
    """Return where sentences begin in the tokens of a window (n,), without 0: at the white space behind a full stop.

    Raises:
        BadInput: The source does not know where sentences end, or no symbols of its tokenizer tell.
    """
    edges = getattr(source, "sentences", None)
    if edges is None:
        raise BadInput(
            "this corpus is no text of which the ends of sentences are known",
            field="objective.noise",
            value="permutation",
            remedy="Choose one text as the corpus, or another noise",
        )
    begins, ends, ends_alone = edges()
    if not (ends_alone.any() or (ends.any() and begins.any())):
        raise BadInput(
            "the symbols of this tokenizer do not show where sentences end, as they hold no full stops or no spaces",
            field="objective.noise",
            value="permutation",
            remedy="Choose another tokenizer, or another noise",
        )
    found: Row = np.flatnonzero(ends_alone[row[:-1]] | (ends[row[:-1]] & begins[row[1:]])) + 1
    return found


def partition(total: int, parts: int, draws: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return so many whole numbers of at least 1 with this sum, each such list as likely as any other.

    Args:
        total: Their sum; 0 gives zeros.
        parts: Their number, at most the sum, unless that is 0.
        draws: At least total − 1 numbers in [0, 1).
    """
    if total == 0:
        return np.zeros(parts, np.int64)
    cuts = np.sort(np.argsort(draws[: total - 1], kind="stable")[: parts - 1]) + 1
    return np.diff(np.concatenate([[0], cuts, [total]]))


def poisson(mean: float, draws: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return Poisson distributed numbers, at most POISSON, by inversion of uniform ones."""
    counts = np.arange(1, POISSON + 1)
    chances = np.exp(-mean) * np.concatenate([[1.0], np.cumprod(mean / counts)])
    return np.minimum(np.searchsorted(np.cumsum(chances), draws, side="right"), POISSON)


def filled(rows: list[Row], width: int) -> NDArray[np.int64]:
    """Return rows as one array of a width, −1 behind the end of each."""
    found = np.full((len(rows), width), -1, np.int64)
    for number, row in enumerate(rows):
        found[number, : len(row)] = row
    return found
