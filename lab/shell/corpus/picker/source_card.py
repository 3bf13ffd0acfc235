"""The card about a source: what it tests, which architectures should do well on it, and papers."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from lab.api import Corpus
from lab.widgets.core.card import Card
from lab.widgets.core.controls import label
from lab.widgets.core.i18n import tr, tr_registered
from lab.widgets.core.theme import INSIDE

HEADING = 6
"""Pixels above a heading."""
AROUND = 52
"""Total height in pixels of the card above and below its text."""


class AboutCard(Card):
    """The card about a source, as high as its text; from a limit on the text scrolls."""

    def __init__(self) -> None:
        super().__init__(tr("What it tests"))
        self._inside = QWidget()
        rows = QVBoxLayout(self._inside)
        rows.setContentsMargins(0, 0, 8, 0)
        rows.setSpacing(4)
        self._tests, self._expected, self._papers = _paragraph(), _paragraph(), _paragraph("note")
        self._expected_title = label(tr("What should do well"), "strong")
        self._papers_title = label(tr("Papers"), "strong")
        for widget in (self._tests, self._expected_title, self._expected, self._papers_title, self._papers):
            widget.setContentsMargins(0, HEADING if widget in (self._expected_title, self._papers_title) else 0, 0, 0)
            rows.addWidget(widget)
        rows.addStretch()
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setAccessibleName(self.title)
        self._area.setWidget(self._inside)
        self.set_content(self._area)

    def show_card(self, card: Corpus) -> None:
        """Show the description of a source; hide the card if there is none."""
        self.setVisible(bool(card.tests))
        self._tests.setText(tr_registered(card.tests))
        self._expected.setText(tr_registered(card.expected))
        self._papers.setText("\n".join(card.references))
        for widget, shown in (
            (self._expected_title, card.expected),
            (self._expected, card.expected),
            (self._papers_title, card.references),
            (self._papers, card.references),
        ):
            widget.setVisible(bool(shown))
        self._area.verticalScrollBar().setValue(0)
        self._area.setAccessibleDescription(
            " ".join([tr_registered(card.tests), tr_registered(card.expected), *card.references])
        )

    def fit(self, width: int, highest: int) -> None:
        """Set the height that the text needs at a width, but at most `highest`, in pixels."""
        layout = self._inside.layout()
        if layout is not None:
            layout.invalidate()
            needed = layout.totalHeightForWidth(max(1, width - 2 * INSIDE - 4)) + AROUND
            self.setFixedHeight(min(needed, highest))
            fits = needed <= highest
            self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus if fits else Qt.FocusPolicy.StrongFocus)


def _paragraph(role: str = "") -> QLabel:
    made = label("", role)
    made.setWordWrap(True)
    return made
