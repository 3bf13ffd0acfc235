"""Train every shipped recipe once, and store its curve and duration for the gallery of Home.

Run it after a recipe was added or changed: `python packaging/record_gallery.py`, or with the names of some recipes. It
trains with one thread, so that the seconds are those of one core of the machine that recorded them; with names, they
are converted to those of the machine that recorded the others.
"""

from __future__ import annotations

import json
import math
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np

from lab.recipes import QUICK_START, shipped, shipped_names
from lab.runs import RunFolder
from lab.runs.floor_list import read_floors
from lab.shell.home.machine import core_seconds
from lab.workbench import SavedRun, Workbench
from lab.workbench.analysis.curves import Curves
from lab.workbench.analysis.floors import FloorFinder

POINTS = 48
"""Most points of a stored curve."""
FILE = Path(__file__).resolve().parents[1] / "resources" / "gallery.json"
TOKENS = 260
"""Tokens of the text that the model of the quick start writes."""


def curve(folder: RunFolder) -> dict[str, Any]:
    """Return the validation loss and the smoothed training loss of a run, (step, nats) each, and its floors."""
    curves = Curves()
    curves.fill(folder.metrics())
    floors = {**folder.status().summary.get("floors", {}), **read_floors(folder.path)}
    found: dict[str, Any] = {"steps": int(folder.status().step)}
    for name, values in (
        ("train", curves.smoothed("train loss", 0.9)),
        ("validation", curves.values("validation loss")),
    ):
        steps = curves.steps(f"{name} loss")
        picked = sorted({round(index) for index in np.linspace(0, len(steps) - 1, min(POINTS, len(steps)))})
        found[name] = [[int(steps[index]), round(float(values[index]), 3)] for index in picked]
    found["floors"] = {name: round(nats, 3) for name, nats in floors.items() if nats is not None}
    return found


def sample(run: SavedRun) -> list[list[Any]]:
    """Return a text that the model of a run writes, token by token, with the surprisal of each in bits."""
    pieces = run.generate("The ", settings={"temperature": 0.8}, seed=1, count=TOKENS)
    return [[piece.text, round(-math.log2(max(piece.probability, 1e-9)), 1)] for piece in pieces]


def main(names: list[str]) -> None:
    """Record some recipes, or all of them, and write the file."""
    import torch

    torch.set_num_threads(1)
    recorded: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {"curves": {}}
    here = core_seconds()
    reference = recorded.get("core_seconds", here) if names else here
    recorded["core_seconds"] = round(reference, 4)
    for name in names or shipped_names():
        with tempfile.TemporaryDirectory() as home:
            os.environ["LAB_HOME"] = home
            workbench = Workbench(floors=False)
            before = time.process_time()
            run = workbench.start(shipped(name))
            run.wait_out()
            seconds = (time.process_time() - before) * reference / here
            if run.problem is not None:
                raise SystemExit(f"{name}: {run.problem.line()}")
            saved = workbench.open(run.path)
            if name == QUICK_START:
                finder = FloorFinder(workbench.plugins)
                finder.find_missing(saved.folder)
                finder.join()
            recorded["curves"][name] = {"seconds": round(seconds, 1), **curve(saved.folder)}
            if name == QUICK_START:
                recorded["sample"] = sample(saved)
            workbench.close()
        recorded["curves"] = dict(sorted(recorded["curves"].items()))
        FILE.write_text(json.dumps(recorded, separators=(",", ":")) + "\n", encoding="utf-8")
        sys.stdout.write(f"{name}: {seconds:.0f} s of one core\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
