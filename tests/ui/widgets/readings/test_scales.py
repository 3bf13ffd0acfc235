"""Readings along lags, bins, components, layers and quantities: lines, points, a table of symbols, named choices."""

import csv
import io

import numpy as np
import pytest
from PySide6.QtCore import Qt

from lab.api import Reading
from lab.widgets.core.card import Card
from lab.widgets.figures.csv_table import csv_of
from lab.widgets.figures.script import script_of
from lab.widgets.figures.view import ExportButton
from lab.widgets.readings.lines import by_weight, lines_of, spans_decades, stairs
from lab.widgets.readings.views import reading_id, title_of_id, view_for

TEXT = tuple("KING: I have the grace")
T = len(TEXT)
QUANTITIES = ("choice", "KL to the end", "rank of the truth")


@pytest.fixture
def card(qtbot):
    """Show a reading in its view, in a card."""
    cards = []

    def show(name, axes, values, size=(900, 500), **more):
        reading = Reading(name, axes, np.asarray(values, np.float32), more.pop("layer", 0), **more)
        view, made = view_for(axes)(), Card(title_of_id(reading_id(reading)))
        view.symbol = lambda number: "abcdefghij"[number]
        qtbot.addWidget(made)
        cards.append(made)
        made.set_content(view)
        for option in view.options:
            made.add_control(option)
        made.resize(*size)
        view.show_readings([reading], TEXT)
        with qtbot.waitExposed(made):
            made.show()
        return view

    yield show
    cards.clear()


def choose(menu, words):
    """Choose an entry of a menu button."""
    next(action for action in menu.menu().actions() if action.text() == words).trigger()


def exported(view):
    """Return the CSV rows that the visible export button of a view writes; its script must compile."""
    (button,) = (option for option in view.options if isinstance(option, ExportButton) and option.isVisible())
    figure = button.view.exported().figure
    compile(script_of(figure), "script", "exec")
    assert figure.draw().axes
    return list(csv.reader(io.StringIO(csv_of(figure))))


# Lines


@pytest.fixture
def vanishing(card):
    lags = np.arange(40)
    values = np.stack([0.8**lags, 0.9**lags])
    return card("gradient by lag", ("quantity", "lag"), values, coordinates={"quantity": ("measured", "bound")})


def test_a_line_stands_for_each_quantity_over_the_lag_and_a_bound_is_dashed(vanishing):
    measured, bound = vanishing.chart._lines
    assert (measured.name, measured.dashes) == ("measured", 0)
    assert (bound.name, bound.dashes > 0) == ("bound", True)
    assert measured.x[0] == 0
    assert vanishing.chart._scene.axes.x.startswith("lag")


def test_values_over_decades_are_logarithmic_by_default(vanishing, qtbot):
    assert vanishing.log.isChecked()
    assert vanishing.chart._scene.axes.y_log
    qtbot.mouseClick(vanishing.log, Qt.MouseButton.LeftButton)
    assert not vanishing.chart._scene.axes.y_log
    vanishing.show_readings([vanishing.shown], TEXT)
    assert not vanishing.log.isChecked()


@pytest.mark.parametrize(
    ("values", "decades"), [([1, 200], True), ([1, 50], False), ([0, 200], False), ([-1, 200], False), ([], False)]
)
def test_only_positive_values_far_apart_span_decades(values, decades):
    assert spans_decades(np.array(values, np.float32)) is decades


def test_a_histogram_has_a_step_for_each_bin_at_its_place(card):
    places = {"quantity": ("q·k / √D", "q·k"), "bin": (-1.0, 0.0, 1.0)}
    view = card("score histogram", ("quantity", "bin"), [[1, 2, 1], [2, 1, 2]], coordinates=places)
    line = view.chart._lines[0]
    assert line.x.tolist() == [-1.5, -0.5, -0.5, 0.5, 0.5, 1.5]
    assert line.y.tolist() == [1, 1, 2, 2, 1, 1]


def test_a_single_bin_is_one_step():
    assert [one.tolist() for one in stairs(np.array([3.0]), np.array([7.0]))] == [[2.5, 3.5], [7, 7]]


def test_of_many_lines_the_highest_are_labelled_and_all_are_described():
    names = [f"head {n}" for n in range(30)]
    lines = lines_of(names, [(np.arange(2.0), np.array([0.0, n])) for n in range(30)])
    assert [line.name for line in lines if line.name] == names[-16:]
    assert [line.long_name for line in lines] == names


def test_the_selected_line_comes_first_and_then_those_that_end_farthest_from_zero():
    rows = [np.array([0.0, end]) for end in (1.0, -9.0, np.nan, 4.0)]
    assert by_weight(rows) == [1, 3, 0, 2]
    assert by_weight(rows, selected=2) == [2, 1, 3, 0]


