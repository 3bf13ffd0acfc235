"""Runs are listed, selected, hidden and found; a list that is updated four times a second does not jump."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QContextMenuEvent, QFontMetricsF, QHelpEvent, QPainter, QPixmap
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication, QLineEdit, QListView, QToolTip

from lab.widgets.core.controls import Button
from lab.widgets.core.theme import STEP, themes
from lab.widgets.runs.delegate import RailDelegate, eye_rect, fitted, paint_dot, rail_width
from lab.widgets.runs.list_model import RunRow, distinguished
from lab.widgets.runs.list_view import RunList, RunRail


def runs(count, **changes):
    return [
        replace(
            RunRow(
                key=f"run-{number}", name=f"run {number}", colour=themes.now.runs[number % 8], value=f"1.{number:02}",
                detail="running · step 1,240", state="running", shown=True,
            ),
            **changes,
        )
        for number in range(count)
    ]  # fmt: skip


@pytest.fixture
def listed(qtbot):
    made = RunList()
    qtbot.addWidget(made)
    made.resize(240, 700)
    with qtbot.waitExposed(made):
        made.show()
    return made


def rect_of(view, number) -> QRect:
    return view.visualRect(view.model().index(number, 0))


def names(view):
    return [view.model().index(number, 0).data() for number in range(view.model().rowCount())]


def selected_in(view):
    return [index.data() for index in view.selectionModel().selectedIndexes()]


def click(qtbot, view, point):
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point)


def test_up_to_eight_runs_have_two_lines_and_nine_have_one(listed):
    listed.set_rows(runs(8))
    assert rect_of(listed, 0).height() == 46
    listed.set_rows(runs(9))
    assert rect_of(listed, 0).height() == 28
    listed.set_rows(runs(8))
    assert rect_of(listed, 0).height() == 46


def test_rows_keep_their_height_during_a_search(listed):
    listed.set_rows(runs(3), total=50)
    assert rect_of(listed, 0).height() == 28


def test_a_click_selects_a_run(listed, qtbot):
    listed.set_rows(runs(3))
    with qtbot.waitSignal(listed.selected) as reported:
        click(qtbot, listed, rect_of(listed, 1).center())
    assert reported.args == ["run-1"]


def test_up_and_down_select_and_return_selects_once_more(listed, qtbot):
    listed.set_rows(runs(3))
    listed.select("run-1")
    with qtbot.waitSignal(listed.selected) as reported:
        qtbot.keyClick(listed, Qt.Key.Key_Down)
    assert reported.args == ["run-2"]
    with qtbot.waitSignal(listed.selected) as reported:
        qtbot.keyClick(listed, Qt.Key.Key_Return)
    assert reported.args == ["run-2"]


def test_a_run_selected_by_the_window_is_marked_without_a_signal(listed, qtbot):
    listed.set_rows(runs(3))
    with qtbot.assertNotEmitted(listed.selected):
        listed.select("run-2")
    assert selected_in(listed) == ["run 2"]


def test_a_run_can_be_selected_before_it_is_listed(listed):
    listed.select("run-2")
    listed.set_rows(runs(3))
    assert selected_in(listed) == ["run 2"]


@pytest.mark.parametrize("count", [5, 50])
def test_a_click_on_the_eye_hides_the_run_and_selects_nothing(listed, qtbot, count):
    listed.set_rows(runs(count))
    row = rect_of(listed, 3)
    eye = QPoint(row.left() + 32, row.center().y()) if count == 50 else row.bottomRight() - QPoint(16, 12)
    with qtbot.assertNotEmitted(listed.selected), qtbot.waitSignal(listed.shown_changed) as reported:
        click(qtbot, listed, eye)
    assert reported.args == ["run-3", False]


def test_a_click_on_the_eye_of_a_hidden_run_shows_it(listed, qtbot):
    listed.set_rows(runs(3, shown=False))
    with qtbot.waitSignal(listed.shown_changed) as reported:
        click(qtbot, listed, rect_of(listed, 0).bottomRight() - QPoint(16, 12))
    assert reported.args == ["run-0", True]


def test_a_double_click_edits_the_name_and_return_gives_it(listed, qtbot):
    listed.set_rows(runs(3))
    name = rect_of(listed, 1).center() - QPoint(40, 8)
    qtbot.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=name)
    qtbot.mouseDClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=name)
    field = listed.findChild(QLineEdit)
    assert field.text() == "run 1"
    qtbot.keyClicks(field, "the best one")
    with qtbot.waitSignal(listed.renamed) as reported:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert reported.args == ["run-1", "the best one"]


def test_an_edited_name_stays_while_the_run_continues(listed, qtbot):
    listed.set_rows(runs(3))
    listed.select("run-1")
    listed.rename()
    field = listed.findChild(QLineEdit)
    qtbot.keyClicks(field, "half a na")
    listed.set_rows(runs(3, value="0.99", name="another"))
    assert field.text() == "half a na"


def test_escape_leaves_a_name_as_it_was(listed, qtbot):
    listed.set_rows(runs(3))
    listed.select("run-1")
    listed.rename()
    field = listed.findChild(QLineEdit)
    qtbot.keyClicks(field, "nothing")
    with qtbot.assertNotEmitted(listed.renamed):
        qtbot.keyClick(field, Qt.Key.Key_Escape)


def test_the_delete_key_requests_to_delete_the_selected_run(listed, qtbot):
    listed.set_rows(runs(3))
    listed.select("run-1")
    with qtbot.waitSignal(listed.deleted):
        qtbot.keyClick(listed, Qt.Key.Key_Delete)


def test_the_key_e_toggles_the_eye_of_the_selected_run(listed, qtbot):
    listed.set_rows(runs(3))
    listed.select("run-2")
    with qtbot.waitSignal(listed.shown_changed) as reported:
        qtbot.keyClick(listed, Qt.Key.Key_E)
    assert reported.args == ["run-2", False]


def test_letters_do_not_select_by_name(listed, qtbot):
    listed.set_rows(runs(3))
    with qtbot.assertNotEmitted(listed.selected):
        qtbot.keyClick(listed, Qt.Key.Key_R)


def test_a_right_click_requests_the_menu_of_the_run_under_it(listed, qtbot):
    listed.set_rows(runs(3))
    place = rect_of(listed, 1).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, listed.viewport().mapToGlobal(place))
    with qtbot.assertNotEmitted(listed.selected), qtbot.waitSignal(listed.menu_requested) as reported:
        qtbot.mouseClick(listed.viewport(), Qt.MouseButton.RightButton, pos=place)
        QApplication.sendEvent(listed.viewport(), event)
    assert reported.args == ["run-1", listed.viewport().mapToGlobal(place)]


def test_the_menu_key_requests_the_menu_of_the_current_run(listed, qtbot):
    listed.set_rows(runs(3))
    listed.select("run-2")
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(0, 0), QPoint(0, 0))
    with qtbot.waitSignal(listed.menu_requested) as reported:
        QApplication.sendEvent(listed.viewport(), event)
    assert reported.args[0] == "run-2"


def test_only_changed_rows_are_updated(listed):
    rows = runs(50)
    listed.set_rows(rows)
    changed = QSignalSpy(listed.model().dataChanged)
    listed.set_rows(list(rows))
    assert changed.count() == 0
    rows[7] = replace(rows[7], value="1.50", detail="running · step 1,250")
    listed.set_rows(rows)
    assert [signal[0].row() for signal in (changed.at(n) for n in range(changed.count()))] == [7]


def test_selection_and_scroll_stay_over_updates(listed, qtbot):
    rows = runs(50)
    listed.set_rows(rows)
    listed.select("run-40")
    listed.verticalScrollBar().setValue(300)
    with qtbot.assertNotEmitted(listed.selected):
        listed.set_rows([replace(row, value="9.99") for row in rows])
    assert selected_in(listed) == ["run 40"]
    assert listed.verticalScrollBar().value() == 300


def test_the_selection_stays_with_its_run_when_rows_change(listed, qtbot):
    rows = runs(10)
    listed.set_rows(rows)
    listed.select("run-4")
    with qtbot.assertNotEmitted(listed.selected):
        listed.set_rows([*runs(12)[10:], *reversed(rows[2:])])
    assert names(listed) == [f"run {number}" for number in (10, 11, 9, 8, 7, 6, 5, 4, 3, 2)]
    assert selected_in(listed) == ["run 4"]


def test_the_selected_run_is_not_replaced_by_its_neighbour_when_it_goes(listed, qtbot):
    rows = runs(5)
    listed.set_rows(rows)
    listed.select("run-2")
    with qtbot.assertNotEmitted(listed.selected):
        listed.set_rows([row for row in rows if row.key != "run-2"])
    assert selected_in(listed) == []


def test_a_selected_run_that_was_filtered_away_comes_back_selected(listed, qtbot):
    listed.set_rows(runs(5))
    listed.select("run-2")
    with qtbot.assertNotEmitted(listed.selected):
        listed.set_rows(runs(5)[4:], total=5)
        listed.set_rows(runs(5))
    assert selected_in(listed) == ["run 2"]


def test_the_accessible_text_of_a_run_has_everything_that_is_visible(listed):
    listed.set_rows(runs(1, shown=False))
    said = listed.model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "run 0, 1.00, running · step 1,240, hidden in the charts"
    assert listed.accessibleName() == "Runs"


def test_a_long_name_is_complete_in_the_tool_tip(listed):
    name = "<i>mamba</i>, state 16, with every setting in its name"
    listed.set_rows(runs(1, name=name))
    tip = listed.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "&lt;i&gt;mamba&lt;/i&gt;, state 16, with every setting in its name" in tip
    assert "running · step 1,240" in tip


def test_star_branch_badge_and_tags_are_in_the_tool_tip(listed):
    listed.set_rows(runs(1, star=True, branched=True, badge="close", more=("from run 7 at step 200", "good, wide")))
    tip = listed.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    for words in ("starred", "verified: close", "from run 7 at step 200", "good, wide"):
        assert words in tip


@pytest.mark.parametrize("change", [{"star": True}, {"branched": True}, {"badge": "exact"}, {"badge": "close"}])
def test_marks_are_shown_next_to_the_name(listed, change):
    listed.set_rows(runs(1))
    plain = listed.grab().toImage()
    listed.set_rows(runs(1, **change))
    assert listed.grab().toImage() != plain


def test_a_thousand_runs_are_listed_at_once_and_keep_the_selection(listed, qtbot):
    listed.set_rows(runs(5))
    listed.select("run-2")
    with qtbot.assertNotEmitted(listed.selected):
        listed.set_rows(runs(1000))
    assert listed.model().rowCount() == 1000
    assert selected_in(listed) == ["run 2"]


def test_fifty_runs_scroll_down_only(listed):
    listed.set_rows(runs(50, name="a name that is far too long for a dock of 240 pixels"))
    assert listed.verticalScrollBar().maximum() > 0
    assert listed.horizontalScrollBar().maximum() == 0


def test_dots_show_the_state_of_a_run_without_colour():
    looks = {}
    for state in ("queued", "running", "paused", "finished", "failed"):
        image = QPixmap(16, 16)
        image.fill(Qt.GlobalColor.black)
        painter = QPainter(image)
        paint_dot(painter, QRect(0, 0, 16, 16).toRectF().center(), "#ffffff", state)
        painter.end()
        looks[state] = image.toImage()
    pictures = list(looks.values())
    assert all(one != other for place, one in enumerate(pictures) for other in pictures[:place])


def test_dots_distinguish_solid_dashed_and_dotted_lines():
    pictures = []
    for dashes in range(3):
        image = QPixmap(32, 16)
        image.fill(Qt.GlobalColor.black)
        painter = QPainter(image)
        paint_dot(painter, QRect(0, 0, 32, 16).toRectF().center(), "#ffffff", "finished", dashes)
        painter.end()
        pictures.append(image.toImage())
    assert all(one != other for place, one in enumerate(pictures) for other in pictures[:place])


@pytest.fixture
def rail(qtbot):
    made = RunRail()
    qtbot.addWidget(made)
    made.resize(48, 700)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_the_rail_shows_a_dot_for_each_run_and_its_name_in_the_tool_tip(rail):
    rail.set_rows(runs(12))
    dots = rail.findChild(QListView)
    assert rail.width() == 48
    assert dots.model().rowCount() == 12
    assert "run 3" in dots.model().index(3, 0).data(Qt.ItemDataRole.ToolTipRole)


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Quick start", "Quick"),
        ("Quick start · seed 12", "Qui12"),
        ("Story · quick start", "Story"),
        ("Mamba", "Mamba"),
        ("Transformer 2", "Tran2"),
        ("width 128 · Transformer", "Wi128"),
        ("layers 4 · width 64 · LSTM", "Laye4"),
        ("LSTM", "LSTM"),
        ("rope", "Rope"),
        ("3", "3"),
        ("Überlänge, zweite", "Überl"),
        ("…", ""),
    ],
)
def test_the_rail_shows_the_start_of_a_name_and_its_number(name, short):
    assert RunRow("key", name, "#000000", "", "", "finished", shown=True).short_name == short


def test_runs_with_equal_short_names_are_numbered_from_the_oldest_on():
    def short(*names):
        rows = [RunRow(name, name, "#000000", "", "", "finished", shown=True) for name in names]
        return [row.short_name for row in distinguished(rows)]

    assert short("Quick start", "Mamba") == ["Quick", "Mamba"]
    assert short("Small", "Story", "Mamba", "Small") == ["Sma2", "Story", "Mamba", "Sma1"]
    assert short("Small", "Small", "Small") == ["Sma3", "Sma2", "Sma1"]
    assert short("Small 2, wide", "Small 2, warm", "Sm1") == ["Sma2", "Sma1", "Sm1"]
    assert short("Sma 1", "Small one", "Small two") == ["Sma1", "Sma3", "Sma2"]
    assert short("3", "3") == ["2", "1"]
    many = short(*(f"Transformer · seed {seed} · run" for seed in (1, 1, 2, 2, 3)))
    assert len(set(many)) == 5


def test_the_rail_paints_the_short_names(rail):
    rail.set_rows(runs(1))
    named = rail.grab().toImage()
    rail.set_rows([replace(runs(1)[0], name="Other name")])
    assert rail.grab().toImage() != named


def test_a_click_on_a_dot_selects_its_run(rail, qtbot):
    rail.set_rows(runs(12))
    dots = rail.findChild(QListView)
    with qtbot.waitSignal(rail.selected) as reported:
        click(qtbot, dots, rect_of(dots, 3).center())
    assert reported.args == ["run-3"]


def test_a_right_click_on_a_dot_requests_the_menu_of_its_run(rail, qtbot):
    rail.set_rows(runs(3))
    dots = rail.findChild(QListView)
    spot = dots.visualRect(dots.model().index(1, 0)).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, spot, dots.viewport().mapToGlobal(spot))
    with qtbot.waitSignal(rail.menu_requested) as reported:
        QApplication.sendEvent(dots.viewport(), event)
    assert reported.args[0] == "run-1"


def test_the_rail_marks_the_selected_run(rail):
    rail.set_rows(runs(3))
    rail.select("run-1")
    assert selected_in(rail.findChild(QListView)) == ["run 1"]


def test_the_button_of_the_rail_opens_the_list(rail, qtbot):
    opener = rail.findChild(Button)
    assert opener.accessibleName() == "Show the list of runs"
    with qtbot.waitSignal(rail.opened):
        qtbot.mouseClick(opener, Qt.MouseButton.LeftButton)


def test_the_eye_says_what_a_click_on_it_does(listed):
    listed.set_rows([*runs(1), *runs(2, shown=False)[1:]])
    hints = []
    for number in range(2):
        spot = eye_rect(rect_of(listed, number)).center()
        QApplication.sendEvent(listed.viewport(), QHelpEvent(QEvent.Type.ToolTip, spot, listed.mapToGlobal(spot)))
        hints.append(QToolTip.text())
    QToolTip.hideText()
    assert hints == ["Hide from the charts (E)", "Show in the charts (E)"]


@pytest.mark.parametrize("scale", [80, 100, 200])
def test_the_short_name_of_a_run_fits_the_rail_in_the_size_of_the_type(qapp, scale):
    themes.change(type_size=scale)
    width = rail_width() - 8 - STEP
    font = fitted(RailDelegate._font, "STQS", width)
    assert QFontMetricsF(font).horizontalAdvance("STQS") <= width
    assert font.pixelSize() == RailDelegate._font.pixelSize()


def test_a_name_that_is_wider_than_the_rail_is_written_smaller(qapp):
    font = fitted(RailDelegate._font, "STQS", 20)
    assert QFontMetricsF(font).horizontalAdvance("STQS") <= 20
