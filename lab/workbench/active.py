"""A run that trains in this process: the recipe prepared, the folder made, the loop in a thread, the end saved."""

from __future__ import annotations

import contextlib
import shlex
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from lab.base import BadInput, LabError, Problem
from lab.base.jobs import Job
from lab.base.notices import notify
from lab.base.problems import attributed, problem_of
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs import RunFolder, new_run_folder, provenance, reading_steps
from lab.training.control import Control
from lab.workbench import known_corpora
from lab.workbench.figures import bytes_per_token, note_speed, summary_of
from lab.workbench.generation import Likeliest, Piece, Writer
from lab.workbench.look import Look, look_into, probe_text_of, recorded, validation_tokens
from lab.workbench.preflight import cost_of

if TYPE_CHECKING:
    from lab.api import Cost
    from lab.layers import LanguageModel
    from lab.training.choices import Chosen
    from lab.training.experiment import Experiment
    from lab.training.snapshot import Snapshot

RunState = Literal["queued", "preparing", "running", "paused", "saving", "finished", "stopped", "failed", "interrupted"]
ENDED = ("finished", "stopped", "failed", "interrupted")


class ActiveRun:
    """One run of this process. Made by Workbench.start; every call may come from any thread.

    Attributes:
        recipe: What is being done.
        problem: Why it failed, or what it waits for.
        folder: Its folder, once it has one.
        trainer: The trainer, once there is one; its ring is where live numbers are read.
        control: Takes orders at any time; they are followed between two steps, from the first on.
    """

    def __init__(self, recipe: Recipe, plugins: Plugins, out: Path | None, command: Sequence[str] | None) -> None:
        self.recipe = recipe
        self.problem: Problem | None = None
        self._failure: type[LabError] = LabError
        self.folder: RunFolder | None = None
        self.trainer: Any = None  # lab.training.trainer.Trainer; torch is imported only in the thread
        self._plugins, self._out, self._command = plugins, out, command
        self._state: RunState = "queued"
        self._ended = threading.Event()
        self.control = Control()
        self._made_folder = False  # whether the folder was not there before
        self._job = Job(f"Training {recipe.title or recipe.architecture.name}", self._work)
        self._job.when_cancelled(self.control.stop)
        self._on_end: list[Callable[[], None]] = []
        self._looking = threading.Lock()
        self._view: Snapshot | None = None

    # ----------------------------------------------------------------------------------------------------- orders

    def start(self) -> None:
        """Begins in a thread of its own."""
        self._state = "preparing"
        self._job.start()

    def withdraw(self) -> None:
        """Ends a run that was never started, for those who wait for it."""
        self._state = "stopped"
        self._ended.set()

    # ------------------------------------------------------------------------------------------------------ looking

    @property
    def state(self) -> RunState:
        """Where it is in its life."""
        if self._state == "running" and self.trainer is not None and self.trainer.state == "paused":
            return "paused"
        return self._state

    @property
    def waits_for(self) -> Problem | None:
        """The problem for which a paused run waits (out of memory); None otherwise."""
        return self.trainer.problem if self.state == "paused" else None

    def wait(self, seconds: float | None = None) -> bool:
        """Waits for the end. Returns whether it came."""
        return self._ended.wait(seconds)

    def join(self, seconds: float | None = None) -> bool:
        """Waits until its thread is gone, which outlives the end by what is called then. Returns whether it is."""
        try:
            return self._job.join(seconds)
        except RuntimeError:  # never begun, or this is that thread
            return True

    def wait_out(self) -> None:
        """Waits for the end, and stops a run that waits for memory, since nobody is there to help it.

        Raises:
            BadInput: The recipe could not be used.
            LabError: The run failed, or something of it could not be saved.
        """
        while not self.wait(0.2):
            if self.waits_for is not None:
                self.control.stop()
        if self.problem is not None:
            raise self._failure(self.problem)

    @property
    def path(self) -> Path:
        """The run's folder.

        Raises:
            LabError: It has none yet.
        """
        if self.folder is None:
            raise LabError("this run has no folder yet", remedy="Wait until it is prepared")
        return self.folder.path

    def when_ended(self, call: Callable[[], None]) -> None:
        """Has `call` called in the run's thread once it ended."""
        self._on_end.append(call)

    def summary(self) -> dict[str, Any]:
        """The figures so far, JSON-safe."""
        return summary_of(self.trainer) if self.trainer is not None else {}

    def generate(
        self,
        prompt: str,
        *,
        sampler: str = "sampling",
        settings: Mapping[str, Any],
        seed: int,
        count: int,
        alternatives: int = 5,
    ) -> Iterator[Piece]:
        """Text from a copy of the model as it is now, paced so that the training keeps its speed.

        Raises:
            BadInput: The prompt is empty or holds what the vocabulary lacks, or a setting is not allowed.
            LabError: The run has not begun to train.
        """
        from lab.training.snapshot import Snapshot

        copied = Snapshot()
        model = self._begun().snapshot(copied).wait()
        yield from self._writer(model, copied.step).write(
            prompt,
            sampler=sampler,
            settings=settings,
            seed=seed,
            count=count,
            alternatives=alternatives,
            beside_training=lambda: self.state == "running",
        )

    def next_tokens(self, prompt: str, count: int = 20) -> Likeliest:
        """The likeliest tokens after a prompt, by the model as it is now.

        Raises:
            BadInput: The prompt cannot be used.
            LabError: The run has not begun to train.
        """
        self._begun()
        with self._looking:
            return self._writer(*self._copied()).next_tokens(prompt, count)

    def look(
        self, text: str | None = None, *, probe: str = "reports", settings: Mapping[str, Any] | None = None
    ) -> Look:
        """What a probe finds in a copy of the model as it is now, in one thread; one look is taken at a time.

        Args:
            text: What the model reads; None takes the run's probe text.
            probe: Name of a registered probe.
            settings: The probe's settings, over those that the recipe gives it.

        Raises:
            BadInput: There is no such probe, it is not made for this model, or text or a setting cannot be used.
            LabError: The run has not begun to train, or a plugin's code raised.
        """
        experiment = self._begun().experiment
        with self._looking:
            return look_into(
                self._copied,
                text,
                probe=probe,
                settings=settings,
                recipe=self.recipe,
                plugins=self._plugins,
                tokenizer=experiment.tokenizer,
                device=experiment.placement.device,
                otherwise=lambda: validation_tokens(experiment),
            )

    def recorded_steps(self) -> list[int]:
        """The steps at which it has recorded readings so far, in order."""
        return [] if self.folder is None else reading_steps(self.folder.path)

    def recorded(self, step: int) -> Look:
        """The readings that it recorded at a step.

        Raises:
            BadInput: There are none at this step.
            LabError: The run has not begun to train.
        """
        tokenizer = self._begun().experiment.tokenizer
        assert self.folder is not None  # the trainer writes into it
        return recorded(self.folder, step, self.recipe, self._plugins, tokenizer)

    def _begun(self) -> Any:
        if self.trainer is None:
            raise LabError("this run has not begun to train", remedy="Wait until it is prepared")
        return self.trainer

    def _copied(self) -> tuple[LanguageModel, int]:
        """The model as it is now, and its updates. All looks share the copy: hold `_looking` while it is used."""
        from lab.training.snapshot import Snapshot

        view, self._view = self._view or Snapshot(), None  # one that fails, or comes too late, is not used again
        model = self.trainer.snapshot(view).wait()
        self._view = view
        return model, view.step

    def _writer(self, model: LanguageModel, step: int) -> Writer:
        experiment = self.trainer.experiment
        return Writer(model, experiment.tokenizer, experiment.placement.device, self.recipe, self._plugins, step)

    # ------------------------------------------------------------------------------------------------------ its life

    def _work(self, job: Job) -> None:
        del job
        try:
            self._prepare_and_train()
        except BaseException as error:  # noqa: BLE001 - a run's end is always told; a plugin may raise SystemExit
            self.problem = problem_of(error)
            nothing_done = isinstance(error, BadInput) and self.trainer is None
            self._failure = BadInput if nothing_done else LabError
            self._state = "failed"
            if self.folder is not None and nothing_done:  # and so nothing is left
                self._remove(self.folder.path)
                self.folder = None
            elif self.folder is not None:
                with contextlib.suppress(LabError):
                    self.folder.update(state="failed", problem=self.problem)
        finally:
            self._ended.set()
            for call in tuple(self._on_end):
                call()

    def _remove(self, folder: Path) -> None:
        """Removes the run's folder; of one that was there before, and empty, only what lies in it now."""
        for path in [folder] if self._made_folder else list(folder.iterdir()):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)

    def _prepare_and_train(self) -> None:
        from lab.training.experiment import prepare
        from lab.training.recorder import Recorder
        from lab.training.telemetry import Ring
        from lab.training.trainer import Trainer

        experiment = prepare(self.recipe, self._plugins)
        cost, no_cost = cost_of(
            experiment.architecture, experiment.task, experiment.recipe.training, experiment.placement
        )
        ring = Ring()
        folder = self._make_folder(experiment, cost)
        self.folder = folder
        recorder = Recorder(folder, ring)
        try:
            trainer = Trainer(
                experiment,
                ring=ring,
                control=self.control,
                log=recorder,
                probes=self._made(experiment.probes),
                observers=self._made(experiment.observers),
                plugin_failed=self._plugin_failed,
                run=folder.path,
            )
            self.trainer = trainer
            self._state = "running"
            folder.update(summary=summary_of(trainer))
            trainer.run()
            if no_cost is not None and trainer.problem is None:
                notify("info", no_cost)
            self._state = "saving"
            problems = [trainer.problem] if trainer.problem is not None else []
            if trainer.can_be_kept:
                problems += self._save(trainer, folder)
        finally:
            recorder.close()
        problems += [recorder.problem] if recorder.problem is not None else []
        self._note_speed(trainer, cost)
        self._end(trainer, folder, problems)

    def _make_folder(self, experiment: Experiment, cost: Cost | None) -> RunFolder:
        recipe = experiment.recipe
        try:
            known_corpora.remember(recipe, experiment.corpus["sha256"])
        except LabError as error:
            notify("warning", error.problem)
        stored = known_corpora.portable(recipe)
        path = self._out or new_run_folder(recipe.architecture.name)
        self._made_folder = self._out is None or not path.exists()
        facts = provenance(
            corpus={name: value for name, value in experiment.corpus.items() if name != "vocabulary"},
            vocabulary=experiment.corpus["vocabulary"],
            floors=dict(experiment.floors),
            bytes_per_token=bytes_per_token(experiment),
            placement=experiment.placement.as_dict(),
            cost=None if cost is None else asdict(cost),
            probe_text=probe_text_of(experiment, self._plugins),
            plugins={info.name: info.place for info in self._plugins.listed() if info.state == "on"},
            command=None if self._command is None else shlex.join(map(without_folders, self._command)),
        )
        return RunFolder.create(path, stored.to_toml(), facts)

    def _made(self, several: Iterable[Chosen]) -> list[tuple[str, Any]]:
        """(plugin, what its card makes); the training does without those that raise."""
        made = []
        for one in several:
            try:
                made.append((one.plugin, one.make()))
            except LabError as error:
                self._plugins.report_failure(one.plugin, error)
        return made

    def _plugin_failed(self, plugin: str, error: BaseException) -> None:
        """Puts a plugin aside whose probe or observer raised; in a probe of the lab, what raises is the model."""
        if any(info.name == plugin and info.origin == "built-in" for info in self._plugins.listed()):
            owner = self._plugins.owner("architectures", self.recipe.architecture.name)
            notify("warning", problem_of(error, plugin=owner, doing="Probing the model"))
        else:
            self._plugins.report_failure(plugin, error)

    def _save(self, trainer: Any, folder: RunFolder) -> list[Problem]:
        """Saves weights and training state; the weights alone where the state cannot be kept. Returns what failed."""
        from lab.training.checkpoints import save_checkpoint
        from lab.training.learners import live_settings

        place, optimizer = folder.checkpoint_folder(trainer.step), self.recipe.training.optimizer.name
        try:
            with attributed(self._plugins.owner("optimizers", optimizer), "Keeping the state of the training"):
                tensors, facts = trainer.kept()
                save_checkpoint(place, model=trainer.model.tables(), training=tensors, facts=facts)
        except LabError as error:
            problems = [error.problem]
        else:
            return []
        live = {"architecture": live_settings(trainer.model.config)}
        facts = {"step": trainer.step, "tokens": trainer.tokens, "seconds": trainer.seconds, "live": live}
        try:
            with attributed(self._plugins.owner("architectures", self.recipe.architecture.name), "Saving the model"):
                tables = trainer.model.tables()
                save_checkpoint(place, model=tables, training={}, facts={**facts, "lacks": problems[0].line()})
        except LabError as error:
            problems += [error.problem] if error.problem != problems[0] else []
        for problem in problems:
            notify("warning", problem)
        return problems

    def _note_speed(self, trainer: Any, cost: Cost | None) -> None:
        rate = trainer.speed.tokens_per_second()
        if trainer.state == "finished" and cost is not None and cost.flops_per_token and rate:
            with contextlib.suppress(LabError):  # an estimate less; that the settings cannot be written was told
                note_speed(trainer.experiment.placement.device.type, rate * cost.flops_per_token)

    def _end(self, trainer: Any, folder: RunFolder, problems: list[Problem]) -> None:
        self.problem = problems[0] if problems else None
        state: RunState = "interrupted" if trainer.device_lost else "failed" if problems else trainer.state
        try:
            folder.update(state=state, step=trainer.step, summary=summary_of(trainer), problem=self.problem)  # type: ignore[arg-type]
        except LabError as error:
            self.problem, state = self.problem or error.problem, "failed"
        self._state = state


def without_folders(word: str) -> str:
    """A word of a command line without the folders in which what it names lies."""
    if Path(word).is_absolute():
        return Path(word).name
    option, sign, value = word.partition("=")
    return f"{option}={without_folders(value)}" if sign else word
