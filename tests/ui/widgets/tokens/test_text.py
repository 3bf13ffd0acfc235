"""Generated text is read, hovered, selected and copied token by token."""

import itertools
import sys

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication, QHelpEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QToolTip

from lab.widgets.core.theme import contrast, themes, token_font
from lab.widgets.tokens.line_layout import TokenLines
from lab.widgets.tokens.surprisal import SurprisalLegend, surprisal, surprisal_colour
from lab.widgets.tokens.text import ShownToken, TokenText


def token(words, probability=0.5, alternatives=(("a", "a", 0.5), ("␣", " ", 0.25))):
    return ShownToken(label=words, text=words, probability=probability, alternatives=alternatives)


def letters(words):
    return [token(letter) for letter in words]


@pytest.fixture
def view(qtbot):
    made = TokenText()
    qtbot.addWidget(made)
    made.resize(400, 200)
    with qtbot.waitExposed(made):
        made.show()
    return made


def rect_of(view, number, line=0, letter_width=None):
    """Return the middle of the letter in a column of a line."""
    width = letter_width or view.fontMetrics().horizontalAdvance("0")
    height = view.verticalScrollBar().singleStep()
    return QPoint(int((number + 0.5) * width), int((line + 0.5) * height))


@pytest.fixture
def column(view):
    """Return the rectangle of the letter in a column of a line, in the viewport."""
    view.setFont(token_font())
    return lambda number, line=0: rect_of(view, number, line)


def lines_of(width, *tokens):
    """Return the text of each line if every letter is ten pixels wide."""
    lines = TokenLines(lambda words: 10.0 * len(words))
    lines.set_width(width)
    for number, words in enumerate(tokens):
        lines.add(number, words)
    shown = shown_in(lines)
    lines.set_width(2 * width)
    lines.set_width(width)
    assert shown_in(lines) == shown  # broken anew as they were broken token by token
    return shown


def shown_in(lines):
    """Return the text of each line."""
    return ["".join(part.shown for part in lines.line(number)) for number in range(lines.count)]


def test_lines_break_after_white_space():
    assert lines_of(100, "the", " duke", " is", " here") == ["the␣duke␣", "is␣here"]


def test_a_word_of_several_tokens_goes_to_the_next_line_as_one():
    assert lines_of(100, *"the duke sighs") == ["the␣duke␣", "sighs"]


def test_a_word_longer_than_a_line_is_broken():
    assert lines_of(50, "abcdefghijkl") == ["abcd", "efgh", "ijkl"]
    assert lines_of(50, *"abcdefghijkl") == ["abcde", "fghij", "kl"]


def test_a_new_line_is_kept_and_shown():
    assert lines_of(100, "a", "\n", "\nb") == ["a⏎", "⏎", "b"]


def test_a_token_without_text_is_still_seen():
    assert lines_of(100, "a", "", "b") == ["a·b"]


def test_the_text_is_the_prompt_and_every_token(view):
    view.clear("Enter ")
    view.add(letters("the"))
    view.add(letters(" king\n"))
    assert view.text() == "Enter the king\n"


def test_a_new_prompt_forgets_what_was_generated(view):
    view.add(letters("old"))
    view.clear("new")
    assert view.text() == "new"


def test_a_click_chooses_a_token_and_one_on_the_prompt_none(view, column, qtbot):
    view.clear("ab")
    view.add(letters("cde"))
    with qtbot.waitSignal(view.selected) as chosen:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=column(3))
    assert chosen.args == [1]
    with qtbot.waitSignal(view.selected) as chosen:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=column(0))
    assert chosen.args == [-1]


def test_the_mouse_points_at_tokens(view, column, qtbot):
    view.add(letters("ab\ncd"))
    with qtbot.waitSignal(view.hovered) as pointed:
        qtbot.mouseMove(view.viewport(), column(1, line=1))
    assert pointed.args == [4]


def test_a_tool_tip_tells_probability_surprisal_and_alternatives(view, column):
    view.add([token("<b>", 0.25)])
    place = column(0)
    QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, place, view.mapToGlobal(place)))
    reported = QToolTip.text()
    QToolTip.hideText()
    assert "&lt;b&gt; 25 %, 2.0 bits" in reported
    assert "␣ 25 %" in reported


def test_arrow_keys_go_from_token_to_token_and_a_screen_reader_is_told(view, qtbot):
    view.add([token("a", 0.5), token("b", 0.125)])
    qtbot.keyClick(view, Qt.Key.Key_Home)
    with qtbot.waitSignal(view.selected) as chosen:
        qtbot.keyClick(view, Qt.Key.Key_Right)
    QToolTip.hideText()
    assert chosen.args == [1]
    assert view.accessibleDescription().startswith("b 12 %, 3.0 bits")


def test_the_selected_token_is_scrolled_into_view(view, qtbot):
    view.add(letters("a\n" * 100))
    qtbot.keyClick(view, Qt.Key.Key_Home)
    QToolTip.hideText()
    assert view.verticalScrollBar().value() == 0


