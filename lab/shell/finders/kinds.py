"""What the dialog can find: what is drawn of each trial, what is said of it, and which setting it suggests."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from lab.base.units import finite, short
from lab.widgets.charts.lines import Line
from lab.widgets.core.i18n import localized, number_text, tr
from lab.widgets.core.theme import themes
from lab.widgets.forms.values import number

if TYPE_CHECKING:
    from lab.workbench.analysis.finders import Finder

Point = tuple[float, ...]


class Kind(ABC):
    """One of the finders.

    Attributes:
        key: Its name in the engine.
        setting: The path of the setting that it suggests; "" for none.
    """

    key: ClassVar[str]
    setting: ClassVar[str] = ""

    @property
    @abstractmethod
    def title(self) -> str:
        """Its title."""

    @property
    @abstractmethod
    def explanation(self) -> str:
        """What it does, in two sentences."""

    @property
    @abstractmethod
    def axes(self) -> tuple[str, str, bool, bool]:
        """The names of the axes, and whether each is logarithmic."""

    @abstractmethod
    def work(self, finder: Finder, report: Callable[[Point], object]) -> Any:
        """Try in a thread, reporting points as they come; return the result."""

    @abstractmethod
    def suggestion(self, found: Any) -> float | None:
        """Return the value that a result suggests for the setting; None for none."""

    @abstractmethod
    def sentence(self, found: Any) -> str:
        """Return what a result says, and why."""

    def lines(self, points: Sequence[Point], found: Any | None) -> list[Line]:
        """Return the lines of the points so far, or of the result."""
        del found
        x, y = (np.array([point[axis] for point in points], float) for axis in (0, 1))
        return [Line(self.key, "", themes.now.accent, x, y, "main")]


class RateKind(Kind):
    """The range test."""

    key = "rate"
    setting = "training.optimizer.learning_rate"

    @property
    def title(self) -> str:
        """Its title."""
        return tr("Learning rate")

    @property
    def explanation(self) -> str:
        """What it does."""
        return tr(
            "The learning rate grows from step to step on a copy of the model, until the loss is lost. "
            "The suggestion is below the rate at which the loss is lowest, since a training is longer than the test."
        )

    @property
    def axes(self) -> tuple[str, str, bool, bool]:
        """The axes."""
        return tr("learning rate"), tr("loss"), True, False

    def work(self, finder: Finder, report: Callable[[Point], object]) -> Any:
        """Test learning rates."""
        return finder.rate(report=lambda rate, loss: report((rate, loss)))

    def suggestion(self, found: Any) -> float | None:
        """Return the rate."""
        return None if found.suggestion is None else float(f"{found.suggestion:.2g}")

    def sentence(self, found: Any) -> str:
        """Return the reason."""
        if found.suggestion is None:
            return tr("The loss falls at none of these rates, so that none is suggested.")
        rate, lowest = _number(found.suggestion), _number(found.lowest)
        if found.reason == "still falls":
            return tr("{rate}: the loss still falls at the last rate of the test.", rate=rate)
        return tr(
            "{rate}: the loss is lowest at {lowest}, and a training needs less than a short test.",
            rate=rate,
            lowest=lowest,
        )

    def lines(self, points: Sequence[Point], found: Any | None) -> list[Line]:
        """Return the losses, and behind the test their mean over the steps around each."""
        raw = super().lines(points, found)[0]
        if found is None:
            return [Line("raw", "", themes.now.accent, raw.x, raw.y, "thin")]
        x, y = np.array(found.rates), np.array(found.smoothed)
        smoothed = Line("rate", tr("smoothed"), themes.now.accent, x, y, "main")
        return [Line("raw", "", themes.now.accent, raw.x, raw.y, "faint"), smoothed]


class BatchKind(Kind):
    """Batch sizes."""

    key = "batch"
    setting = "training.batch_size"

    @property
    def title(self) -> str:
        """Its title."""
        return tr("Batch size")

    @property
    def explanation(self) -> str:
        """What it does."""
        return tr(
            "Steps of 1, 2, 4, … examples are timed until one does not fit into memory or is slower. "
            "The suggestion is the smallest that is within 5 % of the fastest."
        )

    @property
    def axes(self) -> tuple[str, str, bool, bool]:
        """The axes."""
        return tr("batch size (examples)"), tr("tokens per second"), True, False

    def work(self, finder: Finder, report: Callable[[Point], object]) -> Any:
        """Time batch sizes."""
        return finder.batch(report=lambda one: report((one.size, one.tokens_per_second)))

    def suggestion(self, found: Any) -> float | None:
        """Return the size."""
        return int(found.suggestion)

    def sentence(self, found: Any) -> str:
        """Return the reason."""
        speed = max(one.tokens_per_second for one in found.speeds)
        ends = {
            "memory": tr("more does not fit into memory"),
            "slower": tr("more is slower"),
            "largest": tr("more was not tried"),
            "cancelled": tr("the test was cancelled"),
        }
        return tr(
            "{size}: within 5 % of {speed} tokens per second; the largest that was timed is {largest}, {why}.",
            size=number_text(found.suggestion),
            speed=localized(short(speed)),
            largest=number_text(found.largest),
            why=ends[found.ended],
        )


class NoiseKind(Kind):
    """The gradient noise scale."""

    key = "noise"

    @property
    def title(self) -> str:
        """Its title."""
        return tr("Gradient noise")

    @property
    def explanation(self) -> str:
        """What it does."""
        return tr(
            "The gradients of small batches are compared with those of large ones while a copy is trained. Batches "
            "above the noise scale read more examples for few steps less (McCandlish et al. 2018)."
        )

    @property
    def axes(self) -> tuple[str, str, bool, bool]:
        """The axes."""
        return tr("step"), tr("noise scale (examples)"), False, True

    def work(self, finder: Finder, report: Callable[[Point], object]) -> Any:
        """Measure it."""
        return finder.noise(report=lambda one: report((one.step, one.examples if finite(one.examples) else math.nan)))

    def suggestion(self, found: Any) -> float | None:
        """Return None: a batch size also has to fit and to be fast."""
        del found
        return None

    def sentence(self, found: Any) -> str:
        """Return what it says about the batch size of the recipe."""
        if finite(found.critical) is None:
            return tr("The mean gradient is not told from noise; the batches of the test are too small for it.")
        critical, size = _number(found.critical), number_text(found.batch_size)
        if found.batch_size < found.critical:
            return tr(
                "Critical batch size: {critical} examples. {size} is below it: larger batches take fewer steps for "
                "about as many examples.",
                critical=critical,
                size=size,
            )
        return tr(
            "Critical batch size: {critical} examples. {size} is above it: larger batches read more examples for few "
            "steps less.",
            critical=critical,
            size=size,
        )


class WidthKind(Kind):
    """The coordinate check."""

    key = "width"

    @property
    def title(self) -> str:
        """Its title."""
        return tr("Other widths")

    @property
    def explanation(self) -> str:
        """What it does."""
        return tr(
            "Models of half, the same and twice the width make four steps; drawn is by how much their activations "
            "change. If no line rises or falls, a learning rate holds at other widths (Yang et al. 2022)."
        )

    @property
    def axes(self) -> tuple[str, str, bool, bool]:
        """The axes."""
        return tr("width (channels)"), tr("change of activations"), True, True

    def work(self, finder: Finder, report: Callable[[Point], object]) -> Any:
        """Compare widths."""
        del report
        return finder.coordinates()

    def suggestion(self, found: Any) -> float | None:
        """Return None: the width rules are several settings."""
        del found
        return None

    def sentence(self, found: Any) -> str:
        """Return the exponents."""
        if found.holds:
            return tr("The changes do not depend on the width: a learning rate holds at other widths.")
        exponent = max(found.exponents.values(), key=abs)
        return tr(
            "The changes go with the width to the power of up to {exponent}: a wider model needs another learning "
            "rate. The page on optimizers tells the three settings of the width rules.",
            exponent=localized(f"{exponent:+.2f}"),
        )

    def lines(self, points: Sequence[Point], found: Any | None) -> list[Line]:
        """Return one line for each point of the model."""
        del points
        if found is None:
            return []
        x, colours = np.array(found.widths, float), themes.now.runs
        return [
            Line(name, name, colours[index % len(colours)], x, np.array(values), "main")
            for index, (name, values) in enumerate(found.changes.items())
        ]


KINDS: tuple[Kind, ...] = (RateKind(), BatchKind(), NoiseKind(), WidthKind())


def _number(value: float) -> str:
    return localized(number(float(f"{value:.2g}")))
