"""Who holds the window: of all threads the one whose code keeps the main thread from going on, and its plugin."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple

from lab.host import Plugins
from lab.host.discovery import GROUP

LAB = str(Path(__file__).parents[1])
WAITING = ("threading.py", "queue.py", "selectors.py", "socket.py", "watchdog.py", "connection.py")
"""Files of the standard library, and the watchdog's own, in which a thread stands that waits for another."""


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


def culprit_of(
    frames: Mapping[int, FrameType], main: int, loop: tuple[CodeType, int] | None, plugins: Plugins | None
) -> tuple[Culprit, FrameType | None]:
    """Who holds the main thread, and the innermost frame of its code.

    Args:
        frames: The innermost frame of each thread, by its identifier.
        main: Identifier of the main thread.
        loop: Code and line where the main thread runs Qt's loop: when it stands there it has nothing to do itself,
            and waits for Python.
        plugins: The plugins, to say whose code it is.
    """
    owners = _Owners(plugins)
    frame = frames.get(main)
    if frame is not None and (frame.f_code, frame.f_lineno) != loop:
        return _culprit(frame, "", owners), frame
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    found = [
        (_culprit(frame, names.get(ident) or "?", owners), frame)
        for ident, frame in frames.items()
        if ident != main and Path(frame.f_code.co_filename).name not in WAITING
    ]
    if not found:
        return Culprit(None, "", ""), None
    return next((one for one in found if one[0].plugin), found[0])


def _culprit(frame: FrameType, thread: str, owners: _Owners) -> Culprit:
    stack = list(_outwards(frame))
    for one in stack:
        plugin = owners.of(one)
        if plugin is not None:
            return Culprit(plugin, _place(one), thread)
    own = (one for one in stack if one.f_code.co_filename.startswith(LAB))
    return Culprit(None, _place(next(own, frame)), thread)


def _outwards(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _place(frame: FrameType) -> str:
    return f"{Path(frame.f_code.co_filename).name}, line {frame.f_lineno}"


class _Owners:
    """Which plugin a frame belongs to: by its file where the plugin is a file, else by its module."""

    def __init__(self, plugins: Plugins | None) -> None:
        listed = [] if plugins is None else plugins.listed()
        self._files = {info.place: info.name for info in listed if info.origin == "file"}
        self._modules = {
            info.place: info.name for info in listed if info.origin == "built-in" and not info.place.startswith("lab.")
        }
        packages = {info.name for info in listed if info.origin == "package"}
        for point in metadata.entry_points(group=GROUP) if packages else ():
            if point.name in packages:
                self._modules[point.module.partition(".")[0]] = point.name

    def of(self, frame: FrameType) -> str | None:
        """The plugin's name, or None."""
        file = frame.f_code.co_filename
        for place, name in self._files.items():
            if file == place or file.startswith(place + os.sep):
                return name
        module = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        return self._modules.get(module)
