"""A map shows an array as it is: every cell in its colour, labels that never touch, and the chosen cell."""

import base64
import re
from itertools import pairwise

import numpy as np
import pyqtgraph
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from lab.api import Reading
from lab.base.charts.colours import SIGNED, VIRIDIS, table_of
from lab.base.charts.ticks import round_values
from lab.interop.report.maps import pictures as report_pictures
from lab.interop.report.maps import range_of
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.theme import THEMES, contrast, themes
from lab.widgets.maps.bars import Bars
from lab.widgets.maps.colours import Scale, figure, picture, scale_of, shrunk, ticks_of
from lab.widgets.maps.head_strip import SMALLEST, HeadStrip, side_in
from lab.widgets.maps.layout import fitting, readable
from lab.widgets.maps.map import MapView
from lab.widgets.maps.margins import RowBars
from lab.widgets.maps.token_row import TokenStrip

TEXT = "KING: I have the grace\nto speak"
TOKENS = tuple(map(glyphs, TEXT))
NUMBERS = tuple(str(number) for number in range(1, 129))
BOTH = pytest.mark.parametrize("mode", ["dark", "light"])


@pytest.fixture
def shown(qtbot):
    """Show a widget at a size on a card's ground."""

    hosts = []

    def show(widget, width=600, height=400):
        host = QWidget()
        hosts.append(host)
        host.setProperty("role", "ground")
        qtbot.addWidget(host)
        widget.setParent(host)
        host.resize(width, height)
        widget.setGeometry(0, 0, width, height)
        with qtbot.waitExposed(host):
            host.show()
        widget.show()
        return widget

    yield show
    hosts.clear()


def filled(view, values, rows=None, columns=None, **named):
    rows = rows or tuple(map(str, range(1, len(values) + 1)))
    columns = columns or tuple(map(str, range(1, values.shape[1] + 1)))
    view.set_map(values, rows, columns, **{"row_name": "row", "column_name": "column", **named})
    return view


def colour_at(widget, place):
    return widget.grab().toImage().pixelColor(place.toPoint()).name()


def colour_of(view, row, column):
    return colour_at(view, view.rect_of(row, column).center())


def expected(scale, value):
    packed = int(scale.colours(np.array([value], np.float32), themes.now)[0])
    return f"#{packed & 0xFFFFFF:06x}"


# Colours


def test_unsigned_values_run_through_viridis():
    ours = table_of(VIRIDIS).astype(int)
    theirs = pyqtgraph.colormap.get("viridis").getLookupTable(nPts=len(ours))[:, :3].astype(int)
    assert np.abs(ours - theirs).max() <= 3


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_signed_colours_are_symmetric_about_zero_and_zero_is_near_the_background(theme):
    table = [f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in table_of(SIGNED[theme.scheme])]
    away = [contrast(colour, theme.panel) for colour in table]
    middle = len(table) // 2
    assert away[middle] < (2.0 if theme.is_high_contrast else 1.6)
    rounded = 0.01
    assert all(one <= further + rounded for one, further in pairwise(away[middle:]))
    assert all(one >= nearer - rounded for one, nearer in pairwise(away[: middle + 1]))
    assert min(away[0], away[-1]) > 5


def test_signed_colours_are_distinguishable_for_the_colour_blind():
    for anchors in SIGNED.values():
        table = table_of(anchors).astype(int)
        assert (table[:100, 2] > table[:100, 0]).all()
        assert (table[-100:, 2] < table[-100:, 0]).all()


def test_the_report_colours_a_map_as_the_window_does():
    values = np.linspace(0, 3, 24, dtype=np.float32).reshape(4, 6)
    reading = Reading("share", ("token", "channel"), values)
    encoded = re.search('base64,([^"]+)"', str(report_pictures(reading, range_of([reading])))).group(1)
    report = QImage.fromData(base64.b64decode(encoded)).convertToFormat(QImage.Format.Format_ARGB32)
    window = picture(values, scale_of(values), themes.now)
    cells = [(x, y) for x in range(6) for y in range(4)]
    assert [report.pixel(*cell) for cell in cells] == [window.pixel(*cell) for cell in cells]


