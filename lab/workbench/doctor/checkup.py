"""The list of all checks, and how they run: each alone, so that one that fails or hangs is itself a finding."""

from __future__ import annotations

import contextlib
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from queue import Empty, SimpleQueue

from lab.workbench.doctor import display, folders, machine, plugin_states, training, versions
from lab.workbench.doctor.child import LONGEST as LONGEST_ANSWER
from lab.workbench.doctor.child import POLL
from lab.workbench.doctor.findings import Finding, Level
from lab.workbench.doctor.subject import Subject

LONGEST = LONGEST_ANSWER + 30.0
"""Seconds after which a check is given up: a folder on a drive that is gone may never answer."""
REPORT = "Send a report: lm-lab doctor --report FILE"


@dataclass(frozen=True)
class Check:
    """One check: its title, and the function that yields its findings."""

    title: str
    run: Callable[[Subject], Iterable[Finding]]


CHECKS = (
    Check("Versions", versions.versions),
    Check("Clock", machine.clock),
    Check("Processor", machine.processor),
    Check("Memory", machine.memory),
    Check("Folders", folders.folders),
    Check("Display and fonts", display.display),
    Check("Plugins", plugin_states.plugins),
    Check("Torch", training.torch),
    Check("Devices", training.devices),
    Check("Training", training.training),
)
"""All checks, those that take long last."""


@dataclass(frozen=True)
class Result:
    """The findings of one check, and the seconds it took."""

    title: str
    findings: tuple[Finding, ...]
    seconds: float

    @property
    def level(self) -> Level:
        """The level of its worst finding."""
        return max((one.level for one in self.findings), key=lambda level: level.rank, default=Level.GOOD)


def examine(
    subject: Subject, checks: Iterable[Check] = CHECKS, started: Callable[[str], object] = lambda _: None
) -> Iterator[Result]:
    """Run the checks one after the other, and yield the result of each that found something.

    Args:
        subject: What is examined; `subject.cancelled` ends the examination.
        checks: The checks.
        started: Called with the title of each check before it runs.
    """
    for check in checks:
        if subject.cancelled():
            return
        started(check.title)
        before = time.monotonic()
        findings = _run_alone(check, subject)
        if findings and not subject.cancelled():
            yield Result(check.title, findings, time.monotonic() - before)


def _run_alone(check: Check, subject: Subject) -> tuple[Finding, ...]:
    """Run a check in a thread of its own; its failure and its silence are findings next to those it made before."""
    made: SimpleQueue[Finding | None] = SimpleQueue()

    def work() -> None:
        try:
            for finding in check.run(subject):
                made.put(finding)
        except BaseException as error:  # noqa: BLE001 - whatever is broken, the other checks run
            with contextlib.suppress(Exception):
                made.put(_failure(error))
        made.put(None)

    threading.Thread(target=work, name=f"check: {check.title}", daemon=True).start()
    found: list[Finding] = []
    deadline = time.monotonic() + LONGEST
    while not subject.cancelled():
        try:
            finding = made.get(timeout=POLL)
        except Empty:
            if time.monotonic() > deadline:
                what = f"the check did not end within {LONGEST:.0f} s"
                found.append(Finding(what, Level.WRONG, remedy="A drive or network may not answer; disconnect it"))
                break
            continue
        if finding is None:
            break
        found.append(finding)
    return tuple(found)


def _failure(error: BaseException) -> Finding:
    """Return the finding about a check that raised: the class of the error, and in the details its text."""
    detail = "".join(traceback.format_exception_only(error)).strip()
    return Finding(f"the check failed: {type(error).__name__}", Level.WRONG, remedy=REPORT, detail=detail)
