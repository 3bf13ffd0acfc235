"""`lm-lab bench`: the lab's own speed."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from lab.cli.output import print_json

BENCHMARKS = {
    "throughput": "training over a bare loop of the same model",
    "generation": "training beside generation over training alone",
    "scoring": "a million tokens at a vocabulary of 50,000",
}
"""What each benchmark measures, by name."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `lm-lab bench`."""
    summaries = "; ".join(f"{name}: {summary}" for name, summary in BENCHMARKS.items())
    parser.add_argument("name", choices=BENCHMARKS, help=summaries)
    parser.add_argument("--pairs", metavar="N", type=int, default=11, help="measurements of each side (11)")


def run(arguments: argparse.Namespace) -> int:
    """Runs one benchmark."""
    result = _benchmark(arguments.name)(max(1, arguments.pairs))
    if arguments.json:
        print_json(result)
        return 0
    for name, value in result.items():
        print(f"{name:<28} {value:.4g}" if isinstance(value, float) else f"{name:<28} {value}")
    return 0


def _benchmark(name: str) -> Callable[[int], dict[str, Any]]:
    from lab.bench import counting, training  # no other command needs them

    found = {"throughput": training.throughput, "generation": training.generation, "scoring": counting.scoring}
    return found[name]
