"""A process that is asked to end does, whatever hangs in it; only what is being saved is waited for."""

import os
import signal
import threading
import types

import pytest

from lab.base import leaving
from lab.base.problems import note_module
from lab.base.processes import on_signals

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are another thing there")
LONG = 20.0


class End(threading.Event):
    """The end of the process, as far as the tests let it come."""

    def __init__(self):
        super().__init__()
        self.codes = []

    def come(self, code):
        self.codes.append(code)
        self.set()


@pytest.fixture
def end(monkeypatch):
    """The end of the process, which only notes its status; the watchdog ends it at once, or `LONG` after a signal."""
    end = End()
    monkeypatch.setattr(leaving.os, "_exit", end.come)
    monkeypatch.setattr(leaving, "LIMIT", 0.0)
    monkeypatch.setattr(leaving, "GRACE", LONG)
    monkeypatch.setattr(leaving, "POLL", 0.001)
    return end


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_main_thread_that_hangs_does_not_keep_the_process_alive(end, name, code):
    with on_signals(lambda _: end.wait(LONG)):
        signal.raise_signal(getattr(signal, name))
        assert end.wait(LONG)
    assert end.codes == [code]


def test_the_plugin_whose_code_hangs_is_named(end, reported):
    module = types.ModuleType("lab_plugin_hangs")
    exec("def wait(event): event.wait()", vars(module))
    note_module("lab_plugin_hangs", "mine")
    thread = threading.Thread(target=module.wait, args=(end,), daemon=True)
    thread.start()
    with on_signals(lambda _: None):
        signal.raise_signal(signal.SIGTERM)
        thread.join()
    (problem,) = reported
    assert problem.plugin == "mine"
    assert "did not end within" in problem.what
    assert "plugins disable mine" in problem.remedy


def test_a_second_signal_ends_it_at_once(end, monkeypatch, reported):
    monkeypatch.setattr(leaving, "LIMIT", LONG)
    monkeypatch.setattr(leaving, "GRACE", 0.0)
    with on_signals(lambda _: None):
        while not end.wait(0.01):
            signal.raise_signal(signal.SIGTERM)
    assert "a second signal" in reported[0].what


def test_signals_that_come_together_are_one(end, monkeypatch, reported):
    monkeypatch.setattr(leaving, "LIMIT", 0.2)
    with on_signals(lambda _: None):
        signal.raise_signal(signal.SIGHUP)
        signal.raise_signal(signal.SIGTERM)
        assert end.wait(LONG)
    assert "did not end within" in reported[0].what


def test_what_is_being_saved_is_waited_for(end, monkeypatch):
    class Asked(list):
        """What is saved; notes that it was asked for."""

        looked = threading.Event()

        def __bool__(self):
            self.looked.set()
            return len(self) > 0

    monkeypatch.setattr(leaving, "_saving", Asked())
    monkeypatch.setattr(leaving, "GRACE", 0.0)
    with on_signals(lambda _: None):
        with leaving.saving():
            signal.raise_signal(signal.SIGTERM)
            for _ in range(3):
                assert Asked.looked.wait(LONG)
                Asked.looked.clear()
            assert end.codes == []
        assert end.wait(LONG)


def test_a_body_that_ends_is_no_longer_watched(end, monkeypatch):
    monkeypatch.setattr(leaving, "LIMIT", LONG)
    before = {thread for thread in threading.enumerate() if thread.name == "lab: watchdog"}
    with on_signals(lambda _: None):
        signal.raise_signal(signal.SIGTERM)
        (watchdog,) = {thread for thread in threading.enumerate() if thread.name == "lab: watchdog"} - before
    watchdog.join(LONG)
    assert not watchdog.is_alive()
    assert end.codes == []