def test_ticks_are_round_values_at_their_places():
    assert ticks_of(Scale(0.0, 1.0, root=True), 4) == [
        (pytest.approx(np.sqrt(value)), figure(value)) for value in round_values(0.0, 1.0, 4)
    ]
    assert [figure(value) for value in round_values(-0.4, 0.4, 4)] == ["−0.4", "−0.2", "0", "0.2", "0.4"]


def test_weights_that_share_a_pixel_are_as_those_of_a_map_with_signs():
    values = np.random.default_rng(0).random((2, 64, 64)).astype(np.float32)
    signed = np.concatenate([values, -np.ones((1, 64, 64), np.float32)])
    assert np.array_equal(shrunk(values, 28, 26), shrunk(signed, 28, 26)[:2])


def test_a_nan_hides_no_neighbour_when_cells_share_a_pixel():
    values = np.array([[np.nan], [4.0], [np.nan], [np.nan]], np.float32)
    small = shrunk(values, 2, 1)
    assert small[0, 0] == 4
    assert np.isnan(small[1, 0])


# Labels


@pytest.mark.parametrize("pitch", [0.3, 2.5, 8.0, 13.0, 40.0])
@pytest.mark.parametrize("keep", [-1, 0, 17, 30])
@pytest.mark.parametrize("labels", [TOKENS, NUMBERS[:31], tuple(f"word{n % 7 * 'x'}" for n in range(31))])
def test_labels_never_touch_and_include_the_selected_one(labels, keep, pitch):
    def extent(label):
        return 7.0 * len(label) + 4

    places = fitting(labels, pitch, extent, always=keep)
    for (one, left), (other, right) in pairwise(places):
        assert right - left >= (extent(labels[one]) + extent(labels[other])) / 2 - 0.1
    assert keep == -1 or keep in [number for number, _ in places]


def test_positions_replace_labels_that_do_not_fit():
    letters = tuple("a text of signs")
    assert readable(letters, 9.0, lambda _: 8.0) == letters
    assert readable(letters, 4.0, lambda _: 8.0) == tuple(map(str, range(1, len(letters) + 1)))


def test_numbers_are_thinned_to_round_ones():
    places = fitting(NUMBERS, 3.0, lambda _: 14.0)
    assert [NUMBERS[number] for number, _ in places][:4] == ["5", "10", "15", "20"]


# The widget


@BOTH
def test_every_cell_has_the_colour_of_its_value(shown, mode):
    themes.choose(mode)
    values = np.linspace(-1, 1, 35, dtype=np.float32).reshape(5, 7)
    view = filled(shown(MapView()), values)
    image = view.grab().toImage()
    for row in range(5):
        for column in range(7):
            place = view.rect_of(row, column).center().toPoint()
            assert image.pixelColor(place).name() == expected(view.scale, values[row, column])


@BOTH
def test_masked_cells_show_the_ground(shown, mode):
    themes.choose(mode)
    view = filled(shown(MapView()), np.array([[1, np.nan], [0, 1]], np.float32))
    assert colour_of(view, 0, 1) == themes.now.ground
    assert colour_of(view, 0, 0) != themes.now.ground


def test_a_changed_theme_repaints_signed_colours(shown):
    view = filled(shown(MapView()), np.array([[0, 1], [-1, 0]], np.float32))
    dark = colour_of(view, 0, 0)
    themes.choose("light")
    assert colour_of(view, 0, 0) == expected(view.scale, 0.0) != dark


def test_the_map_fills_its_room_and_square_cells_stay_square(shown):
    view = filled(shown(MapView(), 900, 300), np.ones((4, 4), np.float32))
    assert view.rect_of(0, 3).right() - view.rect_of(0, 0).left() > 780
    filled(view, np.ones((4, 4), np.float32), square=True)
    cell = view.rect_of(1, 1)
    assert cell.width() == pytest.approx(cell.height(), abs=0.5)
    assert cell.height() * 4 > 250


def test_a_click_chooses_the_cell(shown, qtbot):
    view = filled(shown(MapView()), np.ones((6, 9), np.float32))
    with qtbot.waitSignal(view.selected) as reported:
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.rect_of(4, 7).center().toPoint())
    assert reported.args == [4, 7]
    assert view.selection == (4, 7)


