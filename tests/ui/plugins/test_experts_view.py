"""The view of readings of experts other than those of the routing card."""

import numpy as np
import pytest

from lab.api import Reading
from lab.host import Plugins
from lab.shell.inspect.inspection_view import replacement

TEXT = tuple("KING: I have the grace\nto speak")
T = len(TEXT)
VIEWS = Plugins(safe_mode=True).cards("views")


@pytest.fixture
def card(qtbot):
    """Show readings in the view with which the plugin replaces that of the lab."""

    def show(readings):
        key = (readings[0].name, readings[0].axes)
        view = VIEWS[replacement(key, VIEWS)].make()
        qtbot.addWidget(view)
        view.resize(1000, 600)
        view.show_readings(readings, TEXT)
        with qtbot.waitExposed(view):
            view.show()
        return view

    return show


def loads_of(view):
    return view.row_bars(view._values).values.tolist()


def test_the_load_of_experts_is_their_part_of_all_weight_and_stands_beside_the_even_share(card):
    routing = np.zeros((T, 4), np.float32)
    routing[:, 1], routing[:8, 1], routing[:8, 3] = 1, 0, 1
    view = card([Reading("routing", ("token", "expert"), routing, 0, units="share")])
    assert loads_of(view) == pytest.approx([0, (T - 8) / T, 0, 8 / T])
    assert view.row_bars(view._values).ideal == 0.25


def test_experts_by_logits_are_loaded_by_the_tokens_that_prefer_them(card):
    logits = np.full((4, T), -1.0, np.float32)
    logits[2] = 1
    view = card([Reading("router", ("expert", "token"), logits, 0)])
    assert loads_of(view) == [0, 0, 1, 0]
