"""Closing asks while work runs, shows the saving, and offers to close without saving if that takes long."""

import pytest
from PySide6.QtCore import Qt

from lab.shell.window import close_dialog as closing
from lab.shell.window.close_dialog import ClosingPanel


@pytest.fixture
def window(plain_window):
    return plain_window


@pytest.fixture
def emitted():
    return []


@pytest.fixture
def panel(window, emitted):
    made = ClosingPanel(window)
    made.stop_requested.connect(lambda: emitted.append("stop_requested"))
    made.declined.connect(lambda: emitted.append("declined"))
    made.exit_requested.connect(lambda: emitted.append("exit_requested"))
    made.detach_requested.connect(lambda: emitted.append("detach"))
    return made


def rows(panel):
    return [row.text() for row in panel._rows if row.isVisible()]


def test_the_panel_lists_the_work_that_would_be_stopped(panel, window):
    panel.ask(["rope: running, step 185", "mamba: queued"])
    assert rows(panel) == ["rope: running, step 185", "mamba: queued"]
    assert panel._title.text() == "2 runs are not finished"
    assert not panel.isWindow()
    assert window.rect().contains(panel.geometry())


def test_the_first_button_stops(panel, emitted, qtbot):
    panel.ask(["Training rope"])
    assert panel._title.text() == "1 run is not finished"
    assert panel.stop.hasFocus()
    qtbot.mouseClick(panel.stop, Qt.MouseButton.LeftButton)
    assert emitted == ["stop_requested"]


def test_return_presses_the_button_with_the_focus(panel, emitted, qtbot):
    panel.ask(["rope"])
    qtbot.keyClick(panel.stop, Qt.Key.Key_Return)
    assert emitted == ["stop_requested"]


def test_the_other_button_keeps_working_and_restores_the_focus(panel, window, emitted, qtbot):
    panel.ask(["Training rope"])
    qtbot.mouseClick(panel.stay, Qt.MouseButton.LeftButton)
    assert emitted == ["declined"]
    assert not panel.isVisible()
    assert window.field.hasFocus()


def test_escape_keeps_working(panel, emitted, qtbot):
    panel.ask(["Training rope"])
    qtbot.keyClick(panel.stop, Qt.Key.Key_Escape)
    assert emitted == ["declined"]


def test_tab_stays_among_its_buttons(panel, qtbot):
    panel.ask(["Training rope"])
    for expected in (panel.stay, panel.stop, panel.stay):
        qtbot.keyClick(panel.focusWidget(), Qt.Key.Key_Tab)
        assert expected.hasFocus()
    qtbot.keyClick(panel.stay, Qt.Key.Key_Backtab)
    assert panel.stop.hasFocus()


def test_many_jobs_are_counted(panel, window):
    panel.ask([f"Job {number}" for number in range(40)])
    assert rows(panel)[-1] == "and 35 others"
    assert len(rows(panel)) == 6
    assert window.rect().contains(panel.geometry())


def test_while_stopping_the_remaining_jobs_are_listed(panel, emitted, qtbot):
    panel.ask(["Training rope"])
    panel.show_progress(["Training rope: saving …"])
    assert rows(panel) == ["Training rope: saving …"]
    assert not panel.stop.isVisible()
    assert not panel.stay.isVisible()
    assert not panel.leave.isVisible()
    qtbot.keyClick(panel, Qt.Key.Key_Escape)
    assert panel.isVisible()
    assert emitted == []


def test_closing_without_saving_is_offered_after_a_while(panel, emitted, qtbot, monkeypatch):
    panel._patience.setInterval(60)
    panel.show_progress(["Training rope: saving …"])
    qtbot.waitUntil(panel.leave.isVisible)
    panel.show_progress(["Training rope: still saving …"])
    assert panel.leave.isVisible()
    qtbot.mouseClick(panel.leave, Qt.MouseButton.LeftButton)
    assert emitted == ["exit_requested"]
    assert closing.PATIENCE == 10


def test_closing_a_second_time_asks_again(panel, qtbot):
    panel.show_progress(["saving …"])
    panel.shut()
    panel.ask(["Training rope"])
    assert panel.stop.isVisible()
    assert not panel.leave.isVisible()


def test_runs_in_their_own_processes_can_continue(panel, emitted, qtbot):
    panel.ask(["rope"])
    assert not panel.detach.isVisible()
    panel.ask(["rope"], can_continue=True)
    qtbot.mouseClick(panel.detach, Qt.MouseButton.LeftButton)
    assert emitted == ["detach"]
    panel.show_progress(["Training rope"])
    assert not panel.detach.isVisible()