def test_a_click_beside_the_map_chooses_nothing(shown, qtbot):
    view = filled(shown(MapView()), np.ones((6, 9), np.float32))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert view.selection == (-1, -1)


def test_arrow_keys_move_the_choice_and_stop_at_the_edge(shown, qtbot):
    view = filled(shown(MapView()), np.ones((2, 3), np.float32))
    moves = []
    view.selected.connect(lambda row, column: moves.append((row, column)))
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        qtbot.keyClick(view, key)
    assert moves == [(0, 0), (0, 1), (1, 1), (1, 1), (0, 1)]
    assert view.accessibleDescription() == view.text_at(0, 1)


def test_the_row_of_the_choice_is_outlined(shown):
    view = filled(shown(MapView()), np.zeros((6, 6), np.float32))
    edge = view.rect_of(3, 2)
    place = QPointF(edge.center().x(), round(edge.top()) - 1)
    before = colour_at(view, place)
    view.select(3, -1)
    assert colour_at(view, place) == themes.now.text != before


def test_the_cell_under_the_mouse_is_named_with_row_column_and_value(shown, qtbot):
    values = np.array([[0.25, np.nan]], np.float32)
    view = filled(shown(MapView()), values, ("␣",), ("a", "b"), row_name="query: reads", column_name="key", unit="bits")
    plain = view.grab().toImage()
    qtbot.mouseMove(view, view.rect_of(0, 0).center().toPoint())
    assert view.grab().toImage() != plain
    assert view.text_at(0, 0) == "query 1 “␣” · key 1 “a” · 0.25 bits"
    assert "nothing here" in view.text_at(0, 1)


def test_the_selection_stays_while_values_change_and_ends_with_its_row(shown):
    view = filled(shown(MapView()), np.zeros((6, 6), np.float32))
    view.select(5, 2)
    filled(view, np.ones((6, 6), np.float32))
    assert view.selection == (5, 2)
    filled(view, np.ones((3, 6), np.float32))
    assert view.selection == (2, 2)


def test_labels_of_another_number_than_cells_are_refused(qtbot):
    view = MapView()
    qtbot.addWidget(view)
    with pytest.raises(ValueError, match="2 and 1 labels for a map of shape"):
        view.set_map(np.zeros((3, 1), np.float32), ["1", "2"], ["1"], row_name="", column_name="")


def test_the_map_names_itself_to_screen_readers(shown):
    view = filled(shown(MapView()), np.zeros((6, 6), np.float32), row_name="expert", column_name="token")
    assert "expert" in view.accessibleName()
    assert "token" in view.accessibleName()


def test_bars_stand_beside_their_rows_as_long_as_their_values(shown):
    view = filled(shown(MapView(), 800, 400), np.zeros((4, 10), np.float32))
    view.set_bars(RowBars(np.array([0.2, 0.4, 0.0, 0.5]), "load", 0.25))
    image = view.grab().toImage()
    lengths = []
    for row in range(4):
        place = view.rect_of(row, 9)
        row_of_pixels = range(int(place.right()) + 1, 800)
        y = int(place.center().y())
        lengths.append(sum(image.pixelColor(x, y).name() == themes.now.runs[0] for x in row_of_pixels))
    assert lengths[1] == pytest.approx(2 * lengths[0], abs=4)
    assert lengths[3] > lengths[1] > lengths[0] > lengths[2]


def test_a_map_of_one_value_and_a_map_of_zeros_are_drawn(shown):
    view = shown(MapView(), 120, 90)
    for values in (np.zeros((1, 1), np.float32), np.full((3, 3), 1e38, np.float32), -np.ones((2, 2), np.float32)):
        filled(view, values)
        assert not view.grab().isNull()


# Heads


@pytest.mark.parametrize("count", [1, 2, 4, 8, 12, 96])
@pytest.mark.parametrize("room", [(100, 180), (400, 500), (900, 300)])
def test_small_maps_are_never_smaller_than_96_pixels_nor_wider_than_the_room(count, room):
    columns, side = side_in(count, *room)
    assert side >= SMALLEST
    assert columns * side <= max(room[0], SMALLEST)


