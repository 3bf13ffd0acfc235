"""The check of the folders: what can be written, what is full, what is refused, and damaged settings."""

import errno
import os
from collections import namedtuple

import pytest

from lab.base.folders import runs_folder, settings_file
from lab.workbench.doctor import folders

Usage = namedtuple("Usage", "free")


@pytest.fixture
def check(subject, levels):
    return lambda: levels(folders.folders(subject()))


@pytest.fixture
def refuse(monkeypatch):
    """Let the system refuse to write into a folder, with an error number."""
    write = folders._try_writing

    def refuse(folder, number):
        def try_writing(path):
            if path == folder:
                raise OSError(number, os.strerror(number))
            write(path)

        monkeypatch.setattr(folders, "_try_writing", try_writing)

    return refuse


def test_folders_that_are_not_made_yet_are_tried_where_they_would_be_and_stay_so(check, lab_home):
    found = check()
    assert list(found) == ["good"]
    assert "there are no settings yet" in found["good"]
    assert len([one for one in found["good"] if "can be written" in one]) == len(folders.FOLDERS)
    assert not lab_home.exists()


def test_nothing_is_left_in_a_folder_that_was_tried(check, lab_home):
    runs_folder().mkdir(parents=True)
    check()
    assert [path.name for path in lab_home.rglob("*")] == ["runs"]


@pytest.mark.parametrize(
    ("number", "remedy"),
    [(errno.EACCES, "LAB_HOME"), (errno.EROFS, "LAB_HOME"), (errno.ENOSPC, "Free some space"), (errno.EIO, "LAB_HOME")],
)
def test_a_home_that_refuses_is_said_once_with_a_remedy(subject, lab_home, refuse, number, remedy):
    lab_home.mkdir()
    refuse(lab_home, number)
    wrong = [one for one in folders.folders(subject()) if one.level == "wrong"]
    assert [one.what for one in wrong] == [f"the folder for the settings cannot be used: {os.strerror(number)}"]
    assert remedy in wrong[0].remedy
    assert wrong[0].detail == str(lab_home)


def test_one_folder_that_refuses_leaves_the_others(check, refuse):
    runs_folder().mkdir(parents=True)
    refuse(runs_folder(), errno.EACCES)
    found = check()
    assert found["wrong"] == ["the folder for recorded runs cannot be used: Permission denied"]
    assert len([one for one in found["good"] if "can be written" in one]) == len(folders.FOLDERS) - 1


def test_a_file_where_the_home_should_be_is_to_be_renamed(subject, lab_home):
    lab_home.write_text("")
    wrong = [one for one in folders.folders(subject()) if one.level == "wrong"]
    assert [one.remedy for one in wrong] == ["A file is where the folder should be: rename it"]


@pytest.mark.parametrize(("free", "level"), [(10**8, "wrong"), (5 * 10**8, "note"), (10**11, "good")])
def test_the_room_left_decides_how_bad_it_is(check, monkeypatch, free, level):
    monkeypatch.setattr(folders.shutil, "disk_usage", lambda path: Usage(free))
    sentences = check()[level]
    assert len([one for one in sentences if "free" in one]) == len(folders.FOLDERS)


def test_damaged_settings_are_wrong_and_those_damaged_before_are_noted(check, lab_home):
    lab_home.mkdir()
    settings_file().write_text("{")
    settings_file().with_name("settings.json.damaged").write_text("{")
    found = check()
    assert "the settings cannot be read" in found["wrong"][0]
    assert found["note"] == ["earlier settings were damaged and set aside"]


def test_there_is_a_finding_when_no_folder_takes_temporary_files(check, monkeypatch):
    def none():
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setattr(folders.tempfile, "gettempdir", none)
    assert "temporary files cannot be used" in check()["wrong"][0]
