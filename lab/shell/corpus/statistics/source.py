"""The page about a source of generated examples: figures, a description, and examples with marked scored tokens."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lab.api import Examples
from lab.base.problems import Problem
from lab.shell.runtime.background import Background
from lab.widgets.core.card import Card
from lab.widgets.core.controls import label
from lab.widgets.core.i18n import number_text, tr, tr_registered
from lab.widgets.core.theme import BETWEEN, INSIDE
from lab.widgets.tokens.boundaries import CutToken, TokenBoundaries

if TYPE_CHECKING:
    from lab.api import Corpus
    from lab.base.jobs import Job

SHOWN = 40
"""Most examples that are shown."""
COUNTED = 256
"""Most examples over which tokens are counted."""
TOKENS = 20_000
"""Most tokens that are drawn."""


class SourcePage(QWidget):
    """The page about a source, with three cards: figures, description, examples.

    Args:
        background: Runs the drawing of examples in a thread.
    """

    def __init__(self, background: Background) -> None:
        super().__init__()
        self._background = background
        self._source: Examples | None = None
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(BETWEEN)
        rows.addWidget(self._make_figures())
        rows.addWidget(self._make_about())
        rows.addWidget(self._make_examples(), 1)

    def _make_figures(self) -> Card:
        self.figures_card = Card(tr("The source"))
        names = (
            tr("nats per scored token"), tr("symbols"), tr("tokens of the longest example"),
            tr("length that is trained"), tr("scored tokens per example"),
        )  # fmt: skip
        self._names = names
        self._figures = [label("", "name") for _ in names]
        self._notes = [label("", "note") for _ in names]
        inside = QWidget()
        row = QHBoxLayout(inside)
        row.setContentsMargins(0, 0, 0, 0)
        for name, figure, note in zip(names, self._figures, self._notes, strict=True):
            column = QVBoxLayout()
            column.setSpacing(0)
            title = label(name)
            for one in (figure, title, note):
                one.setWordWrap(True)
                column.addWidget(one)
            column.addStretch()
            row.addLayout(column, 1)
        self.figures_card.set_content(inside)
        return self.figures_card

    def _make_about(self) -> Card:
        self.about_card = Card(tr("What it tests"))
        self._tests, self._expected, self._references = label(), label(), label()
        heads = (tr("Question"), tr("Expected result"), tr("References"))
        inside = QWidget()
        row = QHBoxLayout(inside)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * INSIDE)
        for head, text in zip(heads, (self._tests, self._expected, self._references), strict=True):
            text.setWordWrap(True)
            column = QVBoxLayout()
            column.setSpacing(2)
            column.addWidget(label(head, "note"))
            column.addWidget(text)
            column.addStretch()
            row.addLayout(column, 1)
        self.about_card.set_content(inside)
        return self.about_card

    def _make_examples(self) -> Card:
        self.examples_card = Card(tr("Examples"))
        self.examples_card.set_title(tr("Examples"), tr("scored tokens are marked"))
        self.view = TokenBoundaries(tr("Examples; scored tokens are marked"))
        self.examples_card.set_content(self.view, margin=INSIDE - 4)
        return self.examples_card

    def show_source(self, card: Corpus, source: Examples) -> None:
        """Show a source.

        Args:
            card: Its card, with its description.
            source: Its examples.
        """
        self.figures_card.set_title(tr_registered(card.title), "" if source.name in card.title else source.name)
        self._tests.setText(tr_registered(card.tests) or tr("Not described."))
        self._expected.setText(tr_registered(card.expected) or tr("Not described."))
        self._references.setText("\n".join(card.references) or tr("None."))
        if source is not self._source:
            self._source = source
            self.examples_card.show_empty(tr("Generating examples."))
            self._show_figures(source, None)
            title = tr("Generating examples")
            work = partial(_draw_examples, source)
            self._background.run(title, work, self._take, self._show_problem, replaces="statistics examples")

    def _show_figures(self, source: Examples, scored: float | None) -> None:
        size = len(source.symbols)
        figures = [
            number_text(source.entropy, ".4g"),
            number_text(size),
            number_text(source.longest),
            number_text(source.length),
        ]
        figures.append("…" if scored is None else number_text(scored, ".3g"))
        notes = [
            tr(
                "{bits} bits: the lowest possible loss; random guessing gives {most} nats",
                bits=number_text(source.entropy / math.log(2), ".4g"), most=number_text(math.log(size), ".3f"),
            ),
            tr("defined by the source"),
            tr("a context needs one less"),
            tr("as the source defines length") if source.at_length is not None else tr("length does not apply"),
            tr("on average over {n}", n=_counted(source)),
        ]  # fmt: skip
        for index, (figure, note) in enumerate(zip(figures, notes, strict=True)):
            self._figures[index].setText(figure)
            self._notes[index].setText(note)
        lines = [f"{name}: {figure} ({note})" for name, figure, note in zip(self._names, figures, notes, strict=True)]
        self.figures_card.setAccessibleDescription("; ".join(lines))

    def _take(self, drawn: _Shown) -> None:
        if drawn.source is self._source:
            self._show_figures(drawn.source, drawn.scored)
            self.view.set_tokens(drawn.tokens, drawn.marked)
            self.examples_card.show_content()

    def _show_problem(self, problem: Problem) -> None:
        self.examples_card.show_broken(problem)


def _counted(source: Examples) -> int:
    """Return the number of examples to draw."""
    return max(1, min(COUNTED, TOKENS // source.longest))


@dataclass(frozen=True)
class _Shown:
    """The shown examples, one per line.

    Args:
        source: Their source.
        tokens: Their tokens, with a newline after each example.
        marked: The indices of the scored tokens.
        scored: The mean number of scored tokens per example.
    """

    source: Examples
    tokens: list[CutToken]
    marked: frozenset[int]
    scored: float


def _draw_examples(source: Examples, job: Job) -> _Shown:
    """Draw examples; in a thread."""
    import numpy as np

    del job
    drawn = source.draw(np.arange(_counted(source)), 0, "train")
    tokens: list[CutToken] = []
    marked: set[int] = set()
    for row, scored in zip(drawn.tokens[:SHOWN].tolist(), drawn.scored[:SHOWN].tolist(), strict=True):
        for token, is_scored in zip(row, scored, strict=True):
            if token >= 0:
                if is_scored:
                    marked.add(len(tokens))
                symbol = source.symbols[token]  # symbols of several characters end in a space
                tokens.append(CutToken(token, symbol.rstrip(" ") or symbol, len(symbol.encode())))
        tokens.append(CutToken(-1, "\n", 1))
    return _Shown(source, tokens, frozenset(marked), float(drawn.scored.sum(axis=1).mean()))
