"""The teacher of a training: a run on disk whose predictions the model learns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lab.base import BadInput
from lab.base.folders import runs_folder
from lab.host import Plugins
from lab.runs import RunFolder, resolve_checkpoint
from lab.runs.records import plain
from lab.workbench.access.saved import SavedRun

if TYPE_CHECKING:
    from lab.training.experiment import Experiment


def give_teacher(experiment: Experiment, plugins: Plugins, near: Path | None = None) -> None:
    """Let a prepared experiment learn from the teacher that its recipe names; its recipe then names the checkpoint.

    Args:
        experiment: The experiment; without a teacher it stays as it is.
        plugins: The plugins that provide the cards of the teacher.
        near: The folder of a run beside which the teacher is searched for, too; None for none.

    Raises:
        BadInput: There is no such run or checkpoint, or it has another vocabulary or task.
        LabError: The teacher is damaged.
    """
    from lab.training.distillation import FIELD, Distilled, check_teacher

    settings = experiment.recipe.distillation
    if not settings.teacher:
        return
    if experiment.recipe.training.separate_documents:
        what = "a teacher reads on across the borders of documents"
        raise BadInput(what, field="training.separate_documents", value="true", remedy="Switch it off")
    try:
        folder, step = _found(settings.teacher, near)
        saved = SavedRun(folder, plugins)
        step = next(reversed(folder.checkpoint_steps()), None) if step is None else step
        model = saved.model(step)
    except BadInput as error:
        remedy = error.problem.remedy or "Name a run of the same text and tokenizer, or leave the teacher out"
        raise BadInput(replace(error.problem, field=FIELD, value=settings.teacher, remedy=remedy)) from None
    check_teacher(model, experiment.task, settings)
    if folder.facts.get("vocabulary") != plain(experiment.corpus["vocabulary"]):
        raise BadInput(
            "this teacher has another vocabulary: its symbols are not those of this run",
            field=FIELD,
            value=settings.teacher,
            remedy="Train both on the same text with the same tokenizer",
        )
    model = model.to(experiment.placement.device)
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    experiment.objective = Distilled(experiment.objective, model.eval(), settings)
    named = {"distillation": {"teacher": f"{folder.name}@{step}"}}
    experiment.recipe = experiment.recipe.with_values(named)


def _found(name: str, near: Path | None) -> tuple[RunFolder, int | None]:
    """Return the run that a text names, and the step.

    Of a run that goes on, the name is that of a folder in the lab or beside the run, and no beginning of another name.

    Raises:
        BadInput: There is none.
    """
    if near is None:
        return resolve_checkpoint(name)
    folder, _, step = name.rpartition("@")
    for parent in (near.absolute().parent, runs_folder()):
        if folder and Path(folder).name == folder and (parent / folder / "run.json").is_file():
            return RunFolder.open(parent / folder), int(step) if step.isdecimal() else None
    raise BadInput("there is no such run any more", remedy="Restore it from the bin or from a copy, under this name")
