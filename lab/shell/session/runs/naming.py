"""Names of runs without one: a new run gets a permanent one, those of earlier versions get distinct ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs.library.titles import NAMESAKES, NamedRun, distinct_names, name_of_new_run, numbered_name, recipe_title
from lab.shell.runtime.background import Background
from lab.shell.session.runs.model import RunModel
from lab.shell.session.setting_labels import setting_label
from lab.widgets.core.i18n import tr
from lab.workbench.launch.known_corpora import stored_settings

if TYPE_CHECKING:
    from lab.base.jobs import Job


class RunNaming:
    """Names runs without a given name.

    Args:
        background: Runs the comparison of recipes in a thread.
        plugins: The plugins whose settings are in the names.
        changed: Called in the main thread with the runs whose name changed.
    """

    def __init__(self, background: Background, plugins: Plugins, changed: Callable[[list[RunModel]], object]) -> None:
        self._background, self._plugins, self._changed = background, plugins, changed

    def new_name(self, recipe: Recipe, runs: Collection[RunModel]) -> str:
        """Return the name of a new run, which it keeps.

        Args:
            recipe: Its recipe.
            runs: All other runs, the oldest first.
        """
        title = recipe_title(recipe)
        compared = [run for run in runs if run.base_name == title][-NAMESAKES:]
        others = [NamedRun(run.name, "", {}) for run in runs if run not in compared]
        others += [NamedRun(run.name, title, run.settings) for run in compared]
        return name_of_new_run(title, stored_settings(recipe), others, setting_label(self._plugins))

    def assign_names(self, runs: Collection[RunModel]) -> None:
        """Name the runs without an assigned name that share a title; the oldest run comes first."""
        unnamed = [run for run in runs if not run.assigned_name]
        titles = Counter(run.base_name for run in unnamed)
        namesakes = [run for run in unnamed if titles[run.base_name] > 1]
        for run in [run for run in unnamed if titles[run.base_name] < 2]:
            run.distinct_name = ""
        if not namesakes:
            return
        taken = {run.name for run in runs if run.assigned_name} | {run.distinct_name for run in namesakes}
        for run in [run for run in namesakes if not run.distinct_name]:
            run.distinct_name = numbered_name(run.base_name, taken)
            taken.add(run.distinct_name)
        work = partial(_name, namesakes, self._plugins)
        self._background.run(tr("Naming runs"), work, self._take, replaces="names")

    def _take(self, named: list[tuple[RunModel, str]]) -> None:
        changed = [run for run, name in named if run.distinct_name != name]
        for run, name in named:
            run.distinct_name = name
        if changed:
            self._changed(changed)


def _name(runs: Sequence[RunModel], plugins: Plugins, job: Job) -> list[tuple[RunModel, str]]:
    """Name runs by their differences; in a thread."""
    del job
    names = distinct_names([run.base_name for run in runs], [run.settings for run in runs], setting_label(plugins))
    return list(zip(runs, names, strict=True))
