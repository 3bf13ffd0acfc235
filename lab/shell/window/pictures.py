"""Pictures of the window at work: the quick start is run, and window and cards are saved as PNG files."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.shell.session.draft import quick_start
from lab.widgets.core.i18n import tr

if TYPE_CHECKING:
    from lab.shell.window.main_window import Window

LOOK = 100
"""Milliseconds between two looks at whether the next picture can be taken."""
SETTLE = 2.5
"""Seconds a place is given to fill before it is taken."""
WRITE = 5.0
"""Seconds for which Play writes before it is taken."""


class Pictures(QObject):
    """Takes the pictures, then closes the window.

    Args:
        window: The window.
        folder: Where they are saved.
        seconds: How long the quick start trains before.

    Attributes:
        problem: Why one could not be saved; None while all is well.
    """

    def __init__(self, window: Window, folder: Path, seconds: float) -> None:
        super().__init__(window)
        self.problem: Problem | None = None
        self._window, self._folder, self._seconds = window, folder, seconds
        self._plan = iter(self._steps())
        self._until = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK)
        self._timer.timeout.connect(self._go_on)
        self._timer.start()
        window.session.warm_up.failed.connect(self._give_up)
        window.session.refused.connect(self._fail)

    def _give_up(self) -> None:
        """The lab cannot be made ready, which was told."""
        self._fail(Problem(tr("no pictures can be taken: the lab did not become ready"), field="--pictures"))

    def _fail(self, problem: Problem) -> None:
        self.problem = problem
        notify("error", problem)
        self._timer.stop()
        self._window.leaving.at_once()

    def _go_on(self) -> None:
        """Does the next piece of the plan once its time has come."""
        if time.monotonic() < self._until or not self._window.session.warm_up.ready:
            return
        try:
            self._until = time.monotonic() + next(self._plan)
        except StopIteration:
            self._timer.stop()
            self._window.leaving.at_once()
        except LabError as error:
            self._fail(replace(error.problem, field="--pictures"))

    def _steps(self) -> Iterator[float]:
        """The plan: each piece is done, and yields the seconds until the next."""
        window = self._window
        window.session.draft.take(quick_start(), "quick start")
        window.session.start()
        window.show_place("train")
        yield self._seconds
        for place, wait in (("train", 0.5), ("inspect", SETTLE), ("play", WRITE)):
            window.show_place(place)
            if place == "play":
                window.play.generate()
            yield wait
            self._save(window, f"window-{place}")
            for number, card in enumerate(getattr(window, place).cards, start=1):
                self._save(card, f"{place}-{number}-{card.title}")

    def _save(self, widget: QWidget, name: str) -> None:
        file = self._folder / (re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") + ".png")
        if widget.isVisible() and not widget.grab().save(str(file)):
            what = tr("the picture {name} cannot be saved", name=file.name)
            raise LabError(what, field="--pictures", value=str(self._folder), remedy=tr("Choose another folder"))
