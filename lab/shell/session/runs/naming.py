"""Has runs of one title told apart: at once by number, and soon by what differs between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from lab.shell.runtime.background import Background
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.names import distinct_names, numbered_name
from lab.widgets.core.i18n import tr

if TYPE_CHECKING:
    from lab.base.jobs import Job


class RunNaming:
    """Names the runs that nobody named.

    Args:
        background: Brings the comparing off the main thread.
        changed: Called in the main thread with the runs that got another name.
    """

    def __init__(self, background: Background, changed: Callable[[list[RunModel]], object]) -> None:
        self._background, self._changed = background, changed

    def assign_names(self, views: Collection[RunModel]) -> None:
        """Names those of all runs, given the oldest first, that have a title in common."""
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
        naming = _Naming(namesakes)
        self._background.run(tr("Naming runs"), naming.work, self._take, replaces="names")

    def _take(self, named: list[tuple[RunModel, str]]) -> None:
        changed = [view for view, name in named if view.distinct_name != name]
        for view, name in named:
            view.distinct_name = name
        if changed:
            self._changed(changed)


class _Naming:
    """One naming."""

    def __init__(self, views: list[RunModel]) -> None:
        self._views = views

    def work(self, job: Job) -> list[tuple[RunModel, str]]:
        """Names; in a thread of its own."""
        del job
        names = distinct_names([view.base_name for view in self._views], [view.settings for view in self._views])
        return list(zip(self._views, names, strict=True))
