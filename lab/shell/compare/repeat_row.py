"""The row of the comparison that repeats the compared runs with other seeds, and takes the queued ones back."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QWidget

from lab.base.notices import notify
from lab.base.run_state import RunState
from lab.shell.compare.repeats import SEEDS, Obstacle, RepeatPlan, plan_repeats
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import about_duration, tr, tr_n


class RepeatRow(QWidget):
    """A sentence about the missing repetitions with the button that queues them; hidden if there is nothing to do.

    Args:
        registry: The runs.

    Attributes:
        plan: What is missing for the runs that are compared.
    """

    def __init__(self, registry: RunRegistry) -> None:
        super().__init__()
        self._registry = registry
        self._compared: Sequence[RunModel] = ()
        self._queued: list[RunModel] = []
        self.plan = RepeatPlan()
        self.note = label("", "note")
        self.note.setWordWrap(True)
        self.repeat = Button("", role="")
        self.repeat.clicked.connect(self._repeat)
        self.withdraw = Button(
            tr("Remove from queue"), hint=tr("Remove the repetitions that have not started from the queue"), role=""
        )
        self.withdraw.clicked.connect(self._withdraw)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.note, 1)
        row.addWidget(self.repeat)
        row.addWidget(self.withdraw)

    def show_runs(self, compared: Sequence[RunModel]) -> None:
        """Show what is missing for a comparison of runs."""
        self._compared = compared
        plan = self.plan = plan_repeats(compared, self._registry.working)
        waiting = [run for run in self._queued if run.state == RunState.QUEUED and run in self._registry.runs]
        self.note.setText(_refusal_label(plan) or _missing_label(plan) or _waiting_label(plan))
        self.repeat.setText(
            tr("Repeat both with {n} seeds", n=SEEDS) if plan.kinds == 2 else tr("Repeat all with {n} seeds", n=SEEDS)
        )
        self.repeat.setToolTip(
            tr("Queue the missing runs with other seeds and the same settings: {runs}", runs=_list_label(plan))
        )
        self.repeat.setVisible(bool(plan.missing))
        self.withdraw.setVisible(bool(waiting))
        self.setVisible(bool(self.note.text()))

    def _repeat(self) -> None:
        """Queue the missing runs, and draw them with the others."""
        started = [self._registry.start(one.recipe, select=False) for one in self.plan.missing]
        self._queued = [*self._queued, *started]
        self._registry.show([run.key for run in started], True)
        names = ", ".join(run.name for run in started)
        notify("info", tr("Training or queued, one after the other: {runs}", runs=names))
        self.show_runs(self._compared)

    def _withdraw(self) -> None:
        """Remove the repetitions that wait from the queue; one that trains can be stopped."""
        for run in self._queued:
            self._registry.withdraw(run)
        self._queued = []
        self.show_runs(self._compared)


def _refusal_label(plan: RepeatPlan) -> str:
    """Return why the runs cannot be repeated; "" if they can."""
    if plan.refused is None:
        return ""
    run, why = plan.refused
    reasons = {
        Obstacle.COUNTS: tr("{run} counts: every seed gives the same model, so it has no spread to measure."),
        Obstacle.IMPORTED: tr("{run} has imported weights and no recipe of their training, so it cannot be repeated."),
        Obstacle.BRANCH: tr("{run} started with the weights of another run, so its recipe alone does not repeat it."),
        Obstacle.CHANGED: tr("{run} was changed while it trained, so its recipe alone does not repeat it."),
    }
    return reasons[why].format(run=run.name)


def _missing_label(plan: RepeatPlan) -> str:
    count, seconds = len(plan.missing), plan.seconds
    if not count:
        return ""
    if seconds is None:
        return tr_n(
            "1 more run tells how much is chance; how long it takes was not measured.",
            "{n} more runs tell how much is chance; how long they take was not measured.", count,
        )  # fmt: skip
    return tr_n(
        "1 more run tells how much is chance: about {time}, at the measured speed of the run it repeats.",
        "{n} more runs tell how much is chance: about {time}, at the measured speed of the runs they repeat.",
        count, time=about_duration(seconds),
    )  # fmt: skip


def _waiting_label(plan: RepeatPlan) -> str:
    if plan.kinds < 2 or not plan.waiting:
        return ""
    return tr_n("1 run trains or is queued.", "{n} runs train or are queued.", plan.waiting)


def _list_label(plan: RepeatPlan) -> str:
    """Return the names of the templates with their new seeds."""
    return ", ".join(tr("{run} with seed {n}", run=one.template.name, n=one.seed) for one in plan.missing)
