"""The typesetting of formulas in the background."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

from lab.base.problems import Problem
from lab.shell.runtime.background import Background
from lab.widgets.core.i18n import tr
from lab.widgets.formulas.picture import FormulaPicture, typeset_picture

if TYPE_CHECKING:
    from lab.base.jobs import Job


def typeset_formulas(
    background: Background,
    formulas: Sequence[str],
    colour: str,
    scale: float,
    show: Callable[[Sequence[FormulaPicture]], object],
    *,
    replaces: str = "formula",
) -> None:
    """Typeset formulas in a thread; without matplotlib, or where it cannot read one, the LaTeX stays.

    Args:
        background: Runs the work.
        formulas: The formulas, in LaTeX.
        colour: The colour of the ink.
        scale: Device pixels of a pixel.
        show: Called with their pictures, in the main thread.
        replaces: A key; typesetting with the same key that still runs is cancelled.
    """
    work = partial(_typeset, tuple(formulas), colour, scale)
    background.run(tr("Typesetting a formula"), work, show, _ignore, replaces=replaces)


def _typeset(formulas: Sequence[str], colour: str, scale: float, job: Job) -> list[FormulaPicture]:
    from lab.widgets.formulas.typesetting import close_fonts

    none = FormulaPicture(QImage())
    try:
        return [none if job.cancelled else typeset_picture(latex, colour, scale) for latex in formulas]
    finally:
        close_fonts()


def _ignore(_: Problem) -> None:
    """Leave the LaTeX where it is."""
