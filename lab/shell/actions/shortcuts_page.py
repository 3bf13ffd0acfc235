"""The page of all shortcuts, made from the registry of commands."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from lab.shell.actions.registry import Actions
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import INSIDE


class ShortcutsPage(Overlay):
    """A page with all commands that have a shortcut, by group.

    Args:
        actions: The commands of the window.
        window: The window over which it opens.
    """

    def __init__(self, actions: Actions, window: QWidget) -> None:
        super().__init__(window, tr("Shortcuts"))
        self._actions = actions
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setProperty("role", "view")  # it has the focus while the arrow keys scroll it
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setAccessibleName(tr("All shortcuts"))
        self._close = Button(hint=tr("Close"), icon_name="close")
        self._close.clicked.connect(self.shut)
        head = QHBoxLayout()
        head.addWidget(label(tr("Shortcuts"), "title"))
        head.addStretch(1)
        head.addWidget(self._close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(INSIDE, 8, 8, INSIDE)
        layout.addLayout(head)
        layout.addWidget(self._scroll, 1)

    @Slot()
    def toggle(self) -> None:
        """Open or close the page."""
        if not self.isHidden():
            self.shut()
            return
        self._page = self._rows()  # made again each time, since commands may have been added
        self._scroll.setWidget(self._page)
        self.show_over(self._close)

    def place(self) -> None:
        """Place it in the centre, large enough for its rows, but no larger than the window."""
        needed = self._page.sizeHint()
        width = min(max(360, needed.width() + 52), self._window.width() - 40)
        height = min(needed.height() + 68, self._window.height() - 40)
        left, top = (self._window.width() - width) // 2, (self._window.height() - height) // 2
        self.setGeometry(left, top, width, height)

    def _rows(self) -> QWidget:
        page = QWidget()
        grid = QGridLayout(page)
        grid.setContentsMargins(0, 0, 8, 0)
        grid.setHorizontalSpacing(32)
        grid.setVerticalSpacing(6)
        for group, actions in self._actions.groups().items():
            rows = [action.command for action in actions if action.command.shortcut]
            if not rows:
                continue
            if grid.rowCount() > 1:
                grid.setRowMinimumHeight(grid.rowCount(), 8)
            grid.addWidget(label(group.title, "note"), grid.rowCount(), 0)
            for command in rows:
                row = grid.rowCount()
                grid.addWidget(label(command.title), row, 0)
                grid.addWidget(label(command.shown_shortcut, "dim"), row, 1, Qt.AlignmentFlag.AlignRight)
        grid.setRowStretch(grid.rowCount(), 1)
        return page
