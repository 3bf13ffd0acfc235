"""The editor of the schedule: the curves of rate and momentum, and how a schedule becomes one drawn by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lab.base.problems import LabError
from lab.shell.recipe.schedule.curve import LearningRateCurve, steps_at
from lab.shell.session.draft import Draft
from lab.shell.session.runs.registry import RunRegistry
from lab.training.schedules.drawing import Points, points_like
from lab.training.schedules.factors import momentum_of
from lab.widgets.core.controls import Button
from lab.widgets.core.i18n import tr

POINTS = 120
"""Most steps at which the schedule is called for its factor."""


@dataclass(frozen=True)
class RatePlan:
    """What the draft says about the learning rate of each step.

    Args:
        rates: Learning rates of evenly spaced steps, from the first to the last.
        steps: The steps of the run.
        momenta: The momentum at the same steps; () if the schedule leaves it as it is.
        points: The points of a drawn schedule; None for others.
        peak: The learning rate at the factor 1.
        factor: The schedule; None without one.
        warmup: Steps of the warm-up before the points.
    """

    rates: Sequence[float] = ()
    steps: int = 0
    momenta: Sequence[float] = ()
    points: Points | None = None
    peak: float = 0.0
    factor: Callable[[int], float] | None = None
    warmup: int = 0


class ScheduleEditor(QWidget):
    """The curves of the rate and of the momentum, and the button that makes the schedule one drawn by hand.

    Args:
        draft: The draft, whose schedule it changes.
    """

    def __init__(self, draft: Draft) -> None:
        super().__init__()
        self._draft, self._plan = draft, RatePlan()
        self._registry: RunRegistry | None = None
        self.rate, self.momentum = LearningRateCurve(), LearningRateCurve(tr("Momentum"), tr("momentum"))
        self.rate.points_changed.connect(self._draw)
        self.draw_button = Button(
            tr("Draw by hand"), hint=tr("Take the points of this curve, to drag them"), icon_name="pen"
        )
        self.draw_button.clicked.connect(self._begin_drawing)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(2)
        rows.addWidget(self.rate)
        rows.addWidget(self.momentum)
        rows.addWidget(self.draw_button, 0, Qt.AlignmentFlag.AlignLeft)

    def follow(self, registry: RunRegistry) -> None:
        """Mark from now on the step of the selected run, while it trains by the schedule of the draft."""
        self._registry = registry
        registry.selection_changed.connect(self._show_step)
        registry.data_changed.connect(self._show_step)
        registry.ended.connect(self._show_step)
        self._show_step()

    def show_plan(self, plan: RatePlan) -> None:
        """Show what the draft says."""
        self._plan = plan
        self.rate.show_rates(plan.rates, plan.steps, points=plan.points, peak=plan.peak, warmup=plan.warmup)
        self.momentum.show_rates(plan.momenta, plan.steps)
        self.draw_button.setVisible(plan.factor is not None and plan.points is None)
        self._show_step()

    def _show_step(self, _: object = None) -> None:
        run = None if self._registry is None else self._registry.selected
        ours, step = self._draft.recipe.training, None
        if run is not None and run.trains and self._plan.rates:
            theirs = run.recipe.training
            if theirs.schedule.name == ours.schedule.name and run.last_step == self._plan.steps:
                step = run.step
        self.rate.show_step(step)
        self.momentum.show_step(step)

    def _begin_drawing(self) -> None:
        if self._plan.factor is not None:
            self._draw(points_like(self._plan.factor, self._plan.steps), warmup=0)

    def _draw(self, points: Points, warmup: int | None = None) -> None:
        warmup = self._plan.warmup if warmup is None else warmup
        shares, factors = [round(share, 4) for share, _ in points], [float(f"{value:.4g}") for _, value in points]
        value = {"name": "drawn", "shares": shares, "factors": factors, "warmup": warmup}
        self._draft.edit("training.schedule", value)


def rate_plan(draft: Draft, steps: int | None = None) -> RatePlan:
    """Return the learning rate and the momentum at evenly spaced steps of a run of the draft.

    Args:
        draft: The draft.
        steps: The steps that its budget pays for; None for those of its settings.

    Returns:
        An empty plan without a rate or steps. The first and the last step are included.
    """
    try:
        schedule, optimizer = draft.card("training.schedule"), draft.card("training.optimizer")
        steps = draft.recipe.training.steps if steps is None else steps
        rate, config = float(optimizer.config.learning_rate), schedule.config
        factor, count = schedule.make(max(1, steps)), min(POINTS, steps)
        sampled = steps_at(count, steps)
        momenta = [momentum_of(factor, step) for step in sampled]
        drawn = schedule.card.name == "drawn"
        return RatePlan(
            rates=[rate * float(factor(step)) for step in sampled],
            steps=steps,
            momenta=[one for one in momenta if one is not None],
            points=list(zip(config.shares, config.factors, strict=True)) if drawn else None,
            peak=rate,
            factor=factor if count else None,
            warmup=min(config.warmup, max(0, steps - 2)) if drawn else 0,
        )
    except (LabError, AttributeError, TypeError, ValueError):  # a plugin's code; a start reports it
        return RatePlan()
