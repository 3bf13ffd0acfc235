"""Start: a run whose cost is not known yet waits for it, so that nothing too long starts without a question."""


def test_a_start_right_after_an_edit_waits_for_its_cost_unless_another_edit_comes_and_asks_about_what_takes_too_long(
    open_window, monkeypatch, until
):
    window, starts = open_window(), []
    draft, panel = window.session.draft, window.draft_panel
    monkeypatch.setattr(window.session, "start", lambda **_: starts.append(1))
    assert draft.edit("training.steps", 77) is None
    window.configuration.start_new()
    assert not panel.start_button.isEnabled()
    assert draft.edit("training.steps", 78) is None
    assert panel.start_button.isEnabled()
    until(lambda: not window.session.costs.compute_now())
    assert starts == []

    assert draft.edit("training.steps", 79) is None
    window.configuration.start_new()
    assert starts == []
    until(lambda: starts == [1])
    assert "(" in panel.start_button.text()

    window.session.costs.measured_speed = lambda _: 1000.0  # operations per second
    assert draft.edit("training.steps", 80) is None
    window.configuration.start_new()
    until(lambda: panel._question is not None and panel._question.isVisible())
    assert panel.start_button.isEnabled()
    assert starts == [1]
    panel._question.close()
