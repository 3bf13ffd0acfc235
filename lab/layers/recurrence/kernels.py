"""Kernels of CUDA packages, taken where they are installed and never required."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from torch import Tensor


def fast_kernel(x: Tensor, module: str, name: str) -> Callable[..., Any] | None:
    """A function of an installed package that computes on CUDA what torch would take several steps for.

    Args:
        x: What it would be given.
        module: Where it stands, "fla.ops.gla".
        name: What it is called there.

    Returns:
        The function; None where `x` is not on CUDA, or the package is missing or cannot be imported.
    """
    return _found(module, name) if x.is_cuda else None


@functools.cache
def _found(module: str, name: str) -> Callable[..., Any] | None:
    try:
        found: Callable[..., Any] | None = getattr(importlib.import_module(module), name, None)
    except Exception:  # noqa: BLE001 - what a package built for another torch or driver raises at import is open
        return None
    return found
