"""The card of length generalisation: what it draws of which runs, its notes on others, and when it measures again."""

import math
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel

from lab.base.problems import BadInput, LabError
from lab.host import Plugins
from lab.shell.inspect import lengths_card
from lab.shell.inspect.inspection_view import LENGTHS
from lab.shell.inspect.lengths_card import Lengths, LengthsCard
from lab.workbench.analysis.lengths import LengthPoint, tried

COPY = (
    "corpus.name=copy", "corpus.text=", "corpus.length=4", "tokenizer.name=symbol", "training.context_length=40",
    "architecture.layers=1", "architecture.width=16", "training.threads=1", "training.evaluate_every=0",
)  # fmt: skip


@pytest.fixture
def lengths(registry):
    return Lengths(registry, registry._background, Plugins.from_environment(), registry)


@pytest.fixture
def card(lengths, qtbot):
    """Show the card."""
    made = LengthsCard(lengths)
    qtbot.addWidget(made)
    made.resize(600, 340)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def opened(registry, saved_run, small, until):
    """Open a run on examples that is over, with checkpoints of these steps."""

    def opened(title="Copy", steps=(3,), *assignments):
        path = saved_run(title, recipe=small(*COPY, *assignments))
        for step in steps:
            (path / "checkpoints" / str(step)).mkdir(parents=True)
        run = registry.open(path)
        until(lambda: run.curves.names())
        return run

    return opened


@pytest.fixture
def measured(monkeypatch):
    """Measure nothing: return what is in this list for the runs in their order, and record which were measured."""
    asked, given = [], []

    def over_lengths(saved, *, progress, cancelled):
        asked.append((saved.recipe.title, saved.folder.checkpoint_steps()[-1]))
        found = given.pop(0) if given else points()
        if isinstance(found, LabError):
            raise found
        return found

    monkeypatch.setattr(lengths_card, "over_lengths", over_lengths)
    over_lengths.asked, over_lengths.given = asked, given
    return over_lengths


def points(trained=4, reads=math.inf, accuracy=1.0):
    """Points of a model that halves its accuracy beyond the trained length, and reads so far."""
    return [
        LengthPoint(
            length,
            2 * length + 2,
            *((0.1 * length, accuracy / (1 + (length > trained)), 0.25) if length <= reads else (None, None, None)),
            length <= trained,
        )
        for length in tried(trained)
    ]


def lines(card):
    """Return the lines of the card by name: (lengths, values)."""
    return {line.name: (line.x.tolist(), line.y.tolist()) for line in card.chart._lines}


def notes(card):
    """Return the notes below the chart."""
    return card._label.text()


def choose(card, words):
    """Select the quantity that is shown over the length."""
    next(action for action in card.menu_button.menu().actions() if action.text() == words).trigger()


# ---- the chart


def test_a_run_that_was_trained_is_measured_up_to_four_times_its_length(card, registry, small, until):
    registry.begin()
    run = registry.start(small(*COPY, "training.steps=2"))
    until(lambda: card.state == "content")
    assert run.active is None
    ((x, y),) = lines(card).values()
    assert x == tried(4) == [1, 2, 3, 4, 6, 8, 10, 12, 14, 16]
    assert all(0 <= value <= 100 for value in y)
    assert [flag.label for flag in card.chart._flags] == ["trained up to 4"]
    assert [flag.x for flag in card.chart._flags] == [4]
    assert card.note == "step 2"


def test_accuracy_is_shown_in_percent_on_a_complete_axis(card, opened, measured, until):
    opened()
    until(lambda: card.state == "content")
    assert lines(card)["accuracy"][1] == [100.0] * 4 + [50.0] * 6
    assert "accuracy (%)" in card.chart.accessibleName()
    assert card.chart.accessibleDescription() == "accuracy 50.0 %"
    frame = card.chart._scene.frame
    assert frame.y0 <= 0 < 100 <= frame.y1


def test_faultless_examples_and_the_loss_can_be_selected(card, opened, measured, until):
    opened()
    until(lambda: card.state == "content")
    choose(card, "faultless examples")
    assert set(lines(card)["faultless examples"][1]) == {25.0}
    assert "without an error" in notes(card)
    choose(card, "loss")
    assert lines(card)["loss"][1][:2] == pytest.approx([0.1, 0.2])
    assert "loss (nats per token)" in card.chart.accessibleName()


def test_each_shown_run_has_its_line_and_different_trained_lengths_their_marks(card, registry, opened, measured, until):
    measured.given += [points(4), points(8)]
    first = opened("Short")
    until(lambda: card.state == "content")
    registry.show(first.key, False)
    registry.show(first.key, True)
    opened("Long")
    until(lambda: len(lines(card)) == 2)
    assert set(lines(card)) == {"Short", "Long"}
    assert len({(line.colour, line.dashes) for line in card.chart._lines}) == 2
    assert [(flag.x, flag.label) for flag in card.chart._flags] == [(4, "up to 4: Short"), (8, "up to 8: Long")]


def test_lengths_that_a_model_cannot_read_are_noted(card, opened, measured, until):
    measured.given.append(points(reads=10))
    opened("Short-sighted")
    until(lambda: card.state == "content")
    assert [math.isnan(value) for value in lines(card)["accuracy"][1]] == [False] * 7 + [True] * 3
    words = "Short-sighted cannot read examples of length 12 and more: they have 26 tokens, its context holds 40."
    assert words in notes(card)


def test_of_many_runs_with_incomplete_lines_two_are_noted_and_the_others_in_the_tool_tip(
    card, registry, opened, measured, until
):
    measured.given += [points(reads=10) for _ in range(4)]
    for name in ("One", "Two", "Three", "Four"):
        run = opened(name)
        registry.show(run.key, False)
        registry.show(run.key, True)
    until(lambda: len(lines(card)) == 4)
    assert notes(card).count("cannot read") == 2
    assert notes(card).endswith("… and 2 more")
    assert card._label.toolTip().count("cannot read") == 4


