"""The training loop: steps, the commands between them, and the evaluations."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from lab.api import ProbeFunction, RunObserver
from lab.base import BadInput, LabError, Problem
from lab.base.notices import notify
from lab.base.problems import problem_of
from lab.base.run_state import TrainerState
from lab.base.units import finite
from lab.recipes import Edit
from lab.runs.checkpoint_list import Reason
from lab.training.control import Control
from lab.training.evaluation import Evaluation
from lab.training.experiment import Experiment
from lab.training.failures import DeviceLost, OutOfMemory, failure_of
from lab.training.gauges.gauges import Gauges
from lab.training.periodic.checkpoint_policy import CheckpointPolicy
from lab.training.periodic.early_stopping import EarlyStopping
from lab.training.periodic.tasks import PeriodicTasks
from lab.training.processes import part_like
from lab.training.recording.log import Log, NoLog
from lab.training.recording.model_copy import ModelCopy, ReusedCopy
from lab.training.recording.telemetry import Rate, Ring
from lab.training.steps.causality import Causality, check_causality
from lab.training.steps.edits import Edits
from lab.training.steps.gradient import GradientLearner
from lab.training.steps.learner import learner_of

AVERAGED = "averaged validation loss"
"""The series of the validation loss of the averaged weights."""
EVALUATED_AFTER_STOP = 16384
"""Most targets scored after a stop, so that the run is saved soon."""


def notify_failure(plugin: str, error: BaseException) -> None:
    """Notify the user that a plugin's probe or observer raised."""
    notify("warning", problem_of(error, plugin=plugin))


