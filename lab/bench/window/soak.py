"""A soak: a random hand uses the window for minutes or hours, and what grows, stalls or fails is reported."""

from __future__ import annotations

import copy
import json
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import shiboken6
from PySide6.QtCore import QEvent, QMessageLogContext, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from lab.base import LabError
from lab.base.jobs import running_jobs
from lab.base.notices import Notice, catch_uncaught, listen
from lab.bench.growth import empty_caches, growth, objects_by_kind, of_all_objects, open_files, process_figures
from lab.bench.home import temporary_home
from lab.bench.window.first_uses import use_everything
from lab.bench.window.gaps import GapRecorder, summary
from lab.bench.window.hand import TABS, Hand, answered_dialogs, command
from lab.bench.window.window import SIZE, live, started_application, until
from lab.host import Plugins
from lab.shell.app import WindowHost
from lab.shell.runtime.garbage import Collector
from lab.shell.runtime.window_state import WindowState
from lab.shell.session.draft import quick_start
from lab.shell.session.session import Session
from lab.shell.window.main_window import OTHER_PLACES, PLACES, Window
from lab.widgets.core.appearance import Appearance
from lab.widgets.core.i18n import language
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import themes

ROUND = 30.0
"""Seconds in which the hand acts, between two measurements."""
PAUSES = (0.02, 0.35)
"""Fewest and most seconds between two actions."""
SHOWN = 0.3
"""Seconds for which each place is shown before the window is measured."""
SETTLED = 3.0
"""Seconds for which the window is left alone before it is measured."""
OWN = ("lab.", "lab_", "PySide6.")
"""How the modules start whose objects are counted by class."""
LISTED = 20
"""Most classes of objects, kinds of gaps, and failures that are reported."""
HARMLESS = ("This plugin does not support",)
"""Starts of Qt's messages on platforms without a screen."""


def soak(
    minutes: float, seed: int, report: Callable[[str], None] = lambda _: None, *, round_seconds: float = ROUND
) -> dict[str, Any]:
    """Let a random hand use the window, as `lm-lab` opens it, with a temporary home.

    First everything is used once: a process keeps what it makes for the first model of an architecture, and when a
    place is shown for the first time. After every round the window is brought to the same state: no run, nothing open,
    Home, English, dark. What is measured there is compared: the last third of the measurements with the first, after a
    warm-up.

    Args:
        minutes: How long it takes, without the start, the first uses and the end of the window.
        seed: The seed of the hand.
        report: Called with a line after every round.
        round_seconds: Seconds in which the hand acts, between two measurements.

    Returns:
        "growth" of each figure, None if there were too few rounds to tell: "mib" of resident memory, "objects" of
        Python, "widgets", "timers" that run, "threads" and "open_files"; those that "grew" by more than 5 %; their
        values, "measured"; "more_objects", the classes with more objects in the last round than in the second, and how
        many more; the files that were open at last, "left_open"; "gaps" of 50 ms and more
        between two beats of the main thread, by the code that ran, with the number of those without a name,
        "unnamed_gaps"; "failures": notices of warnings and errors, uncaught exceptions and messages of Qt, with the
        action before them, and a window that did not come to rest, with which the soak ends early; "actions" by name;
        and "within": true if nothing grew by more than 5 %, every gap has a name, and nothing failed.
    """
    actions: Counter[str] = Counter()
    with temporary_home() as home, _open_host() as (host, state):
        recorder = GapRecorder(host.window.session.plugins)
        hand, pauses = Hand(lambda: host.window, seed), random.Random(seed)
        exports = home / "exports"
        exports.mkdir()
        measured: list[dict[str, float]] = []
        kinds: list[Counter[str]] = []
        left_open: list[str] = []
        with chdir(exports), answered_dialogs(exports), failures_of(recorder) as failures:
            host.window.restorer.store()
            options = copy.deepcopy(state.options)
            host.window.show_equations()  # which imports matplotlib: many objects, at some time or other
            until(lambda: not _jobs())
            recorder.start()
            try:
                use_everything(host, seed, partial(setattr, recorder, "action"))
                rest(host, options)
                ends = time.monotonic() + 60 * minutes
                while time.monotonic() < ends or not measured:
                    round_ends = min(ends, time.monotonic() + round_seconds)
                    while time.monotonic() < round_ends:
                        actions[_acted(hand, recorder)] += 1
                        live(pauses.uniform(*PAUSES))
                    recorder.action = "rest"
                    rest(host, options)
                    with recorder.paused():
                        measured.append(window_figures())
                        kinds.append(objects_by_kind(OWN))
                        left_open = open_files()
                    report(_line(measured[-1], sum(actions.values()), len(recorder.gaps), failures))
            except LabError as error:  # what was measured until then is reported all the same
                stuck = error.problem.line()
                failures.append({"kind": "end", "message": stuck, "action": recorder.action, "trace": ""})
            finally:
                recorder.stop()
            if not measured:
                measured, kinds = [window_figures()], [objects_by_kind(OWN)]
    result = {
        "minutes": minutes,
        "seed": seed,
        **evaluated(measured, kinds),
        "left_open": left_open,
        **_found(recorder, failures, actions),
    }
    return {**result, "within": is_within(result)}


