"""LanguageModel as the lab sees it. Its base, lab.layers.LanguageModel, derives all but one of its forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol

from lab.api.state import State

if TYPE_CHECKING:
    import numpy as np
    from torch import Tensor

    from lab.api.architecture import Task


class NotCausal(RuntimeError):
    """Decoding was asked of a model whose positions read the future."""


class LanguageModel(Protocol):
    """What trainer, evaluation, decoding and probes may call. B batch, T tokens, V vocabulary.

    Attributes:
        learns: "gradient", or "counting" for tables filled by `count`.
        causal: Whether position t reads only positions up to t.
        reach: Positions one state may read; None means no limit. There the decoder re-reads the last half.
        history: Tokens before the one being read that can change the logits after it (the receptive field − 1; 0 for
            a bigram); None means all. A stream is scored in pieces with that overlap.
        config: The one config object of this model; live fields are read from it at use.
        task: What it was built for.
    """

    @property
    def learns(self) -> Literal["gradient", "counting"]:
        """See above; this and the next may be plain class attributes."""
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
        """`forward`."""
        ...

    def forward(self, tokens: Tensor, **given: Tensor) -> Tensor:
        """(B, T) -> logits (B, T, V). Losses and evaluation use `score` instead."""
        ...

    def start(self, batch: int, **given: Tensor) -> State:
        """The state before the first token. Raises NotCausal if the model is not causal."""
        ...

    def extend(self, tokens: Tensor, state: State, last: int | None = None) -> tuple[Tensor, State]:
        """Reads (B, T) more tokens -> logits (B, T or last, V) and the new state. Differentiable."""
        ...

    def step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Reads one more token (B,) -> logits (B, V) and the new state. Equals extend of one token."""
        ...

    def score(self, tokens: Tensor, targets: Tensor, **given: Tensor) -> Tensor:
        """Log-probability of each target (B, T) in nats, 0 where target < 0. Differentiable unless it counts."""
        ...

    def count(self, tokens: np.ndarray) -> None:
        """Learns == "counting": reads one more contiguous slice of the training text."""
        ...

    def tables(self) -> dict[str, Tensor]:
        """What a checkpoint holds: the state_dict with tied tensors once, or the tables of counts."""
        ...

    def load_tables(self, tables: dict[str, Tensor]) -> None:
        """The inverse of `tables`."""
        ...
