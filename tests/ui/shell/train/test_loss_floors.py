"""Floors in the loss card: the comparison with the number, hidden and late floors, KL, and bits per byte."""

import json
import math

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QPushButton, QToolTip

from lab.api import ENTROPY_RATE
from lab.base import notices
from lab.runs import MetricWriter, RunFolder
from lab.runs.floor_list import FILE, write_floors
from lab.shell.train.floor_lines import compared_with, floor_description
from lab.shell.train.loss_card import BYTES, KL
from lab.widgets.core.controls import MenuButton

FLOORS = {"uniform": 4.2, "unigram": 3.3, "bigram": 2.5, "kneser-ney 6": 1.6, "zlib": 2.4, "bz2": 1.2, "lzma": 1.3}
LOSSES = (3.6, 3.0, 2.4, 2.0)


@pytest.fixture
def opened(registry, saved_run, until):
    """Open a finished run with its own floors and those found later; facts are added to it."""

    def opened(found=FLOORS, *, title="Old", losses=LOSSES, complete=True, summary=None, **facts):
        path = saved_run(title, losses=losses)
        if summary:
            RunFolder.open(path).update(summary=summary)
        with MetricWriter(RunFolder.open(path).metrics_file) as writer:
            writer.append((step, "validation loss", loss) for step, loss in enumerate(losses, start=1))
        reported = json.loads((path / "run.json").read_text())
        (path / "run.json").write_text(json.dumps({**reported, "floors": {}, **facts}))
        if found:
            write_floors(path, found, "windows", complete=complete)
        run = registry.open(path)
        until(lambda: run.curves.names())
        return run

    return opened


def behind(card):
    """Draw the card, and return the text after its number."""
    card.draw()
    return card._caption.text().split("  ·  ")[0]


def drawn(card):
    """Draw the card, and return its floors by name."""
    card.draw()
    return {floor.name: floor.value for floor in card.chart._floors}


def choose(card, menu, words):
    """Draw the card, and select an entry of one of its menus by its label."""
    card.draw()
    button = next(one for one in card.findChildren(QPushButton) if one.menu() and one.text().startswith(menu))
    next(action for action in button.menu().actions() if action.text() == words).trigger()


def take_unit(card, words):
    """Select a unit in the card's menu."""
    menus = [one for one in card.findChildren(MenuButton) if one.accessibleName().startswith("unit of loss:")]
    next(action for action in menus[0].menu().actions() if action.text() == words).trigger()


# ---- what the number is compared with


def test_a_loss_is_compared_with_the_strongest_model_not_with_a_compressor_below_it(card, opened):
    opened()
    assert behind(card) == "0.40 above Kneser-Ney, order 6"


def test_a_loss_below_the_best_order_is_described_as_such(card, opened):
    opened(losses=(2.0, 1.48))
    assert behind(card) == "0.12 below Kneser-Ney, order 6"


def test_with_a_known_entropy_the_gap_is_the_kl_divergence(card, opened):
    opened({**FLOORS, ENTROPY_RATE: 1.97})
    assert behind(card) == "0.03 above the entropy of the source (KL)"


def test_a_small_divergence_has_two_significant_digits(card, opened):
    opened({ENTROPY_RATE: 1.9972})
    assert behind(card) == "0.0028 above the entropy of the source (KL)"


@pytest.mark.parametrize(("error", "told"), [(0.1, True), (0.5, False)])
def test_a_loss_below_the_entropy_by_more_than_its_error_is_told_as_what_it_is(card, opened, error, told):
    run = opened({ENTROPY_RATE: 2.4}, summary={"validation_loss": 2.0, "standard_error": error})
    assert behind(card) == "0.40 below the entropy of the source"
    assert (run.standard_errors_below_entropy is not None) == told
    assert ("4.0 standard errors lower than any model comes on average" in card._caption.text()) == told


def test_a_gap_in_perplexity_is_not_called_a_divergence(card, opened):
    opened({ENTROPY_RATE: 1.9})
    take_unit(card, "perplexity")
    assert behind(card) == f"{math.exp(2.0) - math.exp(1.9):.2f} above the entropy of the source"


def test_a_perplexity_stands_behind_its_name_and_a_loss_before_its_unit(card, opened):
    opened()
    assert card._number.text() == "2.00 nats"
    take_unit(card, "perplexity")
    card.draw()
    assert card._number.text() == f"perplexity {math.exp(2.0):.2f}"


