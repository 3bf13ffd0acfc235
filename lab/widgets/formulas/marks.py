"""The symbol that is pointed at: formulas, settings and drawings of one page mark it together."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class SymbolMarks(QObject):
    """The symbol of a page that is pointed at, if any.

    What shows symbols calls `point` when the mouse or the keys reach one, and marks its own when `changed` is emitted.
    A symbol is named by its letters as they are typeset: "α", "Q", "d".

    Attributes:
        symbol: The symbol; "" for none.
    """

    changed = Signal(str)
    """Another symbol is pointed at; "" for none."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.symbol = ""

    def point(self, symbol: str) -> None:
        """Mark a symbol wherever it is shown; "" marks none."""
        if symbol != self.symbol:
            self.symbol = symbol
            self.changed.emit(symbol)
