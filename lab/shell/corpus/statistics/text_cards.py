"""The cards of a corpus page that tell how long a text is, what comes in it again, and what is doubled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from lab.shell.corpus.statistics.card import PartsCard
from lab.text.statistics.overlap import LENGTH
from lab.widgets.core.controls import label, set_role
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import BETWEEN, INSIDE
from lab.widgets.lists.bar_list import Bar, BarList
from lab.widgets.lists.passage_list import Passage, PassageList
from lab.widgets.tokens.next_tokens import percent

if TYPE_CHECKING:
    from lab.text.statistics.duplicates import Duplicates
    from lab.text.statistics.repeats import Repeat

SHOWN = 60
"""Characters of a passage in lines of words."""
PLACES = 3
"""Places of a passage that are named."""


class SizeCard(PartsCard):
    """How much there is, as a row of figures."""

    parts = ("size",)
    extra = ("tokenizer",)

    def __init__(self) -> None:
        sentence = tr(
            "How long the text is, and of how many different signs, words and tokens it is made. "
            "Fewer tokens per byte mean more text in the same context."
        )
        super().__init__(tr("Length and vocabulary"), sentence)
        names = (
            tr("characters"), tr("bytes"), tr("lines"), tr("words"), tr("tokens"), tr("vocabulary"),
            tr("tokens per byte"),
        )  # fmt: skip
        self._names = names
        self._figures = [label("", "name") for _ in names]
        self._notes = [label("", "note") for _ in names]
        row = QHBoxLayout()
        row.setContentsMargins(INSIDE, 0, INSIDE, 0)
        row.setSpacing(8)
        for name, figure, note in zip(names, self._figures, self._notes, strict=True):
            column = QVBoxLayout()
            column.setSpacing(0)
            column.addWidget(figure)
            column.addWidget(label(name))
            column.addWidget(note)
            row.addLayout(column, 1)
        self.rows.addLayout(row)

    def fill(self) -> list[str]:
        """The figures."""
        size = self.found["size"]
        self.set_title(self.title, tr("tokenizer: {name}", name=self.found["tokenizer"]))
        figures = [
            f"{count:,}"
            for count in (size.characters, size.bytes, size.lines, size.words, size.tokens, size.vocabulary)
        ]
        figures.append(_ratio(size.tokens, size.bytes))
        notes = [
            tr("{n} different", n=f"{size.characters_used:,}"),
            tr("{n} per character", n=_ratio(size.bytes, size.characters)),
            tr("{n} characters each", n=_ratio(size.characters, size.lines, 1)),
            tr("{n} different", n=f"{size.words_used:,}"),
            tr("{n} different", n=f"{size.tokens_used:,}"),
            tr("{share} of it is used", share=percent(size.tokens_used / max(1, size.vocabulary))),
            tr("{n} bytes per token", n=_ratio(size.bytes, size.tokens)),
        ]
        for place, (figure, note) in enumerate(zip(figures, notes, strict=True)):
            self._figures[place].setText(figure)
            self._notes[place].setText(note)
        return [f"{name}: {figure} ({note})" for name, figure, note in zip(self._names, figures, notes, strict=True)]


class RepeatsCard(PartsCard):
    """The longest passages that come again."""

    parts = ("repeats",)
    extra = ("size",)

    def __init__(self) -> None:
        sentence = tr("A model may learn these by heart. None lies for more than half within a longer one.")
        super().__init__(tr("Longest repeated passages"), sentence)
        self.list = PassageList(tr("Longest repeated passages"))
        self.list.setContentsMargins(8, 0, 8, 0)
        self.rows.addLayout(beside(self.list), 1)

    def fill(self) -> list[str]:
        """The passages, longest first."""
        found = self.found["repeats"]
        self.show_read(found.read if "size" in self.found and found.read < self.found["size"].characters else 0)
        if not found.passages:
            self.show_empty(tr("No passage of some length stands in this text twice."))
        passages = [Passage(one.text, _repeat_words(one)) for one in found.passages]
        self.list.set_rows(passages)
        return [f"{one.figures}: {_short(one.text)}" for one in passages] or [tr("none")]


class DuplicatesCard(PartsCard):
    """Lines, paragraphs and documents that stood before."""

    parts = ("duplicates",)

    def __init__(self) -> None:
        sentence = tr("Lines, paragraphs and documents that stood in the text before. Repetition looks like skill.")
        super().__init__(tr("Duplicates"), sentence)
        self.bars = BarList(tr("Share of each unit that stood before"))
        self.bars.fit(3)
        self.list = PassageList(tr("What comes most often, by the characters it takes"), lines=1)
        self.rows.addLayout(beside(self.bars))
        self.rows.addLayout(beside(self.list), 1)

    def fill(self) -> list[str]:
        """The shares, and the examples that take most characters."""
        kinds: tuple[Duplicates, ...] = self.found["duplicates"]
        names = {"lines": tr("lines"), "paragraphs": tr("paragraphs"), "documents": tr("documents")}
        bars = [
            Bar(
                names[one.unit],
                one.share,
                (f"{one.count:,}", percent(one.share), percent(one.characters)),
                tr(
                    "{n} of {count} {unit} stood before, {share}; they take {characters} of the characters",
                    n=f"{one.repeated:,}", count=f"{one.count:,}", unit=names[one.unit], share=percent(one.share),
                    characters=percent(one.characters),
                ),
            )
            for one in kinds
        ]  # fmt: skip
        self.bars.set_bars((tr("unit"), tr("there are"), tr("doubled"), tr("of characters")), bars)
        examples = [
            Passage(words, tr("{unit}, {n} times", unit=names[one.unit], n=f"{times:,}"))
            for one in kinds
            for words, times in one.examples
        ]
        self.list.set_rows(examples)
        self.list.setVisible(bool(examples))
        return [bar.description for bar in bars] + [f"{one.figures}: {_short(one.text)}" for one in examples]


class OverlapCard(PartsCard):
    """How much of validation stands in training."""

    parts = ("overlap",)

    def __init__(self) -> None:
        sentence = tr(
            "What stands in training too is no test of the model. Passages of {n} characters are compared.", n=LENGTH
        )
        super().__init__(tr("Validation within training"), sentence)
        self._share, self._of = label("", "name"), label("", "dim")
        self._of.setWordWrap(True)
        self._warning = label("", "warn")
        self._warning.setWordWrap(True)
        self.list = PassageList(tr("Longest passage that training and validation share"), lines=1)
        self.list.setFixedHeight(48)
        share = QHBoxLayout()
        share.setSpacing(8)
        share.addWidget(self._share)
        share.addWidget(self._of, 1)
        left = QVBoxLayout()
        left.setContentsMargins(INSIDE, 0, 0, 0)
        left.setSpacing(0)
        left.addLayout(share)
        left.addWidget(self._warning)
        left.addStretch()
        row = QHBoxLayout()
        row.setSpacing(BETWEEN)
        row.addLayout(left, 1)
        row.addLayout(beside(self.list), 1)
        self.rows.addLayout(row)

    def fill(self) -> list[str]:
        """The share, the longest common passage, and the warning where there is one."""
        found = self.found["overlap"]
        self._share.setText("–" if found.share is None else percent(found.share))
        self._of.setText(
            tr("validation is too short to compare")
            if found.share is None
            else tr("of the {n} passages of validation stand in training", n=f"{found.passages:,}")
        )
        set_role(self._share, "alarm" if found.warning else "name")
        self._warning.setText(tr("Warning: {what}", what=found.warning) if found.warning else "")
        self._warning.setVisible(bool(found.warning))
        words = tr(
            "longest common passage: {n} characters, at {train} and {validation}",
            n=f"{found.longest:,}", train=f"{found.train_place:,}", validation=f"{found.validation_place:,}",
        )  # fmt: skip
        self.list.set_rows([Passage(found.text, words)] if found.longest else [])
        self.list.setVisible(bool(found.longest))
        lines = [f"{self._share.text()} {self._of.text()}", self._warning.text()]
        return [*filter(None, lines), f"{words}: {_short(found.text)}"] if found.longest else [*filter(None, lines)]


def beside(widget: BarList | PassageList) -> QHBoxLayout:
    """A list in its card, whose rows begin where the title does."""
    row = QHBoxLayout()
    row.setContentsMargins(4, 0, 4, 0)
    row.addWidget(widget)
    return row


def _repeat_words(one: Repeat) -> str:
    places = ", ".join(f"{place:,}" for place in one.places[:PLACES])
    return tr(
        "{n} characters, {times} times, at {places}",
        n=f"{one.length:,}", times=f"{one.times:,}", places=places + (" …" if one.times > PLACES else ""),
    )  # fmt: skip


def _ratio(one: int, other: int, digits: int = 2) -> str:
    return f"{one / other:,.{digits}f}" if other else "–"


def _short(words: str) -> str:
    shown = glyphs(words)
    return shown if len(shown) <= SHOWN else f"{shown[: SHOWN - 1]}…"
