"""When the main thread is blocked, the watchdog logs for how long and by which code."""

import ctypes
import threading
import time

import pytest
from PySide6.QtCore import QObject, Signal

from lab.base.folders import plugins_folder
from lab.base.notices import listen
from lab.host import Plugins
from lab.shell.runtime import watchdog as watchdog_module
from lab.shell.runtime.watchdog import Watchdog

SLEEPY = '''"""Sleeps in the window's thread."""
import time


def draw(seconds):
    time.sleep(seconds)
'''


class Ear(QObject):
    """Tells the main thread of a notice that another thread received."""

    heard = Signal()


@pytest.fixture
def notices():
    received = []
    silence = listen(received.append)
    yield received
    silence()


@pytest.fixture
def checked(qtbot):
    """Wait until the watching thread has seen the last gap: it checks more often than every fourth beat."""

    def checked(watchdog):
        count = len(watchdog.gaps())
        qtbot.waitUntil(lambda: len(watchdog.gaps()) > count + 4)

    return checked


@pytest.fixture
def make_watchdog(qtbot):
    made = []

    def make(plugins=None):
        watchdog = Watchdog(plugins)
        made.append(watchdog)
        watchdog.start()
        qtbot.waitUntil(lambda: len(watchdog.gaps()) > 1)
        return watchdog

    yield make
    for watchdog in made:
        watchdog.stop()


@pytest.fixture
def sleepy(lab_home):
    """A plugin from the plugins folder, loaded."""
    plugins_folder().mkdir(parents=True)
    file = plugins_folder() / "sleepy.py"
    file.write_text(SLEEPY)
    plugins = Plugins(enable=["sleepy"], built_ins=[])
    plugins.load()
    import lab_plugin_sleepy

    return plugins, lab_plugin_sleepy


def block(seconds):
    """Block the main thread, like code that computes there."""
    time.sleep(seconds)


def hold_python(seconds):
    """Sleep while holding the GIL, like a careless extension."""
    ctypes.PyDLL(None).usleep(int(seconds * 1e6))


@pytest.fixture
def impatient(monkeypatch):
    """Let shorter blocks count as late and as grave from now on; a busy machine may have caused some before."""

    def impatient(late=0.15, grave=2.0):
        monkeypatch.setattr(watchdog_module, "LATE", late)
        monkeypatch.setattr(watchdog_module, "GRAVE", grave)

    return impatient


def test_a_responsive_window_logs_nothing(make_watchdog, notices, checked):
    watchdog = make_watchdog()
    for _ in range(5):
        block(0.05)
        checked(watchdog)
    assert notices == []


def test_a_plugin_that_blocks_the_window_is_named_with_file_and_line(make_watchdog, notices, sleepy, qtbot, impatient):
    plugins, module = sleepy
    make_watchdog(plugins)
    del notices[:]
    impatient()
    module.draw(0.4)
    qtbot.waitUntil(lambda: len(notices) == 1)
    (notice,) = notices
    assert notice.level == "debug"
    assert notice.problem.plugin == "sleepy"
    assert notice.problem.what.startswith("the main thread was blocked for 0.")
    assert notice.problem.what.endswith("s by sleepy.py, line 6")
    assert 'sleepy.py", line 6, in draw' in notice.problem.trace


def test_a_short_block_by_code_of_no_plugin_is_not_logged(make_watchdog, notices, checked, impatient):
    watchdog = make_watchdog()
    impatient()
    block(0.4)
    checked(watchdog)
    assert max(watchdog.gaps()) > 400
    assert notices == []


def test_a_long_block_is_logged_whatever_the_code(make_watchdog, notices, qtbot, impatient):
    make_watchdog()
    impatient(grave=0.3)
    block(0.5)
    qtbot.waitUntil(lambda: len(notices) == 1)
    assert notices[0].level == "debug"
    assert notices[0].problem.plugin is None
    assert "test_watchdog.py" in notices[0].problem.what


def test_a_thread_that_holds_the_gil_is_noticed(make_watchdog, notices, qtbot, monkeypatch):
    monkeypatch.setattr(watchdog_module, "LATE", 0.2)
    monkeypatch.setattr(watchdog_module, "GRAVE", 0.3)
    watchdog, ear = make_watchdog(), Ear()
    beats = len(watchdog.gaps())

    def work():
        while len(watchdog.gaps()) < beats + 2:  # until the main thread waits for events
            time.sleep(0.01)
        while not notices:
            hold_python(0.35)

    thread = threading.Thread(target=work, name="lab: greedy")
    silence = listen(lambda notice: ear.heard.emit())
    with qtbot.waitSignal(ear.heard, timeout=20_000):  # meanwhile the main thread runs no code but Qt's
        thread.start()
    silence()
    thread.join()
    (notice,) = notices
    assert "test_watchdog.py, line " in notice.problem.what
    assert notice.problem.what.endswith("in thread lab: greedy")
    assert "in hold_python" in notice.problem.trace


def test_a_block_is_logged_once_and_at_most_one_a_minute(make_watchdog, notices, qtbot, checked, monkeypatch):
    monkeypatch.setattr(watchdog_module, "GRAVE", 0.5)
    watchdog = make_watchdog()
    for _ in range(2):
        block(0.6)
        checked(watchdog)
    assert len(notices) == 1
    monkeypatch.setattr(watchdog_module, "REST", 0.0)
    block(0.6)
    qtbot.waitUntil(lambda: len(notices) == 2)


def test_the_gaps_between_beats_are_measured(make_watchdog, qtbot):
    watchdog = make_watchdog()
    watchdog.measure()
    qtbot.waitUntil(lambda: len(watchdog.gaps()) > 25)
    gaps = watchdog.gaps()
    assert sorted(gaps)[len(gaps) // 2] == pytest.approx(10, abs=4)
    block(0.12)
    qtbot.waitUntil(lambda: max(watchdog.gaps()) > 100)
    watchdog.measure()
    assert watchdog.gaps() == []


def test_stopping_ends_its_thread(make_watchdog):
    watchdog = make_watchdog()
    watchdog.stop()
    assert "lab: watchdog" not in [thread.name for thread in threading.enumerate()]
