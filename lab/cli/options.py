"""What several commands share in their options: names of runs, plugins, JSON, and refusals that name the option."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from lab.api.commands import RUN_HELP
from lab.base import BadInput

__all__ = ["RUN_HELP", "add_common", "told_by_option"]


def add_common(parser: argparse.ArgumentParser, prefix: str = "", *, again: bool = False) -> None:
    """Adds the options that every command takes, under names of their own for each place where they may stand.

    Args:
        parser: Of a command, or of all.
        prefix: Stands before the names.
        again: Whether the parser stands behind one that has them under these names: what is not given is left alone.
    """

    def add(option: str, action: str, default: Any, help: str, **more: Any) -> None:  # noqa: A002 - argparse's word
        name = prefix + option.removeprefix("--").replace("-", "_")
        default = argparse.SUPPRESS if again else default
        parser.add_argument(option, dest=name, action=action, default=default, help=help, **more)

    add("--enable", "append", [], "run this third-party plugin, this time alone", metavar="NAME")
    add("--safe-mode", "store_true", False, "run built-in plugins only")
    add("--json", "store_true", False, "print one JSON object as the last line")


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
