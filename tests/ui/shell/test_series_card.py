"""The card of another quantity: its speed for slow and short trainings, and what it smooths where."""

import threading

import numpy as np
import pytest

from lab.runs import MetricWriter, RunFolder
from lab.shell.background import Background
from lab.shell.run_book import RunBook
from lab.shell.scales import NORM
from lab.shell.series_card import LAYERS, SPEED, SeriesCard
from lab.widgets.chart_crosshair import Crosshair
from lab.widgets.drawing import Drawing
from lab.workbench import Workbench, curves


@pytest.fixture
def book(qtbot):
    """A list of runs without a window."""
    workbench, background = Workbench(), Background()
    made = RunBook(workbench, background)
    yield made
    made.close()
    background.close()
    workbench.close()


@pytest.fixture
def make_card(book, qtbot):
    """Make a card of a quantity, drawn when it is told to."""

    def make_card(quantity):
        card = SeriesCard(book, Drawing(book), Crosshair(book), quantity)
        qtbot.addWidget(card)
        card.resize(500, 300)
        with qtbot.waitExposed(card):
            card.show()
        return card

    return make_card


@pytest.fixture
def opened(book, saved_run, until):
    """Open a run that is over, with these series: {name: [value at step 1, …]}."""

    def opened(**series):
        path = saved_run(losses=())
        with MetricWriter(RunFolder.open(path).metrics_file) as writer:
            for name, values in series.items():
                writer.append((step, name.replace("_", " "), value) for step, value in enumerate(values, start=1))
        view = book.open(path)
        until(lambda: view.curves.names())
        return view

    return opened


def test_a_training_of_fourteen_quick_steps_has_a_speed(make_card, opened):
    opened(tokens=np.arange(1, 15) * 1000.0, seconds=np.arange(1, 15) * 0.01)
    card = make_card(SPEED)
    card.draw()
    assert card.state == "content"
    assert card.chart.accessibleDescription() == ""
    assert [line.y.tolist() for line in card.chart._lines] == [[pytest.approx(100_000)]]


def test_slow_steps_have_a_speed_each_on_every_axis(make_card, opened):
    opened(tokens=[10.0, 20.0, 30.0], seconds=[5.0, 10.0, 20.0])
    card = make_card(SPEED)
    for by, places in (("steps", [1, 2, 3]), ("tokens", [10, 20, 30]), ("seconds", [5, 10, 20])):
        card.show_by(by)
        card.draw()
        assert card.chart._lines[0].x.tolist() == places
        assert card.chart._lines[0].y.tolist() == [2, 2, 1]


def test_what_is_shown_first_of_a_run_on_disk_is_smoothed_off_the_main_thread_and_layers_once_they_are_asked_for(
    make_card, opened, monkeypatch
):
    threads, smooth = [], curves.decayed
    monkeypatch.setattr(
        curves, "decayed", lambda x, share: threads.append(threading.current_thread()) or smooth(x, share)
    )
    opened(gradient_norm=[1.0, 2.0, 3.0], gradient_norm_block_1=[1.0, 2.0, 3.0], train_loss=[3.0, 2.0, 1.0])
    card = make_card(NORM)
    card.draw()
    assert len(threads) == 2
    assert threading.main_thread() not in threads
    card._take(LAYERS)
    card.draw()
    assert [line.name for line in card.chart._lines] == ["block 1"]
    assert len(threads) == 3


def test_a_quantity_of_a_plugin_has_its_name_from_there(make_card, opened):
    opened(KL_to_the_source=[0.5, 0.4])
    card = make_card("KL to the source")
    card.draw()
    assert card.title == "KL to the source"
    assert "KL to the source" in card.chart.accessibleName()
