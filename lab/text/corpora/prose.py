"""The extraction of readable English from docstrings and plain-text documentation: one line per paragraph."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

CHARACTERS = frozenset(string.ascii_letters + string.digits + " \n" + ".,;:!?'\"()-/_=*[]+<>%")
"""The 85 allowed characters; the others are removed, so that a character vocabulary stays small."""

_PLAIN_FORMS = str.maketrans(
    {"‘": "'", "’": "'", "´": "'", "“": '"', "”": '"', "–": "-", "—": " - ", "…": "...", "\u00a0": " ", "ß": "ss"}
)
_BULLET = re.compile(r"(?:[*+•-]|\(?(?:\d{1,2}|[a-z])[.)])\s+(?=\S)")
_MARKUP = (
    (re.compile(r"``([^`]*)``"), r'"\1"'),
    (re.compile(r"(?::\w+:)?`([^`']*)[`']"), r'"\1"'),
    (re.compile(r"(?<!\w)(\*{1,2})([^\s*][^*]*?)\1(?!\w)"), r"\2"),
    (re.compile(r" \[\d+\]"), ""),  # footnote marks
    (re.compile(r"\s+"), " "),
    (re.compile(r"(?<=[.!?]) [^.!?]*:$"), ""),  # "For example:", when the example is gone
)
_PLAIN_WORD = re.compile(r"[\"'(]*[A-Za-z][a-z]*(?:['-][a-z]+)*[.,;:!?)\"']*")
_PLAIN_CHARACTERS = frozenset(string.ascii_letters + string.digits + " .,;:!?'\"()-")
_END = re.compile(r"[.!?][\"')]*$")
_COMMON_WORDS = (
    "a an and any are as at all be but by can for from has have if in is it its may must no not of on one only or "
    "other so than that the their then there these they this to used was when which will with would you your"
)
_COMMON = frozenset(_COMMON_WORDS.split())


def paragraphs(document: str) -> Iterator[str]:
    """Yield the English paragraphs of a document, each unwrapped into one line, in order.

    Code, doctests, grammars, tables, signatures, headings and lists of names are left out.
    """
    for piece in _pieces(document.translate(_PLAIN_FORMS).expandtabs()):
        paragraph = piece
        for pattern, replacement in _MARKUP:
            paragraph = pattern.sub(replacement, paragraph)
        if _reads_as_english(paragraph):
            yield paragraph


def without_rare(text: str) -> tuple[str, int]:
    """Return the text without characters outside CHARACTERS, and the number of removed ones."""
    rare = set(text) - CHARACTERS
    left = text.translate({ord(character): None for character in rare})
    return left, len(text) - len(left)


def _pieces(document: str) -> Iterator[str]:
    """Yield lines that belong together: equally indented, between blank lines and bullets; bullets are removed."""
    for block in re.split(r"\n\s*\n", document):
        if ">>>" in block or "::=" in block:
            continue
        lines: list[str] = []
        indent = 0
        for line in block.splitlines():
            body = line.strip()
            here = len(line) - len(line.lstrip())
            bullet = _BULLET.match(body)
            if bullet or here != indent:
                yield " ".join(lines)
                lines = []
                indent = here + (bullet.end() if bullet else 0)
                body = body[bullet.end() :] if bullet else body
            lines.append(body)
        yield " ".join(lines)


def _reads_as_english(paragraph: str) -> bool:
    """Return True if a paragraph looks like English.

    It starts with a capital, ends with a full stop, and has mostly plain words, a fifth of them very common.
    """
    words = paragraph.split()
    if len(words) < 5 or not _END.search(paragraph) or not (paragraph[0].isupper() or paragraph[0] in "\"'("):
        return False
    plain = sum(_PLAIN_WORD.fullmatch(word) is not None for word in words)
    common = sum(word.lower() in _COMMON for word in words)
    strange = sum(character not in _PLAIN_CHARACTERS for character in paragraph)
    return plain >= 0.75 * len(words) and common >= 0.2 * len(words) and strange <= 0.03 * len(paragraph)
