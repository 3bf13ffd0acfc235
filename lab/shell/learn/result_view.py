"""What was measured in a lesson: a table, and each check with its comparisons as the lesson writes them."""

from __future__ import annotations

import math
from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from lab.lessons.comparisons import Value
from lab.lessons.lesson import Lesson, Measure
from lab.lessons.results import Outcome, decide_checks
from lab.widgets.core.controls import label
from lab.widgets.core.i18n import localized, tr

SIGNS = {True: ("✓", "good"), False: ("✗", "bad"), None: ("?", "warn")}
"""The sign and the role of a comparison by what it came to."""
MOST_COLUMNS = 8
"""Most entries of a quantity that stand in one row."""
SHORTEST, LONGEST = 1e4, 1e13
"""Numbers between them are written in full, as counts of parameters and operations are."""


class ResultView(QWidget):
    """The measured quantities and the decided checks of a lesson."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(10)
        self._content: QWidget | None = None

    def show_outcome(self, lesson: Lesson, outcome: Outcome) -> None:
        """Show an outcome of a lesson."""
        if self._content is not None:
            self._content.deleteLater()
        self._content = QWidget()
        rows = QVBoxLayout(self._content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(12)
        for measure in lesson.measures:
            value = outcome.values.get(measure.name)
            if value is not None:
                rows.addLayout(_measured(lesson, measure, value))
        rows.addLayout(_checks(lesson, outcome))
        self._rows.addWidget(self._content)


def _measured(lesson: Lesson, measure: Measure, value: Value) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(18)
    grid.setVerticalSpacing(2)
    title = measure.title if not measure.unit else f"{measure.title} ({measure.unit})"
    grid.addWidget(label(title, "strong"), 0, 0, 1, MOST_COLUMNS + 1, Qt.AlignmentFlag.AlignLeft)
    if not isinstance(value, Mapping):
        grid.addWidget(_number(value), 1, 0, Qt.AlignmentFlag.AlignLeft)
        grid.setColumnStretch(MOST_COLUMNS, 1)
        return grid
    titles = {run.name: run.title for run in lesson.runs}
    entries = list(value.items())
    if len(entries) > 2 * MOST_COLUMNS:  # a curve over steps
        entries = entries[:: max(1, len(entries) // MOST_COLUMNS)]
    is_named = len(measure.runs) > 1
    for index, (key, number) in enumerate(entries):
        head = label(titles.get(key, key) if is_named else localized(key), "note")
        row, column = (index + 1, 0) if is_named else (1 + 2 * (index // MOST_COLUMNS), index % MOST_COLUMNS)
        grid.addWidget(head, row, column, Qt.AlignmentFlag.AlignLeft)
        at = (row, 1) if is_named else (row + 1, column)
        grid.addWidget(_number(number), *at, Qt.AlignmentFlag.AlignLeft)
    grid.setColumnStretch(MOST_COLUMNS, 1)
    return grid


def _number(value: float | str) -> QLabel:
    if isinstance(value, str):
        return label(value)
    if math.isinf(value):
        return label(tr("infinite"))
    return label(localized(f"{value:,.0f}" if SHORTEST <= abs(value) < LONGEST else f"{value:.4g}"))


def _checks(lesson: Lesson, outcome: Outcome) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(10)
    grid.setVerticalSpacing(2)
    grid.addWidget(label(tr("What the lesson claims"), "strong"), 0, 0, 1, 2)
    row = 1
    for check, decided in zip(lesson.checks, decide_checks(lesson, outcome.values), strict=True):
        results = [one.holds for one in decided]
        holds = False if False in results else None if None in results else True
        sign, role = SIGNS[holds]
        grid.addWidget(label(sign, role), row, 0, Qt.AlignmentFlag.AlignTop)
        claim = label(check.claim)
        claim.setWordWrap(True)
        grid.addWidget(claim, row, 1)
        rule = label("   ".join(f"{SIGNS[one.holds][0]} {one.text}" for one in decided), "note")
        rule.setWordWrap(True)
        grid.addWidget(rule, row + 1, 1)
        row += 2
    grid.setColumnStretch(1, 1)
    return grid
