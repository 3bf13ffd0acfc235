"""Passages are listed one below the other, with every character visible."""

import pytest
from PySide6.QtCore import Qt

from lab.widgets.lists.passage_list import Passage, PassageList


@pytest.fixture
def passages(qtbot):
    made = PassageList("Passages")
    qtbot.addWidget(made)
    made.resize(300, 160)
    made.set_rows([Passage(f"to be,\nor not {n}", f"{n} times") for n in range(50)])
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_a_passage_is_described_with_its_figures_and_white_space(passages):
    index = passages.model().index(7, 0)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "7 times: to␣be,⏎or␣not␣7"
    assert "to␣be,⏎or␣not␣7" in index.data(Qt.ItemDataRole.ToolTipRole)


def test_a_passage_longer_than_its_lines_is_shown_in_all_of_them(passages, qtbot):
    before = painted(passages, 1)
    passages.set_rows([Passage("word " * 100, "twice")])
    assert before == 0
    assert painted(passages, 1) > 0


def painted(passages, line):
    """Count the pixels that differ from the ground in a line of the first passage."""
    image = passages.viewport().grab().toImage()
    top = passages.visualRect(passages.model().index(0, 0)).top() + 2 + (line + 1) * 17
    ground = image.pixelColor(3, top + 1)
    return sum(image.pixelColor(x, y) != ground for y in range(top + 3, top + 15) for x in range(4, image.width() - 8))