def test_two_quantities_of_each_token_stand_over_the_text(card):
    view = card(
        "permutation", ("quantity", "token"), np.ones((2, T)), coordinates={"quantity": ("as it is", "without")}
    )
    assert [line.name for line in view.chart._lines] == ["as it is", "without"]
    assert view.chart._scene.format_position(5.2) == "token 5 “:”"


def test_lines_are_exported_by_their_names(vanishing):
    rows = exported(vanishing)
    assert {row[1] for row in rows[1:]} == {"measured", "bound"}


def test_lines_take_the_colours_of_another_theme(vanishing):
    from lab.widgets.core.theme import LIGHT, themes

    themes.choose("light")
    assert vanishing.chart._lines[0].colour == LIGHT.runs[0]


# Points


@pytest.fixture
def states(card):
    values = np.stack([np.arange(T), np.arange(T) ** 2, np.zeros(T)], axis=1)
    return card("state components", ("token", "component"), values, coordinates={"component": ("42 %", "17 %", "9 %")})


def test_a_token_under_the_mouse_is_named(states, qtbot):
    place = states.points.position_of(5).toPoint()
    qtbot.mouseMove(states.points, place)
    assert states.points._hovered == 5
    assert states.points.text_at(5) == "token 6 “␣” · 5, 25"


def test_axes_of_points_are_the_first_two_components_with_their_shares(states):
    assert states.points._names == ("component 1 · 42 %", "component 2 · 17 %")


def test_a_click_on_a_point_and_one_on_its_token_follow_it(states, qtbot):
    qtbot.mouseClick(states.points, Qt.MouseButton.LeftButton, pos=states.points.position_of(7).toPoint())
    assert states.text.tokens.followed == 7
    place = states.text.tokens.rects[3].center().toPoint()
    qtbot.mouseClick(states.text.tokens, Qt.MouseButton.LeftButton, pos=place)
    assert states.points.selection == 3
    qtbot.keyClick(states.points, Qt.Key.Key_Right)
    assert states.points.selection == 4
    assert "token 5" in states.points.accessibleDescription()


def test_points_are_exported_with_their_tokens(states):
    rows = exported(states)
    assert rows[0][2:] == ["component 1 · 42 %", "component 2 · 17 %"]
    assert rows[2] == ["2", "I", "1", "1"]


@pytest.mark.parametrize("values", [np.full((T, 2), 3.0), np.ones((T, 1)), np.where(np.eye(T, 2), np.nan, 1.0)])
def test_points_on_one_place_one_component_and_missing_ones_are_drawn(card, values):
    view = card("states", ("token", "component"), values)
    assert not view.grab().isNull()
    assert view.body.isVisible()


# The lens


@pytest.fixture
def lens(card):
    rng = np.random.default_rng(0)
    values = np.stack([np.tile(np.arange(T) % 10, (3, 1)), rng.random((3, T)), rng.integers(1, 9, (3, T))])
    places = {"quantity": QUANTITIES, "layer": ("embedding", "1", "2")}
    return card("logit lens", ("quantity", "layer", "token"), values, layer=None, coordinates=places)


def test_cells_of_the_lens_show_the_symbol_and_are_coloured_by_the_chosen_quantity(lens):
    values = np.asarray(lens.shown.values)
    assert "“h”" in lens.map.text_at(1, 7 - lens._first)
    assert lens.map.text_at(1, 7 - lens._first).endswith(f"{values[1, 1, 7]:.3g} KL to the end")
    choose(lens._choice, "rank of the truth")
    assert lens.map.text_at(1, 7 - lens._first).endswith(f"{values[2, 1, 7]:.3g} rank of the truth")
    assert [action.text() for action in lens._choice.menu().actions()] == ["KL to the end", "rank of the truth"]


def test_a_click_on_a_token_follows_the_predictions_of_every_block(lens, qtbot):
    place = lens.text.tokens.rects[4].center().toPoint()
    qtbot.mouseClick(lens.text.tokens, Qt.MouseButton.LeftButton, pos=place)
    assert lens.followed.full_text.startswith("“:” 5: embedding “e” (")
    assert lens.followed.full_text.count("→") == 2
    assert lens._first + lens.map.selection[1] == 4


def test_tokens_around_the_followed_one_are_shown_if_space_is_limited(lens, qtbot):
    lens.window().resize(420, 400)
    assert len(lens.map._columns) < T
    place = lens.text.tokens.rects[0].center().toPoint()
    qtbot.mouseClick(lens.text.tokens, Qt.MouseButton.LeftButton, pos=place)
    assert lens._first == 0
    assert lens.map._column_name.endswith(f"of {T}")


