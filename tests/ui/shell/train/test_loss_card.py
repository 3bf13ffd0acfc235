"""The loss card: its number and unit, the lines that it redraws, and how often it paints."""

import json
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton

from lab.host import Plugins
from lab.runs import MetricWriter, RunFolder
from lab.runs.library.labels import Label
from lab.shell.runs.rows import VALUE, ordered, row_of
from lab.shell.session.runs.loss_unit import PERPLEXITY
from lab.shell.session.runs.model import RunModel
from lab.training.recording.telemetry import Rows
from lab.widgets.charts.chart import Chart
from lab.widgets.charts.lines import Curve
from lab.widgets.core.theme import px, themes
from lab.workbench import ActiveRun
from lab.workbench.analysis.floors import KnownFloors
from lab.workbench.launch.origins import NewRun

MANY = tuple(1.5 + 2 * 0.98**step for step in range(100))
"""A loss that falls, told often enough to be smoothed."""


@pytest.fixture
def painted(monkeypatch):
    """Record the paintings of charts made from now on."""
    painted, paint = [], Chart.paintEvent
    monkeypatch.setattr(Chart, "paintEvent", lambda self, event: (painted.append(self), paint(self, event))[1])
    return painted


@pytest.fixture
def opened(registry, saved_run, until):
    """Open a finished run with a validation loss at every second step or none; facts are added to it."""

    def opened(title="Old", losses=(3.0, 2.0, 1.5), *, validated=True, **facts):
        path = saved_run(title, losses=losses)
        if validated:
            with MetricWriter(RunFolder.open(path).metrics_file) as writer:
                writer.append((step, "validation loss", losses[step - 1]) for step in range(2, len(losses) + 1, 2))
        reported = json.loads((path / "run.json").read_text())
        (path / "run.json").write_text(json.dumps({**reported, **facts}))
        run = registry.open(path)
        until(lambda: run.curves.names())
        return run

    return opened


def keep(registry, run):
    """Draw a run together with those selected later."""
    for shown in (False, True):
        registry.show(run.key, shown)


def preparing(registry, recipe):
    """List a run that has not started."""
    return registry._add(RunModel("new", ActiveRun(NewRun(recipe, None), Plugins(), None), Label(colour=1)))


def reported(card):
    """Draw the card, and return its number and the text after it."""
    card.draw()
    return card._number.text(), card._caption.full_text


def test_the_curve_keeps_a_height_in_which_it_can_be_read_at_the_largest_type(card, opened, until):
    opened()
    themes.change(type_size=200)
    card.resize(card.minimumSizeHint())
    until(lambda: card.chart.height() >= px(66))


def test_a_queued_run_shows_a_sentence_and_no_number_beside_the_curves_of_the_others(registry, card, opened, small):
    old = opened()
    assert reported(card)[0] == "2.00 nats"
    keep(registry, old)
    new = preparing(registry, small("title=New"))
    registry.select(new.key)
    assert reported(card)[1] == ""
    assert card._number.isHidden()
    assert card._sentence.text() == "New is queued: its loss appears here once it trains"
    assert {line.key.partition("/")[0] for line in card.chart._lines} == {old.key}
    feed(new, "train loss", [4.0, 3.5])
    assert reported(card)[0] == "3.74 nats"  # the smoothed one
    assert card._number.isVisible()


def test_a_selected_run_that_ended_without_a_loss_does_not_show_that_of_another(registry, card, opened, saved_run):
    keep(registry, opened())
    registry.open(saved_run("Failed", state="failed", losses=()))
    assert reported(card) == ("–", "Failed has no loss")


def test_before_the_first_evaluation_the_number_is_the_smoothed_training_loss_and_says_so(card, opened):
    run = opened(losses=MANY, validated=False)
    smoothed = run.curves.smoothed("train loss", card.smoothing)[-1]
    number, behind = reported(card)
    assert number == f"{smoothed:.2f} nats"
    assert behind.endswith("train, smoothed by 0.9")
    assert number != f"{MANY[-1]:.2f} nats"


def test_bits_per_byte_come_from_the_facts_of_a_run_before_its_first_evaluation(card, opened):
    opened(losses=(2.0, 2.0), validated=False, bytes_per_token=2.0)
    card._take_unit("bits per byte")
    number, behind = reported(card)
    assert number == "1.44 bits per byte"
    assert behind.startswith("0.58 below unigram")


