"""Import torch's compiler when something is compiled, and not with the first optimizer of a process.

Every optimizer of torch, and every operation on the meta device that torch writes in Python, is marked as not to be
compiled. For the mark alone torch imports all of `torch._dynamo`: seconds and 300 modules, though the lab compiles
nothing.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

NAME = "torch._dynamo"


class _Uncompiled(ModuleType):
    """A stand-in for the compiler until something is compiled.

    It answers what torch asks of every optimizer. Any other attribute imports the compiler, which then replaces it.
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
