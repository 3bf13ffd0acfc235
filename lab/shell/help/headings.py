"""The right column of the help: the headings of the page."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from lab.shell.help.library import anchor_of
from lab.widgets.core.controls import label, plain_tip
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import interface_font

WIDTH, ROW = 190, 24
"""Width of the column and height of a heading's row, in pixels."""
FEW = 3
"""Most headings of a page without this column."""
INDENT = "   "
"""The prefix of a heading for each level below the second one."""

_GROUP = re.compile(r"^[\w.]+\.(?=\w+ = )")  # the group of a setting: all settings of a page have the same


class HeadingList(QWidget):
    """The headings of a page, hidden if these are few. Signal: `heading_selected` (the anchor of a heading)."""

    heading_selected = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setFixedWidth(WIDTH)
        self.list = QListWidget()
        self.list.setProperty("role", "view")
        self.list.setAccessibleName(tr("On this page"))
        self.list.setFont(interface_font("note"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.itemClicked.connect(self._select)
        self.list.itemActivated.connect(self._select)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 4, 0, 0)
        rows.addWidget(label(tr("On this page"), "note"))
        rows.addWidget(self.list, 1)
        self.hide()

    def show_headings(self, headings: Sequence[tuple[int, str]]) -> None:
        """Show the headings of another page.

        Args:
            headings: Level and text of each; 2 is the highest level.
        """
        self.list.clear()
        for level, text in headings:
            item = QListWidgetItem(INDENT * (level - 2) + _GROUP.sub("", text))
            item.setData(Qt.ItemDataRole.UserRole, anchor_of(text))
            item.setToolTip(plain_tip(text))
            item.setSizeHint(QSize(0, ROW))
            self.list.addItem(item)
        self.setVisible(len(headings) > FEW)

    def _select(self, item: QListWidgetItem) -> None:
        self.heading_selected.emit(item.data(Qt.ItemDataRole.UserRole))
