"""Losses that do not compare: what the loss card says about them, and their evaluation on one text."""

import json
import threading
from dataclasses import replace

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtWidgets import QFileDialog

from lab.shell.compare.page import LINE, LOWEST, ComparisonPage
from lab.shell.session.comparison import evaluator as evaluating
from lab.shell.session.comparison.evaluation import State
from lab.shell.session.comparison.evaluator import SameTextEvaluator
from lab.shell.session.runs.comparability import comparability_of
from lab.training.evaluation import Evaluation
from lab.training.recording.telemetry import Rows
from lab.widgets.core.theme import themes
from lab.workbench.analysis.curves import Curves


@pytest.fixture
def opened(registry, saved_run, until):
    """Open a finished run on a corpus with a hash, evaluated by a protocol."""

    def opened(title, sha="a", protocol="windows"):
        path = saved_run(title)
        facts, status = json.loads((path / "run.json").read_text()), json.loads((path / "status.json").read_text())
        (path / "run.json").write_text(json.dumps({**facts, "corpus": {"sha256": sha}}))
        figures = {"validation_loss": 2.0, "protocol": protocol}
        (path / "status.json").write_text(json.dumps({**status, "summary": figures}))
        run = registry.open(path)
        until(lambda: run.curves.names())
        return run

    return opened


def drawn(card):
    """Draw the card, and return the line about losses that do not compare; "" if it is hidden."""
    card.draw()
    return "" if card.comparison.isHidden() else card.comparison.message.full_text


def cell(page, row, title):
    """Return the text of a cell in the column with a title."""
    titles = [page._table.horizontalHeaderItem(column).text() for column in range(page._table.columnCount())]
    return page._table.item(row, titles.index(title)).text()


def test_nothing_is_said_of_one_run(card, opened):
    opened("One")
    assert drawn(card) == ""


def with_curves(run, losses, until):
    """Give a run a validation loss at each step, once its own curves are read."""
    until(lambda: run.curves.names())
    run.series.replace(curves_of(losses))
    return run


def test_the_line_that_opens_the_comparison_says_who_is_ahead_where_all_losses_compare(card, opened, until):
    with_curves(opened("One"), {2: 2.5, 3: 2.0}, until), with_curves(opened("Two"), {2: 4.0, 3: 3.57}, until)
    assert drawn(card) == "One is ahead by 1.57 at step 3"
    assert card.comparison.message.text() == "One is ahead by 1.57 at step 3 · Compare…"
    assert "One is ahead of Two by 1.57 nats per token" in card.comparison.message.toolTip()
    assert card.comparison.same_text.isHidden()


def test_where_the_line_has_no_room_its_text_is_cut_and_not_what_it_opens(card, opened, until):
    with_curves(opened("One"), {3: 2.0}, until), with_curves(opened("Two"), {3: 3.57}, until)
    drawn(card)
    card.comparison.message.resize(180, 22)
    assert card.comparison.message.text().endswith("… · Compare…")


@pytest.mark.parametrize(("state", "end"), [("running", "Two still trains"), ("queued", "Two is queued")])
def test_a_run_that_trains_or_waits_is_no_fault(card, opened, until, monkeypatch, state, end):
    one, two = opened("One"), opened("Two")
    with_curves(one, {2: 2.5, 3: 2.0}, until), with_curves(two, {2: 2.8}, until)
    real = type(two).state.fget
    monkeypatch.setattr(type(two), "state", property(lambda run: state if run is two else real(run)))
    monkeypatch.setattr(type(two), "works", property(lambda run: run is two))
    monkeypatch.setattr(type(two), "step", property(lambda run: 2 if run is two else 3))
    assert drawn(card) == f"One is ahead by 0.30 at step 2; {end}"


def test_a_run_that_ended_early_is_compared_at_the_last_common_step(card, opened, until, monkeypatch):
    one, two = opened("One"), opened("Two")
    with_curves(one, {2: 2.5, 3: 2.0}, until), with_curves(two, {2: 2.8}, until)
    monkeypatch.setattr(type(two), "step", property(lambda run: 2 if run is two else 3))
    assert drawn(card) == "One is ahead by 0.30 at step 2"
    two.series.replace(curves_of({1: 2.8}))
    assert drawn(card) == "1 of 2 losses does not compare: another number of steps"


