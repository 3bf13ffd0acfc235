"""Every reading has a view that fits its axes, with menus, tool tips and keys."""

from itertools import combinations, permutations

import numpy as np
import pytest
import torch
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from lab.api import Reading
from lab.api.readings import AXES
from lab.diagnostics.heads import UNITS, _on_text
from lab.widgets.core.card import Card
from lab.widgets.core.theme import themes
from lab.widgets.readings.head_scores import HeadScoresView, largest_cells
from lab.widgets.readings.heads import HeadsView, head_duties, without_future
from lab.widgets.readings.lens import LensView
from lab.widgets.readings.lines import LinesView
from lab.widgets.readings.maps import BarsView, GeneralView, NumberView
from lab.widgets.readings.points import PointsView
from lab.widgets.readings.views import ReadingView, reading_id, title_of_id, view_for

TEXT = tuple("KING: I have the grace\nto speak")
T = len(TEXT)
SIZES = {"batch": 1, "head": 3, "channel": 12, "unit": 20, "state": 5, "expert": 4, "partner": 4, "vocabulary": 30,
         "order": 6, "source": 9, "layer": 4, "writer": 6, "lag": 12, "bin": 9, "component": 3,
         "quantity": 2}  # fmt: skip
ANY_AXES = [
    axes for count in range(4) for axes in permutations(AXES, count) if "batch" not in axes or axes[0] == "batch"
]
UNLIKE = [axis for axis in AXES if axis not in ("unit", "state", "writer", "key", "vocabulary", "partner")]
"""Axes of every kind that has a view of its own."""
FEW_AXES = [(), *((axis,) for axis in AXES), *combinations(AXES, 2), *combinations(UNLIKE, 3)]


def values_along(axes, seed=0):
    shape = [SIZES.get(axis, T) for axis in axes]
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def attention(heads=4, tokens=T):
    scores = np.random.default_rng(0).normal(size=(heads, tokens, tokens))
    query, key = np.arange(tokens)[:, None], np.arange(tokens)
    scores[0] += np.where(key == query - 1, 6, 0)
    scores[1] += np.where(key == 0, 7, 0)
    scores[2] += np.where(key == query, 7, 0)
    weights = np.exp(scores) * (key <= query)
    return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)


@pytest.fixture
def card(qtbot):
    """Put a view of some readings into a card and show it."""

    cards = []

    def show(readings, labels=TEXT, size=(1000, 600)):
        view = view_for(readings[0].axes)()
        made = Card(title_of_id(reading_id(readings[0])))
        qtbot.addWidget(made)
        cards.append(made)
        made.set_content(view)
        for option in view.options:
            made.add_control(option)
        made.resize(*size)
        view.show_readings(readings, labels)
        with qtbot.waitExposed(made):
            made.show()
        return view

    yield show
    cards.clear()


def sentence_of(view):
    return [words.text() for words in view.findChildren(QLabel) if words.isVisible() and words.text()]


@pytest.fixture
def heads(card):
    return card([Reading("attention", ("head", "query", "key"), attention(), 0)])


@pytest.mark.parametrize(
    ("axes", "kind"),
    [
        ((), NumberView),
        (("channel",), BarsView),
        (("batch", "token"), BarsView),
        (("query", "key"), HeadsView),
        (("batch", "head", "query", "key"), HeadsView),
        (("head", "token", "source"), HeadsView),
        (("token", "channel"), GeneralView),
        (("head", "token", "state"), GeneralView),
        (("something", "new"), GeneralView),
        (("quantity", "lag"), LinesView),
        (("lag", "head"), LinesView),
        (("bin",), LinesView),
        (("quantity", "layer", "bin"), LinesView),
        (("quantity", "token"), LinesView),
        (("token", "component"), PointsView),
        (("layer", "quantity", "token"), LensView),
        (("quantity", "layer", "head"), HeadScoresView),
        (("quantity", "unit"), BarsView),
    ],
)
def test_the_axes_choose_the_view(axes, kind):
    assert view_for(axes) is kind


@pytest.mark.long
@pytest.mark.parametrize("mode", ["dark", "light"])
@pytest.mark.parametrize("first", [None, *AXES], ids=lambda axis: axis or "none")
def test_every_reading_of_up_to_three_axes_is_shown_small_and_large(qtbot, first, mode):
    themes.choose(mode)
    kinds = [axes for axes in ANY_AXES if axes[:1] == (() if first is None else (first,))]
    assert_all_are_shown(qtbot, kinds, ((330, 220), (1000, 600)))


