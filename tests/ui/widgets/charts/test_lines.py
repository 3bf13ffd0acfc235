"""A curve reads its values once, however often the visible range changes."""

import numpy as np

from lab.base.charts.downsampling import WORTH, Blocks
from lab.base.charts.transform import Frame
from lab.widgets.charts.lines import Curve, Line

MANY = 300_000
COLUMNS = 100


def frame(x0, x1):
    return Frame(x0, x1, -200.0, 200.0, left=50, top=20, width=COLUMNS, height=400)


def test_no_zoom_of_a_long_line_reads_all_its_values(qtbot, monkeypatch):
    x, y = np.arange(1.0, MANY + 1), np.random.default_rng(0).normal(size=MANY)
    looked, real = [], Blocks.extremes
    monkeypatch.setattr(Blocks, "extremes", lambda self, *given: (looked.append(len(given[0])), real(self, *given))[1])
    curve = Curve()
    curve.take(Line("a", "a", "#4da3ff", x, y), False, False)
    for number in range(5):
        curve.arrange(frame(0, MANY - number * 1000), COLUMNS)
    assert MANY > WORTH * COLUMNS
    assert len(looked) == 4  # not for the first look, which a growing line has alone
    assert max(looked) <= COLUMNS
