"""The table of decoding without a window: lines over one setting, progress, and the time left."""

import pytest

from lab.base.jobs import Job
from lab.shell.play.measure import model as module
from lab.shell.play.measure.model import Measuring, line_of
from lab.workbench.scoring.degeneration import Measures, Row, Table


def rows(**perplexities):
    return [Row(name, Measures(value, 0, 0, 0, 0, 0, 0, 0), ()) for name, value in perplexities.items()]


ROWS = rows(**{
    "greedy": 1.5, "sampling": 22.7, "temperature=0.9": 10.2, "top-k=40": 6.9, "top-k=640": 13.8,
    "top-k=40,temperature=0.7": 3.5, "top-p=0.95": 13.1, "beam-search=16": 1.5,
})  # fmt: skip


@pytest.mark.parametrize(
    ("parameter", "points"),
    [
        ("temperature", [(0.0, 1.5), (0.9, 10.2), (1.0, 22.7)]),
        ("top-k", [(1.0, 1.5), (40.0, 6.9), (640.0, 13.8)]),
        ("top-p", [(0.95, 13.1), (1.0, 22.7)]),
    ],
)
def test_a_line_has_the_rows_of_one_filter_and_the_ends_that_stand_for_it(parameter, points):
    assert line_of(ROWS, parameter, "perplexity") == points


def test_the_time_left_follows_from_the_share_that_is_done(monkeypatch):
    now = [100.0]
    table = Table(ROWS[0].measures, ("a",), ("b",), 5, 1)
    seen = []

    def degeneration_table(_access, _settings, *, progress, report, **_options):
        report(table)
        assert measuring.left is None
        now[0] += 10
        progress(0.25, "greedy")
        seen.append((measuring.left, measuring.setting, measuring.table))
        return table

    monkeypatch.setattr(module, "degeneration_table", degeneration_table)
    measuring = Measuring(None, None, texts=1, tokens=5, clock=lambda: now[0])
    measuring.work(Job("", lambda _job: None))
    assert measuring.table is table
    assert seen == [(pytest.approx(30.0), "greedy", table)]
