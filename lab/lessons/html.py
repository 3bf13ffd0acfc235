"""The Markdown of lessons as HTML: headings, paragraphs, lists, tables, code and links; nothing in it is run."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape, unescape

from lab.lessons.markdown import EXPLORABLE, pieces

DrawFormula = Callable[[str, bool], str]
"""The type of what returns the HTML of a formula: (LaTeX, whether it stands alone)."""
DrawPicture = Callable[[str, str], str]
"""The type of what returns the HTML of a picture: (file name, its text)."""
_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_ITEM = re.compile(r"\s*(?:([-*+])|(\d+)[.)])\s+(.*)")
_RULE = re.compile(r"\s*([-*_])(\s*\1){2,}\s*")
_FENCES = ("```", "~~~")
_ROW = re.compile(r"\s*\|?\s*:?-{3,}:?\s*(\|\s*:?-{3,}:?\s*)*\|?\s*")
_CELL = re.compile(r"`[^`]*`|\\\||[^|`\\]+|.")
_INLINE = re.compile(
    r"(?P<code>`[^`]*`)|!\[(?P<alt>[^\]]*)\]\((?P<picture>[^)]*)\)|\[(?P<label>[^\]]*)\]\((?P<link>[^)]*)\)"
    r"|\*\*(?P<bold>.+?)\*\*|\*(?P<italic>[^*\s](?:[^*]*[^*\s])?)\*"
)


def html_of(text: str, formula: DrawFormula, picture: DrawPicture) -> str:
    """Return a text of a lesson as HTML.

    Args:
        text: Markdown with formulas between dollar signs; HTML in it becomes text.
        formula: Returns the HTML of a formula.
        picture: Returns the HTML of a picture, or of an explorable, whose name begins with "explorable:".
    """
    parts = []
    for piece in pieces(text):
        if piece.is_formula:
            parts.append(f"<p class=formula>{formula(piece.text, True)}</p>")
        else:
            inline = [formula(latex, False) for latex in piece.inline]
            parts.append(_Blocks(inline, picture).html(piece.text.split("\n")))
    return "\n".join(parts)


class _Blocks:
    """The blocks of a piece of Markdown, whose inline formulas are pictures named by their numbers."""

    def __init__(self, formulas: list[str], picture: DrawPicture) -> None:
        self._formulas, self._picture = formulas, picture

    def html(self, lines: list[str]) -> str:
        """Return lines as HTML."""
        found: list[str] = []
        at = 0
        while at < len(lines):
            line = lines[at]
            if not line.strip():
                at += 1
            elif line.lstrip().startswith(_FENCES):
                at = self._code(lines, at, found)
            elif heading := _HEADING.fullmatch(line.strip()):
                level = min(6, len(heading[1]) + 2)
                found.append(f"<h{level}>{self._line(heading[2])}</h{level}>")
                at += 1
            elif _RULE.fullmatch(line):
                found.append("<hr>")
                at += 1
            elif "|" in line and at + 1 < len(lines) and _ROW.fullmatch(lines[at + 1]):
                at = self._table(lines, at, found)
            elif _ITEM.fullmatch(line):
                at = self._list(lines, at, found)
            else:
                at = self._paragraph(lines, at, found)
        return "\n".join(found)

    def _code(self, lines: list[str], at: int, found: list[str]) -> int:
        fence = lines[at].lstrip()[:3]
        end = next((n for n in range(at + 1, len(lines)) if lines[n].strip() == fence), len(lines))
        found.append(f"<pre>{escape(chr(10).join(lines[at + 1 : end]))}</pre>")
        return end + 1

    def _table(self, lines: list[str], at: int, found: list[str]) -> int:
        end = next((n for n in range(at + 2, len(lines)) if "|" not in lines[n]), len(lines))
        rows = []
        for number, line in enumerate([lines[at], *lines[at + 2 : end]]):
            tag = "th" if number == 0 else "td"
            cells = (self._line(cell.strip()) for cell in _cells(line))
            rows.append("<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>")
        found.append("<table>" + "".join(rows) + "</table>")
        return end

    def _list(self, lines: list[str], at: int, found: list[str]) -> int:
        first = _ITEM.fullmatch(lines[at])
        tag = "ol" if first is not None and first[2] else "ul"
        items: list[str] = []
        while at < len(lines):
            item = _ITEM.fullmatch(lines[at])
            if item is not None and (item[2] is None) != (tag == "ul"):
                break
            if item is not None:
                items.append(item[3])
            elif not lines[at].strip():
                after = next((line for line in lines[at:] if line.strip()), "")
                if not _ITEM.fullmatch(after):
                    break
            elif _begins_block(lines[at]):
                break
            else:
                items[-1] += " " + lines[at].strip()
            at += 1
        found.append(f"<{tag}>" + "".join(f"<li>{self._line(item)}</li>" for item in items) + f"</{tag}>")
        return at

    def _paragraph(self, lines: list[str], at: int, found: list[str]) -> int:
        end = at
        while end < len(lines) and lines[end].strip() and not (end > at and _ends_paragraph(lines[end])):
            end += 1
        is_quote = lines[at].lstrip().startswith(">")
        text = " ".join(line.strip().removeprefix(">").strip() if is_quote else line.strip() for line in lines[at:end])
        content = f"<p>{self._line(text)}</p>"
        found.append(f"<blockquote>{content}</blockquote>" if is_quote else content)
        return end

    def _line(self, text: str) -> str:
        """Return text within a line; HTML in it is escaped already, but for what stands in code."""
        parts, end = [], 0
        for one in _INLINE.finditer(text):
            parts += [text[end : one.start()], self._marked(one)]
            end = one.end()
        return "".join([*parts, text[end:]]).replace("\\$", "$")

    def _marked(self, one: re.Match[str]) -> str:
        if one["code"] is not None:
            return f"<code>{escape(one['code'].strip('`'))}</code>"
        if one["picture"] is not None:
            number = one["picture"].removeprefix("formula:")
            if number != one["picture"] and number.isdecimal() and int(number) < len(self._formulas):
                return self._formulas[int(number)]
            return self._picture(one["picture"].strip(), unescape(one["alt"]))
        if one["link"] is not None:
            label = self._line(one["label"])
            target = one["link"].strip()
            return f'<a href="{escape(target)}">{label}</a>' if target.lower().startswith("https://") else label
        if one["bold"] is not None:
            return f"<b>{self._line(one['bold'])}</b>"
        return f"<i>{self._line(one['italic'])}</i>"


def _begins_block(line: str) -> bool:
    """Return True if a heading or code begins, which needs no empty line before it."""
    return line.lstrip().startswith(_FENCES) or _HEADING.fullmatch(line.strip()) is not None


def _ends_paragraph(line: str) -> bool:
    return _begins_block(line) or _ITEM.fullmatch(line) is not None


def _cells(line: str) -> list[str]:
    """Return the cells of a row of a table; a bar within code or after a backslash is text."""
    inside = line.strip().removeprefix("|")
    cells = [""]
    for part in _CELL.findall(inside):
        if part == "|":
            cells.append("")
        else:
            cells[-1] += "|" if part == r"\|" else part
    if not cells[-1].strip() and len(cells) > 1:  # after the last bar
        cells.pop()
    return cells


def is_explorable(name: str) -> bool:
    """Return True if the name of a picture is that of an explorable."""
    return name.startswith(EXPLORABLE)
