"""pyqtgraph's PlotWidget with the kit's look, for views written in the way of pyqtgraph's documentation.

A view of a plugin calls `plot_widget()` and uses PlotItem, ViewBox, InfiniteLine, ImageItem and the rest freely. The
module imports pyqtgraph, which takes a third of a second: import it where the view is built.

The kit's own charts and maps paint themselves. Measured on two cores with pyqtgraph 0.14.0 and PySide6 6.10.3, at 720 x
360 pixels, in milliseconds of the main thread:

- An update with its paint, 2 curves of 2,000 points: the kit's Chart 3.4, a PlotItem with downsampling, clipping, fixed
  ranges and reused items 8.7; 6 curves of 20,000 points: 5.4 and 15.0. With the kit's own downsampling and curves in
  pixels inside pyqtgraph's scene: 3.8 and 6.1.
- One move of a crosshair that four charts share: 1.4, and 5.6 in pyqtgraph's scene (4.0 with its items cached).
- The first paint of a chart with data: 5, and 31; and pyqtgraph must then be imported before the window opens.
- A map of 64 x 64 cells with labels and colour bar: 0.8 and 1.7.
- The heads of 4 layers of 4 maps of 64 x 64 cells as one tiled ImageItem, with the strongest of cells that share a
  pixel kept: 1.5 and 1.1; of 12 layers of 12: 23 and 16. The first paint: 5 and 14.

`lm-lab bench charts` compares updates of both in one run.
"""

from __future__ import annotations

import pyqtgraph
from PySide6.QtCore import QObject
from PySide6.QtGui import QPen
from PySide6.QtWidgets import QFrame, QWidget

from lab.base.charts.ticks import format_ticks, ticks
from lab.widgets.core.i18n import localized
from lab.widgets.core.theme import interface_font, themes

BETWEEN = 64
"""The approximate distance between ticks in pixels."""


class Axis(pyqtgraph.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """An axis with the ticks and labels of the kit's charts."""

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """Return one level of ticks with its distance."""
        low, high = min(low, high), max(low, high)
        if not high > low:
            return []
        values = ticks(low, high, log=False, most=max(2, int(size / BETWEEN)))
        return [(values[1] - values[0] if len(values) > 1 else high - low, values)]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Return the labels of the ticks; on a logarithmic axis those of the values, not of their logarithms."""
        del spacing
        if self.logMode:
            return [localized(text) for text in format_ticks([10.0**value for value in values], log=True)]
        return [localized(text) for text in format_ticks([value * scale for value in values])]


class PlotWidget(pyqtgraph.PlotWidget):  # type: ignore[misc]
    """pyqtgraph's PlotWidget in the colours and the type of the theme; see `plot_widget`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, axisItems={side: Axis(side) for side in ("left", "bottom")})
        self.setFrameShape(QFrame.Shape.NoFrame)
        item = self.getPlotItem()
        item.hideButtons()
        # Set here, because the item overrides the arguments of `plot`: a million points take 9 ms instead of 53.
        item.setDownsampling(auto=True, mode="peak")
        item.setClipToView(True)
        self._theme = _ThemeOf(self)

    def draw(self) -> None:
        """Paint all changes at once; the drawing budget measures the time."""
        self.viewport().repaint()

    def apply_theme(self) -> None:
        """Update colours and fonts from the theme; the view sets the pens of curves."""
        theme, font = themes.now, interface_font("note")
        self.setBackground(theme.panel)
        for side in ("left", "bottom"):
            axis = self.getPlotItem().getAxis(side)
            axis.setPen(QPen(pyqtgraph.mkColor(theme.line), 1))
            axis.setTextPen(theme.dim)
            axis.setTickFont(font)
            axis.label.setFont(font)


class _ThemeOf(QObject):
    """An object that follows the theme for a plot and is deleted with it: pyqtgraph's classes hide QWidget's slots."""

    def __init__(self, plot: PlotWidget) -> None:
        super().__init__(plot)
        self._plot = plot
        themes.changed.connect(self._apply)
        self._apply()

    def _apply(self) -> None:
        self._plot.apply_theme()


def plot_widget(x: str = "", y: str = "", parent: QWidget | None = None) -> PlotWidget:
    """Return an empty plot with the kit's look: its colours, type and ticks, with extremes kept in long lines.

    Give curves a colour of the theme, such as `themes.now.runs[0]`. Make a curve that changes often once, and update it
    with `setData`, in the view's `draw`, so that it does not slow down a training.

    Args:
        x: Name and unit of the x axis.
        y: Name and unit of the y axis.
        parent: Parent of the widget.
    """
    plot = PlotWidget(parent)
    plot.setLabels(bottom=x, left=y)
    plot.setAccessibleName(f"{y} / {x}" if x and y else x or y)
    return plot
