"""Token streams: the splits of a corpus as numbered examples, each a pure function of (seed, example number)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from lab.api import BadInput, Source
from lab.text.examples.draws import permuted, uniform_below

Order = Literal["crops", "epochs", "lanes", "windows"]
Tokens = NDArray[np.integer[Any]]
Edges = Callable[[], tuple[NDArray[np.bool_], ...]]
"""Returns flags of each symbol, (V,) each."""


def split_tokens(tokens: Tokens, share: float = 0.9) -> tuple[Tokens, Tokens]:
    """Return (training, validation) tokens: the first int(share · N) and the rest, as views."""
    border = int(share * len(tokens))
    return tokens[:border], tokens[border:]


@dataclass(eq=False)
class TokenSource(Source):
    """One split of a corpus: a lab.api Source of rows of T + 1 tokens, inputs and targets shifted by one.

    Window i is tokens i·T … i·T + T; the windows of one pass score every token but the first exactly once. Example
    numbers are unlimited; the order determines the window of an example:

    - "crops": a window that starts anywhere, drawn with replacement, as in nanoGPT.
    - "epochs": every window once per epoch, in an order drawn for each epoch.
    - "lanes": for carried state: row e % lanes of each batch reads its own part of the stream, window after window.
    - "windows": window after window, for evaluation.

    Args:
        tokens: (N,) symbol numbers; stored as the smallest integers that hold the vocabulary.
        vocabulary_size: The number of symbols.
        context_length: T.
        order: The meaning of example numbers.
        lanes: Number of rows of a batch, each of which continues where it stopped; only for "lanes".
        end: The end symbol of documents, if models read each one separately; None reads across their borders.
        words: Returns which symbols continue a word, and which end with a character of one, both (V,) bool; None if
            they are unknown.
        sentences: Returns which symbols begin with white space, which end a sentence if white space follows, and
            which end one whatever follows, (V,) bool each; None if they are unknown.

    Attributes:
        examples: The number of examples of one ordered pass.

    Raises:
        BadInput: The split is too short for the context length or the number of lanes.
        ValueError: A token is not in the vocabulary.
    """

    tokens: Tokens
    vocabulary_size: int
    context_length: int
    order: Order = "crops"
    lanes: int = 1
    end: int | None = None
    words: Edges | None = None
    sentences: Edges | None = None
    examples: int = field(init=False)

    def __post_init__(self) -> None:
        self._check_length()
        N, T = len(self.tokens), self.context_length
        self.examples = -(-(N - 1) // T)
        if self.order == "lanes":
            full = (N - 1) // T
            self._check_lanes(full)
            self.examples = full // self.lanes * self.lanes
        self.tokens = _smallest(self.tokens, self.vocabulary_size)
        padded = self.tokens if N > T else np.pad(self.tokens, (0, T + 1 - N))
        self._windows = sliding_window_view(padded, T + 1)  # (N - T, T + 1), a view
        self._last = (N - 2) // T
        last = self.tokens[self._last * T :].astype(np.int64)
        self._last_row = np.pad(last, (0, T + 1 - len(last)), constant_values=-1)  # (T + 1,)

    def rows(self, examples: NDArray[np.int64], seed: int) -> dict[str, NDArray[np.int64]]:
        """Return {"tokens": (B, T + 1) int64}, a pure function of (seed, number); −1 after the end of the split.

        With an end symbol also {"documents": (B, T + 1) int64}, the number of each token's document within its row: an
        end symbol is the last that is predicted of a document and the first that is read of the next.
        """
        if self.order == "crops":
            starts = uniform_below(len(self._windows), examples, seed)
            tokens = self._windows[starts].astype(np.int64)
        else:
            windows = self._window_numbers(examples, seed)
            starts = np.minimum(windows * self.context_length, len(self._windows) - 1)
            tokens = self._windows[starts].astype(np.int64)
            tokens[windows == self._last] = self._last_row
        return {"tokens": tokens} if self.end is None else {"tokens": tokens, "documents": numbered(tokens, self.end)}

    def ordered(self) -> TokenSource:
        """Return the same tokens, window after window."""
        return replace(self, order="windows", lanes=1)

    def fresh(self, examples: NDArray[np.int64]) -> bool:
        """Return True if the rows of these examples start again, so that no state may be carried into them.

        "lanes": at the start of a lane, which all rows of a batch of `lanes` reach together; "windows": at the first.
        """
        if self.order in ("lanes", "windows"):
            return int(examples[0]) // self.lanes % (self.examples // self.lanes) == 0
        return True

    def _window_numbers(self, examples: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
        """Return (B,) the window of each example."""
        if self.order == "epochs":
            epochs, positions = np.divmod(examples, self.examples)
            windows = np.empty_like(positions)
            for epoch in set(epochs.tolist()):
                here = epochs == epoch
                windows[here] = permuted(self.examples, positions[here], seed, epoch)
            return windows
        chunks = self.examples // self.lanes
        return examples % self.lanes * chunks + examples // self.lanes % chunks

    def _check_length(self) -> None:
        N, T = len(self.tokens), self.context_length
        if N < 2:
            raise BadInput(
                f"is too short: {N} tokens in one of its splits, and a model needs one to read and one to predict",
                field="corpus",
                allowed="a corpus with at least 2 tokens in training and in validation",
                remedy="Choose a longer text",
            )
        if self.order != "windows" and N < T + 1:
            raise BadInput(
                f"is longer than the corpus: its training part has {N} tokens, and one window needs {T + 1}",
                field="training.context_length",
                value=str(T),
                allowed=f"at most {N - 1} for this corpus",
                remedy="Lower it, or choose a longer text",
            )

    def _check_lanes(self, windows: int) -> None:
        if self.lanes > windows:
            raise BadInput(
                f"is too large for this corpus: each row of the batch reads its own part of it, "
                f"and it has {windows} windows of {self.context_length} tokens",
                field="training.batch_size",
                value=str(self.lanes),
                allowed=f"at most {windows} for this corpus and context length",
                remedy="Lower it, lower training.context_length, or choose a longer text",
            )


def numbered(tokens: NDArray[np.int64], end: int) -> NDArray[np.int64]:
    """Return the number of each token's document within its row, (B, T) of tokens (B, T): an end begins the next."""
    return np.cumsum(tokens == end, axis=1)


def _smallest(tokens: Tokens, vocabulary_size: int) -> Tokens:
    """Return the tokens as the smallest unsigned integers that hold the vocabulary."""
    low, high = int(tokens.min()), int(tokens.max())
    if low < 0 or high >= vocabulary_size:
        raise ValueError(f"symbol numbers run from 0 to {vocabulary_size - 1}; these from {low} to {high}")
    return tokens.astype(np.min_scalar_type(vocabulary_size - 1), copy=False)
