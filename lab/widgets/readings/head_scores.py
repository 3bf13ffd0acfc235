"""The view of the scores of all heads: one measure at a time, its largest value, and that of uniform attention."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QWidget

from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.theme import px
from lab.widgets.maps.colours import Numbers, figure
from lab.widgets.readings.base import WrappedText
from lab.widgets.readings.maps import GeneralView

HEAD_SCORES_AXES = ("quantity", "layer", "head")
"""The axes of the scores of heads."""
PITCH, MOST_ROWS = 20, 12
"""Pixels of a row of the map in which its numbers can be read; the number of rows up to which all have as much."""
ON_REPEATS = ("duplicate token", "induction")
"""The measures that are taken on random tokens written twice, and not on the text."""


class HeadScoresView(GeneralView):
    """The scores of the heads of all blocks, with what they are measured on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choice.set_prefix(tr("measure: "))
        self._largest: list[tuple[int, int]] = []  # the cells with the largest value, as it is written
        self.map.always_named = True  # numbers of blocks and heads look alike
        self.basis = WrappedText()
        layout = self.body.layout()
        assert layout is not None
        layout.addWidget(self.basis)

    def show_slice(self, values: Numbers, axes: tuple[str, ...], unit: str, full_values: Numbers, caption: str) -> None:
        """Draw one measure of all heads, with its largest value outlined unless others equal it within rounding."""
        super().show_slice(values, axes, unit, full_values, caption)
        pitch = px(PITCH) * min(1.0, MOST_ROWS / len(self._values))
        self.map.setMinimumHeight(round(self.map.height_for(pitch)))
        self.least_height = self.body.minimumSizeHint().height()
        self._largest = largest_cells(self._values, self.decimals)
        self.map.mark(*(self._largest[0] if len(self._largest) == 1 else (-1, -1)))
        self._show_basis(unit)

    @property
    def measure(self) -> str:
        """The name of the shown measure, in English; "" if the measures have no names."""
        names = self.axis_labels.get("quantity", ())
        number = int(self._choice.value)
        return str(names[number]) if number < len(names) else ""

    def _show_followed(self) -> None:
        super()._show_followed()
        if len(self._largest) == 1:
            self.followed.set_full_text(tr("largest (dashed): {cell}", cell=self.map.text_at(*self._largest[0])))
        elif self._largest:
            value = figure(float(self._values[self._largest[0]]), self.decimals)
            text = tr("largest: {value}, equal in {n} cells within rounding", value=value, n=len(self._largest))
            self.followed.set_full_text(text)

    def _show_basis(self, unit: str) -> None:
        """Show what the measure is taken on, and its value for uniform attention."""
        self._show_followed()
        tokens = len(self.labels)
        if self.measure in ON_REPEATS:
            self.basis.set_full_text(tr("mean over random tokens written twice, not over the text"))
            return
        parts = [tr("on this text of {n} tokens alone", n=number_text(tokens))] if tokens else []
        uniform = uniform_attention(self.measure, tokens)
        if uniform is not None:
            value = f"{figure(uniform, self.decimals)} {unit}".rstrip()
            parts.append(tr("uniform attention: {value}", value=value))
        self.basis.set_full_text(" · ".join(parts))

    def _arrange(self) -> None:
        super()._arrange()
        self.followed.show()
        self.number.hide()


def largest_cells(values: Numbers, decimals: int | None) -> list[tuple[int, int]]:
    """Return row and column of the cells whose value is the largest one, as it is written; [] if none is a number.

    Args:
        values: (R, C).
        decimals: The number of decimals that are written; None for three significant digits.
    """
    known = np.where(np.isfinite(values), values, -np.inf)
    largest = float(known.max(initial=-np.inf))
    if not np.isfinite(largest):
        return []
    written = figure(largest, decimals)
    cells = [(int(row), int(column)) for row, column in np.argwhere(np.isfinite(values))]
    return [cell for cell in cells if figure(float(values[cell]), decimals) == written]


def uniform_attention(measure: str, tokens: int) -> float | None:
    """Return the value of a measure for attention that is spread evenly over a token and all before it.

    Args:
        measure: The name of the measure, as the probe of head scores names it.
        tokens: The number of tokens of the text; the mean leaves the first one out, which can only read itself.

    Returns:
        The value; None for a measure that has none, and for a text of less than two tokens.
    """
    if tokens < 2:
        return None
    position = np.arange(1, tokens)  # token t reads t + 1 tokens, at the distances 0 to t
    values = {
        "entropy": np.log2(position + 1),
        "mean distance": position / 2,
        "previous token": 1 / (position + 1),
        "first token": 1 / (position + 1),
    }
    return float(values[measure].mean()) if measure in values else None