@pytest.mark.parametrize(
    ("count", "mode", "size"), [(2, "light", (700, 400)), pytest.param(3, "dark", (330, 220), marks=pytest.mark.long)]
)
def test_readings_of_axes_that_differ_in_kind_are_shown(qtbot, count, mode, size):
    themes.choose(mode)
    assert_all_are_shown(qtbot, [axes for axes in FEW_AXES if max(2, len(axes)) == count], [size])


def assert_all_are_shown(qtbot, kinds, sizes):
    views = {kind: kind() for kind in {view_for(axes) for axes in kinds}}
    for view in views.values():
        qtbot.addWidget(view)
        view.setProperty("role", "ground")
        view.resize(*sizes[0])
        view.show()
    for axes in kinds:
        view = views[view_for(axes)]
        view.show_readings([Reading("any", axes, values_along(axes), 0)], TEXT)
        for size in sizes:
            view.resize(*size)
            assert not view.grab().isNull()
            assert view.body.isVisible(), axes


@pytest.mark.parametrize("mode", ["dark", "light"])
@pytest.mark.parametrize("size", [(330, 220), (1000, 600)])
@pytest.mark.parametrize(
    "axes",
    [(), ("token",), ("head", "query", "key"), ("token", "channel"), ("token", "expert"), ("order", "token"),
     ("head", "token", "state"), ("batch", "unit", "vocabulary")],
    ids=" ".join,
)  # fmt: skip
def test_each_kind_of_view_draws_in_a_card(card, axes, size, mode):
    themes.choose(mode)
    view = card([Reading("any", axes, values_along(axes), 0)], size=size)
    image = view.grab().toImage()
    colours = {image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}
    assert len(colours) > 2


@pytest.mark.parametrize(
    ("values", "axes", "said"),
    [
        (np.full((4, 4), np.nan), ("token", "channel"), "finite"),
        (np.full((2, 3, 3), np.nan), ("head", "query", "key"), "finite"),
        (np.zeros((0, 8)), ("token", "channel"), "empty"),
        (np.zeros((0, 5)), ("batch", "token"), "empty"),
        (np.zeros(0), ("unit",), "empty"),
        (np.zeros((2, 2, 2, 2)), ("head", "token", "unit", "state"), "axes"),
        (np.float32("nan"), (), "finite"),
    ],
)
def test_a_reading_that_cannot_be_drawn_is_named_in_a_message(card, values, axes, said):
    view = card([Reading("gates", axes, values, 0)])
    (sentence,) = sentence_of(view)
    assert said in sentence
    assert "gates" in sentence


def test_a_view_without_readings_shows_a_message(card):
    view = card([Reading("gates", ("unit",), np.ones(3), 0)])
    view.show_readings([], ())
    assert len(sentence_of(view)) == 1


@pytest.mark.parametrize("dtype", [bool, np.int64, np.float16, np.float64])
def test_numbers_of_any_kind_are_drawn(card, dtype):
    view = card([Reading("any", ("token", "unit"), np.eye(T, 5).astype(dtype), 0)])
    assert view.map.text_at(2, 2).endswith(" 1")


def test_layers_are_listed_in_order_and_the_selected_one_is_shown(card):
    readings = [Reading("size", (), np.float32(layer or 7), layer) for layer in (2, None, 1)]
    view = card(readings)
    assert view.layers() == [None, 1, 2]
    view.set_layer(2)
    assert view.number.text() == "2"
    view.set_layer(9)
    assert view.number.text() == "7"


def test_the_layer_stays_chosen_when_other_readings_come(card):
    view = card([Reading("size", (), np.float32(layer), layer) for layer in (1, 2)])
    view.set_layer(2)
    view.show_readings([Reading("size", (), np.float32(layer * 10), layer) for layer in (1, 2)], TEXT)
    assert view.number.text() == "20"


def test_one_row_of_the_batch_needs_no_choice_and_several_have_one(card):
    view = card([Reading("size", ("batch",), np.array([3.0]), 0)])
    assert not any(option.isVisible() for option in view.options)
    view.show_readings([Reading("size", ("batch",), np.array([3.0, 4.0]), 0)], TEXT)
    (choice,) = (option for option in view.options if option.isVisible())
    choice.menu().actions()[1].trigger()
    assert view.number.text() == "4"


# Heads


