"""The table of runs: its menus, keys and search, and the commands of the selected run."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMenu

from lab.runs.library.labels import read_label
from lab.shell.actions.registry import Action


@pytest.fixture
def paths(saved_run):
    """The folders of the runs One, Two and Three."""
    return [saved_run(title) for title in ("One", "Two", "Three")]


def show_table(window, until):
    until(lambda: len(window.session.registry.runs) == 3)
    window.runs_controller.toggle_table()
    return window


@pytest.fixture
def listed(paths, open_runs, until):
    """A window with the open table of the runs One, Two and Three, and their folders."""
    return show_table(open_runs(), until), paths


@pytest.fixture
def with_places(paths, open_window, until):
    """The window of the lab with the open table of the runs One, Two and Three."""
    return show_table(open_window(), until)


@pytest.fixture
def table(listed):
    return listed[0].runs_controller.table


def select(window, *names):
    table = window.runs_controller.table
    table.table.select([run.key for run in window.session.registry.runs if run.name in names])
    table._show_count()


def open_list(button):
    """Fill the menu of a button as a click does, and return its actions by text, those of its submenus too."""
    menu = button.menu()
    menu.aboutToShow.emit()
    actions = {}
    for action in menu.actions():
        inner = action.menu()
        actions |= {one.text(): one for one in (inner.actions() if inner is not None else [action])}
    return actions


def headers(table):
    model = table.table.model()
    return [model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())]


def test_a_column_is_switched_off_and_on_in_the_menu(table):
    before = headers(table)
    title = before[-1]
    open_list(table.columns)[title].trigger()
    assert headers(table) == before[:-1]
    assert not open_list(table.columns)[title].isChecked()
    open_list(table.columns)[title].trigger()
    assert headers(table) == before


def test_the_runs_are_sorted_in_a_menu_that_the_tab_key_reaches(table):
    assert table.order.focusPolicy() & Qt.FocusPolicy.TabFocus
    open_list(table.order)["name"].trigger()
    open_list(table.order)["Ascending"].trigger()
    assert [row.run.name for row in table.table.table.rows] == ["One", "Three", "Two"]
    open_list(table.order)["Descending"].trigger()
    assert [row.run.name for row in table.table.table.rows] == ["Two", "Three", "One"]


def test_the_menu_of_columns_has_parameters_settings_and_losses_with_units_and_fits_into_the_smallest_window(
    table, until
):
    until(lambda: "Seed" in open_list(table.columns))
    names = list(open_list(table.columns))
    assert names[0] == "parameters"
    assert not [name for name in names if "best gradient" in name or name.startswith("training.")]
    menus = [table.columns.menu(), *table.columns.menu().findChildren(QMenu)]
    assert max(menu.sizeHint().height() for menu in menus) < 640
    open_list(table.columns)["Seed"].trigger()
    assert headers(table)[-1] == "Seed"
    assert "validation loss, nats per token" in headers(table)
    until(lambda: "best training loss (nats per token)" in open_list(table.columns))
    open_list(table.columns)["best training loss (nats per token)"].trigger()
    assert headers(table)[-1] == "best training loss (nats per token)"


@pytest.mark.long
@pytest.mark.qt_log_ignore("This plugin does not support")  # a platform without a screen, of menus
def test_the_button_compares_the_selected_runs_or_the_shown_ones_and_a_menu_leaves_out_the_queue(
    with_places, click, until
):
    window, table = with_places, with_places.runs_controller.table
    select(window, "One", "Three")
    click(table.compare)
    assert table.isHidden()
    page = window.compare.page
    assert page.isVisible()
    names = {page._table.item(row, 0).text() for row in range(page._table.rowCount())}
    assert names == {"One", "Three"}
    window.runs_controller.toggle_table()
    window.session.registry.show([run.key for run in window.session.registry.runs], True)
    select(window)  # none
    table.refresh()
    click(table.compare)
    until(lambda: page._table.rowCount() == 3)
    window.session.registry.select(window.session.registry.runs[0].key)
    window.runs_controller.open_menu(window.commands, QPoint(50, 50))
    (menu,) = [one for one in window.findChildren(QMenu) if one.isVisible()]
    menus = [menu, *menu.findChildren(QMenu)]
    keys = [action.command.key for each in menus for action in each.actions() if isinstance(action, Action)]
    assert {"run.rename", "run.export", "run.delete"} <= set(keys)
    assert not [key for key in keys if key.startswith("queue.")]  # it does not wait
    menu.hide()


def test_another_column_is_added_by_its_name_once(listed, table, click):
    question = listed[0].runs_controller.question
    for _ in range(2):
        open_list(table.columns)["Another…"].trigger()
        question.field.setText("training.batch_size")
        click(question.agree)
    assert table._keys.count("training.batch_size") == 1


def test_the_figures_that_have_no_room_in_their_menu_are_below_more(listed, table):
    table._contents.figures = {f"last series {n}": f"series {n}" for n in range(30)}
    open_list(table.columns)
    (figures,) = (action.menu() for action in table.columns.menu().actions() if action.text() == "Figures")
    found, inner = [], figures
    while inner is not None:
        *first, last = inner.actions()
        inner = last.menu()
        assert (last.text() == "More") == (inner is not None)
        found += first if inner is not None else [*first, last]
    assert [action.text() for action in found] == [f"series {n}" for n in range(30)]
    found[-1].trigger()
    assert table._keys[-1] == "last series 29"


def test_a_column_needs_a_name(listed, table, click):
    question = listed[0].runs_controller.question
    open_list(table.columns)["Another…"].trigger()
    click(question.agree)
    assert question._refused.text() == "Enter the name of a setting or figure"


def test_selected_runs_are_hidden_from_the_charts(listed, table, click):
    window, _ = listed
    window.session.registry.show([run.key for run in window.session.registry.runs], True)
    select(window, "One", "Two")
    click(table.hide_button)
    assert [run.name for run in window.session.registry.shown] == ["Three"]


def test_a_tag_with_a_minus_is_removed(listed, table, click, until):
    window, paths = listed
    question = window.runs_controller.question
    for answer, tags in (("old, wide", ("old", "wide")), ("-old", ("wide",))):
        select(window, "One")
        click(table.tag)
        question.field.setText(answer)
        click(question.agree)
        until(lambda tags=tags: read_label(paths[0]).tags == tags)


def test_delete_moves_the_selected_runs_to_the_bin_and_its_menu_restores_them(listed, table, qtbot, until):
    window, _ = listed
    select(window, "Two")
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    until(lambda: sorted(run.name for run in window.session.registry.runs) == ["One", "Three"])
    assert table.bin.text() == "bin (1) ▾"
    open_list(table.bin)["Restore Two"].trigger()
    until(lambda: len(window.session.registry.runs) == 3)
    until(table.bin.isHidden)


def test_slash_and_the_command_to_find_go_to_the_search_of_the_table_which_follows_that_of_the_list(
    listed, table, qtbot
):
    window, _ = listed
    qtbot.keyClick(table, Qt.Key.Key_Slash)
    assert QApplication.focusWidget() is table.field
    table.setFocus()
    window.runs_controller.find()
    assert QApplication.focusWidget() is table.field
    window.runs.search_for("Three")
    window.runs.refreshed.emit()
    assert table.field.text() == "Three"
    assert table._count.text() == "1 / 3"
    window.runs_controller.toggle_table()
    window.runs_controller.find()
    assert window.runs.isAncestorOf(QApplication.focusWidget())


@pytest.mark.qt_log_ignore("commitData called with an editor")  # Qt commits once more when the field loses its focus
def test_a_run_is_renamed_in_its_row(listed, table, qtbot, until):
    window, paths = listed
    select(window, "Two")
    window.runs_controller.rename()
    field = table.table.findChild(QLineEdit)
    field.selectAll()
    qtbot.keyClicks(field, "Second")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    until(lambda: read_label(paths[1]).name == "Second")


def test_the_star_of_the_selected_run_is_set_and_removed(listed, until):
    window, paths = listed
    window.session.registry.select(next(run.key for run in window.session.registry.runs if run.path == paths[0]))
    for star in (True, False):
        window.runs_controller.star()
        until(lambda star=star: read_label(paths[0]).star is star)


def test_more_steps_are_given_as_a_whole_number_and_a_branch_of_a_run_without_checkpoints_is_refused(
    listed, click, until
):
    window, _ = listed
    window.session.registry.select(window.session.registry.runs[0].key)
    window.runs_controller.train_further()
    question = window.runs_controller.question
    question.field.setText("many")
    click(question.agree)
    assert question._refused.text() == "Enter a whole number"
    window.runs_controller.branch()
    until(lambda: "has no checkpoint yet" in question._note.text())
    assert question.isVisible()


def test_without_a_selected_run_its_commands_do_nothing(open_runs):
    controller = open_runs().runs_controller
    for command in (
        *(controller.resume, controller.train_further, controller.branch, controller.verify, controller.save),
        *(controller.replay, controller.star, controller.delete, controller.export, controller.export_model),
    ):
        command()
        assert controller.question.isHidden()
    assert controller.panel.list.rows.rows == []


def test_an_export_without_a_file_writes_nothing(listed, monkeypatch, tmp_path):
    window, _ = listed
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    window.session.registry.select(window.session.registry.runs[0].key)
    window.runs_controller.export()
    window.runs_controller.export_model()
    assert list(tmp_path.glob("*.lmlab")) == []
