"""`lm-lab behaviour`: tests of what a run does with texts."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from lab.base.units import finite
from lab.cli.options import RUN_HELP, named_by_option
from lab.cli.output import Progress, print_json, print_text, printable
from lab.cli.table import print_table
from lab.host import Plugins
from lab.workbench import SavedRun
from lab.workbench.scoring.behaviour import OF_FILE, OF_MODEL, behave
from lab.workbench.scoring.outcome import Outcome

SHARES = ("accuracy", "copied", "found", "best accuracy", "accuracy by total", "accuracy by per token")
"""Figures and columns that are printed in percent."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab behaviour`."""
    parser.add_argument("run", metavar="RUN", help=RUN_HELP)
    parser.add_argument(
        "--test", metavar="T", action="append",
        help=f"{', '.join(OF_MODEL)}; with --file {', '.join(OF_FILE)}; may be repeated. Without it, context and "
        "copying",
    )  # fmt: skip
    parser.add_argument(
        "--file", metavar="FILE",
        help="one JSON object a line. pairs: sentence_good, sentence_bad (as BLiMP); cloze: text with ___, "
        "candidates, answer; prompts: prompt, answer",
    )  # fmt: skip
    parser.add_argument("--device", metavar="D", default="auto", help="auto, cpu, cuda, cuda:1, mps")


@named_by_option({"training.device": "--device", "test": "--test", "file": "--file"})
def run(arguments: argparse.Namespace, plugins: Plugins, progress: Progress) -> int:
    """Test a run, and print the outcomes."""
    saved = SavedRun.find(arguments.run, plugins)
    tests = arguments.test or ["context", "copying"]
    outcomes = []
    for test in tests:
        reads = test in OF_FILE or (len(tests) == 1 and test in OF_MODEL)
        file = Path(arguments.file) if arguments.file is not None and reads else None
        outcomes.append(
            behave(
                saved,
                test,
                file,
                device=arguments.device,
                progress=lambda share, test=test: progress.show(f"{test}: {share:.0%}"),  # type: ignore[misc]
            )
        )
    progress.clear()
    if arguments.json:
        tested = [_as_dict(one) for one in outcomes]
        print_json({"run": str(saved.path.absolute()), "step": outcomes[0].step, "tests": tested})
        return 0
    for one in outcomes:
        _print(one)
    return 0


def _as_dict(found: Outcome) -> dict[str, Any]:
    return {
        "test": found.test,
        "figures": {name: finite(value) for name, value in found.figures.items()},
        "rows": [
            {
                head: finite(cell) if isinstance(cell, float) else cell
                for head, cell in zip(found.heads, row, strict=True)
            }
            for row in found.rows
        ],
        "curves": [
            {"name": curve.name, "x": curve.x, "y": found.y, "points": [[x, finite(y)] for x, y in curve.points]}
            for curve in found.curves
        ],
    }


def _print(found: Outcome) -> None:
    figures = ", ".join(f"{name} {_shown(name, value)}" for name, value in found.figures.items())
    print_text(f"{found.test}, step {found.step}: {figures}")
    if found.rows:
        rows = [[_shown(head, cell) for head, cell in zip(found.heads, row, strict=True)] for row in found.rows]
        print_table(found.heads, rows, right=[not isinstance(cell, str) for cell in found.rows[0]])


def _shown(name: str, value: str | float | None) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return printable(value)
    if name in SHARES:
        return f"{value:.1%}"
    return f"{value:,.0f}" if value.is_integer() and abs(value) < 1e9 else f"{value:.4f}"
