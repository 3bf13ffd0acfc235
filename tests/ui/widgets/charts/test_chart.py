"""The chart shows every line, names it at its end, follows new data until somebody zooms, and is cheap to draw."""

import gc
import sys
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QFocusEvent, QGuiApplication, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from lab.base.charts.layout import spread
from lab.widgets.charts.annotations import ROW
from lab.widgets.charts.autorange import YOUNG
from lab.widgets.charts.chart import Chart, Flag, Floor, Line
from lab.widgets.charts.crosshair import Crosshair
from lab.widgets.charts.readout import box_rect
from lab.widgets.core.controls import Button
from lab.widgets.core.theme import mixed, themes

BLUE, ORANGE = "#4da3ff", "#e9a13b"


def line(y, x=None, *, key="a", name="train", colour=BLUE, style="thin"):
    y = np.asarray(y, dtype=float)
    return Line(
        key, name, colour, np.arange(len(y), dtype=float) if x is None else np.asarray(x, dtype=float), y, style
    )


def falling(count, end=1.8, start=4.5):
    return end + (start - end) * np.exp(-np.arange(count) / (count / 6))


@pytest.fixture
def make_chart(qtbot):
    def make(width=600, height=360, **options):
        chart = Chart(**options)
        qtbot.addWidget(chart)
        chart.resize(width, height)
        chart.set_axes("step", "loss (nats per token)", x_kind="steps")
        with qtbot.waitExposed(chart):
            chart.show()
        return chart

    return make


@pytest.fixture
def chart(make_chart):
    return make_chart()


def draw(chart, *lines, **others):
    """Give a chart lines, or something else that it has a setter for, and draw it once."""
    for name, value in {**({"lines": lines} if lines else {}), **others}.items():
        getattr(chart, f"set_{name}")(value)
    chart.draw()


def plot(chart):
    """Return the visible range: the values at its ends, and their pixels."""
    return chart._scene.frame


def pixels(chart, colour):
    """Return the x and y pixels of a colour in the chart's picture."""
    image = chart.picture()
    rows = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)[:, : image.width()]
    down, across = np.nonzero((rows & 0xFFFFFF) == (QColor(colour).rgb() & 0xFFFFFF))
    return across, down


def at(chart, x, y):
    """Return the pixel of a position."""
    return QPoint(round(plot(chart).across(x)), round(plot(chart).down(y)))


