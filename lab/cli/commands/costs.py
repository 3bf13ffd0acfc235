"""`lm-lab costs`: time and memory of a run's model against the length of a text, beside the theory."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from lab.base import BadInput
from lab.cli.options import RUN_HELP, named_by_option
from lab.cli.output import Progress, print_json, print_text
from lab.cli.run_page import size
from lab.cli.table import print_table
from lab.host import Plugins
from lab.workbench import SavedRun
from lab.workbench.analysis.positions import FIRST, LAST, MOST, SIZES, PositionCosts, over_positions, positions_to

HEADS = {
    "step": "next token", "read": "read all", "explicit": "read all, explicit", "state": "state",
    "read memory": "memory", "explicit memory": "memory, explicit",
}  # fmt: skip
"""The titles of the columns."""
GROWTH = ("does not grow", "grows with T", "grows with T²")
"""The growth of a theoretical cost in words, by its degree in T."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab costs`."""
    parser.add_argument("run", metavar="RUN", help=RUN_HELP)
    parser.add_argument(
        "--positions", metavar="N,N", help=f"lengths of the text in tokens; one is the last of doublings ({LAST:,})"
    )
    parser.add_argument("--device", metavar="D", default="cpu", help="auto, cpu, cuda, cuda:1, mps")


@named_by_option({"training.device": "--device", "positions": "--positions"})
def run(arguments: argparse.Namespace, plugins: Plugins, progress: Progress) -> int:
    """Measure the costs over positions, and print them with the exponents of their growth."""
    saved = SavedRun.find(arguments.run, plugins)
    positions = _positions(arguments.positions)
    found = over_positions(
        saved, positions, device=arguments.device, progress=lambda share: progress.show(f"measuring: {share:.0%}")
    )
    progress.clear()
    if arguments.json:
        print_json(_as_dict(saved, found))
        return 0
    names = found.quantities
    rows = [[f"{point.position:,}", *(_cell(name, point.values.get(name)) for name in names)] for point in found.points]
    print_table(["tokens", *(HEADS[name] for name in names)], rows, right=[True] * (1 + len(names)))
    for name in names:
        print_text(_growth(found, name))
    if found.is_remade:
        print_text(f"This run reads {found.reach:,} tokens: an untrained model like it, built for more, was measured.")
    if len(found.points) < len(positions):
        print_text(f"Longer texts would take too long: measured up to {found.points[-1].position:,} tokens.")
    return 0


def _positions(given: str | None) -> list[int]:
    if given is None:
        return positions_to(LAST)
    try:
        found = [int(part) for part in given.replace("_", "").split(",")]
    except ValueError:
        found = []
    if not found or min(found) < 1 or max(found) > MOST:
        allowed = f"whole numbers with commas between them, 1 ≤ x ≤ {MOST:,}"
        raise BadInput("is not allowed", field="positions", value=given, allowed=allowed)
    return positions_to(found[0], min(FIRST, found[0])) if len(found) == 1 else sorted(set(found))


def _cell(name: str, value: float | None) -> str:
    if value is None:
        return ""
    return size(round(value)) if name in SIZES else f"{1000 * value:.3g} ms"


def _growth(found: PositionCosts, name: str) -> str:
    measured, counted, order = found.exponent(name), found.theory_exponent(name), found.order(name)
    line = f"{HEADS[name]}: " + ("" if measured is None else f"measured ∝ T^{measured:.2f}")
    line += "" if counted is None else f", counted ∝ T^{counted:.2f}"
    return line + ("" if order is None else f"; in the end it {GROWTH[order]}")


def _as_dict(saved: SavedRun, found: PositionCosts) -> dict[str, Any]:
    def growth(names: Sequence[str]) -> dict[str, Any]:
        return {
            name: {"measured": found.exponent(name), "counted": found.theory_exponent(name),
                   "order": found.order(name)}
            for name in names
        }  # fmt: skip

    return {
        "run": str(saved.path.absolute()),
        "step": found.step,
        "reach": found.reach,
        "remade": found.is_remade,
        "points": [
            {"position": point.position, "measured": point.values, "counted": point.theory} for point in found.points
        ],
        "exponents": growth(found.quantities),
    }