def test_dragging_marks_text_that_can_be_copied(view, column, qtbot):
    view.clear("a ")
    view.add(letters("bcd"))
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=column(4))
    qtbot.mouseMove(view.viewport(), column(2))
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=column(2))
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "bcd"


def test_all_can_be_copied_with_its_own_white_space(view, qtbot):
    view.clear("a\t")
    view.add(letters("b\n c"))
    qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "a\tb\n c"


def test_the_end_stays_visible_while_text_is_added(view):
    for _ in range(50):
        view.add(letters("a\n"))
    bar = view.verticalScrollBar()
    assert bar.maximum() > 0
    assert bar.value() == bar.maximum()


def test_who_scrolled_up_is_left_there(view):
    view.add(letters("a\n" * 50))
    view.verticalScrollBar().setValue(40)
    view.add(letters("b\n" * 50))
    assert view.verticalScrollBar().value() == 40


def test_a_narrower_view_breaks_the_lines_again_and_keeps_the_end(view):
    view.add(letters("some words " * 60))
    bar = view.verticalScrollBar()
    before = bar.maximum()
    view.resize(200, 200)
    assert bar.maximum() > before
    assert bar.value() == bar.maximum()


def test_higher_surprisal_has_more_colour(view, column):
    view.add([token("a", 1.0), token("a", 0.25), token("a", 2.0**-12)])
    image = view.viewport().grab().toImage()
    grounds = [image.pixelColor(column(number).x() - 3, 3).name() for number in range(3)]
    assert grounds == [surprisal_colour(0), surprisal_colour(2), surprisal_colour(8)]
    assert grounds[0] == themes.now.panel


@pytest.mark.parametrize("mode", ["dark", "light"])
def test_text_is_readable_on_every_colour_of_the_scale(mode):
    themes.choose(mode)
    colours = [surprisal_colour(bits / 4) for bits in range(4 * 9)]
    assert min(contrast(themes.now.text, colour) for colour in colours) >= 4.5
    lightness = [contrast(themes.now.panel, colour) for colour in colours]
    assert lightness == sorted(lightness)
    assert lightness[-1] > 1.5


def test_the_text_follows_the_theme(view, column):
    view.add(letters("a"))
    themes.choose("light")
    corner = view.viewport().grab().toImage().pixelColor(390, 190)
    assert corner.name() == themes.now.panel


def test_an_impossible_token_has_a_number_too():
    assert surprisal(0.0) == 100
    assert surprisal(0.125) == 3


def test_every_position_and_every_token_has_its_line():
    lines = TokenLines(lambda words: 10.0 * len(words))
    lines.set_width(100)
    for number, words in enumerate(["the", " duke", "", "\n", "\n", "abcdefghijkl"], start=-1):
        lines.add(number, words)
    assert shown_in(lines) == ["the␣duke·⏎", "⏎", "abcdefgh", "ijkl"]
    assert [lines.line_of(token) for token in range(-1, 5)] == [0, 0, 0, 0, 1, 2]
    assert [lines.line_at(place) for place in (0, 8, 9, 10, 17, 18, 99)] == [0, 0, 1, 2, 2, 3, 3]
    parts = [part for number in range(lines.count) for part in lines.line(number)]
    assert [part.start for part in parts] == [0, 3, 4, 8, 8, 9, 10, 14, 18]
    assert sum(part.length for part in parts) == lines.length == 22


def calls_of(doing):
    """Return how many Python functions a call runs."""
    calls = itertools.count()
    sys.setprofile(lambda _frame, event, _what: next(calls) if event == "call" else None)
    try:
        doing()
    finally:
        sys.setprofile(None)
    return next(calls)


def test_resizing_is_cheap_for_any_number_of_tokens(view):
    view.add(letters("word after word\n" * 2500))  # 40,000
    width = itertools.cycle([300, 500])

    def resize():
        view.resize(next(width), 200)
        QApplication.processEvents()

    assert calls_of(resize) < 15_000
    assert view._lines.count > 2500


def test_adding_text_costs_the_same_at_any_length(view):
    few = calls_of(lambda: view.add(letters("and so on.\n")))
    view.add(letters("word after word " * 640))
    assert calls_of(lambda: view.add(letters("and so on.\n"))) < 2 * few


def test_escape_clears_the_selected_token_first(view, column, qtbot):
    ended = []
    action = QAction(view)
    action.setShortcut(QKeySequence(Qt.Key.Key_Escape))
    action.triggered.connect(lambda: ended.append(True))
    view.addAction(action)
    view.activateWindow()
    view.setFocus()
    view.add(letters("abc"))
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=column(1))
    with qtbot.waitSignal(view.selected) as chosen:
        qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert (chosen.args, ended) == ([-1], [])
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert ended == [True]


def test_the_legend_shows_and_describes_the_scale(qtbot):
    legend = SurprisalLegend()
    qtbot.addWidget(legend)
    legend.resize(legend.sizeHint())
    assert legend.accessibleName() == "Surprisal, 0 to 8 bits"
    image = legend.grab().toImage()
    row = [image.pixelColor(x, 10).name() for x in range(image.width())]
    assert surprisal_colour(8) in row