def turn_wheel(chart, position, turns=1, modifiers=Qt.KeyboardModifier.NoModifier):
    where = QPointF(position)
    event = QWheelEvent(
        where, chart.mapToGlobal(where), QPoint(), QPoint(0, 120 * turns), Qt.MouseButton.NoButton, modifiers,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(chart, event)


def move_mouse(chart, position):
    """Move the mouse over the chart, wherever an earlier test left it."""
    where, none = QPointF(position), Qt.MouseButton.NoButton
    kind, held = QEvent.Type.MouseMove, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(chart, QMouseEvent(kind, where, chart.mapToGlobal(where), none, none, held))


def chip(chart, words="follow"):
    """Return the button over the chart that says this."""
    return next(button for button in chart.findChildren(Button) if button.text() == words)


# lines


def test_without_data_there_are_no_axes(chart):
    image = chart.picture()
    colours = {image.pixel(x, y) for x in range(0, 600, 3) for y in range(0, 360, 3)}
    assert colours == {QColor(themes.now.panel).rgb()}


def test_a_line_is_painted_in_its_colour_from_end_to_end(chart):
    draw(chart, line(falling(1000)))
    across, _ = pixels(chart, BLUE)
    inside = across[across <= plot(chart).right]
    assert inside.min() <= at(chart, 0, 2).x() + 1
    assert inside.max() >= at(chart, 999, 2).x() - 1


def test_a_faint_line_has_a_quarter_of_its_colour(chart):
    draw(chart, line(falling(1000), style="faint", name=""))
    assert len(pixels(chart, mixed(BLUE, themes.now.panel, 0.25))[0]) > 300
    assert len(pixels(chart, BLUE)[0]) == 0


@pytest.mark.parametrize(("style", "count", "thick"), [("thin", 1000, 1), ("main", 1000, 2), ("main", 20, 4)])
def test_a_main_line_is_wider_and_shows_its_points_where_they_are_few(chart, style, count, thick):
    draw(chart, line(np.full(count, 2.0), style=style, name=""))
    _, down = pixels(chart, BLUE)
    assert len(set(down.tolist())) == thick


def test_a_gap_stays_a_gap(chart):
    y = np.full(1000, 2.0)
    y[400:600] = np.nan
    draw(chart, line(y, name=""))
    across, _ = pixels(chart, BLUE)
    left, right = at(chart, 399, 2).x(), at(chart, 600, 2).x()
    assert not np.any((across > left + 1) & (across < right - 1))
    assert np.any(across < left)
    assert np.any(across > right)


def test_a_point_between_gaps_is_seen(chart):
    draw(chart, line([np.nan, 2.0, np.nan, np.nan, 3.0, np.nan], name=""))
    assert len(pixels(chart, BLUE)[0]) > 4


@pytest.mark.parametrize("spike", [-5.0, 40.0])
def test_a_single_extreme_among_a_hundred_thousand_points_is_painted(chart, spike):
    y = np.full(100_000, 2.0)
    y[70_001] = spike
    y[70_003:70_010] = np.nan
    draw(chart, line(y, name=""))
    across, down = pixels(chart, BLUE)
    where = at(chart, 70_001, spike)
    assert np.any((abs(across - where.x()) <= 1) & (abs(down - where.y()) <= 1))


def test_a_downsampled_chart_states_what_it_retains(chart):
    draw(chart, line(falling(500)))
    before = chart.picture()
    head = QRectF(0, 0, 600, 20).toRect()
    draw(chart, line(falling(100_000)))
    assert chart.picture().copy(head) != before.copy(head)
    draw(chart, line(falling(500)))
    assert chart.picture().copy(head) == before.copy(head)


def test_the_first_steps_of_a_long_line_are_separate_on_a_logarithmic_axis(chart):
    y = np.full(100_001, 2.0)
    y[2] = 3.0
    chart.set_axes("step", "loss", x_log=True, x_kind="steps")
    draw(chart, line(y, name=""))
    across, down = pixels(chart, BLUE)
    top = across[down <= at(chart, 0, 2.9).y()]
    assert len(top)
    assert abs(top.mean() - at(chart, np.log10(2), 3).x()) <= 2


# names and values


def test_lines_and_floors_are_named_with_their_last_values(chart):
    chart.set_floors([Floor("unigram", 3.2)])
    draw(chart, line([4.0, 2.0, 1.834], name="validation"), line([4.0, np.nan], key="b", name="train"))
    assert chart.accessibleDescription() == "validation 1.83, train 4.00, unigram 3.20"
    assert chart.accessibleName() == "Chart: loss (nats per token) over step"


def test_the_name_of_a_line_stands_in_its_colour_at_the_height_of_its_end(chart):
    draw(chart, line(falling(100), key="a"), line(falling(100) + 1.2, key="b", colour=ORANGE))
    for colour, end in ((BLUE, falling(100)[-1]), (ORANGE, falling(100)[-1] + 1.2)):
        across, down = pixels(chart, colour)
        words = down[across > plot(chart).right + 12]
        assert len(words)
        assert abs(words.mean() - at(chart, 0, end).y()) <= 4


def test_the_right_margin_is_as_wide_as_its_labels(chart):
    draw(chart, line(falling(100), name=""))
    alone = plot(chart).width
    draw(chart, line(falling(100), name="train"))
    short = plot(chart).width
    draw(chart, line(falling(100), name="validation"))
    assert alone > short > plot(chart).width


def test_lines_whose_names_do_not_fit_are_counted_and_named_in_the_tool_tip(make_chart):
    chart = make_chart(height=160)
    draw(chart, *(line(falling(100, end=n), key=str(n), name=f"head {n}") for n in range(16)))
    written = chart._scene._annotations
    missing = 16 - len(written.labels)
    assert written.more == f"+{missing} more"
    frame = plot(chart)
    hint = chart._scene._annotations.explanation_at(frame, frame.right + 20, frame.bottom)
    assert [each.split(" ")[1] for each in hint.splitlines()] == [str(n) for n in range(16 - missing, 16)]
    draw(chart, *(line(falling(100, end=n), key=str(n), name=f"head {n}") for n in range(2)))
    assert written.more == ""


def test_a_very_long_name_does_not_take_most_of_the_chart(chart):
    draw(chart, line(falling(100), name="a transformer with rotary positions " * 4))
    assert plot(chart).width > 0.5 * chart.width()


@given(st.lists(st.floats(0, 300), max_size=12))
def test_no_name_covers_another_and_all_stay_inside(wanted):
    placed = spread(wanted, ROW, 0, 300)
    order = sorted(placed)
    assert all(b - a >= ROW - 1e-6 for a, b in pairwise(order))
    assert all(ROW / 2 - 1e-6 <= middle <= 300 - ROW / 2 + 1e-6 for middle in placed)


def test_a_name_with_room_is_at_the_end_of_its_line():
    assert spread([200, 40], ROW, 0, 300) == [200, 40]


def test_a_changing_number_is_updated_after_a_quarter_of_a_second(chart, qtbot):
    draw(chart, line([4.0, 3.0]))
    draw(chart, line([4.0, 3.0, 2.0]))
    assert chart.accessibleDescription() == "train 3.00"
    qtbot.waitUntil(lambda: chart.accessibleDescription() == "train 2.00")


class Stopwatch:
    """A QElapsedTimer whose time a test sets, in milliseconds."""

    now, started = 0, None

    def isValid(self):
        return self.started is not None

    def hasExpired(self, span):
        return self.now - self.started > span

    def start(self):
        self.started = self.now


def test_numbers_that_change_all_the_time_are_written_several_times_a_second(chart):
    written, chart._since_written = [], Stopwatch()
    for value in range(30):
        chart._since_written.now = 25 * value
        draw(chart, line([100.0, value]))
        written.append(chart.accessibleDescription())
    assert list(dict.fromkeys(written)) == ["train 0", "train 11.0", "train 22.0"]


def test_a_floor_far_below_the_lines_is_outside_the_view(chart):
    chart.set_floors([Floor("entropy", -50.0), Floor("unigram", 3.2)])
    draw(chart, line(falling(100), name=""))
    assert chart.accessibleDescription() == "unigram 3.20"


def test_a_floor_just_below_the_lines_is_in_the_view(chart):
    chart.set_floors([Floor("Kneser-Ney", 1.5)])
    draw(chart, line(falling(100), name=""))
    assert plot(chart).y0 < 1.5


def test_a_flag_is_a_vertical_line_with_its_label(chart):
    draw(chart, line(falling(1000), name=""))
    draw(chart, flags=[Flag(500.0, "learning rate × ½")])
    ink = mixed(themes.now.text, themes.now.panel, 0.55)
    across, down = pixels(chart, ink)
    upright = down[across == at(chart, 500, 2).x()]
    assert np.ptp(upright) > 0.9 * plot(chart).height
    words, heights = pixels(chart, themes.now.text)
    assert words.min() > at(chart, 500, 2).x()
    assert heights.max() < plot(chart).top + 2 * ROW


def test_labels_of_close_flags_are_stacked(chart):
    draw(chart, line(falling(1000), name=""))
    rows = []
    for count in (1, 2, 3):
        draw(chart, flags=[Flag(500.0 + 10 * index, "learning rate × ½") for index in range(count)])
        rows.append(pixels(chart, themes.now.text)[1].max())
    assert rows[1] - rows[0] == pytest.approx(ROW, abs=4)
    assert rows[2] - rows[1] == pytest.approx(ROW, abs=4)


# what is in sight


def test_the_view_follows_the_newest_data_in_coarse_steps(chart):
    ends = set()
    for count in range(500, 1000, 5):
        draw(chart, line(falling(count)))
        assert plot(chart).x1 >= count - 1
        ends.add(plot(chart).x1)
    assert len(ends) <= 25


def test_the_wheel_zooms_about_the_pointer(chart):
    draw(chart, line(falling(1000)))
    pointer = at(chart, 250, 3)
    before, y = plot(chart).x_at(pointer.x()), (plot(chart).y0, plot(chart).y1)
    turn_wheel(chart, pointer, 3)
    assert plot(chart).x1 - plot(chart).x0 < 600
    assert plot(chart).x_at(pointer.x()) == pytest.approx(before, abs=10)
    assert (plot(chart).y0, plot(chart).y1) == y


@pytest.mark.parametrize("shift", [False, True])
def test_over_the_ticks_of_the_y_axis_or_with_shift_the_wheel_zooms_that_axis(chart, shift):
    draw(chart, line(falling(1000)))
    x, tall = (plot(chart).x0, plot(chart).x1), plot(chart).y1 - plot(chart).y0
    held = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
    turn_wheel(chart, at(chart, 500, 3) if shift else QPoint(10, 150), 2, held)
    assert plot(chart).y1 - plot(chart).y0 < 0.7 * tall
    assert (plot(chart).x0, plot(chart).x1) == pytest.approx(x)


def test_dragging_moves_the_view_and_new_data_leave_it_there(chart):
    draw(chart, line(falling(1000)))
    start, span = plot(chart).x0, plot(chart).x1 - plot(chart).x0
    QTest.mousePress(chart, Qt.MouseButton.LeftButton, pos=at(chart, 600, 3))
    move_mouse(chart, at(chart, 400, 3))
    QTest.mouseRelease(chart, Qt.MouseButton.LeftButton, pos=at(chart, 400, 3))
    assert plot(chart).x0 == pytest.approx(start + 200, abs=0.02 * span)
    seen = (plot(chart).x0, plot(chart).x1)
    draw(chart, line(falling(5000)))
    assert (plot(chart).x0, plot(chart).x1) == seen
    assert not chart.follow


def test_a_click_does_not_move_the_view(chart):
    draw(chart, line(falling(1000)))
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=at(chart, 600, 3))
    assert chart.follow


