"""Gauges on demand of a run's checkpoint: what it finds hard, its gradients, and the loss around its weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lab.base import BadInput
from lab.host import Plugins
from lab.runs import RunFolder
from lab.workbench.analysis.step_graph import StepProgram, step_program
from lab.workbench.analysis.strip import Strip, StripText, strip_of
from lab.workbench.launch.origins import BranchedRun
from lab.workbench.launch.resume import load

if TYPE_CHECKING:
    from torch import Tensor

    from lab.layers import LanguageModel
    from lab.training.experiment import Experiment
    from lab.training.measurements.agreement import Agreement
    from lab.training.measurements.curvature import Sharpness
    from lab.training.measurements.difficulty import Difficulty
    from lab.training.measurements.lines import LossLine
    from lab.training.measurements.planes import Axes, LossPlane
    from lab.training.measurements.surface import LossSurface

PATH_BYTES = 1 << 30
"""Bytes that the weights of all checkpoints of a path may take; of larger models fewer checkpoints are read."""
VALIDATION = "validation"
TRAINING = "training"
"""The splits on which a line is measured."""


@dataclass
class Measurer:
    """A checkpoint of a run, and how a measurement reports and is stopped. The run stays as it is.

    Args:
        folder: The run.
        step: The step of the checkpoint.
        plugins: The plugins that provide its cards.
        progress: Called during long work with the share that is done and what is being done.
        cancelled: Called now and then; True ends the measurement, and what was found so far counts.
    """

    folder: RunFolder
    step: int
    plugins: Plugins
    progress: Callable[[float, str], None] = lambda *_: None
    cancelled: Callable[[], bool] = lambda: False
    _origin: BranchedRun = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._origin = BranchedRun(self.folder, self.step, [], None, weights_only=True)

    def difficulty(self, **options: Any) -> Difficulty:
        """Return what the model finds hard; options as of `measure_difficulty`.

        Raises:
            BadInput: The run's text is not here, or an option cannot be used.
            LabError: A plugin's code raised, or nothing was measured before it was cancelled.
        """
        from lab.training.measurements.difficulty import measure_difficulty

        calls = self._calls("Reading the validation text")
        return measure_difficulty(self._experiment, self._model(), **calls, **options)

    def agreement(self, *, report: Callable[[Any], object] = lambda _: None, **options: Any) -> Agreement:
        """Return how gradients agree; options as of `measure_agreement`.

        Raises:
            BadInput: As of `difficulty`.
            LabError: As of `difficulty`.
        """
        from lab.training.measurements.agreement import measure_agreement

        calls = self._calls("Comparing gradients")
        return measure_agreement(self._experiment, self._origin.give_weights, report=report, **calls, **options)

    def sharpness(
        self, *, examples: int | None = None, report: Callable[[float], object] = lambda _: None, **options: Any
    ) -> Sharpness:
        """Return the curvature of the loss; options as of `measure_sharpness`.

        Raises:
            BadInput: As of `difficulty`.
            LabError: As of `difficulty`.
        """
        from lab.training.measurements.curvature import measure_sharpness

        experiment = self._experiment
        rate = float(experiment.optimizer.config.learning_rate)
        calls = self._calls("Multiplying with the Hessian")
        surface = self._surface(examples)
        return measure_sharpness(surface, rate, seed=experiment.recipe.training.seed, report=report, **calls, **options)

    def plane(
        self,
        kind: str = "random",
        *,
        other: tuple[RunFolder, int] | None = None,
        side: int | None = None,
        reach: float | None = None,
        examples: int | None = None,
        report: Callable[[LossPlane], object] = lambda _: None,
    ) -> LossPlane:
        """Return a plane through the loss.

        Args:
            kind: "random", "between" with another run, or "path" of the run's checkpoints.
            other: The other run and the step of its checkpoint.
            side: Points along each axis.
            reach: How far a plane of random directions reaches.
            examples: Examples on which a loss is measured.
            report: Called with the plane so far after each row.

        Raises:
            BadInput: As of `difficulty`, or the weights of the other run do not fit.
            LabError: As of `difficulty`.
        """
        from lab.training.measurements.planes import REACH, SIDE, check_side, measure_plane

        side, reach = SIDE if side is None else side, REACH if reach is None else reach
        check_side(side, reach)
        surface = self._surface(examples)
        axes = self._axes(kind, surface, other, reach)
        calls = self._calls("Measuring losses on a plane")
        return measure_plane(surface, axes, side=side, report=report, **calls)

    def line(
        self,
        other: tuple[RunFolder, int],
        *,
        examples: int | None = None,
        report: Callable[[float, str, float], object] = lambda *_: None,
        **options: Any,
    ) -> LossLine:
        """Return the losses on the line to the weights of another run; options as of `measure_line`.

        Raises:
            BadInput: As of `plane`.
            LabError: As of `difficulty`.
        """
        from lab.training.measurements.lines import measure_line

        surface = self._surface(examples)
        surfaces = {TRAINING: surface}
        if self._experiment.validation is not None:
            surfaces[VALIDATION] = self._surface(examples, self._experiment.validation)
        calls = self._calls("Measuring losses on a line")
        return measure_line(surfaces, surface.weights, self._other(surface, *other), report=report, **calls, **options)

    def step_graph(self, examples: int | None = None) -> StepProgram:
        """Return the training step that follows the checkpoint as a program; the option as of `step_program`.

        Raises:
            BadInput: As of `difficulty`, or the step cannot be written as expressions.
            LabError: As of `difficulty`.
        """
        experiment = self._experiment
        _, _, facts = load(self.folder, self.step)
        first = facts.get("examples", self.step * experiment.recipe.training.batch_size)
        return step_program(experiment, self._model(), first, self.step, examples)

    def texts(self, *, report: Callable[[StripText], object] = lambda _: None, **options: Any) -> Strip:
        """Return what the checkpoints up to this one write after a prompt; options as of `strip_of`.

        Raises:
            BadInput: The run writes no text, or an option cannot be used.
            LabError: As of `difficulty`.
        """
        calls = self._calls("Writing at each checkpoint")
        return strip_of(self.folder, self.plugins, until=self.step, report=report, **calls, **options)

    def _calls(self, doing: str) -> dict[str, Any]:
        return {"cancelled": self.cancelled, "progress": lambda share: self.progress(share, doing)}

    @cached_property
    def _experiment(self) -> Experiment:
        return self._origin.prepare(self.plugins, self.progress, self.cancelled)

    def _model(self) -> LanguageModel:
        """Return a model with the weights of the checkpoint."""
        self._experiment.placement.apply()
        model = self._experiment.build()
        self._origin.give_weights(self._experiment, model)
        return model

    def _surface(self, examples: int | None, source: Any = None) -> LossSurface:
        from lab.training.measurements.surface import EXAMPLES, LossSurface

        count = EXAMPLES if examples is None else examples
        return LossSurface(self._experiment, self._model(), count=count, source=source)

    def _axes(self, kind: str, surface: LossSurface, other: tuple[RunFolder, int] | None, reach: float) -> Axes:
        from lab.training.measurements.planes import axes_between, path_axes, random_axes

        seed = self._experiment.recipe.training.seed
        if kind == "path":
            steps = self._steps_of_path(len(surface.weights))
            found = []
            for number, step in enumerate(steps):
                self.progress(number / len(steps), "Reading checkpoints")
                found.append(self._weights(surface, self.folder, step))
            return path_axes(found, [str(step) for step in steps])
        if kind == "between":
            if other is None:
                raise BadInput("is missing", field="--with", remedy="Name the other run, as in --with RUN@STEP")
            labels = f"{self.folder.name}@{self.step}", f"{other[0].name}@{other[1]}"
            return axes_between(surface, self._other(surface, *other), labels, seed=seed)
        if kind != "random":
            raise BadInput("is not allowed", field="--plane", value=kind, allowed="random, between, path")
        return random_axes(surface, str(self.step), reach=reach, seed=seed)

    def _steps_of_path(self, count: int) -> list[int]:
        """Return the steps of the checkpoints up to this one that are read, the first and the last among them."""
        from lab.training.measurements.planes import MOST_CHECKPOINTS

        steps = [step for step in self.folder.checkpoint_steps() if step <= self.step]
        most = max(3, min(MOST_CHECKPOINTS, PATH_BYTES // (8 * count)))
        if len(steps) <= most:
            return steps
        return sorted({steps[round(index * (len(steps) - 1) / (most - 1))] for index in range(most)})

    def _other(self, surface: LossSurface, folder: RunFolder, step: int) -> Tensor:
        """Return (N,) the weights of another run.

        Raises:
            BadInput: They do not fit the model of this run, or belong to another vocabulary.
        """
        if folder.facts.get("vocabulary") != self.folder.facts.get("vocabulary"):
            raise BadInput(
                "has another vocabulary, so that its weights mean something else",
                field="--with",
                value=folder.name,
                remedy="Choose a run of the same tokenizer and text",
            )
        return self._weights(surface, folder, step)

    def _weights(self, surface: LossSurface, folder: RunFolder, step: int) -> Tensor:
        """Return (N,) the trained weights of a checkpoint."""
        tables, _, _ = load(folder, step)
        try:
            surface.model.load_tables(tables)
        except (ValueError, KeyError, TypeError, AttributeError, RuntimeError) as error:
            raise BadInput(
                f"its weights do not fit the model of {self.folder.name}: {error}",
                field="--with",
                value=f"{folder.name}@{step}",
                remedy="Choose a run of the same architecture and size",
            ) from None
        found = surface.vector()
        surface.move_to(surface.weights)
        return found
