"""The pages in the middle of the window, of which only the shown one needs space."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget


class Pages(QStackedWidget):
    """Pages of which one is shown. Those that are not shown may be wider than the window."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(self.updateGeometry)

    def minimumSizeHint(self) -> QSize:
        """Return the least size of the shown page with the margins, in which notices are shown."""
        if self.count() == 0:
            return super().minimumSizeHint()
        page = self.currentWidget()
        return page.minimumSizeHint().expandedTo(page.minimumSize()).grownBy(self.contentsMargins())
