"""LM Lab: train, look into and compare language-model architectures.

From a notebook: `run = lab.train("recipe.toml")` trains and returns the run, `run = lab.open("last")` opens one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lab.recipes import Recipe
    from lab.workbench import SavedRun


def train(recipe: Recipe | str | Path, *, out: str | Path | None = None, enable: Sequence[str] = ()) -> SavedRun:
    """Trains a recipe to its end and opens the run.

    Args:
        recipe: A Recipe, or the path of a recipe file.
        out: A new or empty folder for the run; None makes one among the lab's runs.
        enable: Names of third-party plugins that run this time, whatever the settings say.

    Raises:
        BadInput: The recipe cannot be used; the problem names the field.
        LabError: The training failed; the problem says why.
    """
    from lab.host import Plugins
    from lab.recipes import Recipe
    from lab.workbench import Workbench
    from lab.workbench.launch.known_corpora import load_recipe

    bench = Workbench(Plugins.from_environment(enable))
    wanted = recipe if isinstance(recipe, Recipe) else load_recipe(Path(recipe).expanduser())
    run = bench.start(wanted, out=None if out is None else Path(out).expanduser())
    try:
        run.wait_out()
    finally:
        bench.close()
    return bench.open(run.path)


def open(run: str | Path, *, enable: Sequence[str] = ()) -> SavedRun:  # noqa: A001 - reads as lab.open
    """Opens a run: a folder, the name of a run in the lab's folder, the beginning of one, or "last".

    Args:
        run: Which.
        enable: As for `train`.

    Raises:
        BadInput: There is no such run.
        LabError: The run is damaged.
    """
    from lab.host import Plugins
    from lab.workbench import Workbench

    return Workbench(Plugins.from_environment(enable)).open(run)
