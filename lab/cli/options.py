"""What several commands share in their options: how a run is named, and refusals that name the option."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import replace

from lab.base import BadInput

RUN_HELP = 'a run: its folder, its name, the beginning of it, or "last"'


@contextlib.contextmanager
def told_by_option(options: Mapping[str, str]) -> Iterator[None]:
    """Inside, a refusal names the option that was given, and not the setting of a recipe that it stands for.

    Args:
        options: By setting.
    """
    try:
        yield
    except BadInput as error:
        field = error.problem.field or ""
        raise BadInput(replace(error.problem, field=options.get(field, error.problem.field))) from None
