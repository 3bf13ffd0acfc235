"""A text of a lesson: Markdown with formulas that are pictures, in which nothing is run, and whose copy is LaTeX."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QPointF, QRectF, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QImage,
    QMouseEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextImageFormat,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QToolTip, QWidget

from lab.lessons.glossary import tip_at, tip_of
from lab.lessons.markdown import EXPLORABLE, pieces
from lab.lessons.pictures import read_picture
from lab.lessons.spoken import spoken
from lab.shell.runtime.background import Background
from lab.widgets.core.controls import plain_tip
from lab.widgets.core.i18n import language, tr
from lab.widgets.core.theme import SIZES, px, themes
from lab.widgets.explorables.embedding import EmbeddedExplorables, MakeExplorable, image_cursor
from lab.widgets.formulas.marks import SymbolMarks
from lab.widgets.formulas.picture import FormulaPicture, typeset_picture

if TYPE_CHECKING:
    from lab.base.jobs import Job

FORMULA = "formula:"
LEADING = 140
"""Height of a line in percent of its font size."""
ALONE, IN_LINE = 11.5, 10.0
"""Sizes of formulas in points: of one that stands alone, and of one in a line."""
OBJECT = "\ufffc"
_numbers = itertools.count(1)


class LessonText(QTextBrowser):
    """A text that is as high as it is long. The symbol of a formula under the mouse is marked in all formulas.

    Args:
        background: Typesets formulas in a thread.
        name: Its name for screen readers.
        marks: The symbol that is pointed at on the page of the text.
        make_explorable: Makes the explorables that the text names; None leaves their titles.
        parent: Its parent.
    """

    help_requested = Signal(str)
    """A page of the help is to be shown, by its name."""
    example_requested = Signal(str)
    """A worked example is to be shown, by its name."""

    def __init__(
        self,
        background: Background,
        name: str,
        marks: SymbolMarks,
        make_explorable: MakeExplorable | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._background, self._marks = background, marks
        self.explorables = EmbeddedExplorables(self, make_explorable, EXPLORABLE)
        self._marked = ""  # the symbol that is marked in the pictures
        self._text, self._folder = "", Path()
        self._number = next(_numbers)
        self._document: QTextDocument | None = None
        self._formulas: list[str] = []
        self._alone: set[int] = set()
        self._pictures: list[FormulaPicture] = []
        self.setProperty("role", "reading")
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.anchorClicked.connect(self._follow)
        self.setMouseTracking(True)
        marks.changed.connect(self._mark)
        themes.changed.connect(self._restyle)

    def show_text(self, text: str, folder: Path) -> None:
        """Show a text; pictures are files of its folder."""
        if (text, folder) == (self._text, self._folder):
            return
        self._text, self._folder = text, folder
        self._pictures = []
        self._render()

    @property
    def formulas(self) -> Sequence[str]:
        """The LaTeX of its formulas."""
        return self._formulas

    def sizeHint(self) -> QSize:
        """Return its height at its width."""
        return QSize(320, self._height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the height to another width."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.explorables.fit()
            self._fit()

    def createMimeDataFromSelection(self) -> QMimeData:
        """Return the selected text, with the LaTeX of its formulas."""
        data = QMimeData()
        data.setText(self.selected_text())
        return data

    def selected_text(self) -> str:
        """Return the selected text, with the LaTeX of its formulas between dollar signs."""
        cursor = self.textCursor()
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        parts = []
        reading = QTextCursor(self.document())
        for position in range(start, end):
            reading.setPosition(position)
            reading.movePosition(QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.KeepAnchor)
            letter = reading.selectedText()
            latex = self._latex_of(reading.charFormat()) if letter == OBJECT else ""
            parts.append(f"${latex}$" if latex else "\n" if letter == "\u2029" else letter)
        return "".join(parts)

    def event(self, event: QEvent) -> bool:
        """Show the LaTeX of a formula, or what a term means, in a tool tip."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            tip = self._tip_at(event)
            if tip:
                QToolTip.showText(event.globalPos(), plain_tip(tip), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def _tip_at(self, event: QHelpEvent) -> str:
        position = self.viewport().mapFromGlobal(event.globalPos())
        link = self.anchorAt(position)
        if link.startswith("term:"):
            return tip_of(link.removeprefix("term:"), language.code)
        cursor = self.cursorForPosition(position)
        for move in (QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveOperation.PreviousCharacter):
            near = QTextCursor(cursor)
            near.movePosition(move, QTextCursor.MoveMode.KeepAnchor)
            if near.selectedText() == OBJECT:
                near.setPosition(max(near.position(), near.anchor()))
                latex = self._latex_of(near.charFormat())
                if latex:
                    return latex
        return tip_at(cursor.block().text(), cursor.positionInBlock(), language.code)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point at the symbol of a formula under the mouse."""
        super().mouseMoveEvent(event)
        self._marks.point(self.symbol_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Point at nothing."""
        super().leaveEvent(event)
        self._marks.point("")

    def symbol_at(self, position: QPointF) -> str:
        """Return the symbol of a formula at a position in pixels; "" for none."""
        name = self.document().documentLayout().imageAt(position)
        number = name.removeprefix(FORMULA)
        if name == number or not number.isdecimal() or int(number) >= len(self._pictures):
            return ""
        return self._pictures[int(number)].symbol_at(position - self.formula_rect(int(number)).topLeft())

    def formula_rect(self, number: int) -> QRectF:
        """Return where a formula is, in pixels; an empty one if it is not in the document."""
        document = self.document()
        cursor = image_cursor(document, f"{FORMULA}{number}")
        if cursor is None:
            return QRectF()
        block, form = cursor.block(), cursor.charFormat().toImageFormat()
        inside = cursor.selectionStart() - block.position()
        line = block.layout().lineForTextPosition(inside)
        top = document.documentLayout().blockBoundingRect(block).topLeft()
        x, baseline = line.cursorToX(inside)[0], line.y() + line.ascent()  # type: ignore[index]
        return QRectF(top.x() + x, top.y() + baseline - form.height() / 2, form.width(), form.height())

    def _mark(self, symbol: str) -> None:
        """Show the formulas again that have the symbol that is pointed at, or had the one before."""
        before, self._marked = self._marked, symbol
        document = self.document()
        for number, picture in enumerate(self._pictures):
            if picture.has(symbol) or picture.has(before):
                url = QUrl(f"{FORMULA}{number}")
                kind = QTextDocument.ResourceType.ImageResource.value
                document.addResource(kind, url, picture.marked(symbol))
                cursor = image_cursor(document, f"{FORMULA}{number}")
                if cursor is not None:
                    document.markContentsDirty(cursor.selectionStart(), 1)
        self.viewport().update()

    def _latex_of(self, form: QTextCharFormat) -> str:
        name = form.toImageFormat().name() if form.isImageFormat() else ""
        number = name.removeprefix(FORMULA)
        known = name.startswith(FORMULA) and number.isdecimal() and int(number) < len(self._formulas)
        return self._formulas[int(number)] if known else ""

    def _restyle(self) -> None:
        if self._text:
            self._pictures = []
            self._render()

    def _render(self) -> None:
        """Make the document, without pictures of formulas at first, and typeset them in the background."""
        self._formulas, self._alone, markdown = _numbered(self._text)
        document = _Document(self._folder, self)
        document.setDefaultFont(self.font())
        document.setUndoRedoEnabled(False)
        document.setDefaultStyleSheet(f"a {{ color: {themes.now.accent}; }}")
        document.setBaseUrl(QUrl.fromLocalFile(f"{self._folder}/"))
        document.setMarkdown(markdown, QTextDocument.MarkdownFeature.MarkdownDialectGitHub
                             | QTextDocument.MarkdownFeature.MarkdownNoHTML)  # fmt: skip
        _set_type(document)
        words = (f"{number}: {spoken(latex, language.code)}" for number, latex in enumerate(self._formulas, 1))
        self.setAccessibleDescription("; ".join(words))
        previous, self._document = self._document, document
        self.setDocument(document)
        if previous is not None:
            previous.deleteLater()
        self.explorables.show_document()
        self._show_pictures(self._pictures)
        if self._formulas and not self._pictures:
            x_height = QFontMetricsF(self.font()).xHeight()
            sized = [(latex, number in self._alone) for number, latex in enumerate(self._formulas)]
            scale = self.devicePixelRatioF()
            work = partial(_typeset, sized, themes.now.text, scale, themes.scale, x_height)
            title = tr("Typesetting formulas")
            self._background.run(title, work, self._take_pictures, _ignore, replaces=f"lesson text {self._number}")

    def _take_pictures(self, pictures: list[FormulaPicture]) -> None:
        if len(pictures) == len(self._formulas):
            self._pictures = pictures
            self._show_pictures(pictures)

    def _show_pictures(self, pictures: Sequence[FormulaPicture]) -> None:
        """Put the pictures of formulas into the document; the LaTeX stays where there is none."""
        document = self.document()
        for number, latex in enumerate(self._formulas):
            image = pictures[number].marked(self._marked) if number < len(pictures) else QImage()
            if image.isNull():
                image = _latex_picture(latex, self.font(), self.devicePixelRatioF())
            url = QUrl(f"{FORMULA}{number}")
            document.addResource(QTextDocument.ResourceType.ImageResource.value, url, image)
            self._set_image(number, image)
        document.markContentsDirty(0, document.characterCount())
        self._fit()

    def _set_image(self, number: int, image: QImage) -> None:
        """Give the image of a formula its size and place on the line."""
        cursor = image_cursor(self.document(), f"{FORMULA}{number}")
        if cursor is None:
            return
        form = QTextImageFormat()
        form.setName(f"{FORMULA}{number}")
        form.setWidth(image.width() / image.devicePixelRatio())
        form.setHeight(image.height() / image.devicePixelRatio())
        form.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
        cursor.setCharFormat(form)

    def _height(self) -> int:
        document = self.document()
        document.setTextWidth(self.viewport().width())
        return int(document.size().height()) + 2 * self.frameWidth() + 1

    def _fit(self) -> None:
        self.setFixedHeight(self._height())
        self.explorables.place()

    def _follow(self, link: QUrl) -> None:
        scheme, rest = link.scheme(), link.toString().partition(":")[2]
        if scheme == "https":
            QDesktopServices.openUrl(link)
        elif scheme == "help":
            self.help_requested.emit(rest)
        elif scheme == "example":
            self.example_requested.emit(rest)
        elif scheme == "term":
            QToolTip.showText(self.cursor().pos(), plain_tip(tip_of(rest, language.code)), self)


class _Document(QTextDocument):
    """A document whose only pictures are those of a folder: Qt would read any file of the machine.

    Args:
        folder: The folder.
        parent: Its parent.
    """

    def __init__(self, folder: Path, parent: QWidget) -> None:
        super().__init__(parent)
        self._folder = folder

    def loadResource(self, _kind: int, url: QUrl | str) -> QImage:
        """Return a picture of the folder; for all else a pixel, since Qt would search on where there is no picture."""
        image = QImage.fromData(read_picture(self._folder, Path(QUrl(url).toLocalFile())))
        if image.isNull():
            image = QImage(1, 1, QImage.Format.Format_ARGB32)
            image.fill(Qt.GlobalColor.transparent)
        return image


def _numbered(text: str) -> tuple[list[str], set[int], str]:
    """Return the formulas of a text, the numbers of those that stand alone, and the text with pictures in their places.

    The pictures are named by the numbers of the formulas.
    """
    formulas: list[str] = []
    alone: set[int] = set()
    parts = []
    for piece in pieces(text):
        if piece.is_formula:
            parts.append(f"\n\n![formula]({FORMULA}{len(formulas)})\n\n")
            alone.add(len(formulas))
            formulas.append(piece.text)
            continue
        first, part = len(formulas), piece.text
        for number in reversed(range(len(piece.inline))):
            part = part.replace(f"]({FORMULA}{number})", f"]({FORMULA}{first + number})")
        formulas += piece.inline
        parts.append(part)
    return formulas, alone, "".join(parts)


def _set_type(document: QTextDocument) -> None:
    """Set sizes, margins and line heights, and centre formulas that stand alone."""
    document.setDocumentMargin(0)
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    block = document.begin()
    while block.isValid():
        form = block.blockFormat()
        level = form.headingLevel()
        cursor.setPosition(block.position())
        if level:
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
            letters = cursor.charFormat()
            letters.clearProperty(QTextFormat.Property.FontSizeAdjustment)
            letters.setProperty(QTextFormat.Property.FontPixelSize, px(SIZES["title"]))
            letters.setFontWeight(QFont.Weight.Bold)
            cursor.setCharFormat(letters)
        alone = block.text().strip() == OBJECT
        form.setBottomMargin(3 if block.textList() else 10)
        form.setTopMargin(12 if level and block != document.begin() else 4 if alone else 0)
        if alone:
            form.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        elif OBJECT not in block.text():
            form.setLineHeight(LEADING, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setPosition(block.position())
        cursor.setBlockFormat(form)
        block = block.next()
    cursor.endEditBlock()


def _typeset(
    formulas: Sequence[tuple[str, bool]], colour: str, scale: float, type_scale: float, x_height: float, job: Job
) -> list[FormulaPicture]:
    """Return pictures of formulas; a null one for LaTeX that cannot be read; in a thread."""
    from lab.widgets.formulas.typesetting import close_fonts

    found = []
    try:
        for latex, is_alone in formulas:
            if job.cancelled:
                break
            points = (ALONE if is_alone else IN_LINE) * type_scale
            shown = latex.replace(r"\frac", r"\dfrac") if is_alone else latex
            found.append(typeset_picture(shown, colour, scale, points, x_height))
    finally:
        close_fonts()
    return found


def _latex_picture(latex: str, font: QFont, scale: float) -> QImage:
    """Return LaTeX as it is written, for the time before it is typeset."""
    from PySide6.QtGui import QPainter

    metrics = QFontMetricsF(font)
    width, height = max(1.0, metrics.horizontalAdvance(latex)), metrics.height()
    image = QImage(int(width * scale) + 1, int(height * scale) + 1, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(scale)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setFont(font)
    painter.setPen(QColor(themes.now.dim))
    painter.drawText(0, int(metrics.ascent()), latex)
    painter.end()
    return image


def _ignore(_: object) -> None:
    """Leave the LaTeX where it is."""
