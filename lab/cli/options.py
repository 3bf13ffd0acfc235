"""Options that several commands share, and problems that name the option."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from lab.api.commands import RUN_HELP
from lab.base import BadInput

__all__ = ["RUN_HELP", "add_common", "named_by_option"]


def add_common(parser: argparse.ArgumentParser, prefix: str = "", *, again: bool = False) -> None:
    """Add the options that every command takes, under separate names before and after the command.

    Args:
        parser: The parser of a command, or of all commands.
        prefix: The prefix of the stored names.
        again: True if an outer parser has them under the same names: options that are not given are not reset.
    """

    def add(option: str, action: str, default: Any, help: str, **more: Any) -> None:  # noqa: A002 - argparse's name
        name = prefix + option.removeprefix("--").replace("-", "_")
        default = argparse.SUPPRESS if again else default
        parser.add_argument(option, dest=name, action=action, default=default, help=help, **more)

    add("--enable", "append", [], "enable this third-party plugin for this call only", metavar="NAME")
    add("--safe-mode", "store_true", False, "run built-in plugins only")
    add("--json", "store_true", False, "print one JSON object as the last line")


@contextlib.contextmanager
def named_by_option(options: Mapping[str, str]) -> Iterator[None]:
    """Let problems inside the context name the option instead of the setting that it sets.

    Args:
        options: The option by setting.
    """
    try:
        yield
    except BadInput as error:
        field = error.problem.field or ""
        raise BadInput(replace(error.problem, field=options.get(field, error.problem.field))) from None
