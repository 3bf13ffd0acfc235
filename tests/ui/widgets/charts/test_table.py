"""The numbers of a chart or map in words and as a table."""

import csv
import io

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from lab.base.model_parts import ModelPart
from lab.widgets.charts.chart import Chart, Flag, Floor, Line
from lab.widgets.diagram.view import DiagramArea
from lab.widgets.figures.chart import ChartFigure
from lab.widgets.figures.csv_table import csv_of
from lab.widgets.figures.diagram import DiagramFigure
from lab.widgets.figures.links import LinksFigure
from lab.widgets.figures.map import BarsFigure, MapFigure
from lab.widgets.figures.points import PointsFigure
from lab.widgets.figures.sentence import sentence_of
from lab.widgets.figures.table import DataTable, FigureTable
from lab.widgets.figures.view import ExportButton, exporting
from lab.widgets.maps.bars import Bars
from lab.widgets.maps.complex_plane import Plane
from lab.widgets.maps.links import Links
from lab.widgets.maps.map import MapView
from lab.widgets.maps.points import Points

FIGURES = {ChartFigure, MapFigure, LinksFigure, BarsFigure, PointsFigure, DiagramFigure}


@pytest.fixture
def chart(qtbot):
    """A loss that falls from 4.5 to 2.98, with a validation, a floor and an event."""
    made = Chart()
    qtbot.addWidget(made)
    steps = np.arange(1, 41, dtype=float)
    made.set_axes("step", "loss (nats per token)")
    made.set_lines([
        Line("a", "train", "#4da3ff", steps, np.linspace(4.5, 2.98, 40), long_name="Quick start · train loss"),
        Line("b", "validation", "#4da3ff", steps[-1:], np.array([3.1]), "main"),
    ])  # fmt: skip
    made.set_floors([Floor("unigram", 3.31)])
    made.set_flags([Flag(20.0, "learning rate 0.002")])
    made.resize(400, 300)
    return made


def figures(qtbot):
    """Return a figure of every kind."""
    map_view, bars, points, plane, links = MapView(), Bars(), Points(), Plane(), Links()
    for view in (map_view, bars, points, plane, links):
        qtbot.addWidget(view)
    values = np.array([[0.25, np.nan], [0.5, 1.0]], np.float32)
    map_view.set_map(values, ["K", "I"], ["1", "2"], row_name="query: that reads", column_name="key", unit="share")
    bars.set_bars(np.array([1.0, 3.0, 2.0]), ["1", "2", "3"], name="expert", unit="tokens")
    points.set_points(np.array([[0.0, 1.0], [2.0, 3.0]], np.float32), ["a", "b"], "component 1", "component 2")
    plane.set_values(np.array([[0.5, 0.5]], np.float32))
    links.set_links(values, ["K", "I"], ["a", "b"], names=("reads", "is read"), unit="share", high=1.0)
    return [view.export("Title").figure for view in (map_view, bars, points, plane, links)]


@pytest.fixture
def drawing(qtbot):
    """The drawing of a model with two parts, of which one has unknown operations."""
    area = DiagramArea()
    qtbot.addWidget(area)
    parts = (ModelPart("a", "embedding", "embedding", parameters=12, flops=0.0),), (ModelPart("b", "norm", "norm"),)
    area.diagram.set_tree(ModelPart("", "Tiny", "model", parameters=12, flops=36.0, rows=parts))
    return area


def test_a_chart_says_in_words_what_its_lines_do(chart):
    assert chart.sentence().split(". ") == [
        ": loss (nats per token) over step",
        "Quick start · train loss: 40 points from step 1.00 to 40.0, falling from 4.50 to 2.98",
        "validation: one point at step 40.0, 3.10",
        "Reference lines: unigram 3.31",
        "Events: learning rate 0.002 (20.0)",
    ]


def test_a_line_that_turns_says_where_and_one_that_stays_is_level(chart):
    x = np.arange(5.0)
    chart.set_lines([
        Line("a", "u", "#4da3ff", x, np.array([3.0, 1.0, np.nan, 2.0, 4.0])),
        Line("b", "flat", "#4da3ff", x, np.array([2.0, 2.01, 2.0, 2.0, 2.0])),
    ])  # fmt: skip
    text = chart.sentence()
    assert "u: 4 points from step 0 to 4.00, rising from 3.00 to 4.00, lowest 1.00 at 1.00" in text
    assert "flat: 5 points from step 0 to 4.00, level at 2.00" in text


