"""`lm-lab resume`: continue a run from its last checkpoint."""

from __future__ import annotations

import argparse
from pathlib import Path

from lab.cli import together
from lab.cli.commands.train import follow
from lab.cli.options import RUN_HELP, named_by_option
from lab.cli.output import Progress
from lab.host import Plugins
from lab.runs import resolve_run
from lab.workbench import Workbench


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab resume`."""
    parser.add_argument("run", metavar="RUN", help=RUN_HELP)
    parser.add_argument(
        "--steps", metavar="N", type=int, help="train up to step N instead of the last step of the recipe"
    )
    parser.add_argument("--corpus", metavar="PATH", help="the current path of its text, if the lab cannot find it")
    together.add_arguments(parser)


@named_by_option({"training.steps": "--steps", "corpus.path": "--corpus"})
def run(arguments: argparse.Namespace, plugins: Plugins, command: list[str], progress: Progress) -> int:
    """Continue a run, and print the figures.

    Raises:
        BadInput: The run cannot be resumed; the problem gives the reason.
        LabError: The run is damaged.
    """
    status = together.run_beside(arguments, plugins, command)
    if status is not None:
        return status
    folder = resolve_run(arguments.run)
    corpus = None if arguments.corpus is None else Path(arguments.corpus).expanduser()
    bench = Workbench(plugins.load())
    resumed = bench.resume(folder.path, steps=arguments.steps, corpus=corpus)
    return follow(resumed, bench, progress, as_json=arguments.json)
