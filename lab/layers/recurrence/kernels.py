"""Kernels of CUDA packages, used if they are installed and never required."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from torch import Tensor


def fast_kernel(x: Tensor, module: str, name: str) -> Callable[..., Any] | None:
    """Return a function of an installed package that replaces several steps of torch on CUDA.

    Args:
        x: The tensor it would be called with.
        module: Its module, "fla.ops.gla".
        name: Its name there.

    Returns:
        The function; None if `x` is not on CUDA, or the package is missing or cannot be imported.
    """
    return _found(module, name) if x.is_cuda else None


@functools.cache
def _found(module: str, name: str) -> Callable[..., Any] | None:
    try:
        found: Callable[..., Any] | None = getattr(importlib.import_module(module), name, None)
    except Exception:  # noqa: BLE001 - a package built for another torch or driver may raise anything at import
        return None
    return found
