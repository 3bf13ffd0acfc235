"""The benchmarks of the window use the real window and return figures. The speed itself is not tested."""

import importlib
import json
import os
import sys

import numpy as np
import pyqtgraph
import pytest
from PySide6.QtCore import QEvent, QObject

from lab.api import Task
from lab.base import LabError
from lab.bench import runs
from lab.bench.window import charts, drawing, start, writing
from lab.bench.window import window as bench
from lab.cli.main import main
from lab.shell import app
from lab.widgets.charts.chart import Chart, Line
from lab.widgets.maps.head_grid import HeadGrid

STARTED = """
import json, os, sys
platform = os.environ.get("QT_QPA_PLATFORM", "screen")
print(json.dumps({"cpu_seconds": 0.5, "torch_imported": "torch" in sys.modules, "platform": platform}))
print(json.dumps({"after_seconds": 2.0, "curve_after": 3.0, "longest_gap_ms": 12.0}))
with open(os.environ["NOTES"], "a") as notes:
    notes.write(os.environ["PYTHONPYCACHEPREFIX"] + "\\n")
"""


@pytest.mark.long
def test_a_training_is_measured_beside_the_live_window(small, monkeypatch, lab_home):
    monkeypatch.setattr(bench, "nanogpt", lambda plugins: small("training.steps=1000000", "training.evaluate_every=0"))
    monkeypatch.setattr(bench, "SETTLING", 0.1)
    before = sys.getswitchinterval()
    result = bench.window(2.0, pairs=2)
    assert 0 < result["spread"][0] <= result["throughput_ratio"] <= result["spread"][1]
    gaps = result["frame_gap_ms"]
    assert 0 < gaps["p50"] <= gaps["p99"] <= gaps["max"]
    assert gaps["count"] > 0
    assert (result["pairs"], result["cards"], result["platform"]) == (2, 5, "offscreen")
    assert result["draws"] > 0
    assert json.loads(json.dumps(result)) == result
    assert sys.getswitchinterval() == before
    assert not lab_home.exists()


@pytest.mark.long
def test_gaps_are_measured_while_play_writes_beside_a_training(small, monkeypatch, lab_home):
    monkeypatch.setattr(writing, "nanogpt", lambda plugins: small("training.steps=1000000"))
    monkeypatch.setattr(writing, "SETTLING", 0.1)
    result = writing.writing(15)["writing"]
    assert result["tokens"] == 15
    assert result["steps"] > 0
    assert 0 < result["gap_ms"]["p50"] <= result["gap_ms"]["p99"] <= result["gap_ms"]["max"]
    assert result["within"] == (result["gap_ms"]["p99"] <= 17 and result["gap_ms"]["max"] <= 50)
    assert result["to_first_token"] > 0
    assert 0 <= result["waited"] < 1
    assert not lab_home.exists()


def test_a_drawing_without_a_screen_is_painted_offscreen(monkeypatch, qapp):
    monkeypatch.setattr(drawing, "has_screen", lambda: False)
    monkeypatch.setattr(drawing, "MODELS", {})
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    drawing.drawing()
    assert os.environ["QT_QPA_PLATFORM"] == "offscreen"


def test_the_drawing_of_a_model_is_timed_by_its_parts(monkeypatch, qapp):
    monkeypatch.setattr(
        drawing, "MODELS", {"tiny": ("transformer", {"layers": 2, "width": 16, "heads": 2}, Task(9, 8))}
    )
    result = drawing.drawing(rounds=1)
    tiny = result["tiny"]
    assert tiny["drawn_ms"] == pytest.approx(tiny["tree_ms"] + tiny["layout_ms"] + tiny["paint_ms"])
    assert tiny["whole_ms"] == pytest.approx(tiny["build_ms"] + tiny["pass_ms"] + tiny["drawn_ms"])
    assert min(tiny["build_ms"], tiny["pass_ms"], tiny["settings_ms"]) > 0
    assert tiny["parts"] > 2
    assert result["within"] is (tiny["drawn_ms"] <= drawing.BOUND_MS)
    assert result["platform"] == "offscreen"


class Paints(QObject):
    """Count how often a widget is painted."""

    def __init__(self, widget):
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched, event):
        self.count += event.type() == QEvent.Type.Paint
        return False


@pytest.mark.long
def test_charts_and_maps_are_painted_once_for_each_update_on_both_sides_in_turn(monkeypatch, qapp):
    monkeypatch.setattr(charts, "FIRST", 2)
    compared, paints = charts._compared, []

    def counted(ours, theirs, pairs):
        painted = ours[0].heads if isinstance(ours[0], HeadGrid) else ours[0]
        paints.append((Paints(painted), Paints(theirs[0].viewport())))
        found = compared(ours, theirs, pairs)
        paints[-1] = [side.count for side in paints[-1]]
        return found

    monkeypatch.setattr(charts, "_compared", counted)
    result = charts.charts(pairs=1)
    pictures = [result.pop(name) for name in ("chart", "long_chart", "head_grid", "large_head_grid", "map")]
    assert result == {"pairs": 1, "platform": "offscreen"}
    for picture, counts in zip(pictures, paints, strict=True):
        assert picture["ratio"] == pytest.approx(picture["pyqtgraph_ms"] / picture["ours_ms"])
        assert picture["quartiles"] == [picture["ratio"]] * 2  # of a single pair
        assert all(3 <= count <= 3 + 5 for count in counts)  # more at first, as the window is shown


