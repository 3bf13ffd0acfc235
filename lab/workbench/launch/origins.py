"""Origins of a run: a recipe, its own last checkpoint, or a checkpoint of another run."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.api import settings_of
from lab.base import BadInput, LabError
from lab.base.files.reading import exists
from lab.base.notices import notify
from lab.base.run_state import RunState
from lab.base.system.room import check_room
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs import RunFolder, new_run_folder
from lab.runs.fitting import FITTED_TO
from lab.runs.library.differences import english_label
from lab.runs.library.titles import name_in_the_lab
from lab.runs.origin import differences, provenance
from lab.workbench.launch import known_corpora
from lab.workbench.launch.live_edits import in_force
from lab.workbench.launch.resume import (
    check_may_restart,
    is_finished,
    load,
    newest,
    prepare_as_before,
    readable_edits,
    recipe_here,
    restore_trainer,
)

if TYPE_CHECKING:
    import torch

    from lab.layers import LanguageModel
    from lab.runs.writer_lock import WriterLock
    from lab.training.experiment import Experiment
    from lab.training.resolution import Resolved
    from lab.training.trainer import Trainer


class NewRun:
    """A run that starts from a recipe.

    Args:
        recipe: The recipe, with the path of its corpus on this machine.
        out: A new or empty folder for it; None makes one among the lab's runs.
        name: Its name; "" finds one when its folder is made.

    Attributes:
        run: The run's folder; None until it is made.
        is_new: True if the folder is made for this run.
    """

    is_new = True

    def __init__(self, recipe: Recipe, out: Path | None, name: str = "") -> None:
        self.recipe, self.out, self.name = recipe, out, name
        self.run: RunFolder | None = None
        self._made_folder = False  # True if the folder did not exist before
        self._lock: WriterLock | None = None

    @property
    def request(self) -> dict[str, Any]:
        """The request as plain data, for `lab.workbench.launch.request.origin_of`; paths are absolute."""
        recipe = known_corpora.with_absolute_path(self.recipe).to_toml()
        return {"recipe": recipe, "out": absolute(self.out), "name": self.name}

    def prepare(
        self, plugins: Plugins, progress: Callable[[float, str], None], cancelled: Callable[[], bool]
    ) -> Experiment:
        """Return everything that the recipe names.

        Args:
            plugins: The plugins that provide its cards.
            progress: Called during long work with the share that is done and what is being done.
            cancelled: Called now and then; True ends the preparation.

        Raises:
            BadInput: Something in the recipe cannot be used.
            LabError: A plugin's code raised, or the run cannot be read.
            Cancelled: It was cancelled.
        """
        from lab.training.experiment import check_recipe, prepare

        if self.recipe.adapter.name != NONE:
            check_recipe(self.recipe, plugins)  # its settings first
            raise BadInput(
                "an adapter is trained on the weights of a run, and this run starts without any",
                field="adapter.name",
                value=self.recipe.adapter.name,
                remedy="Start from a run, as in: lm-lab train --from RUN --set adapter.name=lora",
            )
        return prepare(self.recipe, plugins, progress=progress, cancelled=cancelled)

    def open(self, experiment: Experiment, facts: Mapping[str, Any]) -> RunFolder:
        """Return the run's folder, which only this process writes from now on.

        Args:
            experiment: The prepared experiment.
            facts: The facts about how the run was made.
        """
        try:
            known_corpora.remember(experiment.recipe, experiment.corpus["sha256"])
        except LabError as error:
            notify("warning", error.problem)
        stored = known_corpora.portable(experiment.recipe).to_toml()
        config = type(experiment.architecture.config)
        counted = {each.name: each.counted for each in settings_of(config, prefix="architecture.") if each.counted}
        self.name = self.name or name_in_the_lab(stored, english_label(counted))
        path = self.out or new_run_folder(experiment.recipe.architecture.name)
        self._made_folder = self.out is None or not exists(path)
        self.run = RunFolder.create(path, stored, {**facts, "name": self.name})
        self._lock = self.run.write_alone()
        return self.run

    def give_weights(self, experiment: Experiment, model: LanguageModel) -> None:
        """Give a model of the experiment the weights that the training starts with; those of a new run stay.

        Raises:
            BadInput: They do not fit the model.
            LabError: They cannot be read.
        """

    def restore(self, trainer: Trainer) -> None:
        """Bring a trainer that has made no step to the point where the training continues.

        Raises:
            BadInput: The training cannot continue there.
            LabError: The checkpoint cannot be read.
        """

    def started(self, trainer: Trainer) -> None:
        """Finish the start before the first step; the reports of the trainer are recorded from here on."""

    def discard(self) -> None:
        """Remove the folder of a run that never started, or only its content if the folder existed before."""
        if self.run is None:
            return
        for path in [self.run.path] if self._made_folder else list(self.run.path.iterdir()):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        self.run = None

    def release(self) -> None:
        """Let another process write the run."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None


