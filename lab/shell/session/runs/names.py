"""Names for runs without a given name: the title, with the differences if several runs have the same title."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Mapping, Sequence

from lab.runs.library.differences import names_by_difference
from lab.runs.library.recipe_fields import Value

_NUMBER = re.compile(r"(.*?)(?: \((\d+)\))?")


def distinct_names(titles: Sequence[str], settings: Sequence[Mapping[str, Value]]) -> list[str]:
    """Return a name for each run: its title, with the differences if several runs have the same title.

    The corpus comes first, then the title, then the other differences: "story.txt · Transformer · 120 steps". If all
    runs share a title that is only the name of their architecture, used for a missing title, it is left out.

    Args:
        titles: Their titles, the oldest run first.
        settings: The settings of their recipes by path.
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
        labels = names_by_difference([settings[number] for number in numbers], "" if is_alone else title)
        are_equal = len({_without_number(one) for one in labels}) == 1
        for count, (number, text) in enumerate(zip(numbers, labels, strict=True), start=1):
            named[number] = text if not are_equal else title if count == 1 else f"{title} {count}"
    return named


def numbered_name(title: str, taken: Collection[str]) -> str:
    """Return a title, followed by the first free number if the title is taken."""
    numbered = itertools.chain([title], (f"{title} {number}" for number in itertools.count(2)))
    return next(name for name in numbered if name not in taken)


def _without_number(name: str) -> str:
    """Return a name without the number that distinguishes it from equal ones."""
    found = _NUMBER.fullmatch(name)
    return found[1] if found else name
