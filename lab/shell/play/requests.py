"""What Play asks of a model: a text, piece by piece, and the likeliest next tokens."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Any

from lab.shell.session.runs.model import RunModel

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.workbench.access.generation import Likeliest, Piece
    from lab.workbench.access.model_access import ModelAccess

ROWS = 20
"""Alternatives that are asked for at each place."""


class Writing:
    """One text on its way: a thread writes, the window looks.

    Args:
        subject: Who writes.
        view: Its run; None for the untrained model of the draft.
        prompt: What it goes on from.
        options: What else ModelAccess.generate takes.
    """

    def __init__(self, subject: ModelAccess, view: RunModel | None, prompt: str, options: dict[str, Any]) -> None:
        self.view, self._subject, self._prompt, self._options = view, subject, prompt, options
        self.pieces: deque[Piece] = deque()
        self.stopped = False

    def work(self, job: Job) -> None:
        """Writes until it is told to stop; in a thread of its own."""
        for piece in self._subject.generate(self._prompt, alternatives=ROWS, **self._options):
            if self.stopped or job.cancelled:
                return
            self.pieces.append(piece)


class Asking:
    """One question for the next tokens.

    Args:
        subject: Who is asked.
        view: Its run; None for the untrained model of the draft.
        prompt: What the tokens would come after.
    """

    def __init__(self, subject: ModelAccess, view: RunModel | None, prompt: str) -> None:
        self.view, self.prompt, self._subject = view, prompt, subject
        self._began = time.monotonic()

    @property
    def seconds(self) -> float:
        """How long ago it was asked."""
        return time.monotonic() - self._began

    def work(self, job: Job) -> Likeliest:
        """Asks; in a thread of its own."""
        del job  # a question cannot be taken back
        return self._subject.next_tokens(self.prompt, ROWS)
