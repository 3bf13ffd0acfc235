"""The finders on what would be trained: a recipe, or a branch of a run. No run is made, and none is disturbed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lab.base import BadInput
from lab.host import Plugins
from lab.workbench.access.teacher import give_teacher
from lab.workbench.launch.origins import NewRun
from lab.workbench.launch.preflight import cost_of

if TYPE_CHECKING:
    from lab.training.experiment import Experiment
    from lab.training.finders.batches import BatchTest
    from lab.training.finders.durations import StepCost
    from lab.training.finders.noise import NoiseTest
    from lab.training.finders.rates import RateTest
    from lab.training.finders.widths import CoordinateCheck, Sweep

NARROWEST, WIDEST = 4, 8192
"""The widths that can be compared."""


@dataclass(frozen=True)
class Finder:
    """What is tried, and how it is told and stopped.

    Args:
        origin: Where a training would start.
        plugins: The plugins that provide its cards.
        progress: Called during long work with the share that is done and what is being done.
        cancelled: Called now and then; True ends the trial, and what was found so far counts.
    """

    origin: NewRun
    plugins: Plugins
    progress: Callable[[float, str], None] = lambda *_: None
    cancelled: Callable[[], bool] = lambda: False

    def rate(self, *, report: Callable[[float, float], object] = lambda *_: None, **options: Any) -> RateTest:
        """Return the range test of the learning rate; options as of `lab.training.finders.rates.find_rate`.

        Raises:
            BadInput: Something in the recipe, or an option, cannot be used.
            LabError: A step failed, or a plugin's code raised.
        """
        from lab.training.finders.rates import find_rate

        return find_rate(self._prepared(), report=report, **self._calls("Testing learning rates"), **options)

    def batch(self, *, report: Callable[[Any], object] = lambda _: None, **options: Any) -> BatchTest:
        """Return the speeds of batch sizes; options as of `lab.training.finders.batches.find_batch`.

        Raises:
            BadInput: As of `rate`.
            LabError: As of `rate`.
        """
        from lab.training.finders.batches import find_batch

        return find_batch(self._prepared(), report=report, **self._calls("Timing batch sizes"), **options)

    def noise(self, *, report: Callable[[Any], object] = lambda _: None, **options: Any) -> NoiseTest:
        """Return the gradient noise scale; options as of `lab.training.finders.noise.find_noise`.

        Raises:
            BadInput: As of `rate`.
            LabError: As of `rate`.
        """
        from lab.training.finders.noise import find_noise

        return find_noise(self._prepared(), report=report, **self._calls("Measuring the gradient noise"), **options)

    def step(self, **options: Any) -> StepCost:
        """Return the time and memory of a step; options as of `lab.training.finders.durations.measure_step`.

        Raises:
            BadInput: As of `rate`.
            LabError: As of `rate`.
        """
        from lab.training.finders.durations import measure_step

        return measure_step(self._prepared(), **self._calls("Timing steps"), **options)

    def coordinates(self, widths: Sequence[int] = (), **options: Any) -> CoordinateCheck:
        """Return the coordinate check; options as of `lab.training.finders.widths.check_coordinates`.

        Args:
            widths: The widths; none compares half the recipe's own, this one, and twice as much.
            **options: See above.

        Raises:
            BadInput: As of `rate`, or a width cannot be used.
            LabError: As of `rate`.
        """
        from lab.training.finders.widths import check_coordinates

        return check_coordinates(self._at_widths(widths), **self._calls("Comparing activations", new=True), **options)

    def sweep(
        self,
        widths: Sequence[int],
        rates: Sequence[float],
        report: Callable[[int, float, float], object] = lambda *_: None,
    ) -> Sweep:
        """Return the losses of learning rates at several widths.

        Raises:
            BadInput: As of `rate`, or a width cannot be used.
            LabError: As of `rate`.
        """
        from lab.training.finders.widths import sweep

        calls = self._calls("Training every width with every rate", new=True)
        return sweep(self._at_widths(widths), rates, report=report, **calls)

    def _calls(self, doing: str, *, new: bool = False) -> dict[str, Any]:
        """Return the arguments that all finders have; with `new`, models start with new weights."""
        calls: dict[str, Any] = {
            "cancelled": self.cancelled,
            "progress": lambda share: self.progress(share, doing),
        }
        return calls if new else {"prepare": self.origin.give_weights, **calls}

    def _prepared(self) -> Experiment:
        experiment = self.origin.prepare(self.plugins, self.progress, self.cancelled)
        give_teacher(experiment, self.plugins)
        # refuses what would not fit into memory
        cost_of(experiment.architecture, experiment.task, experiment.recipe.training, experiment.placement)
        return experiment

    def _at_widths(self, widths: Sequence[int]) -> dict[int, Experiment]:
        """Return the experiment at each width, with heads of the same width."""
        from lab.training.resolution import resolve

        for width in widths:
            if not NARROWEST <= width <= WIDEST:
                allowed = f"{NARROWEST} to {WIDEST:,}"
                raise BadInput("is not allowed", field="--widths", value=str(width), allowed=allowed)
        experiment = self._prepared()
        config = experiment.architecture.config
        if "width" not in type(config).model_fields:
            raise BadInput(
                "has no width",
                field="architecture.name",
                value=experiment.architecture.card.name,
                remedy="Choose an architecture with a width",
            )
        found = {}
        for width in widths or (config.width // 2, config.width, 2 * config.width):
            changes = {"width": width}
            for name in ("heads", "kv_heads"):
                if getattr(config, name, 0):
                    changes[name] = scaled(getattr(config, name), width, config.width)
            recipe = experiment.recipe.with_values({"architecture": changes})
            architecture = resolve(self.plugins, "architectures", recipe.architecture, "architecture")
            found[width] = replace(experiment, recipe=recipe, architecture=architecture)
        return found


def scaled(heads: int, width: int, before: int) -> int:
    """Return the number of heads of another width that are as wide as before.

    Raises:
        BadInput: They are no whole number.
    """
    if heads * width % before or heads * width < before:
        raise BadInput(
            f"cannot have heads of {before // heads} channels, as the recipe has",
            field="--widths",
            value=str(width),
            allowed=f"multiples of {before // heads}",
        )
    return heads * width // before
