"""Names of runs that the user has not named: the title of the recipe, with the differences from runs of the same title.

A run gets such a name when it is made; it is stored in its run.json and never changes. Runs of earlier versions of the
lab have none; they are named by their differences from one another whenever they are listed.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from lab.base.problems import LabError
from lab.recipes import Recipe
from lab.runs.folder import LONGEST_NAME
from lab.runs.library.differences import SettingLabel, names_by_difference
from lab.runs.library.labels import read_label
from lab.runs.library.names import list_runs
from lab.runs.library.recipe_fields import Value, read_fields

NAMESAKES = 20
"""Most runs of the same title with which a new run is compared: the newest ones."""
_NUMBER = re.compile(r"(.*?)(?: \((\d+)\))?")


@dataclass(frozen=True)
class NamedRun:
    """A run with its name.

    Args:
        name: Its name.
        title: Its title; see `title_of`.
        settings: The settings of its recipe by path.
    """

    name: str
    title: str
    settings: Mapping[str, Value]


def title_of(title: object, architecture: object) -> str:
    """Return the title of a run: that of its recipe up to the first colon, or else the name of its architecture."""
    return str(title or "").partition(":")[0].strip() or str(architecture)


def recipe_title(recipe: Recipe) -> str:
    """Return the title of the runs of a recipe; see `title_of`."""
    return title_of(recipe.title, recipe.architecture.name)


def name_of_new_run(
    title: str, settings: Mapping[str, Value], others: Sequence[NamedRun], label: SettingLabel | None = None
) -> str:
    """Return the name of a new run: its title, with its differences from runs of the same title, if there are any.

    Args:
        title: Its title.
        settings: The settings of its recipe by path.
        others: All other runs, the oldest first.
        label: Returns the settings in the name; None for English.
    """
    namesakes = [other.settings for other in others if other.title == title][-NAMESAKES:]
    name = _without_number(names_by_difference([*namesakes, settings], title, label)[-1])
    return numbered_name(name[: LONGEST_NAME - 10], {other.name for other in others})


def name_in_the_lab(recipe: str, label: SettingLabel | None = None) -> str:
    """Return the name of a new run among those in the lab's folder.

    Args:
        recipe: The recipe as TOML.
        label: Returns the settings in the name; None for English.

    Raises:
        LabError: The recipe is not TOML.
    """
    settings = read_fields(recipe, "")
    title = _title_in(settings)
    others, unnamed, namesakes = [], [], 0
    for run in list_runs()[0]:
        named = read_label(run.path).name or run.assigned_name
        is_compared = not named or namesakes < NAMESAKES  # of a thousand runs most recipes need not be read
        try:
            own = read_fields(run.recipe, run.name) if is_compared and title in run.recipe else {}
        except LabError:  # it is reported when the runs are listed
            own = {}
        one = NamedRun(named, _title_in(own) if own else "", own)
        namesakes += one.title == title
        others.append(one)
        if own and not named:
            unnamed.append(one)
    others.reverse()
    unnamed.reverse()
    names = distinct_names([one.title for one in unnamed], [one.settings for one in unnamed], label)
    others += [NamedRun(name, "", {}) for name in names]
    return name_of_new_run(title, settings, others, label)


def distinct_names(
    titles: Sequence[str], settings: Sequence[Mapping[str, Value]], label: SettingLabel | None = None
) -> list[str]:
    """Return a name for each run: its title, with the differences if several runs have the same title.

    The corpus comes first, then the title, then the other differences: "story.txt · Transformer · 120 steps". If all
    runs share a title that is only the name of their architecture, used for a missing title, it is left out.

    Args:
        titles: Their titles, the oldest run first.
        settings: The settings of their recipes by path.
        label: Returns the settings in the names; None for English.
    """
    named = list(titles)
    groups: dict[str, list[int]] = {}
    for number, title in enumerate(titles):
        groups.setdefault(title, []).append(number)
    shared = {title: numbers for title, numbers in groups.items() if len(numbers) > 1}
    architectures = [
        title
        for title, numbers in shared.items()
        if all(settings[number].get("architecture.name") == title for number in numbers)
    ]
    for title, numbers in shared.items():
        is_alone = architectures == [title] and len(groups) == 1
        labels = names_by_difference([settings[number] for number in numbers], "" if is_alone else title, label)
        are_equal = len({_without_number(one) for one in labels}) == 1
        for count, (number, text) in enumerate(zip(numbers, labels, strict=True), start=1):
            named[number] = text if not are_equal else title if count == 1 else f"{title} {count}"
    return named


def numbered_name(title: str, taken: Collection[str]) -> str:
    """Return a title, followed by the first free number if the title is taken."""
    numbered = itertools.chain([title], (f"{title} {number}" for number in itertools.count(2)))
    return next(name for name in numbered if name not in taken)


def _title_in(settings: Mapping[str, Value]) -> str:
    return title_of(settings.get("title"), settings.get("architecture.name"))


def _without_number(name: str) -> str:
    """Return a name without the number that distinguishes it from equal ones."""
    found = _NUMBER.fullmatch(name)
    return found[1] if found else name
