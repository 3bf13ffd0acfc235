"""The views of readings by the order of n-grams."""

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel

from lab.api import Reading


def test_orders_count_from_zero_and_their_mean_stands_beside_them(replacing, loads_of, text):
    T = len(text)
    shares = np.repeat(np.array([[0.1], [0.6], [0.3]], np.float32), T, axis=1)
    view = replacing([Reading("order", ("order", "token"), shares, None, units="share")])
    assert view.map.text_at(0, 0).startswith("order 0 ·")
    assert loads_of(view) == pytest.approx([0.1, 0.6, 0.3])


@pytest.mark.parametrize(
    ("shares", "longest"), [([1, 1, 1, 1, 1], "4 tokens"), ([1, 1, np.nan, np.nan], "1 token"), ([1, 1, 1], "2 tokens")]
)
def test_shares_that_are_all_1_are_explained_instead_of_drawn(replacing, shares, longest):
    view = replacing([Reading("contexts covered", ("order",), np.array(shares, np.float32), None, units="share")])
    (sentence,) = [one.text() for one in view.findChildren(QLabel) if one.isVisible() and one.text()]
    assert f"up to {longest}:" in sentence
    assert "so the longest decides" in sentence
    assert not view.bars.isVisible()


@pytest.mark.parametrize("shares", [[1, 1, 0.9], [1, np.nan], [0.5, 0.5]])
def test_shares_of_orders_that_say_more_are_bars(replacing, shares):
    view = replacing([Reading("contexts covered", ("order",), np.array(shares, np.float32), None, units="share")])
    assert view.bars.isVisible()


def test_numbers_of_n_grams_are_bars_even_if_all_are_1(replacing):
    assert replacing([Reading("n-grams seen", ("order",), np.ones(5, np.float32), None)]).bars.isVisible()


def test_continuations_of_the_longest_counted_context_are_listed_with_counts(replacing, text):
    counts = np.zeros((4, 30), np.int64)
    counts[1, [3, 7]], counts[2, [7, 5]] = (90, 10), (6, 2)
    view = replacing([Reading("followed by", ("order", "vocabulary"), counts, units="sightings")])
    view.symbol = "zyxwvutsrq".__getitem__
    view.show_readings([Reading("followed by", ("order", "vocabulary"), counts, units="sightings")], text)
    assert [(bar.name, *bar.figures) for bar in view.bars.list.rows()] == [("s", "6", "75 %"), ("u", "2", "25 %")]
    view._choice.show_value("1")
    view._on_choice("1")
    assert [(bar.name, *bar.figures) for bar in view.bars.list.rows()] == [("w", "90", "90 %"), ("s", "10", "10 %")]


def test_a_context_that_was_never_counted_is_reported(replacing):
    counts = np.zeros((2, 30), np.int64)
    view = replacing([Reading("followed by", ("order", "vocabulary"), counts)])
    assert any("No symbol occurs" in one.text() for one in view.findChildren(QLabel) if one.isVisible())
