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
        context_length: Tokens of a training window.
        causal: Whether position t may read only positions up to t.
        source_vocabulary_size: Symbols of the source side, sequence to sequence only.
        input_shape: Shape of one input where inputs are not tokens: (features,), or (height, width, channels) of an
            image. With sequence to sequence it is the shape of the source.
        classes: For classification: number of classes; forward returns (B, classes), with `by_token` (B, T, classes).
        by_token: Whether every token has a class.
        outputs: For regression: how many numbers are predicted; forward returns (B, outputs).
    """

    vocabulary_size: int
    context_length: int
    causal: bool = True
    source_vocabulary_size: int | None = None
    input_shape: tuple[int, ...] | None = None
    classes: int | None = None
    by_token: bool = False
    outputs: int | None = None


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
        """Return logits (B, T, V) of tokens (B, T). Losses and evaluation use `score` instead."""
        ...

    def start(self, batch: int, **given: Tensor) -> State:
        """Return the state before the first token. Raise NotCausal if the model is not causal."""
        ...

    def extend(self, tokens: Tensor, state: State, last: int | None = None) -> tuple[Tensor, State]:
        """Read (B, T) more tokens; return logits (B, T or last, V) and the new state. Differentiable."""
        ...

    def step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read one more token (B,); return logits (B, V) and the new state. Equals extend of one token."""
        ...

    def score(self, tokens: Tensor, targets: Tensor, **given: Tensor) -> Tensor:
        """Return log-probabilities of targets (B, T) in nats, 0 where target < 0. Differentiable unless it counts."""
        ...

    def count(self, tokens: np.ndarray) -> None:
        """Read one more contiguous slice of the training text; only for models that learn by "counting"."""
        ...

    def tables(self) -> dict[str, Tensor]:
        """Return the tensors of a checkpoint: the state_dict with tied tensors once, or the tables of counts."""
        ...

    def load_tables(self, tables: dict[str, Tensor]) -> None:
        """Load tables, the inverse of `tables`."""
        ...
