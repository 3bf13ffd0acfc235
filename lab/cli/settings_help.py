"""Help derived from configs: every field with its bounds, unit, sentence and citation."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator

from pydantic import BaseModel

from lab.api import Setting, settings_of


def settings_help(title: str, path: str, config: type[BaseModel], width: int = 100) -> str:
    """The settings of a config as text for a terminal.

    Args:
        title: Put above them.
        path: Of the config in a recipe ("architecture"), put before each field for --set.
        config: The config.
        width: Columns.
    """
    return "\n".join([f"{title}:", *_lines(path, config, width)])


def _lines(path: str, config: type[BaseModel], width: int) -> Iterator[str]:
    for setting in settings_of(config):
        if setting.kind == "group":
            continue
        where = f"{path}.{setting.name}"
        if setting.kind == "union":
            where += ".kind"
        yield f"  {where} = {_written(setting)}   [{_facts(setting)}]"
        indent = " " * 6
        yield from textwrap.wrap(
            setting.help, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
        )
        for kind, variant in setting.variants.items():
            yield f"  with {where} = {kind}:"
            inside = _lines(f"{path}.{setting.name}", variant, width)
            yield from (f"  {line}" for line in inside)


def _facts(setting: Setting) -> str:
    facts = [setting.allowed()]
    facts += [setting.unit] if setting.unit else []
    facts += ["live"] if setting.live else []
    facts += [setting.cite] if setting.cite else []
    return "; ".join(facts)


def _written(setting: Setting) -> str:
    """The default as --set takes it."""
    value = setting.default.kind if setting.kind == "union" and setting.default else setting.default
    if value is None:
        return "(nothing)" if setting.optional else "(needed)"
    if isinstance(value, list | tuple):
        return json.dumps(value, default=lambda card: card.name)
    if value == "":
        return '""'
    return str(value).lower() if isinstance(value, bool) else str(value)