def test_a_click_on_a_small_map_makes_its_head_large(heads, qtbot):
    place = heads.strip.rect_of(2).center().toPoint()
    qtbot.mouseClick(heads.strip.heads, Qt.MouseButton.LeftButton, pos=place)
    assert heads.title.full_text.startswith("block 1 · head 3")
    assert heads.map.text_at(5, 5).endswith(f"{attention()[2, 5, 5]:.3g} share")


def test_a_clear_pattern_of_a_head_is_described(heads):
    reported = head_duties(attention(), True)
    assert reported[0].endswith("on the previous token")
    assert reported[1].endswith("on the first token")
    assert reported[2].endswith("on itself")
    assert reported[3].endswith("bits of entropy")


def test_the_described_share_is_the_mean_weight(heads):
    weights = attention()[0]
    mean = np.mean([weights[row, row - 1] for row in range(1, T)])
    assert head_duties(attention(), True)[0].startswith(f"{mean:.2f} ")


def test_the_entropy_of_a_head_is_that_of_its_score(heads):
    entropy, *_ = _on_text(torch.from_numpy(attention())[None])
    assert head_duties(attention(), True)[3] == f"{entropy[3].item():.1f} bits of entropy"
    heads._on_head_picked(3)
    assert "bits of entropy over tokens 2–" in heads.title.full_text


def test_a_click_on_a_row_follows_its_token_in_words_and_in_the_text(heads, qtbot):
    qtbot.mouseClick(heads.map, Qt.MouseButton.LeftButton, pos=heads.map.rect_of(10, 3).center().toPoint())
    assert heads.followed.full_text.startswith("“v” 11 reads “a” 10 (")
    before = heads.text.tokens.grab().toImage()
    qtbot.mouseClick(heads.map, Qt.MouseButton.LeftButton, pos=heads.map.rect_of(20, 3).center().toPoint())
    assert heads.text.tokens.grab().toImage() != before


def test_a_click_on_a_token_of_the_text_follows_it(heads, qtbot):
    place = heads.text.tokens.rects[4].center().toPoint()
    qtbot.mouseClick(heads.text.tokens, Qt.MouseButton.LeftButton, pos=place)
    assert heads.map.selection == (4, -1)
    assert heads.followed.full_text.startswith("“:” 5 reads")


def test_the_last_token_is_followed_at_first(heads):
    assert heads.map.selection[0] == T - 1


def test_cells_that_no_token_can_read_are_masked(heads):
    assert "nothing here" in heads.map.text_at(3, 4)
    assert "nothing here" not in heads.map.text_at(4, 3)


def test_maps_that_read_both_ways_are_not_masked():
    both = np.full((2, 4, 4), 0.25, np.float32)
    assert not np.isnan(without_future(both)).any()


def test_queries_that_follow_a_cache_are_masked_from_their_own_place():
    masked = without_future(np.array([[[0.5, 0.5, 0], [0.2, 0.3, 0.5]]], np.float32))
    assert np.isnan(masked)[0].tolist() == [[False, False, True], [False, False, False]]


def test_the_root_scale_can_be_left(heads, qtbot):
    (root,) = (option for option in heads.options if option.text() == "√ scale")
    assert heads.map.scale.root
    qtbot.mouseClick(root, Qt.MouseButton.LeftButton)
    assert not heads.map.scale.root


def test_head_and_followed_token_stay_while_readings_come(heads):
    heads.strip.heads.picked.emit(3)
    heads.map.select(7, -1)
    heads.show_readings([Reading("attention", ("head", "query", "key"), attention(), 0)], TEXT)
    assert heads.title.full_text.startswith("block 1 · head 4")
    assert heads.map.selection[0] == 7


def test_the_large_map_is_nearly_as_tall_as_its_card(heads):
    cells = heads.map.rect_of(T - 1, 0).bottom() - heads.map.rect_of(0, 0).top()
    assert cells > 0.65 * 600


def test_one_map_without_heads_has_the_room_alone(card):
    view = card([Reading("mixing", ("query", "key"), attention()[0], 0)])
    assert not view.strip.isVisible()
    assert view.map.width() > 900
    assert "head" not in view.title.full_text


def test_keys_of_a_second_text_are_numbered(card):
    view = card([Reading("cross", ("query", "source"), np.random.default_rng(0).random((T, 9)), 0)])
    assert view.map.text_at(0, 8).startswith("query 1 “K” · source 9 ·")
    assert not view.text.isVisible()


def test_axes_in_another_order_show_the_same(card):
    view = card([Reading("attention", ("key", "query", "head"), attention().T, 0)])
    assert view.map.text_at(9, 8) == card([Reading("attention", ("head", "query", "key"), attention(), 0)]).map.text_at(
        9, 8
    )


