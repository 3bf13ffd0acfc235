"""The bar of the timeline: a slider over recorded steps, play and pause, speed, loop, pin, and notes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lab.widgets.core.controls import Button, MenuButton, Slider, label
from lab.widgets.core.i18n import tr

SPEEDS = (2, 5, 10)
"""The available speeds of the timeline, in steps per second."""


class TimelineBar(QWidget):
    """A bar with a slider over the recorded steps of a run, with now at its right end.

    The slider moves by mouse, arrow keys, Home and End; the space bar plays the timeline while the slider has the
    focus. Playing stops at the last step or starts again, waits while a snapshot is being read, and stops when the bar
    is hidden.
    """

    moved = Signal()
    """Another step is selected, or now again: the user moved the slider or pressed now, or the timeline plays."""
    pin_requested = Signal()
    """The user requested to pin the step, or to unpin the pinned one."""
    export_clicked = Signal()
    """The user requested to export all steps as a film, or to cancel that."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.steps: list[int] = []
        self._first = 0  # index of the first step that is played
        self._waits = False
        self._speed = SPEEDS[1]
        self.slider = Slider()
        self.slider.setAccessibleName(tr("Step"))
        self.slider.setToolTip(
            tr("From the untrained model over the recorded steps to the current model at the right end")
        )
        self.slider.setPageStep(5)
        self.slider.valueChanged.connect(self.moved)
        self.slider.space_pressed.connect(self.toggle)
        self.now = Button(tr("now"), hint=tr("The current model, updated while it trains"))
        self.now.clicked.connect(self._go_to_now)
        self.status = label("", "note")
        self.status.setWordWrap(True)  # a long one must not make the panel wider than its place
        self.status.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._play = Button(hint=tr("Play the timeline"), icon_name="start")
        self._play.clicked.connect(self.toggle)
        choices = [(str(speed), tr("{n} a second", n=speed)) for speed in SPEEDS]
        self._speeds = MenuButton(tr("speed of the timeline"), choices, self._set_speed)
        self._speeds.show_value(str(self._speed))
        self._loop = Button(tr("loop"), hint=tr("Start again after the last step"))
        self._loop.setCheckable(True)
        self._export = Button(icon_name="export")
        self._export.clicked.connect(self.export_clicked)
        self.show_exporting(False)
        self._pin = Button(tr("Pin"), hint=tr("Compare this step with the steps selected next"))
        self._pin.clicked.connect(self.pin_requested)
        self._note, self._warning = label("", "note"), label("", "warn")
        for text in (self._note, self._warning):
            text.setWordWrap(True)
            text.hide()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._advance)
        self._lay_out()
        self.set_snapshots([], 0)

    def _lay_out(self) -> None:
        head, controls = QHBoxLayout(), QHBoxLayout()
        head.addWidget(label(tr("Step"), "strong"))
        head.addWidget(self.status, 1)
        head.addWidget(self.now)
        controls.setSpacing(2)
        for control in (self._play, self._speeds, self._loop, self._export):
            controls.addWidget(control)
        controls.addStretch()
        controls.addWidget(self._pin)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 8)
        rows.setSpacing(6)
        rows.addLayout(head)
        rows.addWidget(self.slider)
        rows.addLayout(controls)
        rows.addWidget(self._note)
        rows.addWidget(self._warning)

    # ------------------------------------------------------------------------------------------------------- contents

    def set_snapshots(self, steps: Sequence[int], first: int) -> None:
        """Offer snapshots; the shown one stays selected, or now.

        Args:
            steps: The steps of the snapshots, in order.
            first: The index of the first one that is played.
        """
        step = self.step
        self._first = first
        if list(steps) != self.steps:
            self.steps = list(steps)
            with QSignalBlocker(self.slider):
                self.slider.setRange(0, len(steps))
                self.slider.setValue(self.steps.index(step) if step in self.steps else len(steps))
        self.slider.setEnabled(bool(steps))
        playable = len(steps) - first > 1
        for control in (self._play, self._speeds, self._loop, self._export):
            control.setEnabled(playable)
        if not playable:
            self.stop()

    def show_status(self, text: str) -> None:
        """Show the name of the snapshot."""
        self.status.setText(text)
        self.slider.setAccessibleDescription(text)

    def show_notes(self, text: str, warning: str = "") -> None:
        """Show notes on what was recorded, and what was not."""
        for shown, message in ((self._note, text), (self._warning, warning)):
            if shown.text() != message:
                shown.setText(message)
                shown.setVisible(bool(message))

    def show_exporting(self, is_writing: bool) -> None:
        """Let the button export a film, or cancel one that is being written."""
        if is_writing:
            self._export.set_face("", "stop", tr("Cancel the export of the film"))
        else:
            self._export.set_face("", "export", tr("Export all recorded steps as a film"))

    def show_pin(self, pinned: str) -> None:
        """Show the name of the pinned snapshot; "" for none."""
        if pinned:
            self._pin.set_face(tr("Unpin"), "", tr("End the comparison with {step}", step=pinned))
        else:
            self._pin.set_face(tr("Pin"), "", tr("Compare this step with the steps selected next"))

    def wait(self, waits: bool) -> None:
        """Set whether the snapshot is still being read; playing waits for it."""
        self._waits = waits

    # -------------------------------------------------------------------------------------------------------- playing

    @property
    def step(self) -> int | None:
        """The step of the shown snapshot; None for now."""
        position = self.slider.value()
        return self.steps[position] if position < len(self.steps) else None

    @property
    def plays(self) -> bool:
        """True while the timeline plays."""
        return self._timer.isActive()

    def toggle(self) -> None:
        """Play from the current snapshot, or from the first one if it is the last; or pause."""
        if self.plays:
            self.stop()
        elif self._play.isEnabled():
            if not self._first <= self.slider.value() < len(self.steps) - 1:
                self.slider.setValue(self._first)
            self._timer.start(1000 // self._speed)
            self._show_state()

    def stop(self) -> None:
        """Pause playing."""
        self._timer.stop()
        self._show_state()

    def hideEvent(self, event: QHideEvent) -> None:
        """Pause when hidden."""
        super().hideEvent(event)
        self.stop()

    def _advance(self) -> None:
        if self._waits:
            return
        position = self.slider.value() + 1
        if position < len(self.steps):
            self.slider.setValue(position)
        elif self._loop.isChecked():
            self.slider.setValue(self._first)
        else:
            self.stop()

    def _show_state(self) -> None:
        if self.plays:
            self._play.set_face("", "pause", tr("Pause the timeline"))
        else:
            self._play.set_face("", "start", tr("Play the timeline"))

    def _set_speed(self, speed: str) -> None:
        self._speed = int(speed)
        if self.plays:
            self._timer.start(1000 // self._speed)

    def _go_to_now(self) -> None:
        self.stop()
        if self.step is None:
            self.moved.emit()  # what is shown as now is older than the model
        self.slider.setValue(len(self.steps))
