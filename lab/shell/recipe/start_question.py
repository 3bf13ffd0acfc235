"""The question before the start of a run that this machine cannot hold, or that would take days."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import STEP

WIDTH = 420


class StartQuestion(Overlay):
    """A dialog that asks whether to start anyway.

    Args:
        window: The window over which it opens.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window, tr("Start this run?"))
        self._title, self._reasons = label(tr("Start this run?"), "title"), label("", "")
        self._reasons.setWordWrap(True)
        note = label(tr("A smaller model, a shorter context, smaller batches or fewer steps need less."), "dim")
        note.setWordWrap(True)
        self.agree = Button(tr("Start anyway"), role="")
        self.agree.clicked.connect(self._agree)
        self.cancel = Button(tr("Cancel"), role="primary")
        self.cancel.clicked.connect(self.shut)
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * STEP)
        buttons.addStretch(1)
        buttons.addWidget(self.agree)
        buttons.addWidget(self.cancel)
        rows = self._rows = QVBoxLayout(self)
        rows.setContentsMargins(5 * STEP, 4 * STEP, 5 * STEP, 4 * STEP)
        rows.setSpacing(2 * STEP)
        for widget in (self._title, self._reasons, note):
            rows.addWidget(widget)
        rows.addSpacing(STEP)
        rows.addLayout(buttons)
        self._start: Callable[[], object] | None = None

    def ask(self, reasons: str, start: Callable[[], object]) -> None:
        """Ask, and call `start` if the user agrees."""
        self._start = start
        self._reasons.setText(reasons)
        self.show_over(self.cancel)

    def place(self) -> None:
        """Place it in the middle of the window."""
        width = min(WIDTH, self._window.width() - 40)
        height = self._rows.totalHeightForWidth(width)
        self.setGeometry((self._window.width() - width) // 2, (self._window.height() - height) // 3, width, height)

    def _agree(self) -> None:
        start, self._start = self._start, None
        self.shut()
        if start is not None:
            start()
