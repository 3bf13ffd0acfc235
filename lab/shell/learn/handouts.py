"""The file of a handout: HTML that opens anywhere, with its formulas and pictures inside, or PDF."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF
from PySide6.QtGui import QGuiApplication, QPageLayout, QPageSize, QPdfWriter, QTextDocument

from lab.base.files.temporary import temporary_path
from lab.base.files.writing import make_folder, place_file, write_errors_as_problems, write_file
from lab.lessons.handout import handout
from lab.lessons.html import is_explorable
from lab.lessons.lesson import Lesson
from lab.lessons.pictures import read_picture
from lab.lessons.results import read_cached, read_recorded
from lab.lessons.spoken import spoken
from lab.widgets.core.i18n import language, tr
from lab.widgets.formulas.picture import typeset_picture

SCALE = 4.0
"""Pixels of a formula per pixel of an ordinary screen, so that it is sharp on paper."""
INK = "#1d2129"
"""The colour of formulas."""
ALONE, IN_LINE = 12.0, 10.5
"""Sizes of formulas in points: of one that stands alone, and of one in a line."""
X_HEIGHT = 7.5
"""Height of the letter x of the text around formulas, in pixels."""


def handout_page(lesson: Lesson, *, answers: bool = False) -> str:
    """Return a lesson as a page of HTML, with formulas and pictures inside.

    Args:
        lesson: The lesson.
        answers: Whether it is for the teacher.
    """
    from lab.widgets.formulas.typesetting import close_fonts

    outcome = (read_cached(lesson).first or read_recorded(lesson).first) if answers else None

    def picture(name: str, text: str) -> str:
        if is_explorable(name):
            return f"<i>{escape(tr('In the window: {title}', title=text))}</i>"
        content = read_picture(lesson.folder, lesson.folder / name)
        if not content:
            return escape(text)
        return f'<img alt="{escape(text)}" src="data:image/png;base64,{base64.b64encode(content).decode()}">'

    def formula(latex: str, is_alone: bool) -> str:
        return _formula(latex, spoken(latex, lesson.language), is_alone=is_alone)

    try:
        return handout(lesson, formula, picture, outcome=outcome, answers=answers, translate=_heading)
    finally:
        close_fonts()


def write_handout(lesson: Lesson, file: Path, *, answers: bool = False) -> None:
    """Write a lesson to a file: PDF if its name ends with .pdf, else HTML.

    Raises:
        LabError: The file cannot be written.
    """
    write_file(file, _content(lesson, file.suffix.lower(), answers=answers))


def write_handouts(
    lessons: Sequence[Lesson],
    folder: Path,
    ending: str,
    *,
    answers: bool = False,
    cancelled: Callable[[], bool] = lambda: False,
) -> list[Path]:
    """Write lessons into a folder, a file each; one whose name is taken gets a number. A thread may call it.

    Args:
        lessons: The lessons.
        folder: The folder.
        ending: ".html" or ".pdf".
        answers: Whether they are for the teacher.
        cancelled: Called for each lesson; returning True ends the work with what was written.

    Raises:
        LabError: A file cannot be written.
    """
    written = []
    for lesson in lessons:
        if cancelled():
            break
        path = make_folder(folder) / f"{lesson.name}{'-answers' if answers else ''}{ending}"
        with temporary_path(path, recorded=True) as new, write_errors_as_problems(path):
            new.write_bytes(_content(lesson, ending, answers=answers))
            written.append(place_file(new, path))
    return written


def _content(lesson: Lesson, ending: str, *, answers: bool) -> bytes:
    page = handout_page(lesson, answers=answers)
    return _pdf(page, lesson.title) if ending == ".pdf" else page.encode()


@contextmanager
def without_window(code: str) -> Iterator[None]:
    """Make what `write_handout` needs where no window is open.

    Args:
        code: The code of the language of headings.
    """
    before = os.environ.get("QT_QPA_PLATFORM")
    application = None
    if QGuiApplication.instance() is None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        application = QGuiApplication(["lm-lab"])
    other = language.code
    language.use(code)
    try:
        yield
    finally:
        language.use(other)
        if application is not None:
            application.shutdown()
            if before is None:
                del os.environ["QT_QPA_PLATFORM"]
            else:
                os.environ["QT_QPA_PLATFORM"] = before


def _heading(text: str) -> str:
    """Translate a heading of a handout."""
    known = {
        "Name": tr("Name"), "Predict": tr("Predict"), "Result": tr("Result"), "Explain": tr("Explain"),
        "Questions": tr("Questions"), "Going further": tr("Going further"), "For the teacher": tr("For the teacher"),
        "measured": tr("measured"), "Fill in what was measured.": tr("Fill in what was measured."),
        "The mistake it meets: {mistake}": tr("The mistake it meets: {mistake}"), "{n} minutes": tr("{n} minutes"),
        "lectures {sections}": tr("lectures {sections}"), "{low} to {high}": tr("{low} to {high}"),
        "Right is: {rules}": tr("Right is: {rules}"),
    }  # fmt: skip
    return known[text]


def _formula(latex: str, words: str, *, is_alone: bool) -> str:
    """Return a formula as a picture with its LaTeX; the LaTeX alone if it cannot be typeset."""
    shown = latex.replace(r"\frac", r"\dfrac") if is_alone else latex
    try:
        made = typeset_picture(shown, INK, SCALE, ALONE if is_alone else IN_LINE, X_HEIGHT)
    except ImportError:
        return f"<code>{escape(latex)}</code>"
    if made.image.isNull():
        return f"<code>{escape(latex)}</code>"
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    made.image.save(buffer, "PNG")  # type: ignore[call-overload]  # the stub wants bytes, which Qt refuses
    source = base64.b64encode(data.data()).decode()
    width, height = round(made.image.width() / SCALE), round(made.image.height() / SCALE)
    return (
        f'<img alt="{escape(words)}" title="{escape(latex)}" width={width} height={height} '
        f'src="data:image/png;base64,{source}">'
    )


def _pdf(page: str, title: str) -> bytes:
    """Return a page of HTML as PDF in A4."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(96)
    writer.setTitle(title)
    writer.setPageLayout(QPageLayout(QPageSize(QPageSize.PageSizeId.A4), QPageLayout.Orientation.Portrait,
                                     QMarginsF(18, 16, 18, 16), QPageLayout.Unit.Millimeter))  # fmt: skip
    document = QTextDocument()
    document.setDocumentMargin(0)
    document.setHtml(page)
    document.setPageSize(writer.pageLayout().paintRectPixels(96).size().toSizeF())
    document.print_(writer)
    buffer.close()
    return bytes(data.data())
