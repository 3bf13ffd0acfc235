"""A run that trains in a thread of this process: prepare the recipe, make the folder, train, save the result."""

from __future__ import annotations

import contextlib
import shlex
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, Any

from lab.api import Tokenizer
from lab.base import BadInput, LabError, Problem
from lab.base.jobs import Cancelled
from lab.base.notices import notify
from lab.base.problems import problem_of
from lab.base.run_state import RunState, TrainerState
from lab.host import Plugins, PluginState
from lab.runs import RunFolder, provenance
from lab.workbench.access.evaluation_data import EvaluationData, data_of
from lab.workbench.access.inspection import Inspection, probe_text_of, recorded, validation_tokens
from lab.workbench.access.model_access import BorrowedModel, check_device
from lab.workbench.access.teacher import give_teacher
from lab.workbench.analysis.floors import FloorFinder
from lab.workbench.launch.origins import NewRun
from lab.workbench.launch.preflight import cost_of
from lab.workbench.launch.summary import bytes_per_token, reads_later, state_size, store_speed, summary_of
from lab.workbench.runners.commands import CommandListener
from lab.workbench.runners.runner import Runner
from lab.workbench.runners.together import share_experiment, share_state
from lab.workbench.runners.watch import Watch

if TYPE_CHECKING:
    from lab.api import Cost
    from lab.training.experiment import Experiment
    from lab.training.recording.model_copy import ModelCopy
    from lab.training.recording.telemetry import Ring
    from lab.training.resolution import Resolved


