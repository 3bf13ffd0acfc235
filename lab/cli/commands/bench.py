"""`lm-lab bench`: measure the speed of the lab."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from lab.base import BadInput
from lab.cli.output import print_json, print_text
from lab.cli.window import REMEDY, missing

BENCHMARKS = {
    "throughput": "training over a bare loop of the same model: the transformer, and RNN, GRU and LSTM",
    "generation": "training during text generation, over training alone; strategies over sampling; gaps of the window",
    "gauges": "training with all gauges that are on by default, over training without any, and the share of each group",
    "optimizers": "optimizers on nanogpt-cpu, each with the best of some rates, over three seeds, on the same tokens",
    "decode": "greedy text with a cache after 100 and 1,000 tokens, over no cache and over transformers' generate",
    "linear": "linear attention compared with softmax attention: growth of the cost, and where it becomes faster",
    "scan": "the selective scan over a loop and over mamba.py's, and a training step of a Mamba model over mamba.py's",
    "causality": "the check that a model reads no later token: its time for every architecture and preset, and whom it "
    "accuses at three seeds",
    "map": "the exact map between tokens and the influence map of every architecture, and a forward pass",
    "moe": "training a mixture of experts over a dense model of equal active parameters, and its dispatch over loops",
    "scoring": "a million tokens at a vocabulary of 50,000",
    "ngram": "counting and scoring n-grams of order 5 on 1 and 10 million tokens, and the growth of the cost",
    "sources": "every source with a model that can represent it: loss, entropy, and their difference",
    "gradients": "how far back a loss has an effect in RNN, GRU and LSTM, before and after training",
    "recall": "values recalled by their keys: accuracy of each architecture after the same steps, bytes of its state",
    "class": "labs that hand in at once, damaged and hostile ones among them: what is lost, and the table of all",
    "studies": "what a study adds to its runs, two workers over one, two processes of a run over one, 10,000 rows",
    "memory": "memory left in use by a thousand runs, over that of ten",
    "runs": "opening and zooming a run of a million steps, its size on disk, and the cost of recording",
    "window": "training with the live window over training alone, and how evenly the window updates",
    "scrub": "milliseconds from a move along 60 snapshots until all cards are drawn",
    "drawing": "milliseconds until the drawing of GPT-2 and of a hybrid of 48 blocks is painted",
    "plane": "milliseconds of a decision surface while it trains, and how evenly the window updates meanwhile",
    "charts": "milliseconds of the lab's own charts and maps, and of the same in pyqtgraph's scene",
    "start": "seconds until the window is painted and idle, until a run can be started, and until it has a curve",
    "soak": "what grows, stalls or fails while a random hand uses the window; exit status 1 if anything does",
}
"""The summary of each benchmark, by name."""
PAIRS = 11
"""Measurements of each side, unless a benchmark says otherwise."""
MOST = 100_000
"""Most measurements of each side, and most runs."""
SHORTEST, LONGEST = 1.0, 3600.0
"""Bounds of the seconds that the measurements of one side may take."""
BRIEFEST_SOAK, LONGEST_SOAK = 0.05, 1440.0
"""Bounds of the minutes that the random hand may use the window."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab bench`."""
    summaries = "; ".join(f"{name}: {summary}" for name, summary in BENCHMARKS.items())
    parser.add_argument("name", choices=BENCHMARKS, help=summaries)
    parser.add_argument(
        "--pairs", metavar="N", type=int, help="measurements of each side (11; of window 5; of charts 200)"
    )
    parser.add_argument(
        "--models",
        metavar="A,B",
        help="models of the benchmark recall, architectures of causality, or names of optimizers (all of them)",
    )
    parser.add_argument("--steps", metavar="N", type=int, help="steps of a training of the benchmark optimizers (300)")
    parser.add_argument(
        "--runs",
        metavar="N",
        type=int,
        help="runs of the benchmark memory (1000), labs of the benchmark class (30), steps of a run of studies (300)",
    )
    parser.add_argument("--cold", action="store_true", help="benchmark start: a cold start, as after an installation")
    parser.add_argument(
        "--seconds", metavar="N", default="20", help="length of the benchmark plane, and of each side of window (20)"
    )
    parser.add_argument("--minutes", metavar="N", default="5", help="length of the benchmark soak (5)")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed of the hand of the benchmark soak (0)")
    parser.add_argument("--output", metavar="FILE", help="benchmark soak: append the result to this file of JSON lines")


def run(arguments: argparse.Namespace) -> int:
    """Run one benchmark.

    Raises:
        BadInput: An option cannot be used, or a package that the benchmark needs is not installed.
    """
    result = _measured(arguments)
    if arguments.json:
        print_json(result)
    else:
        for name, value in result.items():
            print_text(f"{name:<28} {value:.4g}" if isinstance(value, float) else f"{name:<28} {value}")
    return 1 if arguments.name == "soak" and not result["within"] else 0


