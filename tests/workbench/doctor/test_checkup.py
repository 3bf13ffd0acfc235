"""The checks run alone: one that fails, hangs or is cancelled leaves the others as they are."""

import threading

import pytest

from lab.workbench.doctor import Finding, Level, checkup, examine
from lab.workbench.doctor.checkup import CHECKS, Check

FINE = Check("Fine", lambda subject: [Finding("all is well")])


def failing(error):
    def run(subject):
        yield Finding("until here")
        raise error

    return Check("Failing", run)


@pytest.mark.parametrize("error", [RuntimeError("in /home/anna"), SystemExit(3), KeyboardInterrupt(), MemoryError()])
def test_a_check_that_raises_anything_is_a_finding_and_the_next_one_runs(subject, error):
    first, second = examine(subject(), [failing(error), FINE])
    assert [one.what for one in first.findings] == ["until here", f"the check failed: {type(error).__name__}"]
    assert (first.level, second.level) == (Level.WRONG, Level.GOOD)
    assert first.findings[1].remedy


def test_the_text_of_an_error_is_a_detail(subject):
    (result,) = examine(subject(), [failing(RuntimeError("in /home/anna"))])
    assert "anna" in result.findings[1].detail


def test_a_check_that_does_not_end_is_a_finding_too(subject, monkeypatch):
    monkeypatch.setattr(checkup, "LONGEST", 0.0)
    ends = threading.Event()
    hanging = Check("Hanging", lambda subject: ends.wait() and [])
    try:
        first, second = examine(subject(), [hanging, FINE])
    finally:
        ends.set()
    assert "did not end" in first.findings[0].what
    assert second.findings == (Finding("all is well"),)


def test_a_cancelled_examination_ends_without_waiting_for_the_check(subject):
    begun, ends = threading.Event(), threading.Event()

    def wait(_):
        begun.set()
        ends.wait()
        return []

    try:
        assert list(examine(subject(cancelled=begun.is_set), [Check("Waiting", wait), FINE])) == []
    finally:
        ends.set()


def test_checks_that_find_nothing_have_no_result_and_each_start_is_reported(subject):
    started = []
    results = list(examine(subject(), [Check("Nothing", lambda _: ()), FINE], started.append))
    assert [result.title for result in results] == ["Fine"]
    assert started == ["Nothing", "Fine"]


def test_every_check_has_a_title_of_its_own():
    assert len({check.title for check in CHECKS}) == len(CHECKS)
