"""The table of runs: headers sort, several rows can be selected, and the selection stays with its runs."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QMenu, QStyleOptionHeaderV2

from lab.widgets.core.theme import themes
from lab.widgets.runs.list_model import RunRow
from lab.widgets.runs.table import RunTable
from lab.widgets.runs.table_model import Column, TableRow

COLUMNS = [Column("loss", "validation loss", number=True), Column("tags", "tags")]


def rows(losses, *, shown=True):
    made = []
    for number, loss in enumerate(losses):
        run = RunRow(f"run-{number}", f"run {number}", themes.now.runs[0], "", "done", "finished", shown)
        cells = (("" if loss is None else f"{loss:.2f}", loss), (f"tag{number}", f"tag{number}"))
        made.append(TableRow(run, cells))
    return made


@pytest.fixture
def table(qtbot):
    made = RunTable()
    qtbot.addWidget(made)
    made.resize(900, 400)
    with qtbot.waitExposed(made):
        made.show()
    made.set_table(COLUMNS, rows([2.0, 1.0, None, 3.0]))
    return made


def names(table):
    return [table.model().index(row, 0).data() for row in range(table.model().rowCount())]


def rect_of(table, row, column=0):
    return table.visualRect(table.model().index(row, column))


def click_head(table, qtbot, column):
    head = table.horizontalHeader()
    at = QPoint(head.sectionViewportPosition(column) + 20, head.height() // 2)
    qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=at)


def test_a_click_on_a_header_sorts_and_a_second_one_reverses(table, qtbot):
    click_head(table, qtbot, 1)
    assert names(table) == ["run 1", "run 0", "run 3", "run 2"]
    click_head(table, qtbot, 1)
    assert names(table) == ["run 3", "run 0", "run 1", "run 2"]


def test_the_keyboard_selects_sorts_and_resizes_a_column(table, qtbot):
    head = table.horizontalHeader()
    assert head.focusPolicy() & Qt.FocusPolicy.TabFocus
    head.setFocus()
    qtbot.keyClick(head, Qt.Key.Key_Right)
    assert head.accessibleName() == "Column validation loss"
    width = head.sectionSize(1)
    qtbot.keyClick(head, Qt.Key.Key_Plus)
    assert head.sectionSize(1) > width
    qtbot.keyClick(head, Qt.Key.Key_Minus)
    assert head.sectionSize(1) == width
    qtbot.keyClick(head, Qt.Key.Key_Return)
    assert names(table) == ["run 1", "run 0", "run 3", "run 2"]
    qtbot.keyClick(head, Qt.Key.Key_Return)
    assert names(table) == ["run 3", "run 0", "run 1", "run 2"]


def test_a_column_selected_with_the_keyboard_is_scrolled_into_view_and_framed(table, qtbot):
    head = table.horizontalHeader()
    table.resize(300, 400)
    for _ in range(5):  # more than there are columns
        qtbot.keyClick(head, Qt.Key.Key_Right)
    assert head.sectionViewportPosition(2) + head.sectionSize(2) <= head.viewport().width()
    table.setFocus()
    unframed = head.grab().toImage()
    head.setFocus()
    assert head.grab().toImage() != unframed


def choose(menu, title):
    next(action for action in menu.actions() if action.text() == title).trigger()


def test_a_menu_sorts_by_any_column_in_both_directions(table):
    menu = QMenu(table)
    table.offer_order(menu)
    choose(menu, "validation loss")
    assert names(table) == ["run 1", "run 0", "run 3", "run 2"]
    table.offer_order(menu)
    choose(menu, "Descending")
    assert names(table) == ["run 3", "run 0", "run 1", "run 2"]
    table.offer_order(menu)
    checked = [action.text() for action in menu.actions() if action.isChecked()]
    assert checked == ["validation loss", "Descending"]


def test_the_arrow_points_down_where_the_largest_value_is_at_the_top(table):
    for down, arrow in ((True, "SortDown"), (False, "SortUp")):
        table.order_by("loss", down=down)
        option = QStyleOptionHeaderV2()
        table.horizontalHeader().initStyleOptionForIndex(option, 1)
        assert option.sortIndicator.name == arrow


def test_names_are_ordered_by_the_numbers_in_them(table):
    table.order_by("", down=False)
    table.set_table(COLUMNS, rows([1.0] * 12))
    assert names(table)[1:4] == ["run 1", "run 2", "run 3"]
    assert names(table)[-1] == "run 11"


def test_several_rows_are_selected_and_stay_so_when_the_order_changes(table, qtbot):
    control = Qt.KeyboardModifier.ControlModifier
    table.order_by("loss", down=False)
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=rect_of(table, 0).center())
    with qtbot.waitSignal(table.selection_changed):
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, control, rect_of(table, 2).center())
    assert table.selected == ["run-1", "run-3"]
    click_head(table, qtbot, 0)
    assert sorted(table.selected) == ["run-1", "run-3"]


def test_selection_stays_with_its_runs_when_others_come_and_go(table):
    table.select(["run-0", "run-3"])
    table.set_table(COLUMNS, [row for row in rows([2.0, 1.0, None, 3.0, 0.5]) if row.run.key != "run-0"])
    assert table.selected == ["run-3"]


def test_the_key_e_toggles_the_eyes_of_all_selected_runs(table, qtbot):
    table.select(["run-0", "run-1"])
    with qtbot.waitSignal(table.shown_changed) as reported:
        qtbot.keyClick(table, Qt.Key.Key_E)
    assert reported.args == [["run-0", "run-1"], False]


def test_a_click_on_an_eye_toggles_it_and_selects_nothing(table, qtbot):
    row = rect_of(table, 1)
    with qtbot.assertNotEmitted(table.selection_changed), qtbot.waitSignal(table.shown_changed) as reported:
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(row.left() + 34, row.center().y()))
    assert reported.args == [["run-1"], False]


def test_return_and_a_double_click_beside_the_name_open_a_run(table, qtbot):
    table.select(["run-1"])
    with qtbot.waitSignal(table.opened) as reported:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    assert reported.args == ["run-1"]
    with qtbot.waitSignal(table.opened) as reported:
        qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=rect_of(table, 0, 1).center())
    assert reported.args == ["run-0"]


def test_a_name_is_edited_in_its_cell(table, qtbot):
    table.select(["run-1"])
    table.rename()
    field = table.findChild(QLineEdit)
    qtbot.keyClicks(field, "the best")
    with qtbot.waitSignal(table.renamed) as reported:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert reported.args == ["run-1", "the best"]


def test_numbers_and_their_heads_stand_at_the_right(table):
    right = Qt.AlignmentFlag.AlignRight
    role = Qt.ItemDataRole.TextAlignmentRole
    assert Qt.AlignmentFlag(table.model().headerData(1, Qt.Orientation.Horizontal, role)) & right
    assert not Qt.AlignmentFlag(table.model().headerData(2, Qt.Orientation.Horizontal, role)) & right


def test_columns_fill_the_table_until_a_person_gives_them_widths(table):
    head = table.horizontalHeader()
    assert head.length() == table.viewport().width()
    table.resize(1200, 400)
    assert head.length() == table.viewport().width()
    table.setColumnWidth(1, 200)
    table.resize(1300, 400)
    assert table.columnWidth(1) == 200


def test_a_thousand_rows_can_all_be_selected(table, qtbot):
    table.set_table(COLUMNS, rows([float(number) for number in range(1000)]))
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert len(table.selected) == 1000