class ActiveRun(Runner):
    """One run of this process. Made by Workbench.start.

    Args:
        origin: See Runner.
        plugins: See Runner.
        command: See Runner.
        floors: Finds its floors while it trains; None leaves it with those that are known at the start.

    Attributes:
        trainer: The trainer; None until it is made.
    """

    def __init__(
        self, origin: NewRun, plugins: Plugins, command: Sequence[str] | None, floors: FloorFinder | None = None
    ) -> None:
        super().__init__(origin, plugins, command)
        self._floors = floors
        self.trainer: Any = None  # lab.training.trainer.Trainer; only the thread imports torch
        self._final: dict[str, Any] = {}  # figures that are measured at the end
        self._sharing = threading.Lock()  # held while the copy below is used
        self._shared: ModelCopy | None = None  # the copy that short requests use, one after another

    # -------------------------------------------------------------------------------------------------------- state

    @property
    def state(self) -> RunState:
        """The state of the run."""
        if self._state == RunState.RUNNING and self.trainer is not None and self.trainer.state == TrainerState.PAUSED:
            return RunState.PAUSED
        return self._state

    @property
    def waits_for(self) -> Problem | None:
        """The problem that paused the run (out of memory); None otherwise."""
        return self.trainer.problem if self.state == RunState.PAUSED else None

    @property
    def ring(self) -> Ring | None:
        """The recorded numbers; None until there is a model to train."""
        return None if self.trainer is None else self.trainer.ring

    @property
    def step(self) -> int:
        """The number of steps made."""
        return 0 if self.trainer is None else int(self.trainer.step)

    @property
    def last_step(self) -> int:
        """The number of steps after which the run is finished."""
        return self.recipe.training.steps if self.trainer is None else int(self.trainer.last_step)

    @property
    def counts(self) -> bool:
        """True if its model learns by counting."""
        return self.trainer is not None and self.trainer.model.learns == "counting"

    @property
    def evaluated(self) -> Mapping[str, Any]:
        """The figures of its last evaluation; see Runner."""
        last = None if self.trainer is None else self.trainer.evaluation
        if last is None:
            return {} if self.trainer is None else {"loss_unit": self.trainer.experiment.objective.unit}
        figures = {
            "validation_loss": last.loss, "standard_error": last.standard_error,
            "protocol": last.protocol, "part": last.part,
            "loss_unit": last.unit, "perplexity": last.perplexity, "bits_per_byte": last.bits_per_byte,
        }  # fmt: skip
        return {**figures, "reads_later_tokens": reads_later(self.trainer.model)}

    def summary(self) -> dict[str, Any]:
        """Return the figures so far, JSON-safe."""
        return summary_of(self.trainer) | self._final if self.trainer is not None else {}

    # -------------------------------------------------------------------------------------------------------- access

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer that it trains with."""
        tokenizer: Tokenizer = self._running_trainer().experiment.tokenizer
        return tokenizer

    @property
    def corpus_facts(self) -> Mapping[str, Any]:
        """The facts of the corpus as the run stores them."""
        facts: Mapping[str, Any] = self._running_trainer().experiment.corpus
        return facts

    @contextlib.contextmanager
    def borrow(self, device: str | None = None, *, own: bool = False) -> Iterator[BorrowedModel]:
        """Lend a copy of the current model. Short requests share one copy, one at a time. See ModelAccess."""
        from lab.training.recording.model_copy import ModelCopy

        trainer = self._running_trainer()
        where = trainer.experiment.placement.device
        check_device(device, where)
        if own:
            copied = ModelCopy()
            model = trainer.request_copy(copied).wait()
            yield BorrowedModel(model, copied.step, where, self._trains)
            return
        with self._sharing:
            shared, self._shared = self._shared or ModelCopy(), None  # a copy that fails or is late is not used again
            model = trainer.request_copy(shared).wait()
            self._shared = shared
            yield BorrowedModel(model, shared.step, where, self._trains)

    def default_tokens(self) -> Sequence[int]:
        """Return the validation text."""
        return validation_tokens(self._running_trainer().experiment)

    def evaluation_data(self, text: Path | None = None) -> EvaluationData:
        """Return the validation split that it trains with, or the text of a file. See ModelAccess."""
        trainer = self._running_trainer()
        return data_of(trainer.experiment, text, self._plugins, trainer.learner.training.evaluate_tokens)

    def recorded(self, step: int) -> Inspection:
        """Return the readings recorded at a step.

        Raises:
            BadInput: There are none at this step.
            LabError: The run has not started to train.
        """
        tokenizer = self.tokenizer
        assert self.folder is not None  # the trainer writes into it
        return recorded(self.folder, step, self.recipe, self._plugins, tokenizer)

    def _running_trainer(self) -> Any:
        """Return the trainer.

        Raises:
            LabError: The run has not started to train.
        """
        if self.trainer is None:
            raise LabError("this run has not started to train", remedy="Wait until it is prepared")
        return self.trainer

    def _trains(self) -> bool:
        return self.state == RunState.RUNNING

    # ---------------------------------------------------------------------------------------------------- life cycle

    def _set_preparing(self, share: float, doing: str) -> None:
        self.preparing = share, doing

    def _fail(self, error: BaseException) -> None:
        self.problem = problem_of(error)
        nothing_done = isinstance(error, BadInput) and self.trainer is None
        self._failure = BadInput if nothing_done else LabError
        if nothing_done:
            self.origin.discard()
            self.folder = self.origin.run
        elif self.folder is not None and (self.trainer is not None or self.origin.is_new):
            with contextlib.suppress(LabError):
                self.folder.update(state=RunState.FAILED, problem=self.problem)

    def _train(self) -> None:
        try:
            self._prepare_and_train()
        except Cancelled:  # stopped while it was prepared
            self.origin.discard()
            self.folder, self._state = self.origin.run, RunState.STOPPED
        finally:
            self.origin.release()

    def _prepare_and_train(self) -> None:
        from lab.training.recording.recorder import Recorder
        from lab.training.recording.telemetry import Ring
        from lab.training.trainer import Trainer

        origin = self.origin
        experiment = origin.prepare(self._plugins, self._set_preparing, self.control.stopping.is_set)
        share_experiment(experiment)
        give_teacher(experiment, self._plugins, None if origin.run is None else origin.run.path)
        self.preparing = None
        cost, no_cost = cost_of(
            experiment.architecture, experiment.task, experiment.recipe.training, experiment.placement
        )
        self.folder = folder = origin.open(experiment, run_facts(experiment, cost, self._plugins, self.command))
        ring = Ring()
        recorder = Recorder(folder, ring, experiment.recipe.training)
        try:
            trainer = Trainer(
                experiment,
                ring=ring,
                control=self.control,
                log=recorder,
                probes=self._instances(experiment.probes),
                observers=self._instances(experiment.observers),
                plugin_failed=self._plugin_failed,
                run=folder.path,
            )
            origin.restore(trainer)
            recorder.start()
            self.trainer = trainer
            self._state = RunState.RUNNING
            folder.update(summary=known_figures(summary_of(trainer)) if trainer.step else summary_of(trainer))
            origin.started(trainer)
            share_state(trainer)
            if self._floors is not None:
                self._floors.find(experiment, trainer.periodic.protocol, folder)
            watch = Watch(trainer, folder, self._plugins)
            with CommandListener(folder, trainer), watch:
                trainer.run()
            if no_cost is not None and trainer.problem is None:
                notify("info", no_cost)
            self._state = RunState.SAVING
        finally:
            recorder.close()
        watch.finish()
        problems = [trainer.problem, recorder.problem, recorder.checkpoint_problem]
        self._store_speed(trainer, cost)
        self._end(trainer, folder, [problem for problem in problems if problem is not None])

    def _instances(self, cards: Iterable[Resolved]) -> list[tuple[str, Any]]:
        """Return the plugin and the object that each card makes; report and leave out cards that raise."""
        made = []
        for card in cards:
            try:
                made.append((card.plugin, card.make()))
            except LabError as error:
                self._plugins.report_failure(card.plugin, error)
        return made

    def _plugin_failed(self, plugin: str, error: BaseException) -> None:
        """Report a plugin whose probe or observer raised; for a probe of the lab, report the model's plugin."""
        if any(info.name == plugin and info.origin == "built-in" for info in self._plugins.listed()):
            owner = self._plugins.owner("architectures", self.recipe.architecture.name)
            notify("warning", problem_of(error, plugin=owner, doing="Probing the model"))
        else:
            self._plugins.report_failure(plugin, error)

    def _store_speed(self, trainer: Any, cost: Cost | None) -> None:
        rate = trainer.speed.tokens_per_second()
        if trainer.state == TrainerState.FINISHED and cost is not None and cost.flops_per_token and rate:
            with contextlib.suppress(LabError):  # if it fails, only an estimate is missing
                store_speed(trainer.experiment.placement.device.type, rate * cost.flops_per_token)

    def _end(self, trainer: Any, folder: RunFolder, problems: list[Problem]) -> None:
        self.problem = problems[0] if problems else None
        state = _state_at_end(trainer, failed=bool(problems))
        try:
            if trainer.step and not problems:
                with contextlib.suppress(LabError):  # if it fails, a figure is missing; decoding reports the problem
                    self._final = known_figures({"state_bytes": state_size(trainer)})
            summary = known_figures(summary_of(trainer)) | self._final
            folder.update(state=state, step=trainer.step, summary=summary, problem=self.problem)
        except LabError as error:
            self.problem, state = self.problem or error.problem, RunState.FAILED
        self._state = state


