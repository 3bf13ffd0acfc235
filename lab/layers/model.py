"""LanguageModel, the base of architectures: write one of forward, extend or step, and the others follow from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import NotCausal, Role, State, Task
from lab.layers.reports import Derives, joined


class LanguageModel(Derives, nn.Module):
    """The base of every architecture. B batch, T tokens, V vocabulary.

    Write `start` and `step` (one token), or `start` and `extend` (more tokens onto a state), or only `forward` (full
    sequences). Models that learn by counting also write `count`, and `score` where logits would be too large; their
    tables are buffers, or whatever `tables` and `load_tables` define.

    Attributes:
        learns: "gradient", or "counting".
        causal: Whether position t reads only positions up to t; taken from the task unless a class sets it.
        reach: Positions one state may read; None means no limit.
        history: Tokens before the one being read that can change the logits after it (the receptive field − 1; 0 for
            a bigram); None means all. With `forward` alone it is what decoding stores. It may be set with `reach`.
        reads_documents: Whether `forward` takes `documents`, (B, T) the number of each token's document within its
            row, and reads none from another. Others get each document as a row of its own.
        no_decay: Names of its own parameters without weight decay.
        roles: Name of a parameter, its own or "child.name" -> its role (lab.api.Role), where the derived one is wrong.
        head_parts: Paths of the children that belong to the task: a model that is trained on from the weights of
            another task begins with new ones.
    """

    learns: Literal["gradient", "counting"] = "gradient"
    causal: bool = True
    reach: int | None = None
    history: int | None = None
    reads_documents: bool = False
    no_decay: tuple[str, ...] = ()
    roles: Mapping[str, Role] = {}
    head_parts: tuple[str, ...] = ("output",)
    _base: ClassVar[type]

    def __init__(self, config: Any, task: Task) -> None:
        super().__init__()
        self._check_written()
        self.config = config
        self.task = task
        if not task.causal:
            self.causal = False

    def forward(self, tokens: Tensor, **given: Tensor) -> Tensor:
        """Return logits (B, T, V) of tokens (B, T), or (B, classes) for classification."""
        return self.extend(tokens, self.start(tokens.shape[0], **given))[0]

    def start(self, batch: int, **given: Tensor) -> State:
        """Return the state before the first token.

        Args:
            batch: Number of rows.
            **given: The model's other inputs (an encoder's source).

        Raises:
            NotCausal: The model reads the future and cannot decode.
        """
        del batch
        if not self.causal:
            raise NotCausal(f"{type(self).__name__} reads both directions and cannot decode token by token")
        return {"tokens": None, "given": dict(given)}

    def extend(self, tokens: Tensor, state: State, last: int | None = None) -> tuple[Tensor, State]:
        """Read more tokens: prefill, speculation, truncated backpropagation, branching.

        Args:
            tokens: (B, T), T ≥ 1.
            state: The state that `start`, `extend` or `step` returned.
            last: Number of last positions whose logits are returned; None means all.

        Returns:
            Logits (B, T or last, V) and the new state.
        """
        if self.writes("step"):
            logits = []
            first = tokens.shape[1] - (last or tokens.shape[1])
            with self._token_by_token(tokens.shape[1]):
                for t in range(tokens.shape[1]):
                    at_t, state = self.step(tokens[:, t], state)
                    if t >= first:
                        logits.append(at_t)
            return torch.stack(logits, dim=1), state
        seen, recent = joined(state["tokens"], tokens, self.history)
        logits_of_last = self.forward(seen, **state["given"])[:, -(last or tokens.shape[1]) :]
        return logits_of_last, {"tokens": recent, "given": state["given"]}

    def step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read one more token (B,); return logits (B, V) and the new state."""
        logits, state = self.extend(tokens[:, None], state)
        return logits[:, 0], state

    def score(self, tokens: Tensor, targets: Tensor, **given: Tensor) -> Tensor:
        """Return the log-probability of each target (B, T) in nats, 0 where target < 0. Differentiable."""
        logits = self(tokens, **given)
        if logits.shape[:-1] != targets.shape:
            gave, wanted = tuple(logits.shape), (*targets.shape, self.task.vocabulary_size)
            raise ValueError(
                f"{type(self).__name__} returned logits {gave} for targets {tuple(targets.shape)}, not {wanted}"
            )
        return -unreduced_cross_entropy(logits, targets)

    def count(self, tokens: Any) -> None:
        """Read one more contiguous slice of the training text; only for models that learn by "counting".

        The slices are the text in order, each as long as all before it together, so that work proportional to the text
        counted so far is done log₂ N times. After `load_tables` nothing more is counted, unless a run is resumed.

        Args:
            tokens: (N,) int64 numpy.
        """
        raise TypeError(f"{type(self).__name__} learns by gradient and cannot count {len(tokens)} tokens")

    def statements(self) -> tuple[str, dict[str, Tensor]] | None:
        """Return a small model as statements of the language of `lm-lab graph`, to draw its training step.

        They compute y (n, K), the numbers that `forward` returns in training, from a batch X (n, F) of flat inputs.
        Statements stand in lines of their own; names that they do not define are those of weights.

        Returns:
            The statements, and the parameters by their names there; None if it cannot be written so.
        """
        return None

    def tables(self) -> dict[str, Tensor]:
        """Return the tensors of a checkpoint: every parameter and buffer, tied ones once, under the first name."""
        seen: set[int] = set()
        tables: dict[str, Tensor] = {}
        for name, tensor in self.state_dict(keep_vars=True).items():
            if id(tensor) not in seen:
                seen.add(id(tensor))
                tables[name] = tensor.detach()
        return tables

    def load_tables(self, tables: dict[str, Tensor]) -> None:
        """Load tables, the inverse of `tables`. Buffers of a model that counts may have any length.

        Raises:
            ValueError: A table is missing, of another shape, or belongs to no parameter.
        """
        own = self.tables()
        if own.keys() != tables.keys():
            missing, extra = sorted(own.keys() - tables.keys()), sorted(tables.keys() - own.keys())
            raise ValueError(f"tables do not fit this model: missing {missing[:3]}, unknown {extra[:3]}")
        if self.learns == "counting":
            for name, tensor in own.items():
                module, _, attribute = name.rpartition(".")
                setattr(self.get_submodule(module), attribute, tables[name].to(tensor))
            return
        for name, tensor in own.items():
            if tensor.shape != tables[name].shape:
                raise ValueError(f"{name} is {tuple(tables[name].shape)}, this model has {tuple(tensor.shape)}")
        with torch.no_grad():
            for name, tensor in own.items():
                tensor.copy_(tables[name])


LanguageModel._base = LanguageModel


def unreduced_cross_entropy(logits: Tensor, targets: Tensor, smoothing: float = 0.0) -> Tensor:
    """Return nats per target, 0 where target < 0.

    Args:
        logits: (…, V).
        targets: (…).
        smoothing: ε of the targets (1 − ε) · one-hot + ε / V (Szegedy et al. 2016, section 7).

    Returns:
        (…) nats.
    """
    flat, wanted = logits.flatten(0, -2), targets.flatten().clamp(min=-1)
    nats = F.cross_entropy(flat, wanted, ignore_index=-1, reduction="none", label_smoothing=smoothing)
    return nats.view(targets.shape)
