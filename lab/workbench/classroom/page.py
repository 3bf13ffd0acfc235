"""The table of a class as one page of HTML for the projector: ranks, curves, and samples side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lab.base.units import short
from lab.interop.report.charts import ROW, Line, chart, step_text
from lab.interop.report.markup import Markup, element, page, table
from lab.interop.report.tables import section
from lab.interop.report.words import ENGLISH, Words, number, tr, tr_n, tr_name, words, written_in
from lab.workbench.classroom.table import Ranked

SHOWN_FIRST = 3
"""Ranks whose curves are drawn stronger."""
WIDTH, LEAST_HEIGHT = 960, 360
"""Size of the chart in pixels; it grows with the number of labels at the ends of its lines."""


def class_page(rows: Sequence[Ranked], title: str, language: Words = ENGLISH) -> str:
    """Return the page of a table.

    Args:
        rows: The rows of the table.
        title: Its title.
        language: The language of the page.
    """
    with written_in(language):
        count = tr_n("1 run was handed in.", "{n} runs were handed in.", len(rows))
        head = element("header", element("h1", title), element("p", count, class_="dim"))
        foot = element("footer", tr("This page needs no network and runs no script."))
        return page(title, head, _table(rows), _curves(rows), _samples(rows), foot, lang=words().code)


def _table(rows: Sequence[Ranked]) -> Markup:
    heads = (
        tr("rank"), tr("student"), tr("run"), tr("architecture"), tr("corpus"), tr("steps"), tr("parameters"),
        tr("best loss"), tr("remark"),
    )  # fmt: skip
    cells: list[tuple[str | Markup | int | float | None, ...]] = []
    for row in rows:
        one = row.entry
        rank = "" if row.rank is None else str(row.rank)
        if one.problem is not None:
            why = element("span", words().message(one.problem), class_="gaps")
            cells.append((rank, one.label, "", "", "", "", "", "", why))
            continue
        loss = "" if one.loss is None else number(f"{one.loss:.4f}")
        parameters = "" if one.parameters is None else number(short(one.parameters))
        remark = tr("not compared: {why}", why=tr_name(row.difference)) if row.difference else ""
        names = (one.label, one.run, tr_name(one.architecture), tr_name(one.corpus))
        cells.append((rank, *names, number(f"{one.steps:,}"), parameters, loss, remark))
    return section(tr("Table"), table(cells, *heads, class_="class"))


def _curves(rows: Sequence[Ranked]) -> Markup:
    drawn = [row for row in rows if row.entry.curve and not row.difference]
    if not drawn:
        return Markup()
    lines = [
        Line(
            row.entry.label,
            np.asarray(row.entry.curve_steps),
            np.asarray(row.entry.curve),
            "strong" if row.rank is not None and row.rank <= SHOWN_FIRST else "thin",
        )
        for row in reversed(drawn)  # the best ones are drawn last, above the others
    ]
    last = max(row.entry.curve_steps[-1] for row in drawn)
    axis = f"{tr('validation loss')}, {tr_name(drawn[0].entry.unit)}"
    size = WIDTH, max(LEAST_HEIGHT, ROW * (len(lines) + 4))
    note = tr("Only runs whose losses compare. The best {n} are drawn stronger.", n=SHOWN_FIRST)
    return section(tr("Curves"), chart(tr("validation loss"), axis, lines, last, size=size),
                   element("p", note, class_="dim"))  # fmt: skip


def _samples(rows: Sequence[Ranked]) -> Markup:
    shown = [
        element("div", element("h3", row.entry.label), element("pre", "\n", row.entry.sample, dir="auto"),
                element("p", f"{row.entry.run}, {step_text(row.entry.steps)}", class_="dim"))
        for row in rows
        if row.entry.sample
    ]  # fmt: skip
    return section(tr("Samples"), element("div", *shown, class_="small")) if shown else Markup()
