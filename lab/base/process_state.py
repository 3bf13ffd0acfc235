"""The state that all code of a process shares; what a plugin changes of it is put back and reported with its name."""

from __future__ import annotations

import builtins
import contextlib
import importlib.abc
import importlib.machinery
import locale
import os
import random
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, TextIO

from lab.base.notices import notify
from lab.base.problems import Problem, attributed, is_third_party
from lab.base.torch_lock import times_seeded, torch_lock

REMEDY = "Set it only around the plugin's own work, and put it back behind it"


@dataclass(frozen=True)
class _Part:
    """One part of the state.

    Args:
        name: What a notice calls it.
        read: Returns its value; values are compared as they are.
        write: Sets it to a value that `read` returned.
        library: The module that it belongs to; it is not read, and not imported, unless it is loaded.
        of_thread: Whether each thread has its own.
        allowed: Returns what a call may leave: of the value before, the value after, and whether libraries were
            imported meanwhile. By default the value before.
    """

    name: str
    read: Callable[[], Any]
    write: Callable[[Any], object]
    library: str | None = None
    of_thread: bool = False
    allowed: Callable[[Any, Any, bool], Any] = lambda before, *_: before


@dataclass(eq=False)
class _Call:
    """A call of a plugin's code that runs at present.

    Args:
        plugin: The plugin.
        doing: What the lab is doing.
        before: The state when it began, or when the first of the calls began that are judged with it.
        modules: The modules that were loaded then.
        began: When that was, in seconds of the monotonic clock.
        thread: The number of its thread.
        judged_with: Calls that overlapped with it in other threads and have ended: a change may be theirs.
    """

    plugin: str
    doing: str
    before: dict[str, Any]
    modules: set[str]
    began: float = field(default_factory=time.monotonic)
    thread: int = field(default_factory=threading.get_ident)
    judged_with: list[_Call] = field(default_factory=list)


_running: list[_Call] = []  # changed under torch_lock, as no step draws while state is read


@contextlib.contextmanager
def put_back(plugin: str, doing: str) -> Iterator[None]:
    """Put back what the body changes of the state of the process, and report it in a notice that names the plugin.

    Compared are, where they are loaded, torch's defaults, flags, threads and generator, numpy's errors and generator;
    and Python's generator, filters of warnings, handlers of signals, recursion limit and paths of imports, the locale,
    the working folder and the environment. What the body prints goes to standard error, as standard output belongs to
    the lab. Of a built-in plugin nothing is read.

    Calls that overlap in several threads are judged when the last of them ends, and a notice names them all. Numbers
    that trainings draw meanwhile are no plugin's doing.

    Args:
        plugin: The plugin whose code runs in the body.
        doing: What the lab is doing ("its import").
    """
    if not is_third_party(plugin):
        yield
        return
    with torch_lock:
        call = _Call(plugin, doing, _values(), set(sys.modules))
        _running.append(call)
    try:
        with _printing_to_standard_error():
            yield
    finally:
        with torch_lock:
            changes = _judged(call)
        for calls, changed in changes:
            named = {one.plugin for one in calls}
            calls_named = dict.fromkeys(
                one.doing if len(named) == 1 else f"{one.doing} ({one.plugin})" for one in calls
            )
            doing = " or ".join(calls_named)
            what = f"{doing} changed {', '.join(changed)}, which all code shares; it was put back"
            notify("warning", Problem(what, plugin=named.pop() if len(named) == 1 else None, remedy=REMEDY))


@contextlib.contextmanager
def preparing(plugin: str, doing: str) -> Iterator[None]:
    """Call a plugin's code before a training: errors name the plugin, and the state of the process is put back.

    Raises:
        LabError: As of `attributed`.
    """
    with attributed(plugin, doing), put_back(plugin, doing):
        yield


def _judged(call: _Call) -> list[tuple[list[_Call], list[str]]]:
    """End a call: put back what it changed, except for what a call that still runs in another thread may have changed.

    Returns:
        Calls, and the names of the parts that they or one of them changed.
    """
    _running.remove(call)
    imported = bool((set(sys.modules) - call.modules) & _LIBRARIES)
    other = next((one for one in _running if one.thread != call.thread), None)
    own = _put_back(call.before, [part for part in _PARTS if part.of_thread], imported=imported)
    common = [part for part in _PARTS if not part.of_thread]
    if other is not None:
        other.judged_with += [*call.judged_with, call]
        if call.began < other.began:
            other.began, other.modules = call.began, call.modules
            other.before.update({part.name: call.before[part.name] for part in common if part.name in call.before})
        changes = [([call], own)]
    elif call.judged_with:
        changes = [([call], own), ([*call.judged_with, call], _put_back(call.before, common, imported=imported))]
    else:
        changes = [([call], own + _put_back(call.before, common, imported=imported))]
    return [(calls, changed) for calls, changed in changes if changed]


