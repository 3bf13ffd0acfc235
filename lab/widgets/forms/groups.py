"""Groups of settings: a head that opens and closes one, sums up its values and counts settings that differ."""

from __future__ import annotations

from pydantic import BaseModel
from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFont, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from lab.api import Setting
from lab.widgets.core.controls import plain_tip
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import tr_n
from lab.widgets.core.icons import paint_icon
from lab.widgets.core.theme import ROW, control_height, interface_font, mixed, themes

INDENT = 8
"""Indentation of the contents of a group in pixels."""


class Section(QWidget):
    """A heading that opens and closes the widgets below it; closed at first.

    Args:
        title: The title.
        help: A description, for the tool tip.
        strong: Whether it is a heading of groups, not a group.

    Attributes:
        head: The heading.
        rows: The layout of the widgets below it, for whoever fills it when it opens.
    """

    toggled = Signal(bool)
    """The user opened or closed it, or a program with `set_open`."""

    def __init__(self, title: str, help: str = "", *, strong: bool = False) -> None:  # noqa: A002 - as in setting(help=…)
        super().__init__()
        self.head = GroupHead(title, help, strong=strong)
        self.head.setChecked(False)
        self.head.toggled.connect(self._toggle)
        self.head.installEventFilter(self)
        self._inside = QWidget()
        self._inside.hide()
        self.rows = QVBoxLayout(self._inside)
        self.rows.setContentsMargins(0 if strong else INDENT, 0, 0, 4)
        self.rows.setSpacing(0)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.head)
        outer.addWidget(self._inside)

    @property
    def is_open(self) -> bool:
        """True if the widgets below the heading are shown."""
        return self.head.isChecked()

    def set_open(self, is_open: bool) -> None:
        """Open or close it."""
        self.head.setChecked(is_open)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Claim the space bar, which opens and closes the section."""
        early = event.type() == QEvent.Type.ShortcutOverride
        if early and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Space:
            event.accept()
            return True
        return super().eventFilter(watched, event)

    def _toggle(self, is_open: bool) -> None:
        self.toggled.emit(is_open)  # first, so that the rows are there when they are shown
        self._inside.setVisible(is_open)


class Group(Section):
    """A nested config: its head, and below it the knobs of its settings; open at first.

    Args:
        setting: The group or union.

    Attributes:
        own: The layout of the row that selects whether or which config is used.
        rows: The layout of the rows of that config.
    """

    focused = Signal(object)

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting.title, setting.help)
        self.setting = setting
        self.config: type[BaseModel] | None = None
        inside, self.own, self.rows = self.rows, QVBoxLayout(), QVBoxLayout()
        for layout in (self.own, self.rows):
            layout.setSpacing(0)
            inside.addLayout(layout)
        self.set_open(True)

    def clear(self) -> None:
        """Remove the rows of a variant."""
        while (item := self.rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.setParent(None)
                widget.deleteLater()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Report the focus."""
        if isinstance(event, QFocusEvent):
            self.focused.emit(self.setting if event.type() == QEvent.Type.FocusIn else None)
        return super().eventFilter(watched, event)


class GroupHead(QAbstractButton):
    """The head of a group: a chevron, its title, a summary of its values, and the number of settings that differ.

    Args:
        title: The title.
        help: A description of the group, for the tool tip.
        strong: Whether it is a heading of groups, with a line above it.
    """

    def __init__(self, title: str, help: str, *, strong: bool = False) -> None:  # noqa: A002 - as in setting(help=…)
        super().__init__()
        self._count, self._summary, self._strong, self._help = "", "", strong, help
        self.setText(title)
        self.setAccessibleName(title)
        self._describe()
        self.setCheckable(True)
        self.setChecked(True)
        follow_type(self, lambda head: head.setFixedHeight(control_height(ROW)))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def sizeHint(self) -> QSize:
        """Return the size of chevron, title and count."""
        return QSize(120, control_height(ROW))

    def show_count(self, count: int) -> None:
        """Show the number of settings that differ from the preset."""
        self._count = tr_n("1 differs", "{n} differ", count) if count else ""
        self.setAccessibleName(", ".join(filter(None, (self.text(), self._count))))
        self._describe()
        self.update()

    def show_summary(self, summary: str) -> None:
        """Show a summary of the values in the group after its title."""
        self._summary = summary
        self._describe()
        self.update()

    @property
    def summary(self) -> str:
        """The summary after the title."""
        return self._summary

    def _describe(self) -> None:
        lines = [self.text(), self._help, self._summary, self._count]
        self.setToolTip(plain_tip("\n".join(filter(None, lines))))
        self.setAccessibleDescription(". ".join(filter(None, (self._help, self._summary))))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint chevron, title and count in one line."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = themes.now
        rect = QRectF(self.rect()).adjusted(0.5, 2.5, -0.5, -2.5)
        if self.underMouse() or self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 1) if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(mixed(theme.line, theme.panel, 0.5)))
            painter.drawRoundedRect(rect, 6, 6)
        chevron = QRectF(0, (self.height() - 14) / 2, 14, 14)
        paint_icon(painter, "down" if self.isChecked() else "right", chevron, theme.dim)
        note = interface_font("note")
        painter.setFont(note)
        painter.setPen(QColor(theme.dim))
        right = self.rect().adjusted(0, 0, -8, 0)
        painter.drawText(right, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self._count)
        taken = painter.fontMetrics().horizontalAdvance(self._count) + 12 if self._count else 8
        font = interface_font()
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(QColor(theme.text))
        left = self.rect().adjusted(18, 0, -taken, 0)
        title = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, left.width())
        painter.drawText(left, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, title)
        left.setLeft(left.left() + painter.fontMetrics().horizontalAdvance(title) + 8)
        painter.setFont(note)
        painter.setPen(QColor(theme.dim))
        summary = painter.fontMetrics().elidedText(self._summary, Qt.TextElideMode.ElideRight, max(0, left.width()))
        painter.drawText(left, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, summary)
        if self._strong:
            painter.setPen(QColor(theme.line))
            painter.drawLine(0, 0, self.width(), 0)
        painter.end()
