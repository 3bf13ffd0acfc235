"""The interface of language models, and the task one is built for.

Their base class, lab.layers.LanguageModel, derives all but one of its forms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from lab.api.state import State

if TYPE_CHECKING:
    import numpy as np
    from torch import Tensor


class NotCausal(RuntimeError):
    """Raised when a model whose positions read the future is used for decoding."""


@dataclass(frozen=True)
class Task:
    """The task a model is built for, made by the objective from tokenizer and source. More fields may follow.

    Args:
        vocabulary_size: Rows of embedding and head: the tokenizer's symbols and the objective's.
        context_length: The most tokens of a row that is read; a source has at most as many.
        causal: Whether position t may read only positions up to t.
        source_vocabulary_size: Symbols of the source side, sequence to sequence only.
        input_shape: Shape of one input where inputs are not tokens: (features,), or (height, width, channels) of an
            image. With sequence to sequence it is the shape of the source.
        classes: For classification: number of classes; forward returns (B, classes), with `by_token` (B, T, classes).
        by_token: Whether every token has a class.
        outputs: For regression: how many numbers are predicted; forward returns (B, outputs).
        next_sentence: Whether rows hold two pieces of text, and the model also predicts whether the second one follows
            the first: `follows` of its residual stream returns (B, 2) logits, of no and yes.
        replaced: Whether the model tells replaced tokens from others: forward returns (B, T) logits of "replaced".
        matching: Whether the model tells which text belongs to which image: forward of N texts and M images, its
            "source", returns (M, N) logits.
    """

    vocabulary_size: int
    context_length: int
    causal: bool = True
    source_vocabulary_size: int | None = None
    input_shape: tuple[int, ...] | None = None
    classes: int | None = None
    by_token: bool = False
    outputs: int | None = None
    next_sentence: bool = False
    replaced: bool = False
    matching: bool = False


class LanguageModel(Protocol):
    """The interface that trainer, evaluation, decoding and probes use. B batch, T tokens, V vocabulary.

    Attributes:
        learns: "gradient", or "counting" for tables filled by `count`.
        causal: Whether position t reads only positions up to t.
        reach: Positions one state may read; None means no limit. Past it the decoder re-reads the last half.
        history: Tokens before the one being read that can change the logits after it (the receptive field − 1; 0 for
            a bigram); None means all. A stream is scored in pieces with that overlap.
        config: The one config object of this model; live fields are read from it at use.
        task: The task it was built for.
    """

    @property
    def learns(self) -> Literal["gradient", "counting"]:
        """See above; this and the following may be plain class attributes."""
        ...

    @property
    def causal(self) -> bool:
        """See above."""
        ...

    @property
    def reach(self) -> int | None:
        """See above."""
        ...

    @property
    def history(self) -> int | None:
        """See above."""
        ...

    @property
    def config(self) -> Any:
        """See above."""
        ...

    @property
    def task(self) -> Task:
        """See above."""
        ...

    def __call__(self, tokens: Tensor, **given: Tensor) -> Tensor:
        """Call `forward`."""
        ...

    def forward(self, tokens: Tensor, **given: Tensor) -> Tensor:
        """Return logits (B, T, V) of tokens (B, T) int64. Losses of tokens and evaluation use `score` instead.

        With `task.classes` it returns (B, classes), or (B, T, classes) by token; with `task.outputs` (B, outputs).

        Args:
            tokens: Symbol numbers; or vectors (B, F) or images (B, H, W, C) in float32 if `task.input_shape` is given
                and there is no source.
            **given: By name, where the task has them: "mask" (B, T) bool, "segments" (B, T) int64, "source"
                (B, S) int64 or images,
                "source_mask" (B, S) bool, "documents" (B, T) int64. A mask is False behind the end of a row; without
                one nothing is padding.
        """
        ...

    def start(self, batch: int, **given: Tensor) -> State:
        """Return the state of `batch` rows before the first token.

        Args:
            batch: B.
            **given: The inputs of `forward` other than the tokens; a source is read here, once.

        Raises:
            NotCausal: The model is not causal.
        """
        ...

    def extend(self, tokens: Tensor, state: State, last: int | None = None) -> tuple[Tensor, State]:
        """Read (B, T) more tokens, T ≥ 1; return logits (B, T or last, V) and the new state. Differentiable.

        Args:
            tokens: (B, T) int64.
            state: A state of B rows; it is not changed.
            last: Number of last positions whose logits are returned; None means all T.
        """
        ...

    def step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read one more token (B,) int64; return logits (B, V) and the new state. Equals extend of one token."""
        ...

    def score(self, tokens: Tensor, targets: Tensor, **given: Tensor) -> Tensor:
        """Return the log-probability (B, T) of each target in nats, 0 where it is negative.

        Differentiable unless the model counts. Only for tasks whose targets are tokens.

        Args:
            tokens: (B, T) int64, those that are read.
            targets: (B, T) int64, the symbol to predict at each position.
            **given: As in `forward`.
        """
        ...

    def count(self, tokens: np.ndarray) -> None:
        """Read one more contiguous slice of the training text, (N,) int64; only for models that learn by "counting".

        Raises:
            TypeError: The model learns by gradient.
        """
        ...

    def tables(self) -> dict[str, Tensor]:
        """Return the tensors of a checkpoint by name: the state_dict with tied ones once, or the tables of counts."""
        ...

    def load_tables(self, tables: dict[str, Tensor]) -> None:
        """Load tables, the inverse of `tables`.

        Raises:
            ValueError: A table is missing, of another shape, or unknown.
        """
        ...
