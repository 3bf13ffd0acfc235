"""Another run lies beside the selected one: on the same text, live, and at the same step along the timeline."""

import numpy as np
import pytest

from lab.base.problems import LabError
from lab.widgets.readings.mixing import MixingView


def maps(window):
    """The card of the maps between tokens."""
    return next(card for card in window.inspect.cards if isinstance(getattr(card, "_view", None), MixingView))


def lay(window, view):
    """Choose a run in the field Beside, or none."""
    box = window.inspect.panel._beside
    box.setCurrentIndex(box.findData("" if view is None else view.key))


def unreadable(*_args, **_settings):
    """Look into a model that cannot read the text."""
    raise LabError("this text cannot be read", remedy="Choose another")


@pytest.fixture
def two_runs(open_window, until):
    """A window in Inspect with a transformer that has ended, and a recurrent network that has ended and is selected."""

    def train(window, piece):
        assert window.session.draft.lay(piece) is None
        window.session.start()
        until(lambda: window.session.selected.state == "finished" and window.session.selected.active is None)
        return window.session.selected

    window = open_window("training.steps=20")
    first = train(window, {})
    second = train(window, {"architecture": {"name": "gru", "layers": 1, "width": 16}})
    window.show_place("inspect")
    until(lambda: window.inspect._scene is not None and window.inspect.moments.is_read)
    return window, first, second


def test_two_architectures_lie_side_by_side_on_one_text_now_and_at_every_moment_or_it_is_told_why_not(
    two_runs, until, monkeypatch
):
    window, first, second = two_runs
    with monkeypatch.context() as broken:
        broken.setattr(first.run, "look", unreadable)
        broken.setattr(first.run, "recorded_steps", list)
        lay(window, first)
        until(lambda: "cannot be read" in window.inspect.panel._problem.text())
        assert window.inspect._scene is not None
        assert window.inspect.beside.scene is None
    window.inspect.panel._beside.setCurrentIndex(0)

    lay(window, first)
    until(lambda: window.inspect.beside.scene is not None and "influence" in found(window))
    shown, beside = window.inspect._scene, window.inspect.beside.scene
    read = beside.look.labels  # by a transformer: as far as its context reaches
    assert shown.look.labels[: len(read)] == read
    card = maps(window)  # a recurrent network has no exact map: both show the one that both have
    assert (card._view.shown.name, card._pinned.shown.name) == ("influence", "influence")
    assert card._view.heads._values.shape == card._pinned.heads._values.shape
    assert [title.full_text for title in maps(window)._pair._titles] == [
        f"{second.name} · step 20", f"{first.name} · step 20",
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
