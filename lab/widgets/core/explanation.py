"""The "?" of a card: what it shows, how to read it, a small example, and the formula with its symbols."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import ceil

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QHideEvent, QImage, QPixmap
from PySide6.QtWidgets import QApplication, QGridLayout, QLabel, QVBoxLayout, QWidget
from shiboken6 import isValid

from lab.api import Explanation
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr, tr_registered
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import INSIDE, STEP, themes, token_font

WIDTH = 380
"""Width of the panel in pixels."""
WIDEST = 112
"""Width of a symbol in pixels, at most."""

Typeset = Callable[[Sequence[str], str, float, Callable[[Sequence[QImage]], object]], object]
"""The type of what typesets formulas: (LaTeX of each, colour, pixels per point of the screen, what takes the pictures).

A null picture stands for LaTeX that could not be read.
"""
ShowPart = Callable[[str], object]
"""The type of what shows a part of the model, as `Explanation.parts` names it."""


def explain(
    card: Card, explanation: Explanation, typeset: Typeset | None = None, show_part: ShowPart | None = None
) -> Button:
    """Add to a card a dim sentence below its title, and a button that opens and closes the explanation.

    Args:
        card: The card.
        explanation: What it shows.
        typeset: Typesets the formula and calls back later; None shows its LaTeX.
        show_part: Shows a part of the model; None links no symbol.
    """
    card.set_caption(tr_registered(explanation.shows))
    button = _ExplainButton(card, explanation, typeset, show_part)
    card.add_control(button)
    return button


class _ExplainButton(Button):
    """The "?" in the title row of a card."""

    def __init__(
        self, card: Card, explanation: Explanation, typeset: Typeset | None, show_part: ShowPart | None
    ) -> None:
        super().__init__("?", hint=tr("How to read this"))
        self._card, self._explanation, self._typeset, self._show_part = card, explanation, typeset, show_part
        self._panel: ExplanationPanel | None = None
        self.setAccessibleName(tr("How to read {title}", title=card.title))
        self.clicked.connect(self._toggle)

    def _toggle(self) -> None:
        if self._panel is not None and isValid(self._panel):
            self._panel.shut()
            return
        self._panel = ExplanationPanel(self, self._card.title, self._explanation, self._show_part)
        self._panel.show_over(self._panel)
        if self._typeset is not None and self._explanation.formula:
            colour, scale = themes.now.text, self.devicePixelRatioF()
            formulas = [self._explanation.formula, *self._explanation.symbols]
            self._typeset(formulas, colour, scale, self._panel.show_pictures)

    def hideEvent(self, event: QHideEvent) -> None:
        """Close the explanation with its card."""
        super().hideEvent(event)
        if self._panel is not None and isValid(self._panel):
            self._panel.shut()


class ExplanationPanel(Overlay):
    """The explanation below its button; Esc, the button or a click elsewhere closes it.

    Args:
        button: The button that opens it.
        title: The title of the card.
        explanation: What the card shows.
        show_part: Shows a part of the model; None links no symbol.

    Attributes:
        links: The buttons that show the part of a symbol, by the symbol.
    """

    def __init__(self, button: Button, title: str, explanation: Explanation, show_part: ShowPart | None = None) -> None:
        super().__init__(button.window(), tr("How to read {title}", title=title))
        self._button, self._show_part = button, show_part
        self.setFixedWidth(WIDTH)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(INSIDE, INSIDE, INSIDE, INSIDE)
        rows.setSpacing(2 * STEP)
        rows.addWidget(label(title, "title"))
        for text, role in (
            (tr_registered(explanation.shows) + ".", ""),
            (tr_registered(explanation.how), ""),
            (tr_registered(explanation.example), "dim"),
        ):
            if text:
                rows.addWidget(_paragraph(text, role))
        self.formula = QLabel(explanation.formula)
        self.formula.setVisible(bool(explanation.formula))
        self.formula.setFont(token_font("note"))
        self.formula.setWordWrap(True)
        self.formula.setAccessibleName(tr("Formula: {latex}", latex=explanation.formula))
        rows.addWidget(self.formula)
        self.symbols = [_symbol(latex) for latex in explanation.symbols]
        lines = QGridLayout()
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setHorizontalSpacing(INSIDE)
        lines.setVerticalSpacing(STEP)
        lines.setColumnStretch(1, 1)
        self.links: dict[str, Button] = {}
        for line, (symbol, (latex, meaning)) in enumerate(zip(self.symbols, explanation.symbols.items(), strict=True)):
            lines.addWidget(symbol, line, 0, Qt.AlignmentFlag.AlignVCenter)
            lines.addWidget(_paragraph(tr_registered(meaning), "note"), line, 1)
            if show_part is not None and latex in explanation.parts:
                self.links[latex] = self._link(latex, explanation.parts[latex])
                lines.addWidget(self.links[latex], line, 2, Qt.AlignmentFlag.AlignVCenter)
        rows.addLayout(lines)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._follow_focus)

    def _link(self, symbol: str, part: str) -> Button:
        """Return the button that shows the part of a symbol."""
        link = Button(tr("show ›"), hint=tr("Show this part in the drawing of the model"))
        link.setAccessibleName(tr("Show {symbol} in the drawing of the model", symbol=symbol))
        link.clicked.connect(partial(self._open, part))
        return link

    def _open(self, part: str, *_: object) -> None:
        """Close it and show a part."""
        self.shut()
        if self._show_part is not None:
            self._show_part(part)

    def show_pictures(self, pictures: Sequence[QImage]) -> None:
        """Show the typeset formula and its symbols in place of their LaTeX, reduced if they are too wide."""
        for drawn, picture in zip((self.formula, *self.symbols), pictures, strict=True):
            if not picture.isNull():
                _show_picture(drawn, picture, WIDTH - 2 * INSIDE if drawn is self.formula else WIDEST)
        self.place()

    def place(self) -> None:
        """Stand below the button, inside the window."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
        self.setFixedHeight(self.heightForWidth(WIDTH))
        corner = self._button.mapTo(self._window, QPoint(self._button.width() - WIDTH, self._button.height() + STEP))
        right, bottom = self._window.width() - WIDTH - STEP, self._window.height() - self.height() - STEP
        self.move(max(STEP, min(corner.x(), right)), max(STEP, min(corner.y(), bottom)))

    def shut(self) -> None:
        """Close it for good; the next click makes a new one."""
        super().shut()
        self.deleteLater()

    def _follow_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Close when something else in the window gets the focus."""
        inside = now is None or now is self or self.isAncestorOf(now)
        if not inside and not self.isHidden() and not self._button.isDown():
            self.shut()


def _symbol(latex: str) -> QLabel:
    made = QLabel(latex)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setFont(token_font("note"))
    made.setAccessibleName(latex)
    return made


def _show_picture(drawn: QLabel, picture: QImage, widest: int) -> None:
    room = round(widest * picture.devicePixelRatio())
    if picture.width() > room:
        picture = picture.scaledToWidth(room, Qt.TransformationMode.SmoothTransformation)
    drawn.setPixmap(QPixmap.fromImage(picture))
    drawn.setWordWrap(False)  # a wrapped label asks for no height for its picture
    drawn.setFixedHeight(ceil(picture.height() / picture.devicePixelRatio()))


def _paragraph(text: str, role: str) -> QLabel:
    made = label(text, role)
    made.setWordWrap(True)
    return made
