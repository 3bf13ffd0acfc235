"""The parts of the card of routing, for more experts than a screen has room for."""

import numpy as np
import pytest

from lab_moe.token_classes import KEYWORDS
from lab_moe.views.favourites import FavouritesPart
from lab_moe.views.parts import ClassesPart, Routed, TogetherPart

TEXT = ("def", "f", "(", "x", ")", ":", "return", "x")


@pytest.fixture
def shown(qtbot):
    """Show a part in a window of this size."""

    def shown(part, width=600, height=400):
        qtbot.addWidget(part)
        part.resize(width, height)
        part.show()
        return part

    return shown


def routed(experts, labels=TEXT, taken=0.5):
    """Return the routing of a text whose tokens take the experts in turn."""
    g = np.zeros((len(TEXT), experts))
    g[np.arange(len(TEXT)), np.arange(len(TEXT)) % experts] = taken
    return Routed(g, g, labels)


def test_pairs_of_a_thousand_experts_are_shown_in_tool_tips_and_not_in_cells(qtbot):
    part = TogetherPart()
    qtbot.addWidget(part)
    part.resize(600, 400)
    g = np.where(np.random.default_rng(0).random((64, 1024)) < 0.01, 0.5, 0)
    routed = Routed(g, g, ())

    part.show_routed(routed)
    assert not part.grab().isNull()
    assert part.map.isVisibleTo(part)
    assert part.map.text_at(0, 0).startswith("expert 1 · partner")


@pytest.mark.parametrize("kind", [FavouritesPart, ClassesPart, TogetherPart])
def test_where_no_expert_takes_a_token_a_sentence_says_so(shown, kind):
    part = shown(kind())
    part.show_routed(routed(2, taken=0.0))
    assert not part.map.isVisible()
    assert part._message.isVisible()
    assert "expert" in part._message.text()


def test_the_map_comes_back_with_a_text_that_is_routed(shown):
    part = shown(FavouritesPart())
    part.show_routed(routed(2, taken=0.0))
    part.show_routed(routed(2))
    assert part.map.isVisible()
    assert not part._message.isVisible()


def test_a_selected_row_of_many_experts_is_scrolled_to(shown):
    part = shown(FavouritesPart(), height=120)
    part.show_routed(routed(64))
    assert part._area.verticalScrollBar().value() == 0
    part.map.selected.emit(7, 0)
    scrolled = part._area.verticalScrollBar().value()
    assert scrolled > 0
    part.map.selected.emit(-1, -1)  # the selection is dropped
    assert part._area.verticalScrollBar().value() == scrolled


def test_a_wider_window_lists_more_of_an_experts_tokens(shown, qtbot):
    part = shown(FavouritesPart(), width=260)
    g = np.ones((40, 1))
    part.show_routed(Routed(g, g, tuple(f"token{number}" for number in range(40))))
    few = part.map._values.shape[1]
    part.resize(1200, 400)
    qtbot.waitUntil(lambda: part.map._values.shape[1] > few)


def test_keywords_of_a_person_are_a_class_until_those_of_python_are_taken_again(shown, qtbot):
    part = shown(ClassesPart())
    part.show_routed(routed(2))
    edits = []
    part.edited.connect(lambda: edits.append(set(part.keywords)))
    part.field.setText("x f")
    part.field.editingFinished.emit()
    part.field.editingFinished.emit()  # the field loses the focus: nothing new
    assert edits == [{"x", "f"}]
    assert part._back.isVisible()
    part._back.click()
    assert edits[-1] == set(KEYWORDS)
    assert not part._back.isVisible()


def test_classes_need_the_labels_of_the_tokens(shown):
    part = shown(ClassesPart())
    part.show_routed(routed(2, labels=()))
    assert part._message.text() == "The labels of the tokens are not known here."