class Trainer:
    """The training of one model. `run` is called in its own thread; any thread may call the other public methods.

    Args:
        experiment: The experiment.
        ring: The ring for numbers.
        control: The queue of commands.
        log: The log of texts, readings, events and checkpoints.
        probes: Functions (model, tokens (1, T)) -> readings, called at recorded steps, with the plugin of each.
        observers: Observers of the run, with the plugin of each.
        plugin_failed: Called with plugin and exception when a probe or observer raises; it is not called again.
        run: The run's folder, for the observers.

    Attributes:
        model: The model.
        step: The number of steps made.
        seconds: Training time, without evaluations and pauses.
        state: Its state.
        problem: The reason why the run failed, or what it waits for.
        device_lost: True if the run failed because its device did, so that nothing can be read from the device.
        evaluation: The last evaluation.
        speed: Training speed over the last ten seconds.
    """

    def __init__(
        self,
        experiment: Experiment,
        *,
        ring: Ring | None = None,
        control: Control | None = None,
        log: Log | None = None,
        probes: Sequence[tuple[str, ProbeFunction]] = (),
        observers: Sequence[tuple[str, RunObserver]] = (),
        plugin_failed: Callable[[str, BaseException], object] = notify_failure,
        run: Path = Path(),
    ) -> None:
        self.experiment, self._processes = experiment, experiment.processes
        self.ring, self.control, self.log = ring or Ring(), control or Control(), log or NoLog()
        self.ring.stopping = self.control.stopping
        self.model = experiment.build()
        self._causality = Causality() if self.model.learns == "counting" else check_causality(experiment, self.model)
        self.learner = learner_of(experiment, self.model, self.ring)
        self.control.check = self.learner.check_live
        self.step, self.seconds = 0, 0.0
        self.state = TrainerState.READY
        self.problem: Problem | None = None
        self.device_lost = False
        self.evaluation: Evaluation | None = None
        self.speed = Rate()
        copied = ReusedCopy(self.model)
        read = () if self._processes.sharded else probes  # no process has a whole model to copy
        self.periodic = PeriodicTasks(
            experiment, self.model, self.log, lambda: self.last_step, read, plugin_failed, copied
        )
        gauged = experiment.recipe.readings.gauges_every and self._processes.leads and not self._processes.sharded
        if isinstance(self.learner, GradientLearner) and gauged:
            self.learner.observer = Gauges(experiment, self.model, copied, self.ring, self.log, lambda: self.last_step)
        self._run = run
        self._observers, self._plugin_failed = list(observers), plugin_failed
        clocks = {"tokens": "tokens", "seconds": "s"} | ({"epochs": "epochs"} if self._epochs() else {})
        self._clocks = [self.ring.number(name, unit) for name, unit in clocks.items()]
        self._copies: deque[ModelCopy] = deque()
        self._steps_until_pause: int | None = None
        self._stopped = False
        self._given_up: set[str] = set()  # optional work that failed and is not repeated
        self._evaluated_at: int | None = None  # the step of the last evaluation
        self._evaluated_loss: float | None = None  # its loss
        self._edits = Edits(self.learner, experiment.recipe.training.edits, self.log)
        self._checkpoints = CheckpointPolicy(experiment, self.model, self.learner, self.log, self.state_dict)
        self._early = EarlyStopping()
        self._serving = threading.RLock()  # held while the model is copied between steps

    @property
    def last_step(self) -> int:
        """The number of steps after which the run is finished."""
        return self.step if self._early.has_ended else self.learner.last_step

    @property
    def tokens(self) -> int:
        """The tokens read so far."""
        return self.learner.tokens

    def _epochs(self) -> list[float]:
        """Return the epochs read so far; [] if the examples have no end."""
        epochs = self.learner.epochs
        return [] if epochs is None else [epochs]

    def train_loss(self) -> float | None:
        """Return the mean loss of the last hundred steps, nats per target; of the last slice if the model counts."""
        losses = tuple(self.learner.recent_losses)
        return float(np.mean(losses)) if losses else None

    def request_copy(self, into: ModelCopy) -> ModelCopy:
        """Request a copy of the model at the next step boundary; `into.wait()` returns it."""
        self._copies.append(into)
        self.control.wake()
        with self._serving:
            if self.state not in (TrainerState.RUNNING, TrainerState.PAUSED):
                self._serve_copies()
        return into

    def run(self) -> None:
        """Train until the last step, a stop or a failure. Set `state` and `problem`; raise nothing."""
        self.experiment.placement.apply()
        with self._serving:
            self.state = TrainerState.RUNNING
        try:
            if self._causality.leak is not None:
                self._report(self._causality.leak)
            self._notify("started", self._run, self.experiment.recipe.model_dump(mode="json", exclude_none=True))
            while self._is_not_over() and self._take_commands():
                self._attempt("probing", lambda: self.periodic.probe(self.step))
                if self._make_step():
                    self._between_steps()
            self._finish()
        except BaseException as error:  # noqa: BLE001 - nothing above catches it; a plugin may raise SystemExit
            self._fail(error)
        self._serve_copies()
        self._notify("ended", self.state, self.problem)

    def advance(self) -> None:
        """Make one step and nothing else, unless the last one was made; its numbers are then in the ring.

        Raises:
            LabError: The step failed.
        """
        self.experiment.placement.apply()
        if self._is_not_over():
            try:
                self.learner.make_step(self.step)
            except BaseException as error:  # noqa: BLE001 - a plugin's code
                raise self._failure(error) from None
            self.step += 1
        self.learner.read_back()

    def _is_not_over(self) -> bool:
        """Return True if there is a step to make, after making the edits that are due."""
        self._edits.make_due(self.step)
        return self.step < self.last_step

    def _between_steps(self) -> None:
        """Evaluate and save a checkpoint if they are due; what kept the model from being checked is told once."""
        if self._causality.failure is not None:  # only now, as what fails in the first step too is told by that
            self._report(self._causality.failure)
            self._causality = Causality()
        training = self.learner.training
        every = min(training.evaluate_every, self.learner.evaluate_every)
        if every and self.step % every == 0 and self.step < self.last_step:
            self._evaluate(training.evaluate_tokens)
            if self._evaluated_loss is not None:
                self.learner.note_loss(self._evaluated_loss)
                if self._early.note(self._evaluated_loss, training.patience):
                    self.log.event("stopped early", self.step, evaluations=training.patience)
        self._checkpoints.after_step(self._facts())

    def _finish(self) -> None:
        self.learner.read_back()
        if self.model.learns == "counting":  # before it has counted, it reads nothing
            for problem in filter(None, check_causality(self.experiment, self.model)):
                self._report(problem)
        self._attempt("probing", lambda: self.periodic.probe(self.step, last=True))
        if self._evaluated_at != self.step:
            # a stop must not take long; an end may read all of the validation text
            limit = min(self.learner.training.evaluate_tokens or EVALUATED_AFTER_STOP, EVALUATED_AFTER_STOP)
            self._evaluate(limit if self._stopped else 0)
        self._checkpoints.save("end", self._facts())
        self.state = TrainerState.STOPPED if self._stopped else TrainerState.FINISHED

    def _fail(self, error: BaseException) -> None:
        failure = self._failure(error)
        self.device_lost = isinstance(failure, DeviceLost)
        self.problem, self.state = failure.problem, TrainerState.FAILED
        self.log.event("problem", self.step, **failure.problem.as_dict())
        if self.can_be_saved and not self._checkpoints.has(self.step):  # unless saved before the failure
            self._checkpoints.save("end", self._facts())

    def _make_step(self) -> bool:
        """Make a step and return True, or pause if there is not enough memory and return False."""
        start, tokens = time.perf_counter(), self.learner.tokens
        failure: LabError | None = None
        try:
            self.learner.make_step(self.step)
        except BaseException as error:  # noqa: BLE001 - a plugin's code
            failure = self._failure(error).with_traceback(None)  # its frames hold the tensors of the step
        if isinstance(failure, OutOfMemory) and self._processes.alone:  # the others would wait for ever
            self._wait_for_memory(failure.problem)
            return False
        if failure is not None:
            raise failure
        elapsed = time.perf_counter() - start
        self.seconds += elapsed
        self.speed.add(elapsed, self.learner.tokens - tokens)
        self.step += 1
        self.learner.note_seconds(self.step, self.seconds)
        self.ring.write(self.step, self._clocks, [self.learner.tokens, self.seconds, *self._epochs()])
        if self._observers:
            self._notify("stepped", self.step, self.learner.latest)
        return True

    def _evaluate(self, limit: int) -> None:
        """Evaluate, record the figures, and generate a sample."""
        self.learner.read_back()
        self._evaluated_at, self._evaluated_loss = self.step, None
        # a stop ends the current evaluation, but not the short one after it
        stopping = (lambda: False) if self._stopped else self.control.stopping.is_set
        try:
            with self.learner.gathered():
                evaluation = self.periodic.evaluate(limit, stopping) if self._processes.leads else None
                self._evaluated_loss = self._processes.led(None if evaluation is None else evaluation.loss)
        except BaseException as error:  # noqa: BLE001 - a plugin's code
            raise self._failure(error, doing="evaluating") from None
        if evaluation is not None:
            self.experiment.check_metrics(evaluation.metrics)
            self.evaluation = evaluation
            values = {"validation loss": evaluation.loss}
            values |= {f"validation {name}": value for name, value in evaluation.metrics.items()}
            values |= self._averaged(evaluation.loss, limit, stopping)
            speed = self.speed.tokens_per_second()
            values |= {} if speed is None else {"tokens per second": speed}
            unit = self.experiment.loss_unit
            units = {"validation loss": unit, AVERAGED: unit, "tokens per second": "tokens/s"}
            self.ring.write(self.step, [self.ring.number(n, units.get(n, "")) for n in values], [*values.values()])
            self._notify("evaluated", self.step, values)
        if self._processes.leads and not self._processes.sharded:
            self._attempt("generating a sample", lambda: self.periodic.sample(self.step))

    def _averaged(self, loss: float, limit: int, stopping: Callable[[], bool]) -> dict[str, float]:
        """Return the validation loss of the averaged weights by its series; {} without any.

        Args:
            loss: That of the model, which may have the averaged weights already.
            limit: As for `_evaluate`.
            stopping: Called between batches; True ends the evaluation.
        """
        context = self.learner.in_average()
        if context is None:
            return {AVERAGED: loss} if self.learner.has_averaged else {}
        try:
            with context:
                found = self.periodic.evaluate(limit, stopping)
        except BaseException as error:  # noqa: BLE001 - a plugin's code
            raise self._failure(error, doing="evaluating the averaged weights") from None
        return {} if found is None else {AVERAGED: found.loss}

    def _attempt(self, doing: str, call: Callable[[], None]) -> None:
        """Do optional work. If it fails, report that once and do not repeat it."""
        if doing in self._given_up:
            return
        try:
            call()
        except BaseException as error:  # noqa: BLE001 - a plugin's code
            failure = self._failure(error, doing=doing)
            if isinstance(failure, DeviceLost):
                raise failure from None
            self._given_up.add(doing)
            self._report(failure.problem)

    def _report(self, problem: Problem) -> None:
        """Notify of a problem with which the run continues, and record it."""
        notify("warning", problem)
        self.log.event("problem", self.step, **problem.as_dict())

    # ---------------------------------------------------------------------------------------------------- commands

    def _take_commands(self) -> bool:
        """Execute the commands that arrived, waiting while paused. Return False if the run is to stop."""
        if self._steps_until_pause == 0:
            self._pause()
        while True:
            self._serve_copies()
            paused = self.state == TrainerState.PAUSED
            command = self.control.take(seconds=1.0 if paused else None) if self._processes.leads else None
            command = self._processes.led(command)
            if command is not None and command["do"] == "stop":
                self._stopped = True
                self.log.event("stop", self.step)
                return False
            if command is not None:
                self._execute(command)
            elif not paused:
                break
        if self._steps_until_pause is not None:
            self._steps_until_pause -= 1
        return True

    def _execute(self, command: Mapping[str, Any]) -> None:
        match command["do"]:
            case "pause":
                self._pause()
            case "resume":
                self._continue(None)
            case "step":
                self._continue(int(command["steps"]))
            case "checkpoint":
                self._checkpoints.save("hand", self._facts())
            case "set":
                try:
                    self.change(command["path"], command["value"])
                except BadInput as error:
                    self._report(error.problem)

    def change(self, path: str, value: Any) -> None:
        """Change a live setting after saving the state before it. Called before `run`, or by a command.

        Raises:
            BadInput: There is no such setting, it is not live, or the value is not allowed.
        """
        self.learner.check_live(path, value)
        self._checkpoints.before_edit(self._facts())
        self._edits.make(self.step, path, value)
        if path == "training.steps":
            self._early = EarlyStopping()

    def _pause(self) -> None:
        self._steps_until_pause = None
        if self.state != TrainerState.PAUSED:
            self.learner.read_back()
            self.state = TrainerState.PAUSED
            self.log.event("pause", self.step)

    def _continue(self, steps: int | None) -> None:
        self._steps_until_pause = steps
        if self.state == TrainerState.PAUSED:
            self.state, self.problem = TrainerState.RUNNING, None
            self.log.event("resume", self.step)

    def _wait_for_memory(self, shortage: Problem) -> None:
        """Pause, as the step was not made and can be made again in smaller pieces."""
        if self.experiment.placement.device.type == "cuda":
            torch.cuda.empty_cache()
        self._pause()
        self.problem = shortage
        self.log.event("problem", self.step, **shortage.as_dict())

    def _serve_copies(self) -> None:
        with self._serving:
            while self._copies:
                copied = self._copies.popleft()
                if self._processes.sharded:
                    remedy = "Wait for its end, or train without --shard"
                    what = "the model cannot be looked at while each process holds a part of it"
                    copied.refuse(Problem(what, field="--shard", remedy=remedy))
                    continue
                try:
                    copied.take(self.model, self.step)
                except BaseException as error:  # noqa: BLE001 - a lack of memory for a copy must not end the run
                    copied.refuse(problem_of(error, doing="Copying the model"))

    def _notify(self, what: str, *arguments: Any) -> None:
        for plugin, observer in tuple(self._observers):
            try:
                getattr(observer, what)(*arguments)
            except BaseException as error:  # noqa: BLE001 - a plugin's code
                self._observers.remove((plugin, observer))
                self._plugin_failed(plugin, error)

    def _failure(self, error: BaseException, doing: str | None = None) -> LabError:
        step, plugin = self.step + (doing is None), self.experiment.architecture.plugin
        return failure_of(error, step=step, training=self.learner.training, plugin=plugin, doing=doing)

    # ----------------------------------------------------------------------------------------------------- state

    @property
    def can_be_saved(self) -> bool:
        """True if the weights can be read and are finite. A GPU reports a NaN loss one update too late."""
        if self.device_lost or self._processes.sharded:  # no process has all weights
            return False
        return all(bool(table.isfinite().all()) for table in self.model.tables().values())

    def state_dict(self) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
        """Return the state that another trainer needs to continue exactly, without the model's tables."""
        tensors, facts = self.learner.state_dict()
        return tensors, {**self._facts(), **facts}

    def save_checkpoint(self, reason: Reason) -> None:
        """Save the state before `run`, which otherwise saves it when it is due."""
        self._checkpoints.save(reason, self._facts())

    def repeat_edits(self, edits: Sequence[Edit]) -> None:
        """Repeat the live edits of an earlier run at their steps, from the start."""
        self._edits.load_state_dict({}, edits)
        self._edits.make_due(self.step)

    def _facts(self) -> dict[str, Any]:
        evaluated = self._evaluated_at == self.step
        return {
            "step": self.step,
            "seconds": self.seconds,
            "evaluated": evaluated,
            "validation_loss": finite(self._evaluated_loss) if evaluated else None,
            "best": self._checkpoints.best,
            "edits": self._edits.state_dict(),
            "early": self._early.state_dict(),
        }

    def load_state_dict(
        self,
        tables: dict[str, torch.Tensor],
        tensors: Mapping[str, torch.Tensor],
        facts: Mapping[str, Any],
        *,
        edits: Sequence[Edit] = (),
    ) -> None:
        """Continue, before `run`, from what `state_dict` returned.

        Args:
            tables: The model's tables at that step.
            tensors: The tensors of `state_dict`.
            facts: The facts of `state_dict`.
            edits: All live edits of the run so far, in order; those made after that step are repeated.
        """
        if not self._processes.alone:
            tables, tensors, facts, edits = self._shared(tables, tensors, facts, edits)
        self.model.load_tables(tables)
        self.learner.load_state_dict(tensors, facts)
        self.step, self.seconds = facts["step"], facts["seconds"]
        self.learner.note_seconds(self.step, self.seconds)
        self._early.load_state_dict(facts.get("early", {}))
        self._evaluated_at = self.step if facts.get("evaluated") else None
        self._evaluated_loss, self._checkpoints.best = facts.get("validation_loss"), facts.get("best")
        self._edits.load_state_dict(facts.get("edits", {}), edits)
        self._edits.make_due(self.step)  # before newly requested edits
        self._checkpoints.note_saved(self.step, facts.get("reason", "end"))

    def _shared(
        self,
        tables: dict[str, torch.Tensor],
        tensors: Mapping[str, torch.Tensor],
        facts: Mapping[str, Any],
        edits: Sequence[Edit],
    ) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor], Mapping[str, Any], list[Edit]]:
        """Return what the leading process loads; see `load_state_dict`. The others call it with anything."""
        if self._processes.leads:
            self._processes.led({"loads": True, "steps": 0})
        given: Any = {"facts": facts, "edits": [edit.model_dump(mode="json") for edit in edits]}
        led = self._processes.led(given)
        edits = [Edit(**edit) for edit in led["edits"]]
        tensors, tables = self._processes.led_tensors(tensors), self._processes.led_tensors(tables)
        own = self.model.tables()
        return (
            {name: part_like(each, own.get(name, each)) for name, each in tables.items()},
            tensors,
            led["facts"],
            edits,
        )
