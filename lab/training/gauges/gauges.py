"""The gauges of one training: at some steps each layer is measured, and the numbers go into the ring of series."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from lab.base.notices import notify
from lab.base.problems import is_interrupt, problem_of
from lab.base.torch_lock import own_draws
from lab.layers import LanguageModel
from lab.runs.metrics.gauges import MACHINE
from lab.training.experiment import Experiment
from lab.training.gauges.activations import ROWS, ActivationGauges, shortened
from lab.training.gauges.histograms import as_record, by_layer, histogram
from lab.training.gauges.lags import gradient_by_lag
from lab.training.gauges.machine import MachineGauges
from lab.training.gauges.not_finite import first_not_finite
from lab.training.gauges.times import StepTimes
from lab.training.gauges.weights import Values, WeightGauges
from lab.training.recording.log import Log
from lab.training.recording.model_copy import ReusedCopy
from lab.training.recording.telemetry import Ring
from lab.training.steps.readback import Readback

DRAWS = 3
"""Second number of the seed of the draws of a measured forward pass; steps, initial weights and checks have others."""
SELDOM = 5
"""Spectral norms and gradients by lag are measured at every fifth measurement, as they take longer than all others."""
RIDGES = 40
"""Most steps of a run at which histograms are recorded."""
Group = Literal["updates", "spectral", "activations", "lags", "histograms", "machine"]
GROUPS: dict[Group, str] = {
    "updates": "updates",
    "spectral": "spectral norms",
    "activations": "activations",
    "lags": "gradients by lag",
    "histograms": "histograms",
    "machine": "machine",
}
"""What is measured together, and what it is called in messages."""


class Gauges:
    """The observer of a learner's steps that measures the layers of its model.

    The training is the same bit for bit with and without it: it reads weights and gradients, and passes examples
    through a copy of the model, with random numbers of its own. What fails here is reported once and left out.

    Args:
        experiment: The experiment.
        model: The model in training.
        copy: The copy of the model that is measured.
        ring: The ring for numbers.
        log: The log for histograms.
        last_step: Returns the last step of the run, which determines the spacing of histograms.
        groups: What is measured.

    Attributes:
        seconds: The seconds that each group has taken, on an accelerator until its work was started.
    """

    def __init__(
        self,
        experiment: Experiment,
        model: LanguageModel,
        copy: ReusedCopy,
        ring: Ring,
        log: Log,
        last_step: Callable[[], int],
        groups: Collection[Group] = tuple(GROUPS),
    ) -> None:
        self._experiment, self._model, self._copy = experiment, model, copy
        self._ring, self._log = ring, log
        self._last_step, self._groups = last_step, set(groups)
        self._every = experiment.recipe.readings.gauges_every
        self._device = experiment.placement.device
        self._weights = WeightGauges(model)
        self._times = StepTimes(self._device)
        self._machine = MachineGauges(self._device)
        self._readback = Readback(self._device)
        self._step = 0
        self._kinds: dict[str, dict[str, Tensor]] = {}  # histograms of the present step
        self.seconds: dict[Group, float] = dict.fromkeys(GROUPS, 0.0)

    def start(self, step: int) -> None:
        """Start the step after which `step` steps are made."""
        self._step, self._kinds = step, {}
        self._times.measuring = self._device.type == "cpu" or self._due
        self._times.start()

    def passed(self, part: str) -> None:
        """End a part of the step."""
        self._times.passed(part)

    @property
    def _due(self) -> bool:
        """True if the present step is measured: the first, and every k-th."""
        return self._step == 1 or self._step % self._every == 0

    @property
    def _seldom(self) -> bool:
        return self._step == 1 or self._step % (SELDOM * self._every) == 0

    @property
    def _counted(self) -> bool:
        """True if histograms are recorded at the present step."""
        spacing = self._every * max(1, -(-self._last_step() // (RIDGES * self._every)))
        return "histograms" in self._groups and (self._step == 1 or self._step % spacing == 0)

    def before_update(self) -> None:
        """Copy the weights and count the gradients, if this step is measured."""
        self._times.passed("optimizer")
        if self._due:
            self._measure("updates", self._weights.before_update)
            if self._counted:
                self._measure("histograms", self._count_gradients)
            self._times.passed("gauges")

    def after_update(self, examples: np.ndarray) -> None:
        """Measure the update and the activations, if this step is measured."""
        self._times.passed("optimizer")
        if not self._due:
            return
        found: Values = []
        self._measure("updates", lambda: found.extend(self._weights.after_update()))
        if self._seldom:
            self._measure("spectral", lambda: found.extend(self._weights.spectral()))
        self._measure("activations", lambda: found.extend(self._activations(examples)))
        if self._seldom and self._experiment.objective.needs == "causal":
            self._measure("lags", lambda: found.extend(self._lags(examples)))
        if self._counted:
            self._measure("histograms", self._count)
        self._weights.forget()
        self._measure("machine", self._record_machine)
        self._times.passed("gauges")
        self._record(found)

    def not_finite(self, examples: np.ndarray) -> None:
        """Log the first tensor that is not finite, for the doctor."""
        experiment, seed = self._experiment, self._experiment.recipe.training.seed
        try:
            model = self._copy.updated()
            batch = experiment.objective.batch(experiment.train, examples, seed).to(self._device)
            batch.fresh = True

            def compute() -> None:
                with own_draws(seed, DRAWS, self._step, device=self._device.type), experiment.placement.autocasting():
                    experiment.objective.loss(model, batch)

            found = first_not_finite(self._model, model, compute)
        except BaseException as error:
            if is_interrupt(error):
                raise
            return  # that the loss is no number is reported anyway
        if found is not None:
            self._log.event("not finite", self._step, **found._asdict())

    def read_back(self) -> None:
        """Record the numbers that are still on their way."""
        self._write_arrived(wait=True)

    def _measure(self, group: Group, call: Callable[[], object]) -> None:
        """Measure a group unless it failed before; report an error, and measure it no more."""
        if group not in self._groups:
            return
        started = time.perf_counter()
        try:
            call()
        except BaseException as error:
            if is_interrupt(error):
                raise
            self._groups.discard(group)
            self._weights.forget()
            plugin = self._experiment.architecture.plugin if group in ("activations", "lags") else None
            problem = problem_of(error, plugin=plugin, doing=f"Measuring the {GROUPS[group]} of the layers")
            notify("warning", problem)
            self._log.event("problem", self._step, **problem.as_dict())
        finally:
            self.seconds[group] += time.perf_counter() - started

    def _activations(self, examples: np.ndarray) -> Values:
        """Pass the first examples of the step through the copy of the model."""
        experiment = self._experiment
        seed = experiment.recipe.training.seed
        batch = shortened(experiment.objective.batch(experiment.train, examples[:ROWS], seed)).to(self._device)
        model = self._copy.updated()
        gauges = ActivationGauges(model)
        with (
            torch.no_grad(),
            own_draws(seed, DRAWS, self._step, device=self._device.type),
            experiment.placement.autocasting(),
            gauges.listening() as found,
        ):
            experiment.objective.loss(model, batch)
        if self._counted:
            self._kinds["activations"] = {layer: histogram(values) for layer, values in gauges.activations.items()}
        return found

    def _record_machine(self) -> None:
        found = self._machine.read()
        self._ring.write(self._step, [self._ring.number(name, MACHINE[name]) for name in found], [*found.values()])

    def _lags(self, examples: np.ndarray) -> Values:
        """Pass the first examples of the step through the copy of the model, and the last losses back to the inputs."""
        experiment = self._experiment
        seed = experiment.recipe.training.seed
        batch = shortened(experiment.objective.batch(experiment.train, examples[:ROWS], seed)).to(self._device)
        model = self._copy.updated()
        with own_draws(seed, DRAWS, self._step, device=self._device.type), experiment.placement.autocasting():
            return gradient_by_lag(model, experiment.objective, batch)

    def _count_gradients(self) -> None:
        """Make histograms of the gradients, which are gone after the update."""
        pairs = zip(self._weights.numbers, self._weights.parameters, strict=True)
        known = [(number, p.grad) for number, p in pairs if p.grad is not None]
        numbers = [number for number, _ in known]
        self._kinds["gradients"] = by_layer([gradient for _, gradient in known], numbers, self._weights.layers)

    def _count(self) -> None:
        """Make the other histograms of this step, and log all of them."""
        numbers, layers = self._weights.numbers, self._weights.layers
        self._kinds["weights"] = by_layer(self._weights.parameters, numbers, layers)
        if self._weights.updates:
            self._kinds["updates"] = by_layer(self._weights.updates, numbers, layers)
        self._log.histograms(self._step, as_record(self._kinds))

    def _record(self, found: Values) -> None:
        """Record the values of this step, and the mean seconds of the parts of the steps since the last one."""
        if found:
            numbers = [self._ring.number(gauge.series(one), gauge.unit) for gauge, layers, _ in found for one in layers]
            self._readback.put(self._step, numbers, torch.cat([values.detach().float() for _, _, values in found]))
        times = self._times.take()
        if times:
            numbers = [self._ring.number(f"{part} seconds", "s") for part in times]
            self._ring.write(self._step, numbers, [*times.values()])
        self._write_arrived(wait=False)

    def _write_arrived(self, *, wait: bool) -> None:
        for step, numbers, values in self._readback.take(wait=wait):
            self._ring.write(step, numbers, values)
