"""Parallel coordinates: runs as lines through axes, ranges that select some, and the table that follows."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from lab.shell.compare.many.arms import ArmsTable, Choices
from lab.shell.compare.many.coordinates import coordinates_of, selected
from lab.shell.compare.many.parallel import ParallelCoordinates
from lab.shell.compare.many.run_figures import LAST
from lab.studies.statistics import RunFigures

RATE, NORM = "training.optimizer.learning_rate", "architecture.norm"
RUNS = [
    RunFigures(
        f"/runs/{number}", f"run {number}", {RATE: rate, NORM: norm, "training.seed": number}, {LAST: loss}, number
    )
    for number, (rate, norm, loss) in enumerate([(1e-4, "layer", 3.0), (1e-3, "rms", 2.0), (1e-2, "rms", float("nan"))])
]


@pytest.fixture
def coordinates():
    return coordinates_of(RUNS, {RATE: "Rate", NORM: "Norm"}, {LAST: "last loss"})


def test_each_axis_spans_its_values_by_factors_where_they_differ_by_a_large_one(coordinates):
    rate, norm, loss = coordinates
    assert rate.positions.tolist() == pytest.approx([0, 0.5, 1])
    assert [label for _, label in rate.ticks] == ["0.0001", "0.001", "0.01"]
    assert norm.positions.tolist() == [0.25, 0.75, 0.75]
    assert norm.ticks == [(0.25, "layer"), (0.75, "rms")]
    assert loss.positions[:2].tolist() == [1, 0]
    assert np.isnan(loss.positions[2])


def test_a_run_is_selected_if_it_lies_in_all_ranges(coordinates):
    assert selected(coordinates, {}).tolist() == [True, True, True]
    assert selected(coordinates, {NORM: (0.5, 1)}).tolist() == [False, True, True]
    assert selected(coordinates, {NORM: (0.5, 1), RATE: (0, 0.6)}).tolist() == [False, True, False]
    assert selected(coordinates, {LAST: (0, 1)}).tolist() == [True, True, False]  # the last one has no loss


def test_the_seed_and_tags_are_no_axes_and_the_loss_comes_last():
    table = ArmsTable()
    table.set_runs(RUNS)
    assert [each.path for each in table.coordinates()] == [NORM, RATE, LAST]


def test_the_table_shows_the_selected_runs_and_the_axes_all():
    table = ArmsTable()
    table.set_runs(RUNS)
    table.choices = Choices()
    table.selection = frozenset({"/runs/1"})
    assert [run.name for run in table.runs] == ["run 1"]
    assert len(table.coordinates()[0].positions) == 3


@pytest.fixture
def view(qtbot, coordinates):
    made = ParallelCoordinates()
    qtbot.addWidget(made)
    made.resize(600, 300)
    made.show_runs(coordinates, [run.name for run in RUNS])
    made.show()
    return made


def at(view, axis, share):
    room = view._room(view.size())
    return QPoint(round(view._x(axis, room)), round(room.bottom() - share * room.height()))


def test_a_drag_along_an_axis_selects_and_a_click_on_it_clears(view, qtbot):
    changes = []
    view.brushed.connect(lambda: changes.append(view.selected.tolist()))
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=at(view, 1, 0.55))
    qtbot.mouseMove(view, at(view, 1, 0.95))
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=at(view, 1, 0.95))
    assert changes[-1] == [False, True, True]
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=at(view, 1, 0.2))
    assert changes[-1] == [True, True, True]
    assert view.ranges == {}


def test_a_drag_reports_its_ranges_together_and_at_its_end(view, qtbot):
    changes = []
    view.brushed.connect(lambda: changes.append(dict(view.ranges)))
    view._dragged.setInterval(60_000)
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=at(view, 1, 0.55))
    for share in (0.7, 0.8, 0.95):
        qtbot.mouseMove(view, at(view, 1, share))
    assert changes == []
    assert view._dragged.isActive()
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=at(view, 1, 0.95))
    assert len(changes) == 1
    assert not view._dragged.isActive()


def test_the_lines_are_painted_again_only_if_they_changed(view, monkeypatch):
    painted = []
    monkeypatch.setattr(view, "_draw_lines", lambda size, painter: painted.append(size))
    view.grab()
    view._focused = 1
    view.grab()
    assert len(painted) <= 1  # none if the window was painted before
    painted.clear()
    view._set_range(NORM, 0.5, 1)
    view.grab()
    view.resize(500, 280)
    view.grab()
    view.show_runs(view._coordinates[1:], view._names)
    view.grab()
    assert len(painted) == 3


def test_keys_select_too(view, qtbot):
    qtbot.keyClick(view, Qt.Key.Key_Right)
    for _ in range(12):
        qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.selected.tolist() == [True, False, False]
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view.selected.tolist() == [True, True, True]


def test_its_figure_has_a_line_for_each_run_and_a_tick_for_each_axis(view):
    figure = view.export("Runs").figure
    assert len(figure.lines) == 3
    assert [label.split("\n")[0] for _, label in figure.x.ticks] == ["Rate", "Norm", "last loss"]


def test_no_runs_are_no_figure(qtbot):
    empty = ParallelCoordinates()
    qtbot.addWidget(empty)
    empty.show_runs([], [])
    assert empty.export("None") is None
    assert empty.selected.tolist() == []