def _put_back(before: Mapping[str, Any], parts: Sequence[_Part], *, imported: bool) -> list[str]:
    """Put back which of some parts has changed, and return the names of these parts.

    Args:
        before: The values before.
        parts: The parts.
        imported: Whether a library was imported meanwhile, which may add filters for its own warnings.
    """
    changed, now = [], _values()
    for part in parts:
        known = before if part.name in before else _values_of_import(part)
        if part.name not in now or part.name not in known:
            continue
        wanted = part.allowed(known[part.name], now[part.name], imported)
        if now[part.name] != wanted:
            changed.append(part.name)
            part.write(wanted)
    return changed


def _is_loaded(library: str) -> bool:
    """Return True if a library is imported, and not just being imported by another thread."""
    module = sys.modules.get(library)
    return module is not None and not getattr(module.__spec__, "_initializing", False)


def _values() -> dict[str, Any]:
    """Return the value of each part that is loaded, by its name. Hold torch_lock."""
    return {part.name: part.read() for part in _PARTS if part.library is None or _is_loaded(part.library)}


# ---- libraries that a plugin imports first

_after_import: dict[str, tuple[int, dict[str, Any]]] = {}
"""The number of the thread that imported each library, and the values of its parts right after that."""


def _values_of_import(part: _Part) -> Mapping[str, Any]:
    """Return the values right after the import of a part's library; none of another thread's own."""
    thread, values = _after_import.get(part.library or "", (0, {}))
    return {} if part.of_thread and thread != threading.get_ident() else values


class _Imports(importlib.abc.MetaPathFinder):
    """Reads the state of a library right after its import, before whoever imports it can change it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec that the other finders return for a library with state; None for other modules."""
        if fullname not in {part.library for part in _PARTS}:
            return None
        others = [finder for finder in sys.meta_path if finder is not self]
        found = (finder.find_spec(fullname, path, target) for finder in others)
        spec = next((spec for spec in found if spec is not None), None)
        loader = None if spec is None else spec.loader
        if loader is None or not hasattr(loader, "__dict__"):
            return spec
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            vars(loader).pop("exec_module", None)
            execute(module)
            values = {part.name: part.read() for part in _PARTS if part.library == fullname}
            _after_import[fullname] = threading.get_ident(), values

        vars(loader)["exec_module"] = exec_module
        return spec


sys.meta_path.insert(0, _Imports())


# ---- standard output


