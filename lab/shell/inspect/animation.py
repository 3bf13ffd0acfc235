"""The export of an animation from Inspect: a dialog asks for the file, a thread writes it, another click cancels it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from lab.base.jobs import Job
from lab.base.last_folder import last_folder, remember_folder
from lab.base.notices import notify
from lab.base.problems import Problem
from lab.runs import RunFolder
from lab.shell.runtime.background import Background
from lab.shell.runtime.export_files import file_name, unused
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.i18n import tr, tr_registered
from lab.widgets.timeline.timeline import TimelineBar

JOB = "animation"
GIF = ".gif"


class AnimationExport(QObject):
    """Exports what a card shows at all recorded steps of the selected run.

    Args:
        parent: The place, over which the dialog opens.
        registry: The runs.
        background: Writes in a thread.
        timeline: The bar with the button.
        subject: Returns the name and the block of the reading that is seen; None where there is none.
    """

    def __init__(
        self,
        parent: QWidget,
        registry: RunRegistry,
        background: Background,
        timeline: TimelineBar,
        subject: Callable[[], tuple[str, int | None] | None],
    ) -> None:
        super().__init__(parent)
        self._window, self._registry, self._background = parent, registry, background
        self._timeline, self._subject = timeline, subject
        self._is_writing = False
        timeline.export_clicked.connect(self._toggle)

    def _toggle(self) -> None:
        """Ask for a file and write the animation; cancel one that is being written."""
        if self._is_writing:
            self._background.cancel(JOB)
            self._show(False)
            return
        run, subject = self._registry.selected, self._subject()
        folder = None if run is None else run.source.folder
        if run is None or folder is None or subject is None:
            notify("info", tr("There is nothing to export here yet."))
            return
        path = self._ask(f"{run.name} {subject[0]}", tr_registered(subject[0]))
        if path is not None:
            self._show(True)
            title = tr("Exporting {file}", file=path.name)
            work = partial(_write, folder, path, *subject)
            self._background.run(title, work, self._report, self._fail, replaces=JOB)

    def _ask(self, name: str, title: str) -> Path | None:
        animation, pictures = tr("Animation (*.gif)"), tr("Folder with a picture of each step (*)")
        start = str(last_folder() / f"{file_name(name)}{GIF}")
        heading = tr("Export {title}", title=title)
        file, selected = QFileDialog.getSaveFileName(self._window, heading, start, f"{animation};;{pictures}")
        if not file:
            return None
        path = Path(file)
        if selected == pictures:  # never into a folder in which something is already
            path = unused(path.with_suffix("") if path.suffix.lower() == GIF else path)
        elif selected != pictures and path.suffix.lower() != GIF:
            path = unused(path.with_name(f"{path.name}{GIF}"))
        remember_folder(path.parent)
        return path

    def _show(self, is_writing: bool) -> None:
        self._is_writing = is_writing
        self._timeline.show_exporting(is_writing)

    def _report(self, path: Path) -> None:
        self._show(False)
        notify("info", tr("Saved {file} in {folder}", file=path.name, folder=path.parent))

    def _fail(self, problem: Problem) -> None:
        self._show(False)
        notify("warning", problem)


def _write(run: RunFolder, path: Path, name: str, layer: int | None, job: Job) -> Path:
    """Write an animation; in a thread."""
    from lab.interop.animation import write_animation

    is_file = path.suffix.lower() == GIF  # which the dialog asked about
    write_animation(run, path, name, layer, overwrite=is_file, cancelled=lambda: job.cancelled)
    return path
