"""The kit's choices say whole what they have no room for."""

import pytest

from lab.widgets.core.controls import ChoiceBox, plain_tip


@pytest.fixture
def box(qtbot):
    """A choice between a short and a long name."""
    box = ChoiceBox()
    qtbot.addWidget(box)
    box.addItems(["short", "a rather long name & more"])
    box.resize(90, 28)
    box.show()
    return box


def test_a_choice_that_is_cut_begins_its_tool_tip_with_its_words(box):
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


def test_a_tool_tip_that_has_the_words_already_stays_as_it_is(box):
    box.setCurrentIndex(1)
    assert box.toolTip() == plain_tip("a rather long name & more")
    box.setToolTip(hint := plain_tip("a rather long name & more: for this and that"))
    assert box.toolTip() == hint
