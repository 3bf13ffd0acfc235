"""The card of one quantity: speed of slow and short trainings, smoothing, clipping, accuracy."""

import threading

import numpy as np
import pytest

from lab.base.charts import averages
from lab.recipes import Recipe
from lab.runs import MetricWriter, RunFolder
from lab.shell.session.scales import CLIPPED_STEPS, NORM
from lab.shell.train.place import SamplesCard
from lab.shell.train.series_card import LAYERS, SPEED, SeriesCard
from lab.widgets.charts.crosshair import Crosshair
from lab.widgets.core.drawing import Drawing


@pytest.fixture
def make_card(registry, qtbot):
    """Make a card of a quantity that is drawn on request."""

    def make_card(quantity):
        card = SeriesCard(registry, Drawing(registry), Crosshair(registry), quantity)
        qtbot.addWidget(card)
        card.resize(500, 300)
        with qtbot.waitExposed(card):
            card.show()
        return card

    return make_card


@pytest.fixture
def opened(registry, saved_run, until):
    """Open a run that is over, with these series: {name: [value at step 1, …]}."""

    def opened(**series):
        path = saved_run(losses=())
        with MetricWriter(RunFolder.open(path).metrics_file) as writer:
            for name, values in series.items():
                writer.append((step, name.replace("_", " "), value) for step, value in enumerate(values, start=1))
        run = registry.open(path)
        until(lambda: run.curves.names())
        return run

    return opened


def offered(card):
    """Return the labels in the menu of quantities."""
    return [action.text() for action in card._menu.menu().actions()]


def choose(card, words):
    """Select a quantity in the menu like a person."""
    next(action for action in card._menu.menu().actions() if action.text() == words).trigger()
    card.draw()


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


def test_the_first_curves_of_a_run_on_disk_are_smoothed_in_a_thread_and_layers_on_request(
    make_card, opened, monkeypatch
):
    threads, smooth = [], averages.decayed
    monkeypatch.setattr(
        averages, "decayed", lambda x, share: threads.append(threading.current_thread()) or smooth(x, share)
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


def test_a_run_that_is_being_read_shows_nothing_of_the_run_before(
    make_card, opened, registry, saved_run, until, monkeypatch
):
    opened(gradient_norm=[1.0, 2.0, 3.0])
    card, samples = make_card(NORM), SamplesCard(registry, Drawing(registry))
    card.draw()
    assert card.state == "content"
    monkeypatch.setattr("lab.shell.session.runs.registry.same_corpus", lambda *_: False)  # it is drawn alone
    other = registry.open(saved_run("Another"))
    assert registry.is_reading(other)
    for one in (card, samples):
        assert one._other.shown_text[0] == "Another is being read."
        one.draw()
        assert one._other.shown_text[0] == "Another is being read."
    until(lambda: not registry.is_reading(other))
    card.draw()
    assert card._other.shown_text[0] == "This run has no gradient norm."
    samples.deleteLater()


def test_a_selection_and_another_axis_are_drawn_at_once_while_a_run_trains(make_card, opened, registry, until):
    first = opened(gradient_norm=[1.0, 2.0, 3.0])
    opened(gradient_norm=[2.0, 3.0])
    card = make_card(NORM)
    card.draw()
    card._drawing.busy, card._drawing._rest_until = True, float("inf")
    for request in (lambda: card.show_by("seconds"), lambda: registry.select(first.key)):
        card._drawing.draws = 0
        request()
        until(lambda: card._drawing.draws > 0, timeout=5000)


def test_the_heading_of_the_samples_names_their_run(registry, qtbot, trained_run, until):
    samples = SamplesCard(registry, Drawing(registry))
    qtbot.addWidget(samples)
    run = registry.open(trained_run("training.steps=6", "training.evaluate_every=3"))
    until(lambda: run.samples)
    samples.draw()
    assert samples.note == "Small · every 3 steps"


CLASSES = ("corpus.name=points", "objective.name=classification", "tokenizer.name=none")


HIDDEN = ("objective.name=masked",)


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        (CLASSES, "This run generates no text at its evaluations."),
        (("training.sample_tokens=0",), "This run generates no text at its evaluations: its sample length is 0."),
        (HIDDEN, "This model predicts hidden tokens from both sides, and writes nothing. Inspect shows how."),
    ],
)
def test_the_card_of_samples_says_why_a_run_generates_none(recipe, message, registry, qtbot, trained_run, until):
    samples = SamplesCard(registry, Drawing(registry))
    qtbot.addWidget(samples)
    run = registry.open(trained_run("training.steps=2", *recipe))
    until(lambda: not registry.is_reading(run))
    samples.draw()
    assert samples._other.shown_text[0] == message


CAPTIONS = (
    "corpus.name=shapes", "corpus.target=caption", "corpus.shapes=1", "corpus.rows=60", "corpus.size=8",
    "tokenizer.name=word", "objective.name=captions", "architecture.name=encoder-decoder", "architecture.patch=4",
    "training.context_length=16", "training.validation_share=0.2", "training.sample_tokens=20",
)  # fmt: skip


