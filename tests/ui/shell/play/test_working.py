"""The work of a page: it starts, ends, fails and is cancelled, and what a replaced one returns is dropped."""

import threading

import pytest
from PySide6.QtWidgets import QWidget

from lab.base import LabError
from lab.shell.play.working import PageWork
from lab.shell.runtime.background import Background


@pytest.fixture
def work(qtbot):
    page = QWidget()
    qtbot.addWidget(page)
    background = Background(page)
    found = PageWork(background, "work", "Working", page)
    yield found
    found.close_down()
    background.close()


def test_the_result_is_taken_before_the_end_is_announced(work, qtbot):
    seen = []
    work.changed.connect(lambda: seen.append(work.works))
    with qtbot.waitSignals([work.changed, work.changed]):
        work.start(lambda _: 7, seen.append)
    assert seen == [True, 7, False]
    assert work.problem == ""


def test_a_failure_is_named_and_the_next_start_forgets_it(work, qtbot):
    def fail(_):
        raise LabError("the text is empty", remedy="Enter one")

    with qtbot.waitSignals([work.changed, work.changed]):
        work.start(fail)
    assert "the text is empty" in work.problem.lower()
    with qtbot.waitSignals([work.changed, work.changed]):
        work.start(lambda _: None)
    assert work.problem == ""


def test_what_a_cancelled_work_returns_is_dropped(work, qtbot):
    go, taken = threading.Event(), []

    def wait(job):
        go.wait(5)
        return "late", job.cancelled

    work.start(wait, taken.append)
    work.cancel()
    assert not work.works
    with qtbot.waitSignals([work.changed, work.changed]):
        work.start(lambda _: "new", taken.append)
        go.set()
    assert taken == ["new"]


def test_the_progress_is_polled_while_it_works(work, qtbot):
    go = threading.Event()
    work.start(lambda _: go.wait(5))
    with qtbot.waitSignal(work.polled):
        pass
    with qtbot.waitSignal(work.changed):
        go.set()
    with qtbot.assertNotEmitted(work.polled, wait=250):
        pass
