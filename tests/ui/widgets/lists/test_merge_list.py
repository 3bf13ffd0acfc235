"""Merges are listed in order, and one of them is marked."""

import pytest
from PySide6.QtCore import Qt

from lab.widgets.lists.merge_list import MergeList, ShownMerge


@pytest.fixture
def merges(qtbot):
    made = MergeList()
    qtbot.addWidget(made)
    made.resize(360, 300)
    made.set_merges([ShownMerge("t", f"h{n}", f"th{n}", 1000 - n) for n in range(200)])
    with qtbot.waitExposed(made):
        made.show()
    return made


def reported(merges, number):
    return merges.view.model().index(number - 1, 0).data(Qt.ItemDataRole.AccessibleTextRole)


def test_each_merge_shows_its_number_pair_new_token_and_count(merges):
    assert reported(merges, 3) == "merge 3: t + h2 → th2, 998 times"


def test_marking_a_merge_scrolls_to_it_without_a_signal(merges, qtbot):
    with qtbot.assertNotEmitted(merges.picked):
        merges.mark(150)
    assert merges.view.viewport().rect().contains(merges.view.visualRect(merges.view.currentIndex()))
    assert merges.view.currentIndex().row() == 149
    merges.mark(0)
    assert not merges.view.selectionModel().hasSelection()


def test_arrows_and_clicks_choose_a_merge(merges, qtbot):
    merges.mark(5)
    with qtbot.waitSignal(merges.picked) as asked:
        qtbot.keyClick(merges.view, Qt.Key.Key_Down)
    assert asked.args == [6]
    with qtbot.waitSignal(merges.picked) as asked:
        place = merges.view.visualRect(merges.view.model().index(1, 0)).center()
        qtbot.mouseClick(merges.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert asked.args == [2]
