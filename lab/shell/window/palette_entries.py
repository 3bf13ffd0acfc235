"""What the palette offers beside commands: runs to select, settings to jump to, files that were open lately."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from lab.widgets.core.i18n import tr

if TYPE_CHECKING:
    from lab.shell.window.main_window import Window


class PaletteEntries:
    """The entries of a window.

    Args:
        window: The window.
    """

    def __init__(self, window: Window) -> None:
        self._window = window

    def all(self) -> list[tuple[str, str, Callable[[], object]]]:
        """(title, detail, what it does) of each, as they are now."""
        window, found = self._window, list[tuple[str, str, Callable[[], object]]]()
        for view in window.session.registry.views:
            found.append((view.name, view.detail(), _Call(window.session.registry.select, view.key)))
        for path, words in window.draft_panel.settings():
            found.append((words.replace(".", " · "), path, _Call(window.reveal, path)))
        for file in window.recent:
            found.append((tr("Open {file}", file=Path(file).name), file, _Call(window.session.open_path, file)))
        return found


class _Call:
    """A call with its argument."""

    def __init__(self, do: Callable[[str], object], what: str) -> None:
        self._do, self._what = do, what

    def __call__(self) -> None:
        self._do(self._what)
