"""`lm-lab branch`: start a new run from a checkpoint of another, with changed settings."""

from __future__ import annotations

import argparse
from pathlib import Path

from lab.cli.commands.train import follow
from lab.cli.options import RUN_HELP, named_by_option
from lab.cli.output import Progress
from lab.host import Plugins
from lab.runs import resolve_run
from lab.workbench import Workbench


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab branch`."""
    parser.add_argument("run", metavar="RUN", help=RUN_HELP)
    parser.add_argument(
        "--from",
        dest="step",
        metavar="STEP",
        type=int,
        required=True,
        help="the step of one of its checkpoints; `lm-lab runs show RUN` lists them",
    )
    parser.add_argument(
        "--set", metavar="PATH=VALUE", action="append", default=[], help="a setting of the recipe; may be repeated"
    )
    parser.add_argument("--out", metavar="FOLDER", help="a new or empty folder for the new run")


@named_by_option({"step": "--from"})
def run(arguments: argparse.Namespace, plugins: Plugins, command: list[str], progress: Progress) -> int:
    """Train a branch, and print the figures.

    Raises:
        BadInput: There is no such checkpoint, or a setting cannot be changed there.
        LabError: The run is damaged.
    """
    folder = resolve_run(arguments.run)
    out = None if arguments.out is None else Path(arguments.out).expanduser()
    bench = Workbench(plugins.load())
    branch = bench.branch(folder.path, arguments.step, arguments.set, out=out, command=command)
    return follow(branch, bench, progress, as_json=arguments.json)
