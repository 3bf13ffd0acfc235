"""The glossary: terms of the field in one plain sentence each, with a formula and where to see it, as data."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from lab.base.files.reading import parse_toml, read_text
from lab.base.folders import resources

LONGEST, NEAR = 3, 80
"""Most words of a term, and most characters of a text at each side that are searched for it."""
ENDINGS = {"en": ("", "s"), "de": ("", "s", "e", "n", "en", "es", "er", "ern", "em")}
"""Endings that a word of a term may have in a text, by language."""
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
    """Return the terms by key, with title and sentence in a language where it has them."""
    terms = {key: Term(key, formula=one.get("formula", ""), see=one.get("see", ""), **_texts(one))
             for key, one in _read("en").items()}  # fmt: skip
    translated = {} if language == "en" else _read(language)
    return {key: replace(term, **_texts(translated[key])) if key in translated else term for key, term in terms.items()}


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
                titles = _titles(language)
                forms = (phrase.removesuffix(ending) for ending in ENDINGS.get(language, ("",)))
                term = next((titles[form] for form in forms if form in titles), None)
                if term is not None:
                    return term.explained
    return ""


@functools.cache
def _titles(language: str) -> dict[str, Term]:
    return {term.title.lower(): term for term in glossary(language).values()}


def _texts(written: Mapping[str, str]) -> dict[str, str]:
    return {"title": written["title"], "sentence": written["sentence"]}


def _read(language: str) -> Mapping[str, Mapping[str, str]]:
    folder = Path(str(resources())) / "lessons"
    file = folder / ("glossary.toml" if language == "en" else f"glossary-{language}.toml")
    return parse_toml(read_text(file)) if file.is_file() else {}
