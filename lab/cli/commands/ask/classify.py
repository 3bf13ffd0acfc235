"""`lm-lab classify`: the classes that a run predicts for a text, or for each of its words."""

from __future__ import annotations

import argparse

from lab.cli.options import RUN_HELP, named_by_option
from lab.cli.output import print_json, print_text
from lab.cli.table import print_table
from lab.host import Plugins
from lab.workbench import SavedRun


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab classify`."""
    parser.add_argument("run", metavar="RUN", help=RUN_HELP)
    parser.add_argument("words", metavar="TEXT", help="the text to classify; words with classes are divided by spaces")

    parser.add_argument(
        "--why",
        action="store_true",
        help="show what the likeliest class rests on: each token's part by leaving it out, and by its gradient",
    )


@named_by_option({"prompt": "TEXT"})
def run(arguments: argparse.Namespace, plugins: Plugins) -> int:
    """Print the probability of each class, or the likeliest class of each word."""
    saved = SavedRun.find(arguments.run, plugins)
    if arguments.why:
        return _explain(saved, arguments)
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


def _explain(saved: SavedRun, arguments: argparse.Namespace) -> int:
    """Print what the likeliest class of a text rests on."""
    found = saved.decision(arguments.words)
    if arguments.json:
        page = {"run": str(saved.path.absolute()), "step": found.step, "text": arguments.words, "class": found.name}
        parts = {"tokens": list(found.labels), "occlusion": found.occlusion, "gradient": found.gradient}
        print_json({**page, "probability": found.probability, **parts})
        return 0
    print_text(f"{found.name}: {found.probability:.4f}")
    columns = [found.occlusion, found.gradient]
    rows = [
        (label, *("" if column is None else f"{column[at]:+.4f}" for column in columns))
        for at, label in enumerate(found.labels)
    ]
    print_table(("token", "without it", "gradient"), rows, right=(False, True, True))
    print_text("nats of the class that the token adds; below 0 it speaks against it")
    return 0


def _row(name: str, share: float) -> tuple[str, str]:
    return name, f"{share:.4f}"
