"""When the window stands still, the watchdog names who held it."""

import ctypes
import threading
import time

import pytest

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


@pytest.fixture
def notices():
    heard = []
    silence = listen(heard.append)
    yield heard
    silence()


@pytest.fixture
def make_watchdog(qtbot):
    made = []

    def make(plugins=None):
        watchdog = Watchdog(plugins)
        made.append(watchdog)
        watchdog.start()
        qtbot.wait(150)
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


def hold_python(seconds):
    """Sleep without letting any other thread run Python, as a careless extension does; then let them all run."""
    ctypes.PyDLL(None).usleep(int(seconds * 1e6))
    time.sleep(0.05)


def test_a_window_that_moves_gives_no_notice(make_watchdog, notices, qtbot):
    make_watchdog()
    for _ in range(10):
        time.sleep(0.05)
        qtbot.wait(10)
    assert notices == []


def test_a_plugin_that_holds_the_window_is_named_with_file_and_line(make_watchdog, notices, sleepy, qtbot):
    plugins, module = sleepy
    make_watchdog(plugins)
    del notices[:]
    module.draw(0.7)
    qtbot.waitUntil(lambda: len(notices) == 1)
    (notice,) = notices
    assert notice.level == "warning"
    assert notice.problem.plugin == "sleepy"
    assert notice.problem.what.startswith("the window stood still for 0.")
    assert notice.problem.what.endswith("s: sleepy.py, line 6 held it")
    assert 'sleepy.py", line 6, in draw' in notice.problem.trace


def test_a_short_standstill_that_is_nobodys_plugin_is_not_told(make_watchdog, notices, qtbot):
    make_watchdog()
    time.sleep(0.7)
    qtbot.wait(300)
    assert notices == []


def test_standing_still_for_long_is_a_warning_whoever_it_was(make_watchdog, notices, qtbot):
    make_watchdog()
    time.sleep(2.2)
    qtbot.waitUntil(lambda: len(notices) == 1)
    assert notices[0].level == "warning"
    assert notices[0].problem.plugin is None
    assert "test_watchdog.py" in notices[0].problem.what


def test_a_thread_that_keeps_python_to_itself_is_noticed(make_watchdog, notices, qtbot, monkeypatch):
    monkeypatch.setattr(watchdog_module, "GRAVE", 0.5)
    make_watchdog()

    def work():
        time.sleep(0.2)  # until the main thread waits for events
        for _ in range(4):
            hold_python(0.6)

    thread = threading.Thread(target=work, name="lab: greedy")
    thread.start()
    qtbot.wait(3000)
    thread.join()
    (notice,) = notices
    assert "test_watchdog.py, line " in notice.problem.what
    assert notice.problem.what.endswith("in the thread lab: greedy held it")
    assert "in hold_python" in notice.problem.trace


def test_an_incident_is_told_once_and_at_most_one_a_minute(make_watchdog, notices, qtbot, monkeypatch):
    monkeypatch.setattr(watchdog_module, "GRAVE", 0.5)
    make_watchdog()
    for _ in range(2):
        time.sleep(0.6)
        qtbot.wait(250)
    assert len(notices) == 1
    monkeypatch.setattr(watchdog_module, "REST", 0.0)
    time.sleep(0.6)
    qtbot.waitUntil(lambda: len(notices) == 2)


def test_the_gaps_between_beats_are_measured(make_watchdog, qtbot):
    watchdog = make_watchdog()
    watchdog.measure()
    qtbot.wait(300)
    gaps = watchdog.gaps()
    assert len(gaps) > 10
    assert sorted(gaps)[len(gaps) // 2] == pytest.approx(10, abs=4)
    time.sleep(0.12)
    qtbot.wait(30)
    assert max(watchdog.gaps()) > 100
    watchdog.measure()
    assert watchdog.gaps() == []


def test_after_the_end_its_thread_is_gone(make_watchdog):
    watchdog = make_watchdog()
    watchdog.stop()
    assert "lab: watchdog" not in [thread.name for thread in threading.enumerate()]
