"""The typesetting of help pages: font sizes, spacing of paragraphs and lines, tables with hairlines."""

from __future__ import annotations

from PySide6.QtGui import (
    QColor,
    QFont,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextTable,
)

from lab.widgets.core.theme import SIZES, px, themes

HEADINGS = {1: 20, 2: 16}
"""Font size in pixels of headings by level; other levels have the size of text."""
SMALL = 3
"""The level from which on headings have smaller margins."""
LEADING = 130
"""Height of a line in percent of its font size."""
PICTURE = "\ufffc"
"""The character that represents a picture in the text of a page."""


def set_type(page: QTextDocument) -> None:
    """Set the font sizes, margins, line heights and table borders of a page."""
    page.setDocumentMargin(0)
    cursor = QTextCursor(page)
    cursor.beginEditBlock()
    block = page.begin()
    while block.isValid():
        form = block.blockFormat()
        level, code = form.headingLevel(), form.nonBreakableLines()
        cursor.setPosition(block.position())
        if level or code:
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
            letters = cursor.charFormat()
            letters.clearProperty(QTextFormat.Property.FontSizeAdjustment)  # it would override the size
            size = px(SIZES["note"] if code else HEADINGS.get(level, SIZES["text"]))
            letters.setProperty(QTextFormat.Property.FontPixelSize, size)
            if level:
                letters.setFontWeight(QFont.Weight.Bold)
            cursor.setCharFormat(letters)
        if level:
            form.setTopMargin(0 if block == page.begin() else 22 if level < SMALL else 12)
            form.setBottomMargin(6 if level < SMALL else 2)
        elif cursor.currentTable() is None:
            continued = code and block.next().isValid() and block.next().blockFormat().nonBreakableLines()
            form.setBottomMargin(0 if continued else 12 if code else 3 if block.textList() else 8)
            form.setNonBreakableLines(False)  # long lines of code wrap
        if not code and PICTURE not in block.text():
            form.setLineHeight(LEADING, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setPosition(block.position())
        cursor.setBlockFormat(form)
        block = block.next()
    cursor.endEditBlock()
    for frame in page.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            lines = frame.format()
            lines.setBorderBrush(QColor(themes.now.line))
            lines.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
            lines.setBorderCollapse(True)
            lines.setCellPadding(5)
            lines.setBottomMargin(12)
            frame.setFormat(lines)
