"""The line of the loss card about losses that do not compare, and what a person can do about it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from lab.shell.runtime.background import Background
from lab.shell.session.runs.comparability import Comparability, comparability_of
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.train.comparison.page import ComparisonPage, comparability_details, comparability_line
from lab.widgets.core.controls import Button
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import CONTROL


class ComparisonLine(QWidget):
    """One quiet line, hidden while all losses compare and none is evaluated.

    Args:
        registry: The runs.
        background: Runs evaluations in threads.
    """

    help_requested = Signal()
    """The page of the help about differences is to be shown."""
    bytes_requested = Signal()
    """A person wants to compare in bits per byte."""

    def __init__(self, registry: RunRegistry, background: Background) -> None:
        super().__init__()
        self._registry, self._background = registry, background
        self._found = Comparability(None, ())
        self._page: ComparisonPage | None = None
        self.message = _ElidedButton()
        self.message.clicked.connect(self.open)
        self.same_text = Button(
            tr("Measure all on the same text"), hint=tr("Evaluate the shown runs in one protocol on the same text")
        )
        self.same_text.clicked.connect(self.evaluate)
        self.by_bytes = Button(
            tr("Show bits per byte"),
            hint=tr("Tokens of these runs differ in length, so compare the losses in bits per byte"),
        )
        self.by_bytes.clicked.connect(self.bytes_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(6, 0, 12, 0)
        row.setSpacing(4)
        row.addWidget(self.message, 1)
        row.addWidget(self.same_text)
        row.addWidget(self.by_bytes)
        self.setFixedHeight(CONTROL)
        self.hide()

    def show_runs(self, runs: Sequence[RunModel], reference: RunModel | None, *, by_bytes: bool, mixed: bool) -> None:
        """Show which losses do not compare.

        Args:
            runs: The runs that are drawn.
            reference: The selected one.
            by_bytes: True if their losses are shown in bits per byte.
            mixed: True if their tokens differ in length.
        """
        self._found = comparability_of(runs, reference, by_bytes=by_bytes)
        self.by_bytes.setVisible(mixed and not by_bytes)
        if self._page is not None:
            self._page.show_runs(self._found)
        self._refresh()

    def _refresh(self) -> None:
        line = self.progress() or comparability_line(self._found)
        self.message.set_full_text(line, comparability_details(self._found))
        self.setVisible(bool(line) or not self.by_bytes.isHidden())

    def progress(self) -> str:
        """Return a line about the evaluation in progress; "" if there is none."""
        model = None if self._page is None else self._page.evaluator.model
        if model is None or not model.works:
            return ""
        done, total = model.progress
        return tr("Measured on the same text: {done} of {total} runs", done=done, total=total)

    def open(self) -> None:
        """Open the page with the details."""
        self._opened().open(self._found)

    def evaluate(self) -> None:
        """Open the page, and evaluate the shown runs on the same text."""
        page = self._opened()
        page.open(self._found)
        if page.evaluate.isEnabled():
            page.start()

    def close_down(self) -> None:
        """Cancel the evaluation, as the window closes or is replaced."""
        if self._page is not None:
            self._page.evaluator.cancel()

    def compare(self) -> None:
        """Open the page for the runs that are shown now, also while Train is hidden."""
        self._found = comparability_of(self._registry.shown, self._registry.selected)
        self.open()

    def _opened(self) -> ComparisonPage:
        if self._page is None:
            self._page = ComparisonPage(self.window(), self._registry, self._background)
            self._page.changed.connect(self._refresh)
            self._page.help_requested.connect(self.help_requested)
        return self._page


class _ElidedButton(Button):
    """A quiet button whose text is cut at the width that is left for it."""

    def __init__(self) -> None:
        super().__init__("")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setStyleSheet("text-align: left;")
        self.full_text = ""

    def set_full_text(self, text: str, details: str) -> None:
        """Change the text and its tool tip."""
        if (text, details) == (self.full_text, self.toolTip()):
            return
        self.full_text = text
        self.setToolTip(details)
        self.setAccessibleName(text)
        self._elide()

    def minimumSizeHint(self) -> QSize:
        """Return the height of the text only."""
        return QSize(40, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut the text to the width."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        self.setText(self.fontMetrics().elidedText(self.full_text, Qt.TextElideMode.ElideRight, self.width() - 16))
