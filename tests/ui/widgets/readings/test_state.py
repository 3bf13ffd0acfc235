"""The card of a state: quantities by token one at a time, eigenvalues in the plane, memory by lag."""

import math

import numpy as np
import pytest
from PySide6.QtCore import Qt

from lab.api import Reading
from lab.widgets.maps.complex_plane import MOST, Plane
from lab.widgets.readings.state import LEAST, STATE_AXES, StateView, readings_of_state
from lab.widgets.readings.views import view_for

TEXT = tuple("reads a text")
WHERE = (1, "blocks.1.token")


def reading(name, axes, values, quantity=(), layer=1):
    places = {"quantity": quantity} if quantity else {}
    return Reading(name, axes, np.asarray(values, np.float32), layer, f"blocks.{layer}.token", None, places)


def step_size(layer=1, size=0.5):
    return reading("step size", ("token", "channel"), np.full((12, 6), size), layer=layer)


STATE_NORM = reading("state norm", ("token", "head"), np.arange(24).reshape(12, 2))
EIGENVALUES = reading("eigenvalues", ("quantity", "state"), [[0.5, 0.0, -1.0], [0.0, 0.9, 0.0]], ("real", "imaginary"))
INFLUENCE = reading("influence by lag", ("quantity", "lag"), [0.5 ** np.arange(9)], ("influence",))
RECALL = reading("recall by lag", ("quantity", "lag"), np.ones((2, 9)), ("recalled", "chance"))
ALL = [step_size(0, 0.25), step_size(), STATE_NORM, EIGENVALUES, INFLUENCE, RECALL]


@pytest.fixture
def view(qtbot):
    made = StateView()
    qtbot.addWidget(made)
    made.resize(900, 400)
    made.show()
    made.show_readings(ALL, TEXT)
    return made


def choose(button, words):
    next(action for action in button.menu().actions() if action.text() == words).trigger()


def test_the_state_of_a_layer_is_one_card_without_the_residual_stream():
    stream = reading("residual", ("token", "channel"), np.ones((12, 6)))
    assert readings_of_state([*ALL, stream]) == ALL
    assert readings_of_state([step_size(0), step_size(1)]) == []  # of one kind: it has a card of its own
    assert readings_of_state([EIGENVALUES]) == [EIGENVALUES]
    assert view_for(STATE_AXES) is StateView


def test_the_panes_are_high_enough_to_be_read_where_the_card_is_low(view):
    view.resize(480, 100)
    assert view.least_height == LEAST
    assert view.body.minimumHeight() == LEAST
    assert view.minimumSizeHint().height() >= LEAST


def test_a_quantity_is_chosen_and_its_view_follows_its_axes(view):
    view.set_layer(1)
    assert view._along.currentWidget() is view.map
    assert view.map.view.map.text_at(2, 4).endswith("0.5")
    choose(view._quantity, "State norm")
    assert view._along.currentWidget() is view.lines
    assert [line.long_name for line in view.lines.view.chart._lines] == ["head 1", "head 2"]
    choose(view._quantity, "Step size")
    view.set_layer(0)
    assert view.map.view.map.text_at(2, 4).endswith("0.25")


def test_a_block_offers_what_it_has_itself(view):
    only = reading("write strength", ("token", "head"), np.ones((12, 2)), layer=2)
    view.show_readings([*ALL, only], TEXT)
    view.set_layer(2)
    assert view._quantity.value == "write strength"
    assert not view.plane.isVisible()
    view.set_layer(1)
    assert [action.text() for action in view._quantity.menu().actions()] == ["Step size", "State norm"]


def test_memory_by_lag_is_a_choice_of_its_own(view):
    view.set_layer(1)
    assert [line.long_name for line in view.reach.view.chart._lines] == ["influence"]
    choose(view._memory, "Recall by lag")
    assert [line.long_name for line in view.reach.view.chart._lines] == ["recalled", "chance"]


def test_parts_without_readings_take_no_room(view):
    view.show_readings([step_size(), STATE_NORM], TEXT)
    assert not view.plane.isVisible()
    assert not view.reach.isVisible()
    assert not view._memory.isVisibleTo(view)


def test_an_eigenvalue_is_drawn_at_its_position_with_its_half_life(qtbot, view):
    view.set_layer(1)
    plane = view.plane.view.plane
    assert plane.text_at(0) == "0.5 + 0 i · size 0.5 · half-life 1 tokens"
    assert "half-life" not in plane.text_at(2)  # of size 1: nothing fades
    room, right = plane._room(), plane.position_of(0)
    assert room.width() == pytest.approx(room.height())
    assert right.x() - room.center().x() == pytest.approx(0.5 * room.width() / 2.16, abs=1)
    assert room.center().y() - plane.position_of(1).y() == pytest.approx(0.9 * room.width() / 2.16, abs=1)
    qtbot.mouseClick(plane, Qt.MouseButton.LeftButton, pos=plane.position_of(1).toPoint())
    assert plane.selection == 1


def test_non_finite_and_surplus_eigenvalues_are_left_out(qtbot):
    plane = Plane()
    qtbot.addWidget(plane)
    angles = np.linspace(0, math.tau, MOST + 100, dtype=np.float32)
    values = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    values[3] = np.nan
    plane.set_values(values)
    assert len(plane._points) == MOST
    assert plane.left_out == 99
    assert np.isfinite(plane._points).all()


def test_the_selection_is_shown_in_the_pinned_view_too(qtbot, view):
    other = StateView()
    qtbot.addWidget(other)
    other.show_readings(ALL, TEXT)
    view.set_layer(1)
    choose(view._quantity, "State norm")
    choose(view._memory, "Recall by lag")
    other.choose_as(view)
    assert other.shown is not None
    assert other.shown.name == "state norm"
    assert [line.long_name for line in other.reach.view.chart._lines] == ["recalled", "chance"]
