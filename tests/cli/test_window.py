"""`lm-lab` without a command: the window where there can be one, else the quick start in the terminal."""

import importlib.machinery
import importlib.util
import sys
import types

import pytest

from lab.cli.main import with_files_opened


@pytest.fixture
def quick_starts(monkeypatch):
    """Count the quick starts instead of training them."""
    started = []
    monkeypatch.setattr("lab.cli.commands.train.quick_start", lambda *arguments, **options: started.append(1) or 0)
    return started


@pytest.fixture
def windows(monkeypatch):
    """Stand in for Qt and the window, and remember with what it was opened."""
    opened = []
    shell = types.ModuleType("lab.shell.app")
    shell.has_screen = lambda: True
    shell.open_window = lambda plugins, files, pictures, seconds: opened.append((files, pictures, seconds)) or 0
    monkeypatch.setitem(sys.modules, "lab.shell.app", shell)
    real, there = importlib.util.find_spec, importlib.machinery.ModuleSpec("there", None)
    window = ("PySide6", "pyqtgraph")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: there if name in window else real(name, *more))
    opened.append(shell)
    return opened


def test_without_a_command_the_window_opens(lm_lab, windows):
    assert lm_lab().code == 0
    assert windows[1:] == [([], None, 20.0)]


def test_files_are_handed_to_the_window_by_their_whole_paths(lm_lab, windows, tmp_path):
    assert lm_lab("--open", "my.txt", "--open", str(tmp_path / "run")).code == 0
    assert windows[1][0] == [str(tmp_path / "my.txt"), str(tmp_path / "run")]


def test_a_file_alone_is_opened_as_a_file_manager_asks(tmp_path):
    (tmp_path / "my.txt").write_text("text", encoding="utf-8")
    assert with_files_opened(["my.txt", "other.toml"]) == ["--open", "my.txt", "--open", "other.toml"]


def test_a_link_is_handed_to_the_window_as_it_is(lm_lab, windows):
    assert lm_lab("LMLAB:1ABC").code == 0
    assert lm_lab("--open", "lmlab:1abc").code == 0
    assert [files for files, *_ in windows[1:]] == [["LMLAB:1ABC"], ["lmlab:1abc"]]


def test_a_word_that_is_a_command_is_never_taken_for_a_file(tmp_path):
    (tmp_path / "train").mkdir()
    assert with_files_opened(["train"]) == ["train"]


def test_pictures_are_wished_for_with_the_seconds_before_them(lm_lab, windows, tmp_path):
    assert lm_lab("--pictures", "here", "--seconds", "3.5").code == 0
    files, folder, seconds = windows[1]
    assert (files, folder.name, seconds) == ([], "here", 3.5)


def test_pictures_replace_those_of_a_folder_only_where_that_is_asked_for(lm_lab, windows, tmp_path):
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "window-train.png").touch()
    ended = lm_lab("--pictures", "here")
    assert ended.code == 2
    assert "--pictures = here: is not empty" in ended.problem
    assert "--overwrite" in ended.problem
    assert lm_lab("--pictures", "here", "--overwrite").code == 0
    assert [folder.name for _, folder, _ in windows[1:]] == ["here"]


@pytest.mark.parametrize("given", ["soon", "-1", "nan", "1e9"])
def test_seconds_that_cannot_be_are_refused(lm_lab, windows, given):
    ended = lm_lab(f"--seconds={given}", "--pictures", "here")
    assert ended.code == 2
    assert "--seconds" in ended.problem
    assert len(windows) == 1


def test_without_qt_the_quick_start_trains_and_the_remedy_is_reported(lm_lab, quick_starts, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: None)
    ended = lm_lab()
    assert (ended.code, quick_starts) == (0, [1])
    assert "pip install" in ended.err


def test_pictures_without_qt_are_refused(lm_lab, quick_starts, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: None)
    ended = lm_lab("--pictures", "here")
    assert (ended.code, quick_starts) == (2, [])
    assert "--pictures" in ended.problem


def test_without_a_screen_the_quick_start_trains(lm_lab, windows, quick_starts):
    windows[0].has_screen = lambda: False
    ended = lm_lab()
    assert (ended.code, quick_starts) == (0, [1])
    assert "screen" in ended.err
