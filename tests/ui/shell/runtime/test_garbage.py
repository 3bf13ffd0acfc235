"""Cycles are collected only in the main thread, whichever thread allocates objects."""

import gc
import threading
import weakref

import pytest

from lab.shell.runtime import garbage as module
from lab.shell.runtime.garbage import Collector


class Knot:
    """An object in a reference cycle."""

    def __init__(self, freed):
        self.itself = self
        weakref.finalize(self, lambda: freed.append(threading.current_thread()))


@pytest.fixture
def collector(monkeypatch):
    monkeypatch.setattr(module, "YOUNG", 20)
    monkeypatch.setattr(module, "ALL", 2)
    was = gc.isenabled()
    gc.enable()
    made = Collector()
    made.start()
    yield made
    made.stop()
    if not was:
        gc.disable()


def test_cycles_are_freed_in_the_main_thread(collector, qtbot):
    freed = []

    def work():
        for _ in range(50_000):
            Knot(freed)

    thread = threading.Thread(target=work, name="lab: knots")
    thread.start()
    qtbot.waitUntil(lambda: not thread.is_alive() and len(freed) == 50_000)
    assert set(freed) == {threading.main_thread()}


def test_nothing_is_collected_while_it_is_paused(collector, qtbot):
    freed = []
    collector.pause()
    Knot(freed)
    with pytest.raises(qtbot.TimeoutError):
        qtbot.waitUntil(lambda: bool(freed), timeout=100)
    collector.resume()
    qtbot.waitUntil(lambda: len(freed) == 1)


def test_stopping_restores_pythons_own_collection(collector):
    assert not gc.isenabled()
    collector.stop()
    assert gc.isenabled()
