"""Numbered requests to a model, which make late answers recognisable, and the pauses between them."""

from __future__ import annotations

REST = 25
"""The pause between two requests to a model that trains, as a multiple of the work in an answer."""


class Requests:
    """The requests of one kind, of which only the newest counts.

    Times are seconds of any one clock, passed in by the caller; requests without pauses between them need none.

    Args:
        least: Least seconds between two requests.

    Attributes:
        number: The number of the newest request; 0 before the first one.
        pending: True while the newest request has no answer.
        cost: Seconds of work in the last answer.
    """

    def __init__(self, least: float = 0.0) -> None:
        self.number = 0
        self.pending = False
        self.cost = 0.0
        self._least = least
        self._started = 0.0
        self._ended = 0.0

    def start(self, now: float = 0.0) -> int:
        """Start a request and return its number; answers to earlier requests are stale from now on."""
        self.number += 1
        self.pending, self._started = True, now
        return self.number

    def is_current(self, number: int) -> bool:
        """Return True if the request is the newest one and has no answer yet."""
        return self.pending and number == self.number

    def end(self, number: int, now: float = 0.0, work: float | None = None) -> bool:
        """Record the answer to a request. Return False, and record nothing, if the request is stale.

        Args:
            number: The number of the request.
            now: The time.
            work: Seconds of work in the answer, without those in which it waited for its turn on a busy machine; None
                if these are not known, so that all the time since the request counts.
        """
        if not self.is_current(number):
            return False
        self.pending = False
        self._ended, self.cost = now, now - self._started if work is None else work
        return True

    def fail(self, number: int, now: float) -> bool:
        """Record the failure of a request; unlike `end`, this never lowers the cost."""
        cost = self.cost
        is_current = self.end(number, now)
        self.cost = max(cost, self.cost)
        return is_current

    def drop(self) -> None:
        """Make the pending request stale."""
        self.number += 1
        self.pending = False

    @property
    def rest(self) -> float:
        """Seconds to pause between two requests to a model that trains."""
        return max(self._least, REST * self.cost)

    def seconds_since(self, now: float) -> float:
        """Return the seconds since the last answer."""
        return now - self._ended

    def is_due(self, now: float) -> bool:
        """Return True if no request is pending and the pause after the last answer is over."""
        return not self.pending and self.seconds_since(now) >= self.rest
