"""The likeliest next tokens, one row each: sign, bar and percentage, and the rest as one row."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFontMetrics, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from lab.widgets.core.controls import plain_tip
from lab.widgets.core.fonts import Font
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import localized, number_text, tr, tr_n
from lab.widgets.core.theme import px, themes
from lab.widgets.tokens.surprisal import surprisal

HEIGHT = 22
"""Height of a row in pixels."""


def percent(share: float) -> str:
    """Return a probability as text: "46 %", "4.6 %", "<0.1 %"."""
    if share >= 0.0995:
        return f"{100 * share:.0f} %"
    return localized(f"{100 * share:.1f} %" if share >= 0.0005 else "<0.1 %" if share > 0 else "0 %")


class NextTokens(QWidget):
    """Rows of next tokens, as many as fit; the last row counts the others.

    A click or the return key on a row picks its token if it has its own text: a byte that is only part of a character
    has none.

    Args:
        colour: Colour of the bars, "#rrggbb"; "" for the theme's first colour of runs.
        parent: Its parent.
    """

    picked = Signal(str)
    """The text of the token that the user picked."""
    _font, _tokens, _note_font = Font(), Font(tokens=True), Font("note")

    def __init__(self, colour: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._colour = colour
        self._rows: list[tuple[str, str, float]] = []
        self._others: int | None = None
        self._note, self._drawn = "", -1
        self._under_mouse, self._current = -1, 0
        self._pickable = True
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("Next tokens"))
        themes.changed.connect(self.update)
        themes.changed.connect(self.updateGeometry)

    def set_colour(self, colour: str) -> None:
        """Draw the bars in another colour, "#rrggbb"."""
        self._colour = colour
        self.update()

    def show_tokens(
        self,
        rows: Sequence[tuple[str, str, float]],
        others: int | None = None,
        title_note: str = "",
        drawn: int | None = None,
        *,
        pickable: bool = True,
    ) -> None:
        """Show other tokens, without those of probability zero.

        Args:
            rows: (label, text, probability), likeliest first; the text is "" if the token has none of its own.
            others: The number of other tokens; None if it is unknown.
            title_note: A dim line above the rows; "" for none.
            drawn: Index of the row of the token that was drawn, which is marked; None for none.
            pickable: Whether a click on a row picks its token.
        """
        self._pickable = pickable
        possible = [index for index, row in enumerate(rows) if row[2] > 0]
        self._drawn = possible.index(drawn) if drawn in possible else -1
        self._rows, self._others, self._note = [rows[index] for index in possible], others, title_note
        self._current = max(0, min(self._current, len(self._rows) - 1))
        self.setAccessibleDescription(self._spoken())
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of all rows."""
        return QSize(280, px(HEIGHT) * (len(self._rows) + 1 + bool(self._note)))

    def minimumSizeHint(self) -> QSize:
        """Return the size of a few rows."""
        return QSize(140, px(HEIGHT) * 3)

    def _shown(self) -> list[tuple[str, str, float]]:
        """Return the rows that fit; one row is reserved for the others if there are any."""
        room = max(1, (self.height() - self._top()) // px(HEIGHT))
        if len(self._rows) <= room - bool(self._rest_of(len(self._rows))):
            return self._rows
        return self._rows[: max(1, room - 1)]

    def _rest_of(self, count: int) -> str:
        """Return the label of the row of the others after `count` rows; "" if there are none."""
        left = len(self._rows) - count
        share = percent(max(0.0, 1 - sum(probability for _label, _text, probability in self._rows[:count])))
        if self._others is not None:
            others = self._others + left
            return tr_n("1 other {share}", "{n} others {share}", others, share=share) if others else ""
        return tr("others {share}", share=share) if left or share not in ("0 %", "<0.1 %") else ""

    def _top(self) -> int:
        return px(HEIGHT) if self._note else 0

    def _row_at(self, y: float) -> int:
        row = int((y - self._top()) // px(HEIGHT))
        return row if 0 <= row < len(self._shown()) else -1

    def _rect(self, row: int) -> QRect:
        return QRect(0, self._top() + row * px(HEIGHT), self.width(), px(HEIGHT))

    def _describe(self, row: int) -> str:
        label, _, share = self._rows[row]
        bits = surprisal(share)
        text = tr(
            "{token} {share}, {bits} bits", token=glyphs(label), share=percent(share), bits=number_text(bits, ".1f")
        )
        return tr("{token}, drawn", token=text) if row == self._drawn else text

    def _spoken(self) -> str:
        """Return the text of all rows, for screen readers."""
        drawn = tr("drawn")
        rows = [
            f"{glyphs(label)} {percent(share)}{f' {drawn}' if row == self._drawn else ''}"
            for row, (label, _, share) in enumerate(self._rows)
        ]
        return ", ".join([*rows, self._rest_of(len(rows))] if self._rest_of(len(rows)) else rows)

    # --- drawing -----------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the rows."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, shown = themes.now, self._shown()
        middle = Qt.AlignmentFlag.AlignVCenter
        if self._note:
            painter.setFont(self._note_font)
            painter.setPen(QColor(theme.dim))
            note = QFontMetrics(self._note_font).elidedText(self._note, Qt.TextElideMode.ElideRight, self.width() - 12)
            painter.drawText(QRect(6, 0, self.width() - 12, px(HEIGHT)), middle, note)
        tokens = QFontMetrics(self._tokens)
        labels = [glyphs(label) for label, _text, _share in shown]
        widest = max((tokens.horizontalAdvance(label) for label in labels), default=0)
        left = 6 + min(max(24, widest), max(24, self.width() * 2 // 5)) + 8
        right = QFontMetrics(self._font).horizontalAdvance("<0.1 %") + 8
        for row, (name, (_label, text, share)) in enumerate(zip(labels, shown, strict=True)):
            rect = self._rect(row)
            self._paint_ground(painter, row, rect)
            if row == self._drawn:
                painter.fillRect(QRect(0, rect.top() + 4, 3, px(HEIGHT) - 8), QColor(theme.accent))
            painter.setPen(QColor(theme.text if text else theme.dim))
            painter.setFont(self._tokens)
            elided = tokens.elidedText(name, Qt.TextElideMode.ElideRight, left - 14)
            painter.drawText(rect.adjusted(6, 0, 0, 0), middle, elided)
            painter.setPen(QColor(theme.text))
            painter.setFont(self._font)
            painter.drawText(rect.adjusted(0, 0, -6, 0), middle | Qt.AlignmentFlag.AlignRight, percent(share))
            bar = QRectF(left, rect.top() + 5, max(2.0, (self.width() - left - right - 6) * share), px(HEIGHT) - 10)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._colour or theme.runs[0]))
            painter.drawRoundedRect(bar, 2 if bar.width() > 4 else 0, 2)
        rest = self._rest_of(len(shown))
        if rest:
            painter.setFont(self._note_font)
            painter.setPen(QColor(theme.dim))
            painter.drawText(self._rect(len(shown)).adjusted(6, 0, -6, 0), middle | Qt.AlignmentFlag.AlignLeft, rest)
        painter.end()

    def _paint_ground(self, painter: QPainter, row: int, rect: QRect) -> None:
        focused = row == self._current and self.hasFocus()
        if not focused and row != self._under_mouse:
            return
        painter.setPen(QColor(themes.now.accent) if focused else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(themes.now.line if row == self._under_mouse else themes.now.card))
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)

    # --- input -------------------------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the row under the mouse."""
        self._point_at(self._row_at(event.position().y()))

    def leaveEvent(self, _event: QEvent) -> None:
        """Highlight no row."""
        self._point_at(-1)

    def _point_at(self, row: int) -> None:
        if row != self._under_mouse:
            self._under_mouse = row
            can_be_picked = self._pickable and row >= 0 and self._rows[row][1]
            self.setCursor(Qt.CursorShape.PointingHandCursor if can_be_picked else Qt.CursorShape.ArrowCursor)
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pick the row under the mouse."""
        row = self._row_at(event.position().y())
        if event.button() == Qt.MouseButton.LeftButton and row >= 0:
            self._go_to(row)
            self._choose(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move between rows by Up and Down, pick by Return."""
        last = len(self._shown()) - 1
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_Home: -last, Qt.Key.Key_End: last}
        key = Qt.Key(event.key())
        if key in steps and last >= 0:
            self._go_to(min(last, max(0, self._current + steps[key])))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and 0 <= self._current <= last:
            self._choose(self._current)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, _event: QFocusEvent) -> None:
        """Highlight the current row, and describe all rows to a screen reader."""
        self.setAccessibleDescription(self._spoken())
        self.update()

    def focusOutEvent(self, _event: QFocusEvent) -> None:
        """Highlight no row."""
        self.update()

    def _choose(self, row: int) -> None:
        text = self._rows[row][1]
        if text and self._pickable:
            self.picked.emit(text)

    def _go_to(self, row: int) -> None:
        self._current = row
        self.setAccessibleDescription(self._describe(row))
        self.update()

    def event(self, event: QEvent) -> bool:
        """Describe the row under the mouse in a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            row = self._row_at(event.y())
            QToolTip.showText(event.globalPos(), plain_tip(self._describe(row)) if row >= 0 else "", self)
            return True
        return super().event(event)
