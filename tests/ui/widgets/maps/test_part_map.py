"""A map of parts: each cell is a button with a number, or a mark that shows how far its measurement is."""

import math

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from lab.widgets.core.theme import themes
from lab.widgets.maps.layout import NameLabel
from lab.widgets.maps.part_map import Mark, PartMap, compact, signed

NAN = math.nan
COLUMNS = tuple(map(NameLabel, ("all", "1", "2")))
NOTES = [[f"part {row}.{column}" for column in range(3)] for row in range(2)]


@pytest.fixture
def parts(qtbot):
    """A map of two blocks with two parts each; numbers and marks are set by the test."""
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(400, 240)
    made = PartMap(host)
    made.setGeometry(0, 0, 400, 240)
    made.host = host  # Python deletes it otherwise

    def parts(values=((NAN,) * 3,) * 2, marks=((Mark.OPEN,) * 3,) * 2):
        made.set_map(np.array(values), ("1", "2"), COLUMNS, row_name="block", column_name="heads", unit="nats",
                     signed=True)  # fmt: skip
        made.set_cells(marks, NOTES, first_apart=True)
        return made

    parts()
    with qtbot.waitExposed(host):
        host.show()
    return parts


def clicks(view):
    found = []
    view.activated.connect(lambda row, column: found.append((row, column)))
    return found


def test_a_click_activates_the_cell_under_the_mouse(parts, qtbot):
    view = parts()
    found = clicks(view)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.rect_of(1, 2).center().toPoint())
    assert found == [(1, 2)]
    assert view.selection == (1, 2)
    qtbot.mouseClick(view, Qt.MouseButton.RightButton, pos=view.rect_of(0, 0).center().toPoint())
    assert found == [(1, 2)]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_arrows_select_a_cell_and_return_or_space_activates_it(parts, qtbot, key):
    view = parts()
    found = clicks(view)
    qtbot.keyClick(view, key)
    assert found == []  # nothing is selected
    for arrow in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down):
        qtbot.keyClick(view, arrow)
    assert found == []
    qtbot.keyClick(view, key)
    assert found == [view.selection] == [(1, 1)]
    assert view.accessibleDescription() == "part 1.1"


def test_numbers_have_as_many_digits_as_all_of_them_have_room_for(parts):
    view = parts([[2.876, 0.3506, -0.0216], [0.1677, NAN, 0.0188]])
    seen = []
    for width in range(600, 100, -5):
        view.resize(width, 240)
        if view._fitting_texts() not in seen:
            seen.append(view._fitting_texts())
    assert seen == [
        [["+2.876", "+0.351", "−0.022"], ["+0.168", "", "+0.019"]],
        [["+2.88", "+0.35", "−0.02"], ["+0.17", "", "+0.02"]],
        [["+2.9", "+.35", "−.02"], ["+.17", "", "+.02"]],
        [],
    ]


@pytest.mark.parametrize(
    ("value", "text"), [(0.126, "+.13"), (-0.004, "−.00"), (0.999, "+1.0"), (-3.14, "−3.1"), (12.4, "+12")]
)
def test_a_compact_number_has_four_characters_at_most(value, text):
    assert compact(value) == text
    assert signed(value, 3)[0] == text[0]


@pytest.mark.parametrize("mode", ["dark", "light"])
def test_every_mark_looks_different(parts, qtbot, request, mode):
    before = themes.mode
    request.addfinalizer(lambda: themes.choose(before))
    themes.choose(mode)
    pictures = set()
    for mark in Mark:
        view = parts(marks=((mark,) * 3,) * 2)
        cell = view.grab(view.rect_of(0, 1).toRect()).toImage()
        pictures.add(bytes(cell.constBits()))
    assert len(pictures) == len(Mark)


def test_without_a_number_there_is_neither_a_scale_nor_an_export(parts):
    view = parts()
    assert view._frame().bar.isEmpty()
    assert view.export("parts") is None
    view = parts([[0.5, NAN, NAN], [NAN] * 3])
    assert not view._frame().bar.isEmpty()
    figure = view.export("parts").figure
    assert (figure.columns, figure.unit) == (["all", "1", "2"], "nats")
    assert figure.values[0, 0] == 0.5
