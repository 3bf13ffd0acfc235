"""The card of a reading in Inspect: its view by axes or a plugin's own, and what becomes of one that breaks."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QWidget

from lab.api import Reading
from lab.base.problems import Problem, problem_of
from lab.host import Plugins
from lab.widgets.card import Card
from lab.widgets.reading_views import ReadingView, view_for

Key = tuple[str, tuple[str, ...]]
"""What readings are grouped by: title and axes."""
FRAME = re.compile(r'File "(.+)", line (\d+), in ')
"""A frame of a trace."""


class ReadingCard(Card):
    """All readings of one name and axes, one per block, in the view that their axes ask for.

    Args:
        key: Their title and axes, which say what view it is.
        plugins: Where plugins' own views are found.
        own: The name of a plugin's own view; "" for that of the kit.
    """

    def __init__(self, key: Key, plugins: Plugins, own: str = "") -> None:
        card = plugins.cards("views")[own] if own else None
        super().__init__(card.title if card is not None else key[0])
        self._owner = plugins.owner("views", own) if own else None
        self._view: Any = None
        self._layer: int | None = None
        try:
            self._view = card.make() if card is not None else view_for(key[1])()
            for control in getattr(self._view, "options", ()):
                self.add_control(control)
            self.set_content(self._view)
        except Exception as error:  # noqa: BLE001 - a plugin's view
            self._break(problem_of(error, plugin=self._owner, doing=self.title))

    def show_readings(self, readings: list[Reading], labels: tuple[str, ...], layer: int | None, moment: str) -> None:
        """Shows newer readings of the same kind, unless it is broken.

        Args:
            readings: They, one per block.
            labels: Of the tokens that were read.
            layer: The block that is wanted.
            moment: Of which run and step they are, for its title.
        """
        if self.state == "broken":
            return
        try:
            if isinstance(self._view, ReadingView):
                if layer != self._layer:
                    self._view.set_layer(layer)
                self._view.show_readings(readings, labels)
                self._layer = layer
            else:
                self._view.show_readings([one for one in readings if one.layer == layer] or readings, labels)
        except Exception as error:  # noqa: BLE001 - a plugin's view or its readings
            self._break(problem_of(error, plugin=self._owner, doing=self.title))
        else:
            self.set_title(self.title, moment)
            self.show_content()

    def wait(self, words: str) -> None:
        """Shows no readings but what is waited for, unless it is broken."""
        if self.state != "broken":
            self.set_title(self.title)
            self.show_empty(words)

    def hear(self, problem: Problem) -> None:
        """Breaks where a trace that nobody caught leads through its plugin's view: Qt calls that without the lab."""
        if self._owner is not None and self._view is not None and problem.trace and self._leads_here(problem.trace):
            self._break(replace(problem, plugin=self._owner))

    def _leads_here(self, trace: str) -> bool:
        frames = [(found[1], int(found[2])) for found in FRAME.finditer(trace)]
        widgets = [self._view, *self._view.findChildren(QWidget)]
        kinds = {kind for widget in widgets for kind in type(widget).__mro__ if not kind.__module__.startswith("lab.")}
        return any(
            file == own and first <= line < first + count
            for own, first, count in map(_lines_of, kinds)
            for file, line in frames
        )

    def _break(self, problem: Problem) -> None:
        self.set_title(self.title)
        self.show_broken(problem)
        if isinstance(self._view, QWidget):  # with its timers and options
            for gone in (self._view, *getattr(self._view, "options", ())):
                gone.hide()
                gone.deleteLater()
        self._view = None


def _lines_of(kind: type) -> tuple[str, int, int]:
    """The file of a class in Python, its first line and how many it has; of any other ("", 0, 0)."""
    try:
        lines, first = inspect.getsourcelines(kind)
        return inspect.getsourcefile(kind) or "", first, len(lines)
    except (OSError, TypeError):
        return "", 0, 0
