"""Where the training of a run comes from: begun anew, taken up again, or branched off another run."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from lab.base import BadInput, LabError
from lab.base.notices import notify
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs import RunFolder, new_run_folder
from lab.runs.origin import differences, provenance
from lab.workbench import known_corpora
from lab.workbench.live_edits import edits_of, in_force

if TYPE_CHECKING:
    import torch

    from lab.runs.writer_lock import WriterLock
    from lab.training.experiment import Experiment
    from lab.training.trainer import Trainer

Loaded: TypeAlias = "tuple[dict[str, torch.Tensor], dict[str, torch.Tensor], dict[str, Any]]"
"""A checkpoint: the model's tables, the training's tensors, facts."""


class Anew:
    """A run that begins with a recipe and nothing else.

    Args:
        recipe: What is done, its corpus where it lies here.
        out: A new or empty folder for it; None makes one among the lab's runs.

    Attributes:
        run: The run's folder, once there is one.
    """

    def __init__(self, recipe: Recipe, out: Path | None) -> None:
        self.recipe, self.out = recipe, out
        self.run: RunFolder | None = None
        self._made_folder = False  # whether the folder was not there before
        self._lock: WriterLock | None = None

    @property
    def asked(self) -> dict[str, Any]:
        """What was asked for, as plain data for `lab.workbench.asked.origin_of`; paths are whole."""
        return {"recipe": known_corpora.with_whole_path(self.recipe).to_toml(), "out": whole(self.out)}

    def prepare(self, plugins: Plugins) -> Experiment:
        """Everything the recipe names.

        Raises:
            BadInput: Something in it cannot be used.
            LabError: A plugin's code raised, or the run cannot be read.
        """
        from lab.training.experiment import prepare

        return prepare(self.recipe, plugins)

    def open(self, experiment: Experiment, facts: Mapping[str, Any]) -> RunFolder:
        """The run's folder, of which this process is the only writer from now on.

        Args:
            experiment: The prepared experiment.
            facts: What is to be known of the run's making.
        """
        try:
            known_corpora.remember(experiment.recipe, experiment.corpus["sha256"])
        except LabError as error:
            notify("warning", error.problem)
        stored = known_corpora.portable(experiment.recipe)
        path = self.out or new_run_folder(experiment.recipe.architecture.name)
        self._made_folder = self.out is None or not path.exists()
        self.run = RunFolder.create(path, stored.to_toml(), facts)
        self._lock = self.run.write_alone()
        return self.run

    def take_up(self, trainer: Trainer) -> None:
        """Brings a trainer that has not begun to where the training goes on.

        Raises:
            BadInput: It cannot go on there.
            LabError: What it goes on from cannot be read.
        """

    def begun(self, trainer: Trainer) -> None:
        """Called when what the trainer tells is recorded, before its first step."""

    def leave_nothing(self) -> None:
        """Removes the folder of a run that never began; of one that was there before, and empty, what lies in it."""
        if self.run is None:
            return
        for path in [self.run.path] if self._made_folder else list(self.run.path.iterdir()):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        self.run = None

    def release(self) -> None:
        """Lets another one write the run."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None


class Resumed(Anew):
    """A run that ended, or whose process died, taken up where its last checkpoint was made.

    Args:
        run: The run.
        steps: Steps after which it is finished from now on; None leaves them.
        corpus: Where its corpus lies; None finds it.

    Raises:
        BadInput: Its corpus lies nowhere known, or its recipe holds what is not allowed.
    """

    def __init__(self, run: RunFolder, steps: int | None = None, corpus: Path | None = None) -> None:
        super().__init__(recipe_here(run, corpus), run.path)
        self.run: RunFolder = run
        self._steps, self._corpus = steps, corpus

    @property
    def asked(self) -> dict[str, Any]:
        """What was asked for, as plain data."""
        return {"resume": whole(self.run.path), "steps": self._steps, "corpus": whole(self._corpus)}

    def prepare(self, plugins: Plugins) -> Experiment:
        """Everything the recipe names, as it was when the run began."""
        self._lock = self.run.write_alone()
        return prepared_as_before(self.run, self.recipe, plugins)

    def open(self, experiment: Experiment, facts: Mapping[str, Any]) -> RunFolder:
        """The folder there is; what is known of its making stays."""
        del experiment, facts
        return self.run

    def leave_nothing(self) -> None:
        """It stays as it was."""

    def take_up(self, trainer: Trainer) -> None:
        """Goes on from the last checkpoint that can be read; from the beginning where there is none."""
        run = self.run
        bring_back(trainer, run, newest(run))
        if self._steps is not None:
            trainer.learner.check_live("training.steps", self._steps)
        elif trainer.step >= trainer.last_step:
            raise BadInput(
                f"this run is finished after {trainer.last_step:,} steps",
                field="run",
                value=run.name,
                remedy="Say how many steps it shall have in all: --steps N",
            )
        run.rewind(trainer.step)
        run.update(state="running", step=trainer.step)

    def begun(self, trainer: Trainer) -> None:
        """Tells that it goes on, and what is not as it was."""
        differs = differences(self.run.facts, {**provenance(), "placement": trainer.experiment.placement.as_dict()})
        trainer.log.event("continued", trainer.step, differs=differs)
        if self._steps is not None:
            trainer.change("training.steps", self._steps)


