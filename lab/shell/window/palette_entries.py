"""The entries of the palette that are not commands: runs to select, settings to show, recent files to open."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from lab.shell.actions.palette import Entry
from lab.shell.runtime.window_state import WindowState
from lab.shell.session.session import Session
from lab.widgets.core.i18n import tr


def palette_entries(
    session: Session,
    state: WindowState,
    settings: Callable[[], Iterable[tuple[str, str]]],
    reveal: Callable[[str], object],
    show_run: Callable[[str], object],
) -> list[Entry]:
    """Return the current entries.

    Args:
        session: The session, which has the runs and opens files.
        state: The stored state of the window, which lists the recent files.
        settings: Returns (path, label) of each setting of the form.
        reveal: Shows the setting at a path.
        show_run: Shows the run with a key.
    """
    runs = [
        Entry(f"run {run.key}", run.name, run.detail(), partial(show_run, run.key)) for run in session.registry.views
    ]
    fields = [
        Entry(f"setting {path}", label.replace(".", " · "), path, partial(reveal, path)) for path, label in settings()
    ]
    files = [Entry(f"file {file}", _title(file), file, partial(session.open_path, file)) for file in state.recent]
    return runs + fields + files


def _title(file: str) -> str:
    return tr("Open {file}", file=Path(file).name)
