"""`lm-lab bench`: the lab's own speed."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from lab.bench import counting, training
from lab.cli.output import print_json

BENCHMARKS: dict[str, Callable[[int], dict[str, Any]]] = {
    "throughput": training.throughput,
    "generation": training.generation,
    "scoring": counting.scoring,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `lm-lab bench`."""
    parser.add_argument("name", choices=BENCHMARKS, help="; ".join(_summaries()))
    parser.add_argument("--pairs", metavar="N", type=int, default=11, help="measurements of each side (11)")


def run(arguments: argparse.Namespace) -> int:
    """Runs one benchmark."""
    result = BENCHMARKS[arguments.name](max(1, arguments.pairs))
    if arguments.json:
        print_json(result)
        return 0
    for name, value in result.items():
        print(f"{name:<28} {value:.4g}" if isinstance(value, float) else f"{name:<28} {value}")
    return 0


def _summaries() -> list[str]:
    return [
        "throughput: training over a bare loop of the same model",
        "generation: training beside generation over training alone",
        "scoring: a million tokens at a vocabulary of 50,000",
    ]
