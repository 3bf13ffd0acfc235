"""The curve of the learning rate says what it shows in words and as a table."""

import pytest

from lab.shell.recipe.schedule.curve import LearningRateCurve
from lab.widgets.figures.csv_table import csv_of
from lab.widgets.figures.table import DataTable, FigureTable


@pytest.fixture
def curve(plain_window):
    """The curve of a run of 100 steps that warms up and decays, asked at three of them."""
    curve = LearningRateCurve()
    plain_window.setCentralWidget(curve)
    curve.show_rates([0.0, 0.002, 0.0005], 101)
    return curve


def test_its_sentence_names_its_ends_and_its_peak(curve):
    sentence = curve.sentence()
    assert sentence.startswith("Learning rate: learning rate over step")
    assert "3 points from step 1.00 to 101" in sentence
    assert "highest 0.00200 at 51.0" in sentence


def test_its_table_has_the_rate_of_each_step(curve):
    table = FigureTable(curve.exported().figure)
    assert [(table.cell(row, 2), table.cell(row, 3)) for row in range(table.rows)] == [
        ("1", "0"),
        ("51", "0.002"),
        ("101", "0.0005"),
    ]
    assert len(csv_of(curve.exported().figure).splitlines()) == 4
    curve.show_table()
    (shown,) = curve.window().findChildren(DataTable)
    assert shown.isVisible()


def test_it_is_drawn_on_paper_and_as_a_slide(curve):
    (axes,) = curve.exported().figure.draw().axes
    assert [len(line.get_xdata()) for line in axes.lines] == [3]
    assert not curve.exported().slide().isNull()


def test_without_rates_there_is_nothing_to_say(curve):
    curve.show_rates([], 0)
    assert curve.sentence() == ""
    assert curve.exported() is None
