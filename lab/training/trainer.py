"""The training loop: steps, orders between them, and the moments at which one looks how the model is."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch

from lab.api import ProbeFunction, RunObserver
from lab.base import BadInput, LabError, Problem
from lab.base.notices import notify
from lab.base.problems import problem_of
from lab.base.units import finite
from lab.recipes import Edit
from lab.runs.checkpoint_list import Reason
from lab.training.between_steps import Log, Moments, NoLog
from lab.training.control import Control
from lab.training.evaluation import Evaluation
from lab.training.experiment import Experiment
from lab.training.failures import DeviceLost, OutOfMemory, failure_of
from lab.training.recording.checkpoint_policy import CheckpointPolicy
from lab.training.recording.snapshot import Snapshot
from lab.training.recording.telemetry import Rate, Ring
from lab.training.steps.edits import Edits
from lab.training.steps.gradient import learner_of

TrainerState = Literal["ready", "running", "paused", "finished", "stopped", "failed"]

LOOK_AFTER_STOP = 16384
"""Targets that are scored at most after a stop: who stops a training wants it saved, and soon."""

UNITS = {"validation loss": "nats", "tokens per second": "tokens/s"}


def tell_failure(plugin: str, error: BaseException) -> None:
    """A notice about a plugin's probe or observer that raised."""
    notify("warning", problem_of(error, plugin=plugin))