def test_a_chip_is_shown_while_the_view_does_not_follow_and_resumes_following(chart):
    draw(chart, line(falling(1000)))
    assert not chip(chart).isVisible()
    turn_wheel(chart, at(chart, 200, 3), 3)
    assert chip(chart).isVisible()
    assert chip(chart).toolTip()
    QTest.mouseClick(chip(chart), Qt.MouseButton.LeftButton)
    assert chart.follow
    assert not chip(chart).isVisible()
    assert plot(chart).x1 >= 999


def test_data_cannot_be_zoomed_or_dragged_out_of_view(chart):
    draw(chart, line(falling(1000)))
    for _ in range(40):
        turn_wheel(chart, QPoint(int(plot(chart).left) + 2, 100), -5)
    assert plot(chart).x1 - plot(chart).x0 < 10_000
    chart.show_all()
    for _ in range(5):
        QTest.mousePress(chart, Qt.MouseButton.LeftButton, pos=QPoint(400, 200))
        move_mouse(chart, QPoint(50, 200))
        QTest.mouseRelease(chart, Qt.MouseButton.LeftButton, pos=QPoint(50, 200))
    assert plot(chart).x0 < 999


def test_a_double_click_shows_everything(chart):
    draw(chart, line(falling(1000)))
    turn_wheel(chart, at(chart, 200, 3), 3)
    QTest.mouseDClick(chart, Qt.MouseButton.LeftButton, pos=QPoint(200, 200))
    assert plot(chart).x0 <= 0
    assert plot(chart).x1 >= 999


