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

    def change(self, run: RunModel, **changes: Any) -> None:
        """Change fields of a run's label; if they cannot be written, report that and restore the old label.

        Args:
            run: The run.
            changes: The new values of fields of lab.runs.library.labels.Label, by name.
        """
        run.label = replace(run.label, **changes)
        if run.is_labelled and run.path is not None:
            self._write(run, run.path, changes)

    def write_all(self, run: RunModel) -> None:
        """Write the label of a run whose folder has just been made."""
        assert run.path is not None
        run.is_labelled = True
        label = run.label
        changes = {"colour": label.colour, "shown": label.shown, "star": label.star}
        texts = {name: value for name in ("name", "note", "tags") if (value := getattr(label, name))}
        self._write(run, run.path, {**changes, **texts})

    def _write(self, run: RunModel, path: Path, changes: dict[str, Any]) -> None:
        with self._lock:
            self._changes.append((run, path, changes))
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
                run, path, changes = self._changes.popleft()
            try:
                change_label(path, **changes)
            except LabError as error:
                notify("error", error.problem)
                refused.append((run, read_label(path)))

    def _take(self, refused: list[tuple[RunModel, Label]]) -> None:
        for run, label in refused:
            run.label = replace(label, colour=label.colour if label.colour is not None else run.label.colour)
        if refused:
            self._changed()
