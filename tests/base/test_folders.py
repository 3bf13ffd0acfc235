"""The folders in which the lab stores its files."""

from pathlib import Path

import platformdirs

from lab.base import folders


def test_lab_home_moves_everything(lab_home):
    assert folders.home() == lab_home
    for place in (folders.settings_file(), folders.runs_folder(), folders.plugins_folder(), folders.cache_folder()):
        assert place.parent == lab_home


def test_without_it_the_systems_place_for_data_is_taken(monkeypatch):
    monkeypatch.delenv("LAB_HOME")
    assert folders.home() == Path(platformdirs.user_data_dir("lm-lab", appauthor=False))
    monkeypatch.setenv("LAB_HOME", "")
    assert folders.home() == Path(platformdirs.user_data_dir("lm-lab", appauthor=False))


def test_a_relative_home_and_one_in_a_home_folder_are_made_absolute(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAB_HOME", "here")
    assert folders.home() == tmp_path / "here"
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LAB_HOME", "~/lab")
    assert folders.home() == tmp_path / "lab"


def test_asking_makes_no_folder(lab_home):
    folders.runs_folder()
    assert not lab_home.exists()


def test_resources_are_there():
    assert (folders.resources() / "recipes" / "quick-start.toml").is_file()
