"""`lm-lab fill`: what a run that predicts hidden tokens puts in place of each [MASK] of a text."""

from __future__ import annotations

import argparse

from lab.cli.options import RUN_HELP, named_by_option
from lab.cli.output import print_json, print_text
from lab.cli.table import print_table
from lab.host import Plugins
from lab.workbench import SavedRun
from lab.workbench.access.answers.fill import ORDERS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab fill`."""
    parser.add_argument("run", metavar="RUN", help=RUN_HELP)
    parser.add_argument(
        "words", metavar="TEXT", help="the text, with [MASK] where a token is missing; [MASK*3] is three in a row"
    )
    parser.add_argument(
        "--order",
        choices=ORDERS,
        default="at-once",
        help="fill all places from one reading, or the surest first and read again after each (default: at-once)",
    )
    parser.add_argument("--candidates", type=int, default=5, metavar="N", help="tokens to show per place (default: 5)")


@named_by_option({"prompt": "TEXT", "run": "RUN", "candidates": "--candidates"})
def run(arguments: argparse.Namespace, plugins: Plugins) -> int:
    """Print the filled text, and the likeliest tokens of each place."""
    saved = SavedRun.find(arguments.run, plugins)
    found = saved.fill(arguments.words, order=arguments.order, count=arguments.candidates)
    if arguments.json:
        places = [
            {
                "place": place.index,
                "turn": place.turn,
                "candidates": [
                    {"token": one.label, "text": one.text, "probability": one.probability} for one in place.candidates
                ],
            }
            for place in found.places
        ]
        page = {"run": str(saved.path.absolute()), "step": found.step, "text": arguments.words, "order": found.order}
        print_json({**page, "filled": found.text, "places": places})
        return 0
    print_text(found.text)
    rows = [
        (str(place.index + 1) if not rank else "", one.label, f"{one.probability:.4f}")
        for place in found.places
        for rank, one in enumerate(place.candidates)
    ]
    print_table(("place", "token", "probability"), rows, right=(True, False, True))
    return 0
