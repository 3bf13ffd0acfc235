"""Runs on disk on their way into the window: the list of them, their series, and what is new of those elsewhere."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from lab.base.folders import runs_folder
from lab.base.problems import LabError, Problem
from lab.base.settings import change_section, read_section
from lab.runs import Status
from lab.runs.library.labels import Label, coloured_labels
from lab.runs.library.recipe_fields import Value
from lab.runs.metrics.clocks import flops_per_token
from lab.shell.session.runs.formatting import name_of, settings_of
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.names import distinct_names
from lab.shell.session.runs.texts import Texts, texts_since
from lab.shell.session.scales import precompute
from lab.workbench import SavedRun, Workbench
from lab.workbench.analysis.curves import Curves

TOLD, KEPT = "interrupted", 500
"""The section of the settings that has the runs of which it was told that they were interrupted, and how many."""


@dataclass(frozen=True)
class Found:
    """A run on disk with what the list shows of it.

    Args:
        run: The run.
        label: What a person says of it.
        status: How far it is.
        verification: What training its last steps anew gave; None where that was not tried.
        settings: The settings of its recipe by path.
        distinct_name: Its name among those of its title; "" where no other has it.
    """

    run: SavedRun
    label: Label
    status: Status
    verification: Any
    settings: dict[str, Value]
    distinct_name: str


@dataclass
class Listing:
    """What lies in the lab's folder of runs.

    Args:
        runs: Those that open, the oldest first.
        problems: What is wrong with the others.
        interrupted: Of the runs those of which it was not told yet that they were interrupted.
        seen: All folders of runs there, those that do not open too.
    """

    runs: list[Found] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    interrupted: list[Path] = field(default_factory=list)
    seen: set[Path] = field(default_factory=set)


def listing(workbench: Workbench, seen: set[Path] | None = None) -> Listing:
    """Reads the list of runs; in a thread of its own.

    Args:
        workbench: Whose.
        seen: Folders that were read before, or are listed for other reasons; None reads all.
    """
    found = Listing(seen={path.parent for path in runs_folder().glob("*/run.json")})
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
    labels = coloured_labels([run.path for run in runs])
    settings = [settings_of(run.recipe) for run in runs]
    titles = [name_of(run.recipe) for run in runs]
    names = distinct_names(titles, settings)
    for run, label, fields, title, name in zip(runs, labels, settings, titles, names, strict=True):
        try:
            apart = name if name != title or titles.count(title) > 1 else ""
            found.runs.append(Found(run, label, run.status, run.verification, fields, apart))
        except LabError as error:
            found.problems.append(error.problem)
    found.interrupted = newly_interrupted(found.runs)
    return found


def newly_interrupted(runs: Sequence[Found]) -> list[Path]:
    """Those that were interrupted and of which that was not told yet; from now on it was."""
    broken = {one.run.folder.id: one.run.path for one in runs if one.status.state == "interrupted"}
    told = read_section(TOLD).get("runs")
    known = [one for one in told if isinstance(one, str)] if isinstance(told, list) else []
    new = [one for one in broken if one not in known]
    if new:
        with contextlib.suppress(LabError):  # it is told again then
            change_section(TOLD, lambda _: {"runs": [*known, *new][-KEPT:]})
    return [broken[one] for one in new]


@dataclass(frozen=True)
class Series:
    """The series of a run on disk, or what is new of them."""

    curves: Curves
    is_new: dict[str, Any] | None = None
    texts: Texts | None = None
    status: Status | None = None
    checkpoints: Sequence[int] = ()


def series_of(view: RunModel) -> Series:
    """Reads all series of a run, its texts and how far it is; in a thread of its own.

    Raises:
        LabError: They cannot be read.
    """
    folder = view.run.folder
    if folder is None:
        return Series(Curves())
    curves = Curves(flops_per_token(folder.facts))
    curves.fill(folder.metrics())
    precompute(curves)
    return Series(curves, None, texts_since(folder, view.texts_read), folder.status(), folder.checkpoint_steps())


def news_of(view: RunModel) -> Series:
    """Reads what is new of a run that another process trains; in a thread of its own.

    Raises:
        LabError: It cannot be read.
    """
    folder = view.run.folder
    assert folder is not None
    told, texts = None, None
    if view.loaded:
        told = folder.metrics().read_after(view.curves.ends())
        texts = texts_since(folder, view.texts_read)
    return Series(view.curves, told, texts, folder.status(), folder.checkpoint_steps())


def add_news(curves: Curves, told: dict[str, Any]) -> bool:
    """Adds what is new to curves; in the main thread. Whether there was any."""
    from lab.training.recording.telemetry import Rows

    names = [name for name, (_, steps, _) in told.items() if len(steps)]
    if not names:
        return False
    counts = [len(told[name][1]) for name in names]
    numbers = np.repeat(np.arange(len(names)), counts)
    steps, values = (np.concatenate([told[name][part] for name in names]) for part in (1, 2))
    curves.feed(Rows(steps, numbers, values, 0), names)
    return True