def strip_of(shown, heads, width=440, height=330):
    strip = shown(HeadStrip(), width, height)
    values = np.random.default_rng(1).random((heads, 8, 8), np.float32)
    strip.set_heads(values, [""] * heads, Scale(0.0, 1.0))
    strip.fit(width, height)
    return strip


def test_a_click_on_a_small_map_chooses_its_head(shown, qtbot):
    strip = strip_of(shown, 4)
    with qtbot.waitSignal(strip.picked) as reported:
        qtbot.mouseClick(strip.heads, Qt.MouseButton.LeftButton, pos=strip.rect_of(2).center().toPoint())
    assert reported.args == [2]


def test_keys_go_through_the_heads_and_bring_them_into_sight(shown, qtbot):
    strip = strip_of(shown, 24, 240, 200)
    for _ in range(23):
        qtbot.keyClick(strip.heads, Qt.Key.Key_Right)
    assert "24" in strip.heads.accessibleName()
    seen = strip.rect_of(23).translated(0, -strip.verticalScrollBar().value())
    assert strip.viewport().rect().toRectF().intersects(seen)


def test_each_head_is_drawn_from_its_own_values(shown):
    strip = shown(HeadStrip(), 440, 200)
    strip.set_heads(np.stack([np.full((3, 3), share, np.float32) for share in (0, 0.5, 1)]), [""] * 3, Scale(0.0, 1.0))
    strip.fit(440, 200)
    for head, share in enumerate((0, 0.5, 1)):
        assert colour_at(strip.heads, strip.rect_of(head).center()) == expected(Scale(0.0, 1.0), share)


# Text and bars


def test_tokens_are_laid_out_like_the_text_with_its_lines(shown):
    strip = shown(TokenStrip(), 600, 80)
    strip.set_tokens(TOKENS)
    places = strip.tokens.rects
    end = TEXT.index("\n")
    assert places[end].top() == 0
    assert (places[end + 1].left(), places[end + 1].top()) == (0, 20)
    assert strip.height_for(600) == 40


def test_a_click_on_a_token_emits_its_index(shown, qtbot):
    strip = shown(TokenStrip(), 600, 80)
    strip.set_tokens(TOKENS)
    with qtbot.waitSignal(strip.picked) as reported:
        qtbot.mouseClick(strip.tokens, Qt.MouseButton.LeftButton, pos=strip.tokens.rects[6].center().toPoint())
    assert reported.args == [6]


@BOTH
def test_texts_on_any_colour_of_a_map_are_readable(shown, mode):
    themes.choose(mode)
    for scale in (Scale(0.0, 1.0), Scale(-1.0, 1.0, True)):
        for value in np.linspace(scale.low, 1, 60):
            ground = expected(scale, value)
            assert max(contrast("#ffffff", ground), contrast("#000000", ground)) >= 4.5


def test_bars_go_up_and_down_from_zero(shown):
    bars = shown(Bars())
    bars.set_bars(np.array([1.0, -1.0, np.nan]), ("1", "2", "3"), name="unit")
    upper, lower = bars.rect_of(0), bars.rect_of(1)
    quarter = upper.height() / 4
    for number, above, below in ((0, True, False), (1, False, True), (2, False, False)):
        x = bars.rect_of(number).center().x()
        seen = [colour_at(bars, QPointF(x, y)) == themes.now.runs[0]
                for y in (upper.top() + quarter + 3, lower.bottom() - quarter + 3)]  # fmt: skip
        assert seen == [above, below]


def test_the_bar_under_the_mouse_is_named(shown, qtbot):
    bars = shown(Bars())
    bars.set_bars(np.array([1.0, 2.5]), ("a", "␣"), name="token", unit="nats")
    plain = bars.grab().toImage()
    qtbot.mouseMove(bars, bars.rect_of(1).center().toPoint())
    assert bars.grab().toImage() != plain
    assert bars.text_at(1) == "token 2 “␣” · 2.5 nats"


@pytest.mark.parametrize(
    ("label", "drawn"), [(" the", "␣the"), ("\n\n", "⏎⏎"), ("\t", "⇥"), ("a\x07", "a·"), ("é", "é"), ("", "")]
)
def test_every_character_of_a_token_is_visible(label, drawn):
    assert glyphs(label) == drawn
