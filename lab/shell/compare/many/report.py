"""The report of a comparison: one HTML page, and beside it each figure as PNG, SVG, PDF, pgf and a Python script."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.base.files.writing import make_folder, write_file
from lab.interop.report.markup import Markup, element, joined, page, table
from lab.widgets.core.i18n import language, tr
from lab.widgets.figures.csv_table import csv_of
from lab.widgets.figures.script import script_of
from lab.widgets.figures.vector import printed

FIGURES = "figures"
"""The folder of the figures beside the page."""
PAGE = "report.html"


@dataclass(frozen=True)
class ReportContent:
    """What a report says; plain data, so that a thread can write it.

    Args:
        title: Its title.
        scope: What is compared, one sentence each.
        titles: The titles of the columns of the table.
        rows: The cells of the table.
        conclusions: What can be concluded, one sentence each.
        figures: The figures by the names of their files.
    """

    title: str
    scope: Sequence[str]
    titles: Sequence[str]
    rows: Sequence[Sequence[str]]
    conclusions: Sequence[str]
    figures: dict[str, Any]


def write_report(folder: Path, content: ReportContent, cancelled: Callable[[], bool] = lambda: False) -> Path:
    """Write a report into a folder; this takes seconds and belongs in a thread.

    Args:
        folder: The folder; it is made if it is not there.
        content: What the report says.
        cancelled: Called between two files; True ends the writing.

    Returns:
        The path of the page.

    Raises:
        BadInput: The folder cannot be written to, or matplotlib is not installed.
        LabError: A file cannot be written.
    """
    make_folder(folder / FIGURES)
    shown = []
    for name, figure in content.figures.items():
        if cancelled():
            break
        files = {
            "png": printed(figure, "png"),
            "svg": printed(figure, "svg"),
            "pdf": printed(figure, "pdf"),
            "pgf": printed(figure, "pgf"),
            "py": script_of(figure),
            "csv": csv_of(figure),
        }
        for suffix, text in files.items():
            write_file(folder / FIGURES / f"{name}.{suffix}", text)
        shown.append(_figure(name, figure.title, bytes(files["png"]), list(files)))  # type: ignore[arg-type]
    path = folder / PAGE
    write_file(path, _page(content, shown))
    return path


def _page(content: ReportContent, figures: Sequence[Markup]) -> str:
    rows = [tuple(row) for row in content.rows]
    parts = [
        element("h1", content.title),
        *(element("p", sentence) for sentence in content.scope),
        element("h2", tr("Runs")),
        table(rows, *content.titles),
    ]
    if content.conclusions:
        parts += [element("h2", tr("Conclusions")), *(element("p", sentence) for sentence in content.conclusions)]
    parts += [element("h2", tr("Figures")), *figures] if figures else []
    return page(content.title, *parts, lang=language.code)


def _figure(name: str, title: str, picture: bytes, suffixes: Sequence[str]) -> Markup:
    source = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
    links = [element("a", suffix.upper(), href=f"{FIGURES}/{name}.{suffix}") for suffix in suffixes]
    separated = joined(*(part for link in links for part in (link, " ")))
    return element("figure", element("img", src=source, alt=title, style="max-width: 100%"),
                   element("figcaption", title, ". ", separated))  # fmt: skip
