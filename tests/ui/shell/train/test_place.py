"""The place Train: what gives way where it is low."""

import pytest


@pytest.fixture
def low(open_window, until):
    """The smallest window in Train, with the cards below the loss."""
    window = open_window(size=(1100, 640))
    until(window.train.below.isVisible)
    return window


def test_beside_the_log_in_the_smallest_window_the_cards_below_give_their_room_to_the_loss(low, until):
    before = low.train.loss.height()
    low.show_log(True)
    until(low.train.below.isHidden)
    until(lambda: low.train.loss.height() > before)
    low.show_log(False)
    until(low.train.below.isVisible)


def test_cards_that_were_asked_for_stay_beside_the_log(low, until):
    low.show_log(True)
    until(low.train.below.isHidden)
    low.train.toggle_below()
    low.show_log(False)
    low.show_log(True)
    until(low.docks.log.isVisible)
    assert low.train.below.isVisible()
