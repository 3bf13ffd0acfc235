"""Another run lies beside the selected one: on the same text, live, and at the same step along the timeline."""

import numpy as np
import pytest

from lab.base.problems import LabError
from lab.widgets.reading_mixing import MixingView


def maps(window):
    """The card of the maps between tokens."""
    return next(card for card in window.inspect.cards if isinstance(getattr(card, "_view", None), MixingView))


def lay(window, view):
    """Choose a run in the field Beside."""
    box = window.inspect.panel._beside
    box.setCurrentIndex(box.findData(view.key))


@pytest.fixture
def two_runs(open_window, until):
    """A window in Inspect with a transformer that has ended, and a recurrent network that has ended and is selected."""

    def train(window, piece):
        assert window.session.draft.lay(piece) is None
        window.session.start()
        until(lambda: window.session.selected.state == "finished" and window.session.selected.active is None)
        return window.session.selected

    def two_runs(*assignments):
        window = open_window("training.steps=40", *assignments)
        first = train(window, {})
        second = train(window, {"architecture": {"name": "gru", "layers": 1, "width": 16}})
        window.show_place("inspect")
        until(lambda: window.inspect._scene is not None and window.inspect.moments.is_read)
        return window, first, second

    return two_runs


def test_two_architectures_lie_side_by_side_on_one_text_now_and_at_every_moment(two_runs, until):
    window, first, second = two_runs()
    lay(window, first)
    until(lambda: window.inspect.beside.scene is not None and "influence" in found(window))
    shown, beside = window.inspect._scene, window.inspect.beside.scene
    read = beside.look.labels  # by a transformer: as far as its context reaches
    assert shown.look.labels[: len(read)] == read
    assert maps(window)._view.shown.name == "influence"  # a recurrent network has no exact map
    assert [title.words for title in maps(window)._pair._titles] == [
        f"{second.name} · step 40", f"{first.name} · step 40",
    ]  # fmt: skip
    assert np.triu(beside.groups["Token mixing", ("query", "key", "map")][0].values, 1).max() == 0

    slider = window.inspect.panel.film.slider
    slider.setValue(3)
    until(lambda: window.inspect.beside.scene.look.step == window.inspect.panel.moment)
    assert window.inspect._scene.look.step == window.inspect.panel.moment

    window.session.book.select(first.key)  # what lies beside is the selected one now
    until(lambda: window.inspect.beside.view is None)
    assert window.inspect.panel.beside == ""


def found(window):
    """The names of what was found in the selected run."""
    return {reading.name for reading in window.inspect._scene.look.readings}


def test_a_text_that_the_other_run_cannot_read_is_told_and_what_is_shown_stays(two_runs, until):
    window, first, _ = two_runs()
    first.run.look = lambda *_args, **_settings: (_ for _ in ()).throw(unreadable())
    first.run.recorded_steps = list
    lay(window, first)
    until(lambda: "cannot be read" in window.inspect.panel._problem.text())
    assert window.inspect._scene is not None
    assert window.inspect.beside.scene is None


def unreadable():
    return LabError("this text cannot be read", remedy="Choose another")