def test_the_view_starts_at_the_ceiling_once_the_newest_values_are_below_it(chart):
    chart.set_ceiling(3.2)
    draw(chart, line([4.5, 4.0, 3.5]))
    assert plot(chart).y1 >= 4.5
    draw(chart, line(falling(2 * YOUNG, end=2.0)), line([4.5, 9.0], key="raw", style="faint", name=""))
    assert 3.2 < plot(chart).y1 < 3.5


def test_a_young_line_is_visible_from_its_first_value_on(chart):
    chart.set_ceiling(3.2)
    for count in (2, 60, YOUNG - 1):
        draw(chart, line(falling(YOUNG)[:count]), line([4.5, 9.0], key="raw", style="faint", name=""))
        assert plot(chart).y1 >= 9.0
    draw(chart, line(falling(YOUNG)))
    assert plot(chart).y1 < 3.5


def test_the_range_above_the_ceiling_can_be_shown_and_hidden(chart):
    chart.set_ceiling(3.2)
    draw(chart, line([4.5, 4.0, 3.5]))
    assert not chip(chart, "show all").isVisible()
    draw(chart, line(falling(2 * YOUNG, end=2.0)))
    assert chip(chart, "show all").palette().buttonText().color() == QColor(themes.now.text)
    QTest.mouseClick(chip(chart, "show all"), Qt.MouseButton.LeftButton)
    assert not chip(chart, "show all").isVisible()
    assert plot(chart).y1 >= 4.5
    draw(chart, line(falling(2 * YOUNG, start=6.0, end=2.0)))
    assert plot(chart).y1 >= 6.0
    QTest.mouseClick(chip(chart), Qt.MouseButton.LeftButton)
    assert plot(chart).y1 < 3.5


