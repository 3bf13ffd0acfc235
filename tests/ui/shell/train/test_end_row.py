"""A finished run offers what can be done with it: inspect it, let it write, train it further."""

import pytest
from PySide6.QtCore import Qt


@pytest.fixture
def page(open_page, trained_run, until):
    """Open Train in which a finished run is selected."""
    return select_finished(open_page("train"), trained_run, until)


@pytest.fixture
def finished(open_window, trained_run, until):
    """Open a window in which a finished run is selected."""
    return select_finished(open_window(), trained_run, until)


def select_finished(window, trained_run, until):
    window.session.open_path(str(trained_run("training.steps=5")))
    until(lambda: window.train.loss.end_row.isVisible())
    return window


def test_a_run_that_ends_shows_the_row_below_its_loss_and_train_further_asks_for_the_steps_and_resumes(
    open_window, click, until
):
    window = open_window("training.steps=5")
    row = window.train.loss.end_row
    assert not row.isVisible()
    click(window.top.start)
    until(lambda: window.session.selected is not None and window.session.selected.state == "finished")
    until(row.isVisible)
    assert "finished after 5 steps" in row._text.full_text
    click(row.further)
    question = window.runs_controller.question
    assert question.field.text() == "10"
    click(question.agree)
    until(lambda: window.session.selected.state == "finished" and window.session.selected.step == 10)


def test_the_row_is_one_control_high_and_compares_with_no_run_without_another_of_its_corpus(page):
    assert not page.train.loss.end_row.compare.isVisible()
    chart = page.train.loss.chart
    top = chart.mapTo(page, chart.rect().topLeft()).y()
    page.train.loss.end_row.close_button.click()
    page.train.loss.body.layout().activate()
    assert 0 <= top - chart.mapTo(page, chart.rect().topLeft()).y() <= 30


def test_a_dismissed_row_stays_away_for_this_run_only(page, saved_run, click, until):
    row, registry = page.train.loss.end_row, page.session.registry
    click(row.close_button)
    assert not row.isVisible()
    first = registry.selected
    page.session.open_paths([str(saved_run("Other"))])
    until(row.isVisible)
    registry.select(first.key)
    assert not row.isVisible()


def test_a_stopped_run_has_no_row(open_page, saved_run):
    window = open_page("train")
    window.session.open_paths([str(saved_run("Stopped", state="stopped"))])
    assert not window.train.loss.end_row.isVisible()


def test_look_inside_opens_inspect_and_let_it_write_offers_a_prompt_and_writes_when_it_is_asked_to(
    finished, qtbot, click, until
):
    click(finished.train.loss.end_row.inspect)
    assert finished.place == "inspect"
    finished.show_place("train")
    click(finished.train.loss.end_row.write)
    assert finished.place == "play"
    until(lambda: finished.play.model.shown == -1 and finished.play.next_card.tokens.isVisible())
    assert not finished.play.busy
    assert finished.focusWidget() is finished.play.generate_button
    qtbot.keyClick(finished.play.generate_button, Qt.Key.Key_Space)
    until(lambda: finished.play.model.tokens)


@pytest.mark.parametrize(
    ("objective", "tokenizer", "offered"),
    [
        ("causal", "character", "Let it write"),
        ("sequence-to-sequence", "character", "Let it write"),
        ("classification", "word", "Give it a text"),
        ("classification", "none", ""),
        ("regression", "none", ""),
        ("masked", "character", "Let it fill in"),
    ],
)
def test_a_run_is_asked_to_write_only_if_it_can(open_page, saved_run, small, until, objective, tokenizer, offered):
    page = open_page("train")
    recipe = small(f"objective.name={objective}", f"tokenizer.name={tokenizer}")
    page.session.open_paths([str(saved_run("Rows", recipe=recipe))])
    until(page.train.loss.end_row.isVisible)
    row = page.train.loss.end_row
    assert row.write.isVisible() == bool(offered)
    assert not offered or row.write.text() == offered
    assert row.classes.isVisible() == (objective == "masked")