class ResumedRun(NewRun):
    """A run that ended, or whose process died, resumed from its last checkpoint.

    Args:
        run: The run.
        steps: The new number of steps after which it is finished; None leaves it unchanged.
        corpus: Path of its corpus; None searches for it.

    Raises:
        BadInput: Its corpus is not found, or its recipe has a setting that is not allowed.
    """

    is_new = False

    def __init__(self, run: RunFolder, steps: int | None = None, corpus: Path | None = None) -> None:
        super().__init__(recipe_here(run, corpus), run.path)
        self.run: RunFolder = run
        self._steps, self._corpus = steps, corpus

    @property
    def request(self) -> dict[str, Any]:
        """The request as plain data."""
        return {"resume": absolute(self.run.path), "steps": self._steps, "corpus": absolute(self._corpus)}

    def prepare(
        self, plugins: Plugins, progress: Callable[[float, str], None], cancelled: Callable[[], bool]
    ) -> Experiment:
        """Return everything that the recipe names, as it was when the run started."""
        check_room()
        self._lock = self.run.write_alone()
        experiment = prepare_as_before(self.run, self.recipe, plugins, progress=progress, cancelled=cancelled)
        tokenizer = plugins.card("tokenizers", experiment.recipe.tokenizer.name)
        if tokenizer.fitted_to == "training" and experiment.corpus.get(FITTED_TO) == "all":
            notify("info", FITTED_TO_ALL)
        return experiment

    def open(self, experiment: Experiment, facts: Mapping[str, Any]) -> RunFolder:
        """Return the existing folder, with its facts unchanged."""
        del experiment, facts
        return self.run

    def discard(self) -> None:
        """Leave the existing folder unchanged."""

    def restore(self, trainer: Trainer) -> None:
        """Continue from the last checkpoint that can be read, or from the start if there is none."""
        run, loaded = self.run, newest(self.run)
        if loaded is None:
            check_may_restart(run)
        restore_trainer(trainer, run, loaded, readable_edits(run))
        if self._steps is not None:
            trainer.learner.check_live("training.steps", self._steps)
        elif trainer.step >= trainer.last_step and is_finished(run):
            raise BadInput(
                f"this run is finished after {trainer.last_step:,} steps",
                field="run",
                value=run.name,
                remedy=MORE_TEXT if trainer.model.learns == "counting" else MORE_STEPS,
            )
        run.rewind(trainer.step)
        run.update(state=RunState.RUNNING, step=trainer.step)

    def started(self, trainer: Trainer) -> None:
        """Record that the run continues, and what differs from its first start."""
        differs = differences(self.run.facts, {**provenance(), "placement": trainer.experiment.placement.as_dict()})
        trainer.log.event("continued", trainer.step, differs=differs)
        if self._steps is not None:
            trainer.change("training.steps", self._steps)


