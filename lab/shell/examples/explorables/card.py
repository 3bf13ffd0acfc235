"""The card of an explorable: a formula whose symbols are linked to what is moved and drawn below it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from lab.lessons.spoken import spoken
from lab.widgets.core.card import Card
from lab.widgets.core.controls import label
from lab.widgets.core.i18n import language, tr
from lab.widgets.core.theme import px, themes
from lab.widgets.explorables.slider import LabelledSlider
from lab.widgets.explorables.surface import Surface
from lab.widgets.formulas.explanation import Typeset
from lab.widgets.formulas.marks import SymbolMarks
from lab.widgets.formulas.picture import FormulaPicture
from lab.widgets.formulas.view import FormulaView

WIDEST = 420
"""Most pixels of a formula."""


class ExplorableCard(Card):
    """A card in which something is moved: formulas, sliders, drawings and a sentence with the numbers.

    Pointing at a symbol of a formula, or at a slider, marks it in the others and in the drawings.

    Args:
        title: Its title.
        caption: What is to be seen.
        formulas: Its formulas in LaTeX.
        typeset: Typesets the formulas; None shows their LaTeX.
        marks: The symbol that is pointed at on the page around it; None for a card that stands alone.

    Attributes:
        marks: The symbol that is pointed at.
        formulas: The formulas.
        rows: The column below the formulas.
        result: The sentence with the numbers.
    """

    def __init__(
        self,
        title: str,
        caption: str,
        formulas: Sequence[str],
        typeset: Typeset | None = None,
        marks: SymbolMarks | None = None,
    ) -> None:
        super().__init__(title)
        self.set_caption(caption)
        self.marks = SymbolMarks(self) if marks is None else marks
        self._typeset, self._typeset_in = typeset, ""
        self.formulas = [
            FormulaView(latex, tr("Formula: {latex}", latex=spoken(latex, language.code)), self.marks)
            for latex in formulas
        ]
        self.result = label("", "")
        self.result.setWordWrap(True)
        inside = QWidget()
        self.rows = QVBoxLayout(inside)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setSpacing(8)
        head = QHBoxLayout()
        head.setSpacing(28)
        for view in self.formulas:
            view.setFocusPolicy(view.focusPolicy().StrongFocus)
            head.addWidget(view)
        head.addStretch(1)
        self.rows.addLayout(head)
        self.set_content(inside)
        themes.changed.connect(self._typeset_formulas)

    def add_sliders(self, sliders: Sequence[LabelledSlider], columns: int = 2) -> None:
        """Add sliders in columns."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(4)
        for at, slider in enumerate(sliders):
            slider.follow(self.marks)
            grid.addWidget(slider, at // columns, at % columns)
        self.rows.addLayout(grid)

    def add_drawings(self, *drawings: QWidget) -> None:
        """Add drawings side by side, and below them the sentence with the numbers."""
        row = QHBoxLayout()
        row.setSpacing(12)
        for drawing in drawings:
            if isinstance(drawing, Surface):
                drawing.follow(self.marks)
            row.addWidget(drawing, 1)
        self.rows.addLayout(row, 1)
        self.rows.addWidget(self.result)

    def showEvent(self, event: QShowEvent) -> None:
        """Typeset the formulas when it is shown first."""
        super().showEvent(event)
        self._typeset_formulas()

    def _typeset_formulas(self) -> None:
        if self._typeset is not None and self.isVisible() and self.formulas and self._typeset_in != themes.now.name:
            latex = [view.latex.replace(r"\frac", r"\dfrac") for view in self.formulas]
            show = partial(self._show_formulas, themes.now.name)
            self._typeset(latex, themes.now.text, self.devicePixelRatioF(), show)

    def _show_formulas(self, theme: str, pictures: Sequence[FormulaPicture]) -> None:
        self._typeset_in = theme  # only now: one that was cancelled is done again when the card is shown next
        for view, picture in zip(self.formulas, pictures, strict=True):
            view.show_picture(picture, px(WIDEST))
