"""The sound of a curve: made in a thread, and played by Qt or by a player of the system, or saved."""

from __future__ import annotations

import contextlib
import importlib.util
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication, QObject, QProcess, QUrl
from PySide6.QtWidgets import QFileDialog, QWidget

from lab.base.files.writing import write_file
from lab.base.jobs import Job
from lab.base.last_folder import last_folder, remember_folder
from lab.base.notices import notify
from lab.shell.runtime.background import Background
from lab.shell.runtime.export_files import file_name
from lab.shell.runtime.waveform import sound_of, wav_of
from lab.widgets.core.i18n import tr
from lab.widgets.figures.chart import ChartFigure, FigureLine
from lab.widgets.figures.view import FigureView, exporting

PLAYERS: dict[str, Sequence[Sequence[str]]] = {
    "darwin": (("afplay",),),
    "linux": (("pw-play",), ("paplay",), ("aplay", "-q")),
}
"""Programs of the system that play a WAV file, by sys.platform; the first that can is used."""


class CurveSound(QObject):
    """Plays the lines of charts as sound, or offers to save them.

    Args:
        window: The window.
        background: Makes the sound in a thread.
        current_view: Returns the chart or map in the focused card; None if there is none.
        offer: Shows a message with a button: its arguments are the message, the label, and what the button does.
    """

    def __init__(
        self,
        window: QWidget,
        background: Background,
        current_view: Callable[[], FigureView | None],
        offer: Callable[[str, str, Callable[[], object]], object],
    ) -> None:
        super().__init__(window)
        self._window, self._background = window, background
        self._current_view, self._offer = current_view, offer
        self._file: Path | None = None
        self._player: Any = None
        exporting.sound_requested.connect(self._play_own)

    def play_current(self) -> None:
        """Play the most important line of the current chart."""
        view = self._current_view()
        export = None if view is None else view.exported()
        line = audible_line(export.figure) if export is not None else None
        if line is None:
            notify("info", tr("There is no curve to play here."))
            return
        self.play(line)

    def play(self, line: FigureLine) -> None:
        """Play a line."""
        work = partial(_wav, line)
        self._background.run(
            tr("Making the sound of {name}", name=line.name), work, partial(self._start, line.name), replaces="sound"
        )

    def _play_own(self, view: FigureView, line: FigureLine) -> None:
        """Play a line of a chart that belongs to this window."""
        if view.window() is self._window:
            self.play(line)

    def _start(self, name: str, wav: bytes) -> None:
        """Play a sound with what is there; without a device or a player, offer to save it."""
        self.stop()
        file = tempfile.NamedTemporaryFile(prefix="lm-lab-", suffix=".wav", delete=False)  # noqa: SIM115 - is played
        with file:
            file.write(wav)
        self._file = Path(file.name)
        failed = partial(self._offer_file, name, wav)
        self._player = qt_player(self, self._file)
        if self._player is None and not self._play_by(installed_players(), failed) and not plays_on_windows(self._file):
            failed()
        else:
            notify("info", tr("Playing {name}: the pitch follows its value", name=name))

    def _play_by(self, commands: Sequence[Sequence[str]], failed: Callable[[], object]) -> bool:
        """Play the file by the first program that can. Return False if there is none.

        Args:
            commands: The programs that are left, with their arguments.
            failed: Called if none of them can play it.
        """
        if not commands:
            return False
        (name, *arguments), rest = commands[0], commands[1:]
        process = self._player = QProcess(self)
        process.finished.connect(partial(self._program_ended, rest, failed))
        process.start(name, [*arguments, str(self._file)])
        return True

    def _program_ended(
        self, rest: Sequence[Sequence[str]], failed: Callable[[], object], code: int, status: QProcess.ExitStatus
    ) -> None:
        """Try the next program if one could not play the file."""
        if code and status == QProcess.ExitStatus.NormalExit:
            self._player.deleteLater()
            self._player = None
            if not self._play_by(rest, failed):
                failed()

    def _offer_file(self, name: str, wav: bytes) -> None:
        message = tr("{name} cannot be played: no audio device or player was found.", name=name)
        self._offer(message, tr("Save as WAV…"), partial(self._save, name, wav))

    def _save(self, name: str, wav: bytes) -> None:
        start = str(last_folder() / f"{file_name(name)}.wav")
        selected, _ = QFileDialog.getSaveFileName(self._window, tr("Save the sound"), start, tr("Sound (*.wav)"))
        if selected:
            path = Path(selected).with_suffix(".wav")
            remember_folder(path.parent)
            self._background.run(tr("Saving {file}", file=path.name), partial(_write, path, wav), self._report)

    def _report(self, path: Path) -> None:
        notify("info", tr("Saved {file} in {folder}", file=path.name, folder=path.parent))

    def stop(self) -> None:
        """Stop what is playing, and remove its file."""
        player, self._player = self._player, None
        if isinstance(player, QProcess):
            _kill(player)
        elif player is not None:
            player.stop()
            player.deleteLater()
        if self._file is not None:
            with contextlib.suppress(OSError):  # Windows keeps the file that it plays
                self._file.unlink()
            self._file = None


def audible_line(figure: Any) -> FigureLine | None:
    """Return the line of a chart that is played: of those with a label the one with the most values."""
    if not isinstance(figure, ChartFigure):
        return None
    lines = [line for line in figure.lines if int(np.isfinite(line.points).all(axis=1).sum()) >= 2]
    return max(lines, key=lambda line: (bool(line.label), len(line.points)), default=None)


def qt_player(parent: QObject, file: Path) -> Any:
    """Return QtMultimedia's player of a file, playing; None without QtMultimedia or an audio device."""
    if importlib.util.find_spec("PySide6.QtMultimedia") is None:
        return None
    from PySide6.QtMultimedia import QMediaDevices, QSoundEffect  # late: only those who listen load it

    if QMediaDevices.defaultAudioOutput().isNull():
        return None
    player = QSoundEffect(parent)
    player.setSource(QUrl.fromLocalFile(str(file)))
    player.play()
    return player


def installed_players() -> list[Sequence[str]]:
    """Return the programs of the system that may play a file, with their arguments."""
    return [command for command in PLAYERS.get(sys.platform, ()) if shutil.which(command[0])]


def _kill(process: QProcess) -> None:
    """Kill a program without waiting for its end, and delete its object then; it may outlive the window."""
    process.finished.disconnect()
    if process.state() == QProcess.ProcessState.NotRunning:
        process.deleteLater()
        return
    process.setParent(QCoreApplication.instance())
    process.finished.connect(process.deleteLater)
    process.kill()


def plays_on_windows(file: Path) -> bool:
    """Play a file with Windows' own function, and return True if it could."""
    if sys.platform == "win32":
        import winsound  # only there

        try:
            winsound.PlaySound(str(file), winsound.SND_FILENAME | winsound.SND_ASYNC)
        except RuntimeError:
            return False
        return True
    return False


def _wav(line: FigureLine, job: Job) -> bytes:
    """Return the sound of a line; called in a thread."""
    del job
    return wav_of(sound_of(line.points[:, 0], line.points[:, 1]))


def _write(path: Path, wav: bytes, job: Job) -> Path:
    """Write a sound; called in a thread."""
    del job
    write_file(path, wav)
    return path
