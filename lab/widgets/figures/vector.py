"""A figure as SVG, PDF, pgf or PNG through matplotlib, in a style for paper: white background, text as text."""

from __future__ import annotations

import io
import shutil
import tempfile
import threading
import warnings
from pathlib import Path
from typing import Any, Literal
from unittest import mock

from lab.base import BadInput
from lab.base.extras import need
from lab.widgets.core.i18n import tr
from lab.widgets.figures.chart import DENSE, ChartFigure

STYLE = {"svg.fonttype": "none", "pdf.fonttype": 42, "path.simplify": False, "svg.hashsalt": "LM Lab"}
"""matplotlib's settings: text as text in an SVG and as TrueType in a PDF; matplotlib leaves out no point."""
FONTS = ("DejaVu Sans", "Noto Sans CJK SC", "Noto Sans CJK JP", "Microsoft YaHei", "Hiragino Sans", "Segoe UI Symbol")
"""The fonts in which signs are looked up, in this order, if they are installed."""
DOTS, SCREEN = 300, 160
"""Pixels per inch of parts that cannot be drawn as lines, the cells of a map, and of a PNG."""

_lock = threading.Lock()  # matplotlib's settings are those of the whole process


def printed(figure: Any, form: Literal["svg", "pdf", "pgf", "png"]) -> bytes:
    """Return a figure as a file; this can take seconds and belongs in a thread.

    Args:
        figure: A ChartFigure, MapFigure or BarsFigure.
        form: The file format; pgf is a picture of LaTeX, whose text is set in the font of the document.

    Raises:
        BadInput: matplotlib is not installed.
    """
    matplotlib = need("matplotlib", "figures", tr("A figure for paper"))
    manager = need("matplotlib.font_manager", "figures", tr("A figure for paper")).fontManager
    installed = {font.name for font in manager.ttflist}
    families = [name for name in FONTS if name in installed]
    with _lock, matplotlib.rc_context({**STYLE, "font.family": families}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # a sign that no font has is drawn as a box
        if form == "pgf":
            return _pgf(figure.draw())
        file = io.BytesIO()
        dots = SCREEN if form == "png" else DOTS
        figure.draw().savefig(file, format=form, dpi=dots, metadata=_metadata(figure, form))
    return file.getvalue()


def _pgf(drawn: Any) -> bytes:
    """Return a drawn figure as pgf; where there is no LaTeX, texts are measured in a font of matplotlib."""
    from matplotlib.backends import backend_pgf

    manager: Any = backend_pgf.LatexManager
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figure.pgf"
        if shutil.which("xelatex") is None:
            with mock.patch.object(manager, "_get_cached_or_new", classmethod(lambda _: _Measure())):
                drawn.savefig(path, format="pgf", backend="pgf")
        else:
            drawn.savefig(path, format="pgf", backend="pgf")
        if len(list(path.parent.iterdir())) > 1:
            what = "this figure has cells or a bar of colours, which a pgf file cannot hold"
            raise BadInput(what, field="file", remedy="Export it as PDF")
        return path.read_bytes()


class _Measure:
    """Measures texts as matplotlib's LatexManager does, in points."""

    def get_width_height_descent(self, text: str, properties: Any) -> tuple[float, float, float]:
        """Return width, height and descent of a text."""
        from matplotlib.textpath import text_to_path

        measured: tuple[float, float, float] = text_to_path.get_text_width_height_descent(text, properties, False)
        return measured


def _metadata(figure: Any, form: str) -> dict[str, Any]:
    """Return title, creator, and the lines drawn with fewer points; no date, so that equal charts give equal files."""
    note = ""
    if isinstance(figure, ChartFigure):
        long = [f"{line.name}: {len(line.points):,}" for line in figure.lines if len(line.points) > DENSE]
        note = "; ".join(long) and tr("Drawn through minima and maxima; number of points: {lines}",
                                        lines="; ".join(long))  # fmt: skip
    if form == "png":
        return {"Title": figure.title, "Software": "LM Lab", **({"Description": note} if note else {})}
    note_key, date = ("Description", "Date") if form == "svg" else ("Subject", "CreationDate")
    return {"Title": figure.title, "Creator": "LM Lab", note_key: note or None, date: None}
