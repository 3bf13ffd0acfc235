"""The status line: mere information takes the place of the step for some seconds."""

import re

import pytest

from lab.shell.session.runs import commands
from lab.shell.window import status_line
from lab.shell.window.status_line import StatusLine


@pytest.fixture
def status(qtbot, monkeypatch):
    """Show a status line without a run, with messages that end soon."""
    monkeypatch.setattr(status_line, "SECONDS", 0.1)
    made = StatusLine()
    qtbot.addWidget(made)
    made.resize(1000, 24)
    made.show()
    made.show_run(None, "")
    return made


def test_a_message_stays_for_some_seconds_while_the_run_goes_on(status, qtbot):
    status.show_message("Saved recipe.toml.")
    status.show_run(None, "")
    assert status._left.text() == "Saved recipe.toml."
    assert status._icon.isVisible()
    qtbot.waitUntil(lambda: not status._icon.isVisible())
    status.show_run(None, "")
    assert status._left.text().startswith("Ready")


def test_a_long_message_is_cut_and_complete_in_its_tool_tip(status):
    status.show_message("very " * 100 + "long")
    assert status._left.text().endswith("…")
    assert "long" in status._left.toolTip()


def test_while_another_run_is_selected_the_one_that_trains_is_named_with_its_step_and_a_click_selects_it(
    running, saved_run, until, click, monkeypatch
):
    window = running("title=Mamba")
    trains = window.session.selected
    until(lambda: window.status._left.text().startswith("Mamba: step "))
    assert window.status.training.isHidden()
    window.session.open_paths([str(saved_run("Old"))])
    until(lambda: window.status._left.text() == "Old: finished after 3 steps")
    assert window.status._bar.isHidden()
    assert window.status._training_bar.isVisible()
    assert window.status._training_bar.accessibleName() == "Progress of Mamba"
    assert window.status._training_bar.x() > window.status.training.x()
    until(lambda: re.fullmatch(r"Mamba: step [\d,]+ of 1,000,000", window.status.training.text()))
    click(window.status.training)
    assert window.session.selected is trains
    until(window.status.training.isHidden)
    assert window.status._training_bar.isHidden()
    assert window.status._bar.isVisible()
    window.session.open_paths([str(saved_run("Stopped", state="stopped"))])
    until(lambda: window.status._left.text().startswith("Stopped: step 3"))
    assert window.status._bar.isHidden()
    window.session.registry.select(trains.key)
    monkeypatch.setattr(trains, "seconds_left", lambda: 47.3)
    window._refresh()
    assert window.status._left.text().endswith(" · about 50 s left")
    monkeypatch.setattr(type(trains), "awaits_evaluation", property(lambda _: True))
    window._refresh()
    assert window.status._left.text().endswith(" · evaluating…")


@pytest.mark.long
def test_commands_are_refreshed_at_every_other_update_while_a_run_trains_on_the_processor(open_window, monkeypatch):
    window, refreshed = open_window(), []
    monkeypatch.setattr(window.commands, "refresh", lambda: refreshed.append(True))
    for busy, count in [(False, 4), (True, 2)]:
        refreshed.clear()
        window.session.drawing.busy = busy
        for _ in range(4):
            window._refresh_in_turn()
        assert len(refreshed) == count
    window._refresh()
    assert len(refreshed) == 3  # a change is followed at once


def test_a_stop_that_waits_for_a_long_step_says_so_and_offers_to_end_the_process(running, until, monkeypatch):
    window = running("title=Mamba")
    run, offers, ended = window.session.selected, [], []
    until(lambda: run.step > 2 and run._stepped is not None)
    monkeypatch.setattr(run.active.control, "stop", run.active.control.stopping.set)  # as while a step is computed
    monkeypatch.setattr(run, "take_rows", lambda: False)
    window.session.stop()
    run._stepped -= 80
    window._refresh()
    assert re.search(r"Mamba: step .* · stops after this step \(running for 1 min 2\d s\)", window.status._left.text())
    window.session.run_commands.offered.connect(lambda *offer: offers.append(offer))
    window.session.registry.list_changed.emit()
    assert offers == []  # it trains in the process of the window
    monkeypatch.setattr(commands, "ProcessRun", type(run.active))
    monkeypatch.setattr(type(run.active), "end_process", lambda _: ended.append(True), raising=False)
    for _ in range(2):
        window.session.registry.list_changed.emit()
    [(message, button, end)] = offers
    assert message.startswith("Mamba stops after this step")
    assert button == "End its process"
    end()
    assert ended == [True]
    monkeypatch.undo()
    run.active.control.stop()