def test_one_line_counts_the_losses_that_do_not_compare_and_names_the_reasons(card, opened, registry):
    for run in (opened("One", "b"), opened("Two", "c"), opened("Three", protocol="stream"), opened("Four")):
        registry.show(run.key, True)
    opened("Five")
    assert drawn(card) == "3 of 5 losses do not compare: another corpus (2), another protocol (1)"
    assert "Three: another protocol" in card.comparison.message.toolTip()


def test_runs_that_were_opened_are_drawn_with_runs_of_their_corpus_only(card, opened, registry):
    one, other = opened("One", "a"), opened("Other", "b")
    assert registry.shown == [other]
    registry.select(one.key)
    assert registry.shown == [one]
    two = opened("Two", "a")
    assert registry.shown == [one, two]


def test_a_run_whose_eye_was_opened_stays_drawn_with_another_corpus(opened, registry):
    one = opened("One", "a")
    registry.show(one.key, True)
    other = opened("Other", "b")
    assert registry.shown == [one, other]


@pytest.fixture
def reading(monkeypatch):
    """Let the reading of the validation text wait until the test sets the event."""
    free = threading.Event()
    monkeypatch.setattr(evaluating, "validation_text", lambda run, job: (free.wait(), "a text")[1])
    yield free
    free.set()


@pytest.fixture
def compared(registry, card, page, trained_run, until):
    """The page with a transformer and an n-gram, whose losses do not compare, and the line that says so."""
    show_both(registry, trained_run)
    until(lambda: drawn(card))
    page.show_runs(comparability_of(registry.shown, registry.selected))
    return page, card.comparison


@pytest.fixture
def compared_in_window(window, trained_run, until):
    """The same in the window of the lab, which shows Train."""
    show_both(window.session.registry, trained_run)
    line = window.train.loss.comparison
    until(lambda: line.message.full_text)
    return window, line


def show_both(registry, trained_run):
    """Show both runs."""
    for run in (trained_run("architecture={name='ngram'}"), trained_run("training.steps=3")):
        registry.show(registry.open(run).key, True)


def test_runs_are_evaluated_on_the_same_text_with_one_protocol(compared, click, until):
    page, _ = compared
    click(page.evaluate)
    until(lambda: page.evaluator.model.state is State.DONE, timeout=30_000)
    rows = page.evaluator.model.rows
    assert {row.evaluation.protocol for row in rows} == {"windows"}
    assert len({row.evaluation.bytes for row in rows}) == 1
    for number, row in enumerate(rows):
        assert page._table.item(number, 0).text() == row.run.name
        assert cell(page, number, "Nats per token on the same text") == f"{row.evaluation.loss:.2f}"


def test_runs_are_evaluated_on_a_text_of_ones_own(compared, click, until, tmp_path, monkeypatch):
    page, _ = compared
    mine = tmp_path / "mine.txt"
    mine.write_text("the cat sat on the mat. " * 40)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(mine), ""))
    click(page.own_text)
    until(lambda: page.evaluator.model.state is State.DONE, timeout=30_000)
    assert [row.problem for row in page.evaluator.model.rows] == [None, None]
    assert "On the same text: 960 characters of mine.txt, by windows." in page._how.text()


@pytest.fixture
def page(registry, evaluator, qtbot):
    """The comparison of runs without the place around it."""
    made = ComparisonPage(registry, evaluator)
    qtbot.addWidget(made)
    made.resize(1060, 560)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def listed(registry, saved_run, small):
    """List a finished run, or one in another state, with its figures; its settings differ by the seed and others."""

    def listed(title, *assignments, state="finished", **summary):
        recipe = small().with_assignments(*assignments)
        path = saved_run(title, recipe=recipe, state=state)
        status = json.loads((path / "status.json").read_text())
        (path / "status.json").write_text(json.dumps({**status, "summary": {**status["summary"], **summary}}))
        return registry.open(path)

    return listed


VALIDATED = {"validation_loss": 2.0, "protocol": "windows"}


def test_a_run_whose_last_evaluation_is_running_is_waited_for(page, listed, monkeypatch):
    finished = listed("Done", **VALIDATED, last_step=3)
    other = listed("Other", **VALIDATED, last_step=3)
    monkeypatch.setattr(type(other), "state", property(lambda run: "running" if run is other else "finished"))
    assert (other.awaits_evaluation, other.is_finished) == (True, False)
    page.show_runs(comparability_of([finished, other], finished))
    assert cell(page, 1, "Comparable") == "not yet: its last evaluation is running"
    page.show_runs(comparability_of([finished, other], other))
    assert cell(page, 0, "Comparable") == "not yet: the last evaluation of Other is running"
    assert "One run each" not in page._chance.text()
    monkeypatch.undo()
    page.show_runs(comparability_of([finished, other], finished))
    assert cell(page, 1, "Comparable") == "yes"


