"""A study is carried out: its runs train in processes here or on a cluster, and continue after any interruption."""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.base import BadInput, LabError, Problem
from lab.base.notices import notify
from lab.base.problems import problem_from_dict
from lab.base.run_state import RunState
from lab.host import Plugins
from lab.runs import RunFolder
from lab.runs.commands import append_command
from lab.runs.library.labels import change_label, read_label
from lab.studies.plans import StoppedRuns, Study, Trial
from lab.workbench.launch.known_corpora import with_absolute_path
from lab.workbench.studies.cluster import Cluster, NoWorker, SchedulerLost, WorkerLost
from lab.workbench.studies.planning import Planner
from lab.workbench.studies.results import VALIDATION_LOSS, StudyResults
from lab.workbench.studies.store import StudyStore, finished_summary
from lab.workbench.studies.training import prepare_process, train_trial

if TYPE_CHECKING:
    from filelock import BaseFileLock

POLL = 0.5
"""Seconds between two looks at the runs that train."""
EVERY = 2.0
"""Seconds between two reports of progress while no run ends."""
DEATHS = 3
"""Times that the process of one run may die before the run counts as failed."""
MOST_WORKERS = 256


@dataclass
class _Training:
    """A run that trains in the pool."""

    trial: Trial
    folder: Path
    lock: BaseFileLock


