"""A finished run offers what can be done with it: inspect it, let it write, train it further."""

import pytest


@pytest.fixture
def finished(open_window, trained_run, until):
    """Open a window in which a finished run is selected."""
    trained_run("training.steps=5")
    window = open_window()
    until(lambda: window.session.registry.views)
    window.session.registry.select(window.session.registry.views[0].key)
    until(lambda: window.train.loss.end_row.isVisible())
    return window


def test_a_run_that_ends_shows_the_row_below_its_loss(open_window, click, until):
    window = open_window("training.steps=5")
    assert not window.train.loss.end_row.isVisible()
    click(window.top.start)
    until(lambda: window.session.selected is not None and window.session.selected.state == "finished")
    until(lambda: window.train.loss.end_row.isVisible())
    assert "finished after 5 steps" in window.train.loss.end_row._text.full_text


def test_the_row_is_one_control_high(finished):
    chart = finished.train.loss.chart
    top = chart.mapTo(finished, chart.rect().topLeft()).y()
    finished.train.loss.end_row.close_button.click()
    finished.train.loss.body.layout().activate()
    assert 0 <= top - chart.mapTo(finished, chart.rect().topLeft()).y() <= 30


def test_a_dismissed_row_stays_away_for_this_run_only(finished, saved_run, click, until):
    row, registry = finished.train.loss.end_row, finished.session.registry
    click(row.close_button)
    assert not row.isVisible()
    first = registry.selected
    finished.session.open_paths([str(saved_run("Other"))])
    until(row.isVisible)
    registry.select(first.key)
    assert not row.isVisible()


def test_a_stopped_run_has_no_row(open_window, saved_run):
    window = open_window()
    window.session.open_paths([str(saved_run("Stopped", state="stopped"))])
    assert not window.train.loss.end_row.isVisible()


def test_look_inside_opens_inspect(finished, click):
    click(finished.train.loss.end_row.inspect)
    assert finished.place == "inspect"


def test_let_it_write_writes(finished, click, until):
    finished.play.prompt.setPlainText("the ")
    click(finished.train.loss.end_row.write)
    assert finished.place == "play"
    until(lambda: finished.play.model.tokens)


def test_train_further_asks_for_the_steps_and_resumes(finished, click, until):
    click(finished.train.loss.end_row.further)
    question = finished.runs_controller.question
    assert question.field.text() == "10"
    click(question.agree)
    until(lambda: finished.session.selected.state == "finished" and finished.session.selected.step == 10)
