"""The end of the process: a thread that a plugin left running does not keep it alive."""

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
from typing import Any, NoReturn

from lab.base.problems import Problem, plugin_of, remedy_for
from lab.cli.output import print_problem

PATIENCE = 1.0
"""Seconds that threads of plugins have to end."""


def leave(status: int) -> NoReturn:
    """End the process with a status; threads of plugins that do not end are named, and not waited for."""
    until = time.monotonic() + PATIENCE
    left = [
        (thread, plugin)
        for thread in threading.enumerate()
        if not thread.daemon and thread is not threading.current_thread() and (plugin := owner_of(thread))
    ]
    for thread, _ in left:
        thread.join(max(0.0, until - time.monotonic()))
    left = [(thread, plugin) for thread, plugin in left if thread.is_alive()]
    if not left:
        raise SystemExit(status)
    for thread, plugin in left:
        what = f"its thread {thread.name} still ran at the end, and was not waited for"
        print_problem(Problem(what, plugin=plugin, remedy=f"Make it a daemon, or end it. {remedy_for(plugin)}"))
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def owner_of(thread: threading.Thread) -> str | None:
    """Return the third-party plugin whose code a thread runs or was started for; None if it is nobody's."""
    frame = sys._current_frames().get(thread.ident or 0)
    while frame is not None:
        plugin = plugin_of(frame.f_globals.get("__name__") or "")
        if plugin is not None:
            return plugin
        frame = frame.f_back
    target: Any = getattr(thread, "_target", None) or getattr(thread, "function", None)  # of a Timer
    return plugin_of(getattr(target, "__module__", None) or "") or plugin_of(type(thread).__module__)
