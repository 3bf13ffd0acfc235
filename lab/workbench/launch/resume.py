"""The sources of a resumed run: its recipe with the corpus on this machine, its checkpoints, its live edits."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from lab.base import BadInput, LabError
from lab.base.notices import notify
from lab.base.run_state import RunState
from lab.host import Plugins
from lab.recipes import Edit, Recipe
from lab.runs import RunFolder
from lab.runs.readings import reading_sizes
from lab.workbench.launch import known_corpora
from lab.workbench.launch.live_edits import edits_of

if TYPE_CHECKING:
    import torch

    from lab.training.experiment import Experiment
    from lab.training.trainer import Trainer

Loaded: TypeAlias = "tuple[dict[str, torch.Tensor], dict[str, torch.Tensor], dict[str, Any]]"
"""A loaded checkpoint: the model's tables, the training's tensors, and the facts."""


def recipe_here(run: RunFolder, corpus: Path | None, changes: Sequence[str] = ()) -> Recipe:
    """Return a run's recipe with the path of its corpus on this machine, unless the corpus is changed.

    Raises:
        BadInput: The corpus is not found, or the recipe has a setting that is not allowed.
    """
    recipe = run.read_recipe()
    if any(change.startswith("corpus") for change in changes):
        return recipe
    if corpus is not None and known_corpora.path_of(recipe) is not None:
        return known_corpora.with_path(recipe, corpus)
    if corpus is not None:
        return recipe.with_values({"corpus": {"name": "file", "path": str(corpus)}})
    try:
        return known_corpora.localised(recipe, run)
    except BadInput as error:
        remedy = "Put that text next to the folder of the run, or resume the run with --corpus FILE"
        raise BadInput(replace(error.problem, remedy=remedy)) from None


def prepare_as_before(
    run: RunFolder,
    recipe: Recipe,
    plugins: Plugins,
    *,
    same_text: bool = True,
    progress: Callable[[float, str], None] = lambda *_: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Experiment:
    """Return everything that a run's recipe names, with the run's vocabulary, and on its device if this machine has it.

    Raises:
        BadInput: The corpus is another text, or something in the recipe cannot be used.
        LabError: A plugin's code raised.
    """
    from lab.training.devices import restored_placement
    from lab.training.experiment import prepare

    vocabulary = run.facts.get("vocabulary")
    experiment = prepare(
        recipe,
        plugins,
        vocabulary=vocabulary if isinstance(vocabulary, dict) else None,
        sha256=known_corpora.sha256_of(run) if same_text else None,
        fitted=known_corpora.fitted_in(run),
        progress=progress,
        cancelled=cancelled,
    )
    with contextlib.suppress(LabError):  # reported when the run started
        known_corpora.remember(recipe, experiment.corpus["sha256"])
    stored = run.facts.get("placement")
    if isinstance(stored, dict) and recipe.training == run.read_recipe().training:
        experiment.placement = restored_placement(stored, experiment.placement)
    return experiment


def newest(run: RunFolder, before: int | None = None) -> Loaded | None:
    """Return the last checkpoint that can be read, skipping damaged ones with a notice; None if there is none.

    Args:
        run: The run.
        before: Only checkpoints of lower steps are considered; None considers all.
    """
    incomplete = {checkpoint.step for checkpoint in run.checkpoints() if not checkpoint.complete}
    for step in reversed(run.checkpoint_steps()):  # also those that cannot be listed, which are told
        if step not in incomplete and (before is None or step < before):
            try:
                return load(run, step)
            except LabError as error:
                notify("warning", replace(error.problem, remedy="An older checkpoint is used if there is one"))
    return None


def load(run: RunFolder, step: int) -> Loaded:
    """Return the model's tables, the training's tensors and the facts of a checkpoint.

    Raises:
        LabError: The checkpoint is damaged.
    """
    from lab.training.recording.checkpoints import load_model_tables, load_training

    folder = run.checkpoint_folder(step)
    tensors, facts = load_training(folder)
    if facts.get("step") != step:
        raise LabError("this checkpoint belongs to another step than its name says", field=f"checkpoints/{step}")
    counts = [facts.get("tokens"), facts.get("examples", 0)]
    numbers = [facts.get("seconds"), *(facts.get(name) or 0.0 for name in ("best", "validation_loss"))]
    if not (all(map(_is_count, counts)) and all(isinstance(number, int | float) for number in numbers)):
        raise LabError("this checkpoint has invalid values", field=f"checkpoints/{step}")
    return load_model_tables(folder), tensors, facts


def load_tables(run: RunFolder, step: int) -> dict[str, torch.Tensor] | None:
    """Return the model's tables of a checkpoint; None if there is none of that step, or it cannot be read."""
    from lab.training.recording.checkpoints import load_model_tables

    if step not in run.checkpoint_steps():
        return None
    with contextlib.suppress(LabError):
        return load_model_tables(run.checkpoint_folder(step))
    return None


def check_may_restart(run: RunFolder) -> None:
    """Refuse to restart a run from its recipe if that would lose what it has learned.

    Raises:
        LabError: The run is a branch without checkpoints, or none of its checkpoints can be used.
    """
    if run.parent is not None and not run.checkpoint_steps():
        raise LabError(
            "the checkpoint from which this run was branched is gone",
            field="run",
            value=run.name,
            remedy=f"Make a new branch of {run.parent.get('name')}",
        )
    if run.checkpoint_steps():
        raise LabError(
            "this run cannot be resumed from any of its checkpoints",
            field="run",
            value=run.name,
            remedy="Restore one from a copy, branch from one that has the weights, or start a new run with this recipe",
        )


def readable_edits(run: RunFolder) -> list[Edit]:
    """Return the live edits of a run; report a notice and return none if its events cannot be read."""
    try:
        return edits_of(run)
    except LabError as error:
        notify("warning", replace(error.problem, remedy="Live edits after the last checkpoint are not repeated"))
        return []


def is_finished(run: RunFolder) -> bool:
    """Return True if the run was stored as finished; having reached its last step is not enough."""
    with contextlib.suppress(LabError):
        return run.status().state == RunState.FINISHED
    return False


def restore_trainer(trainer: Trainer, run: RunFolder, loaded: Loaded | None, edits: Sequence[Edit]) -> None:
    """Bring a trainer to a checkpoint of its own run; live edits made after it will be repeated.

    Args:
        trainer: A trainer that has made no step.
        run: The run.
        loaded: The checkpoint; None leaves the trainer at the start.
        edits: All live edits of the run.

    Raises:
        LabError: The checkpoint, or a live edit, does not fit the recipe.
    """
    if loaded is None:
        trainer.repeat_edits(edits)
        return
    try:
        trainer.load_state_dict(*loaded, edits=edits)
    except (BadInput, ValueError, KeyError, TypeError, AttributeError, RuntimeError) as error:
        what = f"the checkpoint, or a live edit, does not fit the recipe: {str(error).rstrip('.')}"
        raise LabError(what, field="run", value=run.name, remedy="Use another copy of the run") from None
    sizes = reading_sizes(run.path)
    trainer.periodic.set_recorded({step: size for step, size in sizes.items() if step <= trainer.step})
    with contextlib.suppress(LabError):  # the mean of the recent losses includes those before the checkpoint
        _, losses = run.metrics().read("train loss", first=trainer.step - 99, last=trainer.step)
        trainer.learner.recent_losses.extend(losses.tolist())


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and 0 <= value < 2**63
