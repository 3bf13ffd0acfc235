"""What is done between two steps to see how a model is: evaluation, a sample of its writing, readings of its inside."""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
import torch

from lab.api import BadInput, ProbeFunction, Reading, checked_readings
from lab.base import Problem
from lab.base.notices import notify
from lab.base.problems import problem_of
from lab.decoding.stream import generate
from lab.layers import LanguageModel
from lab.text.examples.source import ExampleSource
from lab.training.evaluation import Evaluation, default_protocol, evaluate
from lab.training.experiment import Experiment
from lab.training.recording.checkpoints import Kept
from lab.training.recording.snapshot import instance_of, refresh


class Log(Protocol):
    """Where a training writes what is no number: the run's recorder."""

    def event(self, kind: str, step: int, **details: Any) -> None:
        """Something happened."""
        ...

    def sample(self, step: int, text: str) -> None:
        """The model wrote this."""
        ...

    def readings(self, step: int, readings: Sequence[Reading], sample: str | None) -> None:
        """The model's inside looked like this, and it wrote this."""
        ...

    def keep(self, kept: Kept) -> None:
        """A checkpoint is to be made of this."""
        ...

    def unkept(self, step: int, problem: Problem) -> None:
        """Something of a checkpoint could not be taken."""
        ...


class NoLog:
    """Writes nothing: for benchmarks and tests of the loop alone."""

    def event(self, kind: str, step: int, **details: Any) -> None:
        """Nothing."""

    def sample(self, step: int, text: str) -> None:
        """Nothing."""

    def readings(self, step: int, readings: Sequence[Reading], sample: str | None) -> None:
        """Nothing."""

    def keep(self, kept: Kept) -> None:
        """Nothing."""

    def unkept(self, step: int, problem: Problem) -> None:
        """Nothing."""


