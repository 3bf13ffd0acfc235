"""The window at a start: Home is shown first, and the rest is made between events, or when a person needs it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from lab.shell.runtime.window_state import change_section


@pytest.fixture
def at_home(open_window):
    """Open a window that shows Home and has made nothing else."""

    def at_home(**options):
        window = open_window(gradually=True, ready=False, place=None, **options)
        assert window.place == "home"
        assert not window.making.is_finished
        return window

    return at_home


def test_home_is_shown_before_the_other_places_are_made_and_the_session_begins_after_that(at_home, qtbot):
    window = at_home()
    assert window.home.isVisible()
    assert not hasattr(window, "train")
    qtbot.waitUntil(lambda: window.making.is_finished)
    assert window.place == "home"
    assert window.home.isVisible()
    assert not any(dock.isVisible() for dock in (window.docks.runs, window.docks.side, window.docks.log))
    qtbot.waitUntil(lambda: window.session.warm_up.ready)


def test_a_click_on_a_place_that_is_not_made_opens_it(at_home):
    window = at_home()
    button = window.top.place_button("train")
    place = button.mapTo(window, button.rect().center())
    QTest.mouseClick(window.windowHandle(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert window.place == "train"
    assert window.train.isVisible()
    assert window.docks.side.isVisible()


@pytest.mark.long
def test_a_shortcut_of_a_command_that_is_not_registered_works(at_home, qtbot):
    window = at_home()
    qtbot.waitActive(window)
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert window.command_palette.isVisible()


@pytest.mark.long
def test_files_of_a_second_start_are_opened_by_a_complete_window(at_home, tmp_path, qtbot):
    text = tmp_path / "story.txt"
    text.write_text("once upon a time there was a cat. " * 50)
    window = at_home()
    window.take_files([str(text)])
    qtbot.waitUntil(lambda: window.session.draft.recipe.corpus.name == "file")


@pytest.mark.long
def test_a_window_that_is_left_early_closes(at_home, qtbot):
    window = at_home()
    with qtbot.waitSignal(window.closed):
        window.leave()


@pytest.mark.long
def test_a_window_that_is_closed_early_closes(at_home, qtbot):
    window = at_home()
    with qtbot.waitSignal(window.closed):
        window.close()


@pytest.mark.long
def test_a_window_that_opens_elsewhere_is_made_whole(open_window):
    change_section("window", lambda _: {"version": 1, "place": "data"})
    window = open_window(gradually=True, ready=False, place=None)
    assert window.place == "data"
    assert window.making.is_finished
