"""The dialog in which a trial is started, drawn, cancelled, and its suggestion used."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lab.base.problems import LabError, Problem
from lab.runs import RunFolder
from lab.shell.finders.kinds import KINDS, Kind, Point
from lab.shell.runtime.background import Background
from lab.shell.session.draft import Draft
from lab.widgets.charts.chart import Chart, Flag
from lab.widgets.core.controls import Button, MenuButton, label
from lab.widgets.core.i18n import localized, tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import STEP
from lab.widgets.forms.values import number
from lab.workbench.analysis.finders import Finder
from lab.workbench.launch.origins import BranchedRun, NewRun

if TYPE_CHECKING:
    from lab.base.jobs import Job

WIDTH, HEIGHT = 640, 520
DRAW = 200
"""Milliseconds between two drawings while a trial runs."""
KEY = "finder"
"""The key of the job in the background."""


class FinderDialog(Overlay):
    """Tries what the form would train. Closed meanwhile, it cancels the trial.

    Args:
        window: The window over which it opens.
        draft: What would be trained.
        background: Runs the trial.
    """

    def __init__(self, window: QWidget, draft: Draft, background: Background) -> None:
        super().__init__(window, tr("Find settings"))
        self._draft, self._background = draft, background
        self.kind: Kind = KINDS[0]
        self._points: list[Point] = []  # a thread appends to it
        self._progress = (0.0, "")
        self.found: Any = None
        self._recipe = draft.recipe  # what was tried
        self._clock = QTimer(self, interval=DRAW)
        self._clock.timeout.connect(self._show_progress)
        self._make()

    def _make(self) -> None:
        choices = [(kind.key, kind.title) for kind in KINDS]
        self.menu = MenuButton(tr("What to find"), choices, self.select, steady=True)
        self.explanation, self.text = label("", "dim"), label("", "")
        for one in (self.explanation, self.text):
            one.setWordWrap(True)
        self.chart = Chart()
        self.start_button = Button(tr("Start"), role="primary", icon_name="start")
        self.start_button.clicked.connect(self.start)
        self.cancel = Button(tr("Cancel"))
        self.cancel.clicked.connect(self.stop)
        self.use = Button(tr("Use it"), role="primary")
        self.use.clicked.connect(self._use)
        self.close_button = Button(tr("Close"))
        self.close_button.clicked.connect(self.shut)
        head = QHBoxLayout()
        head.addWidget(label(tr("Find settings"), "title"), 1)
        head.addWidget(self.menu)
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * STEP)
        buttons.addStretch(1)
        for button in (self.cancel, self.use, self.start_button, self.close_button):
            buttons.addWidget(button)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(5 * STEP, 4 * STEP, 5 * STEP, 4 * STEP)
        rows.setSpacing(2 * STEP)
        rows.addLayout(head)
        rows.addWidget(self.explanation)
        rows.addWidget(self.chart, 1)
        rows.addWidget(self.text)
        rows.addLayout(buttons)

    def open(self) -> None:
        """Open it for the present draft."""
        if self.isHidden():
            self.select(self.kind.key)
        self.show_over(self.start_button)

    def place(self) -> None:
        """Place it in the middle of the window."""
        width, height = min(WIDTH, self._window.width() - 40), min(HEIGHT, self._window.height() - 40)
        self.setGeometry((self._window.width() - width) // 2, (self._window.height() - height) // 2, width, height)

    def select(self, key: str) -> None:
        """Select what to find."""
        self.stop()
        self.kind = next(kind for kind in KINDS if kind.key == key)
        self._points, self.found = [], None
        self.menu.show_value(key)
        self.explanation.setText(self.kind.explanation)
        self.text.setText(tr("The trial stores nothing, and disturbs no run."))
        self._draw()
        self._show_buttons(works=False)

    @property
    def works(self) -> bool:
        """True while a trial runs."""
        return self._clock.isActive()

    def start(self) -> None:
        """Start a trial of the present draft."""
        self._points, self.found, self._recipe = [], None, self._draft.recipe
        self._progress = 0.0, ""
        points, kind = self._points, self.kind
        try:
            origin = origin_of(self._draft)
        except LabError as error:
            self._fail(error.problem)
            return
        work = partial(_find, kind, origin, self._draft, points.append, self._note)
        self._background.run(tr("Trying settings"), work, self._take, self._fail, replaces=KEY)
        self._clock.start()
        self._show_buttons(works=True)
        self._show_progress()

    def stop(self) -> None:
        """Cancel the trial."""
        if self.works:
            self._background.cancel(KEY)
            self._clock.stop()
            self.text.setText(tr("Cancelled."))
            self._show_buttons(works=False)

    def shut(self) -> None:
        """Cancel the trial and close."""
        self.stop()
        super().shut()

    def _note(self, share: float, doing: str) -> None:
        """Note the progress; in the thread."""
        self._progress = share, doing

    def _take(self, found: Any) -> None:
        """Show a result."""
        self._clock.stop()
        self.found = found
        self.text.setText(self.kind.sentence(found))
        self._draw()
        self._show_buttons(works=False)

    def _fail(self, problem: Problem) -> None:
        self._clock.stop()
        self.text.setText(problem_line(problem))
        self._show_buttons(works=False)

    def _show_progress(self) -> None:
        share, _ = self._progress
        self.text.setText(tr("Trying on a copy of the model: {percent} %", percent=round(100 * share)))
        self._draw()

    def _show_buttons(self, *, works: bool) -> None:
        suggestion = self.suggestion
        self.cancel.setVisible(works)
        self.start_button.setVisible(not works)
        self.close_button.setVisible(not works)
        self.use.setVisible(not works and suggestion is not None)
        if suggestion is not None:
            self.use.setText(tr("Use {value}", value=localized(number(suggestion))))
        self.start_button.change_role("primary" if suggestion is None else "")
        self.start_button.setText(tr("Start") if self.found is None else tr("Try again"))

    @property
    def suggestion(self) -> float | None:
        """What the result suggests for the setting; None for nothing."""
        return None if self.found is None or not self.kind.setting else self.kind.suggestion(self.found)

    def _draw(self) -> None:
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
