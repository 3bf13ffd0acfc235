"""The runs in the lab's own folder: new names, the list, and the resolution of names."""

from __future__ import annotations

import contextlib
import difflib
import os
import re
from datetime import datetime
from pathlib import Path

from lab.base.files.writing import make_folder, write_errors_as_problems
from lab.base.folders import runs_folder
from lab.base.problems import BadInput, LabError, Problem
from lab.base.system.room import check_room
from lab.runs.folder import RunFolder, is_file
from lab.runs.library.labels import read_label


def new_run_name(architecture: str) -> str:
    """Return a name for the folder of a run that is made now: "<date>-<time>-<architecture>"."""
    what = re.sub(r"[^\w-]+", "-", architecture)
    return f"{datetime.now():%Y-%m-%d-%H%M%S}-{what}"


def new_run_folder(architecture: str) -> Path:
    """Create an empty folder for a run with a new name, "<date>-<time>-<architecture>".

    Raises:
        BadInput: The folder of runs cannot be created or written, or may take no more room on the disk.
    """
    folder = make_folder(runs_folder())
    check_room()
    name = new_run_name(architecture)
    path, number = folder / name, 1
    with write_errors_as_problems(path):
        while True:
            try:
                path.mkdir()
            except FileExistsError:  # another run was created in the same second
                number += 1
                path = folder / f"{name}-{number}"
            else:
                return path


def list_runs() -> tuple[list[RunFolder], list[Problem]]:
    """Return the runs in the lab's folder, newest first, and the problems of those that do not open."""
    runs, problems = [], []
    for path in _folders():
        try:
            runs.append(RunFolder.open(path))
        except LabError as error:
            problems.append(error.problem)
    return sorted(runs, key=lambda run: (run.created, run.name), reverse=True), problems


def resolve_checkpoint(text: str) -> tuple[RunFolder, int | None]:
    """Return the run that a text names, and the step of its checkpoint; None for the last one.

    Args:
        text: As of `resolve_run`, with "@STEP" behind it for one of its checkpoints.

    Raises:
        BadInput: It names no run or several.
        LabError: The run is damaged or newer than this lab.
    """
    name, sign, step = text.rpartition("@")
    if sign and step.isascii() and step.isdecimal() and len(step) < 19:
        with contextlib.suppress(BadInput):  # the name of a run may have this form
            return resolve_run(text), None
        return resolve_run(name), int(step)
    return resolve_run(text), None


def resolve_run(text: str) -> RunFolder:
    """Return the run that a text names.

    Args:
        text: The path of a run's folder; or the name or label of a run in the lab's folder, or a unique start of one;
            or "last", the newest run there.

    Raises:
        BadInput: It names no run or several; the problem lists similar names.
        LabError: The run is damaged or newer than this lab.
    """
    folders = {path.name: path for path in _folders()}
    if text == "last":
        runs, _ = list_runs()
        if runs:
            return runs[0]
    elif text in folders:
        return RunFolder.open(folders[text])
    elif is_file(_path(text) / "run.json"):
        return RunFolder.open(_path(text))
    labels = {name: read_label(path).name or _assigned_name(path) for name, path in folders.items()}
    exact = [name for name in folders if text and labels[name] == text]
    starting = [name for name in folders if text and (name.startswith(text) or labels[name].startswith(text))]
    matches = exact or starting
    if len(matches) == 1:
        return RunFolder.open(folders[matches[0]])
    if {os.sep, os.altsep} & set(text):
        return RunFolder.open(_path(text))  # reports missing files
    names = list(folders)
    if matches:
        what = f"several runs {'have this name' if exact else 'have names that start with this'}"
    else:
        what = "there is no such run" if names else "there are no runs"
    near = matches or difflib.get_close_matches(text, names, n=5, cutoff=0.3) or names
    raise BadInput(what, field="run", value=text, allowed=", ".join(near[-8:]) or "the folder of a run")


def _assigned_name(path: Path) -> str:
    """Return the name that a run got when it was made; "" if it has none or is damaged."""
    try:
        return RunFolder.open(path).assigned_name
    except LabError:
        return ""


def _path(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError:  # "~nobody"
        return Path(text)


def _folders() -> list[Path]:
    """Return the folders in the lab's folder that look like runs, by name; without runs that are being created."""
    try:
        folders = sorted(runs_folder().iterdir())
    except OSError:  # there are no runs yet
        return []
    shown = [path for path in folders if not path.name.startswith(".")]  # not the bin or unfinished imports
    return [path for path in shown if is_file(path / "run.json") or is_file(path / "metrics.sqlite")]
