"""Import and export of runs, and the bin of deleted runs."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.runs import RunFolder
from lab.runs.library.bin import binned_runs, delete_run, empty_bin, restore_run
from lab.runs.library.labels import read_label
from lab.runs.library.titles import recipe_title
from lab.runs.records import BUNDLE
from lab.shell.runtime.background import Background
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.i18n import language, localized, tr, tr_n, tr_registered
from lab.widgets.core.messages import message_text
from lab.workbench import Workbench
from lab.workbench.launch.origins import NONE

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.host import Plugins
    from lab.workbench.classroom.hand_out import HandOut

SCRIPT = ".py"
"""The suffix of a script."""


class RunTransfers(QObject):
    """Imports and exports runs, moves them to the bin and restores them.

    Args:
        workbench: The workbench, which opens and exports runs.
        registry: The runs.
        background: Runs work in threads.
        parent: Its parent.

    Attributes:
        binned: Name and path of the runs in the bin, the last deleted one first.
    """

    offered = Signal(str, str, object)
    """A message, the label of a button, and the function that the button calls."""
    opened = Signal(Path)
    """A bundle was imported from this file."""
    handed_out = Signal(object)
    """What a teacher handed out was opened; nothing is done with it before the user agrees."""
    changed = Signal()
    """The content of the bin changed."""

    def __init__(
        self, workbench: Workbench, registry: RunRegistry, background: Background, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._workbench, self._registry, self._background = workbench, registry, background
        self.binned: list[tuple[str, Path]] = []
        self._ending: list[RunModel] = []  # deleted as soon as the registry has taken their ends
        registry.ended.connect(self._delete_ended)

    def begin(self) -> None:
        """Read the content of the bin."""
        self._background.run(tr("Reading the bin"), _list_bin, self._take_bin, replaces="bin")

    # --------------------------------------------------------------------------------------------------------- bundles

    def forms(self) -> list[tuple[str, str]]:
        """Return (label, suffix) of each export format for other programs."""
        return [
            (tr("Page of curves, samples and readings"), ".html"),
            (tr("Table"), ".csv"),
            (tr("Table with units"), ".parquet"),
            (tr("TensorBoard events"), ".tensorboard"),
            (tr("Plain PyTorch script"), SCRIPT),
        ]

    def export(self, run: RunModel, file: Path) -> None:
        """Export a run in the format of the file's suffix, which may be that of a bundle."""
        folder = run.source.folder
        if folder is None:
            return
        work = partial(_export, self._workbench, folder, file)
        title = tr("Exporting {run}", run=run.name)
        self._background.run(title, work, _report_export, replaces=f"export {file}")

    def export_model(self, run: RunModel, folder: Path) -> None:
        """Write the model of a run to a folder that transformers can load."""
        run_folder = run.source.folder
        if run_folder is None:
            return
        work = partial(_export_model, self._workbench, run_folder, folder)
        title = tr("Exporting the model of {run}", run=run.name)
        self._background.run(title, work, _report_export, replaces=f"export {folder}")

    def can_merge(self, run: RunModel) -> bool:
        """Return True if a run has ended and has an adapter that could be folded into its weights."""
        return run.path is not None and not run.works and run.recipe.adapter.name != NONE

    def merge(self, run: RunModel) -> None:
        """Make a run whose weights are those of another one with its adapter folded in, and select it."""
        folder = run.source.folder
        if folder is not None:
            work, title = partial(_merge, self._workbench, folder), tr("Merging the adapter of {run}", run=run.name)
            self._background.run(title, work, self._merged, replaces=f"merge {folder.path}")

    def _merged(self, merged: RunFolder) -> None:
        try:
            run = self._registry.open(merged.path)
        except LabError as error:
            notify("error", error.problem)
            return
        notify("info", tr("{run} has the adapter in its weights", run=run.name))

    def take_in(self, file: Path) -> None:
        """Import the run of a bundle, and select it; or show what a teacher handed out."""
        work = partial(_import, file, self._workbench.plugins)
        self._background.run(tr("Opening {file}", file=file.name), work, self._imported)

    def _imported(self, found: tuple[Path, RunFolder | HandOut]) -> None:
        file, run_folder = found
        if not isinstance(run_folder, RunFolder):
            self.handed_out.emit(run_folder)
            return
        try:
            run = self._registry.open(run_folder.path)
        except LabError as error:
            notify("error", error.problem)
            return
        notify("info", tr("{run} was imported", run=run.name))
        self.opened.emit(file)

    # ------------------------------------------------------------------------------------------------------- the bin

    def delete(self, runs: Sequence[RunModel]) -> None:
        """Move runs to the bin; report and skip those that train. One that has just ended is moved a moment later."""
        deletable = []
        for run in runs:
            if run.works or run.elsewhere:
                what = tr("{run} is training, so it was not deleted", run=run.name)
                notify("warning", Problem(what, remedy=tr("Stop it first")))
            elif run.verifying is not None:
                notify("warning", tr("{run} is being verified, so it was not deleted", run=run.name))
            elif (folder := run.source.folder) is not None and run.active is not None:
                self._ending.append(run)  # its end still has to be read from its folder
            elif folder is not None:
                deletable.append((run, folder))
        if deletable:
            self._background.run(tr("Deleting runs"), partial(_delete, deletable), self._deleted)

    def _delete_ended(self, run: RunModel) -> None:
        if run in self._ending:
            self._ending.remove(run)
            self.delete([run])

    def _deleted(self, gone: list[tuple[RunModel, Path]]) -> None:
        if not gone:
            return
        after = self._next(gone[0][0])
        for run, _ in gone:
            self._registry.remove(run)
        if after is not None and self._registry.selected is None:
            self._registry.select(after.key)
        names = gone[0][0].name if len(gone) == 1 else tr("{n} runs", n=len(gone))
        paths = [path for _, path in gone]
        self._take_bin([*((run.name, path) for run, path in gone), *self.binned])
        self.offered.emit(tr("Moved to the bin: {names}", names=names), tr("Undo"), partial(self.restore, paths))

    def _next(self, run: RunModel) -> RunModel | None:
        """Return the run to select when the selected one is deleted: the next older one, or else a newer one."""
        runs = self._registry.runs
        if run is not self._registry.selected or run not in runs:
            return None
        index = runs.index(run)
        others = [*runs[index + 1 :], *reversed(runs[:index])]
        return next(iter(others), None)

    def restore(self, paths: Sequence[Path]) -> None:
        """Restore runs from the bin."""
        self._background.run(tr("Restoring runs"), partial(_restore, paths), self._restored)

    def _restored(self, runs: list[RunFolder]) -> None:
        for run in runs:
            try:
                self._registry.open(run.path)
            except LabError as error:
                notify("error", error.problem)
        self.begin()

    def empty_bin(self) -> None:
        """Delete the runs in the bin permanently."""
        self._background.run(tr("Emptying the bin"), _empty_bin, self._emptied)

    def _emptied(self, count: int) -> None:
        notify(
            "info",
            tr_n("1 run was deleted permanently", "{n} runs were deleted permanently", count),
        )
        self._take_bin([])

    def _take_bin(self, binned: list[tuple[str, Path]]) -> None:
        self.binned = binned
        self.changed.emit()


