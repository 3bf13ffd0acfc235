"""The editor of the schedule: points are dragged, added and removed, and the step of a run is marked."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject, QPointF, Qt, Signal

from lab.shell.recipe.schedule.curve import LearningRateCurve
from lab.shell.recipe.schedule.editor import rate_plan


@pytest.fixture
def editor(configuration, refreshed):
    """The editor in the opened group of the schedule, with a drawn schedule."""
    configuration._draft.edit("training.schedule", {"name": "drawn", "shares": [0, 0.5, 1], "factors": [0.0, 1.0, 0.2]})
    configuration.groups.open("Training/Schedule")
    refreshed()
    return configuration.schedule_editor


def schedule(editor):
    return editor._draft.recipe.training.schedule.settings


def place(curve, index):
    return curve._place(curve._frame(), curve.points[index])


def drag(qtbot, curve, index, by):
    start = place(curve, index)
    qtbot.mousePress(curve, Qt.MouseButton.LeftButton, pos=start.toPoint())
    qtbot.mouseMove(curve, (start + by / 2).toPoint())
    qtbot.mouseMove(curve, (start + by).toPoint())
    qtbot.mouseRelease(curve, Qt.MouseButton.LeftButton, pos=(start + by).toPoint())


def test_a_dragged_point_changes_the_schedule_in_one_edit(editor, qtbot, refreshed):
    editor._draft._last_edit = ("", 0.0)  # a second after the schedule was chosen
    before = editor._draft.recipe
    drag(qtbot, editor.rate, 1, QPointF(-20, 15))
    refreshed()
    assert 0.1 < schedule(editor)["shares"][1] < 0.5
    assert 0.3 < schedule(editor)["factors"][1] < 1.0
    assert schedule(editor)["shares"][::2] == [0, 1]
    editor._draft.undo()
    assert editor._draft.recipe == before


def test_a_press_without_a_drag_changes_nothing(editor, qtbot):
    before = editor._draft.recipe
    qtbot.mouseClick(editor.rate, Qt.MouseButton.LeftButton, pos=place(editor.rate, 1).toPoint())
    assert editor._draft.recipe is before


def test_points_are_added_and_removed(editor, qtbot, refreshed):
    curve = editor.rate
    middle = (place(curve, 1) + place(curve, 2)) / 2
    qtbot.mouseDClick(curve, Qt.MouseButton.LeftButton, pos=middle.toPoint())
    refreshed()
    assert len(schedule(editor)["shares"]) == 4
    assert curve.selected == 2
    curve.setFocus()
    qtbot.keyClick(curve, Qt.Key.Key_Delete)
    refreshed()
    assert len(schedule(editor)["shares"]) == 3
    qtbot.keyClick(curve, Qt.Key.Key_Insert)
    refreshed()
    assert len(schedule(editor)["shares"]) == 4


def test_keys_choose_and_move_a_point(editor, qtbot, refreshed):
    curve = editor.rate
    curve.setFocus()
    qtbot.keyClick(curve, Qt.Key.Key_PageDown)
    qtbot.keyClick(curve, Qt.Key.Key_Up)
    refreshed()
    qtbot.keyClick(curve, Qt.Key.Key_Right)
    refreshed()
    assert schedule(editor)["factors"][1] == pytest.approx(1.01)
    assert schedule(editor)["shares"][1] == pytest.approx(0.51)


def test_another_schedule_is_taken_as_points(configuration, refreshed, qtbot):
    configuration._draft.edit("training.schedule", {"name": "cosine", "warmup": 100})
    configuration.groups.open("Training/Schedule")
    refreshed()
    editor = configuration.schedule_editor
    before = list(editor.rate.rates)
    assert editor.rate.points is None
    qtbot.mouseClick(editor.draw_button, Qt.MouseButton.LeftButton)
    refreshed()
    assert editor._draft.recipe.training.schedule.name == "drawn"
    assert editor.rate.points is not None
    assert not editor.draw_button.isVisible()
    assert editor.rate.rates == pytest.approx(before, abs=0.03 * max(before))


def test_the_momentum_has_a_curve_of_its_own_if_it_is_cycled(configuration, refreshed):
    draft = configuration._draft
    configuration.groups.open("Training/Schedule")
    draft.edit("training.schedule", {"name": "one-cycle"})
    refreshed()
    assert not configuration.schedule_editor.momentum.isVisible()
    draft.edit("training.schedule.cycle_momentum", True)
    refreshed()
    momentum = configuration.schedule_editor.momentum
    assert momentum.isVisible()
    assert (min(momentum.rates), max(momentum.rates)) == pytest.approx((0.85, 0.95), abs=0.005)
    assert "momentum" in momentum.sentence()


class Registry(QObject):
    """A registry with one run."""

    selection_changed, data_changed, ended = Signal(), Signal(object), Signal(object)
    selected = None


def test_the_step_of_a_run_that_trains_by_this_schedule_is_marked(editor):
    registry, training = Registry(), editor._draft.recipe.training
    run = SimpleNamespace(trains=True, recipe=SimpleNamespace(training=training), last_step=training.steps, step=7)
    registry.selected = run
    editor.follow(registry)
    assert editor.rate.step == 7
    run.step = 9
    registry.data_changed.emit(run)
    assert editor.rate.step == 9
    editor.rate.grab()  # it is drawn
    run.trains = False
    registry.ended.emit(run)
    assert editor.rate.step is None
    run.trains, run.last_step = True, training.steps + 1
    registry.selection_changed.emit()
    assert editor.rate.step is None


def test_the_steps_of_a_budget_are_those_of_its_costs(editor):
    draft = editor._draft
    assert rate_plan(draft).steps == draft.recipe.training.steps
    assert rate_plan(draft, 77).steps == 77
    draft.edit("training.schedule", {"name": "drawn", "shares": [0, 1], "factors": [1.0]})
    assert rate_plan(draft).rates == ()


def test_a_curve_without_points_takes_no_drag(qtbot, plain_window):
    curve = LearningRateCurve()
    plain_window.setCentralWidget(curve)
    curve.show_rates([0.0, 1.0], 10)
    assert curve.point_at(QPointF(10, 10)) is None
    assert curve.entries() == ()