def test_changed_axes_reset_the_view(chart):
    draw(chart, line(falling(1000)))
    turn_wheel(chart, at(chart, 200, 3), 3)
    chart.set_axes("step", "loss", x_log=True, x_kind="steps")
    chart.draw()
    assert chart.follow
    assert plot(chart).x1 == pytest.approx(3, abs=0.2)


# the crosshair


def test_one_crosshair_is_shared_by_all_charts_with_the_same_x(make_chart):
    shared = Crosshair()
    here, there = make_chart(crosshair=shared), make_chart(crosshair=shared)
    for chart in (here, there):
        draw(chart, line(falling(1000)))
    before = there.grab().toImage()
    move_mouse(here, at(here, 400, 3))
    assert shared.x == pytest.approx(400, abs=2)
    column = at(there, shared.x, 0).x()
    after = there.grab().toImage()
    changed = {x for x in range(600) for y in range(0, 360) if after.pixel(x, y) != before.pixel(x, y)}
    assert changed == {column}
    QApplication.sendEvent(here, leave())
    assert shared.x is None
    assert there.grab().toImage() == before


def leave():
    return QEvent(QEvent.Type.Leave)


def test_the_readout_names_the_line_nearest_to_the_mouse_first(chart):
    low, high = line(np.full(100, 2.0), name="low"), line(np.full(100, 4.0), key="b", name="high", colour=ORANGE)
    draw(chart, low, high)
    move_mouse(chart, at(chart, 50, 3.8))
    assert chart.readout(50) == [("high", ORANGE, 4.0), ("low", BLUE, 2.0)]
    move_mouse(chart, at(chart, 50, 2.2))
    assert [name for name, _, _ in chart.readout(50)] == ["low", "high"]


def test_the_readout_takes_the_nearest_value_and_leaves_out_lines_that_have_ended(chart):
    draw(
        chart,
        line([4.0, 3.0, np.nan, 2.0], x=[0, 100, 150, 200], name="validation"),
        line(falling(1000), key="b", name="train"),
        line(falling(1000), key="c", name=""),
    )
    assert chart.readout(140)[0] == ("validation", BLUE, 3.0)
    assert chart.readout(160)[0] == ("validation", BLUE, 2.0)
    assert [name for name, _, _ in chart.readout(900)] == ["train"]


def test_the_readout_box_appears_only_while_the_mouse_is_over_the_lines(chart):
    draw(chart, line(falling(1000)))
    before = chart.grab().toImage()
    move_mouse(chart, at(chart, 400, 3))
    assert chart.grab().toImage() != before
    move_mouse(chart, QPoint(5, 5))
    assert chart.grab().toImage() == before


@given(
    st.floats(0, 600), st.floats(0, 360), st.floats(40, 290), st.floats(20, 160),
)  # fmt: skip
def test_the_readout_box_never_covers_the_pointer_and_stays_inside(x, y, width, height):
    room = QRectF(0, 0, 600, 360)
    box = box_rect(QPointF(x, y), width, height, room)
    assert not box.contains(x, y)
    assert room.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(box)


