"""Start: a run whose cost is not known yet waits for it, so that nothing too long starts without a question."""

import pytest


@pytest.fixture
def started(open_window, monkeypatch):
    """A window, and the starts of its session."""
    window = open_window()
    starts = []
    monkeypatch.setattr(window.session, "start", lambda **_: starts.append(1))
    return window, starts


def test_a_start_right_after_an_edit_asks_about_what_takes_too_long(started, until):
    window, starts = started
    window.session.costs.measured_speed = lambda _: 1000.0  # operations per second
    assert window.session.draft.edit("training.steps", 77) is None
    window.configuration.start_new()
    assert not window.draft_panel.start_button.isEnabled()
    until(lambda: window.draft_panel._question is not None and window.draft_panel._question.isVisible())
    assert window.draft_panel.start_button.isEnabled()
    assert starts == []
    window.draft_panel._question.close()


def test_a_start_right_after_an_edit_happens_once_the_cost_is_known(started, until):
    window, starts = started
    assert window.session.draft.edit("training.steps", 77) is None
    window.configuration.start_new()
    assert starts == []
    until(lambda: starts == [1])
    assert "(" in window.draft_panel.start_button.text()


def test_an_edit_while_the_cost_is_computed_takes_the_start_back(started, until):
    window, starts = started
    assert window.session.draft.edit("training.steps", 77) is None
    window.configuration.start_new()
    assert window.session.draft.edit("training.steps", 78) is None
    assert window.draft_panel.start_button.isEnabled()
    until(lambda: not window.session.costs.compute_now())
    assert starts == []
