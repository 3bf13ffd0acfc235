"""A figure as SVG or PDF through matplotlib, in a style for paper: white background, text as text."""

from __future__ import annotations

import io
import threading
import warnings
from typing import Any, Literal

from lab.base.extras import need
from lab.widgets.core.i18n import tr
from lab.widgets.figures.chart import DENSE, ChartFigure

STYLE = {"svg.fonttype": "none", "pdf.fonttype": 42, "path.simplify": False, "svg.hashsalt": "LM Lab"}
"""matplotlib's settings: text as text in an SVG and as TrueType in a PDF; matplotlib leaves out no point."""
FONTS = ("DejaVu Sans", "Noto Sans CJK SC", "Noto Sans CJK JP", "Microsoft YaHei", "Hiragino Sans", "Segoe UI Symbol")
"""The fonts in which signs are looked up, in this order, if they are installed."""
DOTS = 300
"""Pixels per inch of parts that cannot be drawn as lines: the cells of a map."""

_lock = threading.Lock()  # matplotlib's settings are those of the whole process


def printed(figure: Any, form: Literal["svg", "pdf"]) -> bytes:
    """Return a figure as a file; this can take seconds and belongs in a thread.

    Args:
        figure: A ChartFigure, MapFigure or BarsFigure.
        form: The file format.

    Raises:
        BadInput: matplotlib is not installed.
    """
    matplotlib = need("matplotlib", "figures", tr("An SVG or a PDF"))
    manager = need("matplotlib.font_manager", "figures", tr("An SVG or a PDF")).fontManager
    file = io.BytesIO()
    installed = {font.name for font in manager.ttflist}
    families = [name for name in FONTS if name in installed]
    with _lock, matplotlib.rc_context({**STYLE, "font.family": families}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # a sign that no font has is drawn as a box
        figure.draw().savefig(file, format=form, dpi=DOTS, metadata=_metadata(figure, form))
    return file.getvalue()


def _metadata(figure: Any, form: str) -> dict[str, Any]:
    """Return title, creator, and the lines drawn with fewer points; no date, so that equal charts give equal files."""
    note = ""
    if isinstance(figure, ChartFigure):
        long = [f"{line.name}: {len(line.points):,}" for line in figure.lines if len(line.points) > DENSE]
        note = "; ".join(long) and tr("Drawn through minima and maxima; number of points: {lines}",
                                        lines="; ".join(long))  # fmt: skip
    note_key, date = ("Description", "Date") if form == "svg" else ("Subject", "CreationDate")
    return {"Title": figure.title, "Creator": "LM Lab", note_key: note or None, date: None}
