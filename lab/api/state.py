"""Decoding state as plain nested data, and the operations on it.

A State is a tensor with the batch FIRST, an int, None, or a tuple, list or dict of States. It is never changed in
place: `extend` and `step` return a new one and the old one stays valid, so branches and beams need no copies. All rows
of a state have read the same number of tokens.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from torch import Tensor

State: TypeAlias = Any
"""See above: nested plain data, whose type cannot be written."""


def map_state(change: Callable[[Tensor], Any], state: State) -> State:
    """Return the state with every tensor in it replaced by `change(tensor)`.

    Raises:
        TypeError: The state holds something other than a tensor, int, None, tuple, list or dict.
    """
    from torch import Tensor

    if isinstance(state, Tensor):
        return change(state)
    if state is None or isinstance(state, int):
        return state
    if isinstance(state, dict):
        return {name: map_state(change, part) for name, part in state.items()}
    if isinstance(state, tuple) and hasattr(state, "_fields"):
        return type(state)(*(map_state(change, part) for part in state))
    if isinstance(state, tuple | list):
        return type(state)(map_state(change, part) for part in state)
    raise TypeError(
        f"a state holds a {type(state).__name__}: use tensors (batch first), ints, None, tuples, lists and dicts"
    )


def tensors_of(state: State) -> list[Tensor]:
    """Return the tensors of a state in order.

    This and the following raise TypeError as `map_state` does.
    """
    found: list[Tensor] = []
    map_state(found.append, state)
    return found


def copy_state(state: State) -> State:
    """Return a state that shares no memory with this one."""
    return map_state(lambda tensor: tensor.clone(), state)


def detach_state(state: State) -> State:
    """Return the state detached from its graph, where truncated backpropagation through time cuts."""
    return map_state(lambda tensor: tensor.detach(), state)


def select_state(state: State, rows: Tensor) -> State:
    """Return the state of rows (R,) int64, in their order; rows may repeat, so beams branch with it."""
    return map_state(lambda tensor: tensor.index_select(0, rows), state)


def state_bytes(state: State) -> int:
    """Return the size of the tensors in a state in bytes."""
    return sum(tensor.nbytes for tensor in tensors_of(state))


def join_states(states: list[State]) -> State:
    """Return one state of all rows of several states, in order.

    Raises:
        ValueError: Their shapes differ, or they have not read the same number of tokens.
    """
    import torch

    first = states[0]
    if isinstance(first, torch.Tensor):
        return torch.cat(states)
    if isinstance(first, dict):
        return {name: join_states([state[name] for state in states]) for name in first}
    if isinstance(first, tuple | list):
        parts = [join_states(list(part)) for part in zip(*states, strict=True)]
        return type(first)(*parts) if hasattr(first, "_fields") else type(first)(parts)
    if any(state != first for state in states):
        raise ValueError(f"these states have not read the same number of tokens: {states}")
    return first
