"""The state of the page Translate, without Qt: the translation on show, the work in progress, and the measures."""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from lab.recipes import Choice, Decoding
from lab.workbench.scoring.translation import Hypothesis, Translation, beam_search, check_translates, translate
from lab.workbench.scoring.translation_measures import Measured, measure_translations

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lab.base.jobs import Job
    from lab.shell.session.runs.model import RunModel
    from lab.workbench.access.model_access import ModelAccess

MEAN = "mean"
"""The choice of all layers together, besides the numbers of the layers."""


class Way(Enum):
    """The ways of decoding that are offered."""

    BEAMS = "beams"
    MANY_BEAMS = "many beams"
    GREEDY = "greedy"
    SAMPLING = "sampling"

    def decoding(self) -> Decoding:
        """Return the strategy and its settings."""
        if self is Way.BEAMS:
            return beam_search(4)
        if self is Way.MANY_BEAMS:
            return beam_search(8)
        name = "greedy" if self is Way.GREEDY else "sampling"
        return Decoding(strategy=Choice(name=name), filters=[])


class Work:
    """A translation that is being made, or measures; a thread writes the progress here.

    Args:
        access: The model.
        run: Its run; None for the untrained model of the draft.
        source: The text to translate; "" takes the first validation source.
        way: How it is decoded.
        pairs: Pairs of the validation split to translate and measure instead; 0 for none.
        clock: Returns seconds.
    """

    def __init__(
        self,
        access: ModelAccess,
        run: RunModel | None,
        source: str,
        way: Way,
        pairs: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.run, self.pairs, self.share = run, pairs, 0.0
        self._access, self._source, self._way = access, source, way
        self._clock, self._started = clock, clock()

    def work(self, job: Job) -> Translation | Measured:
        """Translate, or measure translations; in a thread."""
        cancelled: Callable[[], bool] = lambda: job.cancelled  # noqa: E731 - a name with a type
        if self.pairs:
            return measure_translations(
                self._access, pairs=self.pairs, decoding=self._way.decoding(), progress=self._report,
                cancelled=cancelled,
            )  # fmt: skip
        check_translates(self._access)
        source = self._source or self._access.default_prompt()
        return translate(self._access, source, decoding=self._way.decoding(), cancelled=cancelled)

    @property
    def left(self) -> float | None:
        """Seconds that measuring will still take, if it goes on as so far; None before that is known."""
        if self.share < 0.01:
            return None
        return (self._clock() - self._started) * (1 - self.share) / self.share

    def _report(self, share: float) -> None:
        self.share = share


class TranslateModel:
    """What the page shows.

    Attributes:
        work: What is being done; None while nothing is.
        translation: The translation on show; None before the first.
        run: The run that made it.
        measured: The measures on show; None before the first.
        measured_run: The run that they are of.
        selected: The hypothesis whose alignment is shown.
        layer: The layer whose weights are shown, or MEAN.
    """

    def __init__(self) -> None:
        self.work: Work | None = None
        self.translation: Translation | None = None
        self.measured: Measured | None = None
        self.run: RunModel | None = None
        self.measured_run: RunModel | None = None
        self.selected, self.layer = 0, MEAN

    def start(self, work: Work) -> Work:
        """Note that a work has begun; an earlier one no longer counts."""
        self.work = work
        return work

    def take(self, work: Work, found: Translation | Measured) -> bool:
        """Show what a work found. Return False if it no longer counts."""
        if work is not self.work:
            return False
        self.work = None
        if isinstance(found, Measured):
            self.measured, self.measured_run = found, work.run
        else:
            self.translation, self.run, self.selected = found, work.run, 0
            if self.layer not in self.layers:
                self.layer = MEAN
        return True

    def cancel(self) -> None:
        """Note that the work was cancelled, or failed; what is on show stays."""
        self.work = None

    @property
    def hypothesis(self) -> Hypothesis | None:
        """The selected hypothesis; None if there is none."""
        if self.translation is None or not 0 <= self.selected < len(self.translation.hypotheses):
            return None
        return self.translation.hypotheses[self.selected]

    @property
    def layers(self) -> list[str]:
        """The layers that can be shown: MEAN if there are several, and their numbers."""
        hypothesis = self.hypothesis
        numbers = [] if hypothesis is None else [str(number) for number in sorted(hypothesis.alignment)]
        return [MEAN, *numbers] if len(numbers) > 1 else numbers

    @property
    def alignment(self) -> NDArray[np.float64] | None:
        """The weights on show, (T, S); None if there are none."""
        hypothesis = self.hypothesis
        if hypothesis is None or not hypothesis.alignment:
            return None
        if self.layer == MEAN or int(self.layer) not in hypothesis.alignment:
            return hypothesis.mean_alignment
        return hypothesis.alignment[int(self.layer)]
