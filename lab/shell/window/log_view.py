"""The log: every notice with its time, level, plugin and message, and with a trace that can be unfolded."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QStackedLayout,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from lab.base.notices import Notice
from lab.shell.window.notices_view import clock, level_icon, level_name
from lab.widgets.core.controls import Button, label, plain_tip
from lab.widgets.core.i18n import tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.splitter import DockBorder
from lab.widgets.core.theme import INSIDE, themes, token_font
from lab.widgets.figures.table_head import TableHead

MOST = 1000
"""Most notices in the log."""
FULL_TEXT = Qt.ItemDataRole.UserRole
"""Role of the complete text of a notice, for the clipboard."""


class LogView(QFrame):
    """The list of all notices, the newest last.

    Args:
        parent: Its parent.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setAccessibleName(tr("Log"))
        self._notices: list[Notice] = []
        self.border = DockBorder()
        self.tree = QTreeWidget()
        self.tree.setHeader(TableHead(self.tree))
        self.tree.setAccessibleName(tr("All notices"))
        self.tree.setHeaderLabels([tr("Time"), tr("Level"), tr("Plugin"), tr("Message")])
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.tree.setIndentation(16)
        header = self.tree.header()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionsMovable(False)
        header.setStretchLastSection(True)
        for column, width in enumerate((92, 92, 120)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(column, width)
        self._nothing = label(tr("There are no notices yet."), "dim")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedLayout()
        self.copy_button = Button(tr("Copy"), hint=tr("Copy the selected notices, or all of them, with their traces"))
        self.copy_button.clicked.connect(self._copy)
        self.clear_button = Button(tr("Clear"), hint=tr("Empty the log"))
        self.clear_button.clicked.connect(self.clear)
        head = QHBoxLayout()
        head.addWidget(label(tr("Log"), "title"))
        head.addStretch(1)
        head.addWidget(self.copy_button)
        head.addWidget(self.clear_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(INSIDE, 0, 8, 6)
        layout.setSpacing(4)
        layout.addWidget(self.border)
        layout.addLayout(head)
        layout.addLayout(self._pages, 1)
        self._pages.addWidget(self._nothing)  # not earlier: a layout without a parent would show it as a window
        self._pages.addWidget(self.tree)
        themes.changed.connect(self._draw_icons)
        self._show_state()

    def sizeHint(self) -> QSize:
        """Return a height of a few lines, since the log opens below the places."""
        return QSize(600, 168)

    @Slot(object)
    def add(self, notice: Notice) -> None:
        """Add a notice, and remove the oldest one if there are too many."""
        bar = self.tree.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - 2
        problem = notice.problem
        item = QTreeWidgetItem([clock(notice), level_name(notice.level), problem.plugin or "", problem_line(problem)])
        item.setIcon(1, level_icon(notice.level))
        item.setToolTip(3, plain_tip(problem_line(problem)))
        line = "  ".join(filter(None, (clock(notice), level_name(notice.level), problem_line(problem))))
        item.setData(0, FULL_TEXT, f"{line}\n{problem.trace}".rstrip() if problem.trace else line)
        if problem.trace:
            trace = QTreeWidgetItem([problem.trace.rstrip()])
            trace.setFont(0, token_font("note"))
            trace.setFlags(Qt.ItemFlag.ItemIsEnabled)
            item.addChild(trace)
        self.tree.addTopLevelItem(item)
        if problem.trace:
            item.child(0).setFirstColumnSpanned(True)
        self._notices.append(notice)
        if len(self._notices) > MOST:
            self._notices.pop(0)
            self.tree.takeTopLevelItem(0)
        if at_end:
            self.tree.scrollToItem(item)
        if len(self._notices) == 1:
            self._show_state()

    @Slot(object)
    def show_notice(self, notice: Notice) -> None:
        """Select a notice, unfold its trace and scroll to it."""
        for row in reversed(range(len(self._notices))):
            if self._notices[row] == notice:
                item = self.tree.topLevelItem(row)
                if item is not None:
                    item.setExpanded(True)
                    self.tree.setCurrentItem(item)
                    self.tree.scrollToItem(item, QAbstractItemView.ScrollHint.PositionAtTop)
                return

    @Slot()
    def clear(self) -> None:
        """Empty the log."""
        self._notices.clear()
        self.tree.clear()
        self._show_state()

    @Slot()
    def _copy(self) -> None:
        rows = [self.tree.topLevelItem(row) for row in range(self.tree.topLevelItemCount())]
        selected = [item for item in rows if item is not None and item.isSelected()]
        lines = [str(item.data(0, FULL_TEXT)) for item in selected or rows if item is not None]
        QGuiApplication.clipboard().setText("\n".join(lines))

    @Slot()
    def _draw_icons(self) -> None:
        for row, notice in enumerate(self._notices):
            item = self.tree.topLevelItem(row)
            if item is not None:
                item.setIcon(1, level_icon(notice.level))

    def _show_state(self) -> None:
        some = bool(self._notices)
        self._pages.setCurrentWidget(self.tree if some else self._nothing)
        self.copy_button.setEnabled(some)
        self.clear_button.setEnabled(some)
