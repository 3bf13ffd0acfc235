"""The losses in the list of runs: which loss a value is, and in which unit, is written there."""

import math

import pytest
from PySide6.QtCore import Qt

from lab.runs import MetricWriter, RunFolder
from lab.shell.runs.rows import LOSS, PERPLEXITY, TRAIN, measured, row_of


@pytest.fixture
def listed(saved_run, open_window, until):
    """Open a window with a run whose last losses are ln 2 per token."""
    path = saved_run("Small", losses=(2.0, math.log(2)))
    with MetricWriter(RunFolder.open(path).metrics_file) as writer:
        writer.append([(2, "validation loss", math.log(2))])
    window = open_window()
    window.session.open_path(str(path))
    until(lambda: window.session.selected.is_validated)
    return window


@pytest.mark.long
def test_list_table_and_home_show_losses_in_the_unit_of_the_chart_and_name_it(listed, until):
    for unit, heading, value in (
        ("nats", "validation loss, nats per token", "0.69"),
        ("bits", "validation loss, bits per token", "1.00"),
        ("perplexity", "validation perplexity", "2.00"),
    ):
        listed.train.loss._units.pick(unit)
        listed.runs.refresh()
        assert listed.runs._measure.text() == f"{heading} ▾"
        assert [row.value for row in listed.runs.list.rows.rows] == [value]
        validation = listed.runs._measure.value
        listed.runs._measure.pick(TRAIN)
        assert listed.runs._measure.text() == f"{heading.replace('validation', 'training')} ▾"
        listed.runs._measure.pick(validation)
    listed.train.loss._units.pick("bits")
    table = listed.runs_controller.table
    table.toggle()
    table.toggle_column("best train loss")
    cells = table.table.model()

    def shown():
        titles = [cells.headerData(number, Qt.Orientation.Horizontal) for number in range(cells.columnCount())]
        return {title: cells.index(0, number).data() for number, title in enumerate(titles)}

    until(lambda: shown().get("best training loss (bits per token)") == "1.00", timeout=10_000)
    assert shown()["validation loss, bits per token"] == "1.00"
    listed.train.loss._units.pick("nats")
    until(lambda: shown().get("best training loss (nats per token)") == "0.69", timeout=10_000)
    assert shown()["validation loss, nats per token"] == "0.69"
    listed.train.loss._units.pick("perplexity")
    listed.show_place("home")
    row = listed.home.recent.tiles[0].row
    assert (row.value, row.unit, row.loss) == ("2.00", "perplexity", "validation loss: perplexity 2.00")


def test_a_training_loss_under_the_heading_of_the_validation_loss_says_what_it_is(saved_run, registry, until):
    run = registry.open(saved_run("New", losses=(3.0, 2.5)))
    until(lambda: run.curves.names())
    assert row_of(run, LOSS).value == "train 2.50"
    assert row_of(run, TRAIN, "bits").value == "3.61"


def test_a_loss_that_is_not_of_next_tokens_has_its_own_unit_and_no_perplexity(saved_run, open_page, until):
    window = open_page("train")
    card = window.train.loss
    for of_loss, has_bits in (("nats per hidden token", True), ("mean squared error", False)):
        path = saved_run(of_loss, losses=(2.0, 1.0))
        RunFolder.open(path).update(summary={"train_loss": 1.0, "loss_unit": of_loss})
        window.session.open_path(str(path))
        until(lambda path=path: window.session.selected.path == path and window.session.selected.curves.names())
        run = window.session.selected
        window.session.registry.show_only([run.key])
        card._units.pick("nats")
        assert run.loss_unit == of_loss
        assert measured(run, PERPLEXITY) is None
        assert (measured(run, TRAIN, "bits") is not None) == has_bits
        until(lambda unit=of_loss: card.chart.accessibleName().startswith(f"Chart: loss ({unit})"))
        number = "1.47 nats" if has_bits else f"1.47 {of_loss}"
        until(lambda number=number: card._number.text() == number)
        assert bool(card._sentence.text()) == has_bits
        card._units.pick("perplexity")
        until(lambda unit=of_loss: card._other is not None and f"in another unit: {unit}" in card._other.shown_text[0])