def test_in_a_narrow_chart_the_readout_box_stands_above_or_below_the_pointer():
    room = QRectF(0, 0, 200, 200)
    for y in (20, 180):
        box = box_rect(QPointF(100, y), 160, 60, room)
        assert not box.contains(100, y)
        assert room.contains(box)


def test_arrow_keys_move_the_crosshair(make_chart):
    shared = Crosshair()
    chart = make_chart(crosshair=shared)
    draw(chart, line(falling(1000)))
    chart.setFocus()
    QTest.keyClick(chart, Qt.Key.Key_Right)
    first = shared.x
    QTest.keyClick(chart, Qt.Key.Key_Right)
    assert shared.x > first > 400
    QTest.keyClick(chart, Qt.Key.Key_Left)
    assert shared.x == pytest.approx(first)
    QTest.keyClick(chart, Qt.Key.Key_Escape)
    assert shared.x is None


def test_the_focus_frame_is_shown_only_after_keyboard_navigation(chart):
    draw(chart, line(falling(1000)))
    bare = chart.grab().toImage()
    for reason, ring in ((Qt.FocusReason.TabFocusReason, True), (Qt.FocusReason.MouseFocusReason, False)):
        QApplication.sendEvent(chart, QFocusEvent(QEvent.Type.FocusIn, reason))
        assert (chart.grab().toImage() != bare) == ring
    QApplication.sendEvent(chart, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.TabFocusReason))
    QApplication.sendEvent(chart, QFocusEvent(QEvent.Type.FocusOut))
    assert chart.grab().toImage() == bare


def test_plus_minus_and_home_zoom_by_keyboard(chart):
    draw(chart, line(falling(1000)))
    whole = plot(chart).x1 - plot(chart).x0
    QTest.keyClick(chart, Qt.Key.Key_Plus)
    assert plot(chart).x1 - plot(chart).x0 == pytest.approx(0.8 * whole)
    QTest.keyClick(chart, Qt.Key.Key_Minus)
    assert plot(chart).x1 - plot(chart).x0 == pytest.approx(whole)
    assert not chart.follow
    QTest.keyClick(chart, Qt.Key.Key_Home)
    assert chart.follow


# odd data


ODD = {
    "a gap at the start": [np.nan, 3.0, 2.0],
    "infinite": [np.inf, 3.0, -np.inf, 2.0],
    "one point": [2.0],
    "constant": [2.0] * 50,
    "zero": [0.0] * 50,
    "huge": [1e30, -1e30, 1.0],
    "beyond huge": [1e308, -1e308, 1.0],
    "tiny": [1e-300, 2e-300, 3e-300],
    "negative and positive": [-1.0, 2.0, -3.0, 4.0],
}


@pytest.mark.parametrize("y_log", [False, True])
@pytest.mark.parametrize("x_log", [False, True])
@pytest.mark.parametrize("name", ODD)
def test_odd_data_are_shown_as_far_as_possible_without_a_warning(chart, name, x_log, y_log):
    y = np.array(ODD[name])
    with np.errstate(all="raise", under="ignore"):
        chart.set_axes("step", "value", x_log=x_log, y_log=y_log, x_kind="steps")
        draw(chart, line(y, x=np.arange(len(y)) + 1, style="main"))
        there = np.isfinite(y) & ((y > 0) | (not y_log))
        assert (len(pixels(chart, BLUE)[0]) > 0) == bool(there.any())
        for turns in (30, -60):
            turn_wheel(chart, QPoint(200, 200), turns)
            chart.picture()


def test_values_without_a_logarithm_are_left_out(chart):
    chart.set_axes("step", "loss", x_log=True, y_log=True, x_kind="steps")
    draw(chart, line([5.0, 4.0, -1.0, 0.0, 2.0]))
    assert plot(chart).x0 < 0 < plot(chart).x1
    assert [value for _, _, value in chart.readout(4)] == [2.0]
    assert chart.readout(0) == []


