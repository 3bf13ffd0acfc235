"""A view can use pyqtgraph as its documentation teaches it, in the kit's look and within its budget."""

import numpy as np
import pyqtgraph
import pytest
from PySide6.QtGui import QColor

from lab.widgets.charts.plot import plot_widget
from lab.widgets.core.drawing import Drawing
from lab.widgets.core.theme import DARK, LIGHT, themes


@pytest.fixture
def plot(qtbot):
    """An empty plot with named axes, on the screen."""
    made = plot_widget("lag (tokens)", "share")
    qtbot.addWidget(made)
    made.resize(500, 300)
    with qtbot.waitExposed(made):
        made.show()
    return made


def colours(plot):
    """Return the colours of all pixels of a plot."""
    image = plot.grab().toImage()
    return {QColor(image.pixel(x, y)).name() for x in range(image.width()) for y in range(image.height())}


def test_items_of_pyqtgraph_are_added_as_its_documentation_says(plot):
    red, blue, green = "#ff0000", "#0000ff", "#00ff00"
    plot.plot(np.arange(50.0), np.linspace(0, 1, 50), pen=red)
    plot.addItem(pyqtgraph.InfiniteLine(0.5, angle=0, pen=blue))
    image = pyqtgraph.ImageItem(np.full((4, 4, 3), (0, 255, 0), np.uint8))
    image.setRect(0, 0, 10, 0.2)
    plot.addItem(image)
    assert {red, blue, green} <= colours(plot)


def test_it_has_the_colours_of_the_theme_and_follows_it(plot):
    plot.plot([0.0, 1.0], [0.0, 1.0], pen=themes.now.runs[0])
    assert DARK.panel in colours(plot)
    themes.choose("light")
    assert LIGHT.panel in colours(plot)
    assert DARK.panel not in colours(plot)
    assert plot.getPlotItem().getAxis("left").textPen().color().name() == LIGHT.dim


def test_its_ticks_are_labelled_as_those_of_the_kit(plot):
    plot.plot(np.arange(2_001.0), np.linspace(-1, 1, 2_001))
    axis = plot.getPlotItem().getAxis("bottom")
    ((spacing, values),) = axis.tickValues(0, 2000, 400)
    assert axis.tickStrings(values, 1.0, spacing) == ["0", "500", "1,000", "1,500", "2,000"]
    assert plot.getPlotItem().getAxis("left").tickStrings([-0.5, 0, 0.5], 1.0, 0.5) == ["−0.5", "0.0", "0.5"]


def test_a_logarithmic_axis_is_labelled_with_its_values(plot):
    plot.setLogMode(x=True)
    plot.plot([1.0, 1_000.0], [0.0, 1.0])
    assert plot.getPlotItem().getAxis("bottom").tickStrings([0, 1, 3], 1.0, 1.0) == ["1", "10", "1,000"]


def test_a_long_line_keeps_its_extremes(plot):
    y = np.random.default_rng(0).uniform(0, 1, 100_000)
    y[43_210], y[76_543] = 9, -9
    curve = plot.plot(np.arange(100_000.0), y)
    plot.grab()
    shown = curve.getData()[1]
    assert len(shown) < 10_000
    assert (shown.min(), shown.max()) == (-9, 9)


def test_the_drawing_budget_draws_it(plot, qtbot):
    drawing = Drawing(plot)
    curve = plot.plot([0.0], [0.0], pen="#ff0000")
    curve.setData(np.arange(20.0), np.arange(20.0))
    drawing.changed(plot)
    qtbot.waitUntil(lambda: drawing.draws == 1)
    assert drawing.spent > 0