# Others


@pytest.mark.parametrize("axes", [("token", "channel"), ("channel", "token")])
def test_tokens_run_from_left_to_right_and_channels_from_top_to_bottom(card, axes):
    values = values_along(axes)
    view = card([Reading("residual", axes, values, 0)])
    value = values[5, 2] if axes[0] == "token" else values[2, 5]
    assert view.map.text_at(2, 5) == f"channel 3 · token 6 “␣” · {value:.3g}".replace("-", "−")


def test_the_row_that_is_chosen_is_seen_in_the_text(card, qtbot):
    view = card([Reading("residual", ("token", "channel"), values_along(("token", "channel")), 0)])
    qtbot.mouseClick(view.map, Qt.MouseButton.LeftButton, pos=view.map.rect_of(7, 1).center().toPoint())
    assert view.followed.full_text.startswith("strongest in this row: channel 8 ·")
    assert view.text.tokens.values.tolist() == values_along(("token", "channel"))[:, 7].tolist()


def test_a_thousand_channels_are_shown_in_a_small_card(card):
    view = card([Reading("residual", ("token", "channel"), np.ones((T, 1000)), 0)], size=(330, 220))
    assert view.map.text_at(999, 0).startswith("channel 1000")
    assert view.map.rect_of(999, 0).bottom() <= view.map.height()


def test_a_third_axis_is_a_choice(card):
    values = values_along(("head", "token", "state"))
    view = card([Reading("state", ("head", "token", "state"), values, 0)])
    choice = next(option for option in view.options if option.isVisible() and option.text().startswith("head"))
    choice.menu().actions()[2].trigger()
    assert view.map.text_at(1, 4).endswith(f"{values[2, 4, 1]:.3g}".replace("-", "−"))
    assert choice.text() == "head 3 ▾"


def test_the_title_is_the_name_and_the_module_where_several_report_it():
    one = Reading("attention", ("head", "query", "key"), None, 0, "blocks.0.token")
    other = Reading("attention", ("head", "query", "key"), None, 0, "blocks.0.cross")
    next_layer = Reading("attention", ("head", "query", "key"), None, 1, "blocks.1.token")
    assert title_of_id(reading_id(one, [one, next_layer])) == "Attention"
    assert title_of_id(reading_id(one, [one, other])) == "Attention · token"
    assert title_of_id(reading_id(Reading("decay_rate", ("channel",), None))) == "Decay rate"


def test_every_part_of_a_view_has_an_accessible_name(heads):
    for part in (heads.map, heads.strip, heads.strip.heads, heads.text, *heads.options):
        assert part.accessibleName()


def test_a_custom_view_draws_its_readings(qtbot):
    class Largest(ReadingView):
        def show_values(self, values, axes, unit):
            self.said = f"{values.max():g} {unit} along {axes[0]}"

    view = Largest()
    qtbot.addWidget(view)
    view.show_readings([Reading("norm", ("batch", "token"), np.array([[1.0, 5.0]]), 0, units="nats")], ("a", "b"))
    assert view.said == "5 nats along token"


# ---- the quantities of heads


@pytest.fixture
def scores(card):
    """Show the scores of the heads of two blocks."""
    values = np.array([[[1.25, 0.5], [2.0, 1.0]], [[9.66, 10.0], [3.0, 1.5]]], np.float32)
    coordinates = {"quantity": ("entropy", "mean distance"), "layer": ("1", "2")}
    axes = ("quantity", "layer", "head")
    return card([Reading("head scores", axes, values, coordinates=coordinates, quantity_units=UNITS)])


def test_a_quantity_of_a_plugin_has_the_unit_that_it_declares(card):
    values, names = np.full((2, 2, 2), 0.001, np.float32), {"quantity": ("time", "share")}
    reading = Reading("timing", ("quantity", "layer", "head"), values, coordinates=names, quantity_units={"time": "s"})
    view = card([reading])
    assert view.map.text_at(0, 0).endswith("0.001 s")
    view._choice.pick("1")
    assert view.map.text_at(0, 0).endswith("0.001")


def test_the_width_of_a_card_does_not_depend_on_the_selected_quantity(scores):
    widths = set()
    for choice in ("0", "1"):
        scores._choice.show_value(choice)
        scores._on_choice(choice)
        widths.add((scores._choice.minimumSizeHint().width(), scores._choice.sizeHint().width()))
    assert len(widths) == 1


