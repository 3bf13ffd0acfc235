"""Borders between cards, which the keyboard moves as the mouse does."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from lab.widgets.core.splitter import STEP, Splitter

BESIDE, BELOW = Qt.Orientation.Horizontal, Qt.Orientation.Vertical


@pytest.fixture(params=[BESIDE, BELOW])
def splitter(request, qtbot):
    made = Splitter(request.param)
    made.addWidget(QWidget())
    made.addWidget(QWidget())
    made.resize(400, 400)
    qtbot.addWidget(made)
    made.show()
    made.setSizes([200, 190])
    return made


def test_arrow_keys_move_a_border_and_the_move_is_reported(splitter):
    forth, back = {BESIDE: (Qt.Key.Key_Right, Qt.Key.Key_Left), BELOW: (Qt.Key.Key_Down, Qt.Key.Key_Up)}[
        splitter.orientation()
    ]
    moves = []
    splitter.splitterMoved.connect(lambda position, number: moves.append((position, number)))
    QTest.keyClick(splitter.handle(1), forth)
    assert splitter.sizes() == [200 + STEP, 190 - STEP]
    QTest.keyClick(splitter.handle(1), back)
    assert splitter.sizes() == [200, 190]
    assert moves == [(200 + STEP, 1), (200, 1)]


def test_arrow_keys_of_the_other_direction_do_nothing(splitter):
    across = Qt.Key.Key_Down if splitter.orientation() == BESIDE else Qt.Key.Key_Right
    QTest.keyClick(splitter.handle(1), across)
    assert splitter.sizes() == [200, 190]


def test_a_border_takes_the_tab_key_and_has_a_name(splitter):
    handle = splitter.handle(1)
    assert handle.focusPolicy() == Qt.FocusPolicy.TabFocus
    assert handle.accessibleName().startswith("Border between")
    assert "move the border" in handle.accessibleDescription()


def test_a_border_with_the_focus_looks_different(splitter, qtbot):
    handle = splitter.handle(1)
    splitter.activateWindow()
    handle.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(handle.hasFocus)
    focused = handle.grab().toImage()
    handle.clearFocus()
    assert handle.grab().toImage() != focused
