"""HTML and SVG as nested calls. Every text is escaped, so that no generated text can become markup."""

from __future__ import annotations

import html
from typing import TypeAlias

from lab.base.folders import resources

CONTROLS = {code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"} | {127: 0x2421}
"""Control characters, which HTML must not contain, and Unicode's pictures of them."""
VOID = ("meta", "img", "col", "input")
"""Elements without content and end tag."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""The browser's permissions for a page: it runs no script and fetches nothing."""


class Markup(str):
    """Text that is already markup; made only by `element` and `joined`."""

    __slots__ = ()


Content: TypeAlias = str | Markup | int | float | None


def element(name: str, /, *content: Content, **attributes: Content) -> Markup:
    """Return an element of HTML or SVG.

    Args:
        name: Its name.
        content: Its content: markup unchanged, everything else escaped; None is omitted.
        attributes: Its attributes; "_" stands for "-", a last "_" is dropped (class_), None omits the attribute.
    """
    given = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items() if value is not None}
    head = "".join(f' {key}="{_escaped(str(value))}"' for key, value in given.items())
    if name in VOID:
        return Markup(f"<{name}{head}>")
    return Markup(f"<{name}{head}>{joined(*content)}</{name}>")


def joined(*content: Content) -> Markup:
    """Return several contents one after the other: markup unchanged, everything else escaped."""
    return Markup(
        "".join(part if isinstance(part, Markup) else _escaped(str(part)) for part in content if part is not None)
    )


def table(rows: list[tuple[Content, ...]], *heads: str, class_: str | None = None) -> Markup:
    """Return a table whose first cell in each row names the row.

    Args:
        rows: The cells.
        heads: Headings of the columns; none for a table of names and values.
        class_: Its class.
    """
    head = element("thead", element("tr", *(element("th", each, scope="col") for each in heads))) if heads else None
    lines = (
        element("tr", element("th", first, scope="row"), *(element("td", cell) for cell in cells))
        for first, *cells in rows
    )
    return element("div", element("table", head, element("tbody", *lines), class_=class_), class_="wide")


def page(title: str, *content: Content, lang: str = "en") -> Markup:
    """Return a complete page that needs no other file, in a language by its code."""
    style = Markup((resources() / "pages" / "report.css").read_text(encoding="utf-8"))
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", style),
    )
    return joined(Markup("<!DOCTYPE html>\n"), element("html", head, element("body", *content), lang=lang))


def _escaped(text: str) -> str:
    shown = text.replace("\r\n", "\n").translate(CONTROLS)
    return html.escape(shown.encode(errors="backslashreplace").decode())
