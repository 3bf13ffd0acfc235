"""Labels of runs: changes are written to disk one after the other, in the order in which they were made."""

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
    """Changes labels in the window at once, and then on disk.

    Args:
        background: Runs the writing in a thread.
        changed: Called in the main thread if a label could not be written, so that the window shows the old one again.
    """

    def __init__(self, background: Background, changed: Callable[[], object]) -> None:
        self._background, self._changed = background, changed
        self._changes: deque[tuple[RunModel, Path, dict[str, Any]]] = deque()
        self._lock = threading.Lock()
        self._writing = False

    def change(self, view: RunModel, **changes: Any) -> None:
        """Change fields of a run's label; if they cannot be written, report that and restore the old label.

        Args:
            view: The run.
            changes: The new values of fields of lab.runs.library.labels.Label, by name.
        """
        view.label = replace(view.label, **changes)
        if view.is_labelled and view.path is not None:
            self._write(view, view.path, changes)

    def write_all(self, view: RunModel) -> None:
        """Write the label of a run whose folder has just been made."""
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
        """Write all changes, including those made in the meantime, even if the window closes; in a thread."""
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