def test_the_numbers_of_the_lens_over_the_training_are_those_of_the_followed_token(lens):
    names, numbers = lens.numbers_of(lens.shown)
    assert names == ["embedding", "block 1", "block 2"]
    assert numbers.tolist() == np.asarray(lens.shown.values)[1, :, T - 1].tolist()


# Choices, places, symbols


def test_quantities_are_chosen_by_their_names_and_each_has_its_own_scale(card):
    values = np.stack([np.full((2, 3), 4.0), np.full((2, 3), 0.5)])
    values[1, 1, 2] = 0.9
    view = card("head scores", ("quantity", "layer", "head"), values, layer=None,
                coordinates={"quantity": ("entropy", "induction")})  # fmt: skip
    assert view._choice.text() == "measure: entropy ▾"
    assert view.map.scale.high == 4
    choose(view._choice, "induction")
    assert view.map.scale.high == pytest.approx(0.9)
    assert view.map.text_at(1, 2) == "block 2 · head 3 · 0.9"
    assert view.map._texts[0][1] == ["0.5", "0.5", "0.9"]


def test_limits_of_other_moments_count_for_each_quantity(card):
    values = np.ones((2, 2, 3))
    view = card("head scores", ("quantity", "layer", "head"), values, layer=None,
                coordinates={"quantity": ("entropy", "induction")})  # fmt: skip
    view.set_limits({("head scores", None): [(0.0, 7.0), (0.0, 2.0)]})
    view.show_readings([view.shown], TEXT)
    assert view.map.scale.high == 7
    choose(view._choice, "induction")
    assert view.map.scale.high == 2


def test_places_name_rows_and_columns(card):
    heads = tuple(f"{layer}.{head}" for layer in (1, 2) for head in (1, 2))
    view = card("composition", ("quantity", "head", "writer"), np.random.default_rng(0).random((3, 4, 4)),
                coordinates={"quantity": tuple("QKV"), "head": heads, "writer": heads})  # fmt: skip
    assert view.map.text_at(3, 0).startswith("head 2.2 · writer 1.1 ·")


def test_bars_of_a_quantity_are_chosen_by_its_name(card):
    view = card("saturation", ("quantity", "unit"), [[0.1, 0.2], [0.3, 0.4]],
                coordinates={"quantity": ("below 0.1", "above 0.9")})  # fmt: skip
    choose(view._choice, "above 0.9")
    assert view.bars.text_at(1) == "unit 2 · 0.4"


def test_numbers_of_symbols_are_shown_as_the_symbols(card):
    assert card("guess", (), 3, units="token").number.text() == "d"
    assert "“c”" in card("guess", ("layer", "token"), np.full((2, T), 2), units="token").map.text_at(0, 0)
    assert card("guess", ("layer",), [1, 4], units="token").bars.text_at(1).startswith("block 2 · e")


# One unit and the text


@pytest.fixture
def cells(card):
    values = np.zeros((T, 30), np.float32)
    values[:, 4], values[:, 9] = np.linspace(-0.1, 0.1, T), 5.0
    return card("cell", ("token", "unit"), values)


def test_a_unit_chosen_by_its_number_colours_the_text_about_zero_on_its_own_scale(cells, qtbot):
    assert cells.number.field.text() == "10"
    cells.number.field.selectAll()
    qtbot.keyClicks(cells.number.field, "5")
    qtbot.keyClick(cells.number.field, Qt.Key.Key_Return)
    assert cells.map.selection[0] == 4
    scale = cells.text.tokens.scale
    assert scale.signed
    assert (scale.low, scale.high) == (pytest.approx(-0.1), pytest.approx(0.1))


def test_a_click_on_the_map_chooses_the_unit_of_the_field(cells, qtbot):
    qtbot.mouseClick(cells.map, Qt.MouseButton.LeftButton, pos=cells.map.rect_of(17, 3).center().toPoint())
    assert cells.number.field.text() == "18"


def test_the_arrow_keys_go_from_unit_to_unit(cells, qtbot):
    qtbot.keyClick(cells.number.field, Qt.Key.Key_Up)
    assert cells.map.selection[0] == 10
    qtbot.keyClick(cells.number.field, Qt.Key.Key_Down)
    assert cells.map.selection[0] == 9


@pytest.mark.parametrize("typed", ["0", "31", ""])
def test_a_number_that_no_unit_has_changes_nothing(cells, qtbot, typed):
    cells.number.field.selectAll()
    qtbot.keyClicks(cells.number.field, typed or "7")
    if not typed:
        cells.number.field.clear()
    cells.number.field.clearFocus()
    cells.number.field.editingFinished.emit()
    assert cells.map.selection[0] == 9
    assert cells.number.field.text() == "10"


def test_few_rows_need_no_field(card):
    assert not card("order", ("order", "token"), np.ones((5, T)) / 5).number.isVisible()
