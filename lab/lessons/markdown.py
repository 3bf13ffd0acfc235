"""The Markdown of lessons: paragraphs with formulas between dollar signs. HTML in it is text that is shown as it is."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

# what they read ahead is bounded, or read once, so that no text takes the square of its length
_FENCE = re.compile(r"^ *(```|~~~).*?(?:^ *\1 *$|\Z)", re.MULTILINE | re.DOTALL)
_DISPLAY = re.compile(r"^ *\$\$((?:(?!\$\$).)+)\$\$ *$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"(?<![\\$\w])\$(?=[^\s$])([^$\n]{1,400}?)(?<=[^\s\\])\$(?![\w$])")
_CODE = re.compile(r"`[^`\n]*`")
_PICTURE = re.compile(r"!\[([^\]\n]{0,400})\]\(([^)\n]{0,400})\)")
_MARK = re.compile(r"\x01(\d+)\x02")
_LANGUAGE_LINK = re.compile(r"(?<!!)\[([^\]\n]{0,400})\]\(([^)\n]{0,400})\)")
EXPLORABLE = "explorable:"
"""Prefix of the name of a picture that stands for an explorable."""
EXPLORABLES = (
    "sentence", "softmax", "nucleus", "attention", "sinusoids", "rotary", "cell", "modes", "routing", "budget",
    "formats", "log-sum-exp",
)  # fmt: skip
"""The explorables of the lab, by their keys."""
ALLOWED_LINKS = ("help:", "term:", "example:", "https://")
"""What links of a lesson may begin with."""


@dataclass(frozen=True)
class Picture:
    """A picture that a text names.

    Args:
        name: The file.
        line: The line of the text, from 1.
    """

    name: str
    line: int


@dataclass(frozen=True)
class Piece:
    """A part of a text: Markdown, or a formula that stands alone.

    Args:
        text: The Markdown, in which each inline formula is a picture named "formula:N"; or the LaTeX of a formula.
        is_formula: True for a formula.
        inline: The LaTeX of the inline formulas of the Markdown, by N.
    """

    text: str
    is_formula: bool = False
    inline: tuple[str, ...] = ()


def pieces(text: str) -> list[Piece]:
    """Return a text as Markdown and formulas that stand alone, in order; HTML is made text that is shown as it is."""
    found: list[Piece] = []
    for is_formula, part in _parts(text):
        if is_formula:
            found.append(Piece(" ".join(part.split()), is_formula=True))
        elif part.strip():
            found.append(_markdown(part))
    return found


def formulas(text: str) -> list[str]:
    """Return the LaTeX of all formulas of a text in order."""
    found: list[str] = []
    for piece in pieces(text):
        found += [piece.text] if piece.is_formula else piece.inline
    return found


def pictures(text: str) -> list[Picture]:
    """Return the pictures that a text names, and its explorables, whose names begin with "explorable:"."""
    plain = _FENCE.sub(lambda fence: "\n" * fence[0].count("\n"), text)
    return [Picture(found[2].strip(), plain.count("\n", 0, found.start()) + 1) for found in _PICTURE.finditer(plain)]


def foreign_links(text: str) -> list[Picture]:
    """Return the links of a text that lead to anything but help, terms, places, examples and pages of the web."""
    plain = _FENCE.sub(lambda fence: "\n" * fence[0].count("\n"), text)
    return [
        Picture(found[2].strip(), plain.count("\n", 0, found.start()) + 1)
        for found in _LANGUAGE_LINK.finditer(plain)
        if not found[2].strip().lower().startswith(ALLOWED_LINKS)
    ]


def _parts(text: str) -> Iterator[tuple[bool, str]]:
    """Yield (True, LaTeX) for each formula that stands alone, (False, text) for what is between; code is text."""
    hidden: list[str] = []

    def hide(found: re.Match[str]) -> str:
        hidden.append(found[0])
        return f"\x01{len(hidden) - 1}\x02"

    def show(part: str) -> str:
        return _MARK.sub(lambda found: hidden[int(found[1])], part)

    covered = _FENCE.sub(hide, text.replace("\x01", "").replace("\x02", ""))
    end = 0
    for found in _DISPLAY.finditer(covered):
        yield False, show(covered[end : found.start()])
        yield True, found[1].strip()
        end = found.end()
    yield False, show(covered[end:])


def _markdown(text: str) -> Piece:
    """Return Markdown whose inline formulas are pictures, and whose HTML is escaped outside of code."""
    hidden: list[str] = []
    inline: list[str] = []

    def hide(found: re.Match[str]) -> str:
        hidden.append(found[0])
        return f"\x01{len(hidden) - 1}\x02"

    def take(found: re.Match[str]) -> str:
        inline.append(found[1])
        hidden.append(f"![{_plain(found[1])}](formula:{len(inline) - 1})")
        return f"\x01{len(hidden) - 1}\x02"

    covered = _CODE.sub(hide, _FENCE.sub(hide, text))
    covered = _INLINE.sub(take, covered)
    quoted = re.sub(r"(?m)^(\s*)&gt;", r"\1>", html.escape(covered, quote=False).replace("&amp;", "&"))
    return Piece(_MARK.sub(lambda found: hidden[int(found[1])], quoted), inline=tuple(inline))


def _plain(latex: str) -> str:
    """Return LaTeX without the characters that end the text of a picture in Markdown."""
    return re.sub(r"[\[\]\\]", "", latex)