def test_a_run_that_is_not_finished_says_so_and_that_its_loss_is_of_the_training(page, listed):
    finished = listed("Done", **VALIDATED, last_step=3)
    stopped = listed("Stopped", state="stopped", last_step=400)
    page.show_runs(comparability_of([finished, stopped], finished))
    assert cell(page, 0, "Comparable") == "the reference"
    assert cell(page, 1, "Comparable") == "not finished: step 3 of 400, training loss"
    page.show_runs(comparability_of([finished, stopped], stopped))
    assert cell(page, 0, "Comparable").startswith("no: ")


def test_finished_runs_of_one_kind_compare_and_a_training_loss_does_not_with_a_validation_loss(page, listed):
    one, two, three = listed("One", **VALIDATED), listed("Two", **VALIDATED), listed("Three")
    page.show_runs(comparability_of([one, two, three], one))
    assert cell(page, 1, "Comparable") == "yes"
    assert cell(page, 2, "Comparable") == "no: validation loss and training loss"


def test_parameters_steps_and_training_time_are_listed(page, listed):
    run = listed("One", **VALIDATED, parameters=804_096, seconds=185.0)
    page.show_runs(comparability_of([run], run))
    assert [cell(page, 0, title) for title in ("Parameters", "Steps", "Training time")] == ["804 k", "3", "3 min 05 s"]


def test_where_no_run_was_repeated_the_part_of_chance_is_not_known(page, listed):
    one, other = listed("One"), listed("Other", "training.optimizer.learning_rate=0.01")
    page.show_runs(comparability_of([one, other], one))
    assert "One run each: how much of the difference is chance is not known." in page._chance.text()
    again = listed("Again", "training.seed=7")
    page.show_runs(comparability_of([one, other, again], one))
    assert "fewer than two finished runs of lr 0.01." in page._chance.text()


def test_a_repetition_that_is_not_finished_leaves_the_part_of_chance_unknown(page, listed):
    one, other = listed("One"), listed("Other", "training.optimizer.learning_rate=0.01")
    again = listed("Again", "training.seed=7", state="stopped", last_step=400)
    page.show_runs(comparability_of([one, other, again], one))
    assert "How much of the difference is chance is not known" in page._chance.text()


def test_the_same_seed_again_is_no_repetition(page, listed):
    one, other = listed("One"), listed("Other", "training.optimizer.learning_rate=0.01")
    page.show_runs(comparability_of([one, listed("Same"), other, listed("Seed", "training.seed=7")], one))
    assert "fewer than two finished runs of lr 0.01." in page._chance.text()


def with_losses(listed, name, losses, *assignments):
    """List a finished run with another seed for each validation loss."""
    return [
        listed(f"{name} {seed}", f"training.seed={seed}", *assignments, validation_loss=loss, protocol="windows")
        for seed, loss in enumerate(losses)
    ]


def test_repeated_runs_have_a_mean_and_a_spread_that_the_gap_is_compared_with(page, listed):
    slow, quick = "training.optimizer.learning_rate=0.01", "training.optimizer.learning_rate=0.02"
    runs = [*with_losses(listed, "Slow", (2.0, 2.1), slow), *with_losses(listed, "Quick", (2.3, 2.5), quick)]
    page.show_runs(comparability_of(runs, runs[0]))
    note = page._chance.text()
    assert "lr 0.01: mean 2.05, from 2.00 to 2.10 in 2 runs; lr 0.02: mean 2.40, from 2.30 to 2.50 in 2 runs." in note
    assert "lr 0.01 and lr 0.02 differ by 0.35 nats per token; their losses do not overlap" in note
    assert "(widest spread 0.20 nats per token)." in note


def test_where_the_losses_of_repeated_runs_overlap_chance_may_explain_the_gap(page, listed):
    slow, quick = "training.optimizer.learning_rate=0.01", "training.optimizer.learning_rate=0.02"
    runs = [*with_losses(listed, "Slow", (2.0, 2.4), slow), *with_losses(listed, "Quick", (2.2, 2.5), quick)]
    page.show_runs(comparability_of(runs, runs[0]))
    assert (
        "their losses overlap (widest spread 0.40 nats per token): chance may explain the difference."
        in page._chance.text()
    )