def test_unknown_bytes_per_token_are_reported(card, opened):
    opened("Silent", validated=False)
    card._take_unit("bits per byte")
    card.draw()
    assert card.state == "empty"
    assert card._other.shown_text[0] == "The bytes per token of Silent are unknown."


def test_a_run_with_unknown_bytes_per_token_has_no_line_among_others(registry, card, opened):
    first = opened("Telling", validated=False, bytes_per_token=2.0)
    keep(registry, first)
    opened("Silent", validated=False)
    card._take_unit("bits per byte")
    assert reported(card) == ("–", "the bytes per token of Silent are unknown")
    assert {line.key.partition("/")[0] for line in card.chart._lines} == {first.key}


def test_the_loss_of_a_model_that_sees_the_tokens_it_predicts_has_a_note(card, opened):
    run = opened()
    assert "later" not in reported(card)[1]
    run.last_status = replace(run.last_status, summary={"reads_later_tokens": True})
    assert reported(card)[1].startswith("the model sees the tokens it predicts  ·  ")


def test_a_loss_that_became_nan_is_reported(card, opened):
    opened("Broken", losses=(3.0, float("nan")), validated=False)
    selected = card._registry.selected
    selected.last_status = replace(selected.last_status, summary={})
    assert reported(card) == ("–", "the loss of Broken is not a number")


def test_non_finite_floors_are_left_out(card, opened):
    run = opened()
    run.source.folder.facts = {"floors": {"unigram": float("nan"), "uniform": 4.0}}
    run._floors = KnownFloors()
    assert reported(card)[1].startswith("2.00 below uniform (ln V)")
    assert [floor.name for floor in card.chart._floors] == ["uniform (ln V)"]


@pytest.mark.parametrize("unit", ["nats", "bits", "perplexity", "bits per byte"])
@pytest.mark.parametrize("by", ["steps", "tokens", "seconds", "FLOPs"])
def test_unchanged_lines_are_not_processed_again(card, opened, registry, monkeypatch, unit, by):
    for name in ("One", "Two"):
        keep(registry, opened(name, MANY, bytes_per_token=2.0, cost={"flops_per_token": 2e6}))
    card._take_x(by)
    card._take_unit(unit)
    card.draw()
    before = {line.key: (line.x, line.y) for line in card.chart._lines}
    card.draw()
    assert len(before) == 6
    for line in card.chart._lines:
        assert (line.x is before[line.key][0], line.y is before[line.key][1]) == (True, True), line.key


def test_only_the_growing_run_among_many_is_processed_again(registry, card, opened, monkeypatch):
    runs = [opened(f"Run {number}", MANY) for number in range(4)]
    for run in runs:
        keep(registry, run)
    card._take_unit("bits")
    card.draw()
    arranged = []
    arrange = Curve.take
    monkeypatch.setattr(
        Curve,
        "take",
        lambda self, *given: (arrange(self, *given), self._shown is None and arranged.append(self.line.key)),
    )
    runs[1].curves.feed(Rows(np.array([len(MANY) + 1]), np.zeros(1, int), np.array([1.0])), ["train loss"])
    card.draw()
    assert arranged == [f"{runs[1].key}/train"]


def test_a_selection_paints_the_chart_once(painted, registry, card, opened):
    first, other = opened("One"), opened("Two", floors={"unigram": 1.8})
    card.draw()
    QApplication.processEvents()
    painted.clear()
    assert registry.selected is other
    registry.select(first.key)
    card.draw()
    assert len(painted) == 1


def test_the_button_that_shows_the_complete_curve_replaces_follow(card, opened):
    opened(losses=[9.0, 4.0, *[2.0] * 300], validated=False, floors={"uniform": 4.2})
    card.draw()
    labels = [button.text() for button in card.findChildren(QPushButton) if button.isVisible()]
    assert labels.count("show all") == 1
    shown = next(button for button in card.chart.findChildren(QPushButton) if button.text() == "show all")
    shown.click()
    labels = [button.text() for button in card.findChildren(QPushButton) if button.isVisible()]
    assert "show all" not in labels
    assert "follow" in labels


