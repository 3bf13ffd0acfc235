"""The state that all code of a process shares; what a plugin changes of it is put back and reported with its name."""

from __future__ import annotations

import builtins
import contextlib
import locale
import os
import random
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lab.base.notices import notify
from lab.base.problems import Problem, attributed, is_third_party
from lab.base.torch_lock import torch_lock

REMEDY = "Set it only around the plugin's own work, and put it back behind it"


@dataclass(frozen=True)
class _Part:
    """One part of the state.

    Args:
        name: What a notice calls it.
        read: Returns its value; values are compared as they are.
        write: Sets it to a value that `read` returned.
        library: The module that it belongs to; it is not read, and not imported, unless it is loaded.
        fresh: Its value after the import of that library, as far as it is known; None if not.
    """

    name: str
    read: Callable[[], Any]
    write: Callable[[Any], object]
    library: str | None = None
    fresh: Any = None


@contextlib.contextmanager
def put_back(plugin: str, doing: str, *, draws: bool = False) -> Iterator[None]:
    """Put back what the body changes of the state of the process, and report it in one notice that names the plugin.

    Compared are, where they are loaded, torch's defaults, flags, threads and generator, numpy's errors and generator;
    and Python's generator, filters of warnings, handlers of signals, the locale and the environment. What is printed
    meanwhile goes to standard error, as standard output belongs to the lab. Of a built-in plugin nothing is read.

    Args:
        plugin: The plugin whose code runs in the body.
        doing: What the lab is doing ("its import").
        draws: Whether the body may draw from torch's generator.
    """
    if not is_third_party(plugin):
        yield
        return
    loaded = set(sys.modules)
    before = _values()
    if draws:
        before.pop(_TORCH_DRAWS, None)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        changed = _put_back(before, plugin_only=not (set(sys.modules) - loaded) & _LIBRARIES)
        if changed:
            what = f"{doing} changed {', '.join(changed)}, which all code shares; it was put back"
            notify("warning", Problem(what, plugin=plugin, remedy=REMEDY))


@contextlib.contextmanager
def preparing(plugin: str, doing: str, *, draws: bool = False) -> Iterator[None]:
    """Call a plugin's code before a training: errors name the plugin, and the state of the process is put back.

    Raises:
        LabError: As of `attributed`.
    """
    with attributed(plugin, doing), put_back(plugin, doing, draws=draws):
        yield


def _is_loaded(library: str) -> bool:
    """Return True if a library is imported, and not just being imported by another thread."""
    module = sys.modules.get(library)
    return module is not None and not getattr(module.__spec__, "_initializing", False)


def _values() -> dict[str, Any]:
    """Return the value of each part that is loaded, by its name."""
    with torch_lock if "torch" in sys.modules else contextlib.nullcontext():  # no step draws meanwhile
        return {part.name: part.read() for part in _PARTS if part.library is None or _is_loaded(part.library)}


def _put_back(before: Mapping[str, Any], *, plugin_only: bool) -> list[str]:
    """Put back what has changed since `_values` returned `before`, and return the names of these parts.

    Args:
        before: The values.
        plugin_only: Whether no library was imported meanwhile, which may add filters for its own warnings.
    """
    now, changed = _values(), []
    for part in _PARTS:
        if part.name not in now or (part.name not in before and part.fresh is None):
            continue
        wanted = before.get(part.name, part.fresh)
        if part.name == _FILTERS and not plugin_only:
            own = [one for one in now[part.name] if one not in wanted and not _is_general(one)]
            wanted = (*own, *wanted)
        if now[part.name] != wanted:
            changed.append(part.name)
            with torch_lock if part.library == "torch" else contextlib.nullcontext():
                part.write(wanted)
    return changed


def _is_general(entry: Any) -> bool:
    """Return True if a filter is for all warnings of a category that Python itself has."""
    _, message, category, module, line = entry
    return message is None and module is None and not line and getattr(builtins, category.__name__, None) is category


# ---- the parts

_FILTERS, _TORCH_DRAWS = "the filters of warnings", "torch's random numbers"
_LIBRARIES = {"numpy", "torch", "scipy", "pandas", "transformers", "datasets", "PIL", "sklearn", "matplotlib"}


