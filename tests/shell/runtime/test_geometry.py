"""The window, with its frame, is always on a screen."""

import pytest

from lab.shell.runtime.geometry import Box, Frame, fitted

FIRST, SMALLEST = (1600, 1000), (1100, 640)
FRAME = Frame(2, 30, 2, 4)
LAPTOP, DESK = Box(0, 0, 1366, 768), Box(0, 0, 1920, 1080)


def fit(previous, *screens, frame=FRAME):
    return fitted(previous and Box(*previous), screens, frame, FIRST, SMALLEST)


def test_at_the_first_start_on_a_small_screen_the_title_bar_is_on_it():
    assert fit(None, LAPTOP)[0] == Box(2, 30, 1362, 734)


def test_at_the_first_start_on_a_large_screen_the_window_is_in_its_centre():
    assert fit(None, DESK, frame=Frame())[0] == Box(160, 40, 1600, 1000)


def test_a_panel_of_the_desktop_is_left_free():
    assert fit(None, Box(0, 40, 1366, 728))[0].top == 70


def test_a_title_bar_that_is_off_the_screen_is_brought_back():
    assert fit((100, 0, 1200, 700), DESK)[0] == Box(100, 30, 1200, 700)
    assert fit((-300, -200, 1200, 700), DESK)[0] == Box(2, 30, 1200, 700)


def test_a_window_on_a_screen_stays_as_it_was():
    assert fit((100, 90, 1200, 700), DESK)[0] == Box(100, 90, 1200, 700)


@pytest.mark.parametrize(
    ("wanted", "rooms", "given"),
    [
        ((3000, 200, 1200, 700), [(0, 0, 1920, 1080)], (720, 200, 1200, 700)),  # its screen is gone
        ((-900, -50, 1200, 700), [(0, 0, 1920, 1080)], (0, 0, 1200, 700)),
        ((0, 0, 4000, 3000), [(0, 0, 1920, 1080)], (0, 0, 1920, 1080)),
        ((10, 10, 200, 100), [(0, 0, 1920, 1080)], (10, 10, 1100, 640)),
        ((2000, 100, 1200, 700), [(0, 0, 1920, 1080), (1920, 0, 1600, 900)], (2000, 100, 1200, 700)),
        ((100, 100, 1200, 700), [(0, 0, 1024, 600)], (0, 0, 1024, 600)),  # a screen smaller than the smallest window
        ((5000, 5000, 1200, 700), [(0, 30, 1366, 738), (1366, 0, 1366, 768)], (166, 68, 1200, 700)),
    ],
)
def test_a_window_is_never_off_the_screen_nor_larger(wanted, rooms, given):
    found, smallest = fit(wanted, *(Box(*room) for room in rooms), frame=Frame())
    assert found == Box(*given)
    assert smallest == (min(SMALLEST[0], rooms[0][2]), min(SMALLEST[1], rooms[0][3]))