class _Output:
    """Standard output, except that what some threads print goes to standard error."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.threads: list[int] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stderr if threading.get_ident() in self.threads else self.stream, name)


@contextlib.contextmanager
def _printing_to_standard_error() -> Iterator[None]:
    """Let this thread, and no other, print to standard error."""
    with torch_lock:
        output = sys.stdout if isinstance(sys.stdout, _Output) else _Output(sys.stdout)
        sys.stdout = output
        output.threads.append(threading.get_ident())
    try:
        yield
    finally:
        with torch_lock:
            output.threads.remove(threading.get_ident())
            if not output.threads and sys.stdout is output:
                sys.stdout = output.stream


# ---- the parts


_OF_TORCH = "TORCHINDUCTOR_"
"""Prefix of the variables that torch sets by itself when its compiler is first needed."""
_LIBRARIES = {"numpy", "torch", "sympy", "scipy", "pandas", "transformers", "datasets", "PIL", "sklearn", "matplotlib"}


def _torch() -> Any:
    return sys.modules["torch"]


def _numpy() -> Any:
    return sys.modules["numpy"]


def _is_general(entry: Any) -> bool:
    """Return True if a filter is for all warnings of a category that Python itself has."""
    _, message, category, module, line = entry
    return message is None and module is None and not line and getattr(builtins, category.__name__, None) is category


def _allowed_filters(before: Any, after: Any, imported: bool) -> Any:
    own = [one for one in after if one not in before and not _is_general(one)] if imported else []
    return (*own, *before)


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


def _read_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(_OF_TORCH)}


def _write_environment(values: Mapping[str, str]) -> None:
    for name in [name for name in _read_environment() if name not in values]:
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
        torch.is_anomaly_enabled(),
        torch.get_float32_matmul_precision(),
    )


def _write_torch_flags(values: tuple[Any, ...]) -> None:
    torch = _torch()
    deterministic, only_warns, torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark, detect, precision = (
        values
    )
    torch.use_deterministic_algorithms(deterministic, warn_only=only_warns)
    torch.autograd.set_detect_anomaly(detect)
    torch.set_float32_matmul_precision(precision)


def _allows_tf32() -> bool:
    return bool(_torch().backends.cudnn.allow_tf32)


def _write_tf32(allowed: bool) -> None:
    _torch().backends.cudnn.allow_tf32 = allowed


def _numpy_random() -> Any:
    return sys.modules["numpy.random"]  # right after its import, numpy has no attribute for it yet


def _numpy_draws() -> tuple[Any, ...]:
    kind, words, *more = _numpy_random().get_state()
    return (kind, words.tobytes(), *more)


def _write_numpy_draws(state: tuple[Any, ...]) -> None:
    kind, words, *more = state
    _numpy_random().set_state((kind, _numpy().frombuffer(words, "uint32"), *more))


def _torch_draws() -> tuple[int, bytes]:
    return times_seeded(), bytes(_torch().get_rng_state().numpy().tobytes())


def _write_torch_draws(state: tuple[int, bytes]) -> None:
    torch = _torch()
    torch.set_rng_state(torch.frombuffer(bytearray(state[1]), dtype=torch.uint8))


def _write_device(name: str) -> None:
    torch = _torch()
    torch.set_default_device(None if name == "cpu" else name)


def _working_folder() -> str | None:
    try:
        return str(Path.cwd())
    except OSError:  # it was removed
        return None


def _write_working_folder(folder: str | None) -> None:
    with contextlib.suppress(OSError):
        os.chdir(folder or os.curdir)


_PARTS = (
    # the device first: the other parts make tensors
    _Part("torch's default device", lambda: str(_torch().get_default_device()), _write_device, "torch", of_thread=True),
    _Part(
        "torch's default number type",
        lambda: str(_torch().get_default_dtype()).removeprefix("torch."),
        lambda name: _torch().set_default_dtype(getattr(_torch(), name)),
        "torch",
    ),
    _Part("torch's flags", _torch_flags, _write_torch_flags, "torch"),
    _Part(
        "torch's gradients",
        lambda: _torch().is_grad_enabled(),
        lambda enabled: _torch().set_grad_enabled(enabled),
        "torch",
        of_thread=True,
    ),
    _Part(
        "torch's use of TF32",  # trainings switch it off
        _allows_tf32,
        _write_tf32,
        "torch",
        allowed=lambda before, after, _: before and after,
    ),
    _Part(
        "torch's threads",
        lambda: _torch().get_num_threads(),
        lambda number: _torch().set_num_threads(number),
        "torch",
        of_thread=True,
    ),
    _Part(
        "torch's random numbers",
        _torch_draws,
        _write_torch_draws,
        "torch",
        allowed=lambda before, after, _: before if before[0] == after[0] else after,
    ),
    _Part(
        "numpy's treatment of errors",
        lambda: _numpy().geterr(),
        lambda errors: _numpy().seterr(**errors),
        "numpy",
        of_thread=True,
    ),
    _Part("numpy's random numbers", _numpy_draws, _write_numpy_draws, "numpy.random"),
    _Part("Python's random numbers", random.getstate, random.setstate),
    _Part("the filters of warnings", lambda: tuple(warnings.filters), _write_filters, allowed=_allowed_filters),
    _Part("the handlers of signals", _handlers, _write_handlers),
    _Part("the recursion limit", sys.getrecursionlimit, sys.setrecursionlimit),
    _Part(
        "the order of the paths of imports",
        lambda: tuple(sys.path),
        lambda paths: sys.path.__setitem__(slice(None), paths),
        allowed=lambda before, after, _: (*before, *(one for one in after if one not in before)),
    ),
    _Part(
        "the locale",
        lambda: locale.setlocale(locale.LC_ALL),
        lambda name: locale.setlocale(locale.LC_ALL, name),
    ),
    _Part("the working folder", _working_folder, _write_working_folder),
    _Part("the environment", _read_environment, _write_environment),
)