def _torch() -> Any:
    return sys.modules["torch"]


def _numpy() -> Any:
    return sys.modules["numpy"]


def _write_filters(entries: Any) -> None:
    warnings.filters[:] = entries  # type: ignore[index]
    warnings._filters_mutated()  # type: ignore[attr-defined]


def _handlers() -> dict[int, Any]:
    return {int(number): signal.getsignal(number) for number in signal.valid_signals()}


def _write_handlers(handlers: Mapping[int, Any]) -> None:
    if threading.current_thread() is not threading.main_thread():
        return  # only the main thread can have changed them
    for number, handler in handlers.items():
        if handler is not None and signal.getsignal(number) != handler:
            signal.signal(number, handler)


def _write_environment(values: Mapping[str, str]) -> None:
    for name in [name for name in os.environ if name not in values]:
        del os.environ[name]
    for name, value in values.items():
        if os.environ.get(name) != value:
            os.environ[name] = value


def _torch_flags() -> tuple[Any, ...]:
    torch = _torch()
    return (
        torch.are_deterministic_algorithms_enabled(),
        torch.is_deterministic_algorithms_warn_only_enabled(),
        torch.backends.cudnn.deterministic,
        torch.backends.cudnn.benchmark,
        torch.is_grad_enabled(),
        torch.is_anomaly_enabled(),
        torch.get_float32_matmul_precision(),
    )


def _write_torch_flags(values: tuple[Any, ...]) -> None:
    torch = _torch()
    deterministic, only_warns, torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark, *more = values
    torch.use_deterministic_algorithms(deterministic, warn_only=only_warns)
    torch.set_grad_enabled(more[0])
    torch.autograd.set_detect_anomaly(more[1])
    torch.set_float32_matmul_precision(more[2])


def _numpy_draws() -> tuple[Any, ...]:
    kind, words, *more = _numpy().random.get_state()
    return (kind, words.tobytes(), *more)


def _write_numpy_draws(state: tuple[Any, ...]) -> None:
    kind, words, *more = state
    _numpy().random.set_state((kind, _numpy().frombuffer(words, "uint32"), *more))


def _torch_draws() -> bytes:
    return bytes(_torch().get_rng_state().numpy().tobytes())


def _write_torch_draws(state: bytes) -> None:
    torch = _torch()
    torch.set_rng_state(torch.frombuffer(bytearray(state), dtype=torch.uint8))


def _write_device(name: str) -> None:
    torch = _torch()
    torch.set_default_device(None if name == "cpu" else name)


_PARTS = (
    # the device first: the other parts make tensors
    _Part("torch's default device", lambda: str(_torch().get_default_device()), _write_device, "torch", "cpu"),
    _Part(
        "torch's default number type",
        lambda: str(_torch().get_default_dtype()).removeprefix("torch."),
        lambda name: _torch().set_default_dtype(getattr(_torch(), name)),
        "torch",
        "float32",
    ),
    _Part(
        "torch's flags",
        _torch_flags,
        _write_torch_flags,
        "torch",
        (False, False, False, False, True, False, "highest"),
    ),
    _Part(
        "torch's threads",
        lambda: _torch().get_num_threads(),
        lambda number: _torch().set_num_threads(number),
        "torch",
    ),
    _Part(_TORCH_DRAWS, _torch_draws, _write_torch_draws, "torch"),
    _Part(
        "numpy's treatment of errors",
        lambda: _numpy().geterr(),
        lambda errors: _numpy().seterr(**errors),
        "numpy",
        {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"},
    ),
    _Part("numpy's random numbers", _numpy_draws, _write_numpy_draws, "numpy.random"),
    _Part("Python's random numbers", random.getstate, random.setstate),
    _Part(_FILTERS, lambda: tuple(warnings.filters), _write_filters),
    _Part("the handlers of signals", _handlers, _write_handlers),
    _Part(
        "the locale",
        lambda: locale.setlocale(locale.LC_ALL),
        lambda name: locale.setlocale(locale.LC_ALL, name),
    ),
    _Part("the environment", lambda: dict(os.environ), _write_environment),
)
