"""The steps of a walk as a list: those that are done, with formula and numbers, and those to come, dimmed."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from lab.shell.examples.graph.walk import Stage, Walk
from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import themes
from lab.widgets.lists.row_list import RowList, RowPainter

HEIGHT = 40
"""Height of a row in pixels: the formula, and the numbers below it."""


@dataclass(frozen=True)
class StageRow:
    """A step in the list.

    Args:
        stage: The step.
        is_done: Whether it is done.
        is_current: Whether it was done last.
    """

    stage: Stage
    is_done: bool
    is_current: bool

    @property
    def description(self) -> str:
        """The step in one line, once it is done."""
        return self.stage.line if self.is_done else f"{self.stage.name} = {self.stage.formula}"


class WalkList(RowList[StageRow]):
    """The steps; a click goes to one."""

    picked = Signal(int)
    """How many steps are to be done: those up to the clicked one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Steps"), _StagePainter(), parent)
        self._walk: Walk | None = None
        self.clicked.connect(self._take)
        self.activated.connect(self._take)

    def show_walk(self, walk: Walk | None) -> None:
        """Show the steps of another walk."""
        self._walk = walk
        self.refresh()

    def refresh(self) -> None:
        """Show how far the walk is."""
        walk = self._walk
        place = self.verticalScrollBar().value()
        if walk is None:
            self.set_rows(())
            return
        self.set_rows(
            [StageRow(stage, at < walk.position, at == walk.position - 1) for at, stage in enumerate(walk.stages)]
        )
        self.verticalScrollBar().setValue(place)
        if walk.position:
            self.scrollTo(self.model().index(walk.position - 1, 0))

    def _take(self, index: object) -> None:
        self.picked.emit(index.row() + 1)  # type: ignore[attr-defined]


class _StagePainter(RowPainter[StageRow]):
    _font, _small = Font("note", tokens=True), Font("note", tokens=True)
    _metrics = Metrics("note", tokens=True)

    def __init__(self) -> None:
        super().__init__(HEIGHT)

    def paint_row(self, painter: QPainter, rect: QRectF, row: StageRow) -> None:
        """Paint the name and formula, and below them the numbers."""
        theme, stage = themes.now, row.stage
        inside = rect.adjusted(8, 3, -6, -3)
        half = inside.height() / 2
        if row.is_current:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent))
            painter.drawRoundedRect(QRectF(rect.x() + 1, inside.y(), 3, inside.height()), 1.5, 1.5)
        sign = "+=" if stage.total else "="
        first = f"{stage.name} {sign} {stage.formula}"
        numbers = [part for part in (stage.filled, stage.value) if part and part != stage.formula]
        second = " = ".join(dict.fromkeys(numbers))
        if stage.total and stage.total != stage.value:
            second += f" → {stage.total}"
        painter.setFont(self._font)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setPen(QColor(theme.text if row.is_done else theme.dim))
        elide = self._metrics.elidedText
        painter.drawText(
            QRectF(inside.x(), inside.y(), inside.width(), half), left,
            elide(first, Qt.TextElideMode.ElideRight, inside.width()),
        )  # fmt: skip
        if row.is_done:
            painter.setPen(QColor(theme.accent if stage.is_derivative else theme.dim))
            painter.drawText(
                QRectF(inside.x(), inside.y() + half, inside.width(), half), left,
                elide(f"= {second}" if second else "", Qt.TextElideMode.ElideRight, inside.width()),
            )  # fmt: skip
