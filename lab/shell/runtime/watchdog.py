"""The watchdog: when the window stands still it says for how long, and whose code held it."""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Slot

from lab.base.notices import notify
from lab.base.problems import Problem
from lab.base.units import duration
from lab.host import Plugins
from lab.shell.runtime.stalls import Culprit, culprit_of, stacks, thread_names, trace_of
from lab.widgets.core.i18n import tr

BEAT, PRECISE = 50, 10
"""Milliseconds between two beats of the main thread: while watching, and while gaps are measured."""
LATE = 0.5
"""Seconds by which a beat is late when the window stands still."""
GRAVE = 2.0
"""Seconds of standing still from which on it is told, whoever it was; below that only of a plugin."""
REST = 60.0
"""Seconds between two notices."""
LOOK = 0.1
"""Seconds between two looks of the watching thread."""
KEPT = 16384
"""Gaps that are kept, the latest ones: nearly three minutes of precise beats."""


class Watchdog(QObject):
    """A beat in the main thread, and a thread that listens to it.

    Args:
        plugins: The plugins, to say whose code it was.
        parent: Its parent.
    """

    def __init__(self, plugins: Plugins | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plugins = plugins
        self._gaps = np.zeros(KEPT)
        self._count = 0
        self._worst = 0.0  # the longest gap since the watching thread looked
        self._last: float | None = None
        self._loop: tuple[str, int] | None = None
        self._main = threading.get_ident()
        self._ended = threading.Event()
        self._told_at = -REST
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._beat)
        self._thread = threading.Thread(target=self._watch, name="lab: watchdog", daemon=True)

    def start(self) -> None:
        """Begins to watch the thread that calls this, from its first beat on."""
        self._main = threading.get_ident()
        self._timer.start(BEAT)
        self._thread.start()

    def stop(self) -> None:
        """Watches no more; returns when the watching thread is gone."""
        self._timer.stop()
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()

    def measure(self, every: int = PRECISE) -> None:
        """Beats every so many milliseconds, precisely, from now on, and forgets the gaps so far."""
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(every)
        self._count, self._last = 0, None

    def gaps(self) -> list[float]:
        """Milliseconds between one beat and the next, of the latest beats."""
        return [float(gap) for gap in self._gaps[: min(self._count, KEPT)] * 1000]

    @Slot()
    def _beat(self) -> None:
        now = time.perf_counter()
        if self._last is not None:
            gap = now - self._last
            self._gaps[self._count % KEPT] = gap
            self._count += 1
            if gap > self._worst:
                self._worst = gap
        self._last = now
        caller = (
            sys._getframe().f_back
        )  # whoever runs Qt's loop: where the main thread stands when it has nothing to do
        self._loop = None if caller is None else (caller.f_code.co_filename, caller.f_lineno)

    def _watch(self) -> None:
        samples: list[tuple[Culprit, str]] = []
        slept = time.perf_counter()
        while not self._ended.wait(LOOK):
            now, last = time.perf_counter(), self._last
            worst, self._worst = self._worst, 0.0
            frozen = now - slept - LOOK > LATE / 2  # this thread could not run either: Python itself was held
            if worst > LATE:
                if samples or frozen:
                    self._tell(worst, samples or [self._sample()])
                samples = []
            elif last is not None and now - last > LATE:
                samples.append(self._sample())
            slept = time.perf_counter()

    def _sample(self) -> tuple[Culprit, str]:
        """Who holds the window at this moment, and where."""
        names = thread_names()
        culprit, stack = culprit_of(stacks(), self._main, self._loop, self._plugins, names)
        return culprit, trace_of(stack)

    def _tell(self, seconds: float, samples: list[tuple[Culprit, str]]) -> None:
        now = time.monotonic()
        if now - self._told_at < REST:
            return
        ((culprit, trace), _), *_ = Counter(samples).most_common(1)
        if not culprit.plugin and seconds < GRAVE:  # on a busy machine it happens, and nothing is to be done about it
            return
        self._told_at = now
        notify("warning", Problem(_words(seconds, culprit), plugin=culprit.plugin, trace=trace or None))


def _words(seconds: float, culprit: Culprit) -> str:
    time_span = duration(seconds)
    if not culprit.place:
        return tr("the window stood still for {time}", time=time_span)
    if not culprit.thread:
        return tr("the window stood still for {time}: {place} held it", time=time_span, place=culprit.place)
    return tr("the window stood still for {time}: {place} in the thread {thread} held it",
                time=time_span, place=culprit.place, thread=culprit.thread)  # fmt: skip
