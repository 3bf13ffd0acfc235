"""Another run is compared with the selected one: on the same text, live, and at the same step of the timeline."""

import threading

import numpy as np
import pytest

from lab.base.problems import LabError
from lab.widgets.readings.mixing import MixingView


def maps(page):
    """Return the card of the maps between tokens."""
    return next(card for card in page.inspect.cards if isinstance(getattr(card, "_view", None), MixingView))


def compare(page, run):
    """Select a run in the field Compare, or none."""
    box = page.inspect.panel._comparison
    box.setCurrentIndex(box.findData("" if run is None else run.key))


def unreadable(*_args, **_settings):
    """Inspect a model that cannot read the text."""
    raise LabError("this text cannot be read", remedy="Choose another")


@pytest.fixture
def two_runs(open_page, trained_run, until):
    """Open Inspect with a transformer that has ended, and a recurrent network that has ended and is selected."""
    gru = ("architecture.name=gru", "architecture.layers=1", "architecture.width=16")
    page = open_page("inspect", visible=False)
    page.session.open_path(str(trained_run("training.steps=20")))
    first = page.session.selected
    page.session.open_path(str(trained_run("training.steps=20", *gru, name="recurrent")))
    page.show()
    until(lambda: page.inspect.model.shown is not None and page.inspect.snapshots.is_read)
    return page, first, page.session.selected


def test_two_architectures_are_compared_on_one_text_now_and_at_every_step_or_the_reason_is_shown(
    two_runs, until, monkeypatch
):
    page, first, second = two_runs
    with monkeypatch.context() as broken:
        broken.setattr(first.source, "inspect", unreadable)
        broken.setattr(first.source, "recorded_steps", list)
        compare(page, first)
        until(lambda: "cannot be read" in page.inspect.panel._problem.text())
        assert page.inspect.model.shown is not None
        assert page.inspect.model.comparison.view is None
    page.inspect.panel._comparison.setCurrentIndex(0)

    compare(page, first)
    until(lambda: page.inspect.model.comparison.view is not None and "influence" in found(page))
    shown, other = page.inspect.model.shown, page.inspect.model.comparison.view
    read = other.inspection.labels  # by a transformer: as far as its context reaches
    assert shown.inspection.labels[: len(read)] == read
    card = maps(page)  # a recurrent network has no exact map: both show the one that both have
    assert (card._view.shown.name, card._pinned.shown.name) == ("influence", "influence")
    assert card._view.heads._values.shape == card._pinned.heads._values.shape
    assert [title.full_text for title in maps(page)._pair._titles] == [
        f"{second.name} · step 20", f"{first.name} · step 20",
    ]  # fmt: skip
    assert np.triu(other.groups["token mixing", ("query", "key", "map")][0].values, 1).max() == 0

    slider = page.inspect.panel.timeline.slider
    slider.setValue(3)
    until(lambda: page.inspect.model.comparison.view.inspection.step == page.inspect.model.step)
    assert page.inspect.model.shown.inspection.step == page.inspect.model.step

    page.session.registry.select(first.key)  # the compared run is the selected one now
    until(lambda: page.inspect.model.comparison.run is None)
    assert page.inspect.panel.compared_run == ""


def found(page):
    """Return the names of the readings of the selected run."""
    return {reading.name for reading in page.inspect.model.shown.inspection.readings}


def test_both_sides_leave_a_recorded_step_as_soon_as_now_is_clicked(two_runs, until, click, button, monkeypatch):
    page, first, _ = two_runs
    compare(page, first)
    slider, model = page.inspect.panel.timeline.slider, page.inspect.model
    slider.setValue(3)
    until(lambda: model.comparison.view is not None and model.comparison.view.inspection.step == model.step)
    until(lambda: not model.requests.pending and not model.comparison.requests.pending)
    old, release = model.step, threading.Event()
    for module in ("place", "comparison"):
        monkeypatch.setattr(f"lab.shell.inspect.{module}.inspect_model", lambda request, job: held(release))
    click(button(page.inspect.panel, "now"))
    steps = {None if view is None else view.inspection.step for view in (model.shown, model.comparison.view)}
    release.set()
    assert old not in steps
    until(lambda: not model.requests.pending and not model.comparison.requests.pending)


def held(release):
    """Wait in the thread of an inspection, and then find nothing."""
    release.wait(10)
    raise LabError("nothing was found")
