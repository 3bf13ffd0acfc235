"""Naming of runs with the same title: at once by numbers, and soon by their differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

from lab.shell.runtime.background import Background
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.names import distinct_names, numbered_name
from lab.widgets.core.i18n import tr

if TYPE_CHECKING:
    from lab.base.jobs import Job


class RunNaming:
    """Names runs without a given name.

    Args:
        background: Runs the comparison of recipes in a thread.
        changed: Called in the main thread with the runs whose name changed.
    """

    def __init__(self, background: Background, changed: Callable[[list[RunModel]], object]) -> None:
        self._background, self._changed = background, changed

    def assign_names(self, views: Collection[RunModel]) -> None:
        """Name the runs that share a title; the oldest run comes first."""
        titles = Counter(view.base_name for view in views)
        namesakes = [view for view in views if titles[view.base_name] > 1]
        for view in [view for view in views if titles[view.base_name] < 2]:
            view.distinct_name = ""
        if not namesakes:
            return
        taken = {view.distinct_name for view in namesakes}
        for view in [view for view in namesakes if not view.distinct_name]:
            view.distinct_name = numbered_name(view.base_name, taken)
            taken.add(view.distinct_name)
        self._background.run(tr("Naming runs"), partial(_name, namesakes), self._take, replaces="names")

    def _take(self, named: list[tuple[RunModel, str]]) -> None:
        changed = [view for view, name in named if view.distinct_name != name]
        for view, name in named:
            view.distinct_name = name
        if changed:
            self._changed(changed)


def _name(views: Sequence[RunModel], job: Job) -> list[tuple[RunModel, str]]:
    """Name runs by their differences; in a thread."""
    del job
    names = distinct_names([view.base_name for view in views], [view.settings for view in views])
    return list(zip(views, names, strict=True))
