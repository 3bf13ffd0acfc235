"""The tour: offered once, six pointers at the real widgets, and out of the way at any time."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication

from lab.base.settings import read_section
from lab.shell.tour.controller import stop_texts


@pytest.fixture
def home(open_window):
    """Open a window at its first start."""
    return open_window(place=None)


def pointed_at(window):
    """Return the rectangle that the tour frames."""
    return window.tour._frame.geometry()


def test_the_tour_is_offered_on_home_until_it_has_led_through_six_places_beside_their_widgets(home, click, until):
    assert home.home.tour.isVisible()
    assert home.tour.pointer is None  # it never starts by itself
    click(home.home.tour)
    pointer = home.tour.pointer
    assert pointer.accessibleName() == "Tour, 1 of 6"
    assert pointer.accessibleDescription().startswith("Three ways to start. Watch a small model")
    assert "1 of 6" in pointer.next.accessibleDescription()
    places, sides, positions = [], [], []
    for _ in range(6):
        pointer = home.tour.pointer
        places.append(home.place)
        sides.append(pointer.side)
        positions.append(pointer._count.text())
        assert home.rect().contains(pointer.geometry())
        body = pointer.geometry().adjusted(10, 10, -10, -10)
        assert not body.intersects(pointed_at(home).adjusted(2, 2, -2, -2))
        click(pointer.next)
    assert places == ["home", "train", "train", "train", "inspect", "play"]
    assert positions[0] == "1 of 6"
    assert positions[-1] == "6 of 6"
    assert all(sides)
    assert home.tour.pointer.isHidden()
    assert home.place == "home"
    assert home.home.tour.isHidden()
    until(lambda: read_section("tour") == {"taken": True})


@pytest.mark.long
def test_a_finished_tour_is_not_offered_again_but_stays_in_help(home, open_window, click, until):
    click(home.home.tour)
    click(home.tour.pointer.skip)
    assert home.home.tour.isHidden()
    until(lambda: read_section("tour") == {"taken": True})
    other = open_window(place=None)
    assert other.home.tour.isHidden()
    next(action for action in other.commands.all() if action.command.key == "help.tour").trigger()
    assert other.tour.pointer.isVisible()
    other.tour.end()


def test_the_keyboard_goes_on_and_back_and_esc_skips_wherever_the_focus_is(home, click, qtbot):
    click(home.home.tour)
    pointer = home.tour.pointer
    assert QApplication.focusWidget() is pointer.next
    qtbot.keyClick(pointer.next, Qt.Key.Key_Return)
    assert pointer._count.text() == "2 of 6"
    assert QApplication.focusWidget() is pointer.next
    qtbot.keyClick(pointer.next, Qt.Key.Key_Backtab)
    assert QApplication.focusWidget() is pointer.back
    qtbot.keyClick(pointer.back, Qt.Key.Key_Return)
    assert pointer._count.text() == "1 of 6"
    assert not pointer.back.isEnabled()
    qtbot.keyClick(home._centre, Qt.Key.Key_Escape)
    assert home.tour.pointer.isHidden()
    assert home.place == "home"


@pytest.mark.long
def test_the_pointer_follows_its_widget_has_no_arrow_without_it_and_leaves_the_window_to_be_used(home, click, until):
    click(home.home.tour)
    click(home.tour.pointer.next)
    home.resize(1100, 640)

    def follows():
        panel = home.draft_panel
        there = QRect(panel.mapTo(home, panel.rect().topLeft()), panel.size())
        return pointed_at(home).contains(there) and home.rect().contains(home.tour.pointer.geometry())

    until(follows)
    home.resize(1600, 1000)
    until(follows)
    home.docks.side.hide()
    until(lambda: home.tour.pointer.side == "")
    assert home.tour._frame.isHidden()
    assert home.rect().contains(home.tour.pointer.geometry())
    click(home.tour.pointer.next)
    assert home.tour.pointer.side == "below"
    home.show_place("data")
    assert home.place == "data"
    assert home.tour.pointer.isVisible()


def test_the_tour_calls_the_form_as_its_panel_does(german):
    assert stop_texts("Start")["form"][0] == "Nächster Lauf"


@pytest.mark.long
def test_the_stop_at_the_button_says_what_the_button_says_while_a_run_trains(running, until):
    window = running()
    window.tour.start()
    pointer = window.tour.pointer
    for _ in range(2):
        pointer.next.click()
    assert pointer.accessibleDescription().startswith("Pause. This button, or the space bar, pauses")
    window.top.start.click()
    until(lambda: window.top.start.text() == "Resume")
    until(lambda: pointer.accessibleDescription().startswith("Resume. "))
    window.tour.end()
