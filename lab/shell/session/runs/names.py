"""Names for runs that nobody named: the title, and in front of it what differs where several have the same."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Mapping, Sequence

from lab.runs.library.differences import names_by_difference
from lab.runs.library.recipe_fields import Value

_NUMBER = re.compile(r"(.*?)(?: \((\d+)\))?")


def distinct_names(titles: Sequence[str], settings: Sequence[Mapping[str, Value]]) -> list[str]:
    """Return a name for each of several runs: its title, preceded by what differs where several runs have it.

    The name of an architecture, which stands for a missing title, is left out while only runs of that one share it.

    Args:
        titles: Their titles, the oldest run first.
        settings: The settings of their recipes by path.
    """
    named = list(titles)
    groups: dict[str, list[int]] = {}
    for number, title in enumerate(titles):
        groups.setdefault(title, []).append(number)
    several = {title: numbers for title, numbers in groups.items() if len(numbers) > 1}
    plain = [
        title
        for title, numbers in several.items()
        if all(settings[number].get("architecture.name") == title for number in numbers)
    ]
    for title, numbers in several.items():
        behind = "" if plain == [title] else f" · {title}"  # an architecture is named where several need it
        labels = names_by_difference([settings[number] for number in numbers])
        alike = len({_without_number(one) for one in labels}) == 1
        for count, (number, text) in enumerate(zip(numbers, labels, strict=True), start=1):
            named[number] = f"{text}{behind}" if not alike else title if count == 1 else f"{title} {count}"
    return named


def numbered_name(title: str, taken: Collection[str]) -> str:
    """Return a title, followed by the first number with which it is free if it is taken."""
    numbered = itertools.chain([title], (f"{title} {number}" for number in itertools.count(2)))
    return next(name for name in numbered if name not in taken)


def _without_number(name: str) -> str:
    """Return a name without the number that makes it differ from an equal one."""
    found = _NUMBER.fullmatch(name)
    return found[1] if found else name
