"""A model of two numbers that is trained on points which its user moves, and its surface after every few steps."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, Batch
from lab.base.problems import attributed
from lab.host import Plugins
from lab.recipes import Recipe
from lab.workbench.access.threads import one_thread

if TYPE_CHECKING:
    from lab.diagnostics.examples.plane import Extent

SIDE = 200
"""Points along each side of the surface."""
MOST_POINTS = 500
"""The largest number of points of a recipe that are taken."""
SLICE = 0.008
"""Seconds of training between two surfaces."""
FRAME = 0.033
"""Seconds between two surfaces, at least."""
IDLE = 0.25
"""Seconds after which a fit that does nothing looks whether it was cancelled."""
DRAWS = 20_613
"""The number of its draws, apart from those of other work with the same seed."""

Array = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Frame:
    """The state of a fit.

    Args:
        step: Updates so far.
        values: The surface: (K, side, side) of classes, or (1, side, side) of numbers or of a unit. Interpolated where
            it is flat while the fit trains.
        extent: The rectangle that it is of.
        regions: The number of the linear region of each point; None unless they were asked for.
        region_count: How many were met; 0 unless they were asked for.
        loss: The loss of all points; NaN without points.
        accuracy: The share of right points; NaN for numbers.
        seconds: What computing the surface took.
    """

    step: int
    values: Array
    extent: Extent
    regions: NDArray[np.int64] | None
    region_count: int
    loss: float
    accuracy: float
    seconds: float


class PlaneFit:
    """A model that is trained on points of the plane in a thread; other threads change the points and read frames.

    The recipe says everything else: architecture, objective, optimizer with its learning rate, batch size, seed. The
    rate is constant, since a fit has no end.

    Args:
        recipe: A recipe of vectors of two numbers.
        plugins: Where its cards are found.

    Attributes:
        recipe: The recipe.
        classes: The name of each class; () for numbers.
        layers: The number of units of each hidden layer that reports them.
        trains: Whether it makes steps.
        wants_regions: Whether frames have regions.
        unit: (layer, unit) whose surface frames have; None for the prediction.

    Raises:
        BadInput: The recipe cannot be used, or is not of two numbers.
        LabError: A plugin's code raised.
    """

    def __init__(self, recipe: Recipe, plugins: Plugins) -> None:
        from lab.diagnostics.examples.plane import Extent
        from lab.training.experiment import prepare

        found = prepare(on_processor(recipe), plugins)
        shape = tuple(getattr(found.train, "input_shape", None) or ())
        if shape != (2,):
            raise BadInput(
                "the plane is for models that read two numbers",
                field="corpus.name",
                value=recipe.corpus.name,
                remedy="Choose a corpus of points, such as points",
            )
        self.recipe, self._experiment = recipe, found
        source: Any = found.train
        taken = source.ordered().rows(np.arange(min(int(source.examples), MOST_POINTS)), 0)
        self.classes: tuple[str, ...] = tuple(getattr(source, "class_names", ()) or ())
        self._points: Array = taken["inputs"].astype(np.float32)
        self._targets: Array = np.asarray(taken.get("label", taken.get("numbers")), np.float32).reshape(
            len(self._points), -1
        )[:, 0]
        self.extent = Extent.around(self._points)
        self.trains = False
        self.wants_regions = False
        self.unit: tuple[int, int] | None = None
        self.layers: dict[int, int] = {}
        self.frame: Frame | None = None
        self._lock, self._wake = threading.Lock(), threading.Event()
        self._stale = True
        self._single = 0  # steps that were asked for one by one
        self.restart()

    # ------------------------------------------------------------------------------------------------------- the points

    @property
    def points(self) -> tuple[Array, Array]:
        """The points (N, 2) and their targets (N,)."""
        with self._lock:
            return self._points, self._targets

    def set_points(self, points: Array, targets: Array) -> None:
        """Take other points, such as those of an earlier fit that were moved."""
        with self._lock:
            self._points, self._targets = points, targets
        self._changed()

    def move(self, number: int, x: float, y: float) -> None:
        """Move a point."""
        with self._lock:
            self._points = self._points.copy()
            self._points[number] = x, y
        self._changed()

    def add(self, x: float, y: float, target: float) -> None:
        """Add a point of a class or with a number."""
        with self._lock:
            self._points = np.vstack([self._points, np.array([[x, y]], np.float32)])
            self._targets = np.append(self._targets, np.float32(target))
        self._changed()

    def remove(self, number: int) -> None:
        """Remove a point."""
        with self._lock:
            self._points = np.delete(self._points, number, axis=0)
            self._targets = np.delete(self._targets, number)
        self._changed()

    # ------------------------------------------------------------------------------------------------------ the control

    def restart(self) -> None:
        """Start again with the first weights of the recipe."""
        import torch

        from lab.training.optimizers.groups import optimizer_of, parameter_groups

        experiment = self._experiment
        model = experiment.build()
        groups = parameter_groups(model, roles=experiment.optimizer.card.roles)
        optimizer = optimizer_of(experiment.optimizer, groups, torch.device("cpu"))
        with self._lock:
            self._model, self._optimizer, self.step = model, optimizer, 0
        self.layers = self._units()
        self._changed()

    def train(self, on: bool) -> None:
        """Make steps, or stop."""
        self.trains = on
        self._changed()  # what is live is interpolated, what rests is exact

    def make_step(self) -> None:
        """Make one step."""
        self._single += 1
        self._wake.set()

    def show(self, unit: tuple[int, int] | None, *, regions: bool) -> None:
        """Change what frames have."""
        self.unit, self.wants_regions = unit, regions
        self._changed()

    def _changed(self) -> None:
        self._stale = True
        self._wake.set()

    # ------------------------------------------------------------------------------------------------------- the thread

    def work(self, cancelled: Callable[[], bool]) -> None:
        """Train and make frames until `cancelled` returns True; in a thread of its own."""
        with attributed(self._experiment.architecture.plugin, "The plane"):
            while not cancelled():
                self._wake.clear()
                started = time.perf_counter()
                with one_thread():
                    self.advance(SLICE)
                    if self._stale:
                        self.make_frame()
                if not self.trains and not self._single and not self._stale:
                    self._wake.wait(IDLE)
                else:
                    self._wake.wait(max(0.0, FRAME - (time.perf_counter() - started)) or 0.001)

    def advance(self, seconds: float) -> None:
        """Make the steps that were asked for: one, or those of some seconds."""
        if self._single:
            self._single -= 1
            self._step()
        until = time.perf_counter() + seconds
        while self.trains and time.perf_counter() < until:
            if not self._step():
                return

    def _step(self) -> bool:
        """Make one step on a batch of the points; return False without points."""
        import torch

        from lab.base.torch_lock import own_draws

        with self._lock:
            points, targets, model, optimizer, step = (
                self._points, self._targets, self._model, self._optimizer, self.step
            )  # fmt: skip
        if not len(points):
            return False
        size, seed = self._experiment.recipe.training.batch_size, self._experiment.recipe.training.seed
        draws = np.random.default_rng([seed, step])
        rows = draws.integers(0, len(points), size) if size < len(points) else np.arange(len(points))
        with own_draws(seed, DRAWS, step):
            model.train()
            optimizer.zero_grad(set_to_none=True)
            batch = self._batch(points[rows], targets[rows])
            nats = self._experiment.objective.loss(model, batch).nats.sum() / max(1, batch.weight)
            nats.backward()  # type: ignore[no-untyped-call]
            clip = float(self._experiment.recipe.training.clip)
            if clip:
                torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            optimizer.step()
        with self._lock:
            if model is self._model:
                self.step = step + 1
        self._stale = True
        return True

    def _batch(self, points: Array, targets: Array) -> Batch:
        import torch

        wanted = torch.from_numpy(targets.astype(np.int64) if self.classes else targets[:, None].astype(np.float32))
        return Batch({"tokens": torch.from_numpy(points)}, wanted, len(points))

    def make_frame(self, side: int = SIDE) -> Frame:
        """Compute the state of the fit; in the thread that trains it."""
        import torch

        from lab.diagnostics.examples import plane

        self._stale = False
        with self._lock:
            model, points, targets, step = self._model, self._points, self._targets, self.step
        objective, unit = self._experiment.objective, self.unit
        model.eval()
        started = time.perf_counter()
        if unit is None:
            probable = objective.unit == "nats per label"
            of_points = plane.quick_surface if self.trains and side % 2 == 0 else plane.surface
            values = of_points(model, self.extent, side, probable=probable, classes=bool(self.classes))
        else:
            layer, number = unit
            values = plane.unit_surfaces(model, self.extent, side, number + 1)[layer][number : number + 1]
        seconds = time.perf_counter() - started
        regions, count = plane.linear_regions(model, self.extent, side) if self.wants_regions else (None, 0)
        loss = accuracy = float("nan")
        if len(points):
            with torch.no_grad():
                batch = self._batch(points, targets)
                found = objective.loss(model, batch)
                loss = float(found.nats.sum()) / batch.weight
                if "accuracy" in found.metrics:
                    total, weight = found.metrics["accuracy"]
                    accuracy = float(total) / max(1, weight)
        self.frame = Frame(step, values, self.extent, regions, count, loss, accuracy, seconds)
        return self.frame

    def _units(self) -> dict[int, int]:
        from lab.diagnostics.examples import plane

        self._model.eval()
        return {layer: len(found) for layer, found in plane.unit_surfaces(self._model, self.extent, 2).items()}


def on_processor(recipe: Recipe) -> Recipe:
    """Return a recipe that computes on the processor in float32, as a small network does best."""
    return recipe.with_values({"training": {"device": "cpu"}})
