"""Stall attribution: find the code, its thread and its plugin that keep the main thread from running."""

from __future__ import annotations

import faulthandler
import os
import re
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import NamedTuple, TypeAlias

from lab.host import Plugins
from lab.host.discovery import GROUP

LAB = str(Path(__file__).parents[2]) + os.sep
WAITING = ("threading.py", "queue.py", "selectors.py", "socket.py", "connection.py", "watchdog.py", Path(__file__).name)
"""Files in which threads wait for each other: some of the standard library, and those of the watchdog."""
_THREAD = re.compile(r"(?:Current thread|Thread) 0x([0-9a-f]+)")
_LOCATION = re.compile(r'  File "(.*)", line (\d+) in (.*)')
_ESCAPED = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))")


class Location(NamedTuple):
    """The location of a call in the source."""

    file: str
    line: int
    function: str

    def label(self) -> str:
        """Return a short label: "sleepy.py, line 12"."""
        return f"{Path(self.file).name}, line {self.line}"


Stack: TypeAlias = Sequence[Location]
"""The calls of a thread, the innermost first."""


class StalledCode(NamedTuple):
    """The code that keeps the main thread from running.

    Args:
        plugin: The name of its plugin; None for other code.
        location: "sleepy.py, line 12"; "" if unknown.
        thread: The name of its thread; "" for the main thread.
    """

    plugin: str | None
    location: str
    thread: str


def stacks() -> dict[int, Stack]:
    """Return the stack of every thread, by its identifier.

    They come from the interpreter's fault handler. The frames that sys._current_frames returns would keep their local
    variables alive until this thread releases them, but Qt's painters and widgets must be deleted in the main thread.
    """
    with tempfile.TemporaryFile() as file:
        faulthandler.dump_traceback(file, all_threads=True)
        file.seek(0)
        dump = file.read().decode("ascii", "replace")
    by_thread: dict[int, list[Location]] = {}
    stack: list[Location] = []
    for line in dump.splitlines():
        if thread := _THREAD.match(line):
            stack = by_thread.setdefault(int(thread[1], 16), [])
        elif call := _LOCATION.match(line):
            stack.append(Location(_ESCAPED.sub(_character, call[1]), int(call[2]), call[3]))
    return {ident: stack for ident, stack in by_thread.items() if stack}


def _character(escaped: re.Match[str]) -> str:
    return chr(int(escaped[1] or escaped[2] or escaped[3], 16))


def thread_names() -> dict[int | None, str]:
    """Return the names of the threads, by identifier. Call it before `stacks`, since a thread may end in between."""
    return {thread.ident: thread.name for thread in threading.enumerate()}


def find_stalled_code(
    stacks: Mapping[int, Stack],
    main: int,
    loop: tuple[str, int] | None,
    plugins: Plugins | None,
    names: Mapping[int | None, str],
) -> tuple[StalledCode, Stack]:
    """Return the code that keeps the main thread from running, and its stack, which is empty if none is found.

    Args:
        stacks: The stack of every thread, by its identifier.
        main: Identifier of the main thread.
        loop: File and line of Qt's event loop in the main thread; if the main thread is there, it has no work of its
            own and waits for another thread to release Python.
        plugins: The plugins to which code may belong.
        names: The names of the threads, by identifier.
    """
    owners = _plugin_paths(plugins)
    stack = stacks.get(main, ())
    if stack and stack[0][:2] != loop:
        return _stalled_code(stack, "", owners), stack
    candidates = [
        (_stalled_code(stack, names.get(ident) or "?", owners), stack)
        for ident, stack in stacks.items()
        if ident != main and Path(stack[0].file).name not in WAITING
    ]
    if not candidates:
        return StalledCode(None, "", ""), ()
    # threads of plugins first, then those of the lab; other threads mostly wait
    return min(candidates, key=lambda one: (one[0].plugin is None, not one[0].thread.startswith("lab")))


def trace_of(stack: Stack) -> str:
    """Return a stack in the form of a traceback, the innermost call last."""
    return "".join(f'  File "{file}", line {line}, in {function}\n' for file, line, function in reversed(stack))


def _stalled_code(stack: Stack, thread: str, owners: Mapping[str, str]) -> StalledCode:
    for call in stack:
        plugin = _plugin_of(call.file, owners)
        if plugin is not None:
            return StalledCode(plugin, call.label(), thread)
    own = (call for call in stack if call.file.startswith(LAB))
    return StalledCode(None, next(own, stack[0]).label(), thread)


def _plugin_paths(plugins: Plugins | None) -> dict[str, str]:
    """Return the name of each plugin by the path of its file or folder."""
    listed = [] if plugins is None else plugins.listed()
    paths = {info.location: info.name for info in listed if info.origin in ("file", "shared")}
    modules = {
        info.location: info.name
        for info in listed
        if info.origin == "built-in" and not info.location.startswith("lab.")
    }
    packages = {info.name for info in listed if info.origin == "package"}
    for point in metadata.entry_points(group=GROUP) if packages else ():
        if point.name in packages:
            modules[point.module.partition(".")[0]] = point.name
    for module, name in modules.items():
        file = getattr(sys.modules.get(module), "__file__", None)
        if file is not None:
            paths[str(Path(file).parent) if Path(file).stem == "__init__" else file] = name
    return paths


def _plugin_of(file: str, paths: Mapping[str, str]) -> str | None:
    """Return the plugin to which a file belongs; None if it belongs to none."""
    return next((name for path, name in paths.items() if file == path or file.startswith(path + os.sep)), None)