def test_on_the_flops_axis_positions_are_tokens_times_flops_per_token(card, opened, registry):
    run = opened("Two", (3.0, 2.0, 1.5), cost={"flops_per_token": 2e6})
    run.curves.feed(Rows(np.array([1, 2, 3]), np.zeros(3, int), np.array([8.0, 16.0, 24.0])), ["tokens"])
    card._take_x("FLOPs")
    card.draw()
    lines = {line.key: line.x.tolist() for line in card.chart._lines}
    assert lines[f"{run.key}/train"] == [1.6e7, 3.2e7, 4.8e7]
    assert card._position_label(3.2e7) == "step 2 · 16 tokens · 3.2e7 FLOPs"


def test_on_the_flops_axis_a_run_of_unknown_cost_is_left_out(card, opened, registry):
    keep(registry, opened("One"))
    card._take_x("FLOPs")
    card.draw()
    assert card.state == "empty"
    assert card._other.shown_text[0] == "The FLOPs per token of One are unknown."
    other = opened("Two", cost={"flops_per_token": 2e6})
    card.draw()
    assert {line.key.partition("/")[0] for line in card.chart._lines} == {other.key}


@pytest.mark.parametrize(("by", "reason"), [("joules", "did not tell the power"), ("epochs", "recorded no epochs")])
def test_on_an_axis_that_a_run_did_not_record_the_card_says_why(card, opened, registry, by, reason):
    keep(registry, opened("One"))
    card._take_x(by)
    card.draw()
    assert card.state == "empty"
    assert reason in card._other.shown_text[0]


def test_on_the_axis_of_joules_positions_are_power_times_seconds(card, opened, registry):
    run = opened("Two", (3.0, 2.0, 1.5))
    seconds, power = np.array([2.0, 4.0, 6.0]), np.array([10.0, 10.0, 20.0])
    numbers = np.repeat([0, 1], 3)
    run.curves.feed(Rows(np.array([1, 2, 3, 1, 2, 3]), numbers, np.concatenate([seconds, power])), ["seconds", "power"])
    card._take_x("joules")
    card.draw()
    lines = {line.key: line.x.tolist() for line in card.chart._lines}
    assert lines[f"{run.key}/train"] == [20, 40, 80]
    assert card._position_label(40.0) == "step 2 · 0:04 · 40.0 J"


@pytest.fixture
def endless(saved_run, registry, until):
    """Open a counted run whose validation loss is infinite, with its series or with what its summary tells alone."""

    def endless(*, series=True):
        path = saved_run(losses=(3.0, 2.0))
        if series:
            with MetricWriter(RunFolder.open(path).metrics_file) as writer:
                writer.append([(2, "validation loss", float("inf"))])
        reported = {"train_loss": 2.0, "validation_loss": None, "infinite": ["validation_loss"], "learns": "counting"}
        RunFolder.open(path).update(state="finished", step=2, summary={**reported, "protocol": "stream"})
        run = registry.open(path)
        until(lambda: run.curves.names())
        return run

    return endless


@pytest.mark.parametrize("series", [True, False], ids=["series", "summary"])
def test_an_infinite_loss_is_shown_as_infinite_with_the_reason(card, endless, series):
    run = endless(series=series)
    number, behind = reported(card)
    assert number == "∞ nats"
    assert behind == "an n-gram of the validation text was never counted  ·  validation, by stream"
    assert row_of(run).value == "∞"


@pytest.mark.parametrize(
    ("unit", "number"), [("bits", "∞ bits"), ("perplexity", "perplexity ∞"), ("bits per byte", "∞ bits per byte")]
)
def test_an_infinite_loss_is_infinite_in_every_unit(card, endless, monkeypatch, unit, number):
    monkeypatch.setattr(RunModel, "bits_per_byte_factor", 0.5)
    endless()
    card._take_unit(unit)
    assert reported(card)[0] == number


def test_a_run_with_infinite_loss_is_sorted_after_finite_ones(card, endless, opened):
    runs = [endless(), opened(title="Finite")]
    assert ordered(runs, VALUE, PERPLEXITY) == [runs[1], runs[0]]


@pytest.mark.parametrize("unit", ["nats", "bits", "perplexity", "bits per byte"])
def test_the_sentence_about_the_loss_is_the_same_in_every_unit(card, opened, unit):
    opened(losses=(3.0, np.log(6.5)), bytes_per_token=2.0, targets=85)
    card._take_unit(unit)
    card.draw()
    sentence = "It guesses the next character as if choosing among 6.5; guessing blindly would be 85"
    assert card._sentence.text() == sentence
    assert card._number.accessibleDescription() == sentence


