"""The live settings under the loss: there while a run trains, the same rows as in the form, acting on the run."""

import pytest
from PySide6.QtCore import Qt

from lab.widgets.forms.form import Form

RATE = "training.optimizer.learning_rate"


@pytest.fixture
def row():
    """Return the row of a setting in the strip by its path."""

    def row(window, path):
        for form in window.train.live.findChildren(Form):
            if path.startswith(f"{form._prefix}.") and path.removeprefix(f"{form._prefix}.") in form._knobs:
                return form._knobs[path.removeprefix(f"{form._prefix}.")]
        raise AssertionError(f"no row of {path}")

    return row


@pytest.fixture
def type_into(qtbot, click):
    """Type a value into a row, and finish it with Return."""

    def type_into(knob, text):
        knob.control.setFocus()
        knob.control.selectAll()
        qtbot.keyClicks(knob.control, text)
        qtbot.keyClick(knob.control, Qt.Key.Key_Return)

    return type_into


def titles(window):
    """Return the titles of the visible rows, in order."""
    return [knob.setting.title for knob in window.train.live._rows if knob.isVisible()]


def test_the_strip_is_hidden_while_nothing_trains(open_page, saved_run, until):
    saved_run()
    window = open_page("train")
    assert window.train.live.isHidden()
    until(lambda: window.session.registry.runs)
    window.session.registry.select(window.session.registry.runs[0].key)
    assert window.train.live.isHidden()


def test_a_training_run_shows_its_live_settings_and_hides_them_at_its_end(running_page, until):
    window = running_page("train")
    until(lambda: window.train.live.isVisible())
    assert titles(window)[:3] == ["Learning rate", "Gradient clip", "Batch size"]
    assert "Dropout" in titles(window)
    assert "Context length" not in titles(window)
    window.session.stop()
    until(lambda: window.train.live.isHidden())


def test_an_edit_acts_on_the_run_and_not_on_the_next_one_unless_it_is_not_allowed(running_page, row, type_into, until):
    window = running_page("train")
    until(lambda: window.train.live.isVisible())
    before = window.session.draft.recipe
    type_into(row(window, RATE), "-1")
    assert row(window, RATE)._reason.text()
    type_into(row(window, RATE), "0.0007")
    until(lambda: window.session.selected.changed.get(RATE) == 0.0007)
    assert not row(window, RATE)._reason.isVisible()
    assert window.session.draft.recipe is before
    assert window.session.draft.recipe.training.optimizer.settings["learning_rate"] == 0.003
    assert row(window, RATE).value == 0.0007
    assert "learning rate 0.0007" in window.train.live.section.head.summary


def test_the_summary_writes_numbers_as_the_language_does(running_page, until, request):
    window = running_page("train")
    until(lambda: window.train.live.isVisible())
    request.getfixturevalue("german")
    window.train.live._show_values()
    assert " 0,0" in window.train.live.section.head.summary


@pytest.mark.parametrize("again", [False, pytest.param(True, marks=pytest.mark.long)])
def test_a_low_window_folds_the_strip_until_a_person_opens_it_and_the_next_window_remembers_a_fold(
    running, open_window, qtbot, until, again
):
    window = running(size=(1100, 640))
    live = window.train.live
    until(lambda: live.isVisible())
    assert not live.section.is_open
    assert live.section.head.summary.startswith("learning rate")
    qtbot.mouseClick(live.section.head, Qt.MouseButton.LeftButton)
    assert live.section.is_open
    assert live._rows[0].isVisible()
    qtbot.mouseClick(live.section.head, Qt.MouseButton.LeftButton)
    if again:
        window._store_state()
        other = open_window()
        assert not other.train.live.section.is_open