def test_the_card_of_samples_shows_the_caption_of_the_first_validation_image(registry, qtbot, trained_run, until):
    samples = SamplesCard(registry, Drawing(registry))
    qtbot.addWidget(samples)
    recipe = Recipe().with_assignments(
        *CAPTIONS, "training.steps=2", "training.device=cpu", "training.threads=1", "training.batch_size=4",
        "architecture.width=16", "architecture.heads=2", "architecture.layers=1", "readings.tokens=0",
    )  # fmt: skip
    run = registry.open(trained_run(recipe=recipe))
    until(lambda: run.samples)
    samples.draw()
    assert samples.state == "content"
    right, arrow, _ = run.samples[-1][1].partition(" → ")
    assert arrow
    assert right.split()[0] in ("small", "large", "a")
    assert "first validation image" in samples._caption_text
    registry.select(registry.open(trained_run("training.steps=2", "training.sample_tokens=5")).key)
    samples.draw()
    assert samples._caption_text == ""


@pytest.mark.long
def test_the_card_of_samples_leads_from_a_model_of_hidden_tokens_to_inspect(
    open_window, trained_run, until, click, button
):
    window = open_window()
    window.session.open_path(str(trained_run("training.steps=2", *HIDDEN)))
    samples = window.train.samples
    until(lambda: samples.state == "empty" and "Inspect" in samples._other.shown_text)
    click(button(samples, "Inspect"))
    assert window.place == "inspect"


def test_a_quantity_of_a_plugin_is_labelled_with_its_own_name(make_card, opened):
    opened(KL_to_the_source=[0.5, 0.4])
    card = make_card("KL to the source")
    card.draw()
    assert card.title == "KL to the source"
    assert "KL to the source" in card.chart.accessibleName()


# ---- clipping


def lines_of(card):
    """Return the lines that have a name, by name."""
    return {line.name: line for line in card.chart._lines if line.name}


@pytest.fixture
def clipped_run(opened):
    """A run whose gradient norm falls from 4 to 1, clipped at the recipe's limit of 1 in three of four steps."""

    def clipped_run():
        return opened(
            gradient_norm=[4.0, 3.0, 2.0, 1.0],
            gradient_norm_block_1=[4.0, 3.0, 2.0, 1.0],
            clipped_gradient_norm=[1.0, 1.0, 1.0, 1.0],
            clipped_steps=[1.0, 1.0, 1.0, 0.0],
        )

    return clipped_run


def test_the_gradient_norm_is_shown_before_and_after_clipping_with_the_limit_as_a_level(make_card, clipped_run):
    clipped_run()
    card = make_card(NORM)
    card.draw()
    shown = lines_of(card)
    assert list(shown) == ["clipped", "unclipped"]
    assert shown["clipped"].y.tolist() == pytest.approx([1, 1, 1, 1])
    assert (np.diff(shown["unclipped"].y) < 0).all()
    assert [(floor.name, floor.value) for floor in card.chart._floors] == [("limit", 1.0)]


def test_the_title_shows_the_share_of_clipped_steps(make_card, clipped_run):
    clipped_run()
    card = make_card(NORM)
    card.draw()
    assert card.note == "75 % clipped"
    assert "75 % of the last 4 steps" in card._note.toolTip()
    choose(card, "tokens/s")
    assert card.note == ""


@pytest.mark.parametrize(
    ("language", "note"), [("german", "100 % begrenzt"), pytest.param(None, "100 % clipped", marks=pytest.mark.long)]
)
def test_the_share_of_clipped_steps_is_not_cut_on_a_laptop(open_window, saved_run, until, request, language, note):
    if language is not None:
        request.getfixturevalue(language)
    path = saved_run(losses=())
    with MetricWriter(RunFolder.open(path).metrics_file) as writer:
        for name, values in {NORM: (4.0, 3.0, 2.0, 1.0), CLIPPED_STEPS: (1.0, 1.0, 1.0, 1.0)}.items():
            writer.append((step, name, value) for step, value in enumerate(values, start=1))
    window = open_window(size=(1366, 768))
    run = window.session.registry.open(path)
    until(lambda: run.curves.names())
    card = window.train.norm
    until(lambda: card.note == note)
    assert card._note._label.text() == note


def test_the_share_of_clipped_steps_can_be_selected_in_percent(make_card, clipped_run):
    clipped_run()
    card = make_card(NORM)
    card.draw()
    assert "clipped gradient norm" not in offered(card)
    choose(card, "gradient norm by layer")
    assert [line.name for line in card.chart._lines] == ["block 1"]
    choose(card, "clipped steps")
    assert card.chart.accessibleName().startswith("Chart: clipped steps (%)")
    weights = 0.99 ** np.arange(3, -1, -1)
    assert card.chart._lines[0].y[-1] == pytest.approx(100 * (1 - weights[3] / weights.sum()))


