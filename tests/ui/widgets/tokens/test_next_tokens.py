"""Next tokens are rows of symbol, bar and percentage, selected by mouse and keys."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from lab.widgets.core.theme import themes
from lab.widgets.tokens.next_tokens import HEIGHT, NextTokens, percent

ROWS = [("␣", " ", 0.46), ("e", "e", 0.25), ("⏎", "\n", 0.15), ("q", "q", 0.02)]


@pytest.fixture
def view(qtbot):
    made = NextTokens()
    qtbot.addWidget(made)
    made.resize(300, 400)
    with qtbot.waitExposed(made):
        made.show()
    return made


def bar_in(view, row, colour=None):
    """Return how many pixels in the middle of a row have the colour of the bar."""
    image = view.grab().toImage()
    sought = QColor(colour or themes.now.runs[0])
    y = row * HEIGHT + HEIGHT // 2
    return sum(image.pixelColor(x, y) == sought for x in range(image.width()))


def test_bars_are_as_long_as_their_probability(view):
    view.show_tokens([("a", "a", 0.8), ("b", "b", 0.2)])
    assert bar_in(view, 0) == pytest.approx(4 * bar_in(view, 1), rel=0.1)


def test_the_bar_of_a_small_probability_is_still_seen(view):
    view.show_tokens([("a", "a", 0.99), ("b", "b", 1e-5)])
    assert bar_in(view, 1) >= 2


def test_bars_have_the_requested_colour(qtbot):
    view = NextTokens(colour="#c583f0")
    qtbot.addWidget(view)
    view.resize(300, 100)
    view.show_tokens(ROWS)
    assert bar_in(view, 0, "#c583f0") > 20


def test_bars_follow_the_theme(view):
    view.show_tokens(ROWS)
    themes.choose("light")
    assert bar_in(view, 0, themes.now.runs[0]) > 20


@pytest.mark.parametrize(
    ("share", "words"), [(1, "100 %"), (0.456, "46 %"), (0.046, "4.6 %"), (0.0001, "<0.1 %"), (0, "0 %")]
)
def test_probabilities_are_short(share, words):
    assert percent(share) == words


def test_accessible_texts_have_symbols_percentages_and_the_rest(view):
    view.show_tokens(ROWS, others=57)
    assert view.accessibleDescription() == "␣ 46 %, e 25 %, ⏎ 15 %, q 2.0 %, 57 others 12 %"


def test_the_rest_is_not_mentioned_if_there_is_none(view):
    view.show_tokens([("a", "a", 0.75), ("b", "b", 0.25)], others=0)
    assert view.accessibleDescription() == "a 75 %, b 25 %"


def test_a_click_chooses_the_text_of_a_token_and_not_its_label(view, qtbot):
    view.show_tokens(ROWS, others=57)
    with qtbot.waitSignal(view.picked) as chosen:
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(50, 2 * HEIGHT + 5))
    assert chosen.args == ["\n"]


def test_a_part_of_a_character_cannot_be_chosen(view, qtbot):
    view.show_tokens([("<0x9F>", "", 0.5), ("e", "e", 0.25)])
    view.setFocus()
    with qtbot.assertNotEmitted(view.picked):
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(50, 5))
        qtbot.keyClick(view, Qt.Key.Key_Return)
    qtbot.mouseMove(view, QPoint(50, 5))
    assert view.cursor().shape() == Qt.CursorShape.ArrowCursor
    qtbot.mouseMove(view, QPoint(50, HEIGHT + 5))
    assert view.cursor().shape() == Qt.CursorShape.PointingHandCursor


def test_rows_stand_below_a_note(view, qtbot):
    view.show_tokens(ROWS, title_note="after “th”")
    with qtbot.waitSignal(view.picked) as chosen:
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(50, 2 * HEIGHT + 5))
    assert chosen.args == ["e"]


def test_the_row_of_the_drawn_token_is_marked_and_named(view):
    view.show_tokens(ROWS)
    plain = view.grab().toImage()
    assert "drawn" not in view.accessibleDescription()
    view.show_tokens(ROWS, drawn=1)
    marked = view.grab().toImage()
    changed = {y // HEIGHT for y in range(marked.height()) if marked.pixel(1, y) != plain.pixel(1, y)}
    assert changed == {1}
    assert view.accessibleDescription().split(", ")[1].endswith("drawn")


def test_of_two_tokens_with_one_label_the_drawn_one_alone_is_marked(view):
    view.show_tokens([("x", "x", 0.5), ("x", "", 0.25), ("y", "y", 0.25)], drawn=1)
    assert view.accessibleDescription() == "x 50 %, x 25 % drawn, y 25 %"


def test_the_row_of_the_others_cannot_be_chosen(view, qtbot):
    view.show_tokens(ROWS, others=57)
    with qtbot.assertNotEmitted(view.picked):
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(50, 4 * HEIGHT + 5))


def test_keys_go_to_a_row_and_choose_it(view, qtbot):
    view.show_tokens(ROWS)
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.accessibleDescription() == "e 25 %, 2.0 bits"
    with qtbot.waitSignal(view.picked) as chosen:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert chosen.args == ["e"]


def test_what_does_not_fit_is_counted_with_the_others(view, qtbot):
    view.resize(300, 3 * HEIGHT)
    view.show_tokens([(letter, letter, 0.1) for letter in "abcdefgh"], others=10)
    with qtbot.assertNotEmitted(view.picked):
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(50, 2 * HEIGHT + 5))
    assert view._rest_of(2) == "16 others 80 %"


def test_the_tool_tip_has_all_of_a_row(view):
    view.show_tokens([("<i>a label that is far too long for a narrow column", "a", 0.5)])
    place = QPoint(20, 5)
    QApplication.sendEvent(view, QHelpEvent(QEvent.Type.ToolTip, place, view.mapToGlobal(place)))
    reported = QToolTip.text()
    QToolTip.hideText()
    assert "narrow␣column 50 %, 1.0 bits" in reported
    assert "&lt;i&gt;" in reported


def test_a_token_that_never_comes_has_no_row(view):
    view.show_tokens([("a", "a", 0.75), ("b", "b", 0.25), ("c", "c", 0.0)])
    assert bar_in(view, 2) == 0
    assert "c" not in view.accessibleDescription()