class Moments:
    """Evaluates, samples and probes one model, in the thread that trains it.

    Args:
        experiment: What is trained on what.
        model: The model; left in the mode it was in.
        log: Where samples and readings go.
        last_step: Tells the training's last step, to space the moments.
        probes: (plugin, probe) pairs; one that raises is not called again.
        plugin_failed: Called with plugin and exception then.
    """

    def __init__(
        self,
        experiment: Experiment,
        model: LanguageModel,
        log: Log,
        last_step: Callable[[], int],
        probes: Sequence[tuple[str, ProbeFunction]],
        plugin_failed: Callable[[str, BaseException], object],
    ) -> None:
        self._experiment, self._model, self._log = experiment, model, log
        self._probes, self._plugin_failed = list(probes), plugin_failed
        self._room = experiment.recipe.readings.budget  # bytes
        self._last_step, self._spaced_to = last_step, -1
        self._steps: list[int] = []  # that are still to come, spaced up to that step
        self._recorded: list[int] = []
        self._most = 0  # bytes of the largest moment so far
        self._sample: tuple[int, str | None] | None = None  # what was written last, and at which step
        self._twin: LanguageModel | None = None

    @property
    def protocol(self) -> str:
        """How its evaluations read the validation split: the model's own protocol."""
        of_text = not isinstance(self._experiment.validation, ExampleSource)
        return default_protocol(self._model, self._experiment.objective, of_text=of_text)

    def evaluate(self, limit: int, stopping: Callable[[], bool] = lambda: False) -> Evaluation | None:
        """The validation loss under the model's own protocol, of what was read until `stopping`; None with no split."""
        experiment = self._experiment
        if experiment.validation is None:
            return None
        return evaluate(
            self._model,
            experiment.objective,
            experiment.validation,
            protocol=self.protocol,
            device=experiment.placement.device,
            sizes=experiment.sizes,
            limit=limit,
            cancelled=stopping,
        )

    def sample(self, step: int) -> None:
        """Logs a text of the model's own, from the first token of the probe text on."""
        written = self._written(step)
        if written is not None:
            self._log.sample(step, written)

    def _written(self, step: int) -> str | None:
        """What the model writes at a step, once; None where it does not."""
        if self._sample is None or self._sample[0] != step:
            self._sample = step, self._write()
        return self._sample[1]

    def _write(self) -> str | None:
        tokenizer, count = self._experiment.tokenizer, self._experiment.recipe.training.sample_tokens
        if tokenizer is None or not count or not self._model.causal or not self.probe_text:
            return None
        source = self._experiment.validation or self._experiment.train
        prompt, before = self.probe_text[:1], ""
        if isinstance(source, ExampleSource):  # a question, and the model's answer
            asked, count = source.question()
            prompt, before = asked.tolist(), tokenizer.decode(asked)
        mode = self._model.training
        self._model.eval()
        try:
            stream = generate(
                self._model,
                prompt,
                sampler=lambda logits: logits,
                seed=self._experiment.recipe.training.seed,
                symbols=tokenizer.vocabulary_size,
                alternatives=1,
                device=self._experiment.placement.device,
            )
            tokens = [token.token for token in itertools.islice(stream, count)]
        finally:
            self._model.train(mode)
        return before + str(tokenizer.decode(tokens))

    @functools.cached_property
    def probe_text(self) -> list[int]:
        """The pinned probe text as tokens; the start of the validation text where the recipe names none."""
        readings, tokenizer = self._experiment.recipe.readings, self._experiment.tokenizer
        source = self._experiment.validation or self._experiment.train
        if tokenizer is None or not hasattr(source, "tokens"):
            return []
        count = max(1, min(readings.tokens, self._model.reach or readings.tokens))
        text = tokenizer.encode(readings.text) if readings.text else source.tokens
        return [int(token) for token in text[:count]]

    def probe(self, step: int, *, last: bool = False) -> None:
        """Logs readings of a second instance, and a sample, at the log-spaced steps and at the end, within the budget.

        The first moment tells how many fit; where that are fewer than are planned, they are spread anew, and the end
        keeps its room.
        """
        if self._spaced_to != self._last_step():  # the first time, or the training got more steps
            self._spaced_to = self._last_step()
            self._steps = log_spaced(self._experiment.recipe.readings.moments, self._spaced_to)
        planned = [one for one in self._steps if one >= step]
        due = bool(planned) and (last or step in planned) and step not in self._recorded[-1:]
        if not due or not self._probes or not self._experiment.recipe.readings.tokens or self._room <= 0:
            return
        if not self.probe_text:
            return
        ahead = [] if last else planned[1:]
        readings, sample = self._readings(step), None
        with contextlib.suppress(Exception):  # told where it is written after an evaluation; the readings stay
            sample = self._written(step)
        size = sum(reading.values.nbytes for reading in readings) + len((sample or "").encode("utf-8", "replace"))
        self._most = max(self._most, size)
        fits = self._room >= size + (self._most if ahead else 0)
        self._steps = ahead
        if readings and fits:
            self._log.readings(step, readings, sample)
            self._recorded.append(step)
            self._room -= size
        if self._most:
            self._steps = thinned(ahead, max(self._room // self._most, 0))
        if (readings and not fits) or len(self._steps) < len(ahead):
            self._tell_budget(step)

    def go_on_from(self, recorded: Mapping[int, int]) -> None:
        """Takes up where moments were recorded already.

        Args:
            recorded: Their steps, and the bytes that each takes of the budget.
        """
        self._recorded = sorted(recorded)
        self._room -= sum(recorded.values())

    def _readings(self, step: int) -> list[Reading]:
        if self._twin is None:
            self._twin = instance_of(self._model)
        else:
            refresh(self._twin, self._model)
        tokens = torch.tensor([self.probe_text], device=self._experiment.placement.device)
        readings: list[Reading] = []
        for plugin, probe in tuple(self._probes):
            try:
                with torch.no_grad():
                    readings += checked_readings(probe(self._twin, tokens))
            except BaseException as error:  # noqa: BLE001 - a plugin's code
                self._probes.remove((plugin, probe))
                problem = problem_of(error, plugin=plugin, doing="A probe")
                self._log.event("problem", step, **problem.as_dict())
                if isinstance(error, BadInput):  # not made for this model: no fault of the plugin
                    notify("warning", replace(problem, plugin=None))
                else:
                    self._plugin_failed(plugin, error)
        return readings

    def _tell_budget(self, step: int) -> None:
        settings = self._experiment.recipe.readings
        kept = len(self._recorded) + len(self._steps)
        self._log.event("budget", step, moments=settings.moments, kept=kept, bytes=self._most, budget=settings.budget)


def log_spaced(count: int, last: int) -> list[int]:
    """`count` log-spaced steps from 0 to `last`, in order; all steps where there are no more.

    Where the next one in the logarithm would be the same whole step, it is the step after, and the rest is spaced anew.
    """
    places = [1.0] if count else []
    while 0 < len(places) < min(count, last + 1):
        here = places[-1]
        places.append(max(here + 1, here * ((last + 1) / here) ** (1 / (count - len(places)))))
    return [round(place) - 1 for place in places]


def thinned(steps: Sequence[int], count: int) -> list[int]:
    """`count` of some steps, spread as they are; the last one always, unless `count` is 0."""
    if count >= len(steps):
        return list(steps)
    return [steps[round(place)] for place in np.linspace(-1, len(steps) - 1, count + 1)[1:].tolist()]
