"""The line of the loss card that opens the comparison: who is ahead, and which losses do not compare."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from lab.shell.session.comparison.evaluator import SameTextEvaluator
from lab.shell.session.comparison.labels import (
    comparability_details,
    comparability_line,
    waiting_label,
    without_steps,
)
from lab.shell.session.comparison.leading import lead_label, standing_of
from lab.shell.session.runs.comparability import Comparability, comparability_of
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.controls import Button, ElidedButton
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import CONTROL, control_height


class ComparisonLine(QWidget):
    """One quiet line, hidden while fewer than two runs are shown and none is evaluated.

    Args:
        registry: The runs.
        evaluator: Evaluates runs on the same text.
    """

    clicked = Signal()
    """The comparison is to be shown."""
    evaluation_requested = Signal()
    """The shown runs are to be evaluated on the same text."""
    bytes_requested = Signal()
    """The user wants to compare in bits per byte."""

    def __init__(self, registry: RunRegistry, evaluator: SameTextEvaluator) -> None:
        super().__init__()
        self._registry, self._evaluator = registry, evaluator
        self._line = self._details = ""
        evaluator.changed.connect(self._refresh)
        self.message = ElidedButton()
        self.message.setStyleSheet("text-align: left;")
        self.message.clicked.connect(self.clicked)
        self.same_text = Button(
            tr("Measure all on the same text"), hint=tr("Evaluate the shown runs in one protocol on the same text")
        )
        self.same_text.clicked.connect(self.evaluation_requested)
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
        follow_type(self, lambda line: line.setFixedHeight(control_height(CONTROL)))
        self.hide()

    def show_runs(self, runs: Sequence[RunModel], reference: RunModel | None, *, by_bytes: bool, mixed: bool) -> None:
        """Show who is ahead, and which losses do not compare.

        Args:
            runs: The runs that are drawn.
            reference: The selected one.
            by_bytes: True if their losses are shown in bits per byte.
            mixed: True if their tokens differ in length.
        """
        found = comparability_of(runs, reference, by_bytes=by_bytes)
        unit = self._registry.loss_unit
        standing = standing_of(found, unit) if len(runs) > 1 else None
        remarkable = without_steps(found, standing)
        incomparable = comparability_line(remarkable)
        lead = lead_label(standing, unit) or ("" if incomparable else _without_order(found, len(runs)))
        parts = (incomparable, lead, waiting_label(runs))
        self._line = "; ".join(filter(None, parts)) if len(runs) > 1 else ""
        self._details = comparability_details(remarkable, standing) if self._line else ""
        self.same_text.setVisible(bool(incomparable))
        self.by_bytes.setVisible(mixed and not by_bytes)
        self._refresh()

    def _refresh(self) -> None:
        line = self.progress() or self._line
        self.message.set_full_text(line, tail=f" · {tr('Compare…')}" if line else "", hint=self._details)
        self.setVisible(bool(line) or not self.by_bytes.isHidden())

    def progress(self) -> str:
        """Return a line about the evaluation in progress; "" if there is none."""
        model = self._evaluator.model
        if not model.works:
            return ""
        done, total = model.progress
        return tr("Measured on the same text: {done} of {total} runs", done=done, total=total)


def _without_order(found: Comparability, count: int) -> str:
    """Return a label for runs without an order at a step."""
    if any(one.run.counts for one in found.runs) and len(found.runs) == count:
        return tr("the losses compare")  # a model that counts has one loss, and no steps
    return tr("not evaluated at the same step")
