"""An adapter is chosen in the form, trained from a run, and merged."""

import pytest


@pytest.mark.long
def test_an_adapter_is_chosen_in_the_form_trained_from_a_run_and_merged(open_window, trained_run, until):
    window = open_window()
    session = window.session
    run = session.registry.open(trained_run("training.steps=2"))
    session.run_commands.branch(run, 2, weights_only=True)
    until(lambda: session.draft.branch_point is not None)
    assert session.draft.edit("adapter.name", "lora") is None
    assert session.draft.edit("adapter.rank", 2) is None
    assert session.draft.edit("training.steps", 2) is None
    window.configuration.start_new()
    until(lambda: session.selected is not None and session.selected is not run and session.selected.state == "finished")
    tuned = session.selected
    assert tuned.recipe.adapter.name == "lora"
    assert window.runs_controller.can("merge")
    assert not session.transfers.can_merge(run)
    window.runs_controller.merge()
    until(lambda: session.selected is not tuned)
    assert session.selected.recipe.adapter.name == "none"
