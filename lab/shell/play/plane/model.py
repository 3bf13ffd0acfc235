"""The state of the page Plane, without Qt: its recipe, the fit, and the settings that have sliders."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from lab.base.problems import LabError, Problem
from lab.host import Plugins
from lab.recipes import Recipe
from lab.training.corpus_fit import NO_TOKENIZER
from lab.training.resolution import data_kind
from lab.workbench.analysis.plane_fit import PlaneFit

EXAMPLE = {
    "corpus": {"name": "points", "shape": "spirals", "rows": 300, "noise": 0.05},
    "tokenizer": {"name": NO_TOKENIZER},
    "architecture": {"name": "mlp", "widths": [8, 8], "activation": "tanh", "initialisation": "xavier"},
    "objective": {"name": "classification"},
    "training": {
        "batch_size": 64,
        "clip": 0.0,
        "optimizer": {"name": "adamw", "learning_rate": 0.01, "weight_decay": 0.0},
    },
}
"""What the page shows while no run on vectors is selected."""
NOISE, ROWS, WIDTH, LAYERS = "corpus.noise", "corpus.rows", "units", "layers"
"""The sliders: settings of points, and the sizes of a network with hidden layers."""
MOST_ROWS, MOST_WIDTH, MOST_LAYERS = 500, 64, 8
FINEST = 100
"""Steps of a slider per unit of noise."""


class State(Enum):
    """The states of the page."""

    EMPTY = auto()
    """Nothing was opened."""
    LOADING = auto()
    """A fit is being made."""
    SHOWN = auto()
    """A fit."""
    REFUSED = auto()
    """The reason why there is none."""


@dataclass(frozen=True)
class Knob:
    """A slider.

    Args:
        name: NOISE, ROWS, WIDTH or LAYERS.
        low: Its least number.
        high: Its largest number.
        value: Its number; of NOISE in hundredths.
    """

    name: str
    low: int
    high: int
    value: int


class PlaneModel:
    """The state of the page Plane.

    Attributes:
        state: What is shown.
        recipe: The recipe of the fit; None before one was opened.
        fit: The fit; None while there is none.
        problem: Why there is none.
        number: The number of the last request; answers to earlier ones are dropped.
        trains: Whether the fit is to train.
    """

    def __init__(self) -> None:
        self.state = State.EMPTY
        self.recipe: Recipe | None = None
        self.fit: PlaneFit | None = None
        self.problem: Problem | None = None
        self.number = 0
        self.trains = False

    def open(self, recipe: Recipe) -> int:
        """Open another recipe; return the number of the request for its fit."""
        self.recipe, self.state, self.problem = recipe, State.LOADING, None
        self.number += 1
        return self.number

    def change(self, name: str, value: int) -> int | None:
        """Change what a slider stands for; return the number of the request for the new fit, None if it is the same."""
        if self.recipe is None:
            return None
        changed = self.recipe.with_values(assignment(self.recipe, name, value))
        return None if changed == self.recipe else self.open(changed)

    def take(self, number: int, fit: PlaneFit) -> bool:
        """Show a fit, with the points of the last one of this corpus; return False if another one was requested."""
        if number != self.number:
            return False
        last = self.fit
        if last is not None and last.recipe.corpus == fit.recipe.corpus:  # points that were moved stay
            fit.set_points(*last.points)
        self.fit, self.state = fit, State.SHOWN
        fit.train(self.trains)
        return True

    def refuse(self, number: int, problem: Problem) -> bool:
        """Note why there is no fit; return False if another one was requested meanwhile."""
        if number != self.number:
            return False
        self.fit, self.problem, self.state = None, problem, State.REFUSED
        return True

    def train(self, on: bool) -> None:
        """Train, or stop."""
        self.trains = on
        if self.fit is not None:
            self.fit.train(on)

    def knobs(self) -> list[Knob]:
        """Return the sliders that the recipe has."""
        if self.recipe is None:
            return []
        return knobs_of(self.recipe)


def knobs_of(recipe: Recipe) -> list[Knob]:
    """Return the sliders that a recipe has: of generated points their noise and number, of hidden layers the sizes."""
    found = []
    if recipe.corpus.name == "points":
        noise, rows = recipe.corpus.settings.get("noise", 0.15), recipe.corpus.settings.get("rows", 5000)
        found.append(Knob(NOISE, 0, FINEST // 2, round(FINEST * float(noise))))
        found.append(Knob(ROWS, 20, MOST_ROWS, min(MOST_ROWS, int(rows))))
    widths = recipe.architecture.settings.get("widths")
    if isinstance(widths, list):
        found.append(Knob(WIDTH, 1, MOST_WIDTH, min(MOST_WIDTH, max(map(int, widths), default=8))))
        found.append(Knob(LAYERS, 0, MOST_LAYERS, min(MOST_LAYERS, len(widths))))
    return found


def assignment(recipe: Recipe, name: str, value: int) -> dict[str, Any]:
    """Return the values of a recipe that the number of a slider stands for."""
    widths = list(recipe.architecture.settings.get("widths") or [])
    width = max(map(int, widths), default=8)
    if name == NOISE:
        return {"corpus": {"noise": value / FINEST}}
    if name == ROWS:
        return {"corpus": {"rows": value}}
    sizes = [value] * len(widths) if name == WIDTH else [width] * value
    return {"architecture": {"widths": sizes}}


def recipe_for(recipe: Recipe | None, plugins: Plugins) -> Recipe:
    """Return the recipe that the page opens: that of a run on vectors, else an example."""
    try:
        of_vectors = recipe is not None and data_kind(plugins, recipe.corpus) == "vectors"
    except LabError:
        of_vectors = False
    return recipe if recipe is not None and of_vectors else Recipe().with_values(EXAMPLE)
