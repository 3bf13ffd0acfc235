"""The choice of a card from a list with headings, where each card has one line that describes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from lab.widgets.core.controls import ChoiceBox, plain_tip
from lab.widgets.core.theme import interface_font, themes

WIDTH = 420
"""Width of the list in pixels, on a screen that has space for it."""
CARD, HEADING = 42, 26
"""Heights of the row of a card and of a heading in pixels."""
MOST = 12
"""Most rows of the list that are visible at once, so that it fits a small screen."""
NAME, SUMMARY, REASON = (Qt.ItemDataRole.UserRole + number for number in range(3))


class CardLine(NamedTuple):
    """A card in the list.

    Args:
        name: Its name in a recipe.
        title: Its title.
        summary: One line about it.
    """

    name: str
    title: str
    summary: str


class CardBox(ChoiceBox):
    """A field with the title of the selected card, and a list of all cards in groups.

    Args:
        parent: Its parent.

    Attributes:
        reasons: Returns why a card cannot be selected, by its name; called when the list is opened.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._offered: list[tuple[str, list[CardLine]]] = []
        self.reasons: Callable[[], Mapping[str, str]] = dict
        self.setModel(QStandardItemModel(self))
        self.setMaxVisibleItems(MOST)
        self.setStyleSheet("QComboBox { combobox-popup: 0; }")  # a list below the field, no taller than that

    def offer(self, groups: Sequence[tuple[str, Sequence[CardLine]]]) -> None:
        """Offer other cards.

        Args:
            groups: The heading of each group, and its cards in order.
        """
        given = [(heading, list(lines)) for heading, lines in groups if lines]
        if given == self._offered:
            return
        self._offered = given
        model = QStandardItemModel(self)
        for heading, lines in given:
            if heading:
                item = QStandardItem(heading)
                item.setFlags(Qt.ItemFlag.NoItemFlags)
                model.appendRow(item)
            for line in lines:
                item = QStandardItem(line.title)
                item.setData(line.name, NAME)
                item.setData(line.summary, SUMMARY)
                item.setData(plain_tip(line.summary), Qt.ItemDataRole.ToolTipRole)
                item.setData(f"{line.title}: {line.summary}", Qt.ItemDataRole.AccessibleTextRole)
                model.appendRow(item)
        with QSignalBlocker(self):
            self.setModel(model)  # Qt deletes the model before it

    def select(self, name: str) -> None:
        """Select a card without emitting anything; none if it is not offered."""
        with QSignalBlocker(self):
            self.setCurrentIndex(self.findData(name, NAME))
        self.setToolTip(self._hint)

    def showPopup(self) -> None:
        """Open the list, wide enough for the descriptions."""
        view = self.view()
        if not isinstance(view.itemDelegate(), _CardRow):
            view.setItemDelegate(_CardRow(view))
        self._refuse()
        room = self.screen().availableGeometry().width() - 40
        view.setMinimumWidth(min(WIDTH, room))
        super().showPopup()
        popup = view.window()
        right = min(self.mapToGlobal(self.rect().topRight()).x(), self.screen().availableGeometry().right())
        popup.move(max(right - popup.width() + 1, self.screen().availableGeometry().left()), popup.y())

    def _refuse(self) -> None:
        """Disable the cards that cannot be selected; the reason replaces their description."""
        reasons, model = self.reasons(), self.model()
        assert isinstance(model, QStandardItemModel)
        for number in range(model.rowCount()):
            item = model.item(number)
            if item.data(NAME) is not None:
                reason = reasons.get(item.data(NAME), "")
                item.setEnabled(not reason)
                item.setData(reason, REASON)
                shown = reason or item.data(SUMMARY)
                item.setData(plain_tip(shown), Qt.ItemDataRole.ToolTipRole)
                item.setData(f"{item.text()}: {shown}", Qt.ItemDataRole.AccessibleTextRole)


class _CardRow(QStyledItemDelegate):
    """A delegate that paints a heading, or the title of a card above its description."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint one row."""
        theme, rect = themes.now, QRect(option.rect)
        name = index.data(NAME)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(option.state & QStyle.StateFlag.State_Selected) and name is not None
        if selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent))
            painter.drawRoundedRect(rect.adjusted(2, 1, -2, -1), 6, 6)
        inside = rect.adjusted(10, 4, -10, -4)
        note = interface_font("note")
        if name is None:
            note.setWeight(QFont.Weight.DemiBold)
            painter.setFont(note)
            painter.setPen(QColor(theme.dim))
            painter.drawText(inside, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, str(index.data()))
            painter.restore()
            return
        upper, lower = QRect(inside), QRect(inside)
        upper.setHeight(inside.height() // 2 + 1)
        lower.setTop(upper.bottom())
        painter.setFont(interface_font())
        reason = index.data(REASON)
        painter.setPen(QColor(theme.on_accent if selected else theme.dim if reason else theme.text))
        painter.drawText(upper, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, str(index.data()))
        painter.setFont(note)
        painter.setPen(QColor(theme.on_accent if selected else theme.dim))
        text = painter.fontMetrics().elidedText(
            str(reason or index.data(SUMMARY)), Qt.TextElideMode.ElideRight, lower.width()
        )
        painter.drawText(lower, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the size of a heading or of a card."""
        del option
        return QSize(100, HEADING if index.data(NAME) is None else CARD)