@pytest.fixture
def few_seeds(window, trained_run, until):
    """The page with two kinds of runs of one seed each."""
    registry = window.session.registry
    until(lambda: registry.is_listed)
    kinds = "training.steps=3", "training.batch_size=3"
    for run in [registry.open(trained_run("training.steps=3", kind)) for kind in kinds]:
        registry.show(run.key, True)
    window.show_place("compare")
    return window, window.compare.page


@pytest.mark.long
def test_both_kinds_are_repeated_with_three_seeds_and_then_have_a_mean_and_a_range(few_seeds, click, until):
    window, page = few_seeds
    assert page.repeats.repeat.text() == "Repeat both with 3 seeds"
    assert page.repeats.note.text().startswith("4 more runs tell how much is chance: about ")
    click(page.repeats.repeat)
    repeated = window.session.registry.working
    assert [run.name.rpartition(" ")[0][-4:] for run in repeated] == ["seed"] * 4
    assert page.repeats.repeat.isHidden()
    until(lambda: "known once the repetitions of" in page._chance.text())
    until(lambda: not window.session.registry.working, timeout=30_000)
    until(lambda: page._chance.text().count("in 3 runs") == 2)
    assert page.repeats.isHidden()


def test_both_kinds_are_repeated_with_three_seeds_unless_the_repetitions_are_taken_back_from_the_queue(
    few_seeds, click
):
    window, page = few_seeds
    registry = window.session.registry
    assert page.repeats.repeat.text() == "Repeat both with 3 seeds"
    assert page.repeats.note.text().startswith("4 more runs tell how much is chance: about ")
    click(page.repeats.repeat)
    assert [run.name.rpartition(" ")[0][-4:] for run in registry.working] == ["seed"] * 4
    assert page.repeats.repeat.isHidden()
    click(page.repeats.withdraw)
    assert not [run for run in registry.working if run.state == "queued"]
    assert not page.repeats.repeat.isHidden()


def test_where_a_run_counts_no_repetition_is_offered(compared):
    page, _ = compared
    assert page.repeats.repeat.isHidden()
    assert "every seed gives the same model" in page.repeats.note.text()


def test_a_figure_of_an_earlier_step_is_not_shown_as_that_of_now(page, listed):
    early, done = listed("Early", state="stopped", last_step=400), listed("Done")
    found = comparability_of([early, done], done)
    model = page.evaluator.model
    model.take_text(model.start([early, done], done, "windows"), "a text")
    loss = Evaluation(2.94, 10, "windows", 16, "all", 10, {}, step=3)
    model.take(model.number, model.next_run(), loss)
    page.show_runs(found)
    assert cell(page, 0, "Nats per token on the same text") == "2.94"
    early.update_status(replace(early.source.folder.status(), step=400, state="finished"))
    page.show_runs(comparability_of([early, done], done))
    assert cell(page, 0, "Nats per token on the same text") == "2.94 at step 3"


def test_every_text_of_the_table_has_its_natural_width(page, listed):
    stopped = listed("A run with a name", "corpus.text=another", state="stopped", last_step=400)
    page.show_runs(comparability_of([listed("Done", **VALIDATED), stopped], None))
    table = page._table
    shown = [column for column in range(table.columnCount()) if not table.isColumnHidden(column)]
    assert all(table.columnWidth(column) >= table.sizeHintForColumn(column) for column in shown)
    assert not {6, 7} & set(shown)  # nothing was evaluated yet


def test_what_separates_the_losses_is_wrapped_where_it_has_no_room(page, listed):
    run = listed("A run with a long name " * 4, "training.seed=7", state="stopped", last_step=400_000)
    page.show_runs(comparability_of([listed("Done " * 40, **VALIDATED, seconds=185.0), run], None))
    table = page._table
    table.height_for(840)
    assert sum(table.columnWidth(column) for column in range(table.columnCount())) <= 840
    assert table.rowHeight(1) > LINE


def test_the_page_grows_to_its_rows_in_projector_mode(page, listed):
    themes.change(projector=True)
    page.show_runs(comparability_of([listed("Done", **VALIDATED), listed("Other", **VALIDATED)], None))
    QCoreApplication.processEvents()
    assert page._table.verticalScrollBar().maximum() == 0
    assert page._table.viewport().height() >= 2 * page._table.rowHeight(0)