def test_in_a_small_card_the_notes_are_cut_and_complete_in_their_tool_tip(card, opened, measured, until):
    measured.given.append(points(reads=10))
    opened("Short-sighted and with a name that needs more than one line of a small card, whatever its font")
    until(lambda: "rule holds" in notes(card))
    whole = notes(card)
    card.resize(400, 200)
    assert notes(card).startswith("Short-sighted and")  # what is missing before what is shown
    card.resize(240, 180)
    assert notes(card).endswith("…")
    assert card._label.heightForWidth(card._label.width()) <= card._label.height()
    assert all(line in card._label.toolTip() for line in whole.split("\n"))


# ---- when it measures


def test_nothing_is_measured_that_nobody_sees(lengths, opened, measured, qtbot):
    card = LengthsCard(lengths)
    qtbot.addWidget(card)
    opened()
    assert not card._timer.isActive()
    assert not measured.asked


def test_nothing_changes_while_qt_shows_the_card(lengths, opened, measured, qtbot, until):
    """What changes moves cards between rows, and Qt crashes if a row loses a card while it shows its children."""
    card = LengthsCard(lengths)
    qtbot.addWidget(card)
    opened("Bare", ())
    changes = []
    lengths.changed.connect(lambda: changes.append(card.isVisible()))
    card.show()
    assert not changes
    until(lambda: changes)


def test_a_run_is_measured_once_and_again_from_a_newer_checkpoint(card, lengths, opened, measured, until, qtbot):
    run = opened()
    until(lambda: card.note == "step 3")
    lengths.measure_next()
    run.last_status = replace(run.last_status, state="running")  # another process goes on with it
    lengths.measure_next()
    (run.path / "checkpoints" / "9").mkdir()
    until(lambda: card.note == "step 9")
    run.last_status = replace(run.last_status, state="finished")
    lengths.measure_next()
    assert measured.asked == [("Copy", 3), ("Copy", 9)]


def test_a_run_that_trains_is_named_with_the_step_of_its_checkpoint(card, registry, opened, measured, until):
    first = opened("Done")
    until(lambda: card.state == "content")
    registry.show(first.key, False)
    registry.show(first.key, True)
    second = opened("Busy", ())
    second.last_status = replace(second.last_status, state="running")
    (second.path / "checkpoints" / "5").mkdir(parents=True)
    until(lambda: set(lines(card)) == {"Done", "Busy, step 5"})


# ---- messages where there is nothing to draw


def test_a_run_without_a_checkpoint_says_so(card, opened, measured, until):
    opened("Bare", ())
    until(lambda: "no checkpoint" in card._other.shown_text[0])
    assert card._other.shown_text[0] == "Bare has no checkpoint to measure."
    assert not measured.asked


def test_a_run_that_trains_is_measured_once_it_has_a_checkpoint(card, opened, measured, until):
    run = opened("Young", ())
    run.last_status = replace(run.last_status, state="running")
    until(
        lambda: (
            card._other.shown_text[0]
            == "Young is measured once it has a checkpoint: at its end, or after Save checkpoint."
        )
    )
    (run.path / "checkpoints" / "7").mkdir(parents=True)
    until(lambda: card.state == "content")


def test_a_run_that_cannot_be_measured_has_the_reason_in_place_of_its_line(card, opened, measured, until):
    measured.given.append(LabError("the checkpoint is damaged", field="run", value="Copy"))
    opened("Torn")
    until(lambda: "cannot be measured" in card._other.shown_text[0])
    assert "the checkpoint is damaged" in card._other.shown_text[0]


def test_runs_of_texts_and_of_examples_with_lengths_have_the_card(
    card, lengths, registry, opened, measured, until, saved_run
):
    assert lengths.has(registry.open(saved_run("Text")))
    measured.given.append(BadInput("has no examples of different lengths", field="corpus.name", value="x"))
    card._timer.stop()  # nothing is measured before the next line but one
    run = opened("Even")
    assert lengths.has(run)
    card._timer.start()
    until(lambda: not lengths.has(run))
    assert run not in lengths.shown


def test_of_a_text_the_loss_over_the_window_is_drawn_and_nothing_else_is_offered(
    card, registry, measured, until, saved_run
):
    measured.given.append([LengthPoint(n, n, 2.0 + n / 10, None, None, n <= 4) for n in tried(4)])
    path = saved_run("Text")
    (path / "checkpoints" / "3").mkdir(parents=True)
    registry.select(registry.open(path))
    until(lambda: card.state == "content")
    ((x, y),) = lines(card).values()
    assert (x, y[0]) == (tried(4), pytest.approx(2.1))
    assert card.menu_button.isHidden()
    assert "windows of this length" in notes(card)


# ---- in Inspect


def test_inspect_shows_the_card_for_a_run_on_examples_and_offers_it_for_one_on_text(
    open_page, until, saved_run, measured, trained_run
):
    page = open_page("inspect")
    page.session.open_path(str(trained_run(*COPY, "training.steps=2")))
    until(lambda: any(isinstance(card, LengthsCard) and card.state == "content" for card in page.inspect.cards))
    assert LENGTHS in page.inspect.model.readings.selected
    card = next(card for card in page.inspect.cards if isinstance(card, LengthsCard))
    assert card.isVisible()
    assert any("A rule holds beyond" in label.text() for label in card.findChildren(QLabel))
    page.session.open_path(str(saved_run("Text")))  # nothing of it can be looked into
    until(lambda: not any(isinstance(card, LengthsCard) for card in page.inspect.cards))
