"""At every zoom the painted path has the extremes of what is in sight, and is the same with blocks as without."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.base.charts.downsampling import SIZE, Blocks, visible_points
from lab.base.charts.transform import Frame

MANY = 300_000
COLUMNS = 100


def made(kind, count=MANY):
    """A noisy line with rare spikes: x and y; with gaps or on a logarithmic axis."""
    draws = np.random.default_rng(count)
    x, y = np.arange(1.0, count + 1), draws.normal(size=count)
    y[draws.integers(0, count, max(1, count // 5000))] *= 50
    if kind == "gaps":
        y[draws.random(count) < 0.3] = np.nan
        y[count // 3 : count // 2] = np.nan
    return (np.log10(x) if kind == "log" else x), y


LINES = {kind: (*made(kind), Blocks(made(kind)[1], complete=kind != "gaps")) for kind in ("even", "gaps", "log")}


def frame(x0, x1):
    return Frame(x0, x1, -200.0, 200.0, left=50, top=20, width=COLUMNS, height=400)


def values(down, sight):
    return sight.y0 + (sight.bottom - down) * (sight.y1 - sight.y0) / sight.height


def extremes(y):
    return (np.nanmin(y), np.nanmax(y)) if np.isfinite(y).any() else (np.nan, np.nan)


@pytest.mark.parametrize("kind", LINES)
@given(st.floats(0, 0.999), st.floats(-5, 0))
def test_at_any_zoom_the_extremes_of_what_is_in_sight_are_painted(kind, begin, share):
    x, y, blocks = LINES[kind]
    x0 = x[0] + begin * (x[-1] - x[0])
    sight = frame(x0, x0 + 10**share * (x[-1] - x[0]))
    across, down, reduced = visible_points(x, y, sight, COLUMNS, blocks)
    inside = y[(x >= sight.x0) & (x <= sight.x1)]
    beyond = slice(int((x < sight.x0).any()), -1 if (x > sight.x1).any() else None)  # one point at each end
    there = values(down[beyond], sight)
    assert np.allclose(extremes(there), extremes(inside), atol=1e-9, equal_nan=True)
    assert reduced == (len(across) < np.count_nonzero((x >= sight.x0) & (x <= sight.x1)))
    assert len(across) <= max(4 * COLUMNS + 2, len(inside) if not reduced else 0) + 2


@pytest.mark.parametrize("kind", LINES)
@given(st.floats(0, 0.9), st.floats(-1.5, 0.2))
def test_with_blocks_the_very_same_is_painted(kind, begin, share):
    x, y, blocks = LINES[kind]
    x0 = x[0] + begin * (x[-1] - x[0])
    sight = frame(x0, x0 + 10**share * (x[-1] - x[0]))
    with_blocks, without = visible_points(x, y, sight, COLUMNS, blocks), visible_points(x, y, sight, COLUMNS)
    for one, other in zip(with_blocks, without, strict=True):
        assert np.array_equal(one, other, equal_nan=True)


@given(st.lists(st.one_of(st.floats(-1e9, 1e9), st.just(np.nan)), min_size=1, max_size=5 * SIZE), st.data())
def test_the_extremes_of_any_stretch_are_those_of_its_values(given_values, data):
    y = np.array(given_values)
    start = data.draw(st.integers(0, len(y) - 1))
    end = data.draw(st.integers(start + 1, len(y)))
    blocks = Blocks(y, complete=bool(np.isfinite(y).all()))
    least, largest = blocks.extremes(np.array([start]), np.array([end]))
    assert np.array_equal([least[0], largest[0]], extremes(y[start:end]), equal_nan=True)