def test_the_page_says_who_is_ahead_at_the_last_common_step_in_the_unit_of_the_charts(page, listed, until):
    done = listed("Done", **VALIDATED)
    early = listed("Early", "training.batch_size=3", state="stopped", last_step=400, **VALIDATED)
    until(lambda: done.curves.names() and early.curves.names())
    for run, losses in ((done, {100: 5.0, 200: 4.0, 400: 2.0}), (early, {100: 4.8, 200: 4.5})):
        run.series.replace(curves_of(losses))
    page.show_runs(comparability_of([done, early], done))
    lead = page._lead.text()
    assert "At step 200" in lead
    losses = "Done: 4.00 nats per token; Early: 4.50 nats per token"
    assert f"Done is ahead of Early by 0.50 nats per token ({losses})" in lead
    assert "chance is not known" in page._chance.text()
    assert cell(page, 1, "Comparable").startswith("at step 200; not finished")
    assert cell(page, 0, "Its own loss").startswith("2.00 nats per token")
    page._registry.show_losses_in("bits")
    page.show_runs(comparability_of([done, early], done))
    assert "ahead of Early by 0.72 bits per token" in page._lead.text()
    assert cell(page, 0, "Its own loss").startswith("2.89 bits per token")
    page._registry.show_losses_in("perplexity")
    page.show_runs(comparability_of([done, early], done))
    assert "Done is ahead of Early by 35.42 (perplexity)" in page._lead.text()


def test_the_first_line_says_on_which_text_the_losses_are_measured_and_in_which_unit(page, listed):
    one, other = listed("One", **VALIDATED), listed("Other", "training.seed=4", **VALIDATED)
    page.show_runs(comparability_of([one, other], one))
    assert page._note.text().splitlines()[0] == "Losses in nats per token, measured on the last 10 % of Pasted text."
    page._registry.show_losses_in("bits")
    third = listed("Third", "training.validation_share=0.2", **VALIDATED)
    page.show_runs(comparability_of([one, other, third], one))
    assert page._note.text().splitlines()[0] == (
        "Losses in bits per token, measured on different texts: "
        "the last 10 % of Pasted text (One, Other); the last 20 % of Pasted text (Third)."
    )


def test_the_page_without_runs_says_nothing_of_losses(page):
    page.show_runs(comparability_of([], None))
    assert not page._note.text().startswith("Losses in")


def test_the_first_line_names_the_text_of_a_person(page, saved_run):
    path = saved_run("One")
    facts = json.loads((path / "run.json").read_text())
    (path / "run.json").write_text(json.dumps({**facts, "corpus": {"name": "letters.txt", "sha256": "a"}}))
    one = page._registry.open(path)
    page.show_runs(comparability_of([one], one))
    assert "the last 10 % of letters.txt" in page._note.text().splitlines()[0]


def test_where_the_times_differ_much_one_sentence_says_so(page, listed, until):
    slow, quick = listed("Slow", **VALIDATED), listed("Quick", "training.batch_size=3", **VALIDATED)
    until(lambda: slow.curves.names() and quick.curves.names())
    for run, seconds in ((slow, 60.0), (quick, 20.0)):
        run.series.replace(curves_of({100: 3.0, 200: 2.0}, seconds={100: seconds / 2, 200: seconds}))
    page.show_runs(comparability_of([slow, quick], slow))
    assert "Slow trained 3.0 times as long to this step as Quick (1 min 00 s, 20 s)." in page._note.text()
    quick.series.replace(curves_of({100: 3.0, 200: 2.0}, seconds={100: 28.0, 200: 56.0}))
    page.show_runs(comparability_of([slow, quick], slow))
    assert "as long" not in page._note.text()