def test_a_hidden_floor_is_neither_drawn_nor_compared_with(card, opened):
    opened()
    assert "Kneser-Ney, order 6" in drawn(card)
    choose(card, "reference lines", "Kneser-Ney, order 6")
    assert "Kneser-Ney, order 6" not in drawn(card)
    assert behind(card) == "0.50 below bigram"
    choose(card, "reference lines", "Kneser-Ney, order 6")
    assert behind(card) == "0.40 above Kneser-Ney, order 6"


def test_with_every_floor_hidden_the_number_has_no_comparison(card, opened):
    opened({"unigram": 3.3})
    choose(card, "reference lines", "unigram")
    assert behind(card) == "validation"
    assert not drawn(card)


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ((), None),
        (("zlib", "lzma"), "lzma"),
        (("zlib", "unigram"), "unigram"),
        (("the corpus's own", "unigram"), "the corpus's own"),
    ],
)
def test_compressors_are_named_only_where_no_model_is(names, found):
    assert compared_with(names, {"zlib": 1.2, "lzma": 1.1, "unigram": 3.3, "the corpus's own": 3.0}) == found


# ---- what a floor means


def test_the_label_of_a_floor_has_a_tool_tip_with_its_meaning(card, opened, qtbot):
    opened()
    card.draw()
    sheet = card.chart._scene
    _, middles = sheet._annotations._rows(sheet.frame)
    row = next(row for row, label in enumerate(sheet._annotations.labels) if label.name == "bigram")
    place = QPoint(round(sheet.frame.right) + 40, round(middles[row]))
    QApplication.sendEvent(card.chart, QHelpEvent(QEvent.Type.ToolTip, place, card.chart.mapToGlobal(place)))
    reported = QToolTip.text()
    QToolTip.hideText()
    assert floor_description("bigram") in reported


def test_a_long_tool_tip_is_wrapped_beside_the_pointer(card, opened, qtbot):
    opened()
    card.draw()
    sheet = card.chart._scene
    _, middles = sheet._annotations._rows(sheet.frame)
    row = next(row for row, label in enumerate(sheet._annotations.labels) if label.name.startswith("Kneser-Ney"))
    place = QPoint(round(sheet.frame.right) + 40, round(middles[row]))
    QApplication.sendEvent(card.chart, QHelpEvent(QEvent.Type.ToolTip, place, card.chart.mapToGlobal(place)))
    tip = next(widget for widget in QApplication.topLevelWidgets() if widget.inherits("QTipLabel"))
    width = tip.width()
    QToolTip.hideText()
    assert 300 < width < 450


@pytest.mark.parametrize(
    ("unit", "name"), [("nats", "uniform (ln V)"), ("bits", "uniform (log₂ V)"), ("perplexity", "uniform (V)")]
)
def test_the_uniform_line_is_named_with_its_value_in_the_shown_unit(card, opened, unit, name):
    opened({"uniform": 4.2})
    card._take_unit(unit)
    card.draw()
    assert [label.name for label in card.chart._scene._annotations.labels if "uniform" in label.name] == [name]
    assert behind(card).endswith(f"below {name}")


# ---- what a unit means


def test_the_number_and_the_menu_of_units_explain_the_unit(card, opened):
    opened({"uniform": math.log(65)})
    card._take_unit("perplexity")
    card.draw()
    meaning = "As unsure as between this many equally probable tokens: 1 is perfect, V = 65 is guessing blindly."
    assert meaning in card._number.toolTip()
    tips = {action.data(): action.toolTip() for action in card._units.menu().actions()}
    assert meaning in tips["perplexity"]
    assert "0 is perfect, log₂ V = 6 is guessing blindly" in tips["bits"]


def test_lines_are_named_before_floors_where_there_is_little_room(card, opened):
    opened({**FLOORS, ENTROPY_RATE: 1.8})
    card.resize(1100, 300)
    QApplication.processEvents()
    card.draw()
    names = [label.name for label in card.chart._scene._annotations.labels]
    assert names[:4] == ["train", "validation", "entropy of the source", "Kneser-Ney, order 6"]
    assert len(names) < 10


# ---- the divergence from the source


