"""Garbage collection in the main thread only: Qt's objects crash the process if another thread frees them."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer, Slot

YOUNG = 1000
"""Milliseconds between two collections of the young generations."""
ALL = 30
"""Number of young collections between two full ones; objects that the warm-up loaded are frozen and cost nothing."""


class Collector(QObject):
    """Collects cycles in place of Python, which would collect in any thread that allocates an object.

    Args:
        parent: Its parent; it must live in the main thread.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._was_on = gc.isenabled()
        self._count = 0
        self._timer = QTimer(self)
        self._timer.setInterval(YOUNG)
        self._timer.timeout.connect(self.collect)

    def start(self) -> None:
        """Switch Python's own collection off, and start to collect."""
        gc.disable()
        self._timer.start()

    @Slot()
    def pause(self) -> None:
        """Collect nothing until `resume`: beside imports, which make objects all the time, it takes 100 ms."""
        self._timer.stop()

    @Slot()
    def resume(self) -> None:
        """Collect again."""
        self._timer.start()

    def stop(self) -> None:
        """Stop collecting, and switch Python's own collection on again if it was on."""
        self._timer.stop()
        if self._was_on:
            gc.enable()

    @Slot()
    def collect(self) -> None:
        """Collect the young generations, and from time to time everything."""
        self._count += 1
        gc.collect(2 if self._count % ALL == 0 else 1)
