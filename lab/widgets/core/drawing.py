"""The drawing budget: changed views are drawn in turn, rarely enough not to slow down a training."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import ceil
from typing import Protocol
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Qt, QTimer
from shiboken6 import isValid

from lab.base.system import profile
from lab.widgets.core.theme import themes

STILL = 1.0
"""The smallest number of seconds between two drawings of one view with reduced motion."""
REST = 50
"""Pause before the next drawing while a run trains on the CPU, in multiples of the time of the last one."""
TICK = 15
"""The smallest interval of the timer in milliseconds. One view is drawn at each timeout, so that none takes long."""


class Drawn(Protocol):
    """A view of the kit that can be drawn."""

    def draw(self) -> None:
        """Apply all changes and paint at once."""
        ...

    def isVisible(self) -> bool:
        """Return True if it is visible; hidden views are not drawn."""
        ...


class Drawing(QObject):
    """The queue of changed views, drawn one at a time.

    While a run trains on the CPU (`busy`), each view is drawn at most ten times a second (twice in the light profile),
    and nothing is drawn until 50 times the duration of the last drawing, painting included, has passed. With reduced
    motion each view is drawn at most once a second.

    Args:
        parent: Its parent.
        clock: Returns increasing seconds.

    Attributes:
        busy: Whether a run trains on the CPU.
        draws: Number of drawings so far.
        spent: Their total duration in seconds.
    """

    def __init__(self, parent: QObject | None = None, clock: Callable[[], float] = time.perf_counter) -> None:
        super().__init__(parent)
        self.busy = False
        self.draws, self.spent = 0, 0.0
        self._clock = clock
        self._waiting: WeakKeyDictionary[Drawn, bool] = WeakKeyDictionary()  # True for a drawing that cannot wait
        self._drawn: WeakKeyDictionary[Drawn, float] = WeakKeyDictionary()
        self._rest_until = 0.0
        self._held = False
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.draw_next)

    def changed(self, view: Drawn, *, at_once: bool = False) -> None:
        """Request a drawing of a view, which takes place in its turn.

        Args:
            view: The view.
            at_once: True if the user waits for it: it is drawn before the others, and without a pause.
        """
        self._waiting[view] = at_once or self._waiting.get(view, False)
        if at_once:
            self._timer.start(0)
        elif not self._timer.isActive():
            self._schedule()

    def forget(self, view: Drawn) -> None:
        """Forget a view that is deleted."""
        self._waiting.pop(view, None)
        self._drawn.pop(view, None)

    def hold(self) -> None:
        """Draw nothing until `release` is called: libraries for charts are being imported."""
        self._held = True

    def release(self) -> None:
        """Draw the views that have changed meanwhile, and continue as usual."""
        self._held = False
        if self._waiting:
            self._schedule()

    def _schedule(self) -> None:
        rest = self._rest_until - self._clock() if self.busy and not self._urgent() else 0.0
        self._timer.start(max(TICK, ceil(1000 * rest)))

    def _urgent(self) -> list[Drawn]:
        """Return the visible views for which the user waits."""
        return [view for view, at_once in self._waiting.items() if at_once and isValid(view) and view.isVisible()]

    def draw_next(self) -> None:
        """Draw a view for which the user waits, or else the one that waits longest, if it is due."""
        if self._held:
            return
        now = self._clock()
        urgent = self._urgent()
        if self.busy and now < self._rest_until and not urgent:
            self._schedule()
            return
        for deleted in [view for view in self._waiting if not isValid(view)]:
            del self._waiting[deleted]
        allowed = profile.now()
        interval = STILL if themes.still else allowed.busy_interval if self.busy else allowed.idle_interval
        due = next((v for v in self._waiting if v.isVisible() and now - self._drawn.get(v, -1.0) >= interval), None)
        due = urgent[0] if urgent else due
        if due is None:
            if any(view.isVisible() for view in self._waiting):
                self._schedule()
            else:
                self._waiting.clear()  # a hidden view draws its changes when it is shown
            return
        del self._waiting[due]
        due.draw()
        ended = self._clock()
        self._drawn[due] = ended
        self._rest_until = max(self._rest_until, ended + REST * (ended - now))
        self.draws, self.spent = self.draws + 1, self.spent + ended - now
        if self._waiting:
            self._schedule()
