"""The watchdog: it logs how long, and by which code, the main thread was blocked."""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Slot

from lab.base.notices import notify
from lab.base.problems import Problem
from lab.host import Plugins
from lab.shell.runtime.stalls import StalledCode, find_stalled_code, stacks, thread_names, trace_of
from lab.widgets.core.i18n import duration, tr

BEAT, PRECISE = 50, 10
"""Milliseconds between two beats of the main thread: normally, and while gaps are measured."""
LATE = 0.5
"""Seconds between two beats above which the main thread counts as blocked."""
GRAVE = 2.0
"""Seconds from which on every stall is logged; shorter ones only if a plugin's code blocks the main thread."""
REST = 60.0
"""Seconds between two log entries."""
POLL = 0.1
"""Seconds between two checks of the watching thread."""
STORED = 16384
"""Number of the latest gaps that are stored: nearly three minutes of precise beats."""


class Watchdog(QObject):
    """A timer that beats in the main thread, and a thread that checks the beats.

    Args:
        plugins: The plugins whose code is named in the log.
        parent: Its parent.
    """

    def __init__(self, plugins: Plugins | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plugins = plugins
        self._gaps = np.zeros(STORED)
        self._count = 0
        self._worst = 0.0  # the longest gap since the last check
        self._last: float | None = None
        self._loop: tuple[str, int] | None = None
        self._main = threading.get_ident()
        self._ended = threading.Event()
        self._logged_at = -REST
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._beat)
        self._thread = threading.Thread(target=self._watch, name="lab: watchdog", daemon=True)

    def start(self) -> None:
        """Start watching the calling thread, from its first beat on."""
        self._main = threading.get_ident()
        self._timer.start(BEAT)
        self._thread.start()

    def stop(self) -> None:
        """Stop watching; return when the watching thread has ended."""
        self._timer.stop()
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()

    def measure(self, every: int = PRECISE) -> None:
        """Switch to precise beats of so many milliseconds, and forget the gaps so far."""
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(every)
        self._count, self._last = 0, None

    def gaps(self) -> list[float]:
        """Return the milliseconds between consecutive beats, for the latest beats."""
        return [float(gap) for gap in self._gaps[: min(self._count, STORED)] * 1000]

    @Slot()
    def _beat(self) -> None:
        now = time.perf_counter()
        if self._last is not None:
            gap = now - self._last
            self._gaps[self._count % STORED] = gap
            self._count += 1
            if gap > self._worst:
                self._worst = gap
        self._last = now
        caller = sys._getframe().f_back  # the code that runs Qt's event loop, where the idle main thread waits
        self._loop = None if caller is None else (caller.f_code.co_filename, caller.f_lineno)

    def _watch(self) -> None:
        samples: list[tuple[StalledCode, str]] = []
        slept = time.perf_counter()
        while not self._ended.wait(POLL):
            now, last = time.perf_counter(), self._last
            worst, self._worst = self._worst, 0.0
            frozen = now - slept - POLL > LATE / 2  # this thread could not run either, since the GIL was held
            if worst > LATE:
                if samples or frozen:
                    self._log(worst, samples or [self._sample()])
                samples = []
            elif last is not None and now - last > LATE:
                samples.append(self._sample())
            slept = time.perf_counter()

    def _sample(self) -> tuple[StalledCode, str]:
        """Return the code that blocks the main thread now, and its stack."""
        names = thread_names()
        stalled, stack = find_stalled_code(stacks(), self._main, self._loop, self._plugins, names)
        return stalled, trace_of(stack)

    def _log(self, seconds: float, samples: list[tuple[StalledCode, str]]) -> None:
        now = time.monotonic()
        if now - self._logged_at < REST:
            return
        ((stalled, trace), _), *_ = Counter(samples).most_common(1)
        if not stalled.plugin and seconds < GRAVE:  # probably a busy machine
            return
        self._logged_at = now
        notify("debug", Problem(_message(seconds, stalled), plugin=stalled.plugin, trace=trace or None))


def _message(seconds: float, stalled: StalledCode) -> str:
    time_span = duration(seconds)
    if not stalled.location:
        return tr("the main thread was blocked for {time}", time=time_span)
    if not stalled.thread:
        return tr("the main thread was blocked for {time} by {code}", time=time_span, code=stalled.location)
    return tr(
        "the main thread was blocked for {time} by {code} in thread {thread}",
        time=time_span, code=stalled.location, thread=stalled.thread,
    )  # fmt: skip
