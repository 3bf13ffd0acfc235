"""What a run of the draft would cost, in four figures at the foot of the configuration."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout

from lab.base.units import duration, short
from lab.widgets.controls import label, set_role
from lab.widgets.words import text
from lab.workbench.preflight import Preflight


class Figures(QFrame):
    """What a run of the draft would cost, in four figures."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "plain")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        names = (text("Parameters"), text("Memory"), text("Tokens per parameter"), text("This machine"))
        self._values = [label("", "note") for _ in names]
        for row, (name, value) in enumerate(zip(names, self._values, strict=True)):
            grid.addWidget(label(name, "note"), row, 0)
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            value.setAccessibleName(name)
            set_role(value, "strong")
            grid.addWidget(value, row, 1)
        grid.setColumnStretch(1, 1)
        self.show_waiting()

    def show_waiting(self) -> None:
        """The figures are being computed."""
        self._show("…")

    def show_none(self) -> None:
        """There are none: such a run cannot be."""
        self._show("–")

    def _show(self, words: str) -> None:
        for value in self._values:
            value.setText(words)

    def show_figures(self, found: Preflight) -> None:
        """Shows what was found."""
        time = text("≈ {time}", time=duration(found.seconds)) if found.seconds is not None else text("not known yet")
        ratio = found.tokens_per_parameter
        words = (
            short(found.parameters) if found.parameters else text("counts, no weights"),
            short(found.memory_bytes) + "B" if found.memory_bytes is not None else text("grows with the text"),
            text("{ratio} of 20", ratio=f"{ratio:.3g}") if ratio is not None else text("none"),
            time,
        )
        for value, shown in zip(self._values, words, strict=True):
            value.setText(shown)
        self.setToolTip(
            text("About 20 tokens per parameter use a given amount of computing best (Hoffmann et al. 2022).")
        )
