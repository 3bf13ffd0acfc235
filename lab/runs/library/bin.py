"""The bin: deleted runs, out of the way in the lab's folder of runs, until they are restored or the bin is emptied.

A deleted run lies in `.bin/<when>/<name>`, so it keeps its name, and two of one name lie beside each other.
"""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

from lab.base.folders import runs_folder
from lab.base.problems import BadInput, LabError
from lab.base.writing import make_folder, write_errors_as_problems
from lab.runs.folder import RunFolder
from lab.runs.records import read_record
from lab.runs.writer_lock import written_by


def delete_run(run: RunFolder) -> Path:
    """Moves a run of the lab's folder into the bin.

    Returns:
        Where it lies now; `restore_run` takes it back.

    Raises:
        BadInput: It lies elsewhere, or is being written; the problem names the process.
        LabError: It could not be moved.
    """
    here = run.path.resolve()
    _check_deletable(run, here)
    stamp, number = f"{datetime.now(UTC):%Y%m%dT%H%M%S%f}", 0
    folder = make_folder(_bin())
    with write_errors_as_problems(folder / here.name):
        while True:
            place = folder / (f"{stamp}-{number:03}")
            number += 1
            try:
                place.mkdir()
                break
            except FileExistsError:  # another one was deleted at this very moment
                continue
        try:
            return here.rename(place / here.name)
        except BaseException:
            place.rmdir()
            raise


def restore_run(run: str | Path) -> RunFolder:
    """Brings a run back from the bin under its old name, or that with a number where it is taken.

    Args:
        run: Its name, which means the one of that name that was deleted last; or where it lies, as `delete_run` told.

    Raises:
        BadInput: It is not in the bin; the problem says what is.
        LabError: It could not be moved, or is damaged.
    """
    places = _places()
    found = [place for place in places if run in (place, place.name)]
    if not found:
        names = ", ".join(dict.fromkeys(place.name for place in places))
        raise BadInput("is not in the bin", field="run", value=str(run), allowed=names or "nothing, the bin is empty")
    place = found[0]
    target, number = runs_folder() / place.name, 1
    while target.exists() or target.is_symlink():
        number += 1
        target = runs_folder() / f"{place.name}-{number}"
    with write_errors_as_problems(target):
        place.rename(target)
        place.parent.rmdir()
    return RunFolder.open(target)


def binned_runs() -> list[RunFolder]:
    """The runs in the bin, the one deleted last first; those that do not open are left out."""
    runs = []
    for place in _places():
        try:
            runs.append(RunFolder.open(place))
        except LabError:
            continue
    return runs


def empty_bin() -> int:
    """Removes the runs in the bin for ever. Returns how many they were.

    Raises:
        LabError: One could not be removed; those after it are still there.
    """
    places = _places()
    for place in places:
        with write_errors_as_problems(place):
            shutil.rmtree(place.parent)
    return len(places)


def _bin() -> Path:
    return runs_folder() / ".bin"


def _places() -> list[Path]:
    """What lies in the bin, the last first."""
    return sorted(_bin().glob("*/*"), key=lambda place: place.parent.name, reverse=True)


def _check_deletable(run: RunFolder, here: Path) -> None:
    if here.parent != runs_folder().resolve():
        what = "lies outside the lab's folder of runs, and the lab deletes nothing there"
        raise BadInput(what, field="run", value=str(run.path), remedy="Delete its folder yourself")
    run.write_alone().release()  # refused where somebody holds it
    try:
        running, told = run.status().state == "running", read_record(run.path / "status.json").get("writer")
    except LabError:  # a damaged status is nobody's
        return
    if running:
        raise BadInput(written_by(f"process {told.get('pid') if isinstance(told, dict) else 'unknown'}", run.name))
