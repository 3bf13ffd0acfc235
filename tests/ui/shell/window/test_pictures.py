"""`lm-lab --pictures FOLDER` trains the quick start, saves pictures of the window, and exits."""

import os
import subprocess
import sys

import pytest
from PySide6.QtGui import QImage

from lab.base.problems import Problem
from lab.shell.window.pictures import Pictures

COLOURS = 20
"""Colours that a picture of anything has at least."""


def lm_lab(*arguments, timeout):
    """Run the command line offscreen in a process of its own."""
    command = [sys.executable, "-m", "lab.cli.main", *map(str, arguments)]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "OMP_NUM_THREADS": "1"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=timeout, check=False)


def colours(file):
    """Return the number of colours in a picture, counted on a grid until there are enough."""
    image = QImage(str(file))
    assert not image.isNull(), f"{file.name} is no picture"
    found = set()
    for y in range(0, image.height(), 2):
        for x in range(0, image.width(), 2):
            found.add(image.pixel(x, y))
            if len(found) > COLOURS:
                return len(found)
    return len(found)


def words_of(name):
    """Return the place and the card's title in the name of a picture, without the number of the card."""
    return " ".join(word for word in name.removesuffix(".png").split("-") if not word.isdecimal())


def take(window, folder, until, seconds=0.0):
    """Take the pictures of a window, and return the Pictures object."""
    camera = Pictures(window, window.session, window, window.shutdown.close, folder, seconds)
    until(lambda: not window.isVisible())
    return camera


@pytest.mark.long
@pytest.mark.timeout(180)
def test_every_place_and_every_card_is_saved_and_none_is_blank(tmp_path):
    ended = lm_lab("--pictures", tmp_path / "pictures", "--seconds", 2, timeout=150)
    assert ended.returncode == 0, ended.stderr
    files = sorted((tmp_path / "pictures").iterdir())
    names = {file.name for file in files}
    assert {"window-train.png", "window-inspect.png", "window-play.png"} <= names
    assert {"train loss", "play text", "play next token"} <= {words_of(name) for name in names}
    assert any(name.startswith("inspect-") for name in names)
    assert [file.name for file in files if colours(file) <= COLOURS] == []


@pytest.fixture
def short_run(monkeypatch, small, tmp_path):
    """Train a smaller model."""
    (tmp_path / "pictures").mkdir()
    monkeypatch.setattr(
        "lab.shell.window.pictures.quick_start", lambda: small("training.steps=8", "training.evaluate_every=4")
    )


def test_the_pictures_of_a_short_run_are_saved_once_each_place_has_shown_it_and_the_window_closes(
    open_window, tmp_path, until, short_run, monkeypatch
):
    window, has_shown, save = open_window(), [], Pictures._save

    def remember_and_save(camera, widget, name):
        if widget is window:
            has_shown.append((window.place, window.has_shown(window.place)))
        save(camera, widget, name)

    monkeypatch.setattr(Pictures, "_save", remember_and_save)
    camera = take(window, tmp_path / "pictures", until)
    assert has_shown == [("train", True), ("inspect", True), ("play", True)]
    assert camera.problem is None
    names = {file.name for file in (tmp_path / "pictures").iterdir()}
    assert {"window-train.png", "window-inspect.png", "window-play.png"} <= names
    assert {"train loss", "play text"} <= {words_of(name) for name in names}
    assert colours(tmp_path / "pictures" / "window-train.png") > COLOURS


def test_a_missing_folder_is_reported_and_the_window_closes(open_window, tmp_path, until, short_run, reported):
    camera = take(open_window(), tmp_path / "gone", until)
    assert isinstance(camera.problem, Problem)
    assert camera.problem.field == "--pictures"
    assert str(tmp_path / "gone") in camera.problem.line()
    assert camera.problem in reported


@pytest.mark.long
def test_a_failed_warm_up_is_reported_and_the_window_closes(open_window, tmp_path, until, monkeypatch, reported):
    def missing():
        raise ModuleNotFoundError("No module named 'torch'")

    monkeypatch.setattr("lab.shell.runtime.warm_up._import_torch", missing)
    camera = take(open_window(ready=False), tmp_path / "pictures", until)
    assert isinstance(camera.problem, Problem)
    assert any("No module named 'torch'" in problem.what for problem in reported)


@pytest.mark.long
def test_the_command_ends_with_a_failure_where_a_file_stands_in_the_way(tmp_path):
    (tmp_path / "pictures").write_text("a file stands here")
    ended = lm_lab("--pictures", tmp_path / "pictures", "--seconds", 0, timeout=55)
    assert ended.returncode not in (0, None)
    assert "--pictures" in ended.stderr
    assert "Traceback" not in ended.stderr