def test_a_learning_rate_that_has_not_fallen_to_its_end_is_said_of_a_run_that_ended_early(page, listed, until):
    done, early = listed("Done", **VALIDATED, last_step=200), listed("Early", "training.batch_size=3", **VALIDATED)
    until(lambda: done.curves.names() and early.curves.names())
    early.update_status(replace(early.source.folder.status(), step=200, state="stopped", summary={"last_step": 800}))
    losses = {100: 3.0, 200: 2.0}
    done.series.replace(curves_of(losses, rate={1: 0.0005, 10: 0.001, 200: 0.0001}))
    early.series.replace(curves_of(losses, rate={1: 0.0005, 10: 0.001, 200: 0.0008}))
    page.show_runs(comparability_of([done, early], done))
    assert "At step 200 of 800, the learning rate of Early is still at 80 % of its peak" in page._note.text()
    assert "learning rate of Done" not in page._note.text()
    early.series.replace(curves_of(losses, rate={1: 0.0005, 10: 0.001, 200: 0.001}))  # a constant rate
    page.show_runs(comparability_of([done, early], done))
    assert "learning rate" not in page._note.text()


def curves_of(losses, seconds=None, rate=None):
    """Return curves with a validation loss at each step, and with the seconds and the learning rate at steps."""
    curves = Curves()
    for name, values in (("validation loss", losses), ("seconds", seconds), ("learning rate", rate)):
        if values:
            steps, numbers = np.array(list(values), np.int64), np.zeros(len(values), np.int64)
            curves.feed(Rows(steps, numbers, np.array(list(values.values()), float), 0), [name])
    return curves


def test_an_evaluation_can_be_cancelled(compared, click, button, until):
    page, line = compared
    click(page.evaluate)
    assert line.progress()
    click(button(page, "Cancel"))
    assert page.evaluator.model.state is State.CANCELLED
    assert page.evaluate.isEnabled()
    assert line.progress() == ""


def test_an_evaluation_ends_with_its_window(compared_in_window, click, reading):
    window, line = compared_in_window
    click(line.same_text)
    model = window.compare.page.evaluator.model
    assert window.place == "compare"
    assert model.state is State.READING
    window.retire()
    assert model.state is State.CANCELLED


def test_an_answer_that_arrives_after_the_page_is_gone_is_dropped(registry, qtbot, opened, reading, until):
    runs, parent = [opened("One"), opened("Two")], QObject()
    evaluator = SameTextEvaluator(registry, registry._background, parent)
    evaluator.start(comparability_of(runs, runs[0]), "windows")
    shiboken6.delete(parent)
    reading.set()
    until(lambda: not registry._background._tasks)
    assert evaluator.model.state is State.READING


def test_several_runs_are_listed_as_a_sentence_does(page, listed, until):
    runs = [listed(name, f"training.batch_size={size}", **VALIDATED) for size, name in enumerate("ABC", start=2)]
    until(lambda: all(run.curves.names() for run in runs))
    for run in runs:
        run.update_status(replace(run.source.folder.status(), step=200, state="stopped", summary={"last_step": 800}))
        run.series.replace(curves_of({100: 3.0, 200: 2.0}, rate={1: 0.0005, 10: 0.001, 200: 0.0008}))
    page.show_runs(comparability_of(runs, runs[0]))
    assert "the learning rate of A, B and C is still at 80 %" in page._note.text()


def test_the_losses_are_drawn_where_the_page_has_room_for_them(page, listed, until):
    one, other = listed("One", **VALIDATED), listed("Other", "training.batch_size=3", **VALIDATED)
    until(lambda: one.curves.names() and other.curves.names())
    for run in (one, other):
        run.series.replace(curves_of({100: 3.0}))
    page.show_runs(comparability_of([one, other], one))
    assert page.chart.isHidden()  # two points are no curves
    other.series.replace(curves_of({100: 3.0, 200: 2.0}))
    page.show_runs(comparability_of([one, other], one))
    assert page.chart.isVisible()
    assert [(line.name, line.value_text) for line in page.chart._lines] == [
        ("One", "3.00 at 100"),
        ("Other", "2.00 at 200"),
    ]
    assert page.chart.height() >= LOWEST
    page.resize(1060, 260)
    assert page.chart.isHidden()
    assert page._table.height() >= 2 * page._table.rowHeight(0)


def test_a_line_is_converted_to_the_unit_of_the_page_once(page, listed, until):
    run = with_curves(listed("One", **VALIDATED), {100: 3.0, 200: 2.0}, until)
    page.chart.show_runs([run], "bits")
    (first,) = page.chart._lines
    assert first.y[-1] == pytest.approx(2.0 / np.log(2))
    page.chart.show_runs([run], "bits")
    assert page.chart._lines[0].y is first.y
    page.chart.show_runs([run], "nats")
    assert page.chart._lines[0].y[-1] == 2.0
