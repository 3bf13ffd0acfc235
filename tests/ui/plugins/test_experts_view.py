"""The view of readings of experts other than those of the routing card."""

import numpy as np
import pytest

from lab.api import Reading


def test_the_load_of_experts_is_their_part_of_all_weight_and_stands_beside_the_even_share(replacing, loads_of, text):
    T = len(text)
    routing = np.zeros((T, 4), np.float32)
    routing[:, 1], routing[:8, 1], routing[:8, 3] = 1, 0, 1
    view = replacing([Reading("routing", ("token", "expert"), routing, 0, units="share")])
    assert loads_of(view) == pytest.approx([0, (T - 8) / T, 0, 8 / T])
    assert view.row_bars(view._values).ideal == 0.25


def test_experts_by_logits_are_loaded_by_the_tokens_that_prefer_them(replacing, loads_of, text):
    T = len(text)
    logits = np.full((4, T), -1.0, np.float32)
    logits[2] = 1
    view = replacing([Reading("router", ("expert", "token"), logits, 0)])
    assert loads_of(view) == [0, 0, 1, 0]
