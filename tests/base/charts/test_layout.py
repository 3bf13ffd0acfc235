"""Labels beside lines do not cover one another, and stand as near to their lines as they can."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lab.base.charts.layout import spread


@given(st.lists(st.floats(0, 1), max_size=20))
def test_rows_never_overlap_and_stay_in_order(wanted):
    placed = np.array(spread(wanted, 0.05, 0.0, 1.0))
    assert (np.diff(np.sort(placed)) >= 0.05 - 1e-9).all()
    assert (placed[np.argsort(wanted, kind="stable")] == np.sort(placed)).all()
    assert all(0.025 - 1e-9 <= middle <= 0.975 + 1e-9 for middle in placed)


def test_a_row_with_free_space_is_at_its_wanted_position():
    assert spread([0.2, 0.7], 0.1, 0.0, 1.0) == [0.2, 0.7]


def test_rows_wanted_at_one_position_are_placed_around_it():
    assert np.allclose(spread([0.5, 0.5], 0.1, 0.0, 1.0), [0.45, 0.55])
