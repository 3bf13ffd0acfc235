"""A line drawn through few of its points keeps the extremes of every column."""

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.base.charts.extremes import extreme_indices


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=3000), st.integers(1, 50))
@settings(max_examples=30, deadline=None)
def test_no_column_of_a_curve_loses_its_least_or_largest_value(numbers, columns):
    values = np.array(numbers)
    x = np.arange(len(values), dtype=float)
    found = extreme_indices(x, values, columns)
    assert np.all(np.diff(found) > 0)
    edges = np.linspace(0, len(values) - 1, columns + 1)
    edges[-1] = len(values)  # the last column holds the last value too
    for low, high in pairwise(edges):
        inside = values[(x >= low) & (x < high)]
        if len(inside):
            shown = values[found[(found >= low) & (found < high)]]
            assert (shown.min(), shown.max()) == (inside.min(), inside.max())
