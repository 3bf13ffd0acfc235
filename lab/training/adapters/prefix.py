"""Prefix tuning: what a model remembers of tokens that nobody wrote is trained in their place."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import torch
from torch import Tensor, nn

from lab.api import BadInput, ModelAdapter, State, Task, map_state, tensors_of
from lab.layers import LanguageModel
from lab.training.adapters.builtins import PrefixConfig


class Prefix(ModelAdapter):
    """A decoding state in place of the empty one: trained keys and values (Li & Liang 2021), or a trained state.

    The state is what the model has after `length` tokens. It starts as that of random tokens, since the state of real
    tokens trains better than random numbers (section 7.4). Positions count on behind it.

    Args:
        config: Its length.
    """

    def __init__(self, config: PrefixConfig) -> None:
        self._config = config

    def task(self, task: Task) -> Task:
        """Return the task with room for the prefix before every text."""
        return dataclasses.replace(task, context_length=task.context_length + self._config.length)

    def attach(self, model: Any) -> None:
        """Let every text begin after the prefix.

        Raises:
            BadInput: The model keeps nothing that could be trained, or does not decode.
        """
        task: Task = model.task
        if model.learns != "gradient" or not model.causal or task.source_vocabulary_size or task.input_shape:
            raise _refused("only a model that continues a text from left to right can be given a prefix")
        state = self._read(model, type(model))
        if not any(map(_is_trained, tensors_of(state))):
            raise _refused("this model keeps neither keys and values nor a state: it reads its last tokens again")
        model.prefix = TrainedState(state)
        kind: Any = type(model)  # of a class that mypy takes for one without a hash
        model.__class__ = prefixed(kind)
        if model.reach is not None:
            model.reach -= self._config.length

    def initialise(self, model: Any) -> None:
        """Let the prefix be what the model remembers of random tokens."""
        model.prefix.set(self._read(model, type(model).__mro__[1]))

    @torch.no_grad()
    def _read(self, model: LanguageModel, kind: Any) -> State:
        """Return the state after random tokens of a model, read as one of this class."""
        was, device = model.training, next(model.parameters()).device
        tokens = torch.randint(model.task.vocabulary_size, (1, self._config.length)).to(device)
        try:
            _, state = kind.extend(model.eval(), tokens, kind.start(model, 1), last=1)
        finally:
            model.train(was)
        return state


@dataclasses.dataclass(frozen=True)
class _Place:
    """The place of a tensor in the form of a state."""

    index: int


class TrainedState(nn.Module):
    """A decoding state of one row, whose tensors of numbers are trained.

    Args:
        state: The state that it has at first.
    """

    def __init__(self, state: State) -> None:
        super().__init__()
        tensors = tensors_of(state)
        self.trained = nn.ParameterDict()
        for index, tensor in enumerate(tensors):
            if _is_trained(tensor):
                self.trained[str(index)] = nn.Parameter(tensor.clone())
            else:
                self.register_buffer(f"fixed_{index}", tensor.clone(), persistent=False)
        indices = iter(range(len(tensors)))
        self._form = map_state(lambda _: _Place(next(indices)), state)

    def set(self, state: State) -> None:
        """Give the trained tensors the values of another state of the same form."""
        with torch.no_grad():
            for index, tensor in enumerate(tensors_of(state)):
                if str(index) in self.trained:
                    self.trained[str(index)].copy_(tensor)

    def rows(self, batch: int) -> State:
        """Return the state of that many rows; its gradient is the sum over them."""
        return self._filled(self._form, batch)

    def _filled(self, form: Any, batch: int) -> State:
        if isinstance(form, _Place):
            name = str(form.index)
            one: Tensor = self.trained[name] if name in self.trained else getattr(self, f"fixed_{name}")
            return one.expand(batch, *one.shape[1:]).contiguous()
        if isinstance(form, dict):
            return {name: self._filled(part, batch) for name, part in form.items()}
        if isinstance(form, tuple) and hasattr(form, "_fields"):
            return type(form)(*(self._filled(part, batch) for part in form))
        return type(form)(self._filled(part, batch) for part in form) if isinstance(form, tuple | list) else form


@functools.cache
def prefixed(kind: type[LanguageModel]) -> type[LanguageModel]:
    """Return the subclass of a model's class whose instances begin every text after their `prefix`."""

    def start(self: Any, batch: int, **given: Tensor) -> State:
        del given
        return self.prefix.rows(batch)

    def forward(self: Any, tokens: Tensor, **given: Tensor) -> Tensor:
        logits: Tensor = self.extend(tokens, self.start(tokens.shape[0], **given))[0]
        return logits

    own = {"start": start, "forward": forward, "score": LanguageModel.score, "reads_documents": False}
    return type(f"Prefixed{kind.__name__}", (kind,), own)


def _is_trained(tensor: Tensor) -> bool:
    return tensor.is_floating_point() and tensor.numel() > 0


def _refused(what: str) -> BadInput:
    remedy = "Choose another architecture, or adapter.name=lora"
    return BadInput(what, field="adapter.name", value="prefix", remedy=remedy)
