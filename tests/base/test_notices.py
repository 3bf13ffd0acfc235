"""The centre that hears of everything people should hear about, from every thread."""

import sys
import threading

import pytest

from lab.base import BadInput, Problem
from lab.base.notices import catch_uncaught, listen, notify


@pytest.fixture
def received():
    """The notices given from now on."""
    received = []
    end = listen(received.append)
    yield received
    end()


@pytest.fixture
def caught():
    """Send what nobody catches to the notices."""
    undo = catch_uncaught()
    yield
    undo()


def test_everyone_who_listens_hears_until_they_stop(received):
    second = []
    end = listen(second.append)
    notify("info", "one")
    end()
    end()
    notify("warning", Problem("two", field="x"))
    assert [notice.problem.what for notice in received] == ["one", "two"]
    assert [notice.problem.what for notice in second] == ["one"]
    assert [notice.level for notice in received] == ["info", "warning"]


def test_a_listener_that_raises_hears_no_more_and_harms_nobody(received):
    def broken(_):
        calls.append(1)
        raise BrokenPipeError

    calls = []
    end = listen(broken)
    notify("info", "one")
    notify("info", "two")
    end()
    assert len(calls) == 1
    assert len(received) == 2


def test_an_exception_in_a_thread_reaches_the_centre_with_the_threads_name(received, caught):
    thread = threading.Thread(target=lambda: 1 / 0, name="the counting")
    thread.start()
    thread.join()
    assert received[0].level == "error"
    assert received[0].problem.what == "Work in the counting failed: ZeroDivisionError: division by zero"
    assert "Traceback" in received[0].problem.trace


def test_a_problem_in_a_thread_keeps_its_words_and_its_plugin(received, caught):
    def fails():
        raise BadInput("is empty", field="corpus", plugin="mine")

    thread = threading.Thread(target=fails)
    thread.start()
    thread.join()
    assert received[0].problem.line() == "plugin mine: corpus: is empty."


def test_leaving_a_thread_is_no_problem(received, caught):
    thread = threading.Thread(target=sys.exit)
    thread.start()
    thread.join()
    assert received == []


def test_an_exception_nobody_caught_in_the_main_thread_is_reported(received, caught):
    sys.excepthook(ValueError, ValueError("it rained"), None)
    assert received[0].problem.what == "Something failed: ValueError: it rained"


def test_ctrl_c_is_left_to_who_was_there_before(received, monkeypatch):
    left = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, *_: left.append(kind))
    undo = catch_uncaught()
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    undo()
    assert left == [KeyboardInterrupt]
    assert received == []


def test_undone_the_hooks_are_those_before():
    before = sys.excepthook, threading.excepthook
    catch_uncaught()()
    assert (sys.excepthook, threading.excepthook) == before


def test_notices_from_many_threads_are_all_received(received):
    threads = [threading.Thread(target=lambda: [notify("info", "x") for _ in range(100)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(received) == 800
