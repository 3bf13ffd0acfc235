"""Samples that a model generated at its evaluations: a list with the newest at the bottom, or one in full."""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QAction,
    QColor,
    QGuiApplication,
    QKeySequence,
    QPainter,
    QResizeEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QPlainTextEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from lab.widgets.core.controls import plain_tip
from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.theme import themes, token_font

LINES = 3
"""The largest number of lines of a sample; its tool tip has the full text. All are as high as the longest."""
LETTERS = 2000
"""Number of first letters that are broken into lines."""
CACHED = 500
"""Number of samples whose lines are cached, so that they are not broken at every painting."""
SAMPLE = int(Qt.ItemDataRole.UserRole)
"""The role of (step, text) in the model."""
LONGEST = SAMPLE + 1
"""The role of the longest text of all samples."""

Index = QModelIndex | QPersistentModelIndex


def sample_at(samples: Sequence[tuple[int, str]], step: int | None) -> int:
    """Return the index of the last sample up to a step; −1 if there is none yet.

    Args:
        samples: (step, text), oldest first.
        step: The step; None for the newest sample.
    """
    return len(samples) - 1 if step is None else bisect.bisect_right(samples, step, key=lambda one: one[0]) - 1


class SampleText(QPlainTextEdit):
    """One sample in full, for reading and copying."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setFont(token_font())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("role", "reading")
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTabChangesFocus(True)
        self.setAcceptDrops(False)
        self.setAccessibleName(tr("Generated sample"))

    def show_text(self, text: str) -> None:
        """Show another sample."""
        if text != self.toPlainText():
            self.setPlainText(text)


class SamplesView(QListView):
    """The samples of one run; it stays at the newest unless the user scrolled up; keys copy the current one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "view")
        self.setAccessibleName(tr("Samples"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setUniformItemSizes(True)  # else every sample would be broken into lines for its height
        self.setMouseTracking(True)
        self._step: int | None = None
        self._samples = _Samples(self)
        self._delegate = _SampleDelegate(self)
        self.setModel(self._samples)
        self.setItemDelegate(self._delegate)
        copy = QAction(tr("Copy"), self)
        copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self._copy)
        self.addAction(copy)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def show_samples(self, samples: Sequence[tuple[int, str]], colour: str) -> None:
        """Show samples; if a list continues the last one, only new samples are processed.

        Args:
            samples: (step, text), oldest first.
            colour: Colour of the run, "#rrggbb".
        """
        at_end = self._is_at_end()
        if self._delegate.colour != colour:
            self._delegate.colour = colour
            self.viewport().update()
        if self._samples.show(samples) and self._step is not None:
            self.show_step(self._step)
        elif at_end:
            self.scrollToBottom()

    def show_step(self, step: int | None) -> None:
        """Select the last sample up to a step, and scroll to it; None goes to the newest."""
        self._step = step
        rect = sample_at(self._samples.rows, step)
        if step is None:
            self.clearSelection()
            self.scrollToBottom()
        elif rect < 0:
            self.clearSelection()
            self.scrollToTop()
        else:
            self.setCurrentIndex(self._samples.index(rect, 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the lines again and keep the newest sample visible."""
        at_end = self._is_at_end()
        super().resizeEvent(event)
        first = self._samples.index(0, 0)
        if first.isValid() and self.sizeHintForIndex(first).height() != self.visualRect(first).height():
            self.doItemsLayout()
        if at_end:
            self.scrollToBottom()

    def _is_at_end(self) -> bool:
        bar = self.verticalScrollBar()
        return bar.value() >= bar.maximum() - 8

    def _copy(self) -> None:
        index = self.currentIndex()
        if index.isValid():
            QGuiApplication.clipboard().setText(index.data(SAMPLE)[1])


class _Samples(QAbstractListModel):
    """The samples as rows."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: list[tuple[int, str]] = []
        self._longest = ""

    def show(self, samples: Sequence[tuple[int, str]]) -> bool:
        """Set the samples; return True if there was anything new."""
        had = len(self.rows)
        if list(samples[:had]) != self.rows:
            self.beginResetModel()
            self.rows = list(samples)
            self._longest = max((text for _, text in samples), key=len, default="")
            self.endResetModel()
        elif len(samples) > had:
            self.beginInsertRows(QModelIndex(), had, len(samples) - 1)
            self.rows.extend(samples[had:])
            self._longest = max((self._longest, *(text for _, text in samples[had:])), key=len)
            self.endInsertRows()
        else:
            return False
        return True

    def rowCount(self, parent: Index | None = None) -> int:
        """Return the number of samples."""
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a sample, also as text for tool tips and screen readers."""
        step, text = self.rows[index.row()]
        if role == SAMPLE:
            return step, text
        if role == LONGEST:
            return self._longest
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(tr("step {step}", step=number_text(step)) + "\n" + text)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return tr("step {step}: {written}", step=number_text(step), written=text)
        return None


class _SampleDelegate(QStyledItemDelegate):
    """The delegate that paints a sample: a bar in the run's colour, the step, and the text in one to three lines."""

    _token_font, _step_font, _tokens, _steps = Font(tokens=True), Font("note"), Metrics(tokens=True), Metrics("note")

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self.colour = themes.now.runs[0]
        self._view = view
        self._broken: dict[tuple[str, int], list[str]] = {}
        themes.changed.connect(self._resize_type)

    def _resize_type(self) -> None:
        """Break all lines again for another size of the type."""
        self._broken.clear()
        self._view.scheduleDelayedItemsLayout()

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of the lines of the longest sample."""
        width = self._view.viewport().width()
        lines = self._lines(index.data(LONGEST), width - self._left(index))
        return QSize(
            1, math.ceil(len(lines) * self._tokens.lineSpacing()) + 8
        )  # a row is as wide as the view, if not wider

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one sample."""
        step, text = index.data(SAMPLE)
        theme, rect = themes.now, QRect(option.rect)
        state = option.state
        left = self._left(index)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(QColor(theme.field if selected else theme.card))
            painter.setBrush(QColor(theme.card))
            painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.colour))
        painter.drawRoundedRect(QRectF(rect.left() + 3, rect.top() + 4, 3, rect.height() - 8), 1.5, 1.5)
        base = rect.top() + 4 + self._tokens.ascent()
        painter.setFont(self._step_font)
        painter.setPen(QColor(theme.dim))
        label = number_text(step)
        painter.drawText(QPointF(rect.left() + left - 10 - self._steps.horizontalAdvance(label), base), label)
        painter.setFont(self._token_font)
        painter.setPen(QColor(theme.text))
        for number, line in enumerate(self._lines(text, rect.width() - left)):
            painter.drawText(QPointF(rect.left() + left, base + number * self._tokens.lineSpacing()), line)
        painter.restore()

    def _left(self, index: Index) -> int:
        """Return the left edge of the text: after the longest step, which is the newest."""
        newest, _text = index.model().index(index.model().rowCount() - 1, 0).data(SAMPLE)
        return 22 + math.ceil(max(self._steps.horizontalAdvance(text) for text in ("0,000", number_text(newest))))

    def _lines(self, text: str, width: int) -> list[str]:
        """Return the text in lines of a width in pixels, the last one with an ellipsis if there is more."""
        known = self._broken.get((text, width))
        if known is None:
            if len(self._broken) >= CACHED:
                del self._broken[next(iter(self._broken))]  # the oldest
            known = self._broken[text, width] = self._break(text, width - 6)
        return known

    def _break(self, text: str, width: int) -> list[str]:
        shown = "".join(" " if sign == " " else glyphs(sign) for sign in text[:LETTERS])
        layout = QTextLayout(shown, self._token_font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        starts: list[int] = []
        while len(starts) <= LINES:
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(max(40, width))
            starts.append(line.textStart())
        layout.endLayout()
        lines = [shown[start:end] for start, end in zip(starts, [*starts[1:], len(shown)], strict=True)]
        if len(lines) > LINES:
            rest = "".join(lines[LINES - 1 :])
            lines[LINES - 1 :] = [self._tokens.elidedText(rest, Qt.TextElideMode.ElideRight, max(40, width))]
        return lines or [""]
