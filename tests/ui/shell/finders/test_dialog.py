"""The dialog of the finders: it tries the draft, draws it, puts its suggestion into the form, and is cancelled."""

import pytest

from lab.shell.finders.kinds import KINDS


@pytest.fixture
def opened(open_window):
    """Return a window and the open dialog of its finders."""
    window = open_window()
    window.finders.open()
    return window, window.finders.dialog


def test_a_suggested_batch_size_goes_into_the_form(opened, click, until):
    window, dialog = opened
    dialog.select("batch")
    click(dialog.start_button)
    assert dialog.works
    assert dialog.cancel.isVisible()
    until(lambda: dialog.found is not None, timeout=30000)
    assert not dialog.works
    assert dialog.chart._lines
    suggestion = dialog.found.suggestion
    assert f"{suggestion:,}" in dialog.text.text()
    click(dialog.use)
    assert window.session.draft.recipe.training.batch_size == suggestion
    assert dialog.isHidden()


def test_a_trial_is_cancelled_when_the_dialog_is_closed(opened, click, until):
    _, dialog = opened
    click(dialog.start_button)
    until(lambda: len(dialog._points) > 1, timeout=30000)
    dialog.shut()
    assert not dialog.works
    made = len(dialog._points)
    dialog.open()
    assert dialog.found is None
    assert dialog.start_button.isVisible()
    assert made > 1


def test_what_cannot_be_tried_says_so(opened, click, until):
    window, dialog = opened
    window.session.draft.edit("architecture.name", "n-gram")
    click(dialog.start_button)
    until(lambda: not dialog.works, timeout=30000)
    assert "counts" in dialog.text.text()
    assert not dialog.use.isVisible()


def test_every_kind_has_a_title_an_explanation_and_axes(opened):
    _, dialog = opened
    for kind in KINDS:
        dialog.select(kind.key)
        assert dialog.explanation.text() == kind.explanation
        assert dialog.menu.value == kind.key
