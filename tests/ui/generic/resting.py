"""Waiting until a window is at rest: no thread works for it, no timer is pending, and its layout is settled."""

import time

from PySide6.QtCore import QCoreApplication, QEvent, QTimer, QTimerEvent
from PySide6.QtWidgets import QApplication

from lab.shell.runtime.background import Background

PAUSE = 500
"""Milliseconds of the longest pause that is waited for, such as that after an edit; how long notices stay is longer."""
ALIKE = 3
"""Turns of the events after which everything has to stand where it stood."""


def settle(until=None, seconds=20.0):
    """Wait until something is true, and until everything is at rest.

    What comes of work in threads, of pauses after edits, or of layouts in layouts comes after as many turns of the
    events as it happens to need: a number of turns says nothing about it.
    """
    deadline, alike, before = time.monotonic() + seconds, 0, None
    while alike < ALIKE:
        assert time.monotonic() < deadline, f"{what_moves() or until or 'the layout'} did not come to rest"
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        if what_moves() or not (until is None or until()):
            alike, before = 0, None
            time.sleep(0.01)
            continue
        now = places()
        alike = alike + 1 if now == before else 0
        before = now


def what_moves():
    """Return descriptions of the work in progress, and let pending timers fire at once."""
    moving = []
    for window in (one for one in QApplication.topLevelWidgets() if one.parent() is None):
        moving += [task.job.title for each in window.findChildren(Background) for task in each._tasks.values()]
        for timer in window.findChildren(QTimer):
            if timer.isActive() and timer.isSingleShot() and timer.interval() <= PAUSE:
                moving.append(f"a pause of {timer.interval()} ms")
                QCoreApplication.sendEvent(timer, QTimerEvent(timer.timerId()))
    return moving


def places():
    """Return the visible widgets and their geometries; the layout is settled when they stay the same."""
    return [(one, one.geometry()) for one in QApplication.allWidgets() if one.isVisible()]
