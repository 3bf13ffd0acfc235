"""`lm-lab settings`: list everything that has settings, and explain each setting."""

from __future__ import annotations

import argparse
import difflib
import shutil
from typing import Any

from lab.base import BadInput
from lab.cli.output import print_json, print_text
from lab.cli.settings_help import settings_lines
from lab.host import Plugins
from lab.workbench.settings_pages import KINDS, SettingsEntry, default_text, settings_entries

WIDEST = 110
"""Largest width of the text in columns."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab settings`."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="a card, or training, readings; without one, list all")


def run(arguments: argparse.Namespace, plugins: Plugins) -> int:
    """Print the settings of a card, or list everything that has settings.

    Raises:
        BadInput: Nothing with settings has this name.
    """
    entries = settings_entries(plugins)
    if arguments.name is not None:
        entries = _named(arguments.name, entries)
    if arguments.json:
        print_json({"settings": [_as_dict(entry) for entry in entries]})
    elif arguments.name is None:
        _print_list(entries)
    else:
        width = min(shutil.get_terminal_size().columns, WIDEST)
        print_text("\n\n".join(_help_of(entry, width) for entry in entries))
    return 0


def _named(name: str, entries: list[SettingsEntry]) -> list[SettingsEntry]:
    """Return the entries with this name, at most one for each kind of card."""
    found = [entry for entry in entries if _bare(entry.name) == _bare(name)]
    if not found:
        near = difflib.get_close_matches(name, [entry.name for entry in entries], n=1)
        remedy = f"Did you mean {near[0]}?" if near else "lm-lab settings lists all names"
        raise BadInput("nothing with settings has this name", field="NAME", value=name, remedy=remedy)
    return found


def _bare(name: str) -> str:
    """Return a name without hyphens and underscores, so that "n-gram" and "ngram" are equal."""
    return name.replace("-", "").replace("_", "")


def _print_list(entries: list[SettingsEntry]) -> None:
    kinds = {"recipe": "Every recipe"} | {kind: title for kind, (title, _) in KINDS.items()}
    for kind, title in kinds.items():
        names = [entry.name for entry in entries if entry.kind == kind]
        if names:
            print_text(f"{title + ':':<15} {', '.join(names)}")
    print_text("\nlm-lab settings NAME explains one of them.")


def _help_of(entry: SettingsEntry, width: int) -> str:
    title = f"{entry.path or entry.kind.removesuffix('s')} {entry.name}: {entry.summary.rstrip('.')}"
    lines = list(settings_lines(entry.path, entry.settings(), width))
    return "\n".join([f"{title}:", *(lines or ["  It has no settings."])])


def _as_dict(entry: SettingsEntry) -> dict[str, Any]:
    settings = [
        {
            "path": f"{entry.path}.{setting.name}" if entry.path else setting.name,
            "default": default_text(setting),
            "allowed": setting.allowed(),
            "unit": setting.unit,
            "live": setting.live,
            "help": setting.help,
            "cite": setting.cite,
        }
        for setting in entry.settings()
        if setting.kind != "group"
    ]
    return {"name": entry.name, "kind": entry.kind, "title": entry.title, "settings": settings}
