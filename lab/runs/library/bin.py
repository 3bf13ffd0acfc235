"""The bin: deleted runs in the lab's folder of runs, until they are restored or the bin is emptied.

A deleted run is in `.bin/<time>/<name>`, so it keeps its name, and deleted runs may share a name.
"""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

from lab.base.files.writing import make_folder, write_errors_as_problems
from lab.base.folders import runs_folder
from lab.base.problems import BadInput, LabError
from lab.base.run_state import RunState
from lab.runs.folder import RunFolder
from lab.runs.writer_lock import written_by


def delete_run(run: RunFolder) -> Path:
    """Move a run of the lab's folder into the bin.

    Returns:
        Its new path, for `restore_run`.

    Raises:
        BadInput: The run is in another folder, or is being written; the problem names the process.
        LabError: It could not be moved.
    """
    here = run.path.resolve()
    _check_deletable(run, here)
    stamp, number = f"{datetime.now(UTC):%Y%m%dT%H%M%S%f}", 0
    folder = make_folder(_bin())
    with write_errors_as_problems(folder / here.name):
        while True:
            path = folder / (f"{stamp}-{number:03}")
            number += 1
            try:
                path.mkdir()
                break
            except FileExistsError:  # another run was deleted at the same time
                continue
        try:
            return here.rename(path / here.name)
        except BaseException:
            path.rmdir()
            raise


def restore_run(run: str | Path) -> RunFolder:
    """Restore a run from the bin under its old name, with a number if the name is taken.

    Args:
        run: Its name, which means the run of that name deleted last; or its path, as `delete_run` returned it.

    Raises:
        BadInput: The run is not in the bin; the problem lists the runs that are.
        LabError: It could not be moved, or is damaged.
    """
    paths = _binned_paths()
    found = [path for path in paths if run in (path, path.name)]
    if not found:
        names = ", ".join(dict.fromkeys(path.name for path in paths))
        raise BadInput("is not in the bin", field="run", value=str(run), allowed=names or "nothing, the bin is empty")
    path = found[0]
    target, number = runs_folder() / path.name, 1
    while target.exists() or target.is_symlink():
        number += 1
        target = runs_folder() / f"{path.name}-{number}"
    with write_errors_as_problems(target):
        path.rename(target)
        path.parent.rmdir()
    return RunFolder.open(target)


def binned_runs() -> list[RunFolder]:
    """Return the runs in the bin, the last deleted first; those that do not open are left out."""
    runs = []
    for path in _binned_paths():
        try:
            runs.append(RunFolder.open(path))
        except LabError:
            continue
    return runs


def empty_bin() -> int:
    """Delete the runs in the bin permanently. Return how many there were.

    Raises:
        LabError: A run could not be removed; those after it are still there.
    """
    paths = _binned_paths()
    for path in paths:
        with write_errors_as_problems(path):
            shutil.rmtree(path.parent)
    return len(paths)


def _bin() -> Path:
    return runs_folder() / ".bin"


def _binned_paths() -> list[Path]:
    """Return the paths of the runs in the bin, the last deleted first."""
    return sorted(_bin().glob("*/*"), key=lambda path: path.parent.name, reverse=True)


def _check_deletable(run: RunFolder, here: Path) -> None:
    if here.parent != runs_folder().resolve():
        what = "is outside the lab's folder of runs, and the lab deletes nothing there"
        raise BadInput(what, field="run", value=str(run.path), remedy="Delete its folder yourself")
    run.write_alone().release()  # raises if a process writes it
    try:
        running, writer = run.status().state == RunState.RUNNING, run.writer
    except LabError:  # a damaged status names no writer
        return
    if running:
        raise BadInput(written_by(f"process {writer.get('pid') if isinstance(writer, dict) else 'unknown'}", run.name))
