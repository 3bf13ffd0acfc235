"""The search for missing floors of the selected run, such as an imported run or one of another process."""

from __future__ import annotations

from PySide6.QtCore import QObject

from lab.shell.runtime.warm_up import WarmUp
from lab.shell.session.runs.registry import RunRegistry
from lab.workbench.analysis.floors import FloorFinder


class MissingFloors(QObject):
    """Searches for the floors of a run when it is selected, when it ends, and when the lab becomes ready.

    Args:
        finder: Finds the floors; None to search for none.
        registry: The runs.
        warm_up: The warm-up, which must be done before the search.
        parent: Its parent.
    """

    def __init__(self, finder: FloorFinder | None, registry: RunRegistry, warm_up: WarmUp, parent: QObject) -> None:
        super().__init__(parent)
        self._finder, self._registry, self._warm_up = finder, registry, warm_up
        registry.selection_changed.connect(self._find)
        registry.ended.connect(self._find)
        warm_up.done.connect(self._find)

    def _find(self, *_: object) -> None:
        run = self._registry.selected
        if self._finder is not None and self._warm_up.ready and run is not None and run.source.folder is not None:
            self._finder.find_missing(run.source.folder)
