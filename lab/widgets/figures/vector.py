"""A figure as SVG or PDF through matplotlib, in a style for paper: white ground, text that stays text."""

from __future__ import annotations

import io
import threading
import warnings
from typing import Any, Literal

from lab.base.extras import need
from lab.widgets.core.i18n import tr
from lab.widgets.figures.chart import DENSE, ChartFigure

STYLE = {"svg.fonttype": "none", "pdf.fonttype": 42, "path.simplify": False, "svg.hashsalt": "LM Lab"}
"""Text is text in an SVG and embedded as TrueType in a PDF, and no point is left out but by us."""
FONTS = ("DejaVu Sans", "Noto Sans CJK SC", "Noto Sans CJK JP", "Microsoft YaHei", "Hiragino Sans", "Segoe UI Symbol")
"""Where signs are looked for, one after the other, as far as these fonts are there."""
DOTS = 300
"""Pixels per inch of what cannot be drawn as lines: the cells of a map."""

_lock = threading.Lock()  # matplotlib's settings are those of the whole process


def printed(figure: Any, form: Literal["svg", "pdf"]) -> bytes:
    """Return a figure as a file; this takes up to seconds and belongs into a thread.

    Args:
        figure: A ChartFigure, MapFigure or BarsFigure.
        form: What kind of file.

    Raises:
        BadInput: matplotlib is not installed.
    """
    matplotlib = need("matplotlib", "figures", tr("An SVG or a PDF"))
    manager = need("matplotlib.font_manager", "figures", tr("An SVG or a PDF")).fontManager
    file = io.BytesIO()
    there = {font.name for font in manager.ttflist}
    families = [name for name in FONTS if name in there]
    with _lock, matplotlib.rc_context({**STYLE, "font.family": families}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # a sign that no font has is drawn as a box
        figure.draw().savefig(file, format=form, dpi=DOTS, metadata=_metadata(figure, form))
    return file.getvalue()


def _metadata(figure: Any, form: str) -> dict[str, Any]:
    """Return title, creator, and the lines drawn by fewer points than they have; no date: same chart, same file."""
    note = ""
    if isinstance(figure, ChartFigure):
        long = [f"{line.name}: {len(line.points):,}" for line in figure.lines if len(line.points) > DENSE]
        note = "; ".join(long) and tr("Drawn through minima and maxima, of so many points: {lines}",
                                        lines="; ".join(long))  # fmt: skip
    note_key, date = ("Description", "Date") if form == "svg" else ("Subject", "CreationDate")
    return {"Title": figure.title, "Creator": "LM Lab", note_key: note or None, date: None}
