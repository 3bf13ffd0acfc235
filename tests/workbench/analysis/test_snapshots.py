"""A film of recorded moments: read once, kept within its room, near the one that is looked at, on one scale."""

import shutil

import numpy as np
import pytest

from lab.api import Reading
from lab.base.problems import Problem
from lab.runs import RunFolder, read_readings, write_readings
from lab.workbench.access.inspection import Inspection
from lab.workbench.analysis.snapshots import Cut, Timeline, kind_of, limits_of, widened


class Run:
    """A run with recorded moments, that counts how often one is read."""

    def __init__(self, folder):
        self.folder, self.read = folder, []

    def recorded(self, step):
        self.read.append(step)
        return Inspection(step, ("a", "b"), read_readings(self.folder.path, step))


def never():
    return False


def weights(low, high, layer=0, cells=4):
    values = np.linspace(low, high, cells, dtype=np.float32)
    return Reading("weights", ("token",), values, layer=layer, path=f"blocks.{layer}")


@pytest.fixture
def run(tmp_path):
    """A run folder with moments of 16 bytes at some steps."""

    def run(*steps, cells=4):
        made = Run(RunFolder.create(tmp_path / "run", "", {}))
        for step in steps:
            write_readings(made.folder.path, step, [weights(-step, 2 * step + 1, cells=cells)])
        return made

    return run


@pytest.fixture
def film(run):
    """A film of such a run, found and read."""

    def film(*steps, room=10**6, near=0, **options):
        made = Timeline(run(*steps, **options), room)
        made.near = near
        made.find()
        made.read(never)
        return made

    return film


def kept(film):
    return [step for step in film.sizes if film.at(step) is not None]


def test_every_moment_is_read_once_and_then_given_from_memory(film):
    made = film(0, 1, 4, 16)
    assert sorted(made.run.read) == [0, 1, 4, 16]
    assert made.is_read
    for step in (0, 1, 4, 16) * 3:
        assert made.at(step).step == step
    made.read(never)
    assert len(made.run.read) == 4


def test_a_moment_that_was_not_read_yet_is_not_there(run):
    made = Timeline(run(0, 1))
    assert made.at(0) is None
    made.find()
    assert made.at(0) is None
    assert not made.is_read


def test_the_shown_snapshot_is_read_first_and_then_its_neighbours(film):
    assert film(0, 1, 2, 3, 4, 5, near=3).run.read == [3, 2, 4, 1, 5, 0]


def test_reading_ends_when_it_is_enough(run):
    made = Timeline(run(*range(10)))
    made.find()
    made.read(lambda: len(made.run.read) >= 3)
    assert made.run.read == [0, 1, 2]


def test_limits_are_those_of_all_moments_together(film):
    made = film(0, 1, 4)
    assert made.limits == {kind_of(weights(0, 1)): (-4.0, 9.0)}


def test_blocks_have_limits_of_their_own_and_what_is_not_finite_counts_for_none():
    readings = [weights(0, 1), weights(0, 5, layer=1), Reading("n", (), np.float32(np.nan)), Reading("i", (), 3)]
    limits = limits_of(readings)
    assert limits == {kind_of(readings[0]): (0, 1), kind_of(readings[1]): (0, 5), kind_of(readings[3]): (3, 3)}
    wide = Reading("w", ("token",), np.array([1, np.inf, -np.inf, 2], np.float32))
    assert limits_of([wide]) == {kind_of(wide): (1, 2)}
    assert widened(limits, limits_of([weights(-2, 0.5)]))[kind_of(readings[0])] == (-2, 1)


def test_beyond_the_room_the_nearest_are_kept_and_the_limits_are_of_all(film):
    made = film(*range(10), room=3 * 16, near=5)
    assert kept(made) == [4, 5, 6]
    assert made.limits[kind_of(weights(0, 1))] == (-9.0, 19.0)
    assert made.is_read


