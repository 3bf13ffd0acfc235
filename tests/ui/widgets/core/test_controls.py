"""A choice without room for its entries shows them in a tool tip; the slider claims the space bar."""

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QEnterEvent, QHelpEvent, QKeyEvent, QShortcut, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from lab.widgets.core.controls import Button, ChoiceBox, MenuButton, Slider, plain_tip


@pytest.fixture
def box(qtbot):
    """A choice between a short and a long name."""
    box = ChoiceBox()
    qtbot.addWidget(box)
    box.addItems(["short", "a rather long name & more"])
    box.resize(90, 28)
    box.show()
    return box


def test_the_tool_tip_of_an_elided_choice_starts_with_its_text(box):
    box.setToolTip("What it is for")
    assert box.toolTip() == "What it is for"
    box.setCurrentIndex(1)
    assert box.toolTip() == plain_tip("a rather long name & more") + plain_tip("What it is for")
    box.resize(300, 28)
    assert box.toolTip() == "What it is for"
    box.resize(90, 28)
    assert "a rather long name &amp; more" in box.toolTip()
    box.setCurrentIndex(0)
    assert box.toolTip() == "What it is for"


def test_a_tool_tip_that_has_the_text_already_is_not_changed(box):
    box.setCurrentIndex(1)
    assert box.toolTip() == plain_tip("a rather long name & more")
    box.setToolTip(hint := plain_tip("a rather long name & more: for this and that"))
    assert box.toolTip() == hint


def test_the_tool_tip_of_a_choice_follows_the_size_of_the_type(box):
    box.setMaximumWidth(box.fontMetrics().horizontalAdvance(box.currentText()) + 40)
    box.resize(box.maximumWidth(), 30)
    assert box.currentText() not in box.toolTip()
    font = box.font()
    font.setPixelSize(30)
    box.setFont(font)
    assert box.currentText() in box.toolTip()


@pytest.mark.qt_log_ignore("This plugin does not support")  # a platform without a screen, of menus
def test_a_menu_with_more_choices_than_the_screen_has_room_for_stays_inside_it_and_scrolls(qtbot):
    button = MenuButton("quantity", [(str(number), f"series {number}") for number in range(200)], print)
    qtbot.addWidget(button)
    menu, screen = button.menu(), button.screen().availableGeometry()
    menu.popup(screen.bottomRight())
    try:
        assert menu.height() <= screen.height()
        assert menu.width() == menu.actionGeometry(menu.actions()[0]).width() + 10  # one column
        menu.setActiveAction(menu.actions()[-1])
        assert menu.rect().contains(menu.actionGeometry(menu.actions()[-1]))
    finally:
        menu.close()


@pytest.fixture
def slider(qtbot):
    """A slider with the focus, in a window that has a shortcut on the space bar."""
    window = QWidget()
    made = Slider(window)
    window.taken = []
    QShortcut(Qt.Key.Key_Space, window).activated.connect(lambda: window.taken.append(True))
    qtbot.addWidget(window)
    with qtbot.waitActive(window):
        window.show()
    made.setFocus()
    return made


def test_a_focused_slider_receives_the_space_bar(slider, qtbot):
    with qtbot.waitSignal(slider.space_pressed):
        qtbot.keyClick(slider, Qt.Key.Key_Space)
    assert slider.window().taken == []
    qtbot.keyClick(slider, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    slider.clearFocus()
    qtbot.keyClick(slider.window(), Qt.Key.Key_Space)
    assert slider.window().taken == [True]


def test_a_space_bar_that_is_held_down_counts_once(slider):
    presses = []
    slider.space_pressed.connect(lambda: presses.append(True))
    for repeats in (False, True, True):
        event = QKeyEvent(QKeyEvent.Type.KeyPress, Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier, " ", repeats)
        QApplication.sendEvent(slider, event)
    assert presses == [True]


def test_the_wheel_moves_a_slider_only_with_the_focus(slider):
    def turn():
        where, none = QPointF(5, 5), Qt.MouseButton.NoButton
        event = QWheelEvent(where, where, QPoint(), QPoint(0, 120), none, Qt.KeyboardModifier.NoModifier,
                            Qt.ScrollPhase.NoScrollPhase, False)  # fmt: skip
        QApplication.sendEvent(slider, event)

    slider.setValue(10)
    turn()
    moved = slider.value()
    assert moved != 10
    slider.clearFocus()
    turn()
    assert slider.value() == moved


@pytest.mark.parametrize("at", ["top", "bottom"])
def test_the_tool_tip_of_a_button_does_not_cover_it(qtbot, at):
    button = Button("Start", hint="Start a new run of the configuration")
    qtbot.addWidget(button)
    screen = button.screen().availableGeometry()
    button.setGeometry(screen.left() + 50, screen.top() + 50 if at == "top" else screen.bottom() - 30, 120, 30)
    button.show()
    middle = button.rect().center()
    on_screen = button.mapToGlobal(middle)
    QApplication.sendEvent(button, QEnterEvent(middle, middle, on_screen))
    QApplication.sendEvent(button, QHelpEvent(QHelpEvent.Type.ToolTip, middle, on_screen))
    assert QToolTip.text() == "Start a new run of the configuration"
    tip = next(one for one in QApplication.topLevelWidgets() if one.inherits("QTipLabel") and one.isVisible())
    box = QRect(button.mapToGlobal(QPoint(0, 0)), button.size())
    assert not tip.geometry().intersects(box)
    assert (tip.y() > box.bottom()) == (at == "top")
    assert screen.contains(tip.geometry())
    QToolTip.hideText()
