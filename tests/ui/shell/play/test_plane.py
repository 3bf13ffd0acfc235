"""The page Plane of Play: a network learns points that the mouse moves."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtTest import QTest

from lab.shell.play.plane.model import LAYERS, NOISE, ROWS, WIDTH, State, assignment, knobs_of, recipe_for
from lab.shell.play.plane.page import PlanePage


@pytest.fixture
def page(open_session, until):
    """The page with its example, on the screen; it stops its work at the end."""
    session = open_session()
    made = PlanePage(session.model_provider, session.background)
    made.resize(1100, 640)
    made.begin()
    made.show()
    until(lambda: made.model.state is State.SHOWN and made._drawn is not None)
    yield made
    made.close_down()
    made.close()
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def pixel(page, x, y):
    return page.plane.position_of(x, y).toPoint()


def test_without_a_run_on_vectors_an_example_is_opened(page):
    assert page.model.recipe.corpus.settings["shape"] == "spirals"
    assert len(page.plane._points) == 270
    assert page.plane._class_names == ("A", "B", "C")


def test_training_changes_the_surface_until_it_is_paused(page, until):
    page.train.setChecked(True)
    until(lambda: page._drawn.step > 5)
    page.train.setChecked(False)
    assert page.train.text() == "Train"
    until(lambda: page._drawn is page.model.fit.frame)
    assert "steps" in page._figures.text()


def test_one_step_is_made_at_a_time(page, until):
    page.one_step.click()
    until(lambda: page._drawn.step == 1)
    page.again.click()
    until(lambda: page._drawn.step == 0)


def test_a_click_beside_the_points_adds_one_of_the_selected_class_and_the_right_button_removes_it(page, until):
    page._class.setCurrentIndex(2)
    extent = page.plane.extent
    at = pixel(page, extent.left + 0.01 * (extent.right - extent.left), extent.top)
    QTest.mouseClick(page.plane, Qt.MouseButton.LeftButton, pos=at + QPoint(0, 3))
    points, targets = page.model.fit.points
    assert (len(points), targets[-1]) == (271, 2)
    QTest.mouseClick(page.plane, Qt.MouseButton.RightButton, pos=at + QPoint(0, 3))
    assert len(page.model.fit.points[0]) == 270


def test_a_point_is_dragged_with_the_mouse_and_moved_with_the_keys(page):
    start = pixel(page, *page.plane._points[0].tolist())
    number = page.plane._near(page.plane.position_of(*page.plane._points[0].tolist()))
    QTest.mousePress(page.plane, Qt.MouseButton.LeftButton, pos=start)
    event = page.plane.point_at(page.plane.position_of(0.9, 0.9))
    page.plane.moved.emit(number, *event)
    QTest.mouseRelease(page.plane, Qt.MouseButton.LeftButton, pos=start)
    assert page.model.fit.points[0][number] == pytest.approx([0.9, 0.9], abs=1e-5)
    QTest.keyClick(page.plane, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert page.model.fit.points[0][number][0] > 0.9
    QTest.keyClick(page.plane, Qt.Key.Key_Delete)
    assert len(page.model.fit.points[0]) == 269


def test_a_slider_of_sizes_makes_another_network_and_the_points_stay(page, until):
    page.model.fit.add(0.0, 0.0, 1)
    page._sliders[WIDTH][1].setValue(3)
    until(lambda: page.model.fit.layers == {0: 3, 1: 3})
    assert len(page.model.fit.points[0]) == 271
    page._sliders[ROWS][1].setValue(100)
    until(lambda: len(page.model.fit.points[0]) == 90)


def test_a_unit_has_its_own_surface_and_linear_regions_are_counted(page, until):
    page._surface.setCurrentIndex(2)
    until(lambda: len(page._drawn.values) == 1)
    page._lines.setChecked(True)
    until(lambda: page._drawn.region_count > 1)
    assert "linear regions" in page._regions.text()


def test_sliders_stand_for_settings_of_the_recipe():
    recipe = recipe_for(None, None)
    assert [(knob.name, knob.value) for knob in knobs_of(recipe)] == [(NOISE, 5), (ROWS, 300), (WIDTH, 8), (LAYERS, 2)]
    assert assignment(recipe, NOISE, 12) == {"corpus": {"noise": 0.12}}
    assert assignment(recipe, WIDTH, 5) == {"architecture": {"widths": [5, 5]}}
    assert assignment(recipe, LAYERS, 3) == {"architecture": {"widths": [8, 8, 8]}}
