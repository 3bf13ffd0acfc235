"""A curve is played by a program of the system, or offered as a file."""

import stat
import sys
import wave

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog, QWidget

from lab.shell.runtime import sound
from lab.shell.runtime.background import Background
from lab.shell.runtime.sound import CurveSound, audible_line
from lab.widgets.charts.chart import Chart, Line

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the programs that play a file are Linux's here")


@pytest.fixture
def chart(qtbot):
    """A chart with a faint raw line and a labelled one."""
    made = Chart()
    qtbot.addWidget(made)
    x = np.arange(50.0)
    made.set_axes("step", "loss")
    made.set_lines([
        Line("raw", "", "#4da3ff", x, np.sin(x), "faint", long_name="raw"),
        Line("smooth", "train", "#4da3ff", x, x, long_name="train of a run"),
        Line("one", "validation", "#4da3ff", x[:1], x[:1]),
    ])  # fmt: skip
    made.resize(300, 200)
    return made


@pytest.fixture
def player(qtbot, chart, monkeypatch, tmp_path):
    """Plays the curve of the chart with the programs of a folder that is empty at first."""
    window, background, offers = QWidget(), Background(), []
    qtbot.addWidget(window)
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(sound, "qt_player", lambda *_: None)
    made = CurveSound(window, background, lambda: chart, lambda *offer: offers.append(offer))
    made.offers, made.folder = offers, tmp_path / "bin"
    yield made
    made.stop()
    background.close()


def program(folder, script, name="paplay"):
    """Write a program that plays a file."""
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


def test_the_labelled_line_with_the_most_values_is_played(chart):
    assert audible_line(chart.export("").figure).name == "train of a run"


def test_a_program_of_the_system_gets_the_wav_file(player, qtbot, tmp_path):
    program(
        player.folder, f'/bin/cp "$1" {tmp_path}/played.part && /bin/mv {tmp_path}/played.part {tmp_path}/played.wav'
    )
    player.play_current()
    qtbot.waitUntil((tmp_path / "played.wav").exists)
    with wave.open(str(tmp_path / "played.wav")) as file:
        assert 3 <= file.getnframes() / file.getframerate() <= 5
    assert player.offers == []


def test_the_next_program_is_tried_if_one_cannot_play(player, qtbot, tmp_path):
    program(player.folder, "exit 1", "pw-play")
    program(player.folder, f'/bin/cp "$1" {tmp_path}/played.wav')
    player.play_current()
    qtbot.waitUntil((tmp_path / "played.wav").exists)
    assert player.offers == []


def test_stopping_does_not_wait_for_the_program(player, qtbot, monkeypatch):
    program(player.folder, "exec /bin/sleep 60")
    player.play_current()
    qtbot.waitUntil(lambda: player._player is not None and player._player.processId() > 0)
    process, waited = player._player, []
    monkeypatch.setattr(sound.QProcess, "waitForFinished", lambda *arguments: waited.append(arguments))
    with qtbot.waitSignal(process.destroyed):
        player.stop()
    assert waited == []


@pytest.mark.parametrize("script", [None, "exit 1"], ids=["no program", "no device"])
def test_a_sound_that_cannot_be_played_is_offered_as_a_file(player, qtbot, tmp_path, monkeypatch, script):
    if script is not None:
        program(player.folder, script)
    player.play_current()
    qtbot.waitUntil(lambda: bool(player.offers))
    message, label, save = player.offers[0]
    assert "cannot be played" in message
    assert label == "Save as WAV…"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "curve"), ""))
    save()
    qtbot.waitUntil((tmp_path / "curve.wav").exists)


def test_the_menu_of_a_chart_plays_each_labelled_line(chart):
    entries = [text for text, _ in chart.entries()]
    assert "Play train of a run as sound" in entries
    assert not any("validation" in text for text in entries)