class Branched(Anew):
    """A new run that begins with what another one had learned up to a checkpoint.

    Args:
        parent: The other run.
        step: The step of its checkpoint.
        changes: Settings that differ from the parent's, "path=value" each.
        out: A new or empty folder for it; None makes one among the lab's runs.

    Raises:
        BadInput: There is no such checkpoint, or a change is not allowed.
        LabError: The checkpoint cannot be read.
    """

    def __init__(self, parent: RunFolder, step: int, changes: Sequence[str], out: Path | None) -> None:
        from lab.training.checkpoints import load_facts

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
        recipe = recipe.with_assignments(*changes)
        if recipe.training.steps <= step:
            raise BadInput(
                f"the run branches off after {step:,} steps",
                field="training.steps",
                value=str(recipe.training.steps),
                allowed=f"more than {step:,}",
                remedy=f"Say how many steps it shall have in all: --set training.steps={2 * step or 1000}",
            )
        super().__init__(recipe, out)

    @property
    def asked(self) -> dict[str, Any]:
        """What was asked for, as plain data."""
        changes, run = list(self._changes), whole(self._parent.path)
        return {"branch": run, "step": self._step, "changes": changes, "out": whole(self.out)}

    def prepare(self, plugins: Plugins) -> Experiment:
        """Everything the recipe names; its text is cut as the parent's was."""
        return prepared_as_before(self._parent, self.recipe, plugins, same_text=False)

    def open(self, experiment: Experiment, facts: Mapping[str, Any]) -> RunFolder:
        """A new folder, which names the parent."""
        parent = {
            "id": self._parent.id,
            "name": self._parent.name,
            "step": self._step,
            "changes": list(self._changes),
        }
        return super().open(experiment, {**facts, "parent": parent})

    def take_up(self, trainer: Trainer) -> None:
        """Takes over the weights, and of the training's state what still fits."""
        tables, tensors, facts = load(self._parent, self._step)
        before, now = Recipe.from_toml(self._parent.recipe), self.recipe
        same_optimizer = before.training.optimizer.name == now.training.optimizer.name
        same_rows = before.objective == now.objective and all(
            getattr(before.training, name) == getattr(now.training, name)
            for name in ("batch_size", "accumulation", "context_length")
        )
        facts = {
            "examples": self._step * before.training.batch_size,
            **facts,
            "optimizer": facts.get("optimizer", {}) if same_optimizer else {},
            "carries": facts.get("carries", {}) if same_rows else {},
            "live": {"architecture": {}, "training": {}, "optimizer": {}},  # they stand in the recipe
            "edits": {},
            "best": None,
        }
        try:
            trainer.go_on_from(tables, tensors, facts)
        except (ValueError, KeyError, RuntimeError) as error:
            raise BadInput(
                f"these settings make another model, into which the weights of the run do not fit: {error}",
                field="architecture",
                remedy="Change what leaves the shapes of the weights as they are, or start a new run",
            ) from None

    def begun(self, trainer: Trainer) -> None:
        """Keeps what it began with: the parent may be deleted."""
        trainer.log.event("branched", trainer.step, parent=self._parent.name)
        trainer.keep("start")


