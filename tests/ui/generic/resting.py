"""Waiting until a window is at rest: no thread works for it, no timer is pending, and its layout is settled."""

import time
from weakref import WeakKeyDictionary

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer, QTimerEvent
from PySide6.QtWidgets import QApplication, QWidget

from lab.shell.runtime.background import Background

PAUSE = 500
"""Milliseconds of the longest pause that is waited for, such as that after an edit; how long notices stay is longer."""
TURNS = 3
"""Turns of the events after which everything has to stand where it stood."""
found = WeakKeyDictionary()
"""What works in threads for each window, once it was found: a session makes all of it, and a search looks at it all."""


def settle(until=None, seconds=20.0):
    """Wait until something is true, and until everything is at rest.

    What comes of work in threads, of pauses after edits, or of layouts in layouts comes after as many turns of the
    events as it happens to need: a number of turns says nothing about it.
    """
    deadline, before, now = time.monotonic() + seconds, None, None
    turn()
    while now is None or now != before:
        assert time.monotonic() < deadline, f"{what_moves() or until or 'the layout'} did not come to rest"
        if what_moves() or not (until is None or until()):
            before = now = None
            time.sleep(0.01)
            turn()
            continue
        before, now = now, places()
        if now != before:
            for _ in range(TURNS):
                turn()


def turn():
    """Process the events that are pending, and delete what is to be deleted."""
    QCoreApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def what_moves():
    """Return descriptions of the work in threads; where there is none, let pending timers fire at once."""
    windows = [one for one in QApplication.topLevelWidgets() if one.parent() is None]
    for window in windows:
        if not found.get(window):
            found[window] = window.findChildren(Background)
    moving = [task.job.title for window in windows for each in found[window] for task in each._tasks.values()]
    for window in windows if not moving else []:  # it takes milliseconds to look through all of a window
        for timer in window.findChildren(QTimer):
            if timer.isActive() and timer.isSingleShot() and timer.interval() <= PAUSE:
                moving.append(f"a pause of {timer.interval()} ms")
                QCoreApplication.sendEvent(timer, QTimerEvent(timer.timerId()))
    return moving


def places():
    """Return the visible widgets and their geometries; the layout is settled when they stay the same."""
    visible = [one for one in QApplication.topLevelWidgets() if one.isVisible()]
    for one in visible:  # which grows by what is visible in each; most of a window is hidden
        inside = one.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        visible += [each for each in inside if each.isVisible() and not each.isWindow()]
    return [(one, one.geometry()) for one in visible]
