"""Home's model: the recipes of a topic, the speed of this machine, and the size of a model for a text."""

import pytest

from lab.base.problems import LabError
from lab.base.settings import read_section
from lab.recipes import QUICK_START, gallery, shipped
from lab.shell.home.machine import GAIN, core_seconds, measure_speed, read_speed
from lab.shell.home.model import (
    LARGE_TEXT,
    HomeModel,
    recipe_for_text,
    text_size,
)


@pytest.fixture
def model():
    return HomeModel(gallery())


def test_a_topic_narrows_the_recipes(model):
    assert len(model.entries) == len(gallery().entries)
    model.topic = "experts"
    assert {entry.topic for entry in model.entries} == {"experts"}


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
