"""Import torch's compiler when something is compiled, and not with the first optimizer or estimate of a process.

Every optimizer of torch, and every operation on the meta device that torch writes in Python, is marked as not to be
compiled. For the mark alone torch imports all of `torch._dynamo`: seconds and 300 modules. The same operations work on
sizes that are symbols, too, for which torch imports sympy: longer than torch itself takes, and 40 MB. The lab compiles
nothing unless it is asked to, and its sizes are numbers.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

COMPILER = "torch._dynamo"
SYMBOLS = "sympy"
SYMBOLIC_SHAPES = "torch.fx.experimental.symbolic_shapes"


class _StandIn(ModuleType):
    """A stand-in for a module. An attribute that it has not imports the module, which then replaces it."""

    NEEDED: frozenset[str] = frozenset()
    """Attributes of all modules that need the module itself; whoever looks through all modules asks for the others."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name not in self.NEEDED:
            raise AttributeError(name)
        return getattr(self.imported(), name)

    def imported(self) -> ModuleType:
        """Import the module in place of this one, unless it is imported, and return it."""
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return importlib.import_module(self.__name__)


class _Uncompiled(_StandIn):
    """A stand-in for the compiler that answers what torch asks of every optimizer."""

    NEEDED = frozenset({"__path__"})  # of a package

    @staticmethod
    def disable(fn: Callable[..., Any] | None = None, *_: object, **__: object) -> Callable[..., Any]:
        """Return the function, which is not compiled; without one, a decorator that does."""
        return (lambda function: function) if fn is None else fn

    @staticmethod
    def graph_break() -> None:
        """Do nothing: no graph is made."""


class _NoSymbols(_StandIn):
    """A stand-in for sympy: torch asks of every number whether it is a symbol, and none is before sympy is imported."""

    NEEDED = frozenset({"__path__"})  # of a package; `from sympy import …` asks for it

    @property
    def Basic(self) -> Any:  # noqa: N802 - its name in sympy
        """The class of all symbols; until it is needed, what behaves like it."""
        return _Symbol(self) if sys.modules.get(self.__name__) is self else self.imported().Basic


class _Symbol:
    """The class of all symbols, which is imported for everything but the question whether a value is one of them."""

    def __init__(self, module: _NoSymbols) -> None:
        self._module = module

    def __instancecheck__(self, value: object) -> bool:
        return sys.modules.get(self._module.__name__) is not self._module and isinstance(value, self._module.Basic)

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        return (self._module.imported().Basic,)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module.imported().Basic, name)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._module.imported().Basic(*arguments, **named)


class _Numbers(_StandIn):
    """A stand-in for torch's symbolic shapes that answers what concerns numbers alone."""

    def __getattr__(self, name: str) -> Any:
        plain = OF_NUMBERS.get(name)
        if plain is None or sys.modules.get(self.__name__) is not self:
            return super().__getattr__(name)

        def answer(*arguments: Any) -> Any:
            return plain(*arguments) if _are_numbers(arguments) else getattr(self.imported(), name)(*arguments)

        return answer


def _are_numbers(value: Any) -> bool:
    """Return whether a value is a number or a condition that is known, or consists of such, or is a tensor of them."""
    if hasattr(value, "storage_offset"):  # of a tensor, without an import of torch
        value = (*value.shape, *value.stride(), value.storage_offset())
    return all(map(_are_numbers, value)) if isinstance(value, tuple | list) else isinstance(value, int)


def _same(value: Any, *_: Any) -> Any:
    return value


OF_NUMBERS: Mapping[str, Callable[..., Any]] = {
    **dict.fromkeys(("expect_true", "guard_or_false", "guard_or_true", "guard_size_oblivious", "guard_int"), _same),
    **dict.fromkeys(("statically_known_true", "guarding_hint_or_throw"), _same),
    "has_guarding_hint": lambda _: True,
    **dict.fromkeys(("is_nested_int", "has_free_unbacked_symbols"), lambda _: False),
    "free_unbacked_symbols": lambda _: set(),
    "sym_and": lambda *conditions: all(conditions),
    "sym_or": lambda *conditions: any(conditions),
    "sym_eq": lambda x, y: tuple(x) == tuple(y) if isinstance(x, tuple | list) else x == y,
}
"""Torch's functions on symbolic sizes, for sizes that are numbers."""


def hold_back_compiler() -> None:
    """Let torch import its compiler, its symbolic shapes and sympy only where something is compiled."""
    for stand_in in (_Uncompiled(COMPILER), _NoSymbols(SYMBOLS), _Numbers(SYMBOLIC_SHAPES)):
        sys.modules.setdefault(stand_in.__name__, stand_in)