class BranchedRun(NewRun):
    """A new run that starts from a checkpoint of another one.

    It goes on with the steps, the schedule and the optimizer of the other one; or it begins again at step 0 with its
    weights alone, which an adapter that the other one does not have always does, and another objective: the head is a
    new one then, unless it has the same shape.

    Args:
        parent: The other run.
        step: The step of its checkpoint.
        changes: Settings that differ from the parent's, "path=value" each.
        out: A new or empty folder for it; None makes one among the lab's runs.
        name: Its name; "" finds one when its folder is made.
        weights_only: Whether it begins at step 0.

    Raises:
        BadInput: There is no such checkpoint, or a change is not allowed.
        LabError: The checkpoint cannot be read.
    """

    def __init__(
        self,
        parent: RunFolder,
        step: int,
        changes: Sequence[str],
        out: Path | None,
        name: str = "",
        *,
        weights_only: bool = False,
    ) -> None:
        from lab.training.recording.checkpoints import load_facts

        steps = parent.checkpoint_steps()
        if step not in steps:
            raise BadInput(
                "this run has no checkpoint of that step",
                field="--from",
                value=str(step),
                allowed=", ".join(map(str, steps)) or "none: it has no checkpoint yet",
            )
        self._parent, self._step, self._changes = parent, step, tuple(changes)
        self._facts = load_facts(parent.checkpoint_folder(step))
        recipe = in_force(recipe_here(parent, None, changes), self._facts)
        before, objective = recipe.adapter, recipe.objective.name
        self._parent_adapter: Resolved | None = None
        if any(change.startswith("training.steps=") for change in changes):
            changes = [*changes, "training.budget="]  # from which the steps would follow
        recipe = recipe.with_assignments(*changes)
        self._parent_has, self._adapts = before.name, recipe.adapter != before
        self._other_task = recipe.objective.name != objective
        self._weights_only = weights_only or self._adapts or self._other_task
        if self._weights_only:
            recipe = recipe.with_values({"training": {"edits": []}}).with_assignments(*changes)
        if recipe.training.steps <= step and not self._weights_only:
            raise BadInput(
                f"the run branches off after {step:,} steps",
                field="training.steps",
                value=str(recipe.training.steps),
                allowed=f"more than {step:,}",
                remedy=f"Set a larger total number of steps: --set training.steps={2 * step or 1000}",
            )
        super().__init__(recipe, out, name)

    @property
    def request(self) -> dict[str, Any]:
        """The request as plain data."""
        changes, run = list(self._changes), absolute(self._parent.path)
        return {
            "branch": run, "step": self._step, "changes": changes, "out": absolute(self.out), "name": self.name,
            "weights_only": self._weights_only,
        }  # fmt: skip

    def prepare(
        self, plugins: Plugins, progress: Callable[[float, str], None], cancelled: Callable[[], bool]
    ) -> Experiment:
        """Return everything that the recipe names; the parent's vocabulary is used."""
        from lab.training.resolution import resolve

        if self._parent_has != NONE:
            before = self._parent.read_recipe().adapter
            self._parent_adapter = resolve(plugins, "adapters", before, "adapter")
        return prepare_as_before(
            self._parent, self.recipe, plugins, same_text=False, progress=progress, cancelled=cancelled
        )

    def open(self, experiment: Experiment, facts: Mapping[str, Any]) -> RunFolder:
        """Return a new folder, whose facts name the parent."""
        parent = {
            "id": self._parent.id,
            "name": self._parent.name,
            "step": self._step,
            "changes": list(self._changes),
            **({"weights_only": True} if self._weights_only else {}),
        }
        inherited = {name: self._parent.facts[name] for name in INHERITED if name in self._parent.facts}
        return super().open(experiment, {**facts, **inherited, "parent": parent})

    def restore(self, trainer: Trainer) -> None:
        """Load the weights, and unless the run begins again as much of the training's state as fits."""
        if self._weights_only:
            if trainer.experiment.processes.sharded:
                what = "a training from the weights of a run cannot start with parts of them in each process"
                raise BadInput(what, field="--shard", remedy="Leave it out")
            self.give_weights(trainer.experiment, trainer.model)
        else:
            self._go_on(trainer, *load(self._parent, self._step))
        self._store_base(trainer)

    def give_weights(self, experiment: Experiment, model: LanguageModel) -> None:
        """Give a model the weights of the parent, whose adapter is folded in if the model has another one or none."""
        from lab.training.adapters.attaching import initialise, on_base
        from lab.training.adapters.bases import grown, transferred
        from lab.training.experiment import without_adapter

        if self._other_task and self._parent_adapter is not None:
            raise BadInput(
                "the run has an adapter, which belongs to the task that it learned",
                field="objective.name",
                value=self.recipe.objective.name,
                remedy="Fold it into the weights first: start a run from it with --set adapter.name=none",
            )
        tables, _, _ = load(self._parent, self._step)
        try:
            if self._adapts and self._parent_adapter is not None:
                tables = without_adapter(experiment, self._parent_adapter, tables)
            if self._other_task:
                model.load_tables(transferred(model, tables))
            else:
                model.load_tables(grown(model, on_base(model, tables) if self._adapts else tables))
        except (ValueError, KeyError, TypeError, AttributeError, RuntimeError) as error:
            raise self._longer(experiment) or _unfit(error) from None
        if self._adapts:
            initialise(model, experiment.recipe.training.seed)

    def _longer(self, experiment: Experiment) -> BadInput | None:
        """Return the error for an adapter that leaves less room for the text than the parent has; None for others."""
        from lab.training.adapters.attaching import adapter_of

        adapter, length = adapter_of(experiment.adapter), experiment.task.context_length
        room = 0 if adapter is None else adapter.task(experiment.task).context_length - length
        if not room or self._parent.read_recipe().training.context_length != length:
            return None
        return BadInput(
            f"the model has learned {length} positions, and the adapter takes {room} of them",
            field="training.context_length",
            value=length,
            allowed=f"{length - room}",
            remedy=f"Set training.context_length={length - room}, or choose a model without learned positions",
        )

    def _store_base(self, trainer: Trainer) -> None:
        """Store the weights that the adapter leaves as they are, so that the run does not need the parent."""
        from lab.training.adapters.attaching import stored_tables
        from lab.training.recording.checkpoints import save_base

        _, fixed = stored_tables(trainer.model)
        if fixed and self.run is not None:
            save_base(self.run.path, fixed)

    def _go_on(
        self,
        trainer: Trainer,
        tables: dict[str, torch.Tensor],
        tensors: dict[str, torch.Tensor],
        facts: dict[str, Any],
    ) -> None:
        """Continue with the parent's state."""
        from lab.training.steps.averaging import AVERAGE, CONTINUES_FROM_MEAN, LAST, last_weights

        before, now = in_force(self._parent.read_recipe(), self._facts), self.recipe
        same_optimizer = before.training.optimizer.name == now.training.optimizer.name
        same_rows = before.objective == now.objective and all(
            getattr(before.training, name) == getattr(now.training, name)
            for name in ("batch_size", "accumulation", "context_length")
        )
        of_mean = ("averaging", "average", "average_every", "average_decay", "steps")
        same_tail = all(getattr(before.training, one) == getattr(now.training, one) for one in of_mean)
        if same_optimizer:  # its state belongs to the weights of the last step, not to their mean
            tables = {**tables, **last_weights(tensors)}
            if AVERAGE in tensors and not last_weights(tensors) and self._step == before.training.steps:
                notify("warning", CONTINUES_FROM_MEAN)
        if not same_tail:
            tensors = {name: tensor for name, tensor in tensors.items() if not name.startswith((AVERAGE, LAST))}
        facts = {
            "examples": self._step * before.training.batch_size,
            **facts,
            "evaluated": False,  # the stored loss is the parent's, maybe of another text
            "validation_loss": None,
            "optimizer": facts.get("optimizer", {}) if same_optimizer else {},
            "groups": facts.get("groups", []) if same_optimizer else [],
            "carries": facts.get("carries", {}) if same_rows else {},
            "live": {"architecture": {}, "training": {}, "optimizer": {}},  # they are in the recipe
            "edits": {},
            "early": {},
            "schedule": facts.get("schedule", {}) if before.training.schedule == now.training.schedule else {},
            "best": None,
        }
        try:
            trainer.load_state_dict(tables, tensors, facts)
        except (ValueError, KeyError, TypeError, AttributeError, RuntimeError) as error:
            raise _unfit(error) from None

    def started(self, trainer: Trainer) -> None:
        """Store a checkpoint of the start, since the parent may be deleted."""
        trainer.log.event("branched", trainer.step, parent=self._parent.name)
        trainer.save_checkpoint("start")


FITTED_TO_ALL = (
    "the tokenizer of this run was fitted to all of its text by an older version, the validation part included: "
    "its bits per byte look better than those of new runs"
)
INHERITED = ("pretrained",)
"""Facts of a run that its branches inherit: where the first weights came from."""
NONE = "none"
"""The adapter of a recipe whose weights are all trained."""
MORE_STEPS = "Set a larger total number of steps: --steps N"
MORE_TEXT = "It has read all of its text; start a new run with a longer text"


def _unfit(error: Exception) -> BadInput:
    """Return the error for weights that do not fit the model."""
    return BadInput(
        f"the weights of the run do not fit the model of these settings: {error}",
        field="architecture",
        remedy="Change only settings that keep the shapes of the weights, or start a new run",
    )


def absolute(path: Path | None) -> str | None:
    """Return the absolute path; None for None."""
    return None if path is None else str(path.expanduser().absolute())