def test_above_the_entropy_is_a_unit_in_which_the_source_itself_is_zero(card, opened):
    opened({"unigram": 3.3, "kneser-ney 2": 2.1, ENTROPY_RATE: 1.5})
    take_unit(card, "nats above the entropy")
    assert drawn(card) == pytest.approx(
        {"unigram": 1.8, "Kneser-Ney, order 2": 0.6, "entropy of the source": 0.0}, abs=1e-9
    )
    assert card._number.text() == "0.50 nats above the entropy"
    assert behind(card) == "0.10 below Kneser-Ney, order 2"
    assert "KL(P‖Q)" in card.chart.accessibleName()


def test_on_a_logarithmic_axis_the_divergence_falls_towards_a_zero_that_is_not_drawn(card, opened, button, click):
    opened({"unigram": 3.3, ENTROPY_RATE: 1.5}, losses=(3.5, 1.6, 1.51, 1.4999))
    take_unit(card, "nats above the entropy")
    click(button(card, "log y"))
    card.draw()
    assert card.state == "content"
    frame = card.chart._scene.frame
    assert math.log10(0.001) < frame.y0 < math.log10(0.01)
    assert "entropy of the source" not in [label.name for label in card.chart._scene._annotations.labels]


def test_an_unknown_entropy_is_reported(card, opened):
    opened(title="Text")
    take_unit(card, "nats above the entropy")
    card.draw()
    assert card.state == "empty"
    assert card._other.shown_text[0] == "The entropy of the source of Text is unknown."


# ---- losses of different tokenizers


def test_bits_per_byte_are_offered_for_runs_with_different_tokenizers(card, registry, opened, button, click):
    first = opened(title="Characters", bytes_per_token=1.0)
    for shown in (False, True):
        registry.show(first.key, shown)
    card.draw()
    assert not card.comparison.by_bytes.isVisible()
    opened(title="Pieces", bytes_per_token=2.5)
    card.draw()
    click(button(card, "Show bits per byte"))
    card.draw()
    assert card.unit == BYTES
    assert card._units.text() == "bits per byte ▾"
    assert not card.comparison.by_bytes.isVisible()
    last = {line.key: line.y[-1] for line in card.chart._lines if line.key.endswith("validation")}
    assert last[f"{first.key}/validation"] == pytest.approx(2.0 / math.log(2))
    assert last[f"{registry.selected.key}/validation"] == pytest.approx(2.0 / math.log(2) / 2.5)


# ---- when floors come


def test_floors_that_are_found_after_the_run_has_ended_are_drawn(card, registry, opened, until):
    run = opened({"unigram": 3.3})
    assert behind(card) == "1.30 below unigram"
    write_floors(run.path, FLOORS, "windows", complete=True)
    registry.begin()
    until(lambda: behind(card) == "0.40 above Kneser-Ney, order 6")


def test_floors_that_are_found_while_a_run_trains_are_drawn(card, registry, small, until):
    registry.begin()
    run = registry.start(small("training.steps=1000000"))
    until(lambda: run.step > 2)
    until(lambda: "unigram" in drawn(card))
    write_floors(run.path, {"kneser-ney 3": 0.5}, "windows")
    until(lambda: "Kneser-Ney, order 3 so far" in drawn(card))
    assert run.works
    assert behind(card).endswith("above Kneser-Ney, order 3 so far")


def test_a_damaged_file_of_floors_is_reported_and_the_runs_own_floors_are_drawn(card, opened, until):
    run = opened({}, floors={"unigram": 3.3})
    reported = []
    end = notices.listen(reported.append)
    (run.path / FILE).write_text("{")
    assert run.take_floors()
    end()
    assert drawn(card) == {"unigram": 3.3}
    assert [notice.level for notice in reported] == ["warning"]
    assert FILE in reported[0].problem.line()
    assert KL not in card._caption.text()


def test_the_order_of_the_kneser_ney_model_is_provisional_until_all_floors_are_found(card, opened):
    run = opened({"kneser-ney 6": FLOORS["kneser-ney 6"]}, complete=False)
    assert behind(card) == "0.40 above Kneser-Ney, order 6 so far"
    assert "Kneser-Ney, order 6 so far" in drawn(card)
    write_floors(run.path, {"kneser-ney 6": FLOORS["kneser-ney 6"]}, "windows", complete=True)
    run._floors._stamp = -1  # two writes within one tick of the file system's clock
    assert run.take_floors()
    assert behind(card) == "0.40 above Kneser-Ney, order 6"