def test_a_run_that_clips_nothing_has_one_line_and_no_note(make_card, opened):
    opened(gradient_norm=[1.0, 2.0, 3.0])
    card = make_card(NORM)
    card.draw()
    assert lines_of(card) == {}
    assert card.note == ""


# ---- auxiliary losses


def test_an_auxiliary_loss_of_several_layers_is_offered_as_their_mean_and_by_layer(make_card, opened):
    opened(
        gradient_norm=[1.0, 2.0],
        auxiliary_balance=[1.5, 1.0],
        **{"auxiliary balance blocks.0": [1.0, 1.0], "auxiliary balance blocks.1": [2.0, 1.0]},
        auxiliary_balance_other=[3.0, 3.0],
    )
    card = make_card(NORM)
    card.draw()
    balance = [name for name in offered(card) if name.startswith("auxiliary")]
    assert balance == ["auxiliary balance", "auxiliary balance by layer", "auxiliary balance other"]
    choose(card, "auxiliary balance by layer")
    assert card.title == "Auxiliary balance by layer"
    assert [line.name for line in card.chart._lines] == ["blocks.0", "blocks.1"]
    assert not card._log.isChecked()


# ---- accuracy of runs on examples


@pytest.fixture
def answering(registry, saved_run, small, until):
    """Open a run on examples that is over, with shares of right answers or without."""

    def answering(*shares, title="Copy"):
        copy = ("corpus.name=copy", "corpus.text=", "tokenizer.name=symbol", "training.context_length=48")
        path = saved_run(title, recipe=small(*copy))
        with MetricWriter(RunFolder.open(path).metrics_file) as writer:
            writer.append((step, "gradient norm", 1.0) for step in (1, 2, 3))
            for name in ("validation accuracy", "train accuracy", "validation faultless"):
                writer.append((step, name, share) for step, share in enumerate(shares, start=1))
        run = registry.open(path)
        until(lambda: run.curves.names())
        return run

    return answering


def test_the_card_first_shows_the_accuracy_of_a_run_on_examples_in_percent(make_card, answering):
    answering(0.25, 0.5, 0.875)
    card = make_card(NORM)
    card.draw()
    assert card.title == "Validation accuracy"
    assert [line.y.tolist() for line in card.chart._lines] == [[25.0, 50.0, 87.5]]
    assert card.chart.accessibleName().startswith("Chart: validation accuracy (%)")
    assert card.chart.accessibleDescription() == "validation 87.5 %"
    frame = card.chart._scene.frame
    assert frame.y0 <= 0 < 100 <= frame.y1 < 110


def test_the_card_returns_to_the_gradient_norm_for_a_run_on_text(make_card, answering, opened):
    answering(0.5)
    card = make_card(NORM)
    card.draw()
    opened(gradient_norm=[1.0, 2.0, 3.0])
    card.draw()
    assert card.title == "Gradient norm"
    assert card._log.isChecked()


def test_a_selected_quantity_stays_for_all_runs(make_card, answering):
    answering(0.5)
    card = make_card(NORM)
    card.draw()
    choose(card, "gradient norm")
    assert card.title == "Gradient norm"
    answering(0.75, title="Other")
    card.draw()
    assert card.title == "Gradient norm"


def test_other_shares_are_offered_by_name_and_have_no_logarithmic_axis(make_card, answering):
    answering(0.25, 0.5)
    card = make_card(NORM)
    card.draw()
    assert {"validation accuracy", "train accuracy", "faultless validation examples"} <= set(offered(card))
    choose(card, "faultless validation examples")
    assert card.title == "Faultless validation examples"
    assert card.chart._lines[0].y.tolist() == [25.0, 50.0]
    assert not card._log.isVisible()
    choose(card, "gradient norm")
    assert card._log.isVisible()


def test_a_run_on_examples_that_was_never_evaluated_shows_its_gradient_norm(make_card, answering):
    answering()
    card = make_card(NORM)
    card.draw()
    assert card.title == "Gradient norm"


def test_other_cards_do_not_change_with_the_run(make_card, answering):
    answering(0.5)
    card = make_card(SPEED)
    card.draw()
    assert card.quantity == SPEED


def test_the_gap_is_the_validation_loss_less_the_mean_training_loss_before_it(make_card, opened):
    losses = [3.0 - 0.01 * step for step in range(150)]
    run = opened(train_loss=losses, validation_loss=[3.1, 2.5])
    card = make_card(NORM)
    choose(card, "gap: validation − training loss")
    (line,) = card.chart._lines
    assert line.x.tolist() == [1, 2]
    assert line.y == pytest.approx([3.1 - 3.0, 2.5 - 2.995])
    many = run.curves
    assert many.gap("steps")[1][-1] == pytest.approx(2.5 - sum(losses[:2]) / 2)
