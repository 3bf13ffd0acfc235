"""The page about the layers: maps that follow the training, distributions over time, the time of a step."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from lab.runs import MetricWriter, RunFolder
from lab.runs.metrics.gauges import ACTIVATION_RMS, UPDATE_RATIO, GaugeMap
from lab.shell.runtime.background import Background
from lab.shell.session.findings import KnownFindings
from lab.shell.train.gauges.map_card import COLUMNS, thinned
from lab.shell.train.gauges.page import GaugesPage
from lab.shell.train.gauges.ridges_card import spaced
from lab.shell.train.gauges.times_card import WindowShare
from lab.widgets.core.drawing import Drawing

LAYERS = ("embedding", "blocks.0", "blocks.1")
STEPS = (1, 20, 40, 60)


@pytest.fixture
def page(registry, qtbot):
    """The page alone."""
    background = Background(registry)
    page = GaugesPage(registry, Drawing(registry), background, KnownFindings(), lambda *_: None)
    qtbot.addWidget(page)
    page.resize(1000, 700)
    with qtbot.waitExposed(page):
        page.show()
    yield page
    background.close()


@pytest.fixture
def measured(registry, saved_run, until):
    """Open a run whose layers were measured."""
    path = saved_run(losses=(3.0, 2.0))
    run = RunFolder.open(path)
    with MetricWriter(run.metrics_file) as writer:
        for number, layer in enumerate(LAYERS):
            writer.append((step, UPDATE_RATIO.series(layer), 1e-4 * 10**number * step) for step in STEPS)
        for part, seconds in (("data", 0.001), ("forward", 0.01), ("backward", 0.02), ("optimizer", 0.009)):
            writer.append((step, f"{part} seconds", seconds) for step in STEPS)
    for step in STEPS:
        found = {layer: {"bound": 0.1 * step, "counts": [1, 2, 4, 2, 1]} for layer in LAYERS}
        run.append_histograms({"step": step, "weights": found, "gradients": found})
    opened = registry.open(path)
    until(lambda: opened.curves.names())
    return opened


def test_a_map_shows_every_layer_and_measured_step(page, measured):
    card = page.maps[0]
    card.draw()
    assert card.state == "content"
    assert card.view._values.shape == (3, 4)
    assert card.view.scale.log
    assert card.view.text_at(2, 1) == "layer blocks.1 · step 20 · 0.2"
    at = card.view.rect_of(1, 3).center()
    assert card.view.cell_at(QPointF(at)) == (1, 3)


def test_a_gauge_that_was_not_measured_says_why(page, measured):
    card = page.maps[1]
    card.draw()
    assert card.gauge == ACTIVATION_RMS
    assert card.state == "empty"


def test_a_log_scale_leaves_out_what_is_not_positive(page, measured):
    view = page.maps[0].view
    view.set_log(True)
    view.set_map(np.array([[0.0, 1e-3, 1.0]], np.float32), ("a",), ("1", "2", "3"), row_name="r", column_name="c")
    assert (view.scale.low, view.scale.high) == (pytest.approx(1e-3), 1.0)
    shares = view.scale.shares(np.array([0.0, 1e-3, 10**-1.5, 1.0]))
    assert np.isnan(shares[0])
    assert shares[1:].tolist() == pytest.approx([0, 0.5, 1], abs=1e-6)
    ticks = [text for _, text in view._ticks(300)]
    assert ticks[-1] == "1"
    assert all(0 < float(text) <= 1 for text in ticks)


def test_distributions_are_drawn_for_all_layers_at_a_step_and_for_one_over_time(page, measured, until):
    card = page.ridges
    card.draw()
    until(lambda: card.view._ridges)
    assert [ridge.label for ridge in card.view._ridges] == list(LAYERS)
    assert card.view._ridges[0].bound == pytest.approx(6.0)
    card._take_step("20")
    card.draw()
    assert card.view._ridges[0].bound == pytest.approx(2.0)
    card._take_layer("blocks.1")
    card.draw()
    assert [ridge.label for ridge in card.view._ridges] == ["1", "20", "40", "60"]
    assert card.view.text_at(0, 0.0) == "step 1 · 40 % near 0"


def test_ridges_are_exported_as_a_table_of_densities(page, measured, until):
    card = page.ridges
    card.draw()
    until(lambda: card.view._ridges)
    figure = card.view.exported().figure
    assert figure.rows == list(LAYERS)
    assert figure.values.min() >= 0
    widths = np.diff(np.linspace(-6, 6, figure.values.shape[1]))[0]
    assert figure.values.sum(1) * widths == pytest.approx([1, 1, 1], rel=0.15)


def test_new_histograms_are_added_while_a_run_trains(page, measured, until):
    card = page.ridges
    card._take_layer("blocks.0")
    card.draw()
    until(lambda: card.view._ridges)
    found = {"blocks.0": {"bound": 9.0, "counts": [1, 1]}}
    RunFolder.open(measured.path).append_histograms({"step": 80, "weights": found})
    card.draw()
    until(lambda: card.view._ridges[-1].label == "80")
    assert len(card.view._ridges) == 5


def test_the_time_of_a_step_is_split_into_its_parts(page, measured):
    page.times.draw()
    assert page.times.state == "content"
    shown = {bar.name: bar.figures for bar in page.times.list._painter._rows}
    assert shown["forward pass"] == ("10 ms", "25.0 %")
    assert shown["backward pass"] == ("20 ms", "50.0 %")


def test_the_share_of_the_window_is_measured_over_a_second():
    busy, clock = iter([0.0, 0.1, 0.5]), iter([0.0, 0.5, 2.0])
    share = WindowShare(lambda: next(busy), lambda: next(clock))
    assert share.measure() is None
    assert share.measure() == 0.25


def test_the_choices_of_the_page_are_restored(page, measured):
    page.maps[1]._take("weight norm")
    state = page.state_dict()
    page.maps[1]._take("gradient norm")
    page.load_state_dict(state)
    assert page.maps[1].gauge.name == "weight norm"
    page.load_state_dict({"maps": "none", "ridges": 3})
    page.load_state_dict({"maps": [{"gauge": "unknown", "log": 3}]})
    assert page.maps[1].gauge.name == "weight norm"


def test_a_long_run_is_drawn_with_fewer_steps_and_its_last_one():
    steps = np.arange(1, 5001)
    found = thinned(GaugeMap(UPDATE_RATIO, ("a",), steps, np.ones((1, 5000))))
    assert found.values.shape[1] <= COLUMNS
    assert found.steps[-1] == 5000
    assert spaced(list(range(100)), 5) == [0, 25, 50, 74, 99]


def test_the_page_takes_the_place_of_the_charts_and_gives_it_back(open_page):
    page = open_page("train")
    page.train.loss.gauges_requested.emit()
    assert page.train.shows_gauges
    page.train.gauges.closed.emit()
    assert not page.train.shows_gauges