def _export(workbench: Workbench, run: RunFolder, file: Path, job: Job) -> Path:
    """Write a run in the format of the file's suffix; in a thread."""
    if file.suffix.lower() == BUNDLE:
        from lab.runs.bundle import export_bundle

        return export_bundle(run, file, cancelled=lambda: job.cancelled)
    if file.suffix.lower() == SCRIPT:
        from lab.workbench.exchange.script import export_script_and_text

        return export_script_and_text(run, workbench.plugins, file)
    from lab.interop.exports import export_run
    from lab.interop.report.words import Words

    words = Words(language.code, tr_registered, tr_n, localized, message_text)
    cards = workbench.plugins
    return export_run(run, file, overwrite=True, cards=cards, language=words, cancelled=lambda: job.cancelled)


def _export_model(workbench: Workbench, run: RunFolder, folder: Path, job: Job) -> Path:
    """Write the model of a run; in a thread."""
    from lab.workbench.exchange.pretrained import export_pretrained

    saved = workbench.open(run.path)
    return export_pretrained(saved, workbench.plugins, folder, cancelled=lambda: job.cancelled).folder


def _merge(workbench: Workbench, run: RunFolder, job: Job) -> RunFolder:
    """Merge the adapter of a run; in a thread."""
    from lab.workbench.exchange.merging import merge_run

    del job
    return merge_run(workbench.open(run.path))


def _import(file: Path, plugins: Plugins, job: Job) -> tuple[Path, RunFolder | HandOut]:
    """Check and unpack a bundle, or check what a teacher handed out; in a thread."""
    from lab.runs.bundle import import_bundle
    from lab.workbench.classroom.hand_out import is_hand_out, read_hand_out

    if is_hand_out(file):
        return file, read_hand_out(file, plugins)
    return file, import_bundle(file, cancelled=lambda: job.cancelled)


def _delete(runs: Sequence[tuple[RunModel, RunFolder]], job: Job) -> list[tuple[RunModel, Path]]:
    """Move runs to the bin, and report those that cannot be moved; in a thread."""
    del job
    gone = []
    for run, folder in runs:
        try:
            gone.append((run, delete_run(folder)))
        except LabError as error:
            notify("error", error.problem)
    return gone


def _restore(paths: Sequence[Path], job: Job) -> list[RunFolder]:
    """Restore runs from the bin, and report those that cannot be restored; in a thread."""
    del job
    restored = []
    for path in paths:
        try:
            restored.append(restore_run(path))
        except LabError as error:
            notify("warning", error.problem)
    return restored


def _list_bin(job: Job) -> list[tuple[str, Path]]:
    """Return name and path of the runs in the bin; in a thread."""
    del job
    return [(_name_in_bin(run), run.path) for run in binned_runs()]


def _name_in_bin(run: RunFolder) -> str:
    """Return a run's given name or the title of its recipe, or if neither can be read its folder's name."""
    with contextlib.suppress(LabError):
        return read_label(run.path).name or run.assigned_name or recipe_title(run.read_recipe())
    return run.name


def _empty_bin(job: Job) -> int:
    """Delete the runs in the bin; in a thread."""
    del job
    return empty_bin()


def _report_export(file: Path) -> None:
    notify("info", tr("Exported {file}", file=file.name))
