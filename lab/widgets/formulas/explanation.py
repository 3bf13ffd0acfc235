"""Panels with formulas and their symbols; the "?" of a card: what it shows, how to read it, and a small example."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractSlider,
    QApplication,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from lab.api import Explanation
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr, tr_registered
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import INSIDE, STEP, themes
from lab.widgets.formulas.marks import SymbolMarks
from lab.widgets.formulas.picture import FormulaPicture
from lab.widgets.formulas.view import FormulaView

WIDTH = 380
"""Width of the panel in pixels."""
WIDEST = 112
"""Width of a symbol in pixels, at most."""
SCROLLING = {
    Qt.Key.Key_Up: QAbstractSlider.SliderAction.SliderSingleStepSub,
    Qt.Key.Key_Down: QAbstractSlider.SliderAction.SliderSingleStepAdd,
    Qt.Key.Key_PageUp: QAbstractSlider.SliderAction.SliderPageStepSub,
    Qt.Key.Key_PageDown: QAbstractSlider.SliderAction.SliderPageStepAdd,
}
"""What the keys do to the scroll bar of a panel."""

Typeset = Callable[[Sequence[str], str, float, Callable[[Sequence[FormulaPicture]], object]], object]
"""The type of what typesets formulas: (LaTeX of each, colour, pixels per point of the screen, what takes the pictures).

