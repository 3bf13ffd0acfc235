"""The state that each layer carries from token to token, as part of the decoding state."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import torch
from torch import Tensor, nn

from lab.api import BadInput, State

Address: TypeAlias = tuple[Any, ...]
"""Keys and indices that lead from a decoding state to a tensor in it."""


@dataclass(frozen=True)
class Carried:
    """The position of a layer's state in the decoding state.

    Args:
        layer: Its number; None if the decoding state is not divided by layers.
        path: Path of the layer in the model ("blocks.1"); "" without a number.
        address: Address of the tensor in the decoding state.
    """

    layer: int | None
    path: str
    address: Address

    def of(self, state: State) -> Tensor:
        """Return the tensor in a decoding state, batch first."""
        for key in self.address:
            state = state[key]
        tensor: Tensor = state
        return tensor


def carried(model: Any, tokens: Tensor) -> list[Carried]:
    """Return the largest tensor of constant size of each layer; of several equal ones the last, an LSTM's cell.

    A tensor that grows from the first token to the last is a cache of past tokens, and is left out. So is one that
    holds the last inputs of a convolution, if the layer has another.

    Args:
        model: The model.
        tokens: (1, T), T ≥ 2: the text it reads, to find the tensors that grow.

    Raises:
        BadInput: No layer has such a state, or one token does not show it.
    """
    if not model.causal:
        raise BadInput("a model that reads both ways carries no state", remedy="Choose another probe")
    if model.task.source_vocabulary_size is not None:
        raise BadInput("this model also reads a second text", remedy="Choose another probe")
    if tokens.shape[1] < 2:
        raise BadInput("at least two tokens are needed to see whether a state grows", remedy="Give a longer text")
    first = before = model.extend(tokens[:, :1], model.start(1), last=1)[1]
    sizes = {address: tensor.shape for address, tensor in _numbers(first)}
    if tokens.shape[1] > 2:
        before = model.extend(tokens[:, 1:-1], first, last=1)[1]
    earlier = dict(_numbers(before))
    last = model.extend(tokens[:, -1:], before, last=1)[1]
    path, layers = _layers(model, last)
    largest: dict[int | None, Address] = {}
    ranks: dict[int | None, tuple[bool, int]] = {}
    for address, tensor in _numbers(last):
        if tensor.numel() and sizes.get(address) == tensor.shape:
            layer = address[len(layers)] if path and address[: len(layers)] == layers else None
            rank = (not _moves_on(earlier.get(address), tensor), tensor.numel())
            if layer not in ranks or rank >= ranks[layer]:
                ranks[layer], largest[layer] = rank, address
    if not largest:
        why = "grows with every token: it stores all of them" if any(_numbers(last)) else "has no numbers to measure"
        raise BadInput(f"the state of this model {why}", remedy="Choose another probe")
    return [Carried(layer, "" if layer is None else f"{path}.{layer}", address) for layer, address in largest.items()]


def _moves_on(before: Tensor | None, after: Tensor) -> bool:
    """Return True if a tensor (B, tokens, …) equals the one a token earlier, shifted by one, and is not all zeros."""
    if before is None or after.ndim < 3 or after.shape[1] < 2:
        return False
    return torch.equal(after[:, :-1], before[:, 1:]) and bool(after.any())


def _layers(model: Any, state: State) -> tuple[str, Address]:
    """Return the path of the list of layers, and the address of the outermost sequence of its length in the state.

    The path is "" if there is none: then the state is not divided by layers.
    """
    lists = {len(one): path for path, one in reversed(_named(model)) if isinstance(one, nn.ModuleList) and one}
    return next(((lists[length], address) for address, length in _sequences(state) if length in lists), ("", ()))


@contextlib.contextmanager
def undisturbed(model: Any) -> Iterator[None]:
    """Put the model in eval mode, without gradients, and use one thread, as more would only wait, inside the `with`."""
    modes = [(module, module.training) for _, module in _named(model)]
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        model.eval()
        with torch.no_grad():
            yield
    finally:
        torch.set_num_threads(threads)
        for module, training in modes:
            module.training = training


def _named(model: Any) -> list[tuple[str, nn.Module]]:
    return list(model.named_modules())


def _numbers(state: State, address: Address = ()) -> Iterator[tuple[Address, Tensor]]:
    """Yield the tensors with real or complex numbers, and their addresses."""
    if isinstance(state, Tensor):
        if state.is_floating_point() or state.is_complex():
            yield address, state
    elif isinstance(state, dict | tuple | list):
        for key, part in state.items() if isinstance(state, dict) else enumerate(state):
            yield from _numbers(part, (*address, key))


def _sequences(state: State, address: Address = ()) -> Iterator[tuple[Address, int]]:
    """Yield the addresses of tuples and lists with their lengths, outer ones first."""
    if isinstance(state, tuple | list):
        yield address, len(state)
    if isinstance(state, dict | tuple | list):
        for key, part in state.items() if isinstance(state, dict) else enumerate(state):
            yield from _sequences(part, (*address, key))