def _acted(hand: Hand, recorder: GapRecorder) -> str:
    """Let the hand act once, and return the name of the action."""

    def announce(name: str) -> None:
        recorder.action = name

    try:
        return hand.act(announce).partition(":")[0]
    except Exception:  # noqa: BLE001 - it is reported as any uncaught exception of the window
        sys.excepthook(*sys.exc_info())
        return "failed"


def evaluated(measured: Sequence[dict[str, float]], kinds: Sequence[Counter[str]]) -> dict[str, Any]:
    """Return the growth of what was measured after each round, and the classes with more objects than before."""
    grown = {name: growth([one[name] for one in measured]) for name in measured[0]}
    more = kinds[-1] - kinds[min(1, len(kinds) - 1)]
    return {
        "growth": {name: one and {**one._asdict(), "percent": round(one.percent, 2)} for name, one in grown.items()},
        "grew": [name for name, one in grown.items() if one is not None and not one.is_within],
        "measured": [{name: round(value, 1) for name, value in one.items()} for one in measured],
        "more_objects": dict(more.most_common(LISTED)),
    }


def _found(recorder: GapRecorder, failures: list[dict[str, str]], actions: Counter[str]) -> dict[str, Any]:
    gaps = summary(recorder.gaps)
    return {
        "gaps": gaps[:LISTED],
        "gap_count": len(recorder.gaps),
        "unnamed_gaps": sum(not gap.code for gap in recorder.gaps),
        "failures": failures[:LISTED],
        "failure_count": len(failures),
        "actions": dict(actions.most_common()),
        "platform": QApplication.platformName(),
    }


def is_within(result: dict[str, Any]) -> bool:
    """Return True if nothing grew, every gap has a name, and nothing failed."""
    return not (result["grew"] or result["unnamed_gaps"] or result["failure_count"])


def append(file: Path, result: dict[str, Any]) -> None:
    """Append a result to a file of JSON lines.

    Raises:
        LabError: The file cannot be written.
    """
    try:
        with file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(result) + "\n")
    except OSError as error:
        raise LabError(f"{file.name} cannot be written: {error.strerror}", remedy="Choose another file") from None


