"""The state of the window is restored, and the window is always on a screen."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QLabel, QMainWindow

from lab.base.folders import settings_file
from lab.base.settings import change_section, read_settings
from lab.shell.runtime import window_state as memory_module
from lab.shell.runtime.geometry import Frame
from lab.shell.runtime.window_state import WindowState
from lab.widgets.core.appearance import Appearance


@pytest.fixture
def make_window(qtbot):
    def make():
        window = QMainWindow()
        window.setCentralWidget(QLabel("centre"))
        window.dock = QDockWidget("Log", window)
        window.dock.setObjectName("log")
        window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, window.dock)
        qtbot.addWidget(window)
        return window

    return make


class Screen:
    def __init__(self, *room):
        self.room = QRect(*room)

    def availableGeometry(self):
        return self.room


@pytest.fixture
def screens(monkeypatch):
    """Replace the screens of the machine; the first one is the primary screen."""

    class Machine:
        found = ()

        @classmethod
        def screens(cls):
            return list(cls.found)

        @classmethod
        def primaryScreen(cls):
            return cls.found[0]

    monkeypatch.setattr(memory_module, "QGuiApplication", Machine)

    def have(*rooms):
        Machine.found = tuple(Screen(*room) for room in rooms)

    have((0, 0, 1920, 1080))
    return have


def loaded():
    memory = WindowState()
    memory.load()
    return memory


def test_the_first_start_uses_the_defaults(reported):
    memory = loaded()
    assert (memory.place, memory.appearance, memory.recent, memory.splitter("train")) == ("", Appearance(), [], None)
    assert reported == []


def test_the_stored_state_is_restored(make_window, screens):
    memory, window = WindowState(), make_window()
    memory.place, memory.appearance = "inspect", Appearance(theme="light", type_size=150, projector=True)
    memory.selected, memory.shown = "a run", ["another run"]
    memory.draft, memory.options = {"name": "quick start"}, {"loss": {"unit": "bits", "log_x": True}}
    memory.remember_splitter("train", [300, 200])
    memory.remember_file(Path("/texts/a.txt"))
    window.setGeometry(50, 60, 1200, 700)
    window.dock.hide()
    memory.store(window)

    later, again = loaded(), make_window()
    later.place_window(again)
    later.restore_docks(again)
    assert (later.place, later.appearance, later.splitter("train")) == ("inspect", memory.appearance, [300, 200])
    assert later.recent == [str(Path("/texts/a.txt").absolute())]
    assert (later.selected, later.shown, later.draft) == ("a run", ["another run"], {"name": "quick start"})
    assert later.options == {"loss": {"unit": "bits", "log_x": True}}
    assert again.geometry() == QRect(50, 60, 1200, 700)
    assert again.dock.isHidden()


def test_a_state_that_was_stored_before_there_were_sizes_of_type_keeps_its_theme(reported):
    change_section("window", lambda _: {"version": 1, "theme": "light"})
    assert loaded().appearance == Appearance(theme="light")
    assert reported == []


def test_a_maximized_window_remembers_its_size_from_before(make_window, screens):
    memory, window = WindowState(), make_window()
    window.setGeometry(50, 60, 1200, 700)
    window.showMaximized()
    memory.store(window)
    again = make_window()
    loaded().place_window(again)
    assert again.isMaximized()
    assert again.normalGeometry() == QRect(50, 60, 1200, 700)


def test_recent_files_are_listed_latest_first_and_once():
    memory = WindowState()
    for name in [*"abcdefghijkl", "c"]:
        memory.remember_file(Path(f"/{name}"))
    assert [Path(path).name for path in memory.recent] == list("clkjihgfed")


def test_a_restored_window_fits_the_available_screen(make_window):
    change_section("window", lambda _: {"version": 1, "geometry": [90_000, 90_000, 50_000, 50_000]})
    window = make_window()
    loaded().place_window(window)
    assert QGuiApplication.primaryScreen().availableGeometry().contains(window.geometry())


def test_at_the_first_start_the_window_leaves_room_for_its_frame(make_window, screens):
    screens((0, 0, 1366, 768))
    window = make_window()
    loaded().place_window(window)
    assert window.geometry().top() >= 30
    assert window.geometry().bottom() < 768


def test_a_shown_window_whose_frame_is_off_the_screen_is_brought_back(make_window, screens, monkeypatch):
    screens((0, 0, 1366, 768))
    window, state = make_window(), loaded()
    state.place_window(window)
    window.show()
    monkeypatch.setattr(memory_module, "_frame_of", lambda _: Frame(1, 50, 1, 5))
    state.bring_back(window)
    assert window.geometry() == QRect(1, 50, 1364, 713)


def test_a_window_that_was_resized_stays_where_it_is(make_window, screens):
    screens((0, 0, 1366, 768))
    window, state = make_window(), loaded()
    state.place_window(window)
    window.setGeometry(5, 5, 1500, 900)
    window.show()
    state.bring_back(window)
    assert window.geometry() == QRect(5, 5, 1500, 900)


@pytest.mark.parametrize(
    "damaged",
    [
        "nonsense",
        [1, 2],
        {"version": 2, "place": "train"},
        {"version": 1, "geometry": [1, 2, 3]},
        {"version": 1, "geometry": [1, 2, 3, 10**12]},
        {"version": 1, "theme": "pink"},
        {"version": 1, "type_size": 1000},
        {"version": 1, "splitters": {"train": ["wide"]}},
        {"version": 1, "docks": "no base64 ä"},
        {"version": 1, "unknown": 1},
    ],
)
def test_a_damaged_section_is_renamed_and_the_defaults_are_used(damaged, reported):
    change_section("other", lambda _: {"kept": True})
    content = json.loads(settings_file().read_text())
    settings_file().write_text(json.dumps({**content, "window": damaged}))
    memory = loaded()
    assert (memory.place, memory.appearance, memory.splitter("train")) == ("", Appearance(), None)
    (problem,) = reported
    assert problem.field == "window"
    assert "window.damaged" in problem.remedy
    damaged_section = read_settings()["window.damaged"]
    assert damaged in (damaged_section, damaged_section.get("content"))
    assert read_settings()["other"] == {"kept": True}


def test_invalid_docks_leave_the_window_unchanged(make_window):
    change_section("window", lambda _: {"version": 1, "docks": "bm9uc2Vuc2U="})
    window = make_window()
    loaded().restore_docks(window)
    assert not window.dock.isHidden()


def test_a_failed_write_becomes_a_notice(make_window, reported, lab_home):
    lab_home.parent.mkdir(parents=True, exist_ok=True)
    lab_home.write_text("a file stands where the folder should be")
    WindowState().store(make_window())
    (problem,) = reported
    assert "cannot write" in problem.what
