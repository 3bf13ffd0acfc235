"""One run in several processes, as torchrun starts them: the first one writes the run, the others train beside it."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lab.base import BadInput, LabError
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs.fitting import FITTED_TO
from lab.workbench.launch.known_corpora import with_absolute_path

if TYPE_CHECKING:
    from lab.training.experiment import Experiment
    from lab.training.processes import Processes
    from lab.training.trainer import Trainer


def is_started_with_others() -> bool:
    """Return True if torchrun started this process among several, as its variables say."""
    return "RANK" in os.environ and int(os.environ.get("WORLD_SIZE") or 1) > 1


def share_experiment(experiment: Experiment) -> None:
    """Join the other processes, if torchrun started this one among several, and tell them what is trained.

    Args:
        experiment: The prepared experiment, which then knows its processes.

    Raises:
        BadInput: They cannot be reached, or cannot share this training.
    """
    if not is_started_with_others():
        return
    from lab.training.processes import join

    processes = experiment.processes = join()
    if experiment.recipe.distillation.teacher and not processes.alone:
        raise BadInput(
            "each process would need the teacher", field="distillation.teacher", remedy="Train in one process"
        )
    experiment.placement = processes.placed(experiment.placement)
    corpus = experiment.corpus
    processes.led(
        {
            "recipe": with_absolute_path(experiment.recipe).to_toml(),
            "vocabulary": corpus["vocabulary"],
            "sha256": corpus["sha256"],
            "fitted": corpus.get(FITTED_TO),
        }
    )


def share_state(trainer: Trainer) -> None:
    """Let the other processes start at the same point; what the trainer loaded, they have loaded with it.

    Raises:
        BadInput: It starts with the weights of another run, and each process would hold a part of them.
    """
    processes = trainer.experiment.processes
    if processes.alone:
        return
    processes.led({"loads": False, "steps": trainer.learner.training.steps})
    if not processes.sharded:
        processes.led_tensors(trainer.model.tables())


def train_alongside(plugins: Plugins) -> None:
    """Train in this process beside the one that writes the run, until that has ended.

    Raises:
        BadInput: The others cannot be reached.
        LabError: The training failed.
    """
    from lab.training.experiment import prepare
    from lab.training.material import Fitted
    from lab.training.processes import join, leave_others
    from lab.training.trainer import Trainer

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal: the leading process stops all
    processes = join()
    start = _led(processes)
    recipe = Recipe.from_toml(start["recipe"])
    share = 1 - recipe.training.validation_share
    experiment = prepare(
        recipe,
        plugins,
        vocabulary=start["vocabulary"],
        sha256=start["sha256"],
        fitted=Fitted(start["fitted"], start["sha256"], share) if start["fitted"] else None,
    )
    placement = processes.placed(experiment.placement)
    trainer = Trainer(replace(experiment, processes=processes, placement=placement))
    while (point := _led(processes))["loads"]:
        trainer.load_state_dict({}, {}, {})
    if not processes.sharded:
        trainer.model.load_tables(processes.led_tensors({}))
    if point["steps"] != trainer.learner.training.steps:
        trainer.change("training.steps", point["steps"])
    trainer.run()
    leave_others()
    if trainer.problem is not None:
        raise LabError(trainer.problem)


def _led(processes: Processes) -> Any:
    """Return what the leading process shares."""
    return processes.led(None)