@pytest.mark.long
def test_a_classifier_is_given_a_text_in_play(open_window, trained_run, click, until):
    labels = ("corpus.name=polarity", "corpus.rows=60", "objective.name=classification", "tokenizer.name=word")
    window = open_window()
    window.session.open_path(str(trained_run(*labels, "training.context_length=64", "training.steps=3")))
    until(lambda: window.train.loss.end_row.isVisible())
    assert "It is right about" in window.train.loss._sentence.text()
    click(window.train.loss.end_row.write)
    assert window.play.isVisible()
    until(lambda: window.play.next_card.classes.isVisible())
    until(lambda: window.play.prompt.isEnabled() and not window.play.generate_button.isEnabled())


def test_another_finished_run_of_the_corpus_is_drawn_and_compared(
    open_page, saved_run, small, click, until, monkeypatch
):
    page = open_page("train")
    other, elsewhere, stopped = (
        saved_run("Other"),
        saved_run("Elsewhere", recipe=small("corpus.name=brackets")),
        saved_run("Stopped", state="stopped"),
    )
    page.session.open_paths([str(path) for path in (elsewhere, stopped, other, saved_run("This"))])
    registry, row = page.session.registry, page.train.loss.end_row
    registry.select(next(run.key for run in registry.runs if run.name == "This"))
    registry.show_only([registry.selected.key])
    until(row.compare.isVisible)
    monkeypatch.setattr(row._others, "popup", lambda _: None)  # it would warn that the keyboard cannot be grabbed
    click(row.compare)
    assert [action.text() for action in row._others.actions()] == ["Other"]
    requests = []
    row.compare_clicked.connect(lambda: requests.append({run.name for run in registry.shown}))
    row._others.actions()[0].trigger()
    assert requests == [{"This", "Other"}]


@pytest.mark.long
def test_the_comparison_opens_at_once_when_several_runs_are_shown(open_window, saved_run, click, until):
    window = open_window()
    window.session.open_paths([str(saved_run("One")), str(saved_run("Two"))])
    window.show_place("train")
    registry, row = window.session.registry, window.train.loss.end_row
    registry.show([run.key for run in registry.runs], shown=True)
    until(row.compare.isVisible)
    click(row.compare)
    assert not row._others.isVisible()
    assert window.place == "compare"


@pytest.mark.long
def test_the_german_row_fits_the_smallest_window(german, open_window, saved_run, until):
    window = open_window(size=(1100, 640))
    window.session.open_paths([str(saved_run("Eins")), str(saved_run("Zwei"))])
    window.show_place("train")
    row = window.train.loss.end_row
    until(lambda: row.compare.isVisible() and window.width() == 1100)
    for button in (row.inspect, row.write, row.further, row.compare, row.close_button):
        assert button.width() >= button.sizeHint().width()
        assert button.mapTo(row, button.rect().bottomRight()).x() < row.width()


@pytest.mark.long
def test_a_run_of_hidden_tokens_begins_a_classifier_in_one_click(open_window, trained_run, click, until):
    window = open_window()
    masked = ("architecture.name=encoder", "objective.name=masked", "training.context_length=128")
    window.session.open_path(str(trained_run(*masked, "training.steps=3", "tokenizer.name=byte")))
    until(lambda: window.train.loss.end_row.isVisible())
    run = window.session.selected
    click(window.train.loss.end_row.classes)
    draft = window.session.draft
    until(lambda: draft.recipe.objective.name == "classification")
    assert (draft.branch_point.step, draft.branch_point.weights_only) == (3, True)
    assert (draft.recipe.corpus.name, draft.recipe.architecture.name) == ("polarity", "encoder")
    window.session.draft.apply({"training": {"steps": 2}, "corpus": {"rows": 40}})
    window.session.start()
    until(lambda: window.session.selected is not run and window.session.selected.state == "finished")
    tuned = window.session.selected
    assert tuned.recipe.objective.name == "classification"
    assert tuned.source.folder.facts["parent"]["weights_only"] is True
