"""What the settings make of known logits: at once while that fits into a frame, and otherwise from a thread."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from lab.base.problems import LabError, Problem
from lab.shell.runtime.background import Background
from lab.widgets.core.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from lab.base.jobs import Job
    from lab.workbench.access.next_token import NextToken, TokenStages

STAGE_ROWS = 16
"""Number of tokens of which the stages are shown."""
QUICK = 0.01
"""Seconds that the stages may take in the main thread; 50,000 tokens and several filters take longer."""


class StagesFollower(QObject):
    """Computes the stages of one next token again whenever the settings change; the model is not asked.

    Args:
        background: Runs in threads what takes too long.
        options: Returns the present arguments of `NextToken.stages`.
    """

    found = Signal(object)
    """The TokenStages of the present settings."""
    failed = Signal(object)
    """The Problem of the present settings."""

    def __init__(self, background: Background, options: Callable[[], dict[str, Any]]) -> None:
        super().__init__()
        self._background, self._options = background, options
        self._token: NextToken | None = None
        self._is_slow = self._is_due = False
        self._known: set[str] = set()  # the names of strategy and filters of the last settings
        self._pending: NextToken | None = None  # the one whose stages are computed in a thread

    @property
    def follows(self) -> bool:
        """True if logits are known."""
        return self._token is not None

    def take(self, token: NextToken) -> None:
        """Follow the settings with the logits of another token, from now on."""
        self._token, self._is_slow = token, True
        self.follow()

    def forget(self) -> None:
        """Follow no more."""
        self._token = None

    def follow(self) -> None:
        """Compute the stages with the present settings."""
        token = self._token
        if token is None:
            return
        if self._pending is not None:
            self._is_due = True
            return
        options = self._options()
        before, self._known = self._known, _names(options)
        if self._is_slow or self._known - before or _reads_texts(options):
            self._pending = token
            work = partial(_timed_again, token, options)
            self._background.run(tr("Predicting the next token"), work, self._take, self._fail)
        else:
            try:
                stages, seconds = _timed(token, options)
            except LabError as error:
                self.failed.emit(error.problem)
            else:
                self._is_slow = seconds > QUICK
                self.found.emit(stages)

    def _take(self, answer: tuple[TokenStages, float]) -> None:
        stages, seconds = answer
        self._is_slow = seconds > QUICK
        self._end(partial(self.found.emit, stages))

    def _fail(self, problem: Problem) -> None:
        self._end(partial(self.failed.emit, problem))

    def _end(self, show: Callable[[], object]) -> None:
        """Show an answer if it is that of the present token, and then start what is due."""
        is_current = self._pending is self._token
        self._pending = None
        if is_current:
            show()
        if self._is_due or not is_current:
            self._is_due = False
            self.follow()


def _names(options: dict[str, Any]) -> set[str]:
    """Return the names of strategy and filters."""
    decoding = options["decoding"]
    return {decoding.strategy.name, *(one.name for one in decoding.filters)}


def _reads_texts(options: dict[str, Any]) -> bool:
    """Return True if a setting is a text: the name of a run that is opened, or a grammar that is compiled.

    How sampling draws is a text too, and needs neither.
    """
    decoding = options["decoding"]
    choices = [decoding.strategy, *decoding.filters]
    return any(isinstance(value, str) and key != "draw" for one in choices for key, value in one.settings.items())


def _timed(token: NextToken, options: dict[str, Any]) -> tuple[TokenStages, float]:
    """Return the stages and the seconds that they took."""
    start = time.perf_counter()
    found = token.stages(**options, count=STAGE_ROWS)
    return found, time.perf_counter() - start


def _timed_again(token: NextToken, options: dict[str, Any], _job: Job) -> tuple[TokenStages, float]:
    """Return the stages and the seconds that they take once all that they need is made."""
    token.stages(**options, count=STAGE_ROWS)
    return _timed(token, options)
