"""torch's compiler is imported when something is compiled, and not with the first optimizer of a process.

Each optimizer of torch, and each operation on the meta device that torch writes in Python, asks the compiler to leave
it alone, for which torch imports all of `torch._dynamo`: seconds and 300 modules, though the lab compiles nothing.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

NAME = "torch._dynamo"


class _Uncompiled(ModuleType):
    """What stands for the compiler while nothing was compiled: there is nothing from which to leave anything out.

    Whoever asks for anything else gets the compiler itself, which takes its place.
    """

    @staticmethod
    def disable(fn: Callable[..., Any] | None = None, *_: object, **__: object) -> Callable[..., Any]:
        """Return the function, which is not compiled; without one, a decorator that does."""
        return (lambda function: function) if fn is None else fn

    @staticmethod
    def graph_break() -> None:
        """Do nothing: no graph is made."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__path__":  # whoever looks through all modules asks for these
            raise AttributeError(name)
        if sys.modules.get(NAME) is self:
            del sys.modules[NAME]
        return getattr(importlib.import_module(NAME), name)


def hold_back_compiler() -> None:
    """Let torch import its compiler only where something is compiled, if it has not imported it."""
    sys.modules.setdefault(NAME, _Uncompiled(NAME))
