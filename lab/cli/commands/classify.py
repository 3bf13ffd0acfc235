"""`lm-lab classify`: the classes that a run predicts for a text, or for each of its words."""

from __future__ import annotations

import argparse

from lab.cli.options import RUN_HELP, named_by_option
from lab.cli.output import print_json
from lab.cli.table import print_table
from lab.host import Plugins
from lab.workbench import SavedRun


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab classify`."""
    parser.add_argument("run", metavar="RUN", help=RUN_HELP)
    parser.add_argument("words", metavar="TEXT", help="the text to classify; words with classes are divided by spaces")


@named_by_option({"prompt": "TEXT"})
def run(arguments: argparse.Namespace, plugins: Plugins) -> int:
    """Print the probability of each class, or the likeliest class of each word."""
    saved = SavedRun.find(arguments.run, plugins)
    found = saved.classify(arguments.words)
    if arguments.json:
        shares = [dict(zip(found.names, row, strict=True)) for row in found.shares]
        result = {"words": list(found.words), "classes": shares} if found.words else {"classes": shares[0]}
        print_json({"run": str(saved.path.absolute()), "step": found.step, "text": arguments.words, **result})
    elif found.words:
        rows = [(word, *_row(*found.ranked(row)[0])) for row, word in enumerate(found.words)]
        print_table(("word", "likeliest class", "probability"), rows, right=(False, False, True))
    else:
        print_table(("class", "probability"), [_row(*one) for one in found.ranked()], right=(False, True))
    return 0


def _row(name: str, share: float) -> tuple[str, str]:
    return name, f"{share:.4f}"
