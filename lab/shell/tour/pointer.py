"""The panel of a stop of the tour, with an arrow at a widget, and the frame around that widget."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from lab.shell.runtime.geometry import Box
from lab.shell.tour.model import Placement, Side, placement
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import INSIDE, px, themes

ARROW, RADIUS = 10, 10
"""The length of the arrow, which is also the space around the panel, and the radius of its corners, in pixels."""
WIDTH = 340
"""The width of the panel in pixels, at a size of the type of 100 percent."""


class Pointer(Overlay):
    """A small panel that explains one part of the window. It does not block the window.

    Args:
        window: The window.
    """

    next_clicked = Signal()
    back_clicked = Signal()
    skipped = Signal()
    """The user ended the tour with Skip or Esc."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window, tr("Tour"))
        self.setProperty("role", "pointer")
        self._placement = Placement(0, 0, "", 0)
        self._target: Box | None = None
        self._title, self._text = label("", "title"), label()
        self._count = label("", "dim")
        for each in (self._title, self._text):
            each.setWordWrap(True)
        self.skip = Button(tr("Skip"), hint=tr("End the tour (Esc)"))
        self.back = Button(tr("Back"), hint=tr("Show the pointer before"), role="")
        self.next = Button(tr("Next"), hint=tr("Show the next pointer"), role="primary")
        self.skip.clicked.connect(self.skipped)
        self.back.clicked.connect(self.back_clicked)
        self.next.clicked.connect(self.next_clicked)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self._count, 1)
        for button in (self.skip, self.back, self.next):
            foot.addWidget(button)
        rows = QVBoxLayout(self)
        edge = ARROW + INSIDE
        rows.setContentsMargins(edge, edge, edge, edge)
        rows.setSpacing(6)
        rows.addWidget(self._title)
        rows.addWidget(self._text)
        rows.addSpacing(4)
        rows.addLayout(foot)

    def show_stop(self, title: str, text: str, index: int, count: int) -> None:
        """Show a stop, and give "Next" the focus.

        Args:
            title: Its title.
            text: What the part of the window does.
            index: Its number, counted from 0.
            count: The number of stops.
        """
        position = tr("{index} of {count}", index=index + 1, count=count)
        self._count.setText(position)
        self.back.setEnabled(index > 0)
        is_last = index == count - 1
        hint = tr("End the tour") if is_last else tr("Show the next pointer")
        self.next.set_face(tr("Done") if is_last else tr("Next"), "", hint)
        self.setAccessibleName(tr("Tour, {position}", position=position))
        self.show_text(title, text)
        self.show_over(self.next)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.next.accessibleDescription()))

    def show_text(self, title: str, text: str) -> None:
        """Show another title and text at the same stop; the focus stays where it is."""
        self._title.setText(title)
        self._text.setText(text)
        self.setAccessibleDescription(f"{title}. {text}")
        position = self._count.text()
        self.next.setAccessibleDescription(
            tr("Tour, {position}. {title}. {text}", position=position, title=title, text=text)
        )

    def point_at(self, target: Box | None) -> None:
        """Stand beside a widget in the window; None if it is not visible."""
        self._target = target
        self.place()

    def place(self) -> None:
        """Stand beside the widget, or at the bottom of the window if there is none."""
        width, layout = px(WIDTH) + 2 * ARROW, self.layout()
        assert layout is not None
        height = max(layout.totalHeightForWidth(width), layout.totalMinimumSize().height())
        size = self._window.width(), self._window.height()
        found = placement(self._target, width, height, size, ARROW + RADIUS + ARROW)
        geometry = QRect(found.left, found.top, width, height)
        if (found, geometry) != (self._placement, self.geometry()):
            self._placement = found
            self.setGeometry(geometry)
            self.update()

    @property
    def side(self) -> Side:
        """The side of the widget on which the panel stands; "" without an arrow."""
        return self._placement.side

    def escaped(self) -> None:
        """End the tour on Esc."""
        self.skipped.emit()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Let Tab leave the panel, since the window can be used beside it."""
        return QFrame.focusNextPrevChild(self, forward)

    def sizeHint(self) -> QSize:
        """Return the size at which all text is shown."""
        return self.size()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the panel with its arrow."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        body = QPainterPath()
        body.addRoundedRect(QRectF(self.rect()).adjusted(ARROW, ARROW, -ARROW, -ARROW), RADIUS, RADIUS)
        tip, width, height = self._placement.tip, self.width(), self.height()
        corners = {
            "below": [(tip - ARROW, ARROW + 1), (tip, 1), (tip + ARROW, ARROW + 1)],
            "above": [(tip - ARROW, height - ARROW - 1), (tip, height - 1), (tip + ARROW, height - ARROW - 1)],
            "right": [(ARROW + 1, tip - ARROW), (1, tip), (ARROW + 1, tip + ARROW)],
            "left": [(width - ARROW - 1, tip - ARROW), (width - 1, tip), (width - ARROW - 1, tip + ARROW)],
        }.get(self._placement.side, [])
        arrow = QPainterPath()
        arrow.addPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
        painter.setPen(QPen(QColor(themes.now.accent), 1))
        painter.setBrush(QColor(themes.now.card))
        painter.drawPath(body.united(arrow))
        painter.end()


class TargetFrame(QWidget):
    """A line around the widget that the tour points at; it takes no clicks.

    Args:
        window: The window.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setProperty("floats", True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def show_around(self, target: Box | None) -> None:
        """Stand around a widget in the window; None hides the line."""
        if target is None:
            self.hide()
            return
        self.setGeometry(target.left - 2, target.top - 2, target.width + 4, target.height + 4)
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the line."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(themes.now.accent), 2))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), RADIUS, RADIUS)
        painter.end()
