"""Generated text, token by token, each on the colour of its surprisal or of another quantity."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from lab.widgets.core.controls import plain_tip
from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.theme import Theme, mixed, themes
from lab.widgets.tokens.line_layout import PROMPT, Part, TokenLines
from lab.widgets.tokens.next_tokens import percent
from lab.widgets.tokens.surprisal import (
    SURPRISAL,
    WRITER,
    place_colour,
    quantity,
    surprisal,
    surprisal_colour,
    writer_colour,
)

FADED = 0.5
"""Opacity of a faded text."""
NO_TOKEN = -1
"""The number of no token."""


@functools.cache
def _faint(theme: Theme, ground: str) -> str:
    """Return the colour of signs of white space on a background."""
    return mixed(theme.text, ground, 0.4)


@dataclass(frozen=True)
class ShownToken:
    """A generated token.

    Args:
        label: Its label from the tokenizer.
        text: The text that it adds.
        probability: Its probability under the model.
        alternatives: (label, text, probability) of the likeliest tokens at this position, likeliest first.
        entropy: Of the model's distribution at this position, in bits.
        rank: Its place by the probability, 1 for the likeliest.
        is_typed: True if the user wrote it; it has no numbers then, and is drawn like the prompt.
        shade: The value of its colour on the scale of surprisal, in bits, negative ones in the second colour; None for
            its surprisal.
        note: What its tool tip says besides its probability.
        writer: The number of its writer, for the colour of that.
    """

    label: str
    text: str
    probability: float
    alternatives: tuple[tuple[str, str, float], ...]
    entropy: float = 0.0
    rank: int = 0
    is_typed: bool = False
    shade: float | None = None
    note: str = ""
    writer: int = 0


class TokenText(QAbstractScrollArea):
    """A prompt and the text generated after it.

    It stays at the end while text arrives, unless the user scrolled up. A click or the arrow keys select a token, and a
    tool tip shows its numbers. Text is marked by dragging and copied with the usual keys.
    """

    hovered = Signal(int)
    """The index of the token under the mouse, or -1."""
    selected = Signal(int)
    """The index of the token that the user selected, or -1."""
    _font, _metrics = Font(tokens=True), Metrics(tokens=True)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "view")
        self.setAccessibleName(tr("Generated text"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self._lines = TokenLines(self._measure_text)
        self._prompt, self._tokens, self._places = "", list[ShownToken](), list[float]()
        self._quantity = quantity(SURPRISAL)
        self._hovered = self._selected = NO_TOKEN
        self._from = self._to = 0  # the marked range, in characters
        self.faded = False
        self._pressed: Part | None = None  # the part under the last mouse press
        self._add_action(tr("Copy"), QKeySequence.StandardKey.Copy).triggered.connect(self._copy)
        self._add_action(tr("Select all"), QKeySequence.StandardKey.SelectAll).triggered.connect(self._mark_all)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        themes.changed.connect(self._resize_type)

    @property
    def _height(self) -> int:
        return int(self._metrics.height()) + 6

    def _measure_text(self, text: str) -> float:
        return self._metrics.horizontalAdvance(text)

    def _resize_type(self) -> None:
        """Measure and break everything again for another size of the type."""
        self._lines = TokenLines(self._measure_text)
        if self._prompt:
            self._lines.add(PROMPT, self._prompt)
        for number, token in enumerate(self._tokens):
            self._lines.add(number, token.text)
        self._flow()

    def clear(self, prompt: str) -> None:
        """Start again with a prompt."""
        self._prompt, self._tokens, self._places = prompt, [], []
        self._hovered = self._selected = NO_TOKEN
        self._from = self._to = 0
        self._lines.clear()
        if prompt:
            self._lines.add(PROMPT, prompt)
        self._flow()
        self._scroll_to_end()

    def add(self, tokens: Sequence[ShownToken]) -> None:
        """Append tokens."""
        at_end = self._is_at_end()
        dirty = self._top_of(self._lines.count - 1)
        for number, token in enumerate(tokens, start=len(self._tokens)):
            self._lines.add(number, token.text)
        self._tokens.extend(tokens)
        self._places.extend(map(self._place_of, tokens))
        self._measure()
        self.viewport().update(0, dirty, self.viewport().width(), max(0, self.viewport().height() - dirty))
        if at_end:
            self._scroll_to_end()

    def shade(self, shades: Sequence[float | None] | None, note: Callable[[float], str]) -> None:
        """Colour the tokens by values of their own, or by the quantity again.

        Args:
            shades: As of ShownToken; None for a token without a value, and those that are missing have none either.
                None colours all tokens by the quantity.
            note: Returns what the tool tip of a token with a value says.
        """
        given = [] if shades is None else list(shades)
        given += [None] * (len(self._tokens) - len(given))
        for at, value in enumerate(given[: len(self._tokens)]):
            shade = None if shades is None else value or 0.0
            self._tokens[at] = replace(self._tokens[at], shade=shade, note="" if value is None else note(value))
        self.viewport().update()

    def show_quantity(self, name: str) -> None:
        """Colour the tokens by another quantity."""
        self._quantity = quantity(name)
        self._places = list(map(self._place_of, self._tokens))
        self.viewport().update()

    def _place_of(self, token: ShownToken) -> float:
        """Return the place of a token on the scale of the quantity."""
        if token.is_typed:
            return 0.0
        return self._quantity.place(token.probability, token.entropy, token.rank)

    def fade(self, faded: bool) -> None:
        """Paint the text dimly, as one of a model that is not selected any more, or normally."""
        if faded != self.faded:
            self.faded = faded
            self.viewport().update()

    def choose_none(self) -> None:
        """Clear the selection."""
        self._choose(NO_TOKEN)

    def choose(self, token: int) -> None:
        """Select a token, and scroll to it."""
        self._choose(token)
        self._scroll_to(token)

    def text(self) -> str:
        """Return the prompt and the generated text."""
        return self._prompt + "".join(token.text for token in self._tokens)

    # --- lines -------------------------------------------------------------------------------------------------

    def _flow(self) -> None:
        """Break everything into lines."""
        self._lines.set_width(self.viewport().width() - self._metrics.horizontalAdvance("0"))
        self._measure()
        self.viewport().update()

    def _measure(self) -> None:
        page, bar = self.viewport().height(), self.verticalScrollBar()
        bar.setRange(0, max(0, self._lines.count * self._height - page))
        bar.setPageStep(page)
        bar.setSingleStep(self._height)

    def resizeEvent(self, _event: QResizeEvent) -> None:
        """Break the lines again, and keep the end or the first line visible."""
        bar, at_end = self.verticalScrollBar(), self._is_at_end()
        line = self._lines.line(min(bar.value() // self._height, self._lines.count - 1))
        first = line[0].start if line else 0
        self._flow()
        if at_end:
            self._scroll_to_end()
        else:
            bar.setValue(self._lines.line_at(first) * self._height)

    def _is_at_end(self) -> bool:
        return self.verticalScrollBar().value() >= self.verticalScrollBar().maximum() - self._height // 2

    def _scroll_to_end(self) -> None:
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def scrollContentsBy(self, across: int, down: int) -> None:
        """Scroll the painted pixels, so that only newly visible parts are painted."""
        self.viewport().scroll(across, down)

    def _top_of(self, line: int) -> int:
        return line * self._height - self.verticalScrollBar().value()

    def _part_at(self, point: QPoint) -> Part | None:
        number = (point.y() + self.verticalScrollBar().value()) // self._height
        line = self._lines.line(number) if 0 <= number < self._lines.count else []
        return next((part for part in line if part.x <= point.x() < part.x + part.width), None)

    def _token_at(self, point: QPoint) -> int:
        part = self._part_at(point)
        return part.token if part is not None else NO_TOKEN

    def _rects_of(self, token: int) -> list[QRectF]:
        """Return the rectangles of a token in the viewport, one in each of its lines."""
        rects = []
        for number in range(self._lines.line_of(token), self._lines.count):
            parts = [part for part in self._lines.line(number) if part.token == token]
            if not parts:
                break
            width = parts[-1].x + parts[-1].width - parts[0].x
            rects.append(QRectF(parts[0].x, self._top_of(number), width, self._height))
        return rects

    # --- drawing -----------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the visible lines."""
        painter, theme, area = QPainter(self.viewport()), themes.now, event.rect()
        painter.fillRect(area, QColor(theme.panel))
        painter.setFont(self._font)
        painter.setOpacity(FADED if self.faded else 1.0)
        above = self.verticalScrollBar().value()
        lines = range((area.top() + above) // self._height, (area.bottom() + above) // self._height + 1)
        for number in lines:
            if number < self._lines.count:
                self._paint_line(painter, self._lines.line(number), self._top_of(number))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for token, colour, width in ((self._hovered, theme.dim, 1), (self._selected, theme.text, 2)):
            if token != NO_TOKEN:
                painter.setPen(QPen(QColor(colour), width))
                inside = width / 2
                for rect in self._rects_of(token):
                    painter.drawRect(rect.adjusted(inside, 1 + inside, -inside, -1 - inside))
        painter.end()

    def _paint_line(self, painter: QPainter, line: list[Part], top: int) -> None:
        theme, base = themes.now, top + 3 + self._metrics.ascent()
        for part in line:
            marked = self._is_marked(part)
            if marked or not self._is_given(part):
                ground = QColor(theme.accent if marked else self._ground(part.token))
                painter.fillRect(QRectF(part.x, top + 1, part.width, self._height - 2), ground)

        def draw(x: float, caption: str, ink: str) -> None:
            if ink:
                painter.setPen(QColor(ink))
                painter.drawText(QPointF(x, base), caption)

        caption, start, ink = "", 0.0, ""
        for part in line:  # neighbouring letters of one colour are painted together
            other = self._ink(part)
            if other != ink:
                draw(start, caption, ink)
                start, caption, ink = part.x, "", other
            caption += part.shown
        draw(start, caption, ink)

    def _ink(self, part: Part) -> str:
        """Return the colour of a part's letters; "" if it has none."""
        theme = themes.now
        if self._is_given(part):
            return "" if part.mark else theme.on_accent if self._is_marked(part) else theme.dim
        if self._is_marked(part):
            return theme.on_accent
        if not part.mark:
            return theme.text
        return _faint(theme, self._ground(part.token))

    def _ground(self, token: int) -> str:
        if self._quantity.name == WRITER:
            return writer_colour(self._tokens[token].writer)
        shade = self._tokens[token].shade
        return place_colour(self._places[token]) if shade is None else surprisal_colour(shade)

    def _is_given(self, part: Part) -> bool:
        """Return True if the user wrote a part: the prompt, or what was typed into the text."""
        return part.token == PROMPT or self._tokens[part.token].is_typed

    def _is_marked(self, part: Part) -> bool:
        return part.start < self._to and part.start + part.length > self._from

    # --- input -------------------------------------------------------------------------------------------------

    def _add_action(self, caption: str, keys: QKeySequence.StandardKey) -> QAction:
        action = QAction(caption, self)
        action.setShortcut(QKeySequence(keys))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.addAction(action)
        return action

    def _copy(self) -> None:
        if self._to > self._from:
            QGuiApplication.clipboard().setText(self.text()[self._from : self._to])

    def _mark_all(self) -> None:
        self._mark(0, self._lines.length)

    def _mark(self, start: int, end: int) -> None:
        if (start, end) != (self._from, self._to):
            self._from, self._to = start, end
            self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start marking text, or select a token."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = self._part_at(event.position().toPoint())
            self._mark(0, 0)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Mark text while the button is down, and highlight the token under the mouse."""
        part = self._part_at(event.position().toPoint())
        dragged = event.buttons() & Qt.MouseButton.LeftButton and (self._to or part != self._pressed)
        if dragged and part is not None and self._pressed is not None:
            first, last = sorted((self._pressed, part), key=lambda one: one.start)
            self._mark(first.start, last.start + last.length)
        self._point_at(part.token if part is not None else NO_TOKEN)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select the token under the mouse, unless text was marked."""
        if event.button() == Qt.MouseButton.LeftButton and not self._to:
            self._choose(self._token_at(event.position().toPoint()))

    def viewportEvent(self, event: QEvent) -> bool:
        """Describe the token under the mouse in a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            token = self._token_at(event.pos())
            caption = plain_tip(self._describe(token)) if token != NO_TOKEN else ""
            QToolTip.showText(event.globalPos(), caption, self.viewport())
            return True
        if event.type() == QEvent.Type.Leave:
            self._point_at(NO_TOKEN)
        return super().viewportEvent(event)

    def event(self, event: QEvent) -> bool:
        """Claim Escape while a token is selected; otherwise it stops the window's current work."""
        escapes = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if escapes and event.type() == QEvent.Type.ShortcutOverride and self._selected != NO_TOKEN:
            event.accept()
            return True
        return super().event(event)

    def _point_at(self, token: int) -> None:
        if token != self._hovered:
            old, self._hovered = self._hovered, token
            self._update_tokens(old, token)
            self.hovered.emit(token)

    def _choose(self, token: int) -> None:
        if token != self._selected:
            old, self._selected = self._selected, token
            self.setAccessibleDescription(self._describe(token) if token != NO_TOKEN else "")
            self._update_tokens(old, token)
            self.selected.emit(token)

    def _update_tokens(self, *tokens: int) -> None:
        for rect in (rect for token in tokens if token != NO_TOKEN for rect in self._rects_of(token)):
            self.viewport().update(rect.toAlignedRect())

    def _describe(self, token: int) -> str:
        """Return id, surprisal and alternatives of a token as text."""
        shown = self._tokens[token]
        if shown.is_typed:
            return tr("written by hand")
        bits = number_text(surprisal(shown.probability), ".1f")
        line = tr(
            "{token} {share}, {bits} bits", token=glyphs(shown.label), share=percent(shown.probability), bits=bits
        )
        if shown.rank:
            entropy = number_text(shown.entropy, ".1f")
            line += tr(", rank {rank}, entropy {bits} bits", rank=number_text(shown.rank), bits=entropy)
        lines = [line, shown.note] if shown.note else [line]
        others = [f"{glyphs(label)} {percent(share)}" for label, _, share in shown.alternatives]
        return "\n".join([*lines, tr("most probable here:"), *others] if others else lines)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move between tokens by arrows, Home and End; clear the selection by Escape."""
        last, now = len(self._tokens) - 1, self._selected
        left = max(0, now - 1) if now != NO_TOKEN else last
        goals = {Qt.Key.Key_Left: left, Qt.Key.Key_Right: min(last, now + 1), Qt.Key.Key_Home: 0, Qt.Key.Key_End: last}
        key = Qt.Key(event.key())
        if key in goals and last >= 0:
            self._go_to(goals[key])
        elif key == Qt.Key.Key_Escape and now != NO_TOKEN:
            self._choose(NO_TOKEN)
        else:
            super().keyPressEvent(event)

    def _go_to(self, token: int) -> None:
        self.choose(token)
        rect = self._rects_of(token)[0].bottomLeft().toPoint()
        QToolTip.showText(self.viewport().mapToGlobal(rect), plain_tip(self._describe(token)), self.viewport())

    def _scroll_to(self, token: int) -> None:
        bar, top = self.verticalScrollBar(), self._lines.line_of(token) * self._height
        bar.setValue(min(top, max(bar.value(), top + self._height - self.viewport().height())))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Announce the full text to screen readers, unless a token is selected."""
        super().focusInEvent(event)
        if self._selected == NO_TOKEN:
            self.setAccessibleDescription(self.text())
