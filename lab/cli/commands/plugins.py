"""`lm-lab plugins`: list plugins with their state, enable and disable them."""

from __future__ import annotations

import argparse

from lab.base import BadInput
from lab.cli.output import print_json, print_text
from lab.host import Plugins, PluginState


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab plugins`."""
    parser.add_argument(
        "action", nargs="?", choices=("list", "enable", "disable"), default="list", help="without one, list"
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="name of the plugin")


def run(arguments: argparse.Namespace, plugins: Plugins) -> int:
    """List plugins, or enable or disable one.

    Raises:
        BadInput: There is no such plugin, or a name is missing or unexpected.
    """
    if (arguments.name is None) != (arguments.action == "list"):
        known = ", ".join(info.name for info in plugins.listed())
        what = "names no plugin" if arguments.name is None else "takes no name"
        remedy = f"Write lm-lab plugins {'enable' if arguments.action == 'list' else arguments.action} NAME"
        raise BadInput(what, field=f"plugins {arguments.action}", value=arguments.name, allowed=known, remedy=remedy)
    if arguments.action == "enable":
        plugins.enable(arguments.name)
    elif arguments.action == "disable":
        plugins.disable(arguments.name)
    listed = plugins.load().listed()
    if arguments.action != "list":
        listed = [info for info in listed if info.name == arguments.name]
    failed = arguments.action == "enable" and any(info.state == PluginState.FAILED for info in listed)
    if arguments.json:
        print_json({"plugins": [info.as_dict() for info in listed]})
        return int(failed)
    for info in listed:
        print_text(f"{info.name:<24} {info.state:<10} {info.origin}, {info.location}".rstrip(", "))
        for kind, names in info.cards.items():
            print_text(f"    {kind}: {', '.join(names)}")
        for problem in info.problems:
            print_text(f"    {problem.line()}")
    return int(failed)