def rest(host: WindowHost, options: Mapping[str, Any]) -> None:
    """Bring the window to the state in which it is measured: no run, nothing open, Home, English, dark.

    Args:
        host: The host of the window.
        options: The options of its cards and panels.
    """
    window = host.window
    session, registry = window.session, window.session.registry
    _close_what_is_open(window)
    while registry.working:
        for run in registry.working:
            if not registry.withdraw(run) and run.control is not None:
                run.control.stop()
        live(0.1)
    until(lambda: not _jobs())
    session.transfers.delete(registry.runs)
    until(lambda: not registry.runs and not _jobs())
    session.transfers.empty_bin()
    until(lambda: not session.transfers.binned)
    session.draft.take(quick_start(), "quick-start")
    if language.code != "en":
        command(window, "language.en")
        until(lambda: host.window is not window)
        window = host.window
    themes.apply(Appearance(theme="dark"))
    window.show_log(False)
    window.resize(*SIZE)
    window.restorer.restore(options)
    for key in (*dict(PLACES), *(key for key, *_ in OTHER_PLACES)):  # their parts are made, and show the draft
        window.show_place(key)
        live(SHOWN)
    window.show_place("data")
    for tab in reversed(TABS):
        window.data.open_tab(tab)
        live(SHOWN)
    window.show_place("home")
    live(SETTLED)
    until(lambda: not _jobs())


def _close_what_is_open(window: Window) -> None:
    """Close menus, overlays and the tour, and stop what writes, plays or sounds."""
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.close()
    window.tour.end()
    for overlay in window.findChildren(Overlay):
        overlay.shut()
    window.play.stop()
    window.inspect.panel.timeline.stop()


def _jobs() -> list[str]:
    return [job.title for job in running_jobs()]


def window_figures() -> dict[str, float]:
    """Return what the process holds on to but in caches with a bound, with the widgets of Qt and timers that run."""
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    empty_caches(OWN)
    figures = process_figures()
    return {**figures, "widgets": len(QApplication.allWidgets()), "timers": of_all_objects(_active_timers)}


def _active_timers(objects: list[Any]) -> int:
    timers = (one for one in objects if issubclass(type(one), QTimer) and shiboken6.isValid(one))
    return sum(timer.isActive() for timer in timers)


def _line(figures: dict[str, float], actions: int, gaps: int, failures: list[dict[str, str]]) -> str:
    shown = ", ".join(f"{value:.0f} {name.replace('_', ' ')}" for name, value in figures.items())
    return f"{actions} actions: {shown}; {gaps} gaps, {len(failures)} failures"


@contextmanager
def _open_host() -> Iterator[tuple[WindowHost, WindowState]]:
    """Open the window as `lm-lab` does, with its collector, and wait until it is ready; close it at the end."""
    with started_application():
        state = WindowState()
        host = WindowHost(Session(Plugins(safe_mode=True), floors=True), state)
        collector = Collector(host)
        collector.start()
        closed: list[bool] = []
        host.closed.connect(lambda: closed.append(True))
        host.window.resize(*SIZE)
        host.window.show()
        try:
            until(lambda: host.window.session.warm_up.ready)
            yield host, state
        finally:
            host.window.leave()
            until(lambda: bool(closed))
            collector.stop()
            host.window.deleteLater()


@contextmanager
def failures_of(recorder: GapRecorder) -> Iterator[list[dict[str, str]]]:
    """Collect notices of failures, uncaught exceptions and messages of Qt, each with the action before it."""
    found: list[dict[str, str]] = []

    def add(kind: str, message: str, trace: str = "") -> None:
        found.append({"kind": kind, "message": message, "action": recorder.action, "trace": trace})

    def on_notice(notice: Notice) -> None:
        if notice.level in ("warning", "error"):
            stack = "".join(traceback.format_stack()[:-1])
            add(notice.level, notice.problem.line(), notice.problem.trace or stack)

    def on_message(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
        if kind != QtMsgType.QtDebugMsg and not message.startswith(HARMLESS):
            add("Qt", message)

    forget, undo = listen(on_notice), catch_uncaught()
    before = qInstallMessageHandler(on_message)
    try:
        yield found
    finally:
        qInstallMessageHandler(before)
        undo()
        forget()
