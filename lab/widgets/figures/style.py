"""The style of figures on paper: colours, font sizes, titles, and texts that matplotlib prints literally."""

from __future__ import annotations

from typing import Any

INK, DIM, HAIR = "#1d2129", "#5c6675", "#e4e7ec"
SIZE, SMALL = 9, 7.5
"""Font sizes in points."""


def entitle(axes: Any, title: str) -> None:
    """Write a title over the left end of a plot."""
    style = {"loc": "left", "fontsize": SIZE + 2, "fontweight": "bold", "color": INK, "pad": 10}
    axes.set_title(plain(title), **style)


def plain(text: str) -> str:
    """Return a text that matplotlib does not read as a formula and that a file can hold."""
    return "".join(sign if sign.isprintable() or sign == "\n" else "�" for sign in text).replace("$", r"\$")
