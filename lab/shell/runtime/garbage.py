"""Garbage collection in the main thread alone: Qt's objects crash the process when another thread frees them."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer, Slot

YOUNG = 1000
"""Milliseconds between two collections of the young generations."""
ALL = 30
"""Number of young collections between two full ones; what the warm-up loaded is frozen and costs nothing."""


class Collector(QObject):
    """Takes the collection of cycles over from Python, which collects in whichever thread allocates an object.

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
        """Switch Python's own collection off and collect from here on."""
        gc.disable()
        self._timer.start()

    def stop(self) -> None:
        """Switch Python's own collection on again."""
        self._timer.stop()
        if self._was_on:
            gc.enable()

    @Slot()
    def collect(self) -> None:
        """Collect the young generations, and from time to time everything."""
        self._count += 1
        gc.collect(2 if self._count % ALL == 0 else 1)
