"""The drawing pad: strokes of the mouse and the keys in pixels of the picture."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from lab.widgets.planes.pad import DrawingPad

LEFT, RIGHT, SHIFT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def pad(qtbot):
    widget = DrawingPad()
    qtbot.addWidget(widget)
    widget.resize(204, 204)  # 20 pixels of the screen for each of the picture
    widget.set_pixels(np.zeros((10, 10, 1), np.uint8))
    widget.show()
    return widget


def at(pad, x, y):
    """The position of the middle of a pixel."""
    room = pad.picture_rect()
    return QPoint(round(room.left() + (x + 0.5) * 20), round(room.top() + (y + 0.5) * 20))


def test_a_stroke_covers_the_pixels_on_its_way_and_softens_at_its_border(pad, qtbot):
    with qtbot.waitSignal(pad.drawn):
        qtbot.mousePress(pad, LEFT, pos=at(pad, 2, 3))
    qtbot.mouseMove(pad, at(pad, 7, 3))
    qtbot.mouseRelease(pad, LEFT, pos=at(pad, 7, 3))
    drawn = pad.pixels[..., 0]
    assert drawn[3, 2:8].tolist() == [255] * 6
    assert 0 < drawn[2, 4] < 255
    assert not drawn[6:].any()
    assert not drawn[:, 9].any()
    qtbot.mouseMove(pad, at(pad, 7, 8))  # the button is up
    assert (pad.pixels[..., 0] == drawn).all()


def test_the_right_button_erases_to_the_background(pad, qtbot):
    pad.background = np.array([30], np.uint8)
    pad.clear()
    assert (pad.pixels == 30).all()
    qtbot.mouseClick(pad, LEFT, pos=at(pad, 5, 5))
    assert pad.pixels[5, 5, 0] == 255
    qtbot.mouseClick(pad, RIGHT, pos=at(pad, 5, 5))
    assert pad.pixels[5, 5, 0] == 30


def test_the_keys_draw_as_the_mouse_does(pad, qtbot):
    pad.setFocus()
    qtbot.keyClick(pad, Qt.Key.Key_Up)
    assert not pad.pixels.any()
    qtbot.keyClick(pad, Qt.Key.Key_Space)
    assert pad.pixels.any()
    once = pad.pixels
    for _ in range(3):
        qtbot.keyClick(pad, Qt.Key.Key_Right, SHIFT)
    assert pad.pixels.sum() > once.sum()
    for _ in range(30):
        qtbot.keyClick(pad, Qt.Key.Key_Left, SHIFT)  # it stops at the border
    assert pad.pixels[4, 0, 0] > 0
    qtbot.keyClick(pad, Qt.Key.Key_Delete)
    assert not pad.pixels.any()


def test_a_picture_in_colour_is_drawn_in_colour_and_painted_so(pad, qtbot):
    pad.set_pixels(np.zeros((10, 20, 3), np.uint8))
    pad.colour, pad.background = np.array([200, 0, 10], np.uint8), np.zeros(3, np.uint8)
    pad.radius, room = 2.0, pad.picture_rect()
    assert room.width() == pytest.approx(2 * room.height())
    qtbot.mouseClick(pad, LEFT, pos=room.center().toPoint())
    assert pad.pixels[5, 10].tolist() == [200, 0, 10]
    assert pad.grab().toImage().pixelColor(room.center().toPoint()).red() > 150


def test_what_is_returned_is_a_copy(pad):
    pad.pixels[:] = 7
    assert not pad.pixels.any()
