"""The dialog in which a trial is started, drawn, cancelled, and its suggestion used."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QWidget

from lab.base.problems import LabError
from lab.runs import RunFolder
from lab.shell.finders.kinds import KINDS, Kind, Point
from lab.shell.runtime.background import Background
from lab.shell.session.draft import Draft
from lab.widgets.charts.chart import Chart, Flag
from lab.widgets.core.controls import Button
from lab.widgets.core.i18n import localized, tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.overlay import WorkOverlay
from lab.widgets.forms.values import number
from lab.workbench.analysis.finders import Finder
from lab.workbench.launch.origins import BranchedRun, NewRun

if TYPE_CHECKING:
    from lab.base.jobs import Job

SIZE = 640, 520
KEY = "finder"
"""The key of the job in the background."""


class FinderDialog(WorkOverlay):
    """Tries what the form would train. Closed meanwhile, it cancels the trial.

    Args:
        window: The window over which it opens.
        draft: What would be trained.
        background: Runs the trial.
    """

    def __init__(self, window: QWidget, draft: Draft, background: Background) -> None:
        title, menu = tr("Find settings"), tr("What to find")
        choices = [(kind.key, kind.title) for kind in KINDS]
        super().__init__(window, title, (menu, choices), background, KEY, SIZE)
        self._draft = draft
        self.kind: Kind = KINDS[0]
        self._points: list[Point] = []  # a thread appends to it
        self.chart = Chart()
        self.set_content(self.chart)
        self.use = Button(tr("Use it"), role="primary")
        self.use.clicked.connect(self._use)
        self.buttons.insertWidget(2, self.use)  # after the stretch and Cancel

    def open(self) -> None:
        """Open it for the present draft."""
        if self.isHidden():
            self.select(self.kind.key)
        self.show_over(self.start_button)

    def select(self, key: str) -> None:
        """Select what to find."""
        self.stop()
        self.kind = next(kind for kind in KINDS if kind.key == key)
        self._points, self.found = [], None
        self.menu.show_value(key)
        self.explanation.setText(self.kind.explanation)
        self.text.setText(tr("The trial stores nothing, and disturbs no run."))
        self.draw()
        self.show_buttons()

    def start(self) -> None:
        """Start a trial of the present draft."""
        self._points, self.found = [], None
        try:
            origin = origin_of(self._draft)
        except LabError as error:
            self.fail(error.problem)
            return
        self.run_work(
            tr("Trying settings"), partial(_find, self.kind, origin, self._draft, self._points.append, self.note)
        )

    def sentence(self) -> str:
        """Return what the result says."""
        return self.kind.sentence(self.found)

    def progress_label(self, share: float) -> str:
        """Return how much of the trial is done."""
        return tr("Trying on a copy of the model: {percent} %", percent=round(100 * share))

    def show_buttons(self) -> None:
        """Show the buttons for what can be done now."""
        super().show_buttons()
        suggestion = self.suggestion
        self.use.setVisible(not self.works and suggestion is not None)
        if suggestion is not None:
            self.use.setText(tr("Use {value}", value=localized(number(suggestion))))
        self.start_button.change_role("primary" if suggestion is None else "")
        self.start_button.setText(tr("Start") if self.found is None else tr("Try again"))

    @property
    def suggestion(self) -> float | None:
        """What the result suggests for the setting; None for nothing."""
        return None if self.found is None or not self.kind.setting else self.kind.suggestion(self.found)

    def draw(self) -> None:
        """Draw the points so far, or the result."""
        x, y, x_log, y_log = self.kind.axes
        self.chart.set_axes(x, y, x_log=x_log, y_log=y_log)
        points = list(self._points)
        drawn = points or (self.kind.key == "width" and self.found is not None)
        self.chart.set_lines(self.kind.lines(points, self.found) if drawn else [])
        suggestion = self.suggestion
        flags = [] if suggestion is None else [Flag(float(suggestion), tr("suggestion"))]
        self.chart.set_flags(flags)
        self.chart.draw()

    def _use(self) -> None:
        """Put the suggestion into the form."""
        suggestion = self.suggestion
        if suggestion is None:
            return
        problem = self._draft.edit(self.kind.setting, suggestion)
        if problem is None:
            self.shut()
        else:
            self.text.setText(problem_line(problem))


def origin_of(draft: Draft) -> NewRun:
    """Return where a run of the draft would start.

    Raises:
        BadInput: The draft cannot be trained.
        LabError: The run from which it branches is damaged.
    """
    point = draft.branch_point
    if point is None:
        return NewRun(draft.ready(), None)
    return BranchedRun(
        RunFolder.open(point.run), point.step, draft.assignments(), None, weights_only=point.weights_only
    )


def _find(
    kind: Kind,
    origin: NewRun,
    draft: Draft,
    report: Callable[[Point], object],
    note: Callable[[float, str], None],
    job: Job,
) -> Any:
    """Try; in a thread."""
    return kind.work(Finder(origin, draft.plugins, note, lambda: job.cancelled), report)
