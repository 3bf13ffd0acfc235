"""Each check of the views finds its kind of problem, and accepts correct views."""

from pathlib import Path

import numpy as np
import pytest
from checks import CHECKS, NO_CHARTS, Sight, disorder, stops_in
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from sights import SMALLEST, Scene, settle

from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, CheckBox, follow_in_tab_order, label
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import LIGHT, themes
from lab.widgets.forms.row_parts import Caption
from lab.widgets.maps.bars import Bars


@pytest.fixture
def faults(qtbot):
    """Show a card with some content, break it, and return the result of a check."""

    def faults(check, content, break_it=None):
        card = Card("Made up")
        qtbot.addWidget(card)
        card.set_content(content)
        card.resize(300, 200)
        with qtbot.waitExposed(card):
            card.show()
        if break_it is not None:
            break_it()
        return CHECKS[check](Sight("made up", card))

    return faults


@pytest.fixture
def scene():
    """Open a window with a fake engine, and close it at the end."""
    made = Scene()
    yield made
    made.close()


def row(*widgets):
    """Return a row of widgets."""
    holder = QWidget()
    layout = QHBoxLayout(holder)
    for widget in widgets:
        layout.addWidget(widget)
    return holder


@pytest.mark.parametrize("check", [name for name in CHECKS if name != "nothing needs a larger window"])
def test_a_correct_card_has_no_problem(faults, check):
    rows = QWidget()
    layout = QVBoxLayout(rows)
    layout.addWidget(label("The loss fell to 1.83 nats."))
    layout.addWidget(row(QLineEdit("12", accessibleName="Steps"), Button("Inspect text", role="")))
    assert faults(check, rows) == []


@pytest.mark.long
def test_a_window_that_is_too_large_is_found(scene):
    scene.place("train")
    assert CHECKS["nothing needs a larger window"](Sight("window", scene.window)) == []
    scene.window.train.loss.setMinimumWidth(SMALLEST[0])
    settle(lambda: scene.window.minimumSizeHint().width() > SMALLEST[0])
    (line,) = CHECKS["nothing needs a larger window"](Sight("window", scene.window))
    assert line.startswith("the window needs 14")


def test_a_widget_that_sticks_out_of_its_parent_is_found(faults):
    words = label("a label that was moved")
    (line,) = faults("nothing sticks out of its place", row(words), lambda: words.move(200, 0))
    assert "a label that was moved" in line


def test_content_wider_than_what_scrolls_it_up_and_down_is_found(faults):
    area = QScrollArea()
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    inside = label("wide")
    inside.setFixedWidth(500)
    area.setWidget(inside)
    (line,) = faults("nothing sticks out of its place", area)
    assert "off the right of its content" in line


@pytest.mark.parametrize(
    "cut",
    [
        lambda: fixed(label("a long text in a short label"), 40),
        lambda: fixed(label("long text "), 100, 6),
        lambda: fixed(wrapped("a text of more lines than there is room for, by far, as it is seen at once"), 80, 20),
        lambda: fixed(wrapped("aVeryLongWordWithoutAnyPlaceToBreakIt"), 60, 200),
        lambda: fixed(Button("Start a new run of the configuration"), 60),
        lambda: fixed(CheckBox("Attention of every head in every layer"), 80),
        lambda: fixed(choice("The collected works of Shakespeare"), 90),
        lambda: fixed(QLineEdit("0.000123456789"), 40),
        lambda: fixed(QLineEdit(placeholderText="Find a run, a command or a setting"), 60),
        lambda: label("The collected wor…"),
        lambda: fixed(Caption("Learning rate at the end", ""), 60, 20),
    ],
)
def test_a_cut_text_is_found(faults, cut):
    assert len(faults("no text is cut", row(cut()))) == 1


@pytest.mark.parametrize(
    "make",
    [
        lambda: label("The collected wor…"),
        lambda: fixed(choice("The collected works"), 90),
        lambda: fixed(Caption("The collected works", ""), 60, 20),
    ],
)
def test_an_elided_text_is_accepted_with_the_full_text_in_a_tool_tip(faults, make):
    widget = make()
    widget.setToolTip("The collected works: plays and sonnets")
    assert faults("no text is cut", row(widget)) == []


def fixed(widget, width, height=None):
    widget.setFixedWidth(width)
    if height is not None:
        widget.setFixedHeight(height)
    return widget


def wrapped(words):
    made = label(words)
    made.setWordWrap(True)
    return made


def choice(words):
    made = QComboBox()  # those of the kit have a tool tip where they are cut
    made.addItem(words)
    return made


def test_two_siblings_that_overlap_are_found(faults):
    one, other = label("the one"), label("the other")
    (line,) = faults("no siblings overlap", row(one, other), lambda: other.move(one.pos()))
    assert "the one" in line
    assert "the other" in line


def test_text_with_too_little_contrast_is_found(faults):
    pale = label("hardly there")
    pale.setStyleSheet("color: #3a3f49;")
    (line,) = faults("text stands out from its ground", row(pale))
    assert "on #1b1e24" in line


@pytest.mark.parametrize(("colour", "count"), [("#3a3f49", 1), ("#ffffff", 0)])
def test_partly_visible_text_is_judged_by_all_of_it(faults, colour, count):
    area, text = QScrollArea(), label("read me")
    text.setStyleSheet(f"color: {colour};")
    inside = row(text)
    text.setFixedHeight(40)
    inside.layout().setContentsMargins(0, 0, 0, 400)
    area.setWidget(inside)
    bar, moved = area.verticalScrollBar(), []
    bar.valueChanged.connect(moved.append)
    found = faults("text stands out from its ground", area, lambda: bar.setValue(37))
    assert len(found) == count
    assert moved == [37, 0, 37]


