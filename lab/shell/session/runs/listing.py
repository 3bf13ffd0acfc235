"""The list of the runs on disk, as the window shows it."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lab.base.folders import runs_folder
from lab.base.problems import LabError, Problem, problem_of
from lab.base.run_state import RunState
from lab.base.settings import change_section, read_section
from lab.runs import Status
from lab.runs.library.labels import Label, coloured_labels
from lab.runs.library.recipe_fields import Value
from lab.runs.library.titles import distinct_names, recipe_title
from lab.shell.session.setting_labels import setting_label
from lab.workbench import SavedRun, Workbench
from lab.workbench.analysis.verify import stored_verification
from lab.workbench.launch.known_corpora import stored_settings

REPORTED, LIMIT = "interrupted", 500
"""The section of the settings with the interrupted runs that were reported, and the most that it stores."""


@dataclass(frozen=True)
class ListedRun:
    """A run on disk with the data that the list shows.

    Args:
        run: The run.
        label: Its name, colour, star, tags and note.
        status: Its status.
        verification: The result of its verification; None if it was not verified.
        settings: The settings of its recipe by path.
        distinct_name: If it got no name when it was made, one that distinguishes it from such runs with the same title;
            "" if there are none.
    """

    run: SavedRun
    label: Label
    status: Status
    verification: Any
    settings: dict[str, Value]
    distinct_name: str = ""


@dataclass
class RunListing:
    """The content of the lab's folder of runs.

    Args:
        runs: The runs that can be opened, the oldest first.
        problems: The problems of the others.
        interrupted: The folders of interrupted runs that were not reported yet.
        seen: The folders of all runs, including those that cannot be opened.
    """

    runs: list[ListedRun] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    interrupted: list[Path] = field(default_factory=list)
    seen: set[Path] = field(default_factory=set)


def list_runs(workbench: Workbench, seen: set[Path] | None = None) -> RunListing:
    """Read the list of runs; in a thread.

    Args:
        workbench: The workbench, which opens runs.
        seen: Folders that are listed already and are not read again; None reads all.
    """
    found = RunListing(seen={path.parent for path in runs_folder().glob("*/run.json")})
    if seen is None:
        runs, found.problems = workbench.saved()
        runs.reverse()
    else:
        runs = []
        for path in sorted(found.seen - seen):
            try:
                runs.append(workbench.open(path))
            except LabError as error:
                found.problems.append(error.problem)
    for run, label in zip(runs, coloured_labels([run.path for run in runs]), strict=True):
        try:
            fields = stored_settings(run.recipe)
            found.runs.append(ListedRun(run, label, run.status, stored_verification(run.folder), fields))
        except Exception as error:  # noqa: BLE001 - whatever a file of one run holds, the others are listed
            found.problems.append(problem_of(error, doing=f"Listing the run {run.name}"))
    _distinguish(workbench, found)
    found.interrupted = newly_interrupted(found.runs)
    return found


def _distinguish(workbench: Workbench, found: RunListing) -> None:
    """Give the runs without a name that share a title one that distinguishes them."""
    unnamed = [index for index, one in enumerate(found.runs) if not one.run.folder.assigned_name]
    if not unnamed:
        return
    titles = [recipe_title(found.runs[index].run.recipe) for index in unnamed]
    settings = [found.runs[index].settings for index in unnamed]
    names = distinct_names(titles, settings, setting_label(workbench.plugins))
    for index, title, name in zip(unnamed, titles, names, strict=True):
        if titles.count(title) > 1:
            found.runs[index] = replace(found.runs[index], distinct_name=name)


def newly_interrupted(runs: Sequence[ListedRun]) -> list[Path]:
    """Return the folders of interrupted runs that were not reported yet, and store that they are reported now."""
    interrupted = {one.run.folder.id: one.run.path for one in runs if one.status.state == RunState.INTERRUPTED}
    stored = read_section(REPORTED).get("runs")
    known = [one for one in stored if isinstance(one, str)] if isinstance(stored, list) else []
    new = [one for one in interrupted if one not in known]
    if new:
        with contextlib.suppress(LabError):  # if it fails, they are reported again
            change_section(REPORTED, lambda _: {"runs": [*known, *new][-LIMIT:]})
    return [interrupted[one] for one in new]
