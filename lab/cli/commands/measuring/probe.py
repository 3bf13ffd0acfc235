"""`lm-lab probe`: readings of a finished run's model, by any registered probe."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lab.api import Reading
from lab.api.readings import FROM_ZERO
from lab.base.units import finite
from lab.cli.options import RUN_HELP, named_by_option
from lab.cli.output import print_json, print_text
from lab.host import Plugins
from lab.recipes import parse_assignment
from lab.workbench import SavedRun

Numbers: TypeAlias = NDArray[Any]

MOST = 16
"""Most positions along an axis that are printed one by one."""
OF_THE_TEXT = ("batch", "token", "query", "key", "source")
"""Axes along a text, which are summarised and not printed value by value."""
LABELS = {"batch": "row", "layer": "block", "vocabulary": "symbol"}
"""Labels of axes that differ from their names."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab probe`."""
    parser.add_argument("run", metavar="RUN", help=RUN_HELP)
    parser.add_argument("--probe", metavar="NAME", default="reports", help="the probe; reports is the lab's own")
    parser.add_argument("--text", metavar="TEXT", help="the text to read; without one, the run's probe text")
    parser.add_argument(
        "--set", metavar="SETTING=VALUE", action="append", default=[], help="a setting of the probe; may be repeated"
    )
    parser.add_argument("--device", metavar="D", default="cpu", help="auto, cpu, cuda, cuda:1, mps")


@named_by_option({"training.device": "--device", "readings.probes": "--probe", "text": "--text"})
def run(arguments: argparse.Namespace, plugins: Plugins) -> int:
    """Print the shape and figures of each reading; with --json all values."""
    saved = SavedRun.find(arguments.run, plugins)
    settings: dict[str, object] = {}
    for assignment in arguments.set:
        settings = {**settings, **parse_assignment(assignment)}
    readings = saved.probe(arguments.probe, arguments.text, settings=settings, device=arguments.device)
    if arguments.json:
        print_json({"run": str(saved.path.absolute()), "readings": [as_dict(reading) for reading in readings]})
        return 0
    for reading in readings:
        print_text("\n".join(lines(reading)))
    return 0


def lines(reading: Reading) -> list[str]:
    """Return a reading as lines of text: its shape, figures for each of its quantities, and named coordinates."""
    block = "" if reading.layer is None else f"block {reading.layer + 1}, "
    shape = " × ".join(map(_counted, reading.values.shape, reading.axes))
    head = f"{block}{reading.name} ({shape or 'one number'})"
    quantities = reading.coordinates.get("quantity")
    along = [axis for axis in reading.axes if axis != "quantity" or quantities is None]
    size = reading.values.shape[reading.axes.index(along[0])] if along else 0
    few = len(along) == 1 and along[0] not in OF_THE_TEXT and size <= MOST
    format_values = partial(_each, names=_names(reading, along[0], size)) if few else figures
    if quantities is None:
        lines = [f"{head}: {format_values(reading.values)} {reading.units or ''}".rstrip()]
    else:
        each = np.moveaxis(reading.values, reading.axes.index("quantity"), 0)
        lines = [f"{head}:"]
        units = [reading.quantity_units.get(str(quantity), reading.units or "") for quantity in quantities]
        lines += [
            f"  {quantity}: {format_values(values)} {unit}".rstrip()
            for quantity, values, unit in zip(quantities, each, units, strict=True)
        ]
    for axis, names in reading.coordinates.items():
        if axis != "quantity":
            lines.append(f"  {LABELS.get(axis, axis)}: {_listed(names)}")
    return lines


def figures(values: Numbers) -> str:
    """Return the smallest, largest and mean value, without NaN."""
    known = np.asarray(values, np.float64) + 0.0  # no −0
    numbers = known[~np.isnan(known)]
    if not numbers.size:
        return "no number" if known.size else "empty"
    if known.ndim == 0:
        return f"{known:.4g}"
    return f"{numbers.min():.4g} to {numbers.max():.4g}, mean {numbers.mean():.4g}"


def _each(values: Numbers, names: Sequence[str]) -> str:
    """Return each value after its name; a message if all are NaN."""
    if np.isnan(np.asarray(values, np.float64)).all():
        return figures(values)
    texts = (f"{value:.3g}" if values.dtype.kind == "f" else str(value) for value in values)
    return ", ".join(f"{name} = {value}" for name, value in zip(names, texts, strict=True))


def _names(reading: Reading, axis: str, size: int) -> list[str]:
    """Return the names of the positions along an axis: the reading's coordinates, or numbers as people count."""
    first = 0 if axis in FROM_ZERO else 1
    return list(map(_label, reading.coordinates.get(axis, range(first, first + size))))


def _counted(size: int, axis: str) -> str:
    """Return the size of an axis as text: "8 experts", "1 query"."""
    word = LABELS.get(axis, axis)
    more = f"{word[:-1]}ies" if word in ("query", "quantity") else f"{word}s"
    return f"{size} {word if size == 1 else more}"


def _label(name: str | float) -> str:
    return name if isinstance(name, str) else f"{name:.4g}"


def _listed(names: Sequence[str | float]) -> str:
    labels = list(map(_label, names))
    return ", ".join(labels) if len(labels) <= MOST else f"{labels[0]} to {labels[-1]}"


def as_dict(reading: Reading) -> dict[str, object]:
    """Return a reading for JSON; values that JSON cannot express become null."""
    numbers = reading.values.ravel().tolist()
    return {
        "name": reading.name,
        "layer": reading.layer,
        "path": reading.path,
        "axes": list(reading.axes),
        "shape": list(reading.values.shape),
        "units": reading.units,
        "quantity_units": dict(reading.quantity_units),
        "places": {axis: list(names) for axis, names in reading.coordinates.items()},
        "values": [finite(number) if isinstance(number, float) else number for number in numbers],
    }