# drawing


def test_a_hidden_chart_is_drawn_when_it_is_shown(make_chart):
    chart = make_chart()
    chart.hide()
    draw(chart, line([4.0, 3.0]))
    assert chart.accessibleDescription() == ""
    chart.show()
    assert chart.accessibleDescription() == "train 3.00"


def test_several_changes_are_painted_once_and_immediately(make_chart, monkeypatch):
    painted = []
    paint = Chart.paintEvent
    monkeypatch.setattr(Chart, "paintEvent", lambda self, event: (painted.append(self), paint(self, event))[1])
    chart = make_chart()
    draw(chart, line(falling(100)))
    QApplication.processEvents()
    painted.clear()
    chart.set_lines([line(falling(200))])
    chart.set_floors([Floor("unigram", 3.2)])
    chart.set_ceiling(9.0)
    chart.set_flags([Flag(5.0, "learning rate × ½")])
    chart.set_axes("step", "loss", x_log=True, x_kind="steps")
    assert painted == []
    chart.draw()
    assert len(painted) == 1
    QApplication.processEvents()
    assert len(painted) == 1


def test_a_line_keeps_its_curve_from_update_to_update(chart):
    draw(chart, line(falling(100)))
    curve = chart._scene._curves["a"]
    draw(chart, line(falling(200)))
    assert chart._scene._curves["a"] is curve


def test_another_theme_restyles_everything(chart):
    draw(chart, line(falling(100)), floors=[Floor("unigram", 3.2)])
    dark = chart.picture()
    themes.choose("light")
    light = chart.picture()
    themes.choose("dark")
    assert light.pixel(300, 40) == QColor("#ffffff").rgb()
    assert dark.pixel(300, 40) == QColor("#1b1e24").rgb()
    assert chart.picture() == dark


@pytest.mark.qt_log_ignore("This plugin does not support (grabbing|raise)")
def test_the_right_button_offers_everything_and_a_picture(chart, qtbot):
    draw(chart, line(falling(1000)))
    turn_wheel(chart, at(chart, 200, 3), 3)
    where = QPoint(200, 200)
    QApplication.sendEvent(chart, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, where, chart.mapToGlobal(where)))
    menu = chart.findChild(QMenu)
    actions = {action.text(): action for action in menu.actions()}
    actions["Show all"].trigger()
    assert chart.follow
    actions["Copy picture"].trigger()
    assert QGuiApplication.clipboard().image().width() == 2 * 720  # a slide: see test_chart_export.py
    menu.close()


def update_often(chart, count):
    for index in range(count):
        draw(chart, line(falling(50 + index % 50)), line(falling(20), key="v", name="validation", style="main"))
        if index % 50 == 0:
            QApplication.processEvents()


@pytest.mark.parametrize("updates", [200, pytest.param(2000, marks=pytest.mark.long)])
def test_updates_leave_no_reference_to_none_behind_or_missing(chart, updates):
    update_often(chart, 20)
    gc.collect()
    before = sys.getrefcount(None)
    update_often(chart, updates)
    gc.collect()
    assert abs(sys.getrefcount(None) - before) < 100


def test_where_a_named_line_has_no_value_the_readout_lists_the_one_that_stands_in(chart):
    rare = line([3.0], x=[10], key="rare", name="Small", style="main")
    often = replace(line(np.full(100, 2.0), key="often", name=""), long_name="Small · train", stands_in_for="rare")
    draw(chart, rare, often)
    assert chart.readout(10) == [("Small", BLUE, 3.0)]
    assert chart.readout(60) == [("Small · train", BLUE, 2.0)]


def test_a_line_that_has_only_started_does_not_lift_the_view_above_the_ceiling(chart):
    chart.set_ceiling(3.2)
    draw(chart, line(falling(400)))
    before = chart._visible.y1
    draw(chart, line(falling(400)), line([85.0, 80.0], key="b", name="new", colour=ORANGE))
    assert chart._visible.y1 == before
    draw(chart, line(falling(400)), line(np.full(100, 80.0), key="b", name="new", colour=ORANGE))
    assert chart._visible.y1 > 80
