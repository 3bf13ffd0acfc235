"""Pictures of the working window: the quick start is trained, and window and cards are saved as PNG files."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from lab.base.files.writing import named_by_user, write_file
from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.recipes import quick_start_name
from lab.shell.runtime.export_files import png_of
from lab.shell.session.draft import quick_start
from lab.shell.session.session import Session
from lab.widgets.core.card import Card
from lab.widgets.core.i18n import tr

POLL = 100
"""Milliseconds between two checks for the next picture."""
LONGEST = 30.0
"""Seconds after which the pictures of a place are taken although it has not shown everything."""


class Places(Protocol):
    """An object that shows the places of the window."""

    def show_place(self, key: str) -> None:
        """Open a place."""

    def cards_of(self, key: str) -> Sequence[Card]:
        """Return the cards of a place."""

    def generate(self) -> None:
        """Open Play and generate text."""

    def has_shown(self, key: str) -> bool:
        """Return True once a place of runs shows curves, readings, or a text that was generated to its end."""


class Pictures(QObject):
    """Takes the pictures, then closes the window.

    Args:
        window: The window.
        session: The session, which trains the quick start.
        places: Shows the places of the window.
        close: Closes the window without asking.
        folder: The folder for the pictures.
        seconds: Seconds of training before the first picture.

    Attributes:
        problem: Why the pictures could not be taken or saved; None if there was no problem.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        places: Places,
        close: Callable[[], object],
        folder: Path,
        seconds: float,
    ) -> None:
        super().__init__(window)
        self.problem: Problem | None = None
        self._window, self._session, self._places, self._close = window, session, places, close
        self._folder, self._seconds = folder, seconds
        self._plan = iter(self._steps())
        self._is_due: Callable[[], bool] = lambda: session.warm_up.ready
        self._timer = QTimer(self)
        self._timer.setInterval(POLL)
        self._timer.timeout.connect(self._continue)
        self._timer.start()
        session.warm_up.failed.connect(self._give_up)
        session.refused.connect(self._fail)

    def _give_up(self) -> None:
        """End without pictures; the warm-up has already reported its problem."""
        self._fail(Problem(tr("no pictures can be taken: the lab could not be loaded"), field="--pictures"))

    def _fail(self, problem: Problem) -> None:
        self.problem = problem
        notify("error", problem)
        self._timer.stop()
        self._close()

    def _continue(self) -> None:
        """Do the next step of the plan when it is due."""
        if not self._is_due():
            return
        try:
            self._is_due = next(self._plan)
        except StopIteration:
            self._timer.stop()
            self._close()
        except LabError as error:
            self._fail(replace(error.problem, field="--pictures"))

    def _steps(self) -> Iterator[Callable[[], bool]]:
        """Do the steps of the plan; after each, yield a function that returns True once the next one is due."""
        self._session.draft.take(quick_start(), quick_start_name())
        self._session.start()
        self._places.show_place("train")
        yield partial(_is_over, time.monotonic() + self._seconds)
        for place in ("train", "inspect", "play"):
            if place == "play":
                self._places.generate()
            else:
                self._places.show_place(place)
            yield partial(self._has_shown, place, time.monotonic() + LONGEST)
            self._save(self._window, f"window-{place}")
            for number, card in enumerate(self._places.cards_of(place), start=1):
                self._save(card, f"{place}-{number}-{card.title}")

    def _has_shown(self, place: str, deadline: float) -> bool:
        return self._places.has_shown(place) or _is_over(deadline)

    def _save(self, widget: QWidget, name: str) -> None:
        file = self._folder / (re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") + ".png")
        if widget.isVisible():
            with named_by_user():
                write_file(file, png_of(widget.grab().toImage(), name))


def _is_over(deadline: float) -> bool:
    return time.monotonic() >= deadline