def test_a_widget_that_stays_in_the_other_theme_is_found(faults):
    stale = QFrame()
    stale.setStyleSheet(f"background: {LIGHT.panel};")
    (line,) = faults("nothing keeps the other theme", stale)
    assert line.startswith("the light theme's panel in QFrame")


def test_a_card_that_shows_nothing_is_found(faults):
    (line,) = faults("no card is blank", QWidget())
    assert "blank" in line


def test_a_focusable_widget_without_a_name_is_found(faults):
    assert len(faults("everything has an accessible name", QLineEdit())) == 1


def test_a_disabled_widget_without_a_name_is_found(faults):
    field = QLineEdit()
    field.setEnabled(False)
    assert len(faults("everything has an accessible name", field)) == 1


def test_an_icon_alone_without_a_tool_tip_is_found(faults):
    button = Button(hint="Close", icon_name="close")
    button.setToolTip("")
    assert len(faults("everything has an accessible name", row(button))) == 1


class Painted(QWidget):
    """A chart of its own making."""

    def paintEvent(self, _event):
        with QPainter(self) as painter:
            painter.drawLine(0, 0, 40, 40)


class Speechless(Bars):
    """Bars without a sentence."""

    def sentence(self):
        return ""


def bars(kind):
    made = kind()
    made.set_bars(np.array([1.0, 2.0]), ["a", "b"], name="expert")
    return made


@pytest.mark.parametrize(
    ("make", "fault"), [(Painted, "neither as words nor as a table"), (lambda: bars(Speechless), "has no words")]
)
def test_a_chart_without_a_sentence_or_a_table_is_found(faults, make, fault):
    (line,) = faults("charts and maps say what they show", make())
    assert fault in line


@pytest.mark.parametrize("make", [lambda: bars(Bars), Bars, CheckBox])
def test_a_chart_with_both_an_empty_one_and_a_control_are_accepted(faults, make):
    assert faults("charts and maps say what they show", make()) == []


def test_what_is_known_to_be_no_chart_is_a_widget_of_the_lab_that_paints_itself():
    sources = [file.read_text(encoding="utf-8") for file in (Path(__file__).parents[3] / "lab").rglob("*.py")]
    painting = [source for source in sources if "def paintEvent" in source]
    assert [name for name in NO_CHARTS if not any(f"class {name}(" in source for source in painting)] == []


def test_a_control_that_the_tab_key_reaches_too_early_is_found(faults):
    first, *others = Button("first"), Button("second"), Button("third")
    lines = faults(
        "the tab key goes in reading order", row(first, *others), lambda: QWidget.setTabOrder(others[0], first)
    )
    assert lines
    assert all("Button “first”" in line and "comes after Button “second”" in line for line in lines)


def test_cards_of_a_panel_over_the_window_are_judged_by_their_order_in_it_alone(qtbot):
    over, cards = Overlay(QWidget(), "Over"), [Card("First"), Card("Second")]
    over.window().resize(900, 300)
    qtbot.addWidget(over.window())
    side_by_side = QHBoxLayout(over)
    for card in cards:
        card.set_content(Button(card.title))
        side_by_side.addWidget(card)
    over.place = lambda: over.setGeometry(0, 0, 800, 300)
    over.window().show()
    over.show_over(over)
    settle()
    check = CHECKS["the tab key goes in reading order"]
    assert check(Sight("made up", over)) == []
    QWidget.setTabOrder(*[card.findChild(Button) for card in reversed(cards)])
    (line,) = check(Sight("made up", over))
    assert "Card “First”" in line


def test_a_control_that_the_tab_key_never_reaches_is_found(faults):
    button = Button("out of reach")
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    (line,) = faults("the tab key goes in reading order", row(button))
    assert "is not reached" in line


def test_a_text_field_that_takes_the_tab_key_is_found(faults):
    (line,) = faults("the tab key goes in reading order", QPlainTextEdit(accessibleName="Prompt"))
    assert "keeps the tab key" in line


def test_the_order_that_is_checked_is_the_one_that_the_tab_key_takes(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    buttons = [QPushButton(str(number)) for number in range(4)]
    for button in buttons:
        layout.addWidget(button)
    buttons[2].setEnabled(False)
    late = row(QPushButton("late"), QPushButton("later"))
    layout.insertWidget(1, late)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    buttons[0].setFocus()
    walked = [window.focusWidget()]
    for _ in range(4):
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        walked.append(window.focusWidget())
    assert [button.text() for button in walked] == ["0", "1", "3", "late", "later"]
    assert stops_in(window) == walked
    assert disorder(walked, window)
    follow_in_tab_order(buttons[0], late)
    assert [button.text() for button in stops_in(window)] == ["0", "late", "later", "1", "3"]
    assert disorder(stops_in(window), window) == []


def test_the_tab_key_goes_through_the_whole_window_and_comes_back(scene):
    scene.be_ready()
    expected = stops_in(scene.window)
    expected[0].setFocus()
    walked = [scene.window.focusWidget()]
    for _ in expected[1:]:
        QTest.keyClick(scene.window.focusWidget(), Qt.Key.Key_Tab)
        walked.append(scene.window.focusWidget())
    assert walked == expected
    QTest.keyClick(scene.window.focusWidget(), Qt.Key.Key_Tab)
    assert scene.window.focusWidget() is expected[0]


@pytest.mark.parametrize("modes", [("light",), pytest.param(("light", "dark", "light"), marks=pytest.mark.long)])
def test_the_theme_of_a_window_changes_while_it_is_open(scene, modes):
    for mode in modes:
        themes.choose(mode)
        settle()
        assert CHECKS["nothing keeps the other theme"](Sight(mode, scene.window)) == []
