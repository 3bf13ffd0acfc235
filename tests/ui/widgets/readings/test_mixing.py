"""One card for the maps of all architectures: what layers read, and what affects each prediction, by row shares."""

import numpy as np
import pytest

from lab.api import Reading
from lab.widgets.readings.mixing import MIXING_AXES, MixingView, readings_of_mixing
from lab.widgets.readings.views import view_for

LABELS = tuple("abcd")
HEADS = np.tril(np.random.default_rng(0).random((2, 4, 4))).astype(np.float32)
MIXING = [Reading("mixing", ("head", "query", "key"), HEADS + layer, layer=layer) for layer in (0, 1)]
SIGNED = np.tril(np.array([[2, 0, 0, 0], [-1, 3, 0, 0], [0, 0, 0, 0], [5, -5, 5, 5]])).astype(np.float32)
INFLUENCE = Reading("influence", ("query", "key"), SIGNED)


@pytest.fixture
def view(qtbot):
    made = MixingView()
    qtbot.addWidget(made)
    made.resize(700, 500)
    made.show_readings([*MIXING, INFLUENCE], LABELS)
    made.show()
    return made


def choose(view, words):
    next(action for action in view._map.menu().actions() if action.text() == words).trigger()


def test_maps_of_every_name_are_of_one_card_where_a_layer_has_no_second_one():
    state = Reading("state", ("token", "unit"), np.zeros((4, 3)))
    second = Reading("mixing", ("query", "key"), SIGNED, layer=1, path="blocks.1.other")
    assert readings_of_mixing([state, *MIXING, INFLUENCE]) == [*MIXING, INFLUENCE]
    assert readings_of_mixing([*MIXING, second]) == MIXING[:1]
    assert readings_of_mixing([Reading("mixing", ("query", "source"), SIGNED)]) == []
    assert view_for(MIXING_AXES) is MixingView


def test_the_exact_map_by_block_is_shown_first(view):
    assert view.shown is MIXING[0]
    view.set_layer(1)
    assert view.shown is MIXING[1]
    np.testing.assert_array_equal(view.heads._values, HEADS + 1)
    assert view._rows.isHidden()


def test_influence_is_shown_as_shares_of_each_row_with_their_signs_and_on_demand_as_it_is(view):
    choose(view, "influence")
    by_row = np.nan_to_num(view.heads._values[0])
    np.testing.assert_allclose(np.abs(by_row).sum(-1), [1, 1, 0, 1])
    np.testing.assert_allclose(by_row[1, :2], [-0.25, 0.75])
    view._rows.click()
    np.testing.assert_array_equal(np.nan_to_num(view.heads._values[0]), SIGNED)


def test_a_temporarily_missing_map_is_shown_again(view):
    choose(view, "influence")
    view.show_readings(MIXING, LABELS)
    assert view.shown is MIXING[0]
    assert view._map.isHidden()
    view.show_readings([*MIXING, INFLUENCE], LABELS)
    assert view.shown.name == "influence"


@pytest.fixture
def pair(view, qtbot):
    """The view of a model, and one of a model without an exact map that has read the first three tokens."""
    other = MixingView()
    qtbot.addWidget(other)
    read = Reading("influence", ("query", "key"), SIGNED[:3, :3])
    view.set_comparison([read], LABELS[:3])
    other.set_comparison([*MIXING, INFLUENCE], LABELS)
    other.show_readings([read], LABELS[:3])
    return view, other


def test_two_views_show_the_map_that_both_have_of_the_tokens_that_both_have_read(pair):
    assert [view.shown.name for view in pair] == ["influence", "influence"]
    assert [view.heads._values.shape for view in pair] == [(1, 3, 3), (1, 3, 3)]
    pair[0].set_comparison([], ())
    assert (pair[0].shown.name, pair[0].heads._values.shape) == ("mixing", (2, 4, 4))


def test_tokens_of_another_text_are_not_paired(pair):
    pair[0].set_comparison([INFLUENCE], tuple("axcd"))
    assert pair[0].heads._values.shape == (1, 4, 4)


def test_a_map_of_only_one_view_can_be_selected_and_the_other_explains_what_to_do(pair):
    view, other = pair
    choose(view, "what a layer reads")
    other.choose_as(view)
    assert view.shown.name == "mixing"
    assert "choose influence" in other._sentence.text()
    assert [action.text() for action in other._map.menu().actions()] == ["what a layer reads", "influence"]
    choose(view, "influence")
    view._rows.click()
    other.choose_as(view)
    assert not other._rows.isChecked()
    np.testing.assert_array_equal(other.heads._values, view.heads._values)
