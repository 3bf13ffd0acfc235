"""The views of models of vectors and images: the decision surface, pictures of units, and a fit with residuals."""

from __future__ import annotations

from typing import Self

import numpy as np
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lab.widgets.core.controls import Button
from lab.widgets.core.i18n import tr, tr_registered
from lab.widgets.figures.view import ExportButton
from lab.widgets.maps.colours import Numbers
from lab.widgets.planes.fit import FitPlot
from lab.widgets.planes.pictures import Pictures
from lab.widgets.planes.plane import Extent, PlaneMap
from lab.widgets.readings.base import ReadingView

SURFACE_AXES = {"class", "y", "x"}
"""The axes of a decision surface."""
PICTURES_AXES = {"unit", "y", "x"}
"""The axes of a picture for each unit."""
FIT_AXES = {"quantity", "example"}
"""The axes of quantities of examples."""
POINTS, REGIONS = "points", "linear regions"
"""The readings that are drawn over a surface."""


class SurfaceView(ReadingView):
    """A decision surface with the points of the same inspection; the borders of linear regions can be added."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plane = PlaneMap()
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.plane)
        self._lines = Button(tr("regions"), hint=tr("The borders of the regions in which the network is linear"))
        self._lines.setCheckable(True)
        self._lines.toggled.connect(self._on_lines)
        self.add_option(self._lines)
        self.add_option(ExportButton(self.plane))

    def choose_as(self, other: Self) -> None:
        """Show regions where another view does."""
        self._lines.setChecked(other._lines.isChecked())
        super().choose_as(other)

    def show_values(self, values: Numbers, axes: tuple[str, ...], unit: str) -> None:
        """Draw (class, y, x), in any order of the axes."""
        del unit
        values = np.transpose(values, [axes.index(axis) for axis in ("class", "y", "x")])
        x, y = self._coordinates("x", values.shape[2]), self._coordinates("y", values.shape[1])
        upside_down, mirrored = y[0] < y[-1], x[0] > x[-1]  # of a reading whose rows rise
        turn = (slice(None, None, -1 if upside_down else 1), slice(None, None, -1 if mirrored else 1))
        values, x, y = values[:, turn[0], turn[1]], sorted(x), sorted(y, reverse=True)
        named = self.axis_labels.get("class", ())
        points, targets, of_classes = self._points()
        names = tuple(map(str, named)) if len(values) > 1 and (of_classes or of_classes is None) else ()
        drawn = values if names else values[:1]
        self.plane.set_surface(drawn, Extent.of_centres(x, y), names)
        self.plane.set_points(points, targets)
        regions = self._reading(REGIONS)
        self._lines.setVisible(regions is not None)
        self.plane.set_regions(regions[turn] if regions is not None and self._lines.isChecked() else None)

    def _on_lines(self, _on: bool) -> None:
        self._show()
        self.picked.emit()

    def _coordinates(self, axis: str, size: int) -> list[float]:
        labels = self.axis_labels.get(axis, ())
        if len(labels) == size and all(isinstance(each, int | float) for each in labels):
            return [float(each) for each in labels]
        numbers = [float(number) for number in range(size)]
        return numbers[::-1] if axis == "y" else numbers

    def _reading(self, name: str) -> Numbers | None:
        found = [one for one in self.all_readings if one.name == name]
        return np.asarray(found[0].values, np.float32) if found else None

    def _points(self) -> tuple[Numbers, Numbers, bool | None]:
        """Return points, their targets, and whether these are classes; None if there are no points."""
        for one in self.all_readings:
            if one.name == POINTS and tuple(one.axes) == ("quantity", "example") and len(one.values) == 3:
                values = np.asarray(one.values, np.float32)
                return values[:2].T, values[2], "class" in one.coordinates.get("quantity", ())
        return np.zeros((0, 2), np.float32), np.zeros(0, np.float32), None


class PicturesView(ReadingView):
    """A picture for each unit, (unit, y, x), all on one scale."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pictures = Pictures()
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.pictures)
        self.add_option(ExportButton(self.pictures))

    def show_values(self, values: Numbers, axes: tuple[str, ...], unit: str) -> None:
        """Draw the pictures, in any order of the axes."""
        values = np.transpose(values, [axes.index(axis) for axis in ("unit", "y", "x")])
        self.pictures.caption = self.where
        self.pictures.set_pictures(values, tuple(self.names_of("unit", len(values))), unit)


class FitView(ReadingView):
    """Quantities of examples: the first is drawn to the right, the second as points, the prediction as a line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plot = FitPlot()
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.plot)
        self.add_option(ExportButton(self.plot))

    def show_values(self, values: Numbers, axes: tuple[str, ...], unit: str) -> None:
        """Draw (quantity, example), in any order of the axes."""
        del unit
        values = values if axes[0] == "quantity" else values.T
        names = [tr_registered(str(each)) for each in self.labels_of("quantity", len(values))]
        first = np.arange(1, values.shape[1] + 1, dtype=np.float32) if len(values) == 1 else values[0]
        across = tr("example") if len(values) == 1 else names[0]
        measured = values[min(1, len(values) - 1)]
        has_line = len(values) > 2 and "prediction" in self.axis_labels.get("quantity", ())
        line = values[2] if has_line else measured
        order = np.argsort(first, kind="stable")
        self.plot.set_fit(first[order], measured[order], line[order], (across, names[min(1, len(values) - 1)]),
                          has_line=has_line)  # fmt: skip
