"""The tour without a window: the order of its stops, and the position of its panel."""

import pytest

from lab.shell.runtime.geometry import Box
from lab.shell.tour.model import EDGE, STOPS, TourModel, placement

WINDOW = (1100, 640)


def test_the_stops_are_shown_in_order_and_after_the_last_the_tour_ends():
    tour, seen = TourModel(), []
    tour.start()
    while tour.stop is not None:
        seen.append(tour.stop)
        tour.next()
    assert seen == list(STOPS)
    assert len(seen) == 6


def test_back_goes_to_the_stop_before_and_stays_at_the_first():
    tour = TourModel()
    tour.start()
    tour.next()
    tour.back()
    tour.back()
    assert tour.stop == STOPS[0]


def test_without_a_tour_next_and_back_do_nothing():
    tour = TourModel()
    tour.next()
    tour.back()
    assert tour.stop is None


@pytest.mark.parametrize(
    ("target", "side"),
    [
        (Box(20, 100, 1060, 250), "below"),
        (Box(820, 60, 270, 560), "left"),
        (Box(10, 60, 60, 560), "right"),
        (Box(100, 560, 900, 70), "above"),
        (Box(0, 0, 1100, 640), ""),
        (None, ""),
    ],
)
def test_the_panel_stands_where_there_is_space_and_never_over_its_widget(target, side):
    found = placement(target, 360, 160, WINDOW, 30)
    panel = Box(found.left, found.top, 360, 160)
    assert found.side == side
    assert panel.overlap(Box(0, 0, *WINDOW)) == 360 * 160
    if side:
        assert panel.overlap(target) == 0


def test_the_arrow_points_at_the_middle_of_a_small_widget_in_a_corner():
    found = placement(Box(1000, 10, 80, 30), 360, 160, WINDOW, 30)
    assert found.left + 360 == 1100 - EDGE
    assert found.left + found.tip == 1040
