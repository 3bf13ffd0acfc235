"""Parameters by patterns of their names."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping
from typing import TypeVar

from lab.base import BadInput

LISTED = 12
"""Most names that a problem lists."""
_T = TypeVar("_T")


def named_by(patterns: str, named: Mapping[str, _T], field: str) -> dict[str, _T]:
    """Return what patterns select, in the order of the names.

    Args:
        patterns: Names separated by commas, in which * stands for any characters; "" for none.
        named: What can be selected, by name.
        field: The path of the setting that holds the patterns.

    Raises:
        BadInput: A pattern fits no name.
    """
    found: set[str] = set()
    for pattern in filter(None, (one.strip() for one in patterns.split(","))):
        fitting = fnmatch.filter(named, pattern)
        if not fitting:
            allowed = ", ".join([*named][:LISTED]) + (", …" if len(named) > LISTED else "")
            remedy = "Use * for any characters, as in blocks.0.*"
            raise BadInput("fits no parameter", field=field, value=pattern, allowed=allowed, remedy=remedy)
        found.update(fitting)
    return {name: one for name, one in named.items() if name in found}
