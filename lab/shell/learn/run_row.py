"""The row that runs a lesson: how long it takes, its progress, Pause and Cancel, and the result that is there."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from lab.base.problems import Problem
from lab.lessons.results import Result
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import about_duration, tr, tr_n
from lab.widgets.core.messages import problem_line
from lab.workbench.lessons.training import Progress


class RunRow(QWidget):
    """Start is offered once a prediction is made.

    Attributes:
        start: Trains the runs on this machine.
        show_result: Shows the result that is there.
        pause: Pauses and goes on.
        cancel: Stops.
        progress: How far it is.
    """

    start_clicked = Signal()
    result_clicked = Signal()
    pause_clicked = Signal()
    cancel_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.start = Button(tr("Start"), icon_name="start", role="primary")
        self.start.clicked.connect(self.start_clicked)
        self.show_result = Button(tr("Show the result"), role="")
        self.show_result.clicked.connect(self.result_clicked)
        self.pause = Button(tr("Pause"), icon_name="pause", role="")
        self.pause.clicked.connect(self.pause_clicked)
        self.cancel = Button(tr("Cancel"), role="")
        self.cancel.clicked.connect(self.cancel_clicked)
        self.progress = QProgressBar()
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.progress.setFixedWidth(220)
        self.progress.setAccessibleName(tr("Progress of the lesson’s runs"))
        self._note = label("", "note")
        self._note.setWordWrap(True)
        self._problem = label("", "bad")
        self._problem.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(8)
        for widget in (self.start, self.show_result, self.progress, self.pause, self.cancel):
            row.addWidget(widget)
        row.addStretch(1)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(6)
        rows.addLayout(row)
        rows.addWidget(self._note)
        rows.addWidget(self._problem)

    def show_ready(
        self, *, trainings: int, seconds: float | None, is_predicted: bool, result: Result | None, is_seen: bool
    ) -> None:
        """Show what can be started.

        Args:
            trainings: The number of trainings.
            seconds: How long they take on this machine; None if that is not known.
            is_predicted: True once a prediction was made.
            result: The result that is there; None for none.
            is_seen: True once it was seen.
        """
        for widget in (self.progress, self.pause, self.cancel):
            widget.hide()
        self.start.show()
        self.start.setEnabled(is_predicted)
        self.start.change_role("primary" if result is None else "")
        self.start.set_face(tr("Start") if result is None or not is_seen else tr("Run it here"), "start", "")
        self.show_result.setVisible(result is not None and not is_seen)
        self.show_result.setEnabled(is_predicted)
        self.show_result.change_role("primary")
        count = tr_n("1 training", "{n} trainings", trainings) if trainings else tr("computed, without a training")
        long = "" if seconds is None else tr("about {time} on this machine", time=about_duration(seconds))
        parts = [count, long] if long else [count]
        if result is not None:
            where = (
                tr("a result was recorded with the lesson")
                if result.recorded
                else tr("it was run on this machine before")
            )
            parts.append(where)
        if not is_predicted:
            parts.insert(0, tr("Predict first"))
        self._note.setText(" · ".join(parts))

    def show_progress(self, at: Progress, *, is_paused: bool) -> None:
        """Show how far the trainings are."""
        has_focus = self.start.hasFocus()
        for widget in (self.progress, self.pause, self.cancel):
            widget.show()
        if has_focus:  # else it would go to what follows
            self.pause.setFocus()
        self.start.hide()
        self.show_result.hide()
        self.pause.set_face(tr("Resume") if is_paused else tr("Pause"), "start" if is_paused else "pause", "")
        self.progress.setValue(int(1000 * at.share))
        number = tr("{n} of {total}", n=min(at.done + 1, at.total), total=at.total)
        parts = [number, at.title]
        if is_paused:
            parts.append(tr("paused"))
        elif at.seconds_left is not None:
            parts.append(tr("{time} left", time=about_duration(at.seconds_left)))
        self._note.setText(" · ".join(parts))

    def show_problem(self, problem: Problem | None) -> None:
        """Show why it could not be run; None hides it."""
        self._problem.setVisible(problem is not None)
        self._problem.setText("" if problem is None else problem_line(problem))
