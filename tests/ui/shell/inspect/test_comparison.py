"""Another run is compared with the selected one: on the same text, live, and at the same step of the timeline."""

import numpy as np
import pytest

from lab.base.problems import LabError
from lab.widgets.readings.mixing import MixingView


def maps(window):
    """Return the card of the maps between tokens."""
    return next(card for card in window.inspect.cards if isinstance(getattr(card, "_view", None), MixingView))


def compare(window, view):
    """Select a run in the field Compare, or none."""
    box = window.inspect.panel._comparison
    box.setCurrentIndex(box.findData("" if view is None else view.key))


def unreadable(*_args, **_settings):
    """Inspect a model that cannot read the text."""
    raise LabError("this text cannot be read", remedy="Choose another")


@pytest.fixture
def two_runs(open_window, until):
    """Open Inspect with a transformer that has ended, and a recurrent network that has ended and is selected."""

    def train(window, piece):
        assert window.session.draft.apply(piece) is None
        window.session.start()
        until(lambda: window.session.selected.state == "finished" and window.session.selected.active is None)
        return window.session.selected

    window = open_window("training.steps=20")
    first = train(window, {})
    second = train(window, {"architecture": {"name": "gru", "layers": 1, "width": 16}})
    window.show_place("inspect")
    until(lambda: window.inspect.model.shown is not None and window.inspect.snapshots.is_read)
    return window, first, second


def test_two_architectures_are_compared_on_one_text_now_and_at_every_step_or_the_reason_is_shown(
    two_runs, until, monkeypatch
):
    window, first, second = two_runs
    with monkeypatch.context() as broken:
        broken.setattr(first.run, "inspect", unreadable)
        broken.setattr(first.run, "recorded_steps", list)
        compare(window, first)
        until(lambda: "cannot be read" in window.inspect.panel._problem.text())
        assert window.inspect.model.shown is not None
        assert window.inspect.model.comparison.view is None
    window.inspect.panel._comparison.setCurrentIndex(0)

    compare(window, first)
    until(lambda: window.inspect.model.comparison.view is not None and "influence" in found(window))
    shown, other = window.inspect.model.shown, window.inspect.model.comparison.view
    read = other.inspection.labels  # by a transformer: as far as its context reaches
    assert shown.inspection.labels[: len(read)] == read
    card = maps(window)  # a recurrent network has no exact map: both show the one that both have
    assert (card._view.shown.name, card._pinned.shown.name) == ("influence", "influence")
    assert card._view.heads._values.shape == card._pinned.heads._values.shape
    assert [title.full_text for title in maps(window)._pair._titles] == [
        f"{second.name} · step 20", f"{first.name} · step 20",
    ]  # fmt: skip
    assert np.triu(other.groups["token mixing", ("query", "key", "map")][0].values, 1).max() == 0

    slider = window.inspect.panel.timeline.slider
    slider.setValue(3)
    until(lambda: window.inspect.model.comparison.view.inspection.step == window.inspect.model.step)
    assert window.inspect.model.shown.inspection.step == window.inspect.model.step

    window.session.registry.select(first.key)  # the compared run is the selected one now
    until(lambda: window.inspect.model.comparison.run is None)
    assert window.inspect.panel.compared_run == ""


def found(window):
    """Return the names of the readings of the selected run."""
    return {reading.name for reading in window.inspect.model.shown.inspection.readings}
