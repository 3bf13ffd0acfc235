"""Garbage collection in the main thread alone: Qt's objects die with the process when another thread frees them."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer, Slot

YOUNG = 1000
"""Milliseconds between two collections of what is new."""
ALL = 30
"""Collections of what is new from one of everything to the next; what the warm-up loaded is frozen, and costs none."""


class Collector(QObject):
    """Takes the collection of cycles over from Python, which does it in whichever thread makes an object.

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
        """From here on only this collects."""
        gc.disable()
        self._timer.start()

    def stop(self) -> None:
        """Gives it back to Python."""
        self._timer.stop()
        if self._was_on:
            gc.enable()

    @Slot()
    def collect(self) -> None:
        """Collects what is new, and now and then everything."""
        self._count += 1
        gc.collect(2 if self._count % ALL == 0 else 1)
