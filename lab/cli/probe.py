"""`lm-lab probe`: readings of a finished run's model, by any registered probe."""

from __future__ import annotations

import argparse

import numpy as np

from lab.api import Reading
from lab.base.units import finite
from lab.cli.options import RUN_HELP, told_by_option
from lab.cli.output import print_json
from lab.host import Plugins
from lab.recipes import parse_assignment
from lab.workbench import SavedRun


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
        layer = "" if reading.layer is None else f"layer {reading.layer}, "
        shape = " × ".join(f"{size} {axis}" for size, axis in zip(reading.values.shape, reading.axes, strict=True))
        values = reading.values.astype(np.float64)
        figures = f"{values.min():.4g} to {values.max():.4g}, mean {values.mean():.4g}" if values.size else "empty"
        print(f"{layer}{reading.name} ({shape or 'one number'}): {figures} {reading.units or ''}".rstrip())
    return 0


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
        "values": [finite(number) if isinstance(number, float) else number for number in numbers],
    }
