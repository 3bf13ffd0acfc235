"""Folders at their place: whole, under a free name, and nothing beside them is lost or left."""

from pathlib import Path

import pytest

from lab.base import BadInput
from lab.base.files import writing


def write_folder(temporary):
    temporary.mkdir()
    (temporary / "new").touch()


def test_a_folder_replaces_a_file(tmp_path):
    (tmp_path / "a").write_text("old")
    writing.write_atomically(tmp_path / "a", write_folder)
    assert [path.name for path in tmp_path.rglob("*")] == ["a", "new"]


def test_a_folder_of_the_user_that_ends_in_old_stays(tmp_path):
    for name in ("a", ".a.old"):
        (tmp_path / name / "precious").mkdir(parents=True)
    writing.write_atomically(tmp_path / "a", write_folder)
    assert [path.name for path in sorted(tmp_path.rglob("*"))] == [".a.old", "precious", "a", "new"]


@pytest.mark.parametrize("make", [Path.mkdir, Path.touch], ids=["folder", "file"])
def test_a_folder_is_placed_under_the_first_free_name(tmp_path, make):
    for name in ("run", "run-2"):
        make(tmp_path / name)
    write_folder(tmp_path / "temporary")
    assert writing.place(tmp_path / "temporary", tmp_path / "run") == tmp_path / "run-3"
    assert (tmp_path / "run-3" / "new").exists()


def test_a_name_that_is_taken_while_a_folder_is_placed_is_left_to_its_owner(tmp_path, monkeypatch):
    replace = writing._replace

    def replace_late(temporary, path):
        if path.name == "run":
            (path / "theirs").mkdir(parents=True)
        replace(temporary, path)

    write_folder(tmp_path / "temporary")
    monkeypatch.setattr(writing, "_replace", replace_late)
    assert writing.place(tmp_path / "temporary", tmp_path / "run") == tmp_path / "run-2"
    assert (tmp_path / "run" / "theirs").exists()


def test_placing_a_folder_makes_nothing_before_it_is_there(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(writing, "_replace", lambda temporary, path: seen.append(path.exists()))
    writing.place(tmp_path / "temporary", tmp_path / "run")
    assert seen == [False]


def test_folders_for_a_path_that_cannot_be_made_are_removed(tmp_path):
    with pytest.raises(BadInput, match="File name too long"), writing.folder_for(tmp_path / "new" / ("n" * 300)):
        pass
    assert list(tmp_path.iterdir()) == []