class StudyExecution:
    """Carries out one study.

    Args:
        study: The study.
        plugins: The plugins.
        workers: Runs that train at once; each has its share of the cores. 0 takes as many as the cluster has workers,
            or 1 without a cluster.
        progress: Called with the results so far, several times a second.
        cluster: Where they train; None for processes of this machine.

    Raises:
        BadInput: The plan cannot be used: a value is not allowed, or an extra is missing.
        LabError: The folder of the study cannot be written.
    """

    def __init__(
        self,
        study: Study,
        plugins: Plugins,
        workers: int = 0,
        progress: Callable[[StudyResults], object] = lambda _results: None,
        cluster: Cluster | None = None,
    ) -> None:
        if not 0 <= workers <= MOST_WORKERS:
            raise BadInput("is not allowed", field="--workers", value=workers, allowed=f"1 ≤ x ≤ {MOST_WORKERS}")
        self.store = StudyStore(study)
        self.study, self._plugins, self._progress = study, plugins, progress
        self._most, self._cluster = workers, cluster
        self._lost: SchedulerLost | None = None
        self.planner = Planner(study, plugins, self.store)
        self._stopper = StoppedRuns(study) if study.stopping.rule != "none" else None
        self.continued = False  # whether it was begun before
        self._failed: dict[str, Problem] = {}
        self._deaths: dict[str, int] = {}
        self._done: set[str] = set()  # keys of finished runs
        self._reported: dict[str, str] = {}
        self._cancelled = False

    def cancel(self) -> None:
        """Stop all runs that train, saving them, and start no more."""
        self._cancelled = True

    def results(self) -> StudyResults:
        """Return what is known of all runs now."""
        return StudyResults.of(self.study, self.planner.trials(), self.store, self._failed)

    def run(self) -> StudyResults:
        """Carry out the study, and return what was found; Ctrl+C stops and saves the runs that train.

        Raises:
            BadInput: The plan cannot be used.
            LabError: The folder of the study cannot be written, or the scheduler of the cluster is lost.
        """
        self.continued = self.store.create()
        started, shown = time.monotonic(), -math.inf
        training: dict[Future[dict[str, Any]], _Training] = {}
        pool = self._pool()
        try:
            while True:
                late = 0 < self.study.stopping.minutes * 60 <= time.monotonic() - started
                if not (self._cancelled or late):
                    pool = self._fill(pool, training)
                elsewhere = self._elsewhere(training) if not (self._cancelled or late) else False
                if not training and not elsewhere:
                    break
                done = wait(training, timeout=POLL, return_when=FIRST_COMPLETED).done
                if not training:
                    time.sleep(POLL)
                broken = [self._take(training.pop(future), future) for future in done]
                if any(broken):
                    pool = self._renewed(pool, training)
                if self._lost is not None:
                    raise self._lost
                self._watch(list(training.values()))
                if self._cancelled:
                    self._stop(list(training.values()))
                if done or time.monotonic() - shown > EVERY:
                    self._progress(self.results())
                    shown = time.monotonic()
        finally:
            self._cancelled = True
            pool.shutdown(wait=False, cancel_futures=True)
            while not all(future.done() for future in training):
                self._stop(list(training.values()))
                wait(training, timeout=POLL)
            pool.shutdown(wait=True)
            for each in training.values():
                each.lock.release()
        return self.results()

    def _pool(self) -> Executor:
        if self._cluster is not None:  # each thread follows the run of one worker
            return ThreadPoolExecutor(MOST_WORKERS, thread_name_prefix="lab: study")
        return ProcessPoolExecutor(
            self._workers, mp_context=multiprocessing.get_context("spawn"), initializer=prepare_process
        )

    @property
    def _workers(self) -> int:
        """The runs that may train at once now."""
        if self._cluster is None:
            return self._most or 1
        there = len(self._cluster.workers())
        return min(there, self._most or MOST_WORKERS)

    def _fill(self, pool: Executor, training: dict[Future[dict[str, Any]], _Training]) -> Executor:
        """Start runs until every worker has one."""
        busy, stopped, workers = {each.trial.key for each in training.values()}, self.store.stopped(), self._workers
        if workers == 0 and not training:
            self._report_once("no worker", "the cluster has no worker: the runs wait for one")
        rank = {key: place for place, key in enumerate(self.store.order())}
        trials = self.planner.trials(ahead=workers - len(training))
        for trial in sorted(
            trials, key=lambda trial: rank.get(trial.key, len(rank))
        ):  # others in the order of the plan
            if len(training) >= workers:
                break
            if trial.key in busy or trial.key in self._failed or trial.key in stopped:
                continue
            if self._is_done(trial):
                continue
            lock = self.store.claim(trial.key)
            if lock is None:
                continue
            if self._is_done(trial):  # it ended between the two looks
                lock.release()
                continue
            run = self.store.run_of(trial.key)
            if run is not None and run.status().state == RunState.RUNNING:  # of a study that was killed: it goes on
                lock.release()
                continue
            try:
                folder = self.store.new_run(trial) if run is None else run.path
                train = train_trial if self._cluster is None else self._cluster.train
                future = pool.submit(
                    train, self._recipe(trial), str(folder), self._name(trial), self._plugins.start_options
                )
            except BrokenProcessPool:
                lock.release()
                return self._renewed(pool, training)
            except BaseException:
                lock.release()
                raise
            training[future] = _Training(trial, folder, lock)
            busy.add(trial.key)
        return pool

    def _is_done(self, trial: Trial) -> bool:
        if trial.key not in self._done:
            run = self.store.run_of(trial.key)
            if run is None or finished_summary(run) is None:
                return False
            self._done.add(trial.key)
            self._learn_from(trial, run.path)  # it ended before this start, or in another process
        return True

    def _recipe(self, trial: Trial) -> str:
        """Return the recipe of a trial for its process: with its share of the cores, unless it names its threads."""
        recipe = with_absolute_path(trial.recipe)
        if recipe.training.threads == 0 and self._cluster is None:  # a worker elsewhere knows its own cores
            share = max(1, (os.cpu_count() or 1) // self._workers)
            recipe = recipe.with_values({"training": {"threads": share}})
        return recipe.to_toml()

    def _name(self, trial: Trial) -> str:
        arm = "" if trial.arm == self.study.title else f": {trial.arm}"
        return f"{self.study.title}{arm}, seed {trial.seed}"[:200]

    def _take(self, ended: _Training, future: Future[dict[str, Any]]) -> bool:
        """Take the outcome of a run. Return True if its process died."""
        ended.lock.release()
        key = ended.trial.key
        try:
            outcome = future.result()
        except SchedulerLost as error:
            self._lost = error
            return False
        except NoWorker:
            return False
        except (BrokenProcessPool, WorkerLost) as error:
            self._deaths[key] = self._deaths.get(key, 0) + 1
            if self._deaths[key] >= DEATHS:
                what = f"the process of this run died {DEATHS} times"
                self._failed[key] = Problem(
                    what, field="run", value=self._name(ended.trial), remedy="Train it alone to see why"
                )
            if isinstance(error, WorkerLost):
                what = "its worker was lost, and it continues from its last checkpoint on another one"
                lost = Problem(what, field="run", value=self._name(ended.trial))
                notify("warning", self._failed.get(key, lost))
                return False
            return True
        self._tag(ended)
        if outcome.get("state") == RunState.FINISHED:
            self._learn_from(ended.trial, ended.folder)
        problem = outcome.get("problem")
        if isinstance(problem, dict):
            self._failed[key] = problem_from_dict(problem)
            if not outcome.get("refused"):
                notify("warning", self._failed[key])
        elif outcome.get("state") != RunState.FINISHED and not self._cancelled and key not in self._reported:
            remedy = "Start the study again to continue it"
            what = f"it ended early: {outcome.get('state')}"
            self._failed[key] = Problem(what, field="run", value=self._name(ended.trial), remedy=remedy)
        return False

    def _learn_from(self, trial: Trial, folder: Path) -> None:
        """Let the stopping rule know a run that trained to its end."""
        if self._stopper is None:
            return
        for step, loss in self._losses(folder):
            self._stopper.report(trial.number, step, loss)
        self._stopper.ended(trial.number)

    def _tag(self, ended: _Training) -> None:
        """Tag a run with its study, by which lists and Compare find it; a run may have the tags of several."""
        with contextlib.suppress(LabError):
            tags = read_label(ended.folder).tags
            if self.study.name not in tags:
                change_label(ended.folder, tags=(*tags, self.study.name))

    def _renewed(self, pool: Executor, training: dict[Future[dict[str, Any]], _Training]) -> Executor:
        """Return a new pool after a process died, which ends all of them; their runs continue from checkpoints."""
        notify(
            "warning",
            Problem(
                "a process of this study died, and the runs that trained continue from their last checkpoints",
                field="study",
                value=self.study.title,
            ),
        )
        for future, each in list(training.items()):
            with contextlib.suppress(BaseException):
                future.exception(timeout=10)
            each.lock.release()
            del training[future]
        pool.shutdown(wait=True, cancel_futures=True)
        return self._pool()

    def _elsewhere(self, training: dict[Future[dict[str, Any]], _Training]) -> bool:
        """Return True if runs of this study train in another process, which is reported once."""
        if training:
            return False
        stopped = self.store.stopped()
        waiting = [
            trial
            for trial in self.planner.trials()
            if trial.key not in self._failed and trial.key not in stopped and not self._is_done(trial)
        ]
        held = []
        for trial in waiting:
            lock = self.store.claim(trial.key)
            if lock is None:
                held.append(trial)
            else:
                lock.release()
        if held:
            what = "another process carries out this study, too: its runs are awaited, and nothing is trained twice"
            self._report_once("elsewhere", what)
        return bool(waiting)

    def _report_once(self, name: str, what: str) -> None:
        if name not in self._reported:
            self._reported[name] = ""
            notify("info", Problem(what, field="study", value=self.study.title))

    def _watch(self, training: Sequence[_Training]) -> None:
        """Compare the losses of runs that train, and stop those that a rule stops."""
        if self._stopper is None:
            return
        for each in training:
            if each.trial.key in self._reported:
                continue
            for step, loss in self._losses(each.folder):
                reason = self._stopper.report(each.trial.number, step, loss)
                if reason is not None:
                    self._reported[each.trial.key] = reason
                    self.store.add_stopped(each.trial.key, reason)
                    self._stop([each])
                    break

    def _losses(self, folder: Path) -> list[tuple[int, float]]:
        try:
            steps, values = RunFolder.open(folder).metrics().read(VALIDATION_LOSS)
        except LabError:  # it has no evaluation yet
            return []
        found = zip(steps.tolist(), values.tolist(), strict=True)
        return [(int(step), float(loss) if math.isfinite(loss) else math.nan) for step, loss in found if step > 0]

    def _stop(self, training: Sequence[_Training]) -> None:
        for each in training:
            with contextlib.suppress(LabError):  # it has not started, or has just ended
                append_command(RunFolder.open(each.folder), {"do": "stop"})