def _state_at_end(trainer: Any, *, failed: bool) -> RunState:
    if trainer.device_lost:
        return RunState.INTERRUPTED
    return RunState.FAILED if failed else RunState(trainer.state)


def run_facts(
    experiment: Experiment, cost: Cost | None, plugins: Plugins, command: Sequence[str] | None
) -> dict[str, Any]:
    """Return the facts about how a run was made.

    Args:
        experiment: The prepared experiment.
        cost: The cost of its model; None if unknown.
        plugins: The loaded plugins.
        command: The arguments of the command line it came from; None if there was none.
    """
    return provenance(
        corpus={name: value for name, value in experiment.corpus.items() if name != "vocabulary"},
        vocabulary=experiment.corpus["vocabulary"],
        floors=dict(experiment.floors),
        bytes_per_token=bytes_per_token(experiment),
        targets=_target_count(experiment),
        placement=experiment.placement.as_dict(),
        cost=None if cost is None else asdict(cost),
        probe_text=probe_text_of(experiment, plugins),
        plugins={info.name: info.location for info in plugins.listed() if info.state == PluginState.ON},
        command=None if command is None else shlex.join(map(without_folders, command)),
    )


def _target_count(experiment: Experiment) -> int | None:
    """Return the number of tokens or classes that a blind guess chooses from; None if it is not known."""
    tokens = None if experiment.tokenizer is None else experiment.tokenizer.vocabulary_size
    return experiment.task.classes or tokens


def known_figures(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures that are not None, so that a resumed run keeps its old values of the others."""
    return {name: value for name, value in summary.items() if value is not None}


def without_folders(argument: str) -> str:
    """Return an argument of a command line with its path, if it has one on any system, cut to the last part."""
    option, sign, value = argument.partition("=")
    if sign and not set(option) & set("/\\"):
        return f"{option}={without_folders(value)}"
    return PureWindowsPath(argument).name or argument
