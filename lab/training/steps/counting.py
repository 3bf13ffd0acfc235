"""The learner that counts: it reads the training text once, in slices, one per step."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from lab.base import BadInput
from lab.layers import LanguageModel
from lab.training.experiment import Experiment
from lab.training.recording.telemetry import Ring
from lab.training.steps.live import changed, live_settings, not_live, set_again

FIRST_SLICE = 4096
"""Tokens of the first slice; every further slice doubles the tokens read so far."""

SCORED = 4096
"""Tokens of each slice that are scored before it is counted."""


class CountingLearner:
    """A learner that counts the training text in slices that double the tokens read, so tables are merged log₂ N times.

    Its training loss is prequential (Dawid 1984): that of the start of each slice before the slice is counted.
    """

    evaluate_every = 1  # it makes few steps
    has_averaged = False
    activation_bytes: float | None = None

    def __init__(self, experiment: Experiment, model: LanguageModel, ring: Ring) -> None:
        if not experiment.processes.alone:
            what = "this model counts a text in one process"
            raise BadInput(what, field="--processes", value=experiment.processes.size, remedy="Leave it out")
        if not hasattr(experiment.train, "tokens"):
            raise BadInput("a counting model needs text", field="corpus", remedy="Choose a corpus of text")
        self.model, self.training = model, experiment.recipe.training
        self._text: np.ndarray = experiment.train.tokens
        self.tokens, self.last_step = 0, 0
        self.recent_losses: deque[float] = deque(maxlen=1)
        self.latest: dict[str, float] = {}
        self._ring, self._loss = ring, ring.number("train loss", "nats")
        self.last_step = min(len(slices(len(self._text))), self.training.steps)

    def make_step(self, step: int) -> None:
        """Score the start of the next slice, then count all of it."""
        count = min(max(FIRST_SLICE, self.tokens), len(self._text) - self.tokens)
        new = self._text[self.tokens : self.tokens + count].astype(np.int64)
        row = torch.from_numpy(new[:SCORED])[None]
        scores = self.model.score(row[:, :-1], row[:, 1:]).detach().double() if count > 1 else None
        self.model.count(new)
        self.tokens += count
        if scores is not None:  # recorded last, as the step may run out of memory
            loss = -float(scores.mean())
            self._ring.write(step + 1, [self._loss], [loss])
            self.recent_losses.append(loss)
            self.latest = {"train loss": loss}

    @property
    def epochs(self) -> float:
        """The share of the text that is counted."""
        return self.tokens / max(1, len(self._text))

    def note_seconds(self, step: int, seconds: float) -> None:
        """Do nothing: no budget but slices."""

    def note_loss(self, loss: float) -> None:
        """Do nothing: no schedule."""

    def gathered(self) -> contextlib.AbstractContextManager[object]:
        """Return a context that does nothing."""
        return contextlib.nullcontext()

    def in_average(self) -> None:
        """Return None: no weights to average."""

    def read_back(self) -> None:
        """Do nothing, as no numbers are pending."""

    def check_live(self, path: str, value: Any) -> None:
        """Raise BadInput unless this is a live setting of the architecture."""
        section, _, name = path.partition(".")
        if section != "architecture" or not name:
            raise not_live(path, [])
        self.model.config.model_copy(deep=True).change(name, value, field=section)

    def set_live(self, path: str, value: Any) -> tuple[Any, Any]:
        """Change a live setting of the architecture; return its old and new value."""
        self.check_live(path, value)
        return changed(self.model.config, path.removeprefix("architecture."), value, "architecture")

    def state_dict(self) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
        """Return the live settings; the tables of counts belong to the model."""
        return {}, {"tokens": self.tokens, "live": {"architecture": live_settings(self.model.config)}}

    def load_state_dict(self, tensors: Mapping[str, torch.Tensor], facts: Mapping[str, Any]) -> None:
        """Continue after the last slice."""
        del tensors
        self.tokens = facts["tokens"]
        set_again(self.model.config, facts["live"]["architecture"])


def slices(tokens: int) -> list[slice]:
    """Return the slices of a text of `tokens` tokens in order, each as long as all before it."""
    found, read = [], 0
    while read < tokens:
        count = max(FIRST_SLICE, read)
        found.append(slice(read, min(read + count, tokens)))
        read += count
    return found