def test_maps_bars_and_points_say_their_size_and_their_extremes(qtbot):
    map_figure, bars, points, plane, links = map(sentence_of, figures(qtbot))
    assert map_figure == (
        "Map of Title: 2 rows (query), 2 columns (key). Largest 1.00 share at query I, key 2, "
        "smallest 0.250 share at query K, key 1, mean 0.583 share"
    )
    assert bars.startswith("Title: 3 bars, one for each expert. Largest 3.00 tokens at 2, smallest 1.00 tokens at 1")
    assert points.split(". ")[1:] == ["component 1 from 0 to 2.00", "component 2 from 1.00 to 3.00"]
    assert "1 point," in plane
    assert links.startswith("Weights between tokens of Title")


def test_the_focus_by_keyboard_lets_a_screen_reader_read_the_words(chart, qtbot):
    chart.show()
    qtbot.waitActive(chart)
    chart.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: "falling from 4.50 to 2.98" in chart.accessibleDescription())


def test_what_is_there_once_is_described_in_the_singular(qtbot):
    bars, map_view = Bars(), MapView()
    qtbot.addWidget(bars)
    qtbot.addWidget(map_view)
    bars.set_bars(np.array([1.0]), ["1"], name="expert", unit="tokens")
    map_view.set_map(np.ones((1, 1), np.float32), ["K"], ["1"], row_name="query", column_name="key", unit="share")
    assert sentence_of(bars.export("Load").figure).startswith("Load: 1 bar, for expert.")
    assert "1 row (query), 1 column (key)" in sentence_of(map_view.export("Map").figure)


def test_every_figure_has_a_sentence(chart, drawing, qtbot):
    given = (chart.export("Loss").figure, drawing.diagram.export("Title").figure, *figures(qtbot))
    assert {type(figure) for figure in given} == FIGURES
    assert all("Title" in sentence_of(figure) for figure in given[1:])


def test_the_table_of_a_drawing_has_a_row_for_each_visible_part(drawing):
    table = FigureTable(drawing.diagram.export("Title").figure)
    cells = [[table.cell(row, column) for column in range(len(table.head))] for row in range(table.rows)]
    assert table.head == ["level", "part", "shape", "parameters", "FLOPs per token"]
    assert cells == [["0", "Tiny", "", "12", "36"], ["1", "embedding", "", "12", "0"], ["1", "norm", "", "0", ""]]


def test_what_is_no_figure_leaves_no_overlay(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    with pytest.raises(TypeError, match="not a figure"):
        DataTable("text", window)
    assert not window.children()


def test_the_data_of_a_drawing_opens_over_its_window(drawing, qtbot):
    drawing.show()
    drawing.diagram.show_table()
    table = drawing.window().findChild(DataTable)
    assert table.view.model().rowCount() == 3
    table.shut()


def test_a_table_has_the_cells_of_the_csv_file(chart, drawing, qtbot):
    for figure in (chart.export("Loss").figure, drawing.diagram.export("Title").figure, *figures(qtbot)):
        head, *rows = csv.reader(io.StringIO(csv_of(figure)))
        table = FigureTable(figure)
        assert table.head == head
        assert [[table.cell(row, column) for column in range(len(head))] for row in range(table.rows)] == rows


@pytest.fixture
def table(chart, qtbot):
    """The table of the chart over its window, opened from the menu of its export."""
    window = QWidget()
    window.resize(900, 700)
    qtbot.addWidget(window)
    chart.setParent(window)
    button = ExportButton(chart)
    button.setParent(window)
    window.show()
    qtbot.waitActive(window)
    next(action for action in button.menu().actions() if action.text() == "Data as a table").trigger()
    return window.findChild(DataTable)


def test_the_menu_opens_the_table_with_the_focus_in_it(table):
    assert table.isVisible()
    assert table.view.hasFocus()
    assert table.view.model().rowCount() == 43
    assert "falling from" in table.sentence


def test_a_table_is_copied_for_a_spreadsheet(table, qtbot):
    qtbot.keyClick(table.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == 44
    assert lines[0] == "kind\tname\tstep\tloss (nats per token)"
    table.view.selectAll()
    table.view.selectionModel().clearSelection()
    for row in (0, 1):
        table.view.selectionModel().select(
            table.view.model().index(row, 0),
            table.view.selectionModel().SelectionFlag.Select | table.view.selectionModel().SelectionFlag.Rows,
        )
    table.copy()
    assert len(QGuiApplication.clipboard().text().splitlines()) == 3


def test_the_table_is_saved_by_the_export_of_its_view(table, chart, qtbot):
    with qtbot.waitSignal(exporting.requested) as found:
        table.save_requested.emit()
    assert found.args == [chart, "csv"]


def test_escape_closes_the_table_and_gives_the_focus_back(table, chart, qtbot):
    qtbot.keyClick(table.view, Qt.Key.Key_Escape)
    assert not table.isVisible()
