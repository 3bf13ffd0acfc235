"""The glossary: terms of the field in one plain sentence each, with a formula and where to see it, as data."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path

from lab.base.files.reading import parse_toml, read_text
from lab.base.folders import resources

LONGEST, NEAR = 3, 80
"""Most words of a term, and most characters of a text at each side that are searched for it."""
_WORD = re.compile(r"[\w'’-]+")


@dataclass(frozen=True)
class Term:
    """A term.

    Args:
        key: Its key, in links such as term:perplexity.
        title: The term.
        sentence: What it means, in one sentence.
        formula: Its formula in LaTeX; "" for none.
        see: The page of the help that says more ("using/figures"); "" for none.
    """

    key: str
    title: str
    sentence: str
    formula: str = ""
    see: str = ""

    @property
    def explained(self) -> str:
        """The definition, followed by the formula."""
        return f"{self.title}: {self.sentence}" + (f"\n{self.formula}" if self.formula else "")


@functools.cache
def glossary(language: str = "en") -> dict[str, Term]:
    """Return the terms by key, in a language where it has them."""
    terms = _read("en")
    return {**terms, **_read(language)} if language != "en" else terms


def tip_of(key: str, language: str = "en") -> str:
    """Return what the term of a key means; "" if there is none."""
    term = glossary(language).get(key)
    return "" if term is None else term.explained


def tip_at(text: str, position: int, language: str = "en") -> str:
    """Return what the longest term at a position of a text means; "" if there is none."""
    words = [found for found in _WORD.finditer(text) if abs(found.start() - position) < NEAR]
    at = next((index for index, word in enumerate(words) if word.start() <= position <= word.end()), -1)
    for count in range(LONGEST, 0, -1) if at >= 0 else ():
        for first in range(max(0, at - count + 1), at + 1):
            part = words[first : first + count]
            if len(part) == count:
                phrase = text[part[0].start() : part[-1].end()].lower()
                term = _titles(language).get(phrase) or _titles(language).get(phrase.removesuffix("s"))
                if term is not None:
                    return term.explained
    return ""


@functools.cache
def _titles(language: str) -> dict[str, Term]:
    return {term.title.lower(): term for term in glossary(language).values()}


@functools.cache
def _read(language: str) -> dict[str, Term]:
    folder = Path(str(resources())) / "lessons"
    file = folder / ("glossary.toml" if language == "en" else f"glossary-{language}.toml")
    if not file.is_file():
        return {}
    return {
        key: Term(key, str(one["title"]), str(one["sentence"]), str(one.get("formula", "")), str(one.get("see", "")))
        for key, one in parse_toml(read_text(file)).items()
    }
