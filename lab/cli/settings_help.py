"""The settings of a config as text for a terminal: bounds, unit, help and citation of every field."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from pydantic import BaseModel

from lab.api import Setting, settings_of
from lab.workbench.settings_pages import default_text, facts_of


def settings_help(title: str, path: str, config: type[BaseModel], width: int = 100) -> str:
    """Return the settings of a config as text for a terminal.

    Args:
        title: The line above them.
        path: Path of the config in a recipe ("architecture"), put before each field for --set; "" for none.
        config: The config.
        width: Columns of the text.
    """
    return "\n".join([f"{title}:", *settings_lines(path, settings_of(config), width)])


def settings_lines(path: str, settings: Iterable[Setting], width: int) -> Iterator[str]:
    """Yield the lines that explain settings; see `settings_help`."""
    for setting in settings:
        if setting.kind == "group":
            continue
        where = f"{path}.{setting.name}" if path else setting.name
        if setting.kind == "union":
            where += ".kind"
        yield f"  {where} = {default_text(setting)}   [{'; '.join(facts_of(setting))}]"
        indent = " " * 6
        yield from textwrap.wrap(
            setting.help, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
        )
        for kind, variant in setting.variants.items():
            yield f"  with {where} = {kind}:"
            inside = settings_lines(where.removesuffix(".kind"), settings_of(variant), width)
            yield from (f"  {line}" for line in inside)
