"""Writes labels of runs to disk, one change after the other, in the order in which they were made."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from lab.base.jobs import Job
from lab.base.notices import notify
from lab.base.problems import LabError
from lab.runs.library.labels import Label, change_label, read_label
from lab.shell.runtime.background import Background
from lab.shell.session.runs.model import RunModel
from lab.widgets.core.i18n import tr


class RunLabels:
    """Changes labels at once in the window, and then on disk.

    Args:
        background: Writes off the main thread.
        changed: Called in the main thread when a label could not be written, so that the window shows the old one.
    """

    def __init__(self, background: Background, changed: Callable[[], object]) -> None:
        self._background, self._changed = background, changed
        self._changes: deque[tuple[RunModel, Path, dict[str, Any]]] = deque()
        self._lock = threading.Lock()
        self._writing = False

    def change(self, view: RunModel, **changes: Any) -> None:
        """Change fields of a run's label; where they cannot be written, a notice says so and the label is as before.

        Args:
            view: The run.
            changes: Fields of lab.runs.library.labels.Label by name.
        """
        view.label = replace(view.label, **changes)
        if view.is_labelled and view.path is not None:
            self._write(view, view.path, changes)

    def write_all(self, view: RunModel) -> None:
        """Write the label of a run that has its folder only now."""
        assert view.path is not None
        view.is_labelled = True
        label = view.label
        changes = {"colour": label.colour, "shown": label.shown, "star": label.star}
        texts = {name: value for name in ("name", "note", "tags") if (value := getattr(label, name))}
        self._write(view, view.path, {**changes, **texts})

    def _write(self, view: RunModel, path: Path, changes: dict[str, Any]) -> None:
        with self._lock:
            self._changes.append((view, path, changes))
            is_writing, self._writing = self._writing, True
        if not is_writing:
            self._background.run(tr("Writing labels"), self._work, self._take)

    def _work(self, job: Job) -> list[tuple[RunModel, Label]]:
        """Write all changes, also those made meanwhile, even when the window closes; in a thread."""
        del job
        refused: list[tuple[RunModel, Label]] = []
        while True:
            with self._lock:
                if not self._changes:
                    self._writing = False
                    return refused
                view, path, changes = self._changes.popleft()
            try:
                change_label(path, **changes)
            except LabError as error:
                notify("error", error.problem)
                refused.append((view, read_label(path)))

    def _take(self, refused: list[tuple[RunModel, Label]]) -> None:
        for view, label in refused:
            view.label = replace(label, colour=label.colour if label.colour is not None else view.label.colour)
        if refused:
            self._changed()