def test_without_a_stored_number_of_tokens_the_uniform_floor_tells_it(card, opened):
    opened(losses=(3.0, np.log(4)), floors={"uniform": np.log(65)})
    card.draw()
    assert card._sentence.text().endswith("as if choosing among 4; guessing blindly would be 65")


def test_the_sentence_of_an_infinite_loss_has_no_number_and_that_of_a_missing_loss_is_hidden(card, endless, opened):
    endless()
    card.draw()
    assert "infinite" in card._sentence.text()
    opened("Broken", losses=(3.0, float("nan")), validated=False)
    card._registry.selected.last_status = replace(card._registry.selected.last_status, summary={})
    card.draw()
    assert card._sentence.isHidden()
    assert card._number.accessibleDescription() == ""


@pytest.mark.parametrize("unit", ["nats", "perplexity", "bits per byte"])
def test_the_sentence_is_never_cut_in_the_smallest_window(card, opened, unit):
    opened(losses=(9.0, 9.0), bytes_per_token=2.0, targets=50257)
    card._take_unit(unit)
    card.resize(700, 300)
    card.draw()
    QApplication.processEvents()
    assert card._sentence.height() >= card._sentence.heightForWidth(card._sentence.width())


@pytest.mark.parametrize("targets", [9000, 500, None])
def test_a_final_loss_on_more_text_is_a_mark_of_its_own(card, opened, registry, targets):
    run = opened(losses=MANY)
    summary = {"validation_loss": MANY[-1], "protocol": "windows", "part": "all", "targets": targets}
    run.source.folder.update(state="finished", step=100, summary=summary)
    run.update_status(run.source.folder.status())
    card.draw()
    lines = {line.key.partition("/")[2]: line for line in card.chart._lines}
    if targets == 500:  # all evaluations have read all of it
        assert "validation on all" not in lines
        assert len(lines["validation"].x) == 50
        return
    assert (list(lines["validation on all"].x), len(lines["validation"].x)) == ([100.0], 49)
    joint = lines["validation joint"]
    assert (list(joint.x), list(joint.y)) == ([98.0, 100.0], [lines["validation"].y[-1], MANY[-1]])
    notes = {value.name: value.note for value in card.chart._scene.values(100, None)}
    assert notes["validation"] == "all of the validation text, the others on 512 tokens"
    assert "Old · validation loss" in {value.name for value in card.chart._scene.values(50, None)}


@pytest.mark.parametrize(
    ("part", "note"), [("all", "  ·  on all of the validation text"), ("8192 targets", "")], ids=["all", "part"]
)
def test_a_final_loss_on_all_of_the_validation_text_says_so(card, registry, saved_run, until, part, note):
    path = saved_run(losses=(3.0, 2.0))
    summary = {"validation_loss": 1.8, "protocol": "windows", "part": part}
    RunFolder.open(path).update(state="finished", step=2, summary=summary)
    run = registry.open(path)
    until(lambda: run.curves.names())
    assert reported(card)[1].endswith(f"validation, by windows{note}")


def feed(run, name, values, first=1):
    """Give a run values of a series."""
    steps = np.arange(first, first + len(values))
    run.curves.feed(Rows(steps, np.zeros(len(values), int), np.asarray(values, float)), [name])


def test_what_differs_by_run_stands_in_the_rows_of_the_readout_and_its_head_has_the_axis_alone(card, opened, registry):
    far = opened("Far", losses=MANY)
    feed(far, "tokens", 8.0 * np.arange(1, 101))
    feed(far, "seconds", 2.0 * np.arange(1, 101))
    assert card._position_label(90) == "step 90 · 720 tokens · 3:00"
    keep(registry, far)
    short = opened("Short", losses=MANY[:50])
    feed(short, "tokens", 16.0 * np.arange(1, 51))
    card.draw()
    assert card._position_label(40) == "step 40"
    notes = {value.name: value.note for value in card.chart._scene.values(40, None)}
    assert notes == {"Far": "320 tokens · 1:20", "Short": "640 tokens"}
    assert {value.name: value.note for value in card.chart._scene.values(90, None)} == {"Far": "720 tokens · 3:00"}
    card._take_x("seconds")
    assert card._position_label(180) == "3:00"
    assert card._row_label(f"{far.key}/train", 180) == "step 90 · 720 tokens"


