"""The table of many runs: groups with bands, points with their front, views, and conclusions."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from lab.host import Plugins
from lab.runs.library.labels import change_label
from lab.shell.compare.many.arms import ArmsTable, Choices, choices_from
from lab.shell.compare.many.arms_page import CURVES, PARALLEL, ArmsPage
from lab.shell.compare.many.run_figures import BEST, LAST, FiguresReader
from lab.shell.compare.many.sentences import importance_sentence, paired_sentence
from lab.shell.compare.many.table_model import ArmsModel, Cell
from lab.studies.statistics import Arm, RunFigures, compare_arms

WIDTH = "architecture.width"


def run_of(number, width, loss, tags=()):
    values = {LAST: loss, BEST: loss - 0.1, "parameters": 100.0 * width, "tokens": 1000.0, "seconds": 2.0}
    fields = {WIDTH: width, "training.seed": number, "tags": tags}
    return RunFigures(f"/runs/{number}", f"run {number}", fields, values, number)


RUNS = [run_of(0, 16, 3.0, ("one",)), run_of(1, 16, 3.2), run_of(2, 32, 2.5, ("one",)), run_of(3, 32, 2.7)]


@pytest.fixture
def table():
    """A table of four runs of two widths."""
    made = ArmsTable()
    made.set_runs(RUNS)
    return made


def test_groups_have_mean_band_and_costs(table):
    table.choices = Choices(by=WIDTH, band="sd")
    titles, rows = table.table()
    assert titles[2:4] == ["Mean: last loss", "± standard deviation"]
    assert [[cell.text for cell in row[:4]] for row in rows] == [
        ["32", "2", "2.6000", "0.1414"],
        ["16", "2", "3.1000", "0.1414"],
    ]


def test_runs_alone_show_only_what_differs(table):
    titles, rows = table.table()
    assert titles == ["Run", "last loss", "Width", "Seed", "Parameters", "Tokens", "Time"]
    assert rows[0][0].text == "run 0"


def test_a_tag_selects_its_runs(table):
    table.choices = Choices(tag="one")
    assert [run.name for run in table.runs] == ["run 0", "run 2"]
    assert table.tags() == ["one"]


def test_points_are_losses_over_a_quantity_with_their_front(table):
    points, names, front = table.points()
    assert points.tolist() == [[1600, 3.0], [1600, 3.2], [3200, 2.5], [3200, 2.7]]
    assert [names[number] for number in front] == ["run 0", "run 2"]


def test_choices_of_a_damaged_settings_file_have_their_defaults():
    assert choices_from({"figure": "worst", "band": 3, "by": WIDTH}) == Choices(by=WIDTH)
    assert choices_from("nonsense") == Choices()


def test_rows_without_a_value_come_last_in_both_orders(qapp):
    model = ArmsModel()
    model.set_rows(["x"], [[Cell("–", float("nan"))], [Cell("2", 2.0)], [Cell("1", 1.0)]])
    for order, texts in ((Qt.SortOrder.AscendingOrder, "12–"), (Qt.SortOrder.DescendingOrder, "21–")):
        model.sort(0, order)
        assert "".join(model.data(model.index(row, 0)) for row in range(3)) == texts
    model.deleteLater()


def test_the_sentence_of_a_test_is_that_of_the_command_line_in_the_language_of_the_window():
    difficulty = np.linspace(2, 3, 128)
    found = compare_arms(
        Arm("16", {seed: difficulty + 0.1 + seed / 1000 for seed in range(3)}),
        Arm("32", {seed: difficulty + seed / 900 for seed in range(3)}),
    )
    assert paired_sentence(found).startswith("32 is better than 16 by 0.09")


@pytest.fixture
def page(registry, qtbot, saved_run):
    """The page with two runs."""
    for name in ("One", "Two"):
        run = registry.open(saved_run(name))
        change_label(run.path, tags=("mine",))
    made = ArmsPage(registry, registry._background, Plugins(safe_mode=True))
    qtbot.addWidget(made)
    made.resize(1000, 560)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_the_page_reads_the_runs_in_a_thread_and_shows_them(page, until):
    until(lambda: page._model.rowCount() == 2)
    assert page._tags.offers("mine")
    names = {page._model.data(page._model.index(row, 0)) for row in range(2)}
    assert names == {"One", "Two"}


def test_a_view_is_saved_with_its_name_and_opened_again(page, until, click):
    until(lambda: page._model.rowCount() == 2)
    page._side_view.pick(CURVES)
    page._figure.pick(BEST)
    page._name.setText("Curves")
    click(page._save)
    page._figure.pick(LAST)
    page._views.pick("Curves")
    assert page.table.choices.figure == BEST
    assert page._side.currentWidget() is page.multiples


def test_a_run_that_is_gone_is_left_out(page, until, tmp_path):
    until(lambda: page._model.rowCount() == 2)
    assert FiguresReader().read([tmp_path / "none"]) == []


def test_runs_that_fix_no_law_say_why(page, until):
    until(lambda: page._model.rowCount() == 2)
    assert not page.fit.isEnabled()
    page._start_fit()
    until(lambda: "too few" in page._sentence.text())


def test_a_report_is_a_page_with_the_table_and_each_figure_in_every_form(page, until, tmp_path):
    until(lambda: page._model.rowCount() == 2)
    page.write_report(tmp_path / "report")
    until(lambda: not page._sentence.text().endswith("…"), timeout=60_000)
    assert "report.html" in page._sentence.text()
    text = (tmp_path / "report" / "report.html").read_text()
    assert "One" in text
    assert "Two" in text
    assert "<script" not in text
    files = {file.name for file in (tmp_path / "report" / "figures").iterdir()}
    names = {file.partition(".")[0] for file in files}
    assert "parallel" in names  # these runs have neither parameters nor curves
    for name in names:
        assert {f"{name}.{suffix}" for suffix in ("png", "svg", "pdf", "pgf", "py", "csv")} <= files
    assert "pgfpicture" in (tmp_path / "report" / "figures" / "parallel.pgf").read_text()


def test_ranges_on_the_parallel_axes_select_the_rows_of_the_table(page, until):
    until(lambda: page._model.rowCount() == 2)
    page._side_view.pick(PARALLEL)
    path = page.parallel._coordinates[-1].path
    page.parallel._set_range(path, 0.9, 1.0)
    inside = int(page.parallel.selected.sum())
    assert page._model.rowCount() == inside
    page.parallel.clear()
    assert page._model.rowCount() == 2


def test_a_selection_goes_with_the_axis_of_its_range(page, until):
    until(lambda: page._model.rowCount() == 2)
    page._side_view.pick(PARALLEL)
    page.parallel._set_range(page.parallel._coordinates[-1].path, 0.9, 1.0)
    assert page._model.rowCount() < 2
    page._figure.pick(BEST)  # another last axis
    assert page.parallel.ranges == {}
    assert page._model.rowCount() == 2


def test_the_importance_of_settings_is_said_to_be_an_estimate():
    sentence = importance_sentence({WIDTH: 0.75, "training.seed": 0.25}, 40)
    assert "Width 75%" in sentence
    assert "an estimate" in sentence