def whole(path: Path | None) -> str | None:
    """A path from the root on, so that it means the same in any folder."""
    return None if path is None else str(path.expanduser().absolute())


def recipe_here(run: RunFolder, corpus: Path | None, changes: Sequence[str] = ()) -> Recipe:
    """A run's recipe with its corpus where it lies here, or is said to lie, unless it is changed.

    Raises:
        BadInput: The corpus lies nowhere known, or the recipe holds what is not allowed.
    """
    recipe = Recipe.from_toml(run.recipe, name=f"{run.name}/recipe.toml")
    if any(change.startswith("corpus") for change in changes):
        return recipe
    if corpus is not None:
        return recipe.with_values({"corpus": {"name": "file", "path": str(corpus)}})
    return known_corpora.localised(recipe, run)


def prepared_as_before(run: RunFolder, recipe: Recipe, plugins: Plugins, *, same_text: bool = True) -> Experiment:
    """What a run's recipe names, cut by the run's own vocabulary and computed as it was, where that is possible here.

    Raises:
        BadInput: The corpus is another text, or something cannot be used.
        LabError: A plugin's code raised.
    """
    from lab.training.devices import placed_again
    from lab.training.experiment import prepare

    vocabulary = run.facts.get("vocabulary")
    experiment = prepare(
        recipe,
        plugins,
        vocabulary=vocabulary if isinstance(vocabulary, dict) else None,
        sha256=known_corpora.sha256_of(run) if same_text else None,
    )
    with contextlib.suppress(LabError):  # it was told when the run began
        known_corpora.remember(recipe, experiment.corpus["sha256"])
    stored = run.facts.get("placement")
    if isinstance(stored, dict) and recipe.training == Recipe.from_toml(run.recipe).training:
        experiment.placement = placed_again(stored, experiment.placement)
    return experiment


def newest(run: RunFolder, before: int | None = None) -> Loaded | None:
    """The last checkpoint from which a training can go on, older ones where newer are damaged; None without one.

    Args:
        run: The run.
        before: A step that it must not reach; None for any.
    """
    for checkpoint in reversed(run.checkpoints()):
        if checkpoint.whole and (before is None or checkpoint.step < before):
            try:
                return load(run, checkpoint.step)
            except LabError as error:
                notify("warning", replace(error.problem, remedy="An older checkpoint is taken"))
    return None


def load(run: RunFolder, step: int) -> Loaded:
    """The model's tables, the training's tensors and the facts of a checkpoint.

    Raises:
        LabError: It is damaged.
    """
    from lab.training.checkpoints import load_model_tables, load_training

    place = run.checkpoint_folder(step)
    tensors, facts = load_training(place)
    if facts.get("step") != step:
        raise LabError("this checkpoint is not of the step it stands under", field=f"checkpoints/{step}")
    return load_model_tables(place), tensors, facts


def load_tables(run: RunFolder, step: int) -> dict[str, torch.Tensor] | None:
    """The model's tables of a checkpoint; None where there is none of that step that can be read."""
    from lab.training.checkpoints import load_model_tables

    if step not in run.checkpoint_steps():
        return None
    with contextlib.suppress(LabError):
        return load_model_tables(run.checkpoint_folder(step))
    return None


def bring_back(trainer: Trainer, run: RunFolder, loaded: Loaded | None) -> None:
    """Brings a trainer to a checkpoint of its own run, with the live edits that people made behind it still to come.

    Args:
        trainer: A trainer that has not begun.
        run: The run.
        loaded: The checkpoint; None leaves the trainer at the beginning.

    Raises:
        LabError: The checkpoint does not fit its recipe, or what happened in the run cannot be read.
    """
    edits = edits_of(run)
    if loaded is None:
        trainer.go_again(edits)
        return
    try:
        trainer.go_on_from(*loaded, edits=edits)
    except (ValueError, KeyError, TypeError, RuntimeError) as error:
        what = f"the checkpoint does not fit its recipe: {error}"
        raise LabError(what, field="run", value=run.name, remedy="Use another copy of the run") from None
    with contextlib.suppress(LabError):  # the mean of the last losses counts them too
        _, losses = run.metrics().read("train loss", first=trainer.step - 99, last=trainer.step)
        trainer.learner.recent_losses.extend(losses.tolist())