def test_mean_distance_has_its_unit_and_one_decimal_everywhere(scores):
    scores._choice.show_value("1")
    scores._on_choice("1")
    assert scores.map.text_at(0, 0) == "block 1 · head 1 · 9.7 tokens back"
    assert scores.map._texts[0][0] == ["9.7", "10.0"]
    assert scores.map._unit == "tokens back"


def test_every_row_of_scores_can_be_read_in_the_least_height(card):
    values, axes = np.full((1, 8, 4), 0.5, np.float32), ("quantity", "layer", "head")
    view = card([Reading("head scores", axes, values, coordinates={"quantity": ("induction",)})], size=(500, 700))
    card_of_view = view.window()
    card_of_view.resize(500, card_of_view.minimumSizeHint().height())
    assert view.map.rect_of(0, 0).height() >= 19


def test_the_axes_of_scores_are_named_at_any_size(scores):
    scores.map.resize(400, 100)
    assert scores.map._is_named(scores.map.height(), scores.map.width())
    assert (scores.map._row_name, scores.map._column_name) == ("block", "head")


def test_the_largest_score_is_outlined_and_named(scores):
    scores._choice.pick("1")
    assert scores.map.marked == (0, 1)
    assert scores.followed.full_text == "largest (dashed): block 1 · head 2 · 10.0 tokens back"


def test_heads_that_are_equal_within_rounding_are_not_ranked(card):
    values = np.array([[1.2341, 0.5], [1.2342, np.nan]], np.float32)
    view = card([Reading("head scores", ("quantity", "layer", "head"), values[None],
                         coordinates={"quantity": ("entropy",)}, quantity_units={"entropy": "bits"})])  # fmt: skip
    assert view.map.marked == (-1, -1)
    assert view.followed.full_text == "largest: 1.2, equal in 2 cells within rounding"
    assert largest_cells(values, None) == [(0, 0), (1, 0)]
    assert largest_cells(values, 4) == [(1, 0)]
    assert largest_cells(np.full((2, 2), np.nan), None) == []


@pytest.mark.parametrize(
    ("layers", "maps", "named"),
    [(("1", "2"), ("mean", "mean size"), "block 1 · map mean size · 2.0 bits"), (("",), ("map",), "map · 2.0 bits")],
)
def test_maps_that_are_no_heads_are_not_called_so(card, layers, maps, named):
    values = np.zeros((1, len(layers), len(maps)), np.float32)
    values[0, 0, -1] = 2
    coordinates = {"quantity": ("entropy",), "layer": layers, "head": maps}
    axes, units = ("quantity", "layer", "head"), {"entropy": "bits"}
    view = card([Reading("map scores", axes, values, coordinates=coordinates, quantity_units=units)])
    assert view.followed.full_text == f"largest (dashed): {named}"


def test_the_menu_of_scores_says_that_it_selects_a_measure(scores):
    assert scores._choice.text() == "measure: entropy ▾"


def test_scores_say_on_how_many_tokens_they_are_measured_and_what_even_attention_has(scores):
    uniform = torch.tril(torch.ones(T, T))
    entropy, distance, *_ = _on_text((uniform / uniform.sum(-1, keepdim=True))[None, None])
    for choice, value in (("0", f"{entropy.item():.1f} bits"), ("1", f"{distance.item():.1f} tokens back")):
        scores._choice.pick(choice)
        expected = f"on this text of {T} tokens alone · uniform attention: {value}"
        assert scores.basis.text() == expected


def test_a_reading_with_a_unit_of_its_own_keeps_three_digits_whatever_the_unit(card):
    values = np.array([[1.234, 0.5], [2.0, 9.66]], np.float32)
    view = card([Reading("surprise", ("layer", "head"), values, units="bits")])
    assert view.map.text_at(0, 0) == "block 1 · head 1 · 1.23 bits"


def test_maps_of_models_without_heads_are_named_in_neutral_words(card):
    view = card([Reading("mixing", ("query", "key"), attention()[0], layer) for layer in (0, 1)])
    assert (view.map._row_name, view.map._column_name) == ("reading token", "read token")
    assert [action.text() for action in view._blocks.menu().actions()] == ["maps of the block", "maps of all blocks"]
    groups = {"head": ("mean", "slow", "fast", "first")}
    grouped = card([Reading("mixing", ("head", "query", "key"), attention(), 0, coordinates=groups)])
    assert (grouped.map._row_name, grouped.map._column_name) == ("reading token", "read token")


def test_maps_of_heads_keep_the_words_of_attention(heads):
    assert heads.map._row_name.startswith("query")