class Trainer:
    """Trains one model. `run` is called in a thread of its own; everything public may be asked from any thread.

    Args:
        experiment: What is trained on what.
        ring: Where the numbers go.
        control: Where orders come from.
        log: Where texts, readings and events go.
        probes: Functions (model, tokens (1, T)) -> readings, called at the recipe's moments, with the plugin of each.
        observers: Who hears the run's life, with the plugin of each.
        plugin_failed: Called with plugin and exception when a probe or observer raises; it is not called again.
        run: The run's folder, which observers hear of.

    Attributes:
        model: The model.
        step: Steps made.
        seconds: Training time, without evaluations and pauses.
        state: "ready", "running", "paused", "finished", "stopped", "failed".
        problem: Why it failed, or what it waits for.
        device_lost: Whether it failed because its device did, so that nothing can be read from it any more.
        evaluation: The last one.
        speed: Of the last ten seconds of training.
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
        plugin_failed: Callable[[str, BaseException], object] = tell_failure,
        run: Path = Path(),
    ) -> None:
        self.experiment = experiment
        self.ring, self.control, self.log = ring or Ring(), control or Control(), log or NoLog()
        self.ring.stopping = self.control.stopping
        self.model = experiment.build()
        self.learner = learner_of(experiment, self.model, self.ring)
        self.control.check = self.learner.check_live
        self.step, self.seconds = 0, 0.0
        self.state: TrainerState = "ready"
        self.problem: Problem | None = None
        self.device_lost = False
        self.evaluation: Evaluation | None = None
        self.speed = Rate()
        self.moments = Moments(experiment, self.model, self.log, lambda: self.last_step, probes, plugin_failed)
        self._run = run
        self._observers, self._plugin_failed = list(observers), plugin_failed
        self._clocks = [self.ring.number("tokens", "tokens"), self.ring.number("seconds", "s")]
        self._snapshots: deque[Snapshot] = deque()
        self._steps_until_pause: int | None = None
        self._stopped = False
        self._given_up: set[str] = set()  # what failed beside the steps and is not done again
        self._looked_at: int | None = None  # the step of the last evaluation
        self._looked: float | None = None  # the loss it gave
        self._edits = Edits(self.learner, experiment.recipe.training.edits, self.log)
        self._keeper = CheckpointPolicy(experiment, self.model, self.learner, self.log, self.kept)
        self._serving = threading.RLock()  # whoever copies the model while no step is made

    @property
    def last_step(self) -> int:
        """The number of steps after which it is finished."""
        return self.learner.last_step

    @property
    def tokens(self) -> int:
        """Tokens read."""
        return self.learner.tokens

    def train_loss(self) -> float | None:
        """Mean training loss of the last hundred steps, nats per target; of the last slice for a model that counts."""
        losses = tuple(self.learner.recent_losses)
        return float(np.mean(losses)) if losses else None

    def snapshot(self, into: Snapshot) -> Snapshot:
        """Asks for a copy of the model at the next step boundary; `into.wait()` gives it."""
        self._snapshots.append(into)
        self.control.wake()
        with self._serving:
            if self.state not in ("running", "paused"):
                self._serve_snapshots()
        return into

    def run(self) -> None:
        """Trains until the last step, a stop or a failure. Leaves `state` and `problem` behind; raises nothing."""
        torch.set_num_threads(self.experiment.placement.threads)  # counts for this thread alone
        with self._serving:
            self.state = "running"
        try:
            self._tell("started", self._run, self.experiment.recipe.model_dump(mode="json", exclude_none=True))
            while self._is_not_over() and self._obey():
                self._beside("probing", lambda: self.moments.probe(self.step))
                if self._make_step():
                    self._between_steps()
            self._finish()
        except BaseException as error:  # noqa: BLE001 - the thread's last stop; a plugin may raise SystemExit
            self._fail(error)
        self._serve_snapshots()
        self._tell("ended", self.state, self.problem)

    def advance(self) -> None:
        """Makes a step, unless the last one is made, and nothing beside it; its numbers are in the ring.

        Raises:
            LabError: It failed.
        """
        torch.set_num_threads(self.experiment.placement.threads)
        if self._is_not_over():
            try:
                self.learner.make_step(self.step)
            except BaseException as error:  # noqa: BLE001 - a plugin's code
                raise self._failure(error) from None
            self.step += 1
        self.learner.read_back()

    def _is_not_over(self) -> bool:
        """Whether there is a step to make, once the edits are made whose step has come."""
        self._edits.make_due(self.step)
        return self.step < self.last_step

    def _between_steps(self) -> None:
        """Evaluates and keeps what is due."""
        training = self.learner.training
        every = min(training.evaluate_every, self.learner.look_every)
        if every and self.step % every == 0 and self.step < self.last_step:
            self._look(training.evaluate_tokens)
        self._keeper.after_step(self._told())

    def _finish(self) -> None:
        self.learner.read_back()
        self._beside("probing", lambda: self.moments.probe(self.step, last=True))
        if self._looked_at != self.step:
            # a stop must not take long; an end may read all of the validation text
            limit = min(self.learner.training.evaluate_tokens or LOOK_AFTER_STOP, LOOK_AFTER_STOP)
            self._look(limit if self._stopped else 0)
        self._keeper.keep("end", self._told())
        self.state = "stopped" if self._stopped else "finished"

    def _fail(self, error: BaseException) -> None:
        failure = self._failure(error)
        self.device_lost = isinstance(failure, DeviceLost)
        self.problem, self.state = failure.problem, "failed"
        self.log.event("problem", self.step, **failure.problem.as_dict())
        if self.can_be_kept and not self._keeper.has(self.step):  # that one was made when all was well
            self._keeper.keep("end", self._told())

    def _make_step(self) -> bool:
        """Makes a step, or waits where there is no memory for it. Returns whether it was made."""
        start, tokens = time.perf_counter(), self.learner.tokens
        failure: LabError | None = None
        try:
            self.learner.make_step(self.step)
        except BaseException as error:  # noqa: BLE001 - a plugin's code
            failure = self._failure(error).with_traceback(None)  # whose frames hold the tensors of the step
        if isinstance(failure, OutOfMemory):
            self._wait_for_memory(failure.problem)
            return False
        if failure is not None:
            raise failure
        elapsed = time.perf_counter() - start
        self.seconds += elapsed
        self.speed.add(elapsed, self.learner.tokens - tokens)
        self.step += 1
        self.ring.write(self.step, self._clocks, [self.learner.tokens, self.seconds])
        if self._observers:
            self._tell("stepped", self.step, self.learner.latest)
        return True

    def _look(self, limit: int) -> None:
        """Evaluates, tells the figures, and lets the model write."""
        self.learner.read_back()
        self._looked_at, self._looked = self.step, None
        # a stop ends an evaluation that was under way; the short one after a stop is made
        stopping = (lambda: False) if self._stopped else self.control.stopping.is_set
        try:
            evaluation = self.moments.evaluate(limit, stopping)
        except BaseException as error:  # noqa: BLE001 - a plugin's code
            raise self._failure(error, doing="evaluating") from None
        if evaluation is not None:
            self.experiment.check_metrics(evaluation.metrics)
            self.evaluation, self._looked = evaluation, evaluation.loss
            values = {"validation loss": evaluation.loss}
            values |= {f"validation {name}": value for name, value in evaluation.metrics.items()}
            speed = self.speed.tokens_per_second()
            values |= {} if speed is None else {"tokens per second": speed}
            self.ring.write(self.step, [self.ring.number(n, UNITS.get(n, "")) for n in values], [*values.values()])
            self._tell("evaluated", self.step, values)
        self._beside("writing a sample", lambda: self.moments.sample(self.step))

    def _beside(self, doing: str, call: Callable[[], None]) -> None:
        """Does what a training can do without: where it fails, that is told once, and it is not done again."""
        if doing in self._given_up:
            return
        try:
            call()
        except BaseException as error:  # noqa: BLE001 - a plugin's code
            failure = self._failure(error, doing=doing)
            if isinstance(failure, DeviceLost):
                raise failure from None
            self._given_up.add(doing)
            notify("warning", failure.problem)
            self.log.event("problem", self.step, **failure.problem.as_dict())

    # ---------------------------------------------------------------------------------------------------- orders

    def _obey(self) -> bool:
        """Takes the orders that came, and waits while paused. Returns whether to go on."""
        if self._steps_until_pause == 0:
            self._pause()
        while True:
            self._serve_snapshots()
            paused = self.state == "paused"
            order = self.control.take(seconds=1.0 if paused else None)
            if order is not None and order["do"] == "stop":
                self._stopped = True
                self.log.event("stop", self.step)
                return False
            if order is not None:
                self._follow(order)
            elif not paused:
                break
        if self._steps_until_pause is not None:
            self._steps_until_pause -= 1
        return True

    def _follow(self, order: Mapping[str, Any]) -> None:
        match order["do"]:
            case "pause":
                self._pause()
            case "resume":
                self._go_on(None)
            case "step":
                self._go_on(int(order["steps"]))
            case "checkpoint":
                self._keeper.keep("hand", self._told())
            case "set":
                try:
                    self.change(order["path"], order["value"])
                except BadInput as error:
                    notify("warning", error.problem)
                    self.log.event("problem", self.step, **error.problem.as_dict())

    def change(self, path: str, value: Any) -> None:
        """Changes a live setting; the state before it is kept. Before `run`, or by an order.

        Raises:
            BadInput: There is no such setting, it is not live, or the value is not allowed.
        """
        self.learner.check_live(path, value)
        self._keeper.before_edit(self._told())
        self._edits.make(self.step, path, value)

    def _pause(self) -> None:
        self._steps_until_pause = None
        if self.state != "paused":
            self.learner.read_back()
            self.state = "paused"
            self.log.event("pause", self.step)

    def _go_on(self, steps: int | None) -> None:
        self._steps_until_pause = steps
        if self.state == "paused":
            self.state, self.problem = "running", None
            self.log.event("resume", self.step)

    def _wait_for_memory(self, shortage: Problem) -> None:
        """Out of memory costs nothing: the step was not made, and waits to be made in smaller pieces."""
        if self.experiment.placement.device.type == "cuda":
            torch.cuda.empty_cache()
        self._pause()
        self.problem = shortage
        self.log.event("problem", self.step, **shortage.as_dict())

    def _serve_snapshots(self) -> None:
        with self._serving:
            while self._snapshots:
                snapshot = self._snapshots.popleft()
                try:
                    snapshot.take(self.model, self.step)
                except BaseException as error:  # noqa: BLE001 - no memory for a copy is the asker's problem, not the run's
                    snapshot.refuse(problem_of(error, doing="Copying the model"))

    def _tell(self, what: str, *arguments: Any) -> None:
        for plugin, observer in tuple(self._observers):
            try:
                getattr(observer, what)(*arguments)
            except BaseException as error:  # noqa: BLE001 - a plugin's code
                self._observers.remove((plugin, observer))
                self._plugin_failed(plugin, error)

    def _failure(self, error: BaseException, doing: str | None = None) -> LabError:
        step, plugin = self.step + (doing is None), self.experiment.architecture.plugin
        return failure_of(error, step=step, training=self.learner.training, plugin=plugin, doing=doing)

    # ------------------------------------------------------------------------------------------------ to be kept

    @property
    def can_be_kept(self) -> bool:
        """Whether the weights are there and finite. A GPU tells of a loss that is no number an update too late."""
        return not self.device_lost and all(bool(table.isfinite().all()) for table in self.model.tables().values())

    def kept(self) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
        """What another trainer of the same experiment needs, beside the model's tables, to go on bit for bit."""
        tensors, facts = self.learner.kept()
        return tensors, {**self._told(), **facts}

    def keep(self, reason: Reason) -> None:
        """Keeps the state as it is before `run`, which keeps it when it is due."""
        self._keeper.keep(reason, self._told())

    def go_again(self, edits: Sequence[Edit]) -> None:
        """Makes the live edits that people made of the run anew, at their steps, from its beginning on."""
        self._edits.go_on_from({}, edits)
        self._edits.make_due(self.step)

    def _told(self) -> dict[str, Any]:
        looked = self._looked_at == self.step
        return {
            "step": self.step,
            "seconds": self.seconds,
            "evaluated": looked,
            "validation_loss": finite(self._looked) if looked else None,
            "best": self._keeper.best,
            "edits": self._edits.made(),
        }

    def go_on_from(
        self,
        tables: dict[str, torch.Tensor],
        tensors: Mapping[str, torch.Tensor],
        facts: Mapping[str, Any],
        *,
        edits: Sequence[Edit] = (),
    ) -> None:
        """Takes up, before `run`, where `kept` was made.

        Args:
            tables: The model's tables then.
            tensors: As `kept` gave them.
            facts: As `kept` gave them.
            edits: All live edits that people made of the run so far, in their order; those that came later are made
                anew at their steps.
        """
        self.model.load_tables(tables)
        self.learner.go_on_from(tensors, facts)
        self.step, self.seconds = facts["step"], facts["seconds"]
        self._looked_at = self.step if facts.get("evaluated") else None
        self._looked, self._keeper.best = facts.get("validation_loss"), facts.get("best")
        self._edits.go_on_from(facts.get("edits", {}), edits)
        self._edits.make_due(self.step)  # before what is asked for now
        self._keeper.is_kept(self.step, facts.get("reason", "end"))
