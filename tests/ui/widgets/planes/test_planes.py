"""The plane with its points, pictures in a grid, and a fit with residuals."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from lab.api import Reading
from lab.widgets.core.theme import themes
from lab.widgets.planes.colours import borders, image_of_classes, shares_of
from lab.widgets.planes.fit import FitPlot
from lab.widgets.planes.pictures import Pictures
from lab.widgets.planes.plane import Extent, PlaneMap
from lab.widgets.readings.examples import FitView, PicturesView, SurfaceView
from lab.widgets.readings.views import view_for


@pytest.fixture
def shown(qtbot):
    def shown(widget):
        qtbot.addWidget(widget)
        widget.resize(500, 400)
        with qtbot.waitExposed(widget):
            widget.show()
        return widget

    return shown


def test_scores_become_probabilities_and_probabilities_stay():
    shares = np.array([[0.25], [0.75]], np.float32)
    assert shares_of(shares) is shares
    assert shares_of(np.array([[0.0], [np.log(3)]], np.float32)) == pytest.approx(np.array([[0.25], [0.75]]))


def test_the_less_sure_the_nearer_is_the_colour_to_the_panel():
    values = np.array([[[1.0, 0.5, 0.0]], [[0.0, 0.5, 1.0]]], np.float32)
    image = image_of_classes(values, themes.now)
    colours = [image.pixelColor(column, 0).name() for column in range(3)]
    assert colours[1] == themes.now.panel
    assert len(set(colours)) == 3


def test_borders_run_where_neighbours_differ():
    found = borders(np.array([[0, 0, 1], [0, 2, 1]]))
    assert found.tolist() == [[False, True, False], [True, True, False]]


def test_a_point_of_the_plane_and_its_pixel_are_inverse(shown):
    plane = shown(PlaneMap())
    plane.set_surface(np.full((2, 3, 3), 0.5, np.float32), Extent(-2, 2, 10, 20), ("A", "B"))
    assert plane.point_at(plane.position_of(1.5, 12.0)) == pytest.approx((1.5, 12.0))
    assert plane.point_at(QPointF(-50, 5000)) == pytest.approx((-2, 10))


def test_the_extent_of_centres_reaches_half_a_cell_beyond_them():
    assert Extent.of_centres([0.5, 1.5], [3.5, 2.5]) == Extent(0, 2, 2, 4)


def test_points_are_only_changed_where_they_may_be(shown):
    plane, changes = shown(PlaneMap()), []
    plane.set_surface(np.full((2, 3, 3), 0.5, np.float32), Extent(), ("A", "B"))
    plane.set_points(np.zeros((1, 2), np.float32), np.zeros(1, np.float32))
    for signal in (plane.added, plane.removed, plane.moved):
        signal.connect(lambda *values: changes.append(values))
    at = plane.position_of(0, 0).toPoint()
    selected = []
    plane.selected.connect(selected.append)
    QTest.mouseClick(plane, Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseClick(plane, Qt.MouseButton.LeftButton, pos=plane.position_of(0.5, 0.5).toPoint())
    QTest.keyClick(plane, Qt.Key.Key_Delete)
    assert (selected, changes) == ([0], [])
    assert plane.text_at(0) == "0, 0 · A"


def test_views_are_found_by_their_axes():
    assert view_for(("class", "y", "x")) is SurfaceView
    assert view_for(("unit", "y", "x")) is PicturesView
    assert view_for(("quantity", "example")) is FitView


def test_a_surface_has_the_points_of_its_inspection_and_regions_on_demand(shown):
    view = shown(SurfaceView())
    surface = Reading("decision surface", ("class", "y", "x"), np.full((2, 4, 4), 0.5, np.float32),
                      coordinates={"class": ("A", "B"), "x": (0, 1, 2, 3), "y": (3, 2, 1, 0)})  # fmt: skip
    points = Reading("points", ("quantity", "example"), np.array([[1.0], [2.0], [1.0]]),
                     coordinates={"quantity": ("x", "y", "class")})  # fmt: skip
    regions = Reading("linear regions", ("y", "x"), np.arange(16).reshape(4, 4))
    view.all_readings = [surface, points, regions]
    view.show_readings([surface], ())
    assert view.plane.text_at(0) == "1, 2 · B"
    assert view.plane.extent == Extent(-0.5, 3.5, -0.5, 3.5)
    assert view.plane._regions is None
    view._lines.setChecked(True)
    assert view.plane._regions.shape == (4, 4)
    assert view.plane.export("surface") is not None


def test_a_surface_whose_rows_rise_is_turned(shown):
    view = shown(SurfaceView())
    values = np.stack([np.array([[0, 0], [1, 1]]), np.array([[1, 1], [0, 0]])]).astype(np.float32)
    reading = Reading("decision surface", ("class", "y", "x"), values,
                      coordinates={"class": ("A", "B"), "x": (0, 1), "y": (5, 6)})  # fmt: skip
    view.show_readings([reading], ())
    assert view.plane._values[0].tolist() == [[1, 1], [0, 0]]
    assert view.plane.extent == Extent(-0.5, 1.5, 4.5, 6.5)


def test_pictures_fit_into_the_widget_and_one_is_selected_by_a_click(shown):
    view = shown(Pictures())
    view.set_pictures(np.random.default_rng(0).normal(size=(10, 8, 8)).astype(np.float32), tuple("abcdefghij"))
    rects = [view.rect_of(number) for number in range(10)]
    assert max(rect.right() for rect in rects) <= view.width()
    assert max(rect.bottom() for rect in rects) <= view.height()
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=rects[7].center().toPoint())
    assert view.selection == 7
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert view.selection == 6
    assert view.text_at(6).startswith("g: ")
    assert view.export("weights") is not None


def test_a_fit_says_how_far_it_is_off(shown):
    plot = shown(FitPlot())
    plot.set_fit(np.arange(3.0), np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 6.0]), ("x", "y"))
    assert plot.accessibleDescription() == "Root mean square of the residuals: 1.73"
    assert plot.export("fit") is not None
