"""Help derived from configs: every field with its bounds, unit, sentence and citation."""

from __future__ import annotations

import json
import textwrap

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
    lines = [f"{title}:"]
    for setting in settings_of(config):
        if setting.kind == "group":
            continue
        lines.append(f"  {path}.{setting.name} = {_written(setting)}   [{_facts(setting)}]")
        lines += textwrap.wrap(setting.help, width, initial_indent=" " * 6, subsequent_indent=" " * 6)
    return "\n".join(lines)


def _facts(setting: Setting) -> str:
    facts = [setting.allowed()]
    facts += [setting.unit] if setting.unit else []
    facts += ["live"] if setting.live else []
    facts += [setting.cite] if setting.cite else []
    return "; ".join(facts)


def _written(setting: Setting) -> str:
    """The default as --set takes it."""
    value = setting.default
    if value is None:
        return "(nothing)" if setting.optional else "(needed)"
    if isinstance(value, list | tuple):
        return json.dumps(value, default=lambda card: card.name)
    if value == "":
        return '""'
    return str(value).lower() if isinstance(value, bool) else str(value)
