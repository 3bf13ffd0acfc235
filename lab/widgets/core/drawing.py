"""The drawing budget: what changed is drawn in turn, seldom enough to leave a training its speed."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import ceil
from typing import Protocol
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Qt, QTimer
from shiboken6 import isValid

SLOW, QUICK = 0.1, 1 / 30
"""Seconds between two drawings of one view: while a run trains on the processor, and otherwise."""
REST = 50
"""How many times the cost of a drawing passes before the next one while a run trains on the processor."""
TICK = 15
"""Milliseconds to the next look at what waits to be drawn, at least. One view is drawn at a look: none takes long."""


class Drawn(Protocol):
    """What can be drawn: a view of the kit."""

    def draw(self) -> None:
        """Apply what is new and paint it at once."""
        ...

    def isVisible(self) -> bool:
        """Return True if it is visible; what is hidden is not drawn."""
        ...


class Drawing(QObject):
    """Draws views that changed, one at a time.

    While a run trains on the processor (`busy`), each is drawn at most ten times a second, and nothing is drawn until
    50 times what the last drawing cost has passed, painting included.

    Args:
        parent: Its parent.
        clock: Seconds, growing.

    Attributes:
        busy: Whether a run trains on the processor.
        draws: Drawings so far.
        spent: Seconds that they took.
    """

    def __init__(self, parent: QObject | None = None, clock: Callable[[], float] = time.perf_counter) -> None:
        super().__init__(parent)
        self.busy = False
        self.draws, self.spent = 0, 0.0
        self._clock = clock
        self._waiting: WeakKeyDictionary[Drawn, None] = WeakKeyDictionary()
        self._drawn: WeakKeyDictionary[Drawn, float] = WeakKeyDictionary()
        self._rest_until = 0.0
        self._held = False
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.draw_next)

    def changed(self, view: Drawn) -> None:
        """Request a drawing of a view, which happens when its turn comes."""
        self._waiting[view] = None
        if not self._timer.isActive():
            self._schedule()

    def forget(self, view: Drawn) -> None:
        """Forget a view that is deleted."""
        self._waiting.pop(view, None)
        self._drawn.pop(view, None)

    def hold(self) -> None:
        """Draw nothing until `release` is called: what charts need is being imported."""
        self._held = True

    def release(self) -> None:
        """Draw what has changed meanwhile, and go on as usual."""
        self._held = False
        if self._waiting:
            self._schedule()

    def _schedule(self) -> None:
        rest = self._rest_until - self._clock() if self.busy else 0.0
        self._timer.start(max(TICK, ceil(1000 * rest)))

    def draw_next(self) -> None:
        """Draw the view that waits longest, if it is due."""
        if self._held:
            return
        now = self._clock()
        if self.busy and now < self._rest_until:
            self._schedule()
            return
        for gone in [view for view in self._waiting if not isValid(view)]:
            del self._waiting[gone]
        interval = SLOW if self.busy else QUICK
        due = next((v for v in self._waiting if v.isVisible() and now - self._drawn.get(v, -1.0) >= interval), None)
        if due is None:
            if any(view.isVisible() for view in self._waiting):
                self._schedule()
            else:
                self._waiting.clear()  # a view draws what it missed when it is shown
            return
        del self._waiting[due]
        due.draw()
        ended = self._clock()
        self._drawn[due] = ended
        self._rest_until = ended + REST * (ended - now)
        self.draws, self.spent = self.draws + 1, self.spent + ended - now
        if self._waiting:
            self._schedule()
