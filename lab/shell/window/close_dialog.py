"""The dialog that asks before the window closes while runs train, and shows the progress of saving them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr, tr_n
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import STEP

WIDTH = 540
ROWS = 6
"""Most rows of runs; if there are more, the last row counts the others."""
PATIENCE = 10
"""Seconds of saving after which closing without saving is offered."""


class ClosingPanel(Overlay):
    """A panel that asks before running work is stopped.

    Signals: `stop_requested` (stop, save and close), `detach_requested` (close, and let runs in their own processes
    continue), `declined` (keep working), `exit_requested` (close without saving).

    Args:
        window: The window to close.
    """

    stop_requested = Signal()
    detach_requested = Signal()
    declined = Signal()
    exit_requested = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window, tr("Close the lab?"))
        self._title = label("", "title")
        self._rows = [label() for _ in range(ROWS)]
        for row in self._rows:
            row.setWordWrap(True)
        self._note = label("", "note")
        self._note.setWordWrap(True)
        self.stay = Button(tr("Keep working"), role="")
        self.stop = Button(tr("Stop, save and close"), role="primary")
        self.detach = Button(
            tr("Close and keep training"), hint=tr("Runs in separate processes continue without the window"), role=""
        )
        self.leave = Button(tr("Close without saving"), hint=tr("Progress that is not saved yet is lost"), role="")
        self.stay.clicked.connect(self._decline)
        self.stop.clicked.connect(self._agree)
        self.detach.clicked.connect(self.detach_requested)
        self.leave.clicked.connect(self.exit_requested)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(1000 * PATIENCE)
        self._patience.timeout.connect(self._offer_leaving)
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * STEP)
        buttons.addStretch(1)
        for button in (self.leave, self.stay, self.detach, self.stop):
            buttons.addWidget(button)
        self._layout = layout = QVBoxLayout(self)
        layout.setContentsMargins(5 * STEP, 4 * STEP, 5 * STEP, 4 * STEP)
        layout.setSpacing(2 * STEP)
        layout.addWidget(self._title)
        for row in self._rows:
            layout.addWidget(row)
        layout.addWidget(self._note)
        layout.addSpacing(STEP)
        layout.addLayout(buttons)
        self._stopping = False

    def ask(self, lines: Sequence[str], *, can_continue: bool = False) -> None:
        """Ask what to do with the running work.

        Args:
            lines: The work that would be stopped: "rope: running, step 120".
            can_continue: True if some runs train in their own processes, which can continue without the window.
        """
        self._stopping = False
        self._show_rows(lines)
        self._title.setText(tr_n("1 run is not finished", "{n} runs are not finished", len(lines)))
        self._note.setText(tr("Running runs are saved, queued runs stay queued."))
        self.leave.hide()
        self.detach.setVisible(can_continue)
        self.stay.show()
        self.stop.show()
        self.show_over(self.stop)

    def show_progress(self, lines: Sequence[str]) -> None:
        """Show the jobs that are still saving: "Training rope"; after a while, offer to close without saving."""
        self._show_rows(lines)
        if not self._stopping:
            self._stopping = True
            self._title.setText(tr("Stopping and saving"))
            self._note.setText(tr("The window closes when everything is saved."))
            for button in (self.stay, self.detach, self.stop):
                button.hide()
            self._patience.start()
            self.show_over(self)
        self.place()

    def place(self) -> None:
        """Place it in the upper middle of the window."""
        width = min(WIDTH, self._window.width() - 40)
        height = self._layout.totalHeightForWidth(width)
        self.setGeometry((self._window.width() - width) // 2, (self._window.height() - height) // 3, width, height)

    def escaped(self) -> None:
        """Treat Esc as "Keep working", while that is offered."""
        if not self._stopping:
            self._decline()

    def shut(self) -> None:
        """Close the panel."""
        self._patience.stop()
        super().shut()

    @Slot()
    def _agree(self) -> None:
        self.stop_requested.emit()

    @Slot()
    def _decline(self) -> None:
        self.shut()
        self.declined.emit()

    @Slot()
    def _offer_leaving(self) -> None:
        self.leave.show()
        self.place()

    def _show_rows(self, lines: Sequence[str]) -> None:
        shown = list(lines[:ROWS])
        if len(lines) > ROWS:
            shown[-1] = tr("and {count} others", count=len(lines) - ROWS + 1)
        _fill(self._rows, shown)


def _fill(rows: Sequence[QLabel], lines: Sequence[str]) -> None:
    for index, row in enumerate(rows):
        row.setText(lines[index] if index < len(lines) else "")
        row.setVisible(index < len(lines))