def _measured(arguments: argparse.Namespace) -> dict[str, Any]:
    seconds = _bounded("--seconds", arguments.seconds, SHORTEST, LONGEST)
    minutes = _bounded("--minutes", arguments.minutes, BRIEFEST_SOAK, LONGEST_SOAK)
    for option, count in (("--pairs", arguments.pairs), ("--runs", arguments.runs)):
        if count is not None and not 1 <= count <= MOST:
            raise BadInput("is not allowed", field=option, value=count, allowed=f"whole number, 1 ≤ x ≤ {MOST}")
    if arguments.name == "soak":
        return _soaked(minutes, arguments.seed, arguments.output)
    if arguments.name in ("window", "scrub", "drawing", "plane", "charts", "start"):
        return _measured_window(arguments.name, seconds, arguments.pairs, cold=arguments.cold)
    from lab.bench import memory, training
    from lab.bench.models import counting  # no other command needs them

    if arguments.name == "memory":
        return memory.memory(arguments.runs or memory.RUNS, lambda line: print_text(line, error=True))
    if arguments.name == "studies":
        from lab.bench.studies import STEPS, studies

        measured = studies(arguments.runs or STEPS, lambda line: print_text(line, error=True))
        if missing():
            return measured
        from lab.bench.window.arms import arms

        return {**measured, **arms()}
    if arguments.name == "class":
        from lab.bench.classroom import LABS, classroom

        return classroom(arguments.runs or LABS, lambda line: print_text(line, error=True))
    if arguments.name == "sources":
        from lab.bench.models.sources import sources

        return sources(lambda line: print_text(line, error=True))
    if arguments.name == "gradients":
        from lab.bench.models.gradients import gradients

        return gradients(lambda line: print_text(line, error=True))
    if arguments.name == "recall":
        from lab.bench.models.recall import recall

        models = [name.strip() for name in (arguments.models or "").split(",") if name.strip()]
        return recall(models, lambda line: print_text(line, error=True))
    if arguments.name == "causality":
        from lab.bench.models.causality import causality

        models = [name.strip() for name in (arguments.models or "").split(",") if name.strip()]
        return causality(models, lambda line: print_text(line, error=True))
    if arguments.name == "optimizers":
        from lab.bench.optimizers import STEPS, optimizers

        names = [name.strip() for name in (arguments.models or "").split(",") if name.strip()]
        steps = STEPS if arguments.steps is None else arguments.steps
        return optimizers(names, steps, lambda line: print_text(line, error=True))
    if arguments.name == "ngram":
        from lab.bench.models.ngram import ngram

        return ngram()
    if arguments.name == "generation":
        from lab.bench.models.generation import generation

        measured = generation(PAIRS if arguments.pairs is None else arguments.pairs)
        if missing():
            return measured
        from lab.bench.window.writing import writing

        return {**measured, **writing()}
    if arguments.name == "gauges":
        from lab.bench.gauges import gauges

        return gauges(PAIRS if arguments.pairs is None else arguments.pairs)
    if arguments.name == "decode":
        from lab.bench.models.decode import decode

        return decode(PAIRS if arguments.pairs is None else arguments.pairs)
    if arguments.name == "linear":
        from lab.bench.models.linear import linear

        return linear() if arguments.pairs is None else linear(arguments.pairs)
    if arguments.name == "scan":
        from lab.bench.models.scan import scan

        return scan(PAIRS if arguments.pairs is None else arguments.pairs)
    if arguments.name == "map":
        from lab.bench.models.maps import maps

        return maps() if arguments.pairs is None else maps(arguments.pairs)
    if arguments.name == "moe":
        from lab.bench.models.moe import moe

        return moe(PAIRS if arguments.pairs is None else arguments.pairs)
    if arguments.name == "runs":
        from lab.bench.runs import runs

        return runs(PAIRS if arguments.pairs is None else arguments.pairs)
    found = {"throughput": training.throughput, "scoring": counting.scoring}
    return found[arguments.name](PAIRS if arguments.pairs is None else arguments.pairs)


def _soaked(minutes: float, seed: int, output: str | None) -> dict[str, Any]:
    _check_window("soak")
    from lab.bench.window.soak import append, soak

    result = soak(minutes, seed, lambda line: print_text(line, error=True))
    if output is not None:
        append(Path(output).expanduser(), result)
    return result


def _check_window(name: str) -> None:
    """Raise BadInput if a package that the window needs is not installed."""
    what = missing()
    if what:
        raise BadInput(what, field="name", value=name, remedy=REMEDY)


def _measured_window(name: str, seconds: float, pairs: int | None, *, cold: bool = False) -> dict[str, Any]:
    _check_window(name)
    if name == "start":
        from lab.bench.window.start import start

        return start(cold=cold)
    if name == "scrub":
        from lab.bench.window.scrub import scrub

        return scrub()
    if name == "drawing":
        from lab.bench.window.drawing import drawing

        return drawing() if pairs is None else drawing(pairs)
    if name == "plane":
        from lab.bench.window.plane import plane

        return plane(seconds)
    if name == "charts":
        from lab.bench.window.charts import charts

        return charts() if pairs is None else charts(pairs)
    from lab.bench.window.window import window

    return window(seconds) if pairs is None else window(seconds, pairs)


def _bounded(option: str, given: str, least: float, most: float) -> float:
    try:
        number = float(given)
    except ValueError:
        number = float("nan")
    if not least <= number <= most:
        raise BadInput("is not allowed", field=option, value=given, allowed=f"number, {least:g} ≤ x ≤ {most:g}")
    return number
