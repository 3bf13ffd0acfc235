"""The findings of one check as rows: a sign, what was found, its details, and what to do."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from lab.widgets.core.controls import label
from lab.widgets.core.i18n import tr
from lab.widgets.core.icons import SIZE, icon
from lab.widgets.core.messages import capitalized, message_text
from lab.widgets.core.theme import themes
from lab.workbench.doctor import Finding, Level, Result


class ResultRows(QWidget):
    """The title of a check and its findings.

    Args:
        result: What the check found.
    """

    def __init__(self, result: Result) -> None:
        super().__init__()
        title = message_text(result.title)
        self.setAccessibleName(title)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        rows.addWidget(label(title, "strong"))
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for finding in sorted(result.findings, key=lambda finding: -finding.level.rank):
            row = grid.rowCount()
            grid.addWidget(_sign(finding.level), row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addLayout(_texts(finding), row, 1)
        rows.addLayout(grid)


def _texts(finding: Finding) -> QVBoxLayout:
    """Return the texts of a finding, each on lines of its own."""
    texts = QVBoxLayout()
    texts.setSpacing(0)
    texts.addWidget(_wrapped(f"{capitalized(message_text(finding.what))}.", ""))
    if finding.detail:
        detail = _wrapped(finding.detail, "note")
        detail.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        texts.addWidget(detail)
    if finding.remedy:
        texts.addWidget(_wrapped(f"{message_text(finding.remedy)}.", "dim"))
    return texts


def _wrapped(text: str, role: str) -> QLabel:
    made = label(text, role)
    made.setWordWrap(True)
    return made


def _sign(level: Level) -> QLabel:
    """Return the sign of a level, with its name for screen readers."""
    drawings = {
        Level.GOOD: ("check", themes.now.good, tr("good")),
        Level.NOTE: ("info", themes.now.accent, tr("note")),
        Level.WRONG: ("error", themes.now.bad, tr("wrong")),
    }
    drawing, colour, name = drawings[level]
    made = QLabel()
    made.setFixedSize(SIZE, SIZE)
    made.setPixmap(icon(drawing, colour).pixmap(QSize(SIZE, SIZE), made.devicePixelRatioF()))
    made.setAccessibleName(name)
    made.setToolTip(name)
    return made
