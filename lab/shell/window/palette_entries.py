"""What the palette offers beside commands: runs to select, settings to show, files that were opened lately."""

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
) -> list[Entry]:
    """Return the entries as they are now.

    Args:
        session: Its runs can be selected, and it opens files.
        state: It knows which files were opened lately.
        settings: Returns (path, label) of each setting of the form.
        reveal: Shows the setting at a path.
    """
    runs = [
        Entry(f"run {run.key}", run.name, run.detail(), partial(session.registry.select, run.key))
        for run in session.registry.views
    ]
    fields = [
        Entry(f"setting {path}", label.replace(".", " · "), path, partial(reveal, path)) for path, label in settings()
    ]
    files = [Entry(f"file {file}", _title(file), file, partial(session.open_path, file)) for file in state.recent]
    return runs + fields + files


def _title(file: str) -> str:
    return tr("Open {file}", file=Path(file).name)
