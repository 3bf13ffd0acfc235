"""The glossary: terms of the field in one plain sentence each, with a formula and where to see it, as data."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from lab.base.files.reading import parse_toml, read_text
from lab.base.folders import resources


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


@functools.cache
def glossary(language: str = "en") -> dict[str, Term]:
    """Return the terms by key, in a language where it has them."""
    terms = _read("en")
    return {**terms, **_read(language)} if language != "en" else terms


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
