"""Home's model: durations of recipes on this machine, and the size of a model for a text."""

from dataclasses import replace

import pytest

from lab.base.problems import LabError
from lab.base.settings import read_section
from lab.host import Plugins
from lab.recipes import QUICK_START, gallery, shipped
from lab.runs import provenance
from lab.shell.home.machine import GAIN, core_seconds, measure_speed, read_speed
from lab.shell.home.model import (
    COMPARED,
    LARGE_TEXT,
    FinishedRun,
    HomeModel,
    PastRun,
    past_runs,
    recipe_for_text,
    text_size,
)
from lab.shell.session.draft_changes import differences


@pytest.fixture
def model():
    return HomeModel(gallery())


def test_a_duration_is_unknown_until_the_machine_was_measured(model):
    assert model.seconds(QUICK_START) is None
    model.speed = 2.0
    seconds, measured = model.seconds(QUICK_START)
    assert seconds == gallery().recordings[QUICK_START].seconds / 2
    assert not measured


def test_the_duration_of_a_finished_run_of_the_recipe_is_better_than_an_estimate(model):
    model.speed = 1.0
    model.take_past([PastRun(QUICK_START, 33.0), PastRun(QUICK_START, 99.0)])
    assert model.seconds(QUICK_START) == (33.0, True)
    assert model.seconds(QUICK_START, COMPARED[0])[1] is False


def test_a_measured_run_rescales_the_estimates_of_other_recipes(model):
    model.speed = 1.0
    recorded = gallery().recordings
    model.take_past([PastRun(QUICK_START, 4 * recorded[QUICK_START].seconds)])
    assert model.seconds(COMPARED[0]) == (pytest.approx(4 * recorded[COMPARED[0]].seconds), False)


@pytest.fixture(scope="module")
def past():
    """Compare a run with the shipped recipes; return the name of the one that it is."""
    plugins = Plugins.from_environment()

    def past(recipe, **facts):
        run = FinishedRun("run 1", recipe, {**provenance(), **facts}, 33.0)
        found = past_runs([run], lambda one, other: differences(one, other, plugins))["run 1"]
        return None if found is None else found.recipe

    return past


def test_a_run_is_of_a_shipped_recipe_if_it_differs_in_no_more_than_the_seed(past):
    quick = shipped(QUICK_START)
    assert past(quick) == QUICK_START
    assert past(quick.with_values({"title": "Mine", "training": {"seed": 7}})) == QUICK_START
    assert past(quick.with_values({"training": {"steps": 801}})) is None
    assert past(quick.with_values({"training": {"batch_size": 24}})) is None


def test_an_own_text_with_the_title_of_the_quick_start_measures_nothing(past):
    own = shipped(QUICK_START).with_values({"corpus": {"name": "file", "path": "mine.txt"}})
    assert own.title == shipped(QUICK_START).title
    assert past(own) is None


def test_a_run_of_another_machine_measures_nothing(past):
    assert past(shipped(QUICK_START), processor="another") is None
    assert past(shipped(QUICK_START), cpus=1000) is None


def test_recipes_one_after_the_other_take_the_sum(model):
    model.speed = 1.0
    one, other = (gallery().recordings[name].seconds for name in COMPARED)
    assert model.seconds(*COMPARED) == (one + other, False)


def test_a_topic_narrows_the_recipes(model):
    assert len(model.entries) == len(gallery().entries)
    model.topic = "experts"
    assert {entry.topic for entry in model.entries} == {"experts"}


def test_a_recipe_without_a_recording_has_no_duration():
    model = HomeModel(replace(gallery(), recordings={}))
    model.speed = 1.0
    assert model.seconds(QUICK_START) is None


def test_the_speed_is_known_even_where_it_cannot_be_stored(lab_home, monkeypatch):
    def full(*_):
        raise LabError("the disk is full")

    monkeypatch.setattr("lab.shell.home.machine.change_section", full)
    assert measure_speed(2.0) > 0
    assert read_speed(2.0) is None


def test_the_speed_of_the_machine_is_measured_once_and_stored(lab_home, monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert read_speed(1.0) is None
    speed = measure_speed(core_seconds())
    assert 0.2 * GAIN < speed < 5 * GAIN
    assert read_speed(2.0) == pytest.approx(2.0 / read_section("machine")["core_seconds"] * GAIN)


def test_a_text_gets_a_model_of_suitable_size(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.txt").write_text("a" * 1000)
    (tmp_path / "b.txt").write_text("b" * 500)
    assert text_size(tmp_path, lambda: False) == 1500
    assert text_size(tmp_path / "b.txt", lambda: False) == 500
    assert text_size(tmp_path / "nowhere", lambda: False) == 0
    small, medium, large = (recipe_for_text(size) for size in (1000, 500_000, 10_000_000))
    assert medium == shipped(QUICK_START)
    widths = [recipe.architecture.settings["width"] for recipe in (small, medium, large)]
    assert widths == sorted(set(widths))
    assert small.training.steps < medium.training.steps < large.training.steps


def test_the_size_of_a_folder_is_counted_until_it_is_large_or_no_longer_wanted(tmp_path):
    for number in range(20):
        with (tmp_path / f"{number}.txt").open("wb") as file:
            file.truncate(LARGE_TEXT)
    assert text_size(tmp_path, lambda: False) == LARGE_TEXT
    assert text_size(tmp_path, lambda: True) == 0
