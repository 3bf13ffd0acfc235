"""`lm-lab import-checkpoint`: make a run from the folder of a pretrained model."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from lab.base.files.reading import exists
from lab.base.system.folders import shared_files
from lab.cli.options import named_by_option
from lab.cli.output import Progress, print_json, print_text
from lab.cli.run_page import size
from lab.host import Plugins


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab import-checkpoint`."""
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        help="the folder with config.json, model.safetensors (or its shards) and tokenizer.json, or the name of a "
        "model that is shared on this machine; no code in it is executed",
    )
    parser.add_argument("--out", metavar="RUN", help="a new or empty folder for the run")
    parser.add_argument("--look", action="store_true", help="print what the folder holds, without importing it")


@named_by_option({"folder": "FOLDER", "out": "--out"})
def run(arguments: argparse.Namespace, plugins: Plugins, progress: Progress) -> int:
    """Import a model, and print a summary of it.

    Raises:
        BadInput: The folder holds no model that the lab can read.
        LabError: The run cannot be written.
    """
    from lab.workbench.exchange.pretrained import find_pretrained, import_pretrained

    folder, cards = Path(arguments.folder).expanduser(), plugins.load()
    if not exists(folder):
        folder = next((model for model in shared_files("models") if model.name == arguments.folder), folder)
    facts = find_pretrained(folder, cards).facts()
    made = None
    if not arguments.look:
        out = None if arguments.out is None else Path(arguments.out).expanduser()
        made = import_pretrained(
            folder, cards, out, progress=lambda share, doing: progress.show(f"{doing} … {share:.0%}")
        )
        progress.clear()
    if arguments.json:
        print_json(facts if made is None else {"run": str(made.path.absolute()), **facts})
        return 0
    print_text(line_of(facts))
    if made is not None:
        print_text(f"imported: {made.path}\nGenerate text with: lm-lab generate {made.name} --prompt TEXT")
    return 0


def line_of(facts: dict[str, Any]) -> str:
    """Return the description of a pretrained model, in one line."""
    return (
        f"{facts['name']}: {facts['title']}, {facts['layers']} layers of width {facts['width']}, "
        f"{facts['parameters']:,} parameters, {facts['symbols']:,} symbols, {size(facts['bytes'])}"
    )
