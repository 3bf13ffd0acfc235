"""Where the training of a run comes from: begun anew, taken up again, or branched off another run."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.base import BadInput, LabError
from lab.base.notices import notify
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs import RunFolder, new_run_folder
from lab.runs.origin import differences, provenance
from lab.workbench.launch import known_corpora
from lab.workbench.launch.live_edits import in_force
from lab.workbench.launch.resume import (
    bring_back,
    check_may_begin_anew,
    edits_told,
    is_finished,
    load,
    newest,
    prepared_as_before,
    recipe_here,
)

if TYPE_CHECKING:
    from lab.runs.writer_lock import WriterLock
    from lab.training.experiment import Experiment
    from lab.training.trainer import Trainer


class NewRun:
    """A run that begins with a recipe and nothing else.

    Args:
        recipe: What is done, its corpus where it lies here.
        out: A new or empty folder for it; None makes one among the lab's runs.

    Attributes:
        run: The run's folder, once there is one.
        is_new: Whether the folder is made for it, and holds nothing that was there before.
    """

    is_new = True

    def __init__(self, recipe: Recipe, out: Path | None) -> None:
        self.recipe, self.out = recipe, out
        self.run: RunFolder | None = None
        self._made_folder = False  # whether the folder was not there before
        self._lock: WriterLock | None = None

    @property
    def asked(self) -> dict[str, Any]:
        """What was asked for, as plain data for `lab.workbench.launch.request.origin_of`; paths are whole."""
        return {"recipe": known_corpora.with_whole_path(self.recipe).to_toml(), "out": whole(self.out)}

    def prepare(
        self, plugins: Plugins, progress: Callable[[float, str], None], cancelled: Callable[[], bool]
    ) -> Experiment:
        """Everything the recipe names.

        Args:
            plugins: Where its cards are found.
            progress: Told the share that is done and what is being done, where that takes long.
            cancelled: Asked now and then; True ends it.

        Raises:
            BadInput: Something in it cannot be used.
            LabError: A plugin's code raised, or the run cannot be read.
            Cancelled: It was cancelled.
        """
        from lab.training.experiment import prepare

        return prepare(self.recipe, plugins, progress=progress, cancelled=cancelled)

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


class ResumedRun(NewRun):
    """A run that ended, or whose process died, taken up where its last checkpoint was made.

    Args:
        run: The run.
        steps: Steps after which it is finished from now on; None leaves them.
        corpus: Where its corpus lies; None finds it.

    Raises:
        BadInput: Its corpus lies nowhere known, or its recipe holds what is not allowed.
    """

    is_new = False

    def __init__(self, run: RunFolder, steps: int | None = None, corpus: Path | None = None) -> None:
        super().__init__(recipe_here(run, corpus), run.path)
        self.run: RunFolder = run
        self._steps, self._corpus = steps, corpus

    @property
    def asked(self) -> dict[str, Any]:
        """What was asked for, as plain data."""
        return {"resume": whole(self.run.path), "steps": self._steps, "corpus": whole(self._corpus)}

    def prepare(
        self, plugins: Plugins, progress: Callable[[float, str], None], cancelled: Callable[[], bool]
    ) -> Experiment:
        """Everything the recipe names, as it was when the run began."""
        self._lock = self.run.write_alone()
        return prepared_as_before(self.run, self.recipe, plugins, progress=progress, cancelled=cancelled)

    def open(self, experiment: Experiment, facts: Mapping[str, Any]) -> RunFolder:
        """The folder there is; what is known of its making stays."""
        del experiment, facts
        return self.run

    def leave_nothing(self) -> None:
        """It stays as it was."""

    def take_up(self, trainer: Trainer) -> None:
        """Goes on from the last checkpoint that can be read; from the beginning where there is none."""
        run, loaded = self.run, newest(self.run)
        if loaded is None:
            check_may_begin_anew(run)
        bring_back(trainer, run, loaded, edits_told(run))
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
        run.update(state="running", step=trainer.step)

    def begun(self, trainer: Trainer) -> None:
        """Tells that it goes on, and what is not as it was."""
        differs = differences(self.run.facts, {**provenance(), "placement": trainer.experiment.placement.as_dict()})
        trainer.log.event("continued", trainer.step, differs=differs)
        if self._steps is not None:
            trainer.change("training.steps", self._steps)


class BranchedRun(NewRun):
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

    def prepare(
        self, plugins: Plugins, progress: Callable[[float, str], None], cancelled: Callable[[], bool]
    ) -> Experiment:
        """Everything the recipe names; its text is cut as the parent's was."""
        return prepared_as_before(
            self._parent, self.recipe, plugins, same_text=False, progress=progress, cancelled=cancelled
        )

    def open(self, experiment: Experiment, facts: Mapping[str, Any]) -> RunFolder:
        """A new folder, which names the parent."""
        parent = {
            "id": self._parent.id,
            "name": self._parent.name,
            "step": self._step,
            "changes": list(self._changes),
        }
        inherited = {name: self._parent.facts[name] for name in INHERITED if name in self._parent.facts}
        return super().open(experiment, {**facts, **inherited, "parent": parent})

    def take_up(self, trainer: Trainer) -> None:
        """Takes over the weights, and of the training's state what still fits."""
        from lab.training.steps.averaging import AVERAGE

        tables, tensors, facts = load(self._parent, self._step)
        before, now = in_force(Recipe.from_toml(self._parent.recipe), self._facts), self.recipe
        same_optimizer = before.training.optimizer.name == now.training.optimizer.name
        same_rows = before.objective == now.objective and all(
            getattr(before.training, name) == getattr(now.training, name)
            for name in ("batch_size", "accumulation", "context_length")
        )
        same_tail = before.training.average == now.training.average and before.training.steps == now.training.steps
        if not same_tail:
            tensors = {name: tensor for name, tensor in tensors.items() if not name.startswith(AVERAGE)}
        facts = {
            "examples": self._step * before.training.batch_size,
            **facts,
            "evaluated": False,  # that was the parent's loss, maybe of another text
            "validation_loss": None,
            "optimizer": facts.get("optimizer", {}) if same_optimizer else {},
            "carries": facts.get("carries", {}) if same_rows else {},
            "live": {"architecture": {}, "training": {}, "optimizer": {}},  # they stand in the recipe
            "edits": {},
            "best": None,
        }
        try:
            trainer.load_state_dict(tables, tensors, facts)
        except (ValueError, KeyError, RuntimeError) as error:
            raise BadInput(
                f"these settings make another model, into which the weights of the run do not fit: {error}",
                field="architecture",
                remedy="Change what leaves the shapes of the weights as they are, or start a new run",
            ) from None

    def begun(self, trainer: Trainer) -> None:
        """Keeps what it began with: the parent may be deleted."""
        trainer.log.event("branched", trainer.step, parent=self._parent.name)
        trainer.save_checkpoint("start")


INHERITED = ("pretrained",)
"""Facts of a run that hold for its branches too: where the weights came from at first."""
MORE_STEPS = "Say how many steps it shall have in all: --steps N"
MORE_TEXT = "It has read all of its text; start a new run with a longer one"


def whole(path: Path | None) -> str | None:
    """A path from the root on, so that it means the same in any folder."""
    return None if path is None else str(path.expanduser().absolute())
