"""`lm-lab generate`: generate text from a run, after a prompt."""

from __future__ import annotations

import argparse
import sys

from lab.cli.options import RUN_HELP, named_by_option
from lab.cli.output import print_json
from lab.host import Plugins
from lab.recipes import merged, parse_assignment
from lab.workbench import SavedRun
from lab.workbench.access.generation import Piece


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab generate`."""
    parser.add_argument("run", metavar="RUN", help=RUN_HELP)
    parser.add_argument("--prompt", metavar="TEXT", required=True, help="the start of the text")
    parser.add_argument("--temperature", metavar="X", help="below 1 sharper, above 1 flatter; 0 takes the likeliest")
    parser.add_argument("--top-k", metavar="N", help="only the N likeliest tokens; 0 means all")
    parser.add_argument("--top-p", metavar="X", help="only the likeliest tokens that together reach this probability")
    parser.add_argument("--sampler", metavar="NAME", default="sampling", help="the sampler; plugins may add others")
    parser.add_argument(
        "--set", metavar="SETTING=VALUE", action="append", default=[], help="a setting of the sampler; may be repeated"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed of this text")
    parser.add_argument("--max-tokens", metavar="N", type=_count, default=200, help="number of tokens (200)")
    parser.add_argument("--device", metavar="D", default="cpu", help="auto, cpu, cuda, cuda:1, mps")


@named_by_option({"training.device": "--device"})
def run(arguments: argparse.Namespace, plugins: Plugins) -> int:
    """Generate text after a prompt, token by token."""
    saved = SavedRun.find(arguments.run, plugins)
    requested = {"temperature": arguments.temperature, "top_k": arguments.top_k, "top_p": arguments.top_p}
    settings = {name: value for name, value in requested.items() if value is not None}
    for assignment in arguments.set:
        settings = merged(settings, parse_assignment(assignment))
    pieces = saved.generate(
        arguments.prompt,
        count=arguments.max_tokens,
        seed=arguments.seed,
        device=arguments.device,
        sampler=arguments.sampler,
        settings=settings,
    )
    written: list[Piece] = []
    opening = arguments.prompt + ("\n" if saved.answers else "")
    rereads = 0
    for piece in pieces:
        if not arguments.json:
            print(piece.text if written else opening + piece.text, end="", flush=True)
        rereads += piece.reread
        written.append(piece)
    if arguments.json:
        print_json(
            {
                "run": str(saved.path.absolute()),
                "prompt": arguments.prompt,
                "text": "".join(piece.text for piece in written),
                "rereads": rereads,
                "tokens": [
                    {
                        "text": piece.text,
                        "probability": piece.probability,
                        "alternatives": [
                            {"token": label, "probability": share} for label, _text, share in piece.alternatives
                        ],
                    }
                    for piece in written
                ],
            }
        )
    else:
        print("" if written else opening)
        if rereads:
            times = "once" if rereads == 1 else f"{rereads} times"
            print(f"lm-lab: the context was full {times}; the model continued from the last tokens.", file=sys.stderr)
    return 0


def _count(text: str) -> int:
    """Return the integer in a text, at least 0."""
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not allowed. Allowed: whole number, 0 ≤ x")
    return number
