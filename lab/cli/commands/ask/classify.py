"""`lm-lab classify`: the classes that a run predicts for a text, for each of its words, or for a picture."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lab.api import BadInput
from lab.cli.options import RUN_HELP, named_by_option
from lab.cli.output import print_json, print_text
from lab.cli.table import print_table
from lab.host import Plugins
from lab.workbench import SavedRun
from lab.workbench.access.text_use import TextUse

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCKS = 8
"""Rows and columns in which a map of a picture is printed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab classify`."""
    parser.add_argument("run", metavar="RUN", help=RUN_HELP)
    parser.add_argument(
        "words",
        metavar="TEXT",
        help="the text to classify, of which words with classes are divided by spaces; or the file of a picture",
    )
    parser.add_argument(
        "--prompt",
        action="append",
        default=[],
        metavar="TEXT",
        help="a text that may belong to the picture, for a run on images and captions; give it several times",
    )
    parser.add_argument(
        "--invert", action="store_true", help="exchange dark and bright in the picture, such as one of ink on paper"
    )
    parser.add_argument(
        "--why",
        action="store_true",
        help="show what the likeliest class rests on: each token, or each place of a picture, by leaving it out, and "
        "by its gradient",
    )


@named_by_option({"prompt": "TEXT", "prompts": "--prompt", "picture": "TEXT"})
def run(arguments: argparse.Namespace, plugins: Plugins) -> int:
    """Print the probability of each class, or the likeliest class of each word."""
    saved = SavedRun.find(arguments.run, plugins)
    if saved.text_use in (TextUse.IMAGES, TextUse.MATCHING):
        return _picture(saved, arguments)
    if arguments.prompt or arguments.invert:
        name = "--prompt" if arguments.prompt else "--invert"
        raise BadInput("is for runs on images", field=name, remedy="Leave it out, or choose a run on images")
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


def _picture(saved: SavedRun, arguments: argparse.Namespace) -> int:
    """Print the probability of each class of a picture, or of each text, and perhaps what the likeliest rests on."""
    pixels = saved.read_picture(Path(arguments.words), invert=arguments.invert)
    with named_by_option({"prompt": "--prompt"}):
        found = saved.classify_picture(pixels, arguments.prompt)
    decision = saved.picture_decision(pixels, arguments.prompt) if arguments.why else None
    if arguments.json:
        page: dict[str, Any] = {"run": str(saved.path.absolute()), "step": found.step, "picture": arguments.words}
        page["classes"] = dict(zip(found.names, found.shares[0], strict=True))
        if decision is not None:
            maps = {"occlusion": decision.occlusion.tolist(), "gradient": decision.gradient.tolist()}
            page |= {"class": decision.name, "probability": decision.probability, **maps}
        print_json(page)
        return 0
    print_table(("class", "probability"), [_row(*one) for one in found.ranked()], right=(False, True))
    if decision is not None:
        for title, values in (("without each place", decision.occlusion), ("gradient", decision.gradient)):
            print_text(f"\n{decision.name}, {title}, in nats; below 0 it speaks against it")
            for row in _blocks(values):
                print_text(" ".join(f"{number:+7.3f}" for number in row))
    return 0


def _blocks(values: NDArray[np.float32]) -> list[list[float]]:
    """Return the means of at most BLOCKS by BLOCKS parts of a map."""
    rows = np.array_split(values, min(BLOCKS, values.shape[0]), axis=0)
    return [[float(part.mean()) for part in np.array_split(row, min(BLOCKS, row.shape[1]), axis=1)] for row in rows]


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
