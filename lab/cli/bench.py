"""`lm-lab bench`: the lab's own speed."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from lab.cli.output import print_json

BENCHMARKS = {
    "throughput": "training over a bare loop of the same model",
    "generation": "training beside generation over training alone",
    "scoring": "a million tokens at a vocabulary of 50,000",
    "memory": "what a thousand runs leave in memory, over what ten leave",
}
"""What each benchmark measures, by name."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `lm-lab bench`."""
    summaries = "; ".join(f"{name}: {summary}" for name, summary in BENCHMARKS.items())
    parser.add_argument("name", choices=BENCHMARKS, help=summaries)
    parser.add_argument("--pairs", metavar="N", type=int, default=11, help="measurements of each side (11)")
    parser.add_argument("--runs", metavar="N", type=int, default=1000, help="of the benchmark memory (1000)")


def run(arguments: argparse.Namespace) -> int:
    """Runs one benchmark."""
    result = _measured(arguments)
    if arguments.json:
        print_json(result)
        return 0
    for name, value in result.items():
        print(f"{name:<28} {value:.4g}" if isinstance(value, float) else f"{name:<28} {value}")
    return 0


def _measured(arguments: argparse.Namespace) -> dict[str, Any]:
    from lab.bench import counting, memory, training  # no other command needs them

    if arguments.name == "memory":
        return memory.memory(arguments.runs, lambda line: print(line, file=sys.stderr, flush=True))
    found = {"throughput": training.throughput, "generation": training.generation, "scoring": counting.scoring}
    return found[arguments.name](max(1, arguments.pairs))
