"""Bias and variance of the arms of a study whose seeds draw data sets of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lab.base import BadInput
from lab.host import Plugins
from lab.recipes import Recipe
from lab.studies.statistics import Decomposition, decompose
from lab.workbench.access.saved import SavedRun
from lab.workbench.studies.results import ArmResult

if TYPE_CHECKING:
    from torch import Tensor

FEWEST = 10
"""Fewest data sets of which a variance is worth its name."""
ROWS = 2000
"""Rows at which models are compared."""
SEED = 2**40
"""The seed of those rows, which no study has."""


def decomposition_of(arm: ArmResult, plugins: Plugins) -> Decomposition:
    """Return the squared error of an arm as bias, variance and noise, on rows that none of its runs has read.

    Args:
        arm: The arm, of runs that predict numbers by squared error.
        plugins: The plugins.

    Raises:
        BadInput: It has too few runs, or another loss.
        LabError: A run is damaged, or a plugin's code raised.
    """
    import torch

    runs = [each.run for each in arm.trials if each.run is not None]
    recipe = arm.trials[0].trial.recipe
    if recipe.objective.name != "regression" or recipe.objective.settings.get("loss", "squares") != "squares":
        raise BadInput(
            "only a squared error is the sum of bias, variance and noise",
            field="objective.name",
            value=recipe.objective.name,
            remedy="Set objective.name=regression",
        )
    if len(runs) < FEWEST:
        raise BadInput("has too few data sets", field="seeds", value=len(runs), allowed=f"at least {FEWEST}")
    inputs, rule, noise = _rows(recipe, plugins)
    found = []
    for run in runs:
        with SavedRun.find(run.path, plugins).borrow_for_evaluation("cpu") as borrowed, torch.no_grad():
            found.append(borrowed.model(inputs.to(borrowed.device)).double().cpu().numpy())
    return decompose(arm.name, np.stack(found), rule, noise)


def _rows(recipe: Recipe, plugins: Plugins) -> tuple[Tensor, NDArray[np.float64], float | None]:
    """Return inputs (N, F) of new rows, what the rule gives for them (N, K), and the variance of the noise."""
    import torch

    from lab.training.experiment import prepare

    plain = {"device": "cpu", "validation_share": 0.1, "optimizer": {"name": "adamw"}}  # that needs no full batch
    fresh = recipe.with_values({"corpus": {"seed": SEED, "rows": ROWS}, "training": plain})
    noise = prepare(fresh, plugins).floors.get("noise")
    if noise is not None:
        fresh = fresh.with_values({"corpus": {"noise": 0.0}})
    experiment = prepare(fresh, plugins)
    source: Any = experiment.train
    read = source.ordered().rows(np.arange(source.examples), 0)
    return torch.from_numpy(read["inputs"]), np.asarray(read["numbers"], np.float64), noise
