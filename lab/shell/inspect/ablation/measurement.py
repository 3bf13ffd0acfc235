"""The work behind the losses without a part: it lists what the model offers, and measures, off the main thread."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from lab.base.jobs import Cancelled
from lab.base.problems import Problem
from lab.host import Plugins
from lab.shell.inspect.ablation.model import AblationModel
from lab.shell.inspect.ablation.parts import kinds_of
from lab.shell.runtime.background import Background
from lab.shell.session.model_provider import ModelProvider, model_name
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.i18n import tr
from lab.workbench.access.ablation import Baseline, PartLoss

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.workbench.access.model_access import ModelAccess

PULL = 250
"""Milliseconds between two updates of a measurement's results."""


class Ablations(QObject):
    """Lists the parts of the inspected model, and measures its loss without them.

    Args:
        registry: The runs.
        model_provider: Provides the model.
        background: Measures off the main thread.
        plugins: The plugins whose interventions label the parts.
        parent: Its parent.

    Attributes:
        model: The state of the card.
        run: The run of the model; None for the untrained model of the draft.
    """

    changed = Signal()
    """Something else is to be shown."""
    progressed = Signal()
    """Time has passed while something is measured."""
    now_requested = Signal()
    """The user wants to see the model as it is now, in place of a snapshot."""

    def __init__(
        self,
        registry: RunRegistry,
        model_provider: ModelProvider,
        background: Background,
        plugins: Plugins,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._registry, self._model_provider, self._background = registry, model_provider, background
        self._plugins = plugins
        self.model = AblationModel()
        self.run: RunModel | None = None
        self._access: ModelAccess | None = None
        self._worker: _Worker | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(PULL)
        self._timer.timeout.connect(self._pull)

    @property
    def name(self) -> str:
        """The name of the model, with the step of its losses, or with its own before there are any."""
        baseline = self.model.baseline
        return model_name(self.run, self.model.step if baseline is None else baseline.step)

    @property
    def tokens(self) -> int:
        """The number of tokens of the validation text that are read; 0 for all."""
        baseline = self.model.baseline
        if baseline is not None:
            return baseline.targets
        recipe = self._model_provider.draft.recipe if self.run is None else self.run.recipe
        return recipe.training.evaluate_tokens

    def follow(self, snapshot: int | None) -> None:
        """Show what is known of the inspected model.

        Args:
            snapshot: The recorded step that is shown in its place; None for the model itself.
        """
        access, run = self._model_provider.current("inspect")
        self._access, self.run = access, run
        is_of_run = run is not None and access is run.source
        source = run if is_of_run else access
        before = self.model.state, self.model.step
        is_other = self.model.select_model(source, _step_of(run) if is_of_run else 0, snapshot)
        if is_other:
            self._end()
        if is_other or (self.model.state, self.model.step) != before:
            self.changed.emit()

    def close(self) -> None:
        """Measure nothing any more."""
        self.model.close()
        self._end()

    # --------------------------------------------------------------------------------------------------------- listing

    def list_parts(self) -> None:
        """List the parts of the model, unless that is known or under way."""
        access = self._access
        if access is None or not self.model.needs_listing:
            return
        number = self.model.listing.start(time.perf_counter())
        title = tr("Listing the parts of {name}", name=self.name)
        work = partial(_list_parts, access)
        taken, failed = partial(self._take_list, number), partial(self._fail_list, number)
        self._background.run(title, work, taken, failed, replaces="parts")

    def list_again(self) -> None:
        """List the parts of the model again after a problem."""
        self.model.forget_refusal()
        self.changed.emit()
        self.list_parts()

    def _take_list(self, number: int, offered: dict[str, list[str]]) -> None:
        if self.model.offer(number, kinds_of(offered, self._plugins.cards("interventions")), time.perf_counter()):
            self.changed.emit()

    def _fail_list(self, number: int, problem: Problem) -> None:
        if self.model.refuse(number, problem, time.perf_counter()):
            self.changed.emit()

    # ------------------------------------------------------------------------------------------------------- measuring

    def measure(self, targets: Sequence[str]) -> None:
        """Measure the losses without some parts, each by itself; what is measured already takes them too."""
        request = self.model.request(targets, time.perf_counter())
        if request is None or self._access is None:
            return
        number, wanted = request
        if self._worker is None:
            self._start(number, wanted)
        else:
            self._worker.add(wanted)
        self.changed.emit()

    def cancel(self) -> None:
        """End what is measured; results so far stay."""
        self._pull()
        self.model.cancel()
        self._end()
        self.changed.emit()

    def _start(self, number: int, targets: Sequence[str]) -> None:
        assert self._access is not None  # something is inspected
        worker = self._worker = _Worker(self._access, targets, self.model.baseline)
        worker.trains = self._registry.training_here
        title = tr("Measuring {name} without parts", name=self.name)
        taken, failed = partial(self._take_end, number), partial(self._fail, number)
        self._background.run(title, worker.work, taken, failed)
        self._timer.start()

    def _end(self) -> None:
        if self._worker is not None:
            self._worker.cancelled = True
            self._worker = None
        self._timer.stop()

    def _pull(self) -> None:
        """Show what was found since the last time."""
        worker, now, is_new = self._worker, time.perf_counter(), False
        if worker is None:
            return
        worker.trains = self._registry.training_here
        number = self.model.measurements.number
        while worker.found:
            one = worker.found.popleft()
            if isinstance(one, Baseline):
                is_new |= self.model.take_baseline(number, one, now)
            else:
                is_new |= self.model.take_loss(number, one.target, one.loss, one.problem)
        if is_new:
            self.changed.emit()
        self.progressed.emit()

    def _take_end(self, number: int, complete: bool) -> None:
        if number != self.model.measurements.number or self._worker is None:
            return
        if not complete:
            self.cancel()
            return
        self._pull()
        self._end()
        left = self.model.end(number, time.perf_counter())
        if left:  # requested while the worker ended
            self.measure(left)
        self.changed.emit()

    def _fail(self, number: int, problem: Problem) -> None:
        if number != self.model.measurements.number or self._worker is None:
            return
        self._pull()
        self._end()
        self.model.fail(number, problem, time.perf_counter())
        self.changed.emit()


class _Worker:
    """One measurement: the main thread adds what to measure and takes what was found, a thread measures.

    Attributes:
        found: Losses that the main thread has not taken yet.
        trains: True while a run trains in this process.
        cancelled: True once it is to end.
    """

    def __init__(self, access: ModelAccess, targets: Sequence[str], known: Baseline | None) -> None:
        self.found: deque[Baseline | PartLoss] = deque()
        self.trains = self.cancelled = False
        self._access, self._known = access, known
        self._targets = deque(targets)
        self._lock = threading.Lock()
        self._is_over = False
        self._job: Job | None = None

    def add(self, targets: Sequence[str]) -> None:
        """Measure these too; nothing happens if it is about to end."""
        with self._lock:
            if not self._is_over:
                self._targets.extend(targets)

    def work(self, job: Job) -> bool:
        """Measure; in a thread of its own. Return False if it was cancelled."""
        self._job = job
        try:
            self._access.measure_parts(
                self._taken(),
                self.found.append,
                known=self._known,
                trains=self._trains,
                cancelled=self._is_cancelled,
            )
        except Cancelled:
            return False
        return True

    def _taken(self) -> Iterator[str]:
        while True:
            with self._lock:
                if not self._targets:
                    self._is_over = True
                    return
                target = self._targets.popleft()
            yield target

    def _trains(self) -> bool:
        return self.trains

    def _is_cancelled(self) -> bool:
        return self.cancelled or (self._job is not None and self._job.cancelled)


def _list_parts(access: ModelAccess, _job: Job) -> dict[str, list[str]]:
    return access.interventions()


def _step_of(run: RunModel | None) -> int:
    """Return the step of the model that a run lends: the last checkpoint's, unless this process trains it."""
    if run is None:
        return 0
    return run.checkpoints[-1] if run.active is None and run.checkpoints else run.step
