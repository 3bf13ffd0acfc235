"""Runs in and out of the list: bundles and other exports, the bin, and the way back from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.runs import RunFolder
from lab.runs.library.bin import binned_runs, delete_run, empty_bin, restore_run
from lab.runs.records import BUNDLE
from lab.shell.runtime.background import Background
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.i18n import tr
from lab.workbench import Workbench

if TYPE_CHECKING:
    from lab.base.jobs import Job

SCRIPT = ".py"
"""The suffix of a script."""


class RunTransfers(QObject):
    """Brings runs in and out.

    Args:
        workbench: Whose runs.
        registry: The runs.
        background: Brings work off the main thread.
        parent: Its parent.

    Attributes:
        binned: Name and place of the runs in the bin, the one deleted last first.
    """

    offered = Signal(str, str, object)
    """Words, the face of a button that answers them, and what it does."""
    opened = Signal(Path)
    """A bundle was taken in from this file."""
    changed = Signal()
    """The bin holds other runs."""

    def __init__(
        self, workbench: Workbench, registry: RunRegistry, background: Background, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._workbench, self._registry, self._background = workbench, registry, background
        self.binned: list[tuple[str, Path]] = []

    def begin(self) -> None:
        """Looks what is in the bin."""
        self._background.run(tr("Looking into the bin"), _look_into_bin, self._take_bin, replaces="bin")

    # --------------------------------------------------------------------------------------------------------- bundles

    def forms(self) -> list[tuple[str, str]]:
        """(words, end of the file's name) of the forms for other programs."""
        return [
            (tr("Page of curves, samples and readings"), ".html"),
            (tr("Table"), ".csv"),
            (tr("Table with units"), ".parquet"),
            (tr("TensorBoard events"), ".tensorboard"),
            (tr("Plain PyTorch script"), SCRIPT),
        ]

    def export(self, view: RunModel, file: Path) -> None:
        """Packs a run into a bundle, or writes it in the form that the file's name ends with."""
        folder = view.run.folder
        if folder is None:
            return
        exporting = _Exporting(self._workbench, folder, file)
        title = tr("Exporting {run}", run=view.name)
        self._background.run(title, exporting.work, _say_exported, replaces=f"export {file}")

    def export_model(self, view: RunModel, folder: Path) -> None:
        """Writes the model of a run as a folder that transformers reads."""
        run = view.run.folder
        if run is None:
            return
        exporting = _ExportingModel(self._workbench, run, folder)
        title = tr("Exporting the model of {run}", run=view.name)
        self._background.run(title, exporting.work, _say_exported, replaces=f"export {folder}")

    def take_in(self, file: Path) -> None:
        """Takes in the run of a bundle, and selects it."""
        importing = _Importing(file)
        self._background.run(tr("Opening {file}", file=file.name), importing.work, self._taken_in)

    def _taken_in(self, found: tuple[Path, RunFolder]) -> None:
        file, run = found
        try:
            view = self._registry.open(run.path)
        except LabError as error:
            notify("error", error.problem)
            return
        notify("info", tr("Run {run} is in the list now", run=view.name))
        self.opened.emit(file)

    # ------------------------------------------------------------------------------------------------------- the bin

    def delete(self, views: Sequence[RunModel]) -> None:
        """Moves runs into the bin; those that train are refused."""
        deletable = []
        for view in views:
            if view.works or view.elsewhere:
                what = tr("{run} trains, so it is not deleted", run=view.name)
                notify("warning", Problem(what, remedy=tr("Stop it first")))
            elif view.verifying is not None:
                notify("warning", tr("{run} is being verified, so it is not deleted", run=view.name))
            elif view.run.folder is not None:
                deletable.append((view, view.run.folder))
        if deletable:
            self._background.run(tr("Deleting runs"), _Deleting(deletable).work, self._deleted)

    def _deleted(self, gone: list[tuple[RunModel, Path]]) -> None:
        if not gone:
            return
        after = self._next(gone[0][0])
        for view, _ in gone:
            self._registry.remove(view)
        if after is not None and self._registry.selected is None:
            self._registry.select(after.key)
        names = gone[0][0].name if len(gone) == 1 else tr("{n} runs", n=len(gone))
        self._take_bin([*((place.name, place) for _, place in gone), *self.binned])
        undo = _Undo(self.restore, [place for _, place in gone])
        self.offered.emit(tr("In the bin now: {names}", names=names), tr("Undo"), undo)

    def _next(self, view: RunModel) -> RunModel | None:
        """The run that is selected when the selected one goes: the older neighbour."""
        views = self._registry.views
        if view is not self._registry.selected or view not in views:
            return None
        place = views.index(view)
        others = [*views[place + 1 :], *reversed(views[:place])]
        return next(iter(others), None)

    def restore(self, places: Sequence[Path]) -> None:
        """Brings runs back from the bin."""
        self._background.run(tr("Restoring runs"), _Restoring(places).work, self._restored)

    def _restored(self, runs: list[RunFolder]) -> None:
        for run in runs:
            try:
                self._registry.open(run.path)
            except LabError as error:
                notify("error", error.problem)
        self.begin()

    def empty_bin(self) -> None:
        """Removes what is in the bin for ever."""
        self._background.run(tr("Emptying the bin"), _empty_bin, self._emptied)

    def _emptied(self, count: int) -> None:
        notify("info", tr("{n} runs are removed for ever", n=count) if count != 1 else tr("1 run is removed"))
        self._take_bin([])

    def _take_bin(self, binned: list[tuple[str, Path]]) -> None:
        self.binned = binned
        self.changed.emit()


class _Undo:
    """The way back after a deletion."""

    def __init__(self, restore: Callable[[Sequence[Path]], object], places: Sequence[Path]) -> None:
        self._restore, self._places = restore, places

    def __call__(self) -> None:
        self._restore(self._places)


class _Exporting:
    """One export."""

    def __init__(self, workbench: Workbench, run: RunFolder, file: Path) -> None:
        self._workbench, self._run, self._file = workbench, run, file

    def work(self, job: Job) -> Path:
        """Writes it; in a thread of its own."""
        if self._file.suffix.lower() == BUNDLE:
            from lab.runs.bundle import export_bundle

            return export_bundle(self._run, self._file, cancelled=lambda: job.cancelled)
        if self._file.suffix.lower() == SCRIPT:
            from lab.workbench.exchange.script import export_script_and_text

            return export_script_and_text(self._run, self._workbench.plugins, self._file)
        from lab.interop.exports import export_run

        return export_run(
            self._run, self._file, overwrite=True, cards=self._workbench.plugins, cancelled=lambda: job.cancelled
        )


class _ExportingModel:
    """The model of one run on its way out."""

    def __init__(self, workbench: Workbench, run: RunFolder, folder: Path) -> None:
        self._workbench, self._run, self._folder = workbench, run, folder

    def work(self, job: Job) -> Path:
        """Writes it; in a thread of its own."""
        from lab.workbench.exchange.pretrained import export_pretrained

        plugins = self._workbench.plugins
        saved = self._workbench.open(self._run.path)
        return export_pretrained(saved, plugins, self._folder, cancelled=lambda: job.cancelled).folder


class _Importing:
    """One bundle on its way in."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def work(self, job: Job) -> tuple[Path, RunFolder]:
        """Checks and unpacks it; in a thread of its own."""
        from lab.runs.bundle import import_bundle

        return self._file, import_bundle(self._file, cancelled=lambda: job.cancelled)


class _Deleting:
    """Runs on their way into the bin."""

    def __init__(self, runs: Sequence[tuple[RunModel, RunFolder]]) -> None:
        self._runs = runs

    def work(self, job: Job) -> list[tuple[RunModel, Path]]:
        """Moves them; in a thread of its own. Those that could not be moved are told."""
        del job
        gone = []
        for view, folder in self._runs:
            try:
                gone.append((view, delete_run(folder)))
            except LabError as error:
                notify("error", error.problem)
        return gone


class _Restoring:
    """Runs on their way back."""

    def __init__(self, places: Sequence[Path]) -> None:
        self._places = places

    def work(self, job: Job) -> list[RunFolder]:
        """Moves them; in a thread of its own."""
        del job
        back = []
        for place in self._places:
            try:
                back.append(restore_run(place))
            except LabError as error:
                notify("warning", error.problem)
        return back


def _look_into_bin(job: Job) -> list[tuple[str, Path]]:
    del job
    return [(run.name, run.path) for run in binned_runs()]


def _empty_bin(job: Job) -> int:
    del job
    return empty_bin()


def _say_exported(file: Path) -> None:
    notify("info", tr("Exported {file}", file=file.name))
