"""Results of work in threads are delivered in the main thread, or not at all."""

import gc
import threading
import weakref
from functools import partial

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QObject

from lab.base.jobs import running_jobs
from lab.base.problems import BadInput
from lab.shell.runtime.background import Background


@pytest.fixture
def background(qtbot):
    made = Background()
    yield made
    made.close()


def test_a_result_is_delivered_in_the_main_thread(background, qtbot):
    threads, results = [], []

    def work(job):
        threads.append(threading.current_thread())
        return 7

    def done(value):
        threads.append(threading.current_thread())
        results.append(value)

    background.run("Counting", work, done)
    qtbot.waitUntil(lambda: results == [7])
    assert threads[0] is not threading.main_thread()
    assert threads[1] is threading.main_thread()


def test_running_work_is_listed_and_can_be_cancelled(background, qtbot):
    results, pause = [], threading.Event()

    def work(job):
        while not job.cancelled:
            pause.wait(0.005)
        return "ended"

    background.run("Counting words", work, results.append)
    (job,) = running_jobs()
    assert job.title == "Counting words"
    job.cancel()
    qtbot.waitUntil(lambda: results == ["ended"])


def test_a_problem_is_delivered_in_the_main_thread(background, qtbot):
    problems = []

    def work(job):
        raise BadInput("is too large", field="batch_size", value=9)

    background.run("Counting", work, pytest.fail, problems.append)
    qtbot.waitUntil(lambda: len(problems) == 1)
    assert problems[0].field == "batch_size"


def test_a_problem_without_a_callback_becomes_a_notice(background, qtbot, reported):
    def work(job):
        raise ZeroDivisionError

    background.run("Counting", work, pytest.fail)
    qtbot.waitUntil(lambda: len(reported) == 1)
    assert reported[0].what == "Counting failed: ZeroDivisionError"


def test_an_exception_is_stored_as_text_only(background, qtbot):
    class Tensor:
        pass

    held, problems = [], []

    def work(job):
        tensor = Tensor()
        held.append(weakref.ref(tensor))
        raise ValueError("no")

    background.run("Counting", work, pytest.fail, problems.append)
    qtbot.waitUntil(lambda: len(problems) == 1)
    gc.collect()
    assert "in work" in problems[0].trace
    assert held[0]() is None


def test_later_work_under_the_same_key_replaces_the_earlier(background, qtbot):
    results, go_on, cancelled = [], threading.Event(), []

    def slow(job):
        go_on.wait(5)
        cancelled.append(job.cancelled)
        return "old"

    background.run("First", slow, results.append, replaces="preflight")
    background.run("Second", lambda _: "new", results.append, replaces="preflight")
    qtbot.waitUntil(lambda: results == ["new"])
    go_on.set()
    qtbot.waitUntil(lambda: not running_jobs() and not background._outcomes)
    assert cancelled == [True]
    assert results == ["new"]


def test_work_under_another_key_replaces_nothing(background, qtbot):
    results = []
    background.run("First", lambda _: 1, results.append, replaces="preflight")
    background.run("Second", lambda _: 2, results.append, replaces="reading")
    background.run("Third", lambda _: 3, results.append)
    qtbot.waitUntil(lambda: sorted(results) == [1, 2, 3])


def test_a_callback_that_raises_does_not_lose_other_results(background, qtbot):
    results = []

    def broken(value):
        raise RuntimeError("the view is broken")

    with qtbot.capture_exceptions() as raised:
        background.run("First", lambda _: 1, broken)
        qtbot.waitUntil(lambda: len(raised) == 1)
        background.run("Second", lambda _: 2, results.append)
        qtbot.waitUntil(lambda: results == [2])


class Receiver(QObject):
    """A receiver of results that uses its Qt object in the callback."""

    def __init__(self, parent, reported):
        super().__init__(parent)
        self.setObjectName("receiver")
        self._received = reported

    def take(self, *what):
        self._received.append((self.objectName(), *what))


@pytest.mark.parametrize("outcome", ["result", "problem"])
@pytest.mark.parametrize(
    "callback", [lambda take: take, lambda take: partial(take, "first")], ids=["method", "partial"]
)
def test_a_deleted_receiver_gets_no_result(background, qtbot, reported, outcome, callback):
    received, results, go_on, owner = [], [], threading.Event(), QObject()
    receiver = Receiver(owner, received)
    take = callback(receiver.take)

    def work(job):
        go_on.wait(5)
        if outcome == "problem":
            raise BadInput("is too large", field="batch_size", value=9)
        return 7

    background.run("Counting", work, take, take)
    shiboken6.delete(owner)
    go_on.set()
    qtbot.waitUntil(lambda: not running_jobs())
    background.run("Afterwards", lambda _: "told", results.append)
    qtbot.waitUntil(lambda: results == ["told"])
    assert received == []
    assert reported == []


def test_closing_cancels_and_waits_and_delivers_no_more_results(background, qtbot):
    results, pause = [], threading.Event()

    def work(job):
        while not job.cancelled:
            pause.wait(0.005)
        return "too late"

    background.run("Counting", work, results.append)
    background.run("Quick", lambda _: "waits to be told", results.append)
    background.close()
    assert not running_jobs()
    background.run("After the end", lambda _: 1, results.append)
    assert not running_jobs()
    QCoreApplication.processEvents()
    assert results == []


def test_closing_waits_for_a_limited_time(background, qtbot, monkeypatch):
    monkeypatch.setattr("lab.shell.runtime.background.PATIENCE", 0.1)
    go_on = threading.Event()
    background.run("Deaf", lambda _: go_on.wait(60), pytest.fail)
    background.close()
    assert len(running_jobs()) == 1
    go_on.set()
