"""Gaps between the frames of a window, each with the name of what ran in it."""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Qt, QTimer, Slot

from lab.host import Plugins
from lab.shell.runtime.stalls import StalledCode, find_stalled_code, stacks, thread_names

BEAT = 10
"""Milliseconds between two beats of the main thread."""
LONG = 50.0
"""Milliseconds from which on a gap between two beats is recorded."""
POLL = 0.02
"""Seconds between two checks of the watching thread."""
MOST_SAMPLES = 10
"""Most samples of a gap that lasts."""
MACHINE, COLLECTOR, QT = "the machine is busy", "garbage collection", "Qt, without any code of the lab"
"""Names of gaps in which no code was seen to run."""


class Gap(NamedTuple):
    """A gap between two beats of the main thread.

    Args:
        milliseconds: How long it took.
        action: What the hand did last.
        code: The code that ran, or what else took the time; "" if that is unknown.
        busy: The milliseconds of it in which the main thread computed.
        waited: The milliseconds of it in which the main thread waited for a processor, which others used.
    """

    milliseconds: float
    action: str
    code: str
    busy: float
    waited: float


class Spent(NamedTuple):
    """The seconds that the main thread spent so far: by the clock, computing, waiting for a processor, collecting."""

    clock: float
    busy: float
    waited: float
    collecting: float


class GapRecorder(QObject):
    """A precise timer in the main thread, and a thread that looks at what runs when the timer is late.

    Args:
        plugins: The plugins whose code is named.
        parent: Its parent.

    Attributes:
        action: What the hand does; gaps are recorded with it.
        gaps: The gaps that were recorded.
    """

    def __init__(self, plugins: Plugins, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.action = ""
        self.gaps: list[Gap] = []
        self._plugins = plugins
        self._main, self._native = threading.get_ident(), threading.get_native_id()
        self._last: Spent | None = None
        self._loop: tuple[str, int] | None = None
        self._collecting, self._collection_began = 0.0, 0.0
        self._samples: list[StalledCode] = []
        self._ended = threading.Event()
        self._timer = QTimer(self, interval=BEAT, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._thread = threading.Thread(target=self._watch, name="lab: gaps", daemon=True)

    def start(self) -> None:
        """Start recording, in the main thread."""
        gc.callbacks.append(self._follow_collection)
        self._timer.start()
        self._thread.start()

    def stop(self) -> None:
        """Stop recording; return when the watching thread has ended."""
        self._timer.stop()
        self._ended.set()
        self._thread.join()
        gc.callbacks.remove(self._follow_collection)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Record no gap inside the context, nor the one in which it ends."""
        self._timer.stop()
        self._last = None
        try:
            yield
        finally:
            self._last = None
            self._timer.start()

    @Slot()
    def _beat(self) -> None:
        now, last = self._spent(), self._last
        samples, self._samples = self._samples, []
        if last is not None and 1000 * (now.clock - last.clock) > LONG:
            spent = Spent(*(1000 * (after - before) for after, before in zip(now, last, strict=True)))
            self.gaps.append(Gap(spent.clock, self.action, name_of(spent, samples), spent.busy, spent.waited))
        caller = sys._getframe().f_back  # where the idle main thread waits
        self._loop = None if caller is None else (caller.f_code.co_filename, caller.f_lineno)
        self._last = now

    def _spent(self) -> Spent:
        return Spent(time.perf_counter(), time.thread_time(), waited_for_processor(self._native), self._collecting)

    def _watch(self) -> None:
        while not self._ended.wait(POLL):
            last = self._last
            if last is None or 1000 * (time.perf_counter() - last.clock) < LONG - BEAT:
                continue
            if len(self._samples) < MOST_SAMPLES:
                names = thread_names()
                samples = self._samples
                stalled, _ = find_stalled_code(stacks(), self._main, self._loop, self._plugins, names)
                samples.append(stalled)

    def _follow_collection(self, phase: str, _info: dict[str, Any]) -> None:
        if threading.get_ident() != self._main:
            return
        now = time.perf_counter()
        if phase == "start":
            self._collection_began = now
        else:
            self._collecting += now - self._collection_began


def name_of(spent: Spent, samples: Sequence[StalledCode]) -> str:
    """Return what took the time of a gap; "" if that is unknown.

    Args:
        spent: The milliseconds of the gap, by what they were spent for.
        samples: The code that was seen to run in it.
    """
    if spent.clock - spent.waited <= LONG:  # it would have been none
        return MACHINE
    if spent.collecting > spent.clock - spent.waited - LONG:
        return COLLECTOR
    own = [one.location for one in samples if one.location and not one.thread]
    if own:
        return Counter(own).most_common(1)[0][0]
    others = [f"{one.location} in thread {one.thread}" for one in samples if one.location]
    held = spent.clock - spent.waited - spent.busy  # by a thread that did not release Python
    if others and held > spent.busy:
        return Counter(others).most_common(1)[0][0]
    if spent.busy > held:
        return QT
    return MACHINE if spent.waited > held else ""


def waited_for_processor(thread: int) -> float:
    """Return the seconds that a thread of this process has waited for a processor; 0 where the system does not say."""
    try:
        return int(Path(f"/proc/self/task/{thread}/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def summary(gaps: list[Gap]) -> list[dict[str, Any]]:
    """Return the gaps by what ran in them, the longest first, without the time in which others used the processor."""
    by_code: dict[str, list[Gap]] = {}
    for gap in gaps:
        by_code.setdefault(gap.code, []).append(gap)
    found = []
    for code, of_code in by_code.items():
        longest = max(of_code)
        found.append(
            {
                "code": code,
                "count": len(of_code),
                "longest_ms": round(longest.milliseconds),
                "busy_ms": round(longest.busy),
                "waited_ms": round(longest.waited),
                "action": longest.action,
            }
        )
    return sorted(found, key=lambda one: one["waited_ms"] - one["longest_ms"])
