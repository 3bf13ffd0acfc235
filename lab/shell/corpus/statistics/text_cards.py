"""The statistics cards about the text itself: size, repeated passages, duplicates, overlap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from lab.shell.corpus.statistics.card import PartsCard
from lab.text.statistics.overlap import LENGTH
from lab.widgets.core.controls import label, set_role
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import number_text, tr, tr_n
from lab.widgets.core.theme import BETWEEN, INSIDE
from lab.widgets.lists.bar_list import Bar, BarList
from lab.widgets.lists.passage_list import Passage, PassageList
from lab.widgets.tokens.next_tokens import percent

if TYPE_CHECKING:
    from lab.text.statistics.duplicates import Duplicates
    from lab.text.statistics.repeats import Repeat

SHOWN = 60
"""Most characters of a passage in a line of text."""
POSITIONS = 3
"""Most positions of a passage that are listed."""


class SizeCard(PartsCard):
    """The card of the size of the text, with a row of figures."""

    parts = ("size",)
    extra = ("tokenizer",)

    def __init__(self) -> None:
        sentence = tr(
            "The length of the text, and the numbers of different characters, words and tokens. "
            "With fewer tokens per byte, more text fits into the same context."
        )
        super().__init__(tr("Length and vocabulary"), sentence)
        names = (
            tr("characters"), tr("bytes"), tr("lines of text"), tr("words"), tr("tokens"), tr("vocabulary"),
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
        """Show the figures."""
        size = self.found["size"]
        self.set_title(self.title, tr("tokenizer: {name}", name=self.found["tokenizer"]))
        figures = [
            number_text(count)
            for count in (size.characters, size.bytes, size.lines, size.words, size.tokens, size.vocabulary)
        ]
        figures.append(_ratio(size.tokens, size.bytes))
        notes = [
            tr("{n} different", n=number_text(size.characters_used)),
            tr("{n} per character", n=_ratio(size.bytes, size.characters)),
            tr("{n} characters each", n=_ratio(size.characters, size.lines, 1)),
            tr("{n} different", n=number_text(size.words_used)),
            tr("{n} different", n=number_text(size.tokens_used)),
            tr("{share} of it is used", share=percent(size.tokens_used / max(1, size.vocabulary))),
            tr("{n} bytes per token", n=_ratio(size.bytes, size.tokens)),
        ]
        for index, (figure, note) in enumerate(zip(figures, notes, strict=True)):
            self._figures[index].setText(figure)
            self._notes[index].setText(note)
        return [f"{name}: {figure} ({note})" for name, figure, note in zip(self._names, figures, notes, strict=True)]


class RepeatsCard(PartsCard):
    """The card of the longest repeated passages."""

    parts = ("repeats",)
    extra = ("size",)

    def __init__(self) -> None:
        sentence = tr("A model may memorise these passages. At most half of each is part of a longer one.")
        super().__init__(tr("Longest repeated passages"), sentence)
        self.list = PassageList(tr("Longest repeated passages"))
        self.list.setContentsMargins(8, 0, 8, 0)
        self.rows.addLayout(with_margins(self.list), 1)

    def fill(self) -> list[str]:
        """Show the passages, longest first."""
        found = self.found["repeats"]
        self.show_read(found.read if "size" in self.found and found.read < self.found["size"].characters else 0)
        if not found.passages:
            self.show_empty(tr("No long passage is repeated in this text."))
        passages = [Passage(repeat.text, _repeat_label(repeat)) for repeat in found.passages]
        self.list.set_rows(passages)
        return [f"{passage.figures}: {_short(passage.text)}" for passage in passages] or [tr("none")]


class DuplicatesCard(PartsCard):
    """The card of repeated lines, paragraphs and documents."""

    parts = ("duplicates",)

    def __init__(self) -> None:
        sentence = tr("Repeated lines, paragraphs and documents. A model that memorises them looks better than it is.")
        super().__init__(tr("Duplicates"), sentence)
        self.bars = BarList(tr("Share of each unit that is repeated"))
        self.bars.fit(3)
        self.list = PassageList(tr("The duplicates that take up most characters"), lines=1)
        self.rows.addLayout(with_margins(self.bars))
        self.rows.addLayout(with_margins(self.list), 1)

    def fill(self) -> list[str]:
        """Show the shares, and the duplicates that take up most characters."""
        kinds: tuple[Duplicates, ...] = self.found["duplicates"]
        names = {"lines": tr("lines of text"), "paragraphs": tr("paragraphs"), "documents": tr("documents")}
        bars = [
            Bar(
                names[one.unit],
                one.share,
                (number_text(one.count), percent(one.share), percent(one.characters)),
                tr(
                    "{n} of {count} {unit} are repeated, {share}; they take up {characters} of the characters",
                    n=number_text(one.repeated), count=number_text(one.count), unit=names[one.unit],
                    share=percent(one.share),
                    characters=percent(one.characters),
                ),
            )
            for one in kinds
        ]  # fmt: skip
        self.bars.set_bars((tr("part of text"), tr("count"), tr("repeated"), tr("of characters")), bars)
        examples = [
            Passage(text, tr_n("{unit}, once", "{unit}, {n} times", times, unit=names[one.unit]))
            for one in kinds
            for text, times in one.examples
        ]
        self.list.set_rows(examples)
        self.list.setVisible(bool(examples))
        return [bar.description for bar in bars] + [f"{one.figures}: {_short(one.text)}" for one in examples]


class OverlapCard(PartsCard):
    """The card of the share of the validation text that is also in the training text."""

    parts = ("overlap",)

    def __init__(self) -> None:
        sentence = tr(
            "Validation text that is also training text does not test the model. Passages of {n} characters are "
            "compared.",
            n=LENGTH,
        )
        super().__init__(tr("Overlap of validation and training"), sentence)
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
        row.addLayout(with_margins(self.list), 1)
        self.rows.addLayout(row)

    def fill(self) -> list[str]:
        """Show the share, the longest common passage, and the warning if there is one."""
        found = self.found["overlap"]
        self._share.setText("–" if found.share is None else percent(found.share))
        self._of.setText(
            tr("the validation text is too short to compare")
            if found.share is None
            else tr(
                "of the {n} passages of the validation text are also in the training text",
                n=number_text(found.passages),
            )
        )
        set_role(self._share, "alarm" if found.warning else "name")
        self._warning.setText(tr("Warning: {what}", what=found.warning) if found.warning else "")
        self._warning.setVisible(bool(found.warning))
        text = tr(
            "longest common passage: {n} characters, at {train} and {validation}",
            n=number_text(found.longest), train=number_text(found.train_offset),
            validation=number_text(found.validation_offset),
        )  # fmt: skip
        self.list.set_rows([Passage(found.text, text)] if found.longest else [])
        self.list.setVisible(bool(found.longest))
        lines = [f"{self._share.text()} {self._of.text()}", self._warning.text()]
        return [*filter(None, lines), f"{text}: {_short(found.text)}"] if found.longest else [*filter(None, lines)]


def with_margins(widget: BarList | PassageList) -> QHBoxLayout:
    """Return a layout in which a list is aligned with the title of its card."""
    row = QHBoxLayout()
    row.setContentsMargins(4, 0, 4, 0)
    row.addWidget(widget)
    return row


def _repeat_label(repeat: Repeat) -> str:
    positions = ", ".join(number_text(position) for position in repeat.offsets[:POSITIONS])
    return tr(
        "{n} characters, {times} times, at {places}",
        n=number_text(repeat.length),
        times=number_text(repeat.times),
        places=positions + (" …" if repeat.times > POSITIONS else ""),
    )  # fmt: skip


def _ratio(count: int, total: int, digits: int = 2) -> str:
    return number_text(count / total, f",.{digits}f") if total else "–"


def _short(text: str) -> str:
    shown = glyphs(text)
    return shown if len(shown) <= SHOWN else f"{shown[: SHOWN - 1]}…"
