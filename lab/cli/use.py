"""`lm-lab evaluate` and `lm-lab generate`: what a finished run is good for."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from lab.base import BadInput
from lab.base.units import finite
from lab.cli.output import print_json
from lab.host import Plugins
from lab.recipes import parse_assignment
from lab.workbench import SavedRun
from lab.workbench.writer import Piece

RUN_HELP = 'a run: its folder, its name, the beginning of it, or "last"'


@contextlib.contextmanager
def told_by_option(options: Mapping[str, str]) -> Iterator[None]:
    """Inside, a refusal names the option that was given, and not the setting of a recipe that it stands for.

    Args:
        options: By setting.
    """
    try:
        yield
    except BadInput as error:
        field = error.problem.field or ""
        raise BadInput(replace(error.problem, field=options.get(field, error.problem.field))) from None


def add_evaluate_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `lm-lab evaluate`."""
    parser.add_argument("run", metavar="RUN", help=RUN_HELP)
    parser.add_argument("--text", metavar="FILE", help="a UTF-8 file; without one, the validation text")
    parser.add_argument("--protocol", metavar="P", help="windows, stream or strided:N; without one, the model's own")
    parser.add_argument("--device", metavar="D", default="auto", help="auto, cpu, cuda, cuda:1, mps")


def evaluate(arguments: argparse.Namespace, plugins: Plugins) -> int:
    """Prints the loss of a run under a protocol."""
    run = SavedRun.find(arguments.run, plugins)
    text = None if arguments.text is None else Path(arguments.text)
    options = {"training.device": "--device"} | ({} if text is None else {"corpus.path": "--text"})
    with told_by_option(options):
        result = run.evaluate(text=text, protocol=arguments.protocol, device=arguments.device)
    if arguments.json:
        print_json(
            {
                "run": str(run.path.absolute()),
                "loss": finite(result.loss),
                "perplexity": finite(result.perplexity),
                "bits_per_byte": finite(result.bits_per_byte),
                "targets": result.targets,
                "protocol": result.protocol,
                "context_length": result.context_length,
            }
        )
        return 0
    size = result.bits_per_byte
    print(
        f"{result.loss:.4f} nats per token, perplexity {result.perplexity:.2f}"
        + (f", {size:.3f} bits per byte" if size is not None else "")
    )
    window = f", windows of {result.context_length} tokens" if result.context_length else ""
    print(f"protocol {result.protocol}{window}, {result.targets:,} targets")
    return 0


def add_generate_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `lm-lab generate`."""
    parser.add_argument("run", metavar="RUN", help=RUN_HELP)
    parser.add_argument("--prompt", metavar="TEXT", required=True, help="how the text begins")
    parser.add_argument("--temperature", metavar="X", help="below 1 sharper, above 1 flatter; 0 takes the likeliest")
    parser.add_argument("--top-k", metavar="N", help="only the N likeliest tokens; 0 means all")
    parser.add_argument("--top-p", metavar="X", help="only the likeliest that reach this probability together")
    parser.add_argument("--sampler", metavar="NAME", default="sampling", help="another way to draw tokens, of a plugin")
    parser.add_argument(
        "--set", metavar="SETTING=VALUE", action="append", default=[], help="a setting of the sampler; may be repeated"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="of this text")
    parser.add_argument("--max-tokens", metavar="N", type=_count, default=200, help="how many tokens (200)")
    parser.add_argument("--device", metavar="D", default="cpu", help="auto, cpu, cuda, cuda:1, mps")


@told_by_option({"training.device": "--device"})
def generate(arguments: argparse.Namespace, plugins: Plugins) -> int:
    """Writes on from a prompt, token by token."""
    run = SavedRun.find(arguments.run, plugins)
    asked = {"temperature": arguments.temperature, "top_k": arguments.top_k, "top_p": arguments.top_p}
    settings = {name: value for name, value in asked.items() if value is not None}
    for assignment in arguments.set:
        settings |= parse_assignment(assignment)
    pieces = run.generate(
        arguments.prompt,
        count=arguments.max_tokens,
        seed=arguments.seed,
        device=arguments.device,
        sampler=arguments.sampler,
        settings=settings,
    )
    written: list[Piece] = []
    rereads = 0
    for piece in pieces:
        if not arguments.json:
            print(piece.text if written else arguments.prompt + piece.text, end="", flush=True)
        rereads += piece.reread
        written.append(piece)
    if arguments.json:
        print_json(
            {
                "run": str(run.path.absolute()),
                "prompt": arguments.prompt,
                "text": "".join(piece.text for piece in written),
                "rereads": rereads,
                "tokens": [
                    {
                        "text": piece.text,
                        "probability": piece.probability,
                        "alternatives": [{"token": label, "probability": share} for label, share in piece.alternatives],
                    }
                    for piece in written
                ],
            }
        )
    else:
        print("" if written else arguments.prompt)
        if rereads:
            times = "once" if rereads == 1 else f"{rereads} times"
            print(f"lm-lab: the model was full {times} and began anew from what it had last read.", file=sys.stderr)
    return 0


def _count(text: str) -> int:
    """A whole number of at least 0."""
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not allowed. Allowed: whole number, 0 ≤ x")
    return number
