"""`lm-lab evaluate`: the loss of a run under a protocol."""

from __future__ import annotations

import argparse
import re
from dataclasses import asdict
from pathlib import Path

from lab.base import BadInput
from lab.base.units import finite, infinite
from lab.cli.options import RUN_HELP, named_by_option
from lab.cli.output import INFINITE, READS_LATER, metric_lines, print_json
from lab.cli.table import print_table
from lab.host import Plugins
from lab.workbench import SavedRun
from lab.workbench.analysis.lengths import over_lengths


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `lm-lab evaluate`."""
    parser.add_argument("run", metavar="RUN", help=RUN_HELP)
    parser.add_argument("--text", metavar="FILE", help="a text file; without one, the validation text")
    parser.add_argument("--protocol", metavar="P", help="windows, stream or strided:N; without one, the model's own")
    parser.add_argument(
        "--lengths",
        metavar="N,N…",
        nargs="?",
        const="auto",
        help="loss at these lengths, of examples or windows of the text; without numbers, up to four times the trained",
    )
    parser.add_argument(
        "--without",
        metavar="B:E,B:E…",
        help="the loss without these experts too, each as block:expert, both counted from 1, as 2:5,2:6",
    )
    parser.add_argument("--device", metavar="D", default="auto", help="auto, cpu, cuda, cuda:1, mps")


def run(arguments: argparse.Namespace, plugins: Plugins) -> int:
    """Prints the loss of a run under a protocol."""
    saved = SavedRun.find(arguments.run, plugins)
    text = None if arguments.text is None else Path(arguments.text)
    options = {"training.device": "--device"} | ({} if text is None else {"corpus.path": "--text"})
    if arguments.lengths is not None:
        return _over_lengths(saved, arguments)
    if arguments.without is not None:
        with named_by_option({**options, "experts": "--without"}):
            return _without(saved, text, arguments)
    with named_by_option(options):
        result = saved.evaluate(text=text, protocol=arguments.protocol, device=arguments.device)
    if arguments.json:
        endless = infinite({"loss": result.loss})
        print_json(
            {
                "run": str(saved.path.absolute()),
                "loss": finite(result.loss),
                "perplexity": finite(result.perplexity),
                "bits_per_byte": finite(result.bits_per_byte),
                "metrics": {name: finite(value) for name, value in result.metrics.items()},
                "targets": result.targets,
                "protocol": result.protocol,
                "reads_later_tokens": saved.reads_later,
                "context_length": result.context_length,
                **({"infinite": endless} if endless else {}),
            }
        )
        return 0
    size = result.bits_per_byte
    figures = f"{result.loss:.4f} nats per token, perplexity {result.perplexity:.2f}" + (
        f", {size:.3f} bits per byte" if size is not None else ""
    )
    print(f"loss {INFINITE}" if infinite({"loss": result.loss}) else figures)
    for line in metric_lines(result.metrics):
        print(line)
    window = f", windows of {result.context_length} tokens" if result.context_length else ""
    print(f"protocol {result.protocol}{window}, {result.targets:,} targets")
    _tell_of_later(saved)
    return 0


def _over_lengths(saved: SavedRun, arguments: argparse.Namespace) -> int:
    """Prints what the model does at several lengths."""
    for option in ("text", "protocol", "without"):
        if getattr(arguments, option) is not None:
            raise BadInput("goes without --lengths alone", field=f"--{option}", remedy="Leave one of them out")
    with named_by_option({"training.device": "--device"}):
        points = over_lengths(saved, _lengths(arguments.lengths), device=arguments.device)
    if arguments.json:
        print_json(
            {
                "run": str(saved.path.absolute()),
                "lengths": [asdict(point) for point in points],
                "reads_later_tokens": saved.reads_later,
            }
        )
        return 0
    rows = [
        [
            f"{point.length}{'' if point.trained else ' *'}",
            str(point.tokens),
            "too long" if point.loss is None else f"{point.loss:.4f}",
            *("" if share is None else f"{share:.1%}" for share in (point.accuracy, point.faultless)),
        ]
        for point in points
    ]
    titles = ["length", "tokens", "nats", "accuracy", "faultless"]
    if all(point.accuracy is None for point in points):  # windows of a text
        titles, rows = titles[:3], [row[:3] for row in rows]
    print_table(titles, rows, right=[True] * len(titles))
    print("* it was not trained at this length")
    _tell_of_later(saved)
    return 0


def _without(saved: SavedRun, text: Path | None, arguments: argparse.Namespace) -> int:
    """Prints what the model loses without some of its experts."""
    off = _experts(arguments.without)
    found = saved.without_experts(off, tokens=0, text=text, protocol=arguments.protocol, device=arguments.device)
    if arguments.json:
        losses = {"loss": found.loss, "intact": found.intact}
        endless = infinite(losses)
        print_json(
            {
                "run": str(saved.path.absolute()),
                "without": [{"block": block + 1, "expert": one + 1} for block in off for one in sorted(off[block])],
                **{name: finite(loss) for name, loss in losses.items()},
                "targets": found.targets,
                "protocol": found.protocol,
                "reads_later_tokens": saved.reads_later,
                **({"infinite": endless} if endless else {}),
            }
        )
        return 0
    print(f"loss {found.loss:.4f} nats per token without these experts, {found.intact:.4f} with all")
    print(f"{found.loss - found.intact:+.4f}; protocol {found.protocol}, {found.targets:,} targets")
    _tell_of_later(saved)
    return 0


def _tell_of_later(saved: SavedRun) -> None:
    """Says of a model that reads what it is to guess what its losses are not."""
    if saved.reads_later:
        print(READS_LATER)


def _experts(words: str) -> dict[int, set[int]]:
    """The experts in "2:5,2:6" by block, all from 0."""
    off: dict[int, set[int]] = {}
    for word in filter(None, (part.strip() for part in words.split(","))):
        match = re.fullmatch(r"([1-9]\d{0,5}):([1-9]\d{0,5})", word, re.ASCII)
        if match is None:
            raise BadInput(
                "is no expert", field="--without", value=word, allowed="block:expert, both counted from 1, as 2:5"
            )
        off.setdefault(int(match[1]) - 1, set()).add(int(match[2]) - 1)
    if not off:
        raise BadInput("names no expert", field="--without", allowed="block:expert, both counted from 1, as 2:5")
    return off


def _lengths(words: str) -> list[int]:
    """The numbers in "8,16,32"."""
    parts = [part.strip() for part in words.split(",") if part.strip()] if words != "auto" else []
    wrong = next((part for part in parts if not (part.isascii() and part.isdecimal() and 0 < int(part) <= 2**16)), None)
    if wrong is not None:
        allowed = "whole numbers from 1 to 65,536, as 8,16"
        raise BadInput("is no length", field="--lengths", value=wrong, allowed=allowed)
    return [int(part) for part in parts]
