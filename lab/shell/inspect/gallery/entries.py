"""The entries of the gallery, what they cost, and how they are searched and grouped; without Qt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from lab.api.readings import Question

OWN, ALL, OTHER = "", "all", "other"
"""The selections besides the answers to a question: one's own, everything, what no explanation assigns."""
QUESTIONS: tuple[str, ...] = get_args(Question)
"""The questions, in the order in which they are asked."""
VIEWS = (OWN, ALL, *QUESTIONS, OTHER)
"""All selections above the cards."""

CostKind = Literal["free", "pass", "model"]
"""The needs of an entry: nothing, since it was recorded while training; one forward pass; the model."""


@dataclass(frozen=True)
class Cost:
    """The cost of an entry.

    Args:
        kind: What it needs.
        seconds: How long that took the last time; None if it was never measured.
    """

    kind: CostKind
    seconds: float | None = None


@dataclass(frozen=True)
class Entry:
    """A card of readings, or a probe with the cards that show only what it finds.

    Args:
        identity: The probe's name, or the id and axes of the card.
        is_probe: True for a probe.
        title: Its title.
        caption: What it shows, in a sentence; "" if nobody said.
        questions: The questions it answers, the first one heads it; () for none.
        cost: What it costs.
        is_on: True if it is shown.
        is_enabled: True if it can be switched now.
        problem: Why it found nothing; "" if it found something, or was not asked.
        is_refused: True if that is because it is made for other models.
        terms: Further text that is searched: formula, symbols, axes.
        sentences: What explains it, in the language of the window.
    """

    identity: tuple[str, ...]
    is_probe: bool
    title: str
    caption: str
    questions: tuple[str, ...]
    cost: Cost
    is_on: bool = False
    is_enabled: bool = True
    problem: str = ""
    is_refused: bool = False
    terms: str = ""
    sentences: str = ""

    @property
    def group(self) -> str:
        """The question that heads it; OTHER for none."""
        return self.questions[0] if self.questions else OTHER

    def answers(self, view: str) -> bool:
        """Return True if it belongs to what the user wants to see: a question, OTHER, or everything."""
        if view in (OWN, ALL):
            return True
        return not self.is_refused and (view in self.questions or self.group == view)

    def contains(self, words: Iterable[str]) -> bool:
        """Return True if its text contains each of these words, whose letters are small."""
        text = " ".join((self.title, self.caption, self.terms, *self.questions)).lower()
        return all(word in text for word in words)


def grouped(entries: Sequence[Entry], view: str = OWN, search: str = "") -> list[tuple[str, list[Entry]]]:
    """Return entries below the questions that they answer.

    Args:
        entries: All entries.
        view: The question that was selected; OWN and ALL for all of them. A search goes through all of them, too.
        search: Words that each entry must contain; "" for all.
    """
    words = search.lower().split()
    found = [entry for entry in entries if (entry.contains(words) if words else entry.answers(view))]
    if view not in (OWN, ALL) and not words:
        return [(view, found)] if found else []
    groups = [(group, [entry for entry in found if entry.group == group]) for group in (*QUESTIONS, OTHER)]
    return [(group, members) for group, members in groups if members]


def answered(entries: Sequence[Entry]) -> list[str]:
    """Return the questions that at least one entry answers, and OTHER if an entry answers none."""
    return [group for group in (*QUESTIONS, OTHER) if any(entry.answers(group) for entry in entries)]


def formula_words(latex: str) -> str:
    """Return the words and letters of a formula in LaTeX, as the user would type them into a search field."""
    return " ".join(re.findall(r"[A-Za-z]+|\d+", latex))
