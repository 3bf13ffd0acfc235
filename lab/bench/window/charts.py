"""Charts and maps that paint themselves, compared with the same data in pyqtgraph's scene: an update and its paint."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import pyqtgraph
from PySide6.QtCore import QEvent, QEventLoop
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget

from lab.base.charts.colours import VIRIDIS, table_of
from lab.base.charts.downsampling import visible_points
from lab.base.charts.transform import Array, Frame
from lab.shell.app import has_screen
from lab.widgets.charts.chart import Chart, Floor, Line
from lab.widgets.charts.lines import FINE, WIDTHS, Style
from lab.widgets.core.theme import mixed, themes
from lab.widgets.maps.colours import Numbers, Scale, shrunk
from lab.widgets.maps.head_grid import SPACE, HeadGrid
from lab.widgets.maps.map import MapView

PAIRS = 200
FIRST = 5
"""Updates that are not measured: they build what later ones reuse."""
SIZE = (720, 360)
"""Pixels of each chart or map."""
STEPS = {"chart": 2_000, "long_chart": 20_000}
"""Recorded steps of the charts of losses."""
EVALUATED = 50
"""Steps between two validation losses."""
FLOORS = {"uniform": 4.17, "unigram": 3.31, "bigram": 2.45}
"""The floors in a chart of losses, in nats."""
GRIDS = {"head_grid": (4, 4), "large_head_grid": (12, 12)}
"""Layers and heads of the grids: of the quick start, and of GPT-2."""
TOKENS = 64
"""Rows and columns of a map."""
PREPARED = 8
"""Different maps that are shown in turn."""

Draw: TypeAlias = Callable[[int], object]
"""Give a widget the values of an update, by its number from 0."""
Losses: TypeAlias = Sequence[tuple[str, Style, Array, Array]]
"""Name, style, steps and values of each line of a chart."""


def charts(pairs: int = PAIRS) -> dict[str, Any]:
    """Draw the chart of losses, the grid of heads and a map, and the same with PlotItem, AxisItem and ImageItem.

    Both get the same values and the same colours, and pyqtgraph the points that remain after the kit's downsampling.
    Both are visible in one window and are drawn in turn, one update each; each update has other values.

    Args:
        pairs: Updates of each side.

    Returns:
        For each of "chart" (2,000 steps), "long_chart" (20,000), "head_grid" (4 layers of 4 heads), "large_head_grid"
        (12 of 12) and "map": the median milliseconds of an update and its paint, "ours_ms" and "pyqtgraph_ms"; and of
        the ratio of the second to the first, pair by pair, the median "ratio" and the "quartiles". Above 1 the lab's
        painting is faster.
    """
    if not has_screen():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    application = QApplication.instance() or QApplication([])
    themes.start(application)  # type: ignore[arg-type]
    updates = pairs + FIRST
    result: dict[str, Any] = {name: _compared(*_charts(steps, updates), pairs) for name, steps in STEPS.items()}
    result |= {name: _compared(*_grids(*shape), pairs) for name, shape in GRIDS.items()}
    return {**result, "map": _compared(*_maps(), pairs), "pairs": pairs, "platform": QApplication.platformName()}


def _compared(ours: tuple[QWidget, Draw], theirs: tuple[QWidget, Draw], pairs: int) -> dict[str, Any]:
    """Show two widgets side by side, and compare how fast they show other values."""
    host = QWidget()
    side_by_side = QHBoxLayout(host)
    for widget, _ in (ours, theirs):
        widget.setFixedSize(*SIZE)
        side_by_side.addWidget(widget)
    host.show()
    for number in range(FIRST):
        for _, draw in (ours, theirs):
            _milliseconds(draw, number)
    taken = []
    for number in range(FIRST, FIRST + pairs):
        if number % 2:
            other, own = (_milliseconds(draw, number) for _, draw in (theirs, ours))
        else:
            own, other = (_milliseconds(draw, number) for _, draw in (ours, theirs))
        taken.append((own, other, other / own))
    host.close()
    host.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    least, median, most = np.percentile(taken, (25, 50, 75), axis=0).tolist()
    own, other, ratio = median
    return {"ours_ms": own, "pyqtgraph_ms": other, "ratio": ratio, "quartiles": [least[2], most[2]]}


def _milliseconds(draw: Draw, number: int) -> float:
    """Return the milliseconds of an update and its paint."""
    started = time.perf_counter()
    draw(number)
    QApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)  # paints
    return 1000 * (time.perf_counter() - started)


# ---------------------------------------------------------------------------------------------------- losses over steps


def _losses(steps: int, updates: int) -> Callable[[int], Losses]:
    """Return the losses of a made-up run by the number of the update: each has one step more."""
    draws, x = np.random.default_rng(0), np.arange(1.0, steps + updates + 1)
    mean = 1.4 + 2.8 * x**-0.25
    raw = mean * (1 + 0.05 * draws.standard_normal(len(x)))
    validation = mean[::EVALUATED] * (1 + 0.01 * draws.standard_normal(len(x[::EVALUATED])))

    def until(number: int) -> Losses:
        end = steps + number
        evaluated = end // EVALUATED
        return (
            ("", "faint", x[:end], raw[:end]),
            ("train", "thin", x[:end], mean[:end]),
            ("validation", "main", x[::EVALUATED][:evaluated], validation[:evaluated]),
        )

    return until


def _charts(steps: int, updates: int) -> tuple[tuple[QWidget, Draw], tuple[QWidget, Draw]]:
    """Return the kit's chart of some losses, and pyqtgraph's."""
    losses = _losses(steps, updates)
    return _own_chart(losses), _scene_of_lines(losses)


def _own_chart(losses: Callable[[int], Losses]) -> tuple[QWidget, Draw]:
    chart, colour = Chart(), themes.now.runs[0]
    chart.set_axes("step", "loss (nats per token)")
    chart.set_floors([Floor(name, value) for name, value in FLOORS.items()])

    def draw(number: int) -> None:
        chart.set_lines([Line(f"{name}/{style}", name, colour, x, y, style) for name, style, x, y in losses(number)])
        chart.draw()

    return chart, draw


def _scene_of_lines(losses: Callable[[int], Losses]) -> tuple[QWidget, Draw]:
    theme, colour = themes.now, themes.now.runs[0]
    widget = _plot_widget("step", "loss (nats per token)")
    plot, items = widget.getPlotItem(), []
    for name, style, _, _ in losses(0):
        ink = mixed(colour, theme.panel, theme.faint) if style == "faint" else colour
        curve, label = pyqtgraph.PlotCurveItem(pen=pyqtgraph.mkPen(ink, width=WIDTHS[style])), None
        plot.addItem(curve)
        if name:
            label = pyqtgraph.TextItem(color=colour, anchor=(1, 0.5))
            plot.addItem(label)
        items.append((curve, label))
    for name, value in FLOORS.items():
        plot.addItem(pyqtgraph.InfiniteLine(value, angle=0, pen=theme.dim, label=f"{name} {value}"))

    def draw(number: int) -> None:
        lines = losses(number)
        heights = [y for *_, y in lines] + [np.array(list(FLOORS.values()))]
        low, high = min(float(y.min()) for y in heights), max(float(y.max()) for y in heights)
        view, end = plot.getViewBox(), float(lines[0][2][-1])
        frame = Frame(0.0, end, low, high, 0.0, 0.0, max(8.0, view.width()), max(8.0, view.height()))
        plot.setRange(xRange=(0, end), yRange=(low, high), padding=0)
        for (curve, label), (name, _, x, y) in zip(items, lines, strict=True):
            across, down, _ = visible_points(x, y, frame, round(frame.width))
            shown = across * end / frame.width, high - down * (high - low) / frame.height
            curve.setData(*shown, connect="all", skipFiniteCheck=True, antialias=len(across) <= FINE)
            if label is not None:
                label.setText(f"{name} {y[-1]:.3f}")
                label.setPos(end, float(y[-1]))

    return widget, draw


# ---------------------------------------------------------------------------------------------------------------- maps


def _attention(*shape: int) -> list[Numbers]:
    """Return made-up attention maps (…, T, T), different ones for the updates."""
    draws = np.random.default_rng(0)
    found = []
    for _ in range(PREPARED):
        weights = np.tril(draws.exponential(size=(*shape, TOKENS, TOKENS)))
        found.append((weights / weights.sum(axis=-1, keepdims=True)).astype(np.float32))
    return found


def _grids(layers: int, heads: int) -> tuple[tuple[QWidget, Draw], tuple[QWidget, Draw]]:
    """Return the kit's grid of heads, and pyqtgraph's as one image."""
    grid, maps = HeadGrid(), _attention(layers, heads)
    rows = [f"block {layer + 1}" for layer in range(layers)]

    def draw(number: int) -> None:
        grid.set_maps(list(maps[number % PREPARED]), rows, Scale(0.0, 1.0))

    widget, image = _scene_of_image("head", "")
    side = TOKENS + SPACE
    _name(widget, "left", [(layer * side + TOKENS / 2, name) for layer, name in enumerate(rows)])
    _name(widget, "bottom", [(head * side + TOKENS / 2, str(head + 1)) for head in range(heads)])

    def draw_image(number: int) -> None:
        pixels = max(1, min(TOKENS, int(min(SIZE[0] / heads, SIZE[1] / layers)) - SPACE))
        small = shrunk(maps[number % PREPARED], pixels, pixels)
        tiles = np.pad(small, ((0, 0), (0, 0), (0, SPACE), (0, SPACE)))
        tiled = tiles.transpose(0, 2, 1, 3).reshape(layers * (pixels + SPACE), heads * (pixels + SPACE))
        image.setImage(tiled, autoLevels=False, levels=(0.0, 1.0), rect=(0, 0, heads * side, layers * side))

    return (grid, draw), (widget, draw_image)


def _maps() -> tuple[tuple[QWidget, Draw], tuple[QWidget, Draw]]:
    """Return the kit's map with labels and colour bar, and pyqtgraph's."""
    view, maps = MapView(), _attention()
    labels = tuple(str(number) for number in range(1, TOKENS + 1))

    def draw(number: int) -> None:
        view.set_map(maps[number % PREPARED], labels, labels, row_name="query", column_name="key", levels=(0.0, 1.0))

    widget, image = _scene_of_image("key", "query")
    for side in ("left", "bottom"):
        _name(widget, side, [(number + 0.5, label) for number, label in list(enumerate(labels))[4::5]])
    bar = pyqtgraph.ColorBarItem(values=(0.0, 1.0), colorMap=_colour_map(), interactive=False)
    bar.setImageItem(image, insert_in=widget.getPlotItem())

    def draw_image(number: int) -> None:
        image.setImage(maps[number % PREPARED], autoLevels=False)

    return (view, draw), (widget, draw_image)


# ----------------------------------------------------------------------------------------------------- pyqtgraph's side


def _plot_widget(x: str, y: str) -> Any:
    """Return pyqtgraph's PlotWidget, with its own axes and the theme's background."""
    widget = pyqtgraph.PlotWidget(background=themes.now.panel)
    widget.setLabels(bottom=x, left=y)
    widget.getPlotItem().hideButtons()
    widget.getPlotItem().disableAutoRange()
    return widget


def _scene_of_image(x: str, y: str) -> tuple[Any, Any]:
    """Return a plot with an image from top to bottom, and the image."""
    widget = _plot_widget(x, y)
    widget.getPlotItem().invertY(True)
    widget.getPlotItem().enableAutoRange()
    image = pyqtgraph.ImageItem(axisOrder="row-major")
    image.setLookupTable(table_of(VIRIDIS))
    image.setLevels((0.0, 1.0))
    widget.addItem(image)
    return widget, image


def _colour_map() -> Any:
    table = table_of(VIRIDIS)
    return pyqtgraph.ColorMap(np.linspace(0, 1, len(table)), table)


def _name(widget: Any, side: str, ticks: list[tuple[float, str]]) -> None:
    """Set the labels of an axis."""
    widget.getPlotItem().getAxis(side).setTicks([ticks])
