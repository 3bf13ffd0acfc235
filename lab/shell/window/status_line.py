"""The status line of the window: step and time left, progress, speed and running jobs."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QSizePolicy, QWidget

from lab.base.jobs import running_jobs
from lab.base.run_state import RunState
from lab.base.units import short
from lab.shell.session.runs.formatting import long_step_label, state_label, waiting_label
from lab.shell.session.runs.model import RunModel
from lab.widgets.core.controls import Button, label, plain_tip, set_role
from lab.widgets.core.i18n import about_duration, localized, number_text, tr, tr_n
from lab.widgets.core.icons import SIZE, icon
from lab.widgets.core.messages import message_text, problem_line
from lab.widgets.core.theme import px, themes

TICKS = 1000
"""Steps of a progress bar."""
SECONDS = 6.0
"""Seconds that a message is shown in place of the step."""
NAME = 200
"""The most pixels of the name of the run that trains while another one is selected."""


class StatusLine(QWidget):
    """The status line."""

    run_clicked = Signal(str)
    """The run with this key is to be selected."""

    def __init__(self) -> None:
        super().__init__()
        self._left, self._right = label("", "note"), label("", "note")
        self._icon = QLabel()
        self._icon.hide()
        self._message = ""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(round(1000 * SECONDS))
        self._timer.timeout.connect(self._end_message)
        self._bar, self._training_bar = _progress_bar(220), _progress_bar(90)
        self._bar.setAccessibleName(tr("Progress"))
        self._training_key = ""
        self.training = Button()
        self.training.clicked.connect(lambda: self.run_clicked.emit(self._training_key))
        self.training.hide()
        self._training_bar.hide()
        self.log = Button(tr("Log"), hint=tr("Show all notices"))
        self.log.setCheckable(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 10, 4)
        row.setSpacing(12)
        self._left.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row.addWidget(self._icon)
        row.addWidget(self._left, 2)
        row.addWidget(self._bar)
        row.addWidget(self.training)
        row.addWidget(self._training_bar)
        row.addWidget(self._right, 1, Qt.AlignmentFlag.AlignRight)
        row.addWidget(self.log)

    def show_message(self, message: str) -> None:
        """Show a message for some seconds in place of the step; the log keeps it."""
        self._message = message
        self._icon.setPixmap(icon("info", themes.now.accent).pixmap(QSize(SIZE, SIZE), self.devicePixelRatioF()))
        self._icon.show()
        self._show_text(message)
        set_role(self._left, "small")
        self._timer.start()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, message))

    def _end_message(self) -> None:
        self._message = ""
        self._icon.hide()
        self._show_text("")  # the next refresh shows the step

    def show_run(self, run: RunModel | None, message: str, training: RunModel | None = None) -> None:
        """Show the progress of the selected run, and of the one that trains if that is another one.

        Args:
            run: The selected run; None if there is none.
            message: A message to show instead, while the lab is being loaded; "" for none.
            training: The run that trains; None if none does.
        """
        self._show_training(None if training is run else training)
        titles = [message_text(job.title) for job in running_jobs()]
        jobs = len(titles)
        work = tr_n("1 job", "{n} jobs", jobs) if jobs else ""
        tip = plain_tip("\n".join(titles)) if titles else ""
        if self._right.toolTip() != tip:
            self._right.setToolTip(tip)
        failed = not message and run is not None and run.state == RunState.FAILED
        set_role(self._left, "small" if self._message else "bad" if failed else "note")
        if message or run is None:
            self._show(message or tr("Ready. Start trains the configuration of the next run."), None, work)
            self._bar.setRange(0, 0 if message and not themes.still else TICKS)
            self._bar.setVisible(bool(message))
            return
        self._bar.setRange(0, TICKS)
        self._bar.setVisible(run.works or run.elsewhere)  # that of a run that ended would stand beside another one
        if run.problem is not None:
            share = run.step / max(1, run.last_step)
            self._show(tr("{run}: {problem}", run=run.name, problem=problem_line(run.problem)), share, work)
            return
        if run.active is not None and run.active.preparing is not None:
            share, doing = run.active.preparing
            self._show(doing, share, work)
            return
        if run.state == RunState.FINISHED:  # some runs need fewer steps than allowed
            ended = tr_n("finished after 1 step", "finished after {n} steps", run.step)
            self._show(tr("{run}: {state}", run=run.name, state=ended), None, work)
            return
        left, speed = run.seconds_left() if run.state == RunState.RUNNING else None, run.tokens_per_second()
        rest = "" if left is None else tr(" · about {time} left", time=about_duration(left))
        rest = tr(" · evaluating…") if run.awaits_evaluation and run.state == RunState.RUNNING else rest
        waits = waiting_label(run) or long_step_label(run) or (state_label(run) if run.is_stopping else "")
        rest = f" · {waits}" if waits else rest
        progress = tr("{run}: {state}", run=run.name, state=_step_label(run, rest))
        rate = "" if speed is None or not run.works else tr("{n} tokens/s", n=localized(short(speed)))
        self._show(progress, run.step / max(1, run.last_step), " · ".join(filter(None, (rate, work))))

    def _show_training(self, run: RunModel | None) -> None:
        """Show the step of a run that trains while another one is selected; None if there is none."""
        self.training.setVisible(run is not None)
        self._training_bar.setVisible(run is not None)
        if run is None:
            return
        self._training_bar.setValue(round(TICKS * min(1.0, run.step / max(1, run.last_step))))
        self._training_bar.setAccessibleName(tr("Progress of {run}", run=run.name))
        self._training_key = run.key
        state = state_label(run) if run.state == RunState.PREPARING else _step_label(run)
        name = self.training.fontMetrics().elidedText(run.name, Qt.TextElideMode.ElideRight, px(NAME))
        text = tr("{run}: {state}", run=name, state=state)
        if self.training.text() != text:
            self.training.setText(text)
            self.training.setAccessibleName(tr("{run}: {state}", run=run.name, state=state))
            self.training.setToolTip(tr("Select {run}, which trains", run=run.name))

    def _show(self, left: str, share: float | None, right: str) -> None:
        self._show_text(self._message or left)
        if self._right.text() != right:
            self._right.setText(right)
        if share is not None:
            self._bar.setValue(round(TICKS * min(1.0, share)))

    def _show_text(self, left: str) -> None:
        shown = self._left.fontMetrics().elidedText(left, Qt.TextElideMode.ElideRight, self._left.width())
        tip = plain_tip(left) if shown != left else ""
        if self._left.toolTip() != tip:
            self._left.setToolTip(tip)
        if self._left.text() != shown:
            self._left.setText(shown)


def _progress_bar(width: int) -> QProgressBar:
    bar = QProgressBar()
    bar.setTextVisible(False)
    bar.setRange(0, TICKS)
    bar.setFixedWidth(width)
    return bar


def _step_label(run: RunModel, rest: str = "") -> str:
    return tr("step {step} of {all}{rest}", step=number_text(run.step), all=number_text(run.last_step), rest=rest)
