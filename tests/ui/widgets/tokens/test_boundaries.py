"""A text shows where its tokens begin and end, by colours, mouse and keyboard."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from lab.widgets.core.theme import THEMES, contrast, themes
from lab.widgets.tokens.boundaries import CutToken, TokenBoundaries, token_grounds


def cut(*labels):
    return [CutToken(number, label, len(label)) for number, label in enumerate(labels)]


@pytest.fixture
def view(qtbot):
    made = TokenBoundaries("tokens")
    qtbot.addWidget(made)
    made.resize(320, 200)
    with qtbot.waitExposed(made):
        made.show()
    return made


def ground_at(view, place):
    """Return the most frequent colour in the rectangle of a token."""
    picture = view.viewport().grab().toImage()
    area = view._rect_of(place).toRect()
    colours = [
        picture.pixelColor(x, y).name()
        for x in range(area.left(), area.right() - 1)
        for y in range(area.top() + 2, area.bottom() - 2)
    ]
    return max(set(colours), key=colours.count)


def lines_of(view):
    return ["".join(view._shown[cell] for cell in view._line(line)) for line in range(len(view._first))]


def test_neighbouring_tokens_have_different_backgrounds(view):
    view.set_tokens(cut("the", "␣cat", "␣sat"))
    first, second = token_grounds(themes.now)
    assert [ground_at(view, place) for place in range(3)] == [first, second, first]


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_both_backgrounds_are_readable_and_distinct(theme):
    first, second = token_grounds(theme)
    assert min(contrast(theme.text, ground) for ground in (first, second)) >= 4.5
    blue, amber = QColor(first), QColor(second)
    assert (blue.blue() - blue.red()) - (amber.blue() - amber.red()) > 60  # yellow against blue is seen by every eye
    assert theme.panel not in (first, second)


def test_a_marked_token_has_the_accent_as_background(view):
    view.set_tokens(cut("st", "raw", "berry"), marked={1})
    assert ground_at(view, 1) == themes.now.accent
    assert ground_at(view, 0) == token_grounds(themes.now)[0]


def test_lines_of_the_text_are_kept_and_long_ones_break_before_a_word(view):
    view.set_tokens(cut("a", "⏎", "b", "␣c"))
    assert lines_of(view) == ["a⏎", "b␣c"]
    view.set_tokens(cut(*"one␣word␣", *"then␣" * 12))
    assert len(lines_of(view)) > 1
    assert all(line.endswith("␣") for line in lines_of(view))


def test_a_line_that_ends_inside_a_token_ends_there(view):
    view.set_tokens(cut(".⏎⏎", "The"))
    assert lines_of(view) == [".⏎", "⏎", "The"]


def test_a_token_longer_than_a_line_is_broken(view):
    view.set_tokens(cut("x" * 300))
    assert len(lines_of(view)) > 1
    assert "".join(lines_of(view)) == "x" * 300


def test_shown_ids_increase_the_line_height(view):
    view.set_tokens([CutToken(50256, "a", 1), CutToken(3, "b", 1)])
    narrow = view._rect_of(1).left()
    height = view._height
    view.show_ids(True)
    assert view._rect_of(1).left() > narrow
    assert view._height > height
    view.show_ids(False)
    assert view._rect_of(1).left() == narrow


def test_the_tool_tip_of_a_token_has_its_id_and_bytes(view):
    view.set_tokens([CutToken(7, "the", 3), CutToken(412, "␣cat", 4)])
    point = view._rect_of(1).center().toPoint()
    QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, point, view.viewport().mapToGlobal(point)))
    reported = QToolTip.text()
    QToolTip.hideText()
    assert "␣cat" in reported
    assert "id 412" in reported
    assert "4 bytes" in reported
    assert "token 2 of 2" in reported


def test_arrow_keys_move_between_tokens_and_announce_each(view, qtbot):
    view.set_tokens(cut("a", "b", "c"))
    qtbot.keyClick(view, Qt.Key.Key_Right)
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.accessibleDescription().startswith("b, id 1")
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert view.accessibleDescription().startswith("c, id 2")
    qtbot.keyClick(view, Qt.Key.Key_Home)
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert view.accessibleDescription().startswith("a, id 0")
    QToolTip.hideText()


def test_a_click_chooses_the_token_under_the_mouse(view, qtbot):
    view.set_tokens(cut("alpha", "beta"))
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view._rect_of(1).center().toPoint())
    assert view.accessibleDescription().startswith("beta")
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(5, 150))
    assert view.accessibleDescription() == ""


def test_revealing_a_token_scrolls_to_it(view):
    view.set_tokens(cut(*["line⏎"] * 60))
    view.reveal(50)
    assert 0 <= view._rect_of(50).top() <= view.viewport().height() - view._height
