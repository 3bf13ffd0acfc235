"""Operations on the meta device that are repeated with the same shapes, as in blocks that are alike."""

from __future__ import annotations

import functools
from collections.abc import Hashable
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

MOST_CACHED = 20_000
"""Operations whose results are kept; as many again take their place."""

_cached: dict[Hashable, Any] = {}


class Repeats(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """A mode that makes the result of a repeated operation from the shapes of the first one.

    On the meta device torch finds the shape of most results in Python, which takes most of the time of a pass. Only
    operations that change no argument and whose result is no view are repeated, with the same shapes, strides and
    types of tensors and the same other arguments. What was found is kept for all later passes of the process.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def __torch_dispatch__(
        self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Carry out an operation, or make its result from that of an earlier one."""
        del types
        given = kwargs or {}
        if not _makes_new(function):
            return function(*args, **given)
        try:
            key = function, torch.get_default_dtype(), _described(args), _described(tuple(given.items()))
            known = _cached.get(key)
        except TypeError:  # an argument that cannot be described
            return function(*args, **given)
        if known is None:
            result = function(*args, **given)
            known = _recipe_of(result)
            if known is not None:
                if len(_cached) >= MOST_CACHED:
                    _cached.clear()
                _cached[key] = known
            return result
        return _made(known) if isinstance(known[0], torch.Size) else tuple(_made(one) for one in known)


@functools.cache
def _makes_new(function: Any) -> bool:
    """Return True if an operation changes none of its arguments, and its results are no views of them."""
    schema = function._schema
    return all(one.alias_info is None for one in (*schema.arguments, *schema.returns))


def _described(value: Any) -> Hashable:
    """Return what the shape of a result can depend on.

    Raises:
        TypeError: This cannot be told.
    """
    if isinstance(value, Tensor):
        if not value.is_meta:
            raise TypeError
        return value.shape, value.stride(), value.dtype, value.is_conj(), value.is_neg()
    if isinstance(value, list | tuple):
        return tuple([_described(one) for one in value])
    hash(value)
    return type(value), value


def _recipe_of(result: Any) -> Any:
    """Return what a result is made from: size, strides and type of each tensor; None if it is something else."""
    if isinstance(result, Tensor):
        return (result.shape, result.stride(), result.dtype) if result.is_meta else None
    if not isinstance(result, tuple) or not result:
        return None
    found = tuple(() if one is None else _recipe_of(one) for one in result)
    return None if None in found or any(one and not isinstance(one[0], torch.Size) for one in found) else found


def _made(recipe: Any) -> Tensor | None:
    if not recipe:
        return None
    size, stride, kind = recipe
    return torch.empty_strided(size, stride, dtype=kind, device="meta")
