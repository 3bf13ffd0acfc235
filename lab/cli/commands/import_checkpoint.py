"""`lm-lab import-checkpoint`: the folder of a pretrained model as a run, to write with, look into and train further."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from lab.cli.options import told_by_option
from lab.cli.output import Progress, print_json
from lab.cli.run_page import size
from lab.host import Plugins


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `lm-lab import-checkpoint`."""
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        help="holds config.json, model.safetensors (or its shards) and tokenizer.json; no code in it is executed",
    )
    parser.add_argument("--out", metavar="RUN", help="a new or empty folder for the run")
    parser.add_argument("--look", action="store_true", help="say what the folder holds, and take in nothing")


@told_by_option({"folder": "FOLDER", "out": "--out"})
def run(arguments: argparse.Namespace, plugins: Plugins, progress: Progress) -> int:
    """Takes in a model, and says what it is.

    Raises:
        BadInput: The folder holds no model that the lab reads.
        LabError: The run cannot be written.
    """
    from lab.workbench.exchange.pretrained import find_pretrained, import_pretrained

    folder, cards = Path(arguments.folder).expanduser(), plugins.load()
    told = find_pretrained(folder, cards).facts()
    made = None
    if not arguments.look:
        out = None if arguments.out is None else Path(arguments.out).expanduser()
        made = import_pretrained(
            folder, cards, out, progress=lambda share, doing: progress.show(f"{doing} … {share:.0%}")
        )
        progress.clear()
    if arguments.json:
        print_json(told if made is None else {"run": str(made.path.absolute()), **told})
        return 0
    print(line_of(told))
    if made is not None:
        print(f"imported: {made.path}\nlm-lab generate {made.name} --prompt TEXT writes with it")
    return 0


def line_of(told: dict[str, Any]) -> str:
    """A pretrained model in one line."""
    return (
        f"{told['name']}: {told['title']}, {told['layers']} layers of width {told['width']}, "
        f"{told['parameters']:,} parameters, {told['symbols']:,} symbols, {size(told['bytes'])}"
    )
