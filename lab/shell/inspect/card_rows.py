"""Cards in as many rows as their widths need, each row with movable borders; many rows scroll."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from lab.widgets.core.splitter import Splitter
from lab.widgets.core.theme import BETWEEN

LEAST = 168
"""Pixels of the height of a row, at least."""


class CardRows(QScrollArea):
    """Rows of cards below each other. A card that is hidden keeps its position and width.

    Attributes:
        rows: The rows, from top to bottom; the first one is always there.
    """

    wrapped = Signal()
    """Cards went to other rows since the width changed."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumHeight(LEAST)
        self._cards: dict[Hashable, QWidget] = {}
        self._shown: set[Hashable] = set()
        self._alone: Hashable | None = None  # the key of the only card that is seen; None while all are
        self._sizes_of_all: list[list[int]] = []  # the widths in each row while all are seen
        self._shares: dict[Hashable, int] = {}  # pixels of the widths that the user has set
        content = QWidget()
        self._stack = QVBoxLayout(content)
        self._stack.setContentsMargins(0, 0, 0, 0)
        self._stack.setSpacing(BETWEEN)
        self.setWidget(content)
        self._wrap_soon = QTimer(self, singleShot=True, interval=0)
        self._wrap_soon.timeout.connect(self._wrap_again)
        self.rows: list[Splitter] = []
        self._add_row()

    def set_cards(self, cards: Mapping[Any, QWidget], shown: Collection[Any]) -> bool:
        """Put cards into rows in this order; others must have been deleted.

        Args:
            cards: All cards by key.
            shown: The keys of those that are shown; the others are hidden and take no width.

        Returns:
            True if a card was added or moved.
        """
        self._cards, self._shown = dict(cards), set(shown)
        return self._wrap()

    def show_alone(self, key: Any) -> None:
        """Show one of the cards only, where it stands; None shows all again, as wide as they were."""
        if key == self._alone:
            return
        if self._alone is None:
            self._sizes_of_all = [row.sizes() for row in self.rows]
        self._alone = key
        for each, card in self._cards.items():
            card.setVisible(self._is_seen(each))
        self._show_rows()
        if key is None and [len(sizes) for sizes in self._sizes_of_all] == [row.count() for row in self.rows]:
            for row, sizes in zip(self.rows, self._sizes_of_all, strict=True):
                row.setSizes(sizes)
        elif key is None:
            self.share_width()

    def _is_seen(self, key: Hashable) -> bool:
        return key in self._shown and self._alone in (None, key)

    def _show_rows(self) -> None:
        for row in self.rows:
            row.setVisible(self._alone is None or self._alone in self._keys_in(row))

    def share_width(self) -> None:
        """Give each card the width that the user has set, or the mean of these."""
        known = [self._shares[key] for key in self._cards if key in self._shares]
        for row in self.rows:
            each = round(sum(known) / len(known)) if known else max(1, row.width())
            row.setSizes([self._shares.get(key, each) for key in self._keys_in(row)])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the cards into as many rows as the new width needs.

        Later: a splitter deletes the handle of a card that leaves it, and Qt may be in a list of all widgets, as while
        it changes their style.
        """
        super().resizeEvent(event)
        self._wrap_soon.start()

    def _wrap_again(self) -> None:
        if self._wrap():
            self.share_width()
            self.wrapped.emit()

    def _wrap(self) -> bool:
        """Put the cards into rows. Return True if one was added or moved."""
        widths = [card.minimumSizeHint().width() if key in self._shown else 0 for key, card in self._cards.items()]
        wanted = rows_of(widths, self.viewport().width(), BETWEEN)
        while len(self.rows) < len(wanted):
            self._add_row()
        moved, cards = False, list(self._cards.items())
        for row, numbers in zip(self.rows, wanted, strict=False):
            for index, number in enumerate(numbers):
                key, card = cards[number]
                if row.widget(index) is not card:
                    row.insertWidget(index, card)
                    moved = True
                card.setVisible(self._is_seen(key))  # only in a row: one without a parent would become a window
        for row in self.rows[max(1, len(wanted)) :]:
            row.hide()
            self._stack.removeWidget(row)
            row.deleteLater()
        del self.rows[max(1, len(wanted)) :]
        if self._alone is not None:
            self._show_rows()
        return moved

    def _add_row(self) -> None:
        row = _Row(Qt.Orientation.Horizontal)
        row.splitterMoved.connect(self._remember_shares)
        self._stack.addWidget(row, 1)
        self.rows.append(row)

    def _keys_in(self, row: Splitter) -> list[Hashable]:
        found = {card: key for key, card in self._cards.items()}
        return [found[card] for card in map(row.widget, range(row.count())) if card in found]

    def _remember_shares(self) -> None:
        for row in self.rows:
            sizes = zip(self._keys_in(row), row.sizes(), strict=False)
            self._shares |= {key: size for key, size in sizes if size}


class _Row(Splitter):
    """A row of cards, which is as high as the card that asks for most by its minimum height."""

    def minimumSizeHint(self) -> QSize:
        """Return the least width of the cards, and the height that they ask for, LEAST pixels at least."""
        cards = (self.widget(index) for index in range(self.count()))
        heights = [card.minimumHeight() for card in cards if card is not None and not card.isHidden()]
        return QSize(super().minimumSizeHint().width(), max(LEAST, *heights) if heights else LEAST)


def rows_of(widths: Sequence[int], width: int, apart: int) -> list[list[int]]:
    """Return the numbers of the cards in each row.

    Args:
        widths: The least width of each card in pixels; 0 for one that is hidden, which follows the one before it.
        width: The width of a row.
        apart: The width between two cards.
    """
    rows: list[list[int]] = [[]]
    used = 0
    for number, least in enumerate(widths):
        if least and used and used + apart + least > width:
            rows.append([])
            used = 0
        rows[-1].append(number)
        used += least + (apart if used and least else 0)
    return rows
