"""The state of the check of this machine, without widgets."""

from __future__ import annotations

from enum import Enum, auto

from lab.workbench.doctor import Level, Result


class CheckState(Enum):
    """The states of the check."""

    IDLE = auto()
    RUNNING = auto()
    DONE = auto()
    CANCELLED = auto()


class DoctorModel:
    """What was found so far.

    Attributes:
        state: The state of the check.
        results: The results so far, in the order of the checks.
        running: The title of the check that runs; "" for none.
        number: The number of the check; what an earlier one finds is ignored.
    """

    def __init__(self) -> None:
        self.state = CheckState.IDLE
        self.results: list[Result] = []
        self.running = ""
        self.number = 0

    def begin(self) -> int:
        """Begin a new check, and return its number."""
        self.state, self.results, self.running = CheckState.RUNNING, [], ""
        self.number += 1
        return self.number

    def take(self, number: int, found: Result | str) -> bool:
        """Take a result, or the title of the check that runs now. Return False if it is of an earlier check."""
        if number != self.number or self.state is not CheckState.RUNNING:
            return False
        if isinstance(found, str):
            self.running = found
        else:
            self.results.append(found)
        return True

    def end(self, number: int) -> None:
        """End a check that ran to its end."""
        if number == self.number and self.state is CheckState.RUNNING:
            self.state, self.running = CheckState.DONE, ""

    def cancel(self) -> None:
        """Cancel the check; its results stay."""
        if self.state is CheckState.RUNNING:
            self.state, self.running = CheckState.CANCELLED, ""

    @property
    def wrong(self) -> int:
        """The number of findings that have to be repaired."""
        return sum(finding.level is Level.WRONG for result in self.results for finding in result.findings)
