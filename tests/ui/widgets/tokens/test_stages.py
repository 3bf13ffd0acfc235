"""The figure of the stages: bars by three measures, what is removed, and the token that is marked or picked."""

import math
import re

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from lab.widgets.tokens.draw_line import DrawLine
from lab.widgets.tokens.stages import LOGIT, PROBABILITY, SURPRISAL, StageColumn, StagesFigure, value_text

GONE = -math.inf
MODEL = StageColumn("model", 4, 1.75, 1.0, (0.5, 0.25, 0.125, 0.125), (2.0, 1.3, 0.6, 0.6))
CUT = StageColumn("Top-k", 2, 0.918, 0.75, (2 / 3, 1 / 3, 0.0, 0.0), (2.0, 1.3, GONE, GONE))


@pytest.fixture
def figure(qtbot):
    """The figure of two stages and the renormalised one."""
    made = StagesFigure()
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show_stages("abcd", [MODEL, CUT, CUT.renormalised("renormalised")], 1)
    made.show()
    return made


def row_point(figure, row):
    return QPoint(30, figure._top + figure.shown_rows().index(row) * figure._high + figure._high // 2)


def tip_at(widget, point):
    """Return the tool tip at a point."""
    event = QHelpEvent(QEvent.Type.ToolTip, point, widget.mapToGlobal(point))
    QApplication.sendEvent(widget, event)
    found = re.sub("<[^>]*>", "", QToolTip.text())
    QToolTip.hideText()
    return found


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        (PROBABILITY, (0.5, 0.5, 2 / 3)),
        (LOGIT, (2.0, 2.0, math.log(2 / 3))),
        (SURPRISAL, (1.0, math.log2(1.5), math.log2(1.5))),
    ],
)
def test_a_bar_keeps_its_length_where_others_are_removed_until_it_is_renormalised(figure, unit, expected):
    assert tuple(column.value(unit, 0) for column in figure.columns) == pytest.approx(expected)


def test_a_removed_token_has_no_probability_and_an_infinite_surprisal():
    assert [value_text(unit, CUT.value(unit, 3)) for unit in (PROBABILITY, LOGIT, SURPRISAL)] == ["0 %", "−∞", "∞"]


def test_the_chosen_token_is_on_show_however_low_the_figure_is(figure):
    figure.show_stages([str(number) for number in range(40)], [_flat(40)], 39)
    figure.resize(600, 240)
    rows = figure.shown_rows()
    assert len(rows) < 40
    assert rows[-1] == 39
    assert rows[:-1] == list(range(len(rows) - 1))


def _flat(count):
    return StageColumn("model", count, 5.3, 1.0, (1 / count,) * count, (0.0,) * count)


def test_many_stages_ask_for_more_width(figure):
    narrow = figure.minimumSizeHint().width()
    figure.show_stages("abcd", [MODEL] * 9, 1)
    assert figure.minimumSizeHint().width() > 2 * narrow


def test_a_click_marks_a_token_and_a_double_click_picks_it(figure, qtbot):
    marked, picked = [], []
    figure.marked.connect(marked.append)
    figure.picked.connect(picked.append)
    qtbot.mouseClick(figure, Qt.MouseButton.LeftButton, pos=row_point(figure, 2))
    qtbot.mouseDClick(figure, Qt.MouseButton.LeftButton, pos=row_point(figure, 0))
    assert marked == [2, 0]
    assert picked == [0]
    assert "Top-k: 50 %, logit 2.00, 0.58 bits" in figure.accessibleDescription()


def test_the_keys_move_the_mark_and_pick(figure, qtbot):
    picked = []
    figure.picked.connect(picked.append)
    figure.mark(0)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Return):
        qtbot.keyClick(figure, key)
    assert picked == [1]
    qtbot.keyClick(figure, Qt.Key.Key_End)
    assert "Top-k: removed" in figure.accessibleDescription()


def test_what_is_removed_is_not_painted_after_its_column(figure):
    """The cells of the removed token: a bar, an empty bar, nothing."""
    image = figure.grab().toImage()
    ratio = image.devicePixelRatio()
    y = round((figure._top + 3.5 * figure._high) * ratio)
    ground = image.pixelColor(round(figure._rect(2, 0, 1).left() * ratio) + 30, 2)
    seen = []
    for at in range(3):
        rect = figure._rect(at, 0, 1)
        columns = range(round(rect.left() * ratio), round(rect.right() * ratio))
        seen.append(sum(image.pixelColor(x, y) != ground for x in columns))
    assert seen[0] > 20
    assert 0 < seen[1] < seen[0]
    assert seen[2] == 0


def test_the_line_of_a_draw_names_its_pieces_in_tool_tips(qtbot):
    line = DrawLine()
    qtbot.addWidget(line)
    line.resize(416, line.sizeHint().height())
    line.show_uniform("ab", [(0.0, 0.25, 1), (0.25, 0.5, None), (0.5, 1.0, 0)], 0.7, 0)
    line.show()
    assert tip_at(line, QPoint(60, 20)) == "b: 0.0000 to 0.2500, 25 %"
    assert tip_at(line, QPoint(160, 20)) == "other tokens: 0.2500 to 0.5000, 25 %"


def test_the_race_is_won_by_the_smallest_time_and_removed_tokens_do_not_take_part(qtbot):
    line = DrawLine()
    qtbot.addWidget(line)
    line.show_race("abc", [2.0, 0.5, math.inf], 1)
    assert line._arrivals() == [(0.0, 1), (1.0, 0)]