def test_another_shown_snapshot_loads_its_neighbours_and_drops_the_far_ones(film):
    made = film(*range(10), room=3 * 16, near=0)
    assert kept(made) == [0, 1, 2]
    made.near = 8
    assert not made.is_read
    made.run.read.clear()
    made.read(never)
    assert made.run.read[0] == 8
    assert kept(made) == [7, 8, 9]


def test_a_snapshot_larger_than_the_cache_is_kept_while_it_is_shown(film):
    made = film(0, 1, 2, room=1, near=1)
    assert kept(made) == [1]
    assert made.is_read


def test_a_damaged_file_is_the_problem_of_its_moment_and_the_others_are_read(run):
    made = Timeline(run(0, 1, 2))
    (made.run.folder.path / "readings" / "1.safetensors").write_bytes(b"\xff" * 40)
    made.find()
    made.read(never)
    assert isinstance(made.at(1), Problem)
    assert "1.safetensors" in made.at(1).line()
    assert [made.at(step).step for step in (0, 2)] == [0, 2]
    assert made.is_read


def test_any_error_of_a_reader_is_reported_as_a_problem(film, monkeypatch):
    made = Timeline(film(0, 1).run)
    monkeypatch.setattr(made.run, "recorded", lambda step: 1 / 0)
    made.find()
    made.read(never)
    assert "ZeroDivisionError" in made.at(0).line()


def test_moments_recorded_meanwhile_are_found_and_read(film):
    made = film(0, 1)
    write_readings(made.run.folder.path, 7, [weights(0, 100)])
    made.find()
    assert list(made.sizes) == [0, 1, 7]
    made.read(never)
    assert made.run.read == [0, 1, 7]
    assert made.limits[kind_of(weights(0, 1))] == (-1.0, 100.0)


def test_a_snapshot_that_is_written_again_is_read_again(film):
    made = film(0, 1)
    write_readings(made.run.folder.path, 1, [weights(0, 1, cells=9)])
    made.find()
    made.read(never)
    assert made.at(1).readings[0].values.shape == (9,)
    assert made.run.read == [0, 1, 1]


def test_a_run_that_is_deleted_has_no_moments_any_more(film):
    made = film(0, 1)
    shutil.rmtree(made.run.folder.path)
    made.find()
    assert made.sizes == {}
    assert made.at(0) is None
    assert made.is_read


def test_a_run_without_a_folder_has_no_moments():
    class Waiting:
        folder = None

    made = Timeline(Waiting())
    made.find()
    assert made.sizes == {}
    assert made.is_read


def test_hundreds_of_moments_are_read_within_their_room(run):
    made = Timeline(run(0), 100 * 16)
    folder = made.run.folder.path / "readings"
    for step in range(1, 300):
        shutil.copy(folder / "0.safetensors", folder / f"{step}.safetensors")
    made.near = 150
    made.find()
    made.read(never)
    assert 300 <= len(made.run.read) < 400  # what a moment takes in memory is known once it is read
    assert kept(made) == list(range(100, 200))


def test_sizes_are_those_of_the_files(film):
    made = film(0, 3)
    files = made.run.folder.path / "readings"
    assert made.sizes == {step: (files / f"{step}.safetensors").stat().st_size for step in (0, 3)}


def test_the_last_budget_event_has_the_number_of_snapshots_left_out(film):
    made = film(0)
    assert made.cut is None
    for kept_of in (8, 7):
        made.run.folder.append_event({"event": "budget", "step": 0, "moments": 12, "kept": kept_of, "bytes": 9})
    made.run.folder.append_event({"event": "pause", "step": 3})
    made.find()
    assert made.cut == Cut(12, 7, 9)
    made.run.folder.append_event({"event": "budget", "step": 0, "moments": "many", "kept": None})
    made.find()
    assert made.cut == Cut(12, 7, 9)


def test_each_quantity_of_a_reading_has_limits_of_its_own():
    values = np.array([[1.0, 5.0], [np.nan, 0.25]])
    limits = limits_of([Reading("scores", ("quantity", "head"), values)])
    assert sorted(limits.values()) == [(0.25, 0.25), (1.0, 5.0)]
