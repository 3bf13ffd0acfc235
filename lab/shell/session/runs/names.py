"""What runs are called that nobody named: their title, and where several have it, first what differs between them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Mapping, Sequence

from lab.runs.library.differences import names_by_difference
from lab.runs.library.recipe_fields import Value

_NUMBER = re.compile(r"(.*?)(?: \((\d+)\))?")


def distinct_names(titles: Sequence[str], settings: Sequence[Mapping[str, Value]]) -> list[str]:
    """A name for each of several runs: a title that is one run's alone, others behind what tells them apart.

    The name of an architecture, which stands for a title where there is none, is left out where no other one's runs
    must be told apart.

    Args:
        titles: Their titles; the oldest run first.
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
        behind = "" if plain == [title] else f" · {title}"  # an architecture is said where several need it
        words = names_by_difference([settings[number] for number in numbers])
        alike = len({_bare(word) for word in words}) == 1
        for place, (number, word) in enumerate(zip(numbers, words, strict=True), start=1):
            named[number] = f"{word}{behind}" if not alike else title if place == 1 else f"{title} {place}"
    return named


def numbered_name(title: str, taken: Collection[str]) -> str:
    """A title, or with the first number with which it is not taken."""
    numbered = itertools.chain([title], (f"{title} {number}" for number in itertools.count(2)))
    return next(name for name in numbered if name not in taken)


def _bare(word: str) -> str:
    """A name without the number that tells it from an equal one."""
    found = _NUMBER.fullmatch(word)
    return found[1] if found else word