def test_smoothing_starts_at_the_first_value_and_does_not_change_it_later(card, opened):
    run = opened("Long", losses=MANY[:2], validated=False)
    lines = []
    for count in (2, 12, 13):
        known = len(run.curves.values("train loss"))
        feed(run, "train loss", MANY[known:count], first=known + 1)
        card.draw()
        lines.append(next(line.y for line in card.chart._lines if line.key.endswith("/train")).copy())
    assert lines[0][0] == MANY[0]
    assert lines[0] == pytest.approx(lines[1][:2])
    assert lines[1] == pytest.approx(lines[2][:12])


def test_the_readout_lists_a_run_before_its_next_evaluation(card, opened, registry):
    keep(registry, opened("Far", losses=MANY))
    run = opened("Long", losses=MANY, validated=False)
    feed(run, "validation loss", [3.0])
    card.draw()
    assert {name for name, _, _ in card.chart.readout(90)} == {"Far", "Long · training loss, smoothed by 0.9"}


LONG = [*MANY, *[MANY[-1]] * 200]
"""A loss with enough points for the view to be cut where it starts far too high."""


@pytest.mark.parametrize(("first", "seen"), [(4.4, True), (85.0, False)])
def test_the_start_of_a_curve_is_visible_unless_it_is_far_worse_than_guessing(card, opened, first, seen):
    opened(losses=[first, *LONG], validated=False, floors={"uniform": 4.2, "unigram": 3.0})
    card.draw()
    assert (card.chart._visible.y1 > first) == seen
    assert card.chart._visible.y1 > 4.2


def test_a_selected_run_without_floors_keeps_the_ceiling_of_the_others(registry, card, opened, small):
    keep(registry, opened("Far", losses=[85.0, *LONG], validated=False, floors={"uniform": 4.2}))
    card.draw()
    before = card.chart._visible.y1
    assert before < 10
    new = preparing(registry, small("title=New"))
    registry.select(new.key)
    feed(new, "train loss", [85.0])
    card.draw()
    assert card.chart._visible.y1 == before


def test_the_text_after_the_number_is_elided_where_it_has_no_room_and_complete_in_its_tool_tip(card, opened):
    opened()
    complete = reported(card)[1]
    card._caption.setFixedWidth(90)
    card.grab()
    assert card._caption.text().endswith("…")
    assert complete in card._caption.toolTip()


def end_labels(card):
    """Return the texts next to the names at the ends of the lines; "" is the plain last value."""
    card.draw()
    return {line.name: line.value_text for line in card.chart._lines if line.name}


def test_end_labels_say_where_their_values_are_once_runs_have_come_to_different_ends(card, opened, registry):
    keep(registry, opened("Far", losses=[*MANY[:9], 2.0]))
    assert end_labels(card) == {"train": "", "validation": ""}
    near = opened("Near", losses=[3.0, 2.5])
    assert end_labels(card) == {"Far": "2.00 at 10", "Near": "2.50 at 2"}
    for run in registry.shown:
        feed(run, "seconds", 30.0 * np.arange(1, 11))
    card._take_x("seconds")
    assert end_labels(card) == {"Far": "2.00 at 5:00", "Near": "2.50 at 1:00"}
    feed(near, "validation loss", [2.2], first=10)
    assert end_labels(card) == {"Far": "", "Near": ""}


def test_while_a_run_is_queued_the_line_of_the_comparison_says_so_and_counts_no_loss_that_does_not_compare(
    card, opened, registry, small
):
    keep(registry, opened("Done"))
    new = preparing(registry, small("title=New", "training.steps=3"))
    registry.select(new.key)
    feed(new, "train loss", [4.0, 3.5])
    card.draw()
    assert card.comparison.message.full_text == "not evaluated at the same step; New is queued"
    assert card.comparison.isVisible()


def test_the_lines_are_dashed_in_high_contrast_and_solid_again_afterwards(card, opened, registry):
    keep(registry, opened("One", losses=MANY))
    other = opened("Two", losses=MANY)
    registry.label(other, colour=1)  # another hue
    for theme, solid in (("contrast", False), ("dark", True)):
        themes.choose(theme)
        card.draw()
        pen = card.chart._scene._curves[f"{other.key}/train"]._item.opts["pen"]
        assert (pen.style() == Qt.PenStyle.SolidLine) is solid
