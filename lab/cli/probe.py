"""`lm-lab probe`: readings of a finished run's model, by any registered probe."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lab.api import Reading
from lab.base.units import finite
from lab.cli.options import RUN_HELP, told_by_option
from lab.cli.output import print_json
from lab.host import Plugins
from lab.recipes import parse_assignment
from lab.workbench import SavedRun

Numbers: TypeAlias = NDArray[Any]

MOST = 16
"""Places along an axis that are printed one by one."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `lm-lab probe`."""
    parser.add_argument("run", metavar="RUN", help=RUN_HELP)
    parser.add_argument("--probe", metavar="NAME", default="reports", help="which one; reports is the lab's own")
    parser.add_argument("--text", metavar="TEXT", help="what the model reads; without one, the run's probe text")
    parser.add_argument(
        "--set", metavar="SETTING=VALUE", action="append", default=[], help="a setting of the probe; may be repeated"
    )
    parser.add_argument("--device", metavar="D", default="cpu", help="auto, cpu, cuda, cuda:1, mps")


@told_by_option({"training.device": "--device", "readings.probes": "--probe", "text": "--text"})
def run(arguments: argparse.Namespace, plugins: Plugins) -> int:
    """Prints what each reading is, and its figures; with --json all values."""
    saved = SavedRun.find(arguments.run, plugins)
    settings: dict[str, object] = {}
    for assignment in arguments.set:
        settings = {**settings, **parse_assignment(assignment)}
    readings = saved.probe(arguments.probe, arguments.text, settings=settings, device=arguments.device)
    if arguments.json:
        print_json({"run": str(saved.path.absolute()), "readings": [as_dict(reading) for reading in readings]})
        return 0
    for reading in readings:
        print("\n".join(lines(reading)))
    return 0


def lines(reading: Reading) -> list[str]:
    """A reading as text: its shape and figures, those of each quantity where it has several, and its named places."""
    layer = "" if reading.layer is None else f"layer {reading.layer}, "
    shape = " × ".join(f"{size} {axis}" for size, axis in zip(reading.values.shape, reading.axes, strict=True))
    head = f"{layer}{reading.name} ({shape or 'one number'})"
    quantities = reading.places.get("quantity")
    few = set(reading.axes) - {"quantity"} == {"expert"} and reading.values.shape[-1] <= MOST
    told_of = _each if few else figures
    if quantities is None:
        told = [f"{head}: {told_of(reading.values)} {reading.units or ''}".rstrip()]
    else:
        each = np.moveaxis(reading.values, reading.axes.index("quantity"), 0)
        told = [f"{head}:"]
        told += [
            f"  {quantity}: {told_of(values)} {reading.units or ''}".rstrip()
            for quantity, values in zip(quantities, each, strict=True)
        ]
    for axis, places in reading.places.items():
        if axis != "quantity":
            told.append(f"  {axis}: {_listed(places)}")
    return told


def figures(values: Numbers) -> str:
    """Least, largest and mean of the values that are numbers."""
    known = np.asarray(values, np.float64) + 0.0  # no −0
    numbers = known[~np.isnan(known)]
    if not numbers.size:
        return "no number" if known.size else "empty"
    if known.ndim == 0:
        return f"{known:.4g}"
    return f"{numbers.min():.4g} to {numbers.max():.4g}, mean {numbers.mean():.4g}"


def _each(values: Numbers) -> str:
    return ", ".join(f"{value:.3g}" for value in values)


def _listed(places: Sequence[str | float]) -> str:
    words = [place if isinstance(place, str) else f"{place:.4g}" for place in places]
    return ", ".join(words) if len(words) <= MOST else f"{words[0]} to {words[-1]}"


def as_dict(reading: Reading) -> dict[str, object]:
    """A reading as JSON has it; what JSON has no number for becomes null."""
    numbers = reading.values.ravel().tolist()
    return {
        "name": reading.name,
        "layer": reading.layer,
        "path": reading.path,
        "axes": list(reading.axes),
        "shape": list(reading.values.shape),
        "units": reading.units,
        "places": {axis: list(places) for axis, places in reading.places.items()},
        "values": [finite(number) if isinstance(number, float) else number for number in numbers],
    }
