"""A formula on the screen: its symbols can be pointed at, and its LaTeX copied."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QPixmap
from PySide6.QtWidgets import QLabel, QMenu, QWidget

from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import token_font
from lab.widgets.formulas.marks import SymbolMarks
from lab.widgets.formulas.picture import FormulaPicture


class FormulaView(QLabel):
    """A formula: its LaTeX, and its picture once it is typeset.

    The symbol under the mouse is marked wherever it is shown on the page. If it can have the focus, Left and Right
    point at one symbol after the other, and the shortcut that copies copies its LaTeX.

    Args:
        latex: The formula in LaTeX.
        name: Its name for screen readers.
        marks: The symbol of the page that is pointed at.
        parent: Its parent.
    """

    def __init__(self, latex: str, name: str, marks: SymbolMarks, parent: QWidget | None = None) -> None:
        super().__init__(latex, parent)
        self.latex = latex
        self._marks = marks
        self._picture: FormulaPicture | None = None
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(token_font("note"))
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.setMouseTracking(True)
        self.setAccessibleName(name)
        marks.changed.connect(self._draw)

    @property
    def symbols(self) -> list[str]:
        """Its symbols from left to right, each once; none before it is typeset."""
        return [] if self._picture is None else list(dict.fromkeys(symbol for symbol, _ in self._picture.symbols))

    def show_picture(self, picture: FormulaPicture, widest: float) -> None:
        """Show its picture, reduced to a width; LaTeX that could not be read stays as it is."""
        if picture.image.isNull():
            return
        self._picture = picture.scaled_to(widest)
        image = self._picture.image
        self.setWordWrap(False)  # a wrapped label asks for no height for its picture
        self.setFixedHeight(ceil(image.height() / image.devicePixelRatio()))
        self._draw()

    def minimumSizeHint(self) -> QSize:
        """Return the size of the picture; LaTeX may be cut off, since it goes as soon as the formula is typeset."""
        least = super().minimumSizeHint()
        return least if self._picture is not None else QSize(0, least.height())

    def _draw(self, _: str = "") -> None:
        if self._picture is not None:
            symbol = self._marks.symbol
            self.setPixmap(QPixmap.fromImage(self._picture.marked(symbol)))
            self.setAccessibleDescription(tr("marked: {symbol}", symbol=symbol) if symbol in self.symbols else "")

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point at the symbol under the mouse."""
        super().mouseMoveEvent(event)
        if self._picture is not None:
            inside = event.position() - QPointF(self.contentsRect().topLeft())
            self._marks.point(self._picture.symbol_at(inside))

    def leaveEvent(self, event: QEvent) -> None:
        """Point at nothing."""
        super().leaveEvent(event)
        self._marks.point("")

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Point at nothing."""
        super().focusOutEvent(event)
        self._marks.point("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Point at the symbol before or after, or copy the LaTeX."""
        step = {Qt.Key.Key_Left.value: -1, Qt.Key.Key_Right.value: 1}.get(event.key())
        symbols = self.symbols
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_latex()
        elif step is not None and symbols:
            now = symbols.index(self._marks.symbol) if self._marks.symbol in symbols else -1 if step > 0 else 0
            self._marks.point(symbols[(now + step) % len(symbols)])
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to copy the LaTeX."""
        menu = QMenu(self)
        menu.addAction(tr("Copy LaTeX")).triggered.connect(self.copy_latex)
        menu.exec(event.globalPos())
        menu.deleteLater()

    def copy_latex(self) -> None:
        """Put the LaTeX on the clipboard."""
        QGuiApplication.clipboard().setText(self.latex)
