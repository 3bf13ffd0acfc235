"""Who holds the window: of all threads the one whose code keeps the main thread from going on, and its plugin."""

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

LAB = str(Path(__file__).parents[1]) + os.sep
WAITING = ("threading.py", "queue.py", "selectors.py", "socket.py", "watchdog.py", "culprits.py", "connection.py")
"""Files of the standard library, and the watchdog's own, in which a thread stands that waits for another."""
_THREAD = re.compile(r"(?:Current thread|Thread) 0x([0-9a-f]+)")
_PLACE = re.compile(r'  File "(.*)", line (\d+) in (.*)')
_ESCAPED = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))")


class Place(NamedTuple):
    """Where a call stands."""

    file: str
    line: int
    function: str

    def words(self) -> str:
        """For people: "sleepy.py, line 12"."""
        return f"{Path(self.file).name}, line {self.line}"


Stack: TypeAlias = Sequence[Place]
"""Where a thread stands, the innermost call first."""


class Culprit(NamedTuple):
    """Whose code it is.

    Args:
        plugin: The plugin's name; None where it is nobody's.
        place: "sleepy.py, line 12"; "" where nothing is known.
        thread: Name of the thread; "" for the main thread.
    """

    plugin: str | None
    place: str
    thread: str


def stacks() -> dict[int, Stack]:
    """Where every thread stands, by its identifier.

    The interpreter's own fault handler tells it. Frames, as sys._current_frames gives them, would keep what is in them
    alive until this thread lets go, and Qt's painters and widgets must not end in another thread than the main one.
    """
    with tempfile.TemporaryFile() as file:
        faulthandler.dump_traceback(file, all_threads=True)
        file.seek(0)
        told = file.read().decode("ascii", "replace")
    found: dict[int, list[Place]] = {}
    stack: list[Place] = []
    for line in told.splitlines():
        if thread := _THREAD.match(line):
            stack = found.setdefault(int(thread[1], 16), [])
        elif place := _PLACE.match(line):
            stack.append(Place(_ESCAPED.sub(_character, place[1]), int(place[2]), place[3]))
    return {ident: stack for ident, stack in found.items() if stack}


def _character(escaped: re.Match[str]) -> str:
    return chr(int(escaped[1] or escaped[2] or escaped[3], 16))


def thread_names() -> dict[int | None, str]:
    """What the threads are called, by identifier; to be asked before `stacks`, since a thread may end meanwhile."""
    return {thread.ident: thread.name for thread in threading.enumerate()}


def culprit_of(
    stacks: Mapping[int, Stack],
    main: int,
    loop: tuple[str, int] | None,
    plugins: Plugins | None,
    names: Mapping[int | None, str],
) -> tuple[Culprit, Stack]:
    """Who holds the main thread, and where it stands; nowhere if nobody is found.

    Args:
        stacks: Where every thread stands, by its identifier.
        main: Identifier of the main thread.
        loop: File and line where the main thread runs Qt's loop: when it stands there it has nothing to do itself,
            and waits for Python.
        plugins: The plugins, to say whose code it is.
        names: What the threads are called, by identifier.
    """
    owners = _Owners(plugins)
    stack = stacks.get(main, ())
    if stack and stack[0][:2] != loop:
        return _culprit(stack, "", owners), stack
    found = [
        (_culprit(stack, names.get(ident) or "?", owners), stack)
        for ident, stack in stacks.items()
        if ident != main and Path(stack[0].file).name not in WAITING
    ]
    if not found:
        return Culprit(None, "", ""), ()
    return min(
        found, key=lambda one: (one[0].plugin is None, not one[0].thread.startswith("lab"))
    )  # others wait mostly


def trace_of(stack: Stack) -> str:
    """The stack as a traceback has it, the innermost call last."""
    return "".join(f'  File "{file}", line {line}, in {function}\n' for file, line, function in reversed(stack))


def _culprit(stack: Stack, thread: str, owners: _Owners) -> Culprit:
    for place in stack:
        plugin = owners.of(place.file)
        if plugin is not None:
            return Culprit(plugin, place.words(), thread)
    own = (place for place in stack if place.file.startswith(LAB))
    return Culprit(None, next(own, stack[0]).words(), thread)


class _Owners:
    """Which plugin a file belongs to: one of its own, or one below the folder of its module."""

    def __init__(self, plugins: Plugins | None) -> None:
        listed = [] if plugins is None else plugins.listed()
        self._places = {info.location: info.name for info in listed if info.origin == "file"}
        built_ins = [info for info in listed if info.origin == "built-in"]
        modules = {info.location: info.name for info in built_ins if not info.location.startswith("lab.")}
        packages = {info.name for info in listed if info.origin == "package"}
        for point in metadata.entry_points(group=GROUP) if packages else ():
            if point.name in packages:
                modules[point.module.partition(".")[0]] = point.name
        for module, name in modules.items():
            file = getattr(sys.modules.get(module), "__file__", None)
            if file is not None:
                self._places[str(Path(file).parent) if Path(file).stem == "__init__" else file] = name

    def of(self, file: str) -> str | None:
        """The plugin's name, or None."""
        for place, name in self._places.items():
            if file == place or file.startswith(place + os.sep):
                return name
        return None