A null picture stands for LaTeX that could not be read.
"""
ShowPart = Callable[[str], object]
"""The type of what shows a part of the model, as `Explanation.parts` names it."""
ShowEquations = Callable[[Sequence[str]], object]
"""The type of what shows the equations of the first of some parts that has any, as `Explanation.parts` names them."""


def explain(
    card: Card,
    explanation: Explanation,
    typeset: Typeset | None = None,
    show_part: ShowPart | None = None,
    equations: Callable[[], ShowEquations | None] | None = None,
) -> Button:
    """Add to a card a dim sentence below its title, and a button that opens and closes the explanation.

    Args:
        card: The card.
        explanation: What it shows.
        typeset: Typesets the formula and calls back later; None shows its LaTeX.
        show_part: Shows a part of the model; None links no symbol.
        equations: Returns what shows the equations of parts, asked at each opening; None for a model without any.
    """
    card.set_caption(tr_registered(explanation.shows))

    def make(button: Button) -> ExplanationPanel:
        return ExplanationPanel(button, card.title, explanation, show_part, equations and equations())

    button = PanelButton("?", tr("How to read this"), typeset, make)
    button.setAccessibleName(tr("How to read {title}", title=card.title))
    card.add_control(button)
    return button


@dataclass(frozen=True)
class SymbolLink:
    """The link of a symbol to what it stands for.

    Args:
        name: Its name for screen readers: "Show Q in the drawing of the model".
        hint: Its tool tip.
        show: Shows what the symbol stands for.
        mark: Marks that, with True, while the symbol is pointed at, and removes the mark with False; None if it cannot.
    """

    name: str
    hint: str
    show: Callable[[], object]
    mark: Callable[[bool], object] | None = None


@dataclass(frozen=True)
class FormulaSection:
    """Formulas and what their symbols mean.

    Args:
        formulas: The formulas in LaTeX.
        symbols: The meanings of their symbols, by the symbol in LaTeX.
        links: What shows the thing that a symbol stands for, by the symbol.
        notes: Lines below the symbols.
        title: The heading above them; "" for none.
        link: What shows the thing that the heading names; None for nothing.
    """

    formulas: Sequence[str]
    symbols: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[str, SymbolLink] = field(default_factory=dict)
    notes: Sequence[str] = ()
    title: str = ""
    link: SymbolLink | None = None


class PanelButton(Button):
    """A button that opens a panel with formulas, and closes it.

    Args:
        text: Its text.
        hint: Its tool tip.
        typeset: Typesets the formulas and calls back later; None shows their LaTeX.
        make: Makes the panel below the button.
    """

    def __init__(self, text: str, hint: str, typeset: Typeset | None, make: Callable[[Button], FormulaPanel]) -> None:
        super().__init__(text, hint=hint)
        self._typeset, self._make = typeset, make
        self._panel: FormulaPanel | None = None
        self.clicked.connect(self._toggle)

    def _toggle(self) -> None:
        if self._panel is not None and isValid(self._panel):
            self._panel.shut()
        else:
            self.open()

    def open(self) -> None:
        """Open the panel again."""
        if self._panel is not None and isValid(self._panel):
            self._panel.shut()
        self._panel = self._make(self)
        self._panel.show_over(self._panel.first)
        if self._typeset is not None and self._panel.latex:
            self._typeset(self._panel.latex, themes.now.text, self.devicePixelRatioF(), self._panel.show_pictures)

    def hideEvent(self, event: QHideEvent) -> None:
        """Close the panel with its card."""
        super().hideEvent(event)
        if self._panel is not None and isValid(self._panel):
            self._panel.shut()


class FormulaPanel(Overlay):
    """Formulas below a button, each symbol beside its meaning; Esc, the button or a click elsewhere closes it.

    Pointing at a symbol marks it in all formulas and beside its meaning, and marks what it is linked to.

    Args:
        button: The button that opens it.
        name: Its name for screen readers.
        title: The title at its top.
        width: Its width in pixels.
        paragraphs: Text and role of each paragraph above the formulas; empty ones are left out.
        sections: The formulas, from top to bottom.

    Attributes:
        formulas: The labels of the formulas.
        symbols: The labels of the symbols.
        links: The buttons of the links by the symbol, or by the heading; those of the first section that has it.
        first: The widget that is in sight and has the focus at first: a link, or the panel.
        marks: The symbol that is pointed at.
    """

    def __init__(
        self,
        button: Button,
        name: str,
        title: str,
        width: int,
        *,
        paragraphs: Sequence[tuple[str, str]] = (),
        sections: Sequence[FormulaSection] = (),
    ) -> None:
        super().__init__(button.window(), name)
        self._button, self._width = button, width
        self.latex = [
            *(latex for section in sections for latex in section.formulas),
            *(symbol for section in sections for symbol in section.symbols),
        ]
        self.first: QWidget = self
        self.setFixedWidth(width)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._content = QWidget()
        self._rows = rows = QVBoxLayout(self._content)
        rows.setContentsMargins(INSIDE, INSIDE, INSIDE, INSIDE)
        rows.setSpacing(2 * STEP)
        rows.addWidget(label(title, "title"))
        for text, role in paragraphs:
            if text:
                rows.addWidget(_paragraph(text, role))
        self.marks = SymbolMarks(self)
        self.marks.changed.connect(self._mark_linked)
        self.formulas: list[FormulaView] = []
        self.symbols: list[FormulaView] = []
        self.links: dict[str, Button] = {}
        self._linked: list[tuple[SymbolLink, Button]] = []
        self._marking: list[tuple[FormulaView, SymbolLink]] = []  # the symbols whose links mark what they lead to
        self._marked: list[SymbolLink] = []
        for section in sections:
            self._add(section)
        self._area.setWidget(self._content)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(self._area)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._follow_focus)

    def _add(self, section: FormulaSection) -> None:
        """Add formulas and the meanings of their symbols at the end."""
        if section.title:
            head = QHBoxLayout()
            head.addWidget(_paragraph(section.title, "strong"), 1)
            if section.link is not None:
                head.addWidget(self._link(section.title, section.link), 0, Qt.AlignmentFlag.AlignVCenter)
            self._rows.addLayout(head)
        for latex in section.formulas:
            formula = FormulaView(latex, tr("Formula: {latex}", latex=latex), self.marks)
            formula.setWordWrap(True)
            self.formulas.append(formula)
            self._rows.addWidget(formula)
        lines = QGridLayout()
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setHorizontalSpacing(INSIDE)
        lines.setVerticalSpacing(STEP)
        lines.setColumnStretch(1, 1)
        for line, (latex, meaning) in enumerate(section.symbols.items()):
            symbol = FormulaView(latex, latex, self.marks)
            self.symbols.append(symbol)
            lines.addWidget(symbol, line, 0, Qt.AlignmentFlag.AlignVCenter)
            lines.addWidget(_paragraph(tr_registered(meaning), "note"), line, 1)
            if latex in section.links:
                button = self._link(latex, section.links[latex])
                lines.addWidget(button, line, 2, Qt.AlignmentFlag.AlignVCenter)
                self._marking.append((symbol, section.links[latex]))
        self._rows.addLayout(lines)
        for text in section.notes:
            self._rows.addWidget(_paragraph(text, "note"))

    def show_first(self, link: SymbolLink) -> None:
        """Have the button of a link in sight and give it the focus when the panel opens."""
        self.first = next(button for one, button in self._linked if one is link)

    def _link(self, name: str, link: SymbolLink, text: str = "") -> Button:
        """Return the button of a link of a symbol or heading."""
        button = Button(text or tr("show ›"), hint=link.hint)
        button.setAccessibleName(link.name)
        button.clicked.connect(partial(self._open, link))
        self.links.setdefault(name, button)
        self._linked.append((link, button))
        return button

    def _open(self, link: SymbolLink, *_: object) -> None:
        """Close it and show what a symbol stands for."""
        self.shut()
        link.show()

    def _mark_linked(self, symbol: str) -> None:
        """Mark what a symbol is linked to, and nothing else; a symbol with an index has the link of its letter."""
        for link in self._marked:
            if link.mark is not None:
                link.mark(False)
        self._marked = [link for shown, link in self._marking if symbol and shown.symbols[:1] == [symbol]]
        for link in self._marked:
            if link.mark is not None:
                link.mark(True)

    def show_pictures(self, pictures: Sequence[FormulaPicture]) -> None:
        """Show the typeset formulas and symbols in place of their LaTeX, reduced if they are too wide."""
        if not isValid(self):  # closed before they were typeset
            return
        for drawn, picture in zip((*self.formulas, *self.symbols), pictures, strict=True):
            drawn.show_picture(picture, self._width - 2 * INSIDE if drawn in self.formulas else WIDEST)
        self.place()
        if self.first is not self:
            QTimer.singleShot(0, self.first, partial(self._area.ensureWidgetVisible, self.first))

    def place(self) -> None:
        """Stand below the button, inside the window; what is too high for it scrolls."""
        layout = self._content.layout()
        if layout is not None:
            layout.activate()
        frame, free = 2 * self.frameWidth(), self._window.height() - 2 * STEP
        self.setFixedHeight(min(self._content.heightForWidth(self._width - frame) + frame, free))
        below = QPoint(self._button.width() - self._width, self._button.height() + STEP)
        corner = self._button.mapTo(self._window, below)
        right, bottom = self._window.width() - self._width - STEP, self._window.height() - self.height() - STEP
        self.move(max(STEP, min(corner.x(), right)), max(STEP, min(corner.y(), bottom)))

    def shut(self) -> None:
        """Close and delete it; the next click makes a new one."""
        self.marks.point("")
        super().shut()
        self.deleteLater()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll with the keys of scroll bars, and close on Esc."""
        step = SCROLLING.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self._area.verticalScrollBar().triggerAction(step)

    def _follow_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Scroll to the link that gets the focus, and close when something else in the window gets it."""
        inside = now is None or now is self or self.isAncestorOf(now)
        if now is not None and self._content.isAncestorOf(now):
            self._area.ensureWidgetVisible(now)
        elif not inside and not self.isHidden() and not self._button.isDown():
            self.shut()


class ExplanationPanel(FormulaPanel):
    """The explanation of a card.

    Args:
        button: The button that opens it.
        title: The title of the card.
        explanation: What the card shows.
        show_part: Shows a part of the model; None links no symbol.
        show_equations: Shows the equations of the parts that it is about; None offers none.
    """

    def __init__(
        self,
        button: Button,
        title: str,
        explanation: Explanation,
        show_part: ShowPart | None = None,
        show_equations: ShowEquations | None = None,
    ) -> None:
        links = {} if show_part is None else {
            symbol: part_link(symbol, partial(show_part, part)) for symbol, part in explanation.parts.items()
        }  # fmt: skip
        super().__init__(
            button,
            tr("How to read {title}", title=title),
            title,
            WIDTH,
            paragraphs=(
                (tr_registered(explanation.shows) + ".", ""),
                (tr_registered(explanation.how), ""),
                (tr_registered(explanation.example), "dim"),
            ),
            sections=[FormulaSection([explanation.formula] if explanation.formula else [], explanation.symbols, links)],
        )
        parts = [*dict.fromkeys(explanation.parts.values())]
        if show_equations is not None and parts:
            hint = tr("Show the equations of this part over the drawing of the model")
            link = SymbolLink(hint, hint, partial(show_equations, parts))
            self._rows.addWidget(self._link("", link, tr("equations of this part ›")), 0, Qt.AlignmentFlag.AlignLeft)


def part_link(symbol: str, show: Callable[[], object], mark: Callable[[bool], object] | None = None) -> SymbolLink:
    """Return the link of a symbol to its part in the drawing of the model.

    Args:
        symbol: The symbol in LaTeX.
        show: Shows the part.
        mark: As of `SymbolLink`.
    """
    name = tr("Show {symbol} in the drawing of the model", symbol=symbol)
    return SymbolLink(name, tr("Show this part in the drawing of the model"), show, mark)


def _paragraph(text: str, role: str) -> QLabel:
    made = label(text, role)
    made.setWordWrap(True)
    return made
