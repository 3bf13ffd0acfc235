"""The menu of presets gives the draft as many parameters as a run has."""

import pytest


def same_size(window):
    """Return the entries with which the draft gets the size of a run."""
    menu = window.draft_panel.presets.menu
    menu.aboutToShow.emit()
    return [action for action in menu.actions() if action.data() and action.data()[0] == "same size"]


@pytest.mark.long
def test_the_draft_gets_the_width_with_which_it_has_as_many_parameters_as_a_run_or_says_that_it_has_none(
    open_window, trained_run, until
):
    window = open_window()
    session = window.session
    assert same_size(window) == []
    run = session.registry.open(trained_run("architecture.width=48", "architecture.heads=4", "training.steps=2"))
    [action] = same_size(window)
    assert action.text().startswith(run.name)
    assert session.draft.edit("architecture.name", "mamba") is None
    action.trigger()
    before = session.draft.recipe
    until(lambda: session.draft.recipe is not before)
    found = session.workbench.preflight(session.draft.recipe)
    assert abs(found.parameters / run.parameters - 1) < 0.15
    session.draft.undo()
    assert session.draft.recipe is before
    session.draft.edit("architecture.name", "n-gram")
    window.configuration._match_size(run.key)
    until(lambda: "has no width" in window.draft_panel._problem.text())
