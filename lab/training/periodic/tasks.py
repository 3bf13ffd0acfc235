"""Work between steps that shows the progress of a model: evaluation, samples, readings at log-spaced steps."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from lab.api import BadInput, ProbeFunction, Reading, checked_readings
from lab.base.notices import notify
from lab.base.problems import problem_of
from lab.decoding.builtins import SamplingConfig
from lab.decoding.request import request_for
from lab.decoding.strategies import Sampling
from lab.decoding.stream import generate
from lab.diagnostics.examples.rows import RowsInput, reads_rows, rows_input
from lab.diagnostics.source import ProbeInput, first_pair, input_of_pair
from lab.layers import LanguageModel
from lab.text.examples.source import ExampleSource
from lab.text.rows.source import RowSource
from lab.text.streams import TokenSource
from lab.training.evaluation import Evaluation, default_protocol, evaluate
from lab.training.experiment import Experiment
from lab.training.recording.log import Log
from lab.training.recording.model_copy import ReusedCopy

FIRST_SAMPLE, SAMPLE_GROWTH = 20, 2
"""Tokens of the sample at step 0, and how many more each step adds up to the length that is set: a model that has
hardly learned writes noise, and much of it would delay the first points of the curves."""


class PeriodicTasks:
    """Evaluation, sampling and probing of one model, in the thread that trains it.

    Args:
        experiment: The experiment.
        model: The model; its mode is restored.
        log: The log of samples and readings.
        last_step: Returns the last step of the run, which determines the spacing of recorded steps.
        probes: (plugin, probe) pairs; one that raises is not called again.
        plugin_failed: Called with the plugin and the exception if a probe raises.
        copy: The copy of the model that probes read; None makes one.
    """

    def __init__(
        self,
        experiment: Experiment,
        model: LanguageModel,
        log: Log,
        last_step: Callable[[], int],
        probes: Sequence[tuple[str, ProbeFunction]],
        plugin_failed: Callable[[str, BaseException], object],
        copy: ReusedCopy | None = None,
    ) -> None:
        self._experiment, self._model, self._log = experiment, model, log
        self._probes, self._plugin_failed = list(probes), plugin_failed
        self._room = experiment.recipe.readings.budget  # bytes
        self._last_step, self._spaced_to = last_step, -1
        self._steps: list[int] = []  # not recorded yet, spaced up to `_spaced_to`
        self._recorded: list[int] = []
        self._largest = 0  # bytes of the largest recorded step so far
        self._sample: tuple[int, str | None] | None = None  # the last sample and its step
        self._copy = copy or ReusedCopy(model)

    @property
    def protocol(self) -> str:
        """The protocol of the evaluations, which is the model's default."""
        of_text = isinstance(self._experiment.validation, TokenSource)
        return default_protocol(self._model, self._experiment.objective, of_text=of_text)

    def evaluate(self, limit: int, stopping: Callable[[], bool] = lambda: False) -> Evaluation | None:
        """Evaluate under the default protocol until `stopping`, in the number format of the training.

        Returns:
            None without a validation split.
        """
        experiment = self._experiment
        if experiment.validation is None:
            return None
        with experiment.placement.autocasting():
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
        """Log a text that the model generates from the first token of the probe text."""
        written = self._written(step)
        if written is not None:
            self._log.sample(step, written)

    def _written(self, step: int) -> str | None:
        """Return the text that the model generates at a step, generated once; None if it generates none."""
        if self._sample is None or self._sample[0] != step:
            self._sample = step, self._write(step)
        return self._sample[1]

    def _write(self, step: int) -> str | None:
        tokenizer, objective = self._experiment.tokenizer, self._experiment.objective
        writes = self._model.causal and objective.needs in ("causal", "sequence-to-sequence")
        question = self._question(step) if writes and self._experiment.recipe.training.sample_tokens else None
        if tokenizer is None or question is None:
            return None
        prompt, before, count = question
        request = request_for(self._model, objective, prompt, tokenizer.vocabulary_size)
        mode = self._model.training
        self._model.eval()
        try:
            stream = generate(
                request.model,
                request.prompt,
                strategy=Sampling(SamplingConfig()),
                seed=self._experiment.recipe.training.seed,
                symbols=request.symbols,
                stops=request.stops(),
                count=count,
                alternatives=1,
                device=self._experiment.placement.device,
            )
            tokens = [token.token for token in stream if token.end is None or token.end.reason == "length"]
        finally:
            self._model.train(mode)
        return before + str(tokenizer.decode(tokens))

    def _question(self, step: int) -> tuple[Sequence[int] | NDArray[Any], str, int] | None:
        """Return the prompt of a sample, the text before it, and the number of tokens; None if there is no prompt.

        The prompt of a model of captions is a picture; the text before is the right caption.
        """
        source, tokenizer = self._experiment.validation or self._experiment.train, self._experiment.tokenizer
        if tokenizer is None or not isinstance(source, ExampleSource | RowSource):
            count = self._experiment.recipe.training.sample_tokens
            if step < self._last_step():
                count = min(count, FIRST_SAMPLE + SAMPLE_GROWTH * step)
            return (self.probe_text[:1], "", count) if self.probe_text else None
        question = source.question()  # show it, and the model's answer
        if question is None:
            return None
        border = " → " if self._experiment.objective.needs == "sequence-to-sequence" else ""
        if question[0].ndim > 1:
            caption = source.ordered().rows(np.zeros(1, np.int64), 0)["target"][0]
            return question[0], tokenizer.decode(caption) + border, question[1]
        return question[0].tolist(), tokenizer.decode(question[0]) + border, question[1]

    @functools.cached_property
    def probe_text(self) -> list[int]:
        """The probe text as tokens; the start of the validation text if the recipe has none."""
        readings, tokenizer = self._experiment.recipe.readings, self._experiment.tokenizer
        source = self._experiment.validation or self._experiment.train
        if tokenizer is None or not hasattr(source, "tokens"):
            return []
        count = max(1, min(readings.tokens, self._model.reach or readings.tokens))
        text = tokenizer.encode(readings.text) if readings.text else source.tokens
        return [int(token) for token in text[:count]]

    @functools.cached_property
    def _probe_input(self) -> ProbeInput | RowsInput | None:
        """Return the input of probes: the probe text, the first validation pair or row; None if there is neither."""
        experiment, tokenizer = self._experiment, self._experiment.tokenizer
        source = experiment.validation or experiment.train
        if reads_rows(source, experiment.objective):
            decode = None if tokenizer is None else tokenizer.decode
            text = experiment.recipe.readings.text
            return rows_input(source, experiment.objective, experiment.corpus, text, decode)
        if tokenizer is None:
            return None
        of_pairs = isinstance(source, RowSource) and "source" in source.columns
        made_of_text = experiment.objective.needs == "sequence-to-sequence" and hasattr(source, "tokens")
        if self.probe_text and not made_of_text:
            return ProbeInput(self.probe_text, ())
        if (
            not (of_pairs or made_of_text)
            or "begin" not in experiment.objective.symbols
            or experiment.recipe.readings.text
        ):
            return None
        return input_of_pair(first_pair(source, experiment.objective), tokenizer, experiment.objective)

    def probe(self, step: int, *, last: bool = False) -> None:
        """Log readings of a copy of the model, and a sample, at log-spaced steps and at the end, within the budget.

        The size of the first recorded step determines how many fit. If fewer fit than are planned, the remaining steps
        are thinned out, and room is reserved for the last one.
        """
        if self._spaced_to != self._last_step():  # the first call, or the last step was changed
            self._spaced_to = self._last_step()
            self._steps = log_spaced(self._experiment.recipe.readings.moments, self._spaced_to)
        planned = [one for one in self._steps if one >= step]
        due = bool(planned) and (last or step in planned) and step not in self._recorded[-1:]
        if not due or not self._probes or not self._experiment.recipe.readings.tokens or self._room <= 0:
            return
        if self._probe_input is None:
            return
        ahead = [] if last else planned[1:]
        readings, sample = self._readings(step), None
        with contextlib.suppress(Exception):  # reported after an evaluation; the readings are recorded anyway
            sample = self._written(step)
        size = sum(reading.values.nbytes for reading in readings) + len((sample or "").encode("utf-8", "replace"))
        self._largest = max(self._largest, size)
        fits = self._room >= size + (self._largest if ahead else 0)
        self._steps = ahead
        if readings and fits:
            self._log.readings(step, readings, sample)
            self._recorded.append(step)
            self._room -= size
        if self._largest:
            self._steps = subsample(ahead, max(self._room // self._largest, 0))
        if (readings and not fits) or len(self._steps) < len(ahead):
            self._report_budget(step)

    def set_recorded(self, recorded: Mapping[int, int]) -> None:
        """Continue after steps that were recorded before.

        Args:
            recorded: The recorded steps, and the bytes of the budget that each uses.
        """
        self._recorded = sorted(recorded)
        self._room -= sum(recorded.values())

    def _readings(self, step: int) -> list[Reading]:
        copied, read = self._copy.updated(), self._probe_input
        assert read is not None  # `probe` asked
        model = read.bound(copied)
        tokens = read.batch(self._experiment.placement.device)
        readings: list[Reading] = []
        for plugin, probe in tuple(self._probes):
            try:
                with torch.no_grad():
                    readings += read.labelled(checked_readings(probe(model, tokens)), copied)
            except BaseException as error:  # noqa: BLE001 - a plugin's code
                self._probes.remove((plugin, probe))
                problem = problem_of(error, plugin=plugin, doing="A probe")
                self._log.event("problem", step, **problem.as_dict())
                if isinstance(error, BadInput):  # an unsupported model, not an error of the plugin
                    notify("warning", replace(problem, plugin=None))
                else:
                    self._plugin_failed(plugin, error)
        return readings

    def _report_budget(self, step: int) -> None:
        settings = self._experiment.recipe.readings
        retained = len(self._recorded) + len(self._steps)
        figures = {"moments": settings.moments, "kept": retained, "bytes": self._largest, "budget": settings.budget}
        self._log.event("budget", step, **figures)


def log_spaced(count: int, last: int) -> list[int]:
    """Return `count` log-spaced steps from 0 to `last`, in order; all steps if there are not more.

    If the next logarithmic step would round to the same step, the following step is taken and the rest spaced again.
    """
    steps = [1.0] if count else []
    while 0 < len(steps) < min(count, last + 1):
        here = steps[-1]
        steps.append(max(here + 1, here * ((last + 1) / here) ** (1 / (count - len(steps)))))
    return [round(step) - 1 for step in steps]


def subsample(steps: Sequence[int], count: int) -> list[int]:
    """Return `count` of these steps, evenly picked and always with the last one, unless `count` is 0."""
    if count >= len(steps):
        return list(steps)
    return [steps[round(step)] for step in np.linspace(-1, len(steps) - 1, count + 1)[1:].tolist()]