def test_both_charts_show_the_same_points_of_the_same_losses(qapp):
    losses = charts._losses(500, 10)
    (chart, own), (widget, theirs) = charts._own_chart(losses), charts._scene_of_lines(losses)
    chart.resize(720, 360)
    widget.resize(720, 360)
    for draw in (own, theirs):
        draw(7)
    curves = [item for item in widget.getPlotItem().items if isinstance(item, pyqtgraph.PlotCurveItem)]
    for curve, line, (_, _, x, y) in zip(curves, chart._lines, losses(7), strict=True):
        found = curve.getData()
        assert np.allclose(found[0], x)
        assert np.allclose(found[1], y)
        assert np.array_equal(line.y, y)


@pytest.mark.parametrize(
    ("given", "module", "expected"),
    [
        (["window"], "window", ((20.0,), {})),
        (["window", "--pairs", "2", "--seconds", "3"], "window", ((3.0, 2), {})),
        (["scrub"], "scrub", ((), {})),
        (["drawing"], "drawing", ((), {})),
        (["drawing", "--pairs", "2"], "drawing", ((2,), {})),
        (["charts"], "charts", ((), {})),
        (["charts", "--pairs", "2"], "charts", ((2,), {})),
        (["start", "--cold"], "start", ((), {"cold": True})),
    ],
)
def test_the_command_line_runs_a_benchmark_of_the_window(monkeypatch, capsys, given, module, expected):
    calls = []
    found = importlib.import_module(f"lab.bench.window.{module}")
    monkeypatch.setattr(found, module, lambda *values, **named: calls.append((values, named)) or {"within": True})
    assert main(["bench", *given, "--json"]) == 0
    assert calls == [expected]
    assert json.loads(capsys.readouterr().out) == {"within": True}


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_measured_window_records_when_it_is_idle_ready_and_has_a_curve(lab_home):
    seconds, measured, _ = start._started({**os.environ, "QT_QPA_PLATFORM": "offscreen"})
    assert measured["torch_imported"] is False
    assert measured["cpu_seconds"] > 0
    assert measured["longest_gap_ms"] > 0
    assert 0 < seconds <= measured["ready_seconds"] < measured["curve_seconds"]


@pytest.fixture
def notes(tmp_path, monkeypatch):
    """The file in which each started process writes the folder of its compiled modules."""
    monkeypatch.setenv("NOTES", str(tmp_path / "notes"))
    monkeypatch.setattr(start, "CHILD", STARTED)
    return tmp_path / "notes"


@pytest.mark.parametrize(
    ("cold", "folders", "screen"),
    [
        (True, 2, False),
        *(
            pytest.param(*given, marks=pytest.mark.long)
            for given in [(False, 1, True), (False, 1, False), (True, 2, True)]
        ),
    ],
)
def test_a_start_is_evaluated_from_what_its_processes_print(notes, monkeypatch, cold, folders, screen):
    dropped = []
    monkeypatch.setattr(start, "drop_from_memory", lambda folders: dropped.append(len(notes_of(notes))))
    monkeypatch.setattr(app, "has_screen", lambda: screen)
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    result = start.start(processes=2, cold=cold)
    seconds = result["spread"]
    assert seconds[0] <= result["seconds"] <= seconds[1]
    assert result["ready_seconds"] == pytest.approx(result["seconds"] + 2.0)
    assert result["curve_seconds"] == pytest.approx(result["seconds"] + 3.0)
    assert (result["cpu_seconds"], result["longest_gap_ms"]) == (0.5, 12.0)
    assert (result["processes"], result["cold"], result["torch_imported"]) == (2, cold, False)
    assert result["platform"] == ("screen" if screen else "offscreen")
    assert 0 < len(result["imports_ms"]) <= start.LARGEST
    # everything is dropped before each cold start; the first of warm ones is not counted
    assert len(notes_of(notes)) == (3 if cold else 4)
    assert len(set(notes_of(notes))) == folders
    assert dropped == ([0, 1] if cold else [])


def notes_of(file):
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def test_a_window_that_does_not_open_is_reported_with_what_its_process_wrote(monkeypatch):
    monkeypatch.setattr(start, "CHILD", "import sys; print('{}'); sys.exit('no screen')")
    with pytest.raises(LabError) as failed:
        start.start(processes=1)
    assert failed.value.problem.what == "the window did not open"
    assert failed.value.problem.remedy == "Its output: no screen"


def test_the_frames_of_a_chart_that_is_zoomed_are_counted_without_the_first(qtbot, monkeypatch):
    monkeypatch.setattr(runs, "FRAMES", 3)
    chart = Chart()
    qtbot.addWidget(chart)
    chart.resize(300, 200)
    chart.set_axes("step", "value", x_kind="steps")
    steps = np.arange(1.0, 100.0)
    chart.set_lines([Line("loss", "loss", "#4da3ff", steps, np.log(steps))])
    chart.show()
    chart.draw()
    before = chart.grab().toImage()
    assert len(runs._zoomed(chart)) == 3
    assert chart.grab().toImage() != before


@pytest.mark.long
@pytest.mark.timeout(600)  # every module is compiled once, in an empty cache
def test_the_start_of_the_window_is_measured_in_fresh_processes(lab_home):
    result = start.start(processes=1)
    assert result["spread"] == [result["seconds"], result["seconds"]]
    assert (result["processes"], result["torch_imported"]) == (1, False)
    assert result["imports_ms"]["PySide6"] > 0
    assert os.environ["LAB_HOME"] == str(lab_home)
    assert not lab_home.exists()
