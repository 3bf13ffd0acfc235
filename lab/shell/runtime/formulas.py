"""The typesetting of formulas in the background."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

from lab.base.problems import Problem
from lab.shell.runtime.background import Background
from lab.widgets.core.i18n import tr

if TYPE_CHECKING:
    from lab.base.jobs import Job


def typeset_formulas(
    background: Background,
    formulas: Sequence[str],
    colour: str,
    scale: float,
    show: Callable[[Sequence[QImage]], object],
) -> None:
    """Typeset formulas in a thread; without matplotlib, or where it cannot read one, the LaTeX stays.

    Args:
        background: Runs the work.
        formulas: The formulas, in LaTeX.
        colour: The colour of the ink.
        scale: Device pixels of a pixel.
        show: Called with their pictures, in the main thread.
    """
    work = partial(_typeset, tuple(formulas), colour, scale)
    background.run(tr("Typesetting a formula"), work, show, _ignore, replaces="formula")


def _typeset(formulas: Sequence[str], colour: str, scale: float, job: Job) -> list[QImage]:
    from lab.widgets.figures.formula import close_fonts

    try:
        return [QImage() if job.cancelled else _picture_of(latex, colour, scale) for latex in formulas]
    finally:
        close_fonts()


def _picture_of(latex: str, colour: str, scale: float) -> QImage:
    from lab.widgets.figures.formula import typeset

    try:
        picture = typeset(latex, colour, scale)
    except ValueError:  # not the LaTeX that matplotlib reads
        return QImage()
    height, width, _ = picture.shape
    image = QImage(picture.tobytes(), width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()
    image.setDevicePixelRatio(scale)
    return image


def _ignore(_: Problem) -> None:
    """Leave the LaTeX where it is."""
