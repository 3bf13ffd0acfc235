"""The reading of runs on disk without a window: only the newest request of a run changes it."""

from functools import partial
from types import SimpleNamespace

import pytest

from lab.base.problems import Problem
from lab.recipes import Recipe
from lab.runs import RunFolder, Status
from lab.runs.library.labels import Label
from lab.shell.session.runs import reading
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.reading import SeriesReader, SeriesUpdate
from lab.shell.session.runs.series import SeriesState
from lab.workbench import SavedRun
from lab.workbench.analysis.curves import Curves


class Background:
    """Work that ends when a test answers it, in any order."""

    def __init__(self):
        self.answers, self.failures = [], []

    def start(self, _view, _work, done, failed):
        self.answers.append(done)
        self.failures.append(failed)


@pytest.fixture
def background():
    return Background()


@pytest.fixture
def calls():
    """The runs that were reported as updated, and those whose process died."""
    return SimpleNamespace(updated=[], died=[])


@pytest.fixture
def reader(background, calls):
    return SeriesReader(background.start, calls.updated.append, calls.died.append)


@pytest.fixture
def notices(monkeypatch):
    """The levels of the notices."""
    levels = []
    monkeypatch.setattr(reading, "notify", lambda level, _problem: levels.append(level))
    return levels


@pytest.fixture
def saved(tmp_path):
    """Make a run on disk of this state."""
    folder = RunFolder.create(tmp_path / "run", Recipe().to_toml(), {})
    return lambda state="finished": RunModel("1", SavedRun(folder, None), Label(), Status(state, 3, {}))


def resume(run):
    """Let this process train a run on."""
    runner = SimpleNamespace(folder=run.source.folder, recipe=run.recipe)
    run.resume(runner)
    return runner


def test_the_series_of_a_run_are_read_once(reader, background, calls, saved):
    run, curves = saved(), Curves()
    reader.read(run)
    reader.read(run)
    (answer,) = background.answers
    assert run.readings.pending
    answer(SeriesUpdate(curves, checkpoints=[1, 3]))
    assert run.curves is curves
    assert run.checkpoints == [1, 3]
    assert calls.updated == [run]
    assert not run.readings.pending


def test_what_was_read_before_a_run_resumed_is_dropped(reader, background, calls, saved):
    run = saved("stopped")
    reader.read(run)
    resume(run)
    before = run.curves
    background.answers[0](SeriesUpdate(Curves()))
    assert run.curves is before
    assert run.series.state is SeriesState.PAST_NOT_READ
    assert calls.updated == []


@pytest.mark.parametrize("outcome", ["answers", "failures"])
def test_a_late_past_of_a_run_that_has_ended_is_dropped_and_the_newer_reading_goes_on(
    reader, background, calls, saved, notices, outcome
):
    run = saved("stopped")
    other_run = run.source
    resume(run)
    reader.read_past(run)
    run.source, run.active = other_run, None
    assert run.series.end()
    reader.read(run)
    late = SeriesUpdate(Curves()) if outcome == "answers" else Problem("the disk is gone")
    getattr(background, outcome)[0](late)
    assert run.series.state is SeriesState.READ
    assert run.readings.pending
    assert (calls.updated, notices) == ([], [])
    curves = Curves()
    background.answers[1](SeriesUpdate(curves))
    assert run.curves is curves


def test_the_past_of_a_resumed_run_is_taken_and_its_texts_start_again(reader, background, saved):
    run, curves = saved("stopped"), Curves()
    run.texts.samples.append((9, "after the checkpoint"))
    resume(run)
    reader.read_past(run)
    background.answers[0](SeriesUpdate(curves))
    assert run.curves is curves
    assert run.samples == []
    assert run.series.state is SeriesState.READ


def test_new_data_that_come_after_all_series_were_requested_are_dropped(reader, background, calls, saved):
    run = saved("running")
    reader.read_new_data(run)
    reader.read(run)
    background.answers[0](SeriesUpdate(run.curves, status=Status("interrupted", 3, {})))
    assert run.elsewhere
    assert calls.died == []
    background.answers[1](SeriesUpdate(Curves(), status=Status("interrupted", 3, {})))
    assert calls.died == [run]


@pytest.mark.parametrize(
    ("request_of", "levels"),
    [(SeriesReader.read, ["error"]), (SeriesReader.read_new_data, []), (SeriesReader.read_past, ["warning"])],
)
def test_a_failure_is_reported_unless_the_data_are_read_again_soon(
    reader, background, calls, saved, notices, request_of, levels
):
    run = saved()
    partial(request_of, reader)(run)
    background.failures[0](Problem("the disk is gone"))
    assert notices == levels
    assert calls.updated == [run]
