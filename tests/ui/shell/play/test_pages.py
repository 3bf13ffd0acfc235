"""The pages of Play besides Write: scoring, measuring, testing and guessing with a run that has ended."""

import threading

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData
from PySide6.QtWidgets import QHBoxLayout, QWidget

from lab.shell.play.filter_list import FilterList
from lab.shell.play.pages import BEHAVIOUR, COST, GUESS, MEASURE, SCORE, WRITE, PlayPages
from lab.shell.play.panel import PlayPanel
from lab.shell.play.place import PlayPlace
from lab.shell.play.score import page as score_page
from lab.shell.play.score.model import State
from lab.shell.play.text.pages import TextPages
from lab.workbench.scoring.degeneration import Measures, Row, Table

SENTENCE = "the dog sat on the mat. a cat ran to the hat.\n"


@pytest.fixture
def opened(open_session, trained_run, until):
    """Open a page of Play with a run that has ended; the pages stop their work at the end."""
    made = []

    def opened(page):
        session = open_session()
        session.open_path(str(trained_run("training.steps=20")))
        until(lambda: session.selected is not None)
        panel = PlayPanel(session.plugins, FilterList(session.plugins))
        place = PlayPlace(session.registry, session.model_provider, session.background, panel, TextPages())
        pages = PlayPages(place, session.registry, session.model_provider, session.background)
        window = QWidget()
        QHBoxLayout(window).addWidget(pages)
        made.append((window, pages, panel))
        window.resize(1200, 700)
        pages.begin()
        pages.open_page(page)
        window.show()
        pages.session = session
        return pages

    yield opened
    for window, pages, panel in made:
        pages.close_down()
        pages.write.close_down()
        window.close()
        for widget in (window, panel):
            widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def score(opened):
    """The page Score."""
    return opened(SCORE).score


def test_a_page_is_made_when_its_button_is_clicked_and_write_is_the_first(opened, button, click):
    pages = opened(WRITE)
    seen = []
    pages.page_changed.connect(lambda: seen.append(pages.page))
    assert pages.score is None
    click(button(pages, "Score"))
    assert pages.score.isVisible()
    assert not pages.write.isVisible()
    click(button(pages, "Write"))
    assert pages.write.isVisible()
    assert seen == [SCORE, WRITE]
    state = {"page": GUESS}
    pages.load_state_dict(state)
    assert pages.state_dict() == state
    pages.load_state_dict({"page": "guess"})
    assert pages.page == GUESS


def test_a_text_is_coloured_token_by_token_with_its_sum_and_its_figures(score, until, click):
    assert score.chart_card.state == "empty"
    score.field.setPlainText(SENTENCE)
    click(score.score_button)
    assert score.score_button.text() == "Cancel"
    until(lambda: score.model.state is State.SCORED)
    assert score.text.text() == SENTENCE
    assert score.chart_card.state == "content"
    assert score.table.item(0, 0).text().endswith("step 20")
    (line,) = score.chart._lines
    assert line.y[-1] == pytest.approx(float(score.table.item(0, 1).text()), abs=0.1)
    assert "rank" in score.text._describe(3)
    assert "windows of 32 tokens that overlap" in score._sentence.text()


def test_each_colour_and_quantity_is_shown(score, until):
    score.field.setPlainText(SENTENCE)
    score.start()
    until(lambda: score.model.state is State.SCORED)
    surprisals = [token.shade for token in score.text._tokens]
    score._colours.pick("entropy")
    entropies = [token.shade for token in score.text._tokens]
    score._colours.pick("rank")
    assert len({tuple(surprisals), tuple(entropies), tuple(token.shade for token in score.text._tokens)}) == 3
    assert "difference" not in dict(score._colours.choices)
    score.quantities.pick("ratio")
    assert score.chart._lines == ()
    assert "Show a second run" in score._sentence.text()


def test_a_second_shown_run_is_compared(opened, trained_run, until):
    pages = opened(SCORE)
    score, session = pages.score, pages.session
    session.open_path(str(trained_run("training.steps=20", "training.seed=2")))
    until(lambda: len(session.registry.runs) == 2)
    session.registry.show([run.key for run in session.registry.runs], True)
    score.field.setPlainText(SENTENCE)
    score.start()
    until(lambda: score.model.state is State.SCORED)
    assert score.table.rowCount() == 2
    score._colours.pick("difference")
    assert min(token.shade for token in score.text._tokens) < 0 < max(token.shade for token in score.text._tokens)
    score.quantities.pick("ratio")
    assert len(score.chart._lines) == 1
    assert "times as likely under" in score._sentence.text()


@pytest.mark.parametrize(("text", "sentence"), [("", "is empty"), ("The Cat", "the character T does not occur")])
def test_a_text_that_cannot_be_scored_is_refused_below_the_field(score, until, text, sentence):
    score.field.setPlainText(text)
    score.start()
    until(lambda: score.model.state is not State.SCORING)
    assert sentence in score._problem.text()
    assert score._problem.isVisible()


def test_a_long_text_is_scored_without_being_put_into_the_field(score, until, monkeypatch):
    monkeypatch.setattr(score_page, "LONGEST_EDITED", 40)
    monkeypatch.setattr(score_page, "MOST_COLOURED", 10)
    pasted = QMimeData()
    pasted.setText(SENTENCE)
    score.field.insertFromMimeData(pasted)
    assert score.field.toPlainText() == ""
    assert "46 characters were pasted" in score._long_note.text()
    score.start()
    until(lambda: score.model.state is State.SCORED)
    assert score.model.text == SENTENCE
    assert "the first 10 of 45 tokens" in score._count.text()
    score.field.setPlainText("the cat")
    assert not score._long_note.isVisible()


def test_a_file_is_opened_and_scored(score, until, tmp_path):
    (tmp_path / "text.txt").write_text(SENTENCE)
    score.open_file(tmp_path / "text.txt")
    until(lambda: score.model.state is State.SCORED)
    assert score.model.text == SENTENCE
    (tmp_path / "text.bin").write_bytes(bytes(range(8)) * 20)
    score.open_file(tmp_path / "text.bin")
    until(lambda: score._problem.isVisible())
    assert "is binary" in score._problem.text()


def test_ways_of_decoding_have_rows_beside_the_corpus_and_cancel_keeps_them(opened, until, click, monkeypatch):
    monkeypatch.setattr("lab.shell.play.measure.page.Measuring.work", _two_rows)
    page = opened(MEASURE).measure
    assert page.card.state == "empty"
    page.start()
    until(lambda: page.table.rowCount() == 3)
    assert [page.table.item(row, 0).text() for row in range(3)] == ["the corpus", "greedy", "temperature=0.9"]
    assert page.table.item(2, 1).font().bold()
    until(lambda: page._note.text().startswith("temperature=0.9"))
    click(page.button)
    until(lambda: not page._bar.isVisible())
    assert page.table.rowCount() == 3
    page.table.selectRow(1)
    assert page._example.text() == "the ▸cat"
    assert page.plots_card.state == "content"
    assert [line.y.tolist() for line in page.charts["temperature"]._lines] == [[2.0, 9.0]]


def test_checkpoints_of_a_run_have_rows_of_their_own_and_lines_over_the_steps(opened, trained_run, until):
    pages = opened(MEASURE)
    settings = ("training.steps=20", "training.checkpoint_every=10", "training.evaluate_every=10", "training.seed=3")
    pages.session.open_path(str(trained_run(*settings)))
    until(lambda: len(pages.session.registry.runs) == 2)
    page = pages.measure
    page._texts.pick("8")
    page._tokens.pick("50")
    page._checkpoints.pick("all")
    page.start()
    until(lambda: not page._worker.works)
    assert page._problem.text() == ""
    names = [page.table.item(row, 0).text() for row in range(page.table.rowCount())]
    assert [name.split(" ")[0] for name in names] == ["10"] * 5 + ["20"] * 5
    assert [name.split(" · ")[1].partition(" (")[0] for name in names[:2]] == ["the corpus", "greedy"]
    assert [name.endswith(", best)") for name in names].count(True) == 1
    assert page.over_steps.isVisible()
    assert not page.charts["top-p"].isVisible()
    assert {line.name: line.x.tolist() for line in page.over_steps._lines}["greedy"] == [10.0, 20.0]
    page.table.selectRow(6)
    assert (
        page._example.text()
        == f"{page.measuring.tables[1].table.prompts[0]}▸" + (page.measuring.tables[1].table.rows[0].texts[0])
    )


def _two_rows(measuring, job):
    """Stand for a table of which two rows are done, until it is cancelled."""
    rest = [0.0] * 7
    rows = [Row("greedy", Measures(2.0, *rest), ("cat",)), Row("temperature=0.9", Measures(9.0, *rest), ("dog",))]
    measuring.table = Table(Measures(10.0, *rest), ("the ",), ("mat",), 3, 20, rows)
    measuring.share, measuring.setting = 0.5, "temperature=0.9"
    cancelled = threading.Event()
    job.when_cancelled(cancelled.set)
    assert cancelled.wait(60)


def test_a_test_shows_figures_rows_and_curves(opened, until, click):
    page = opened(BEHAVIOUR).behaviour
    click(page.button)
    until(lambda: page.found is not None)
    assert page._figures.text().startswith("loss with 1 token")
    assert page.table.item(0, 0).text() == "1"
    assert [line.name for line in page.chart._lines] == ["by position", "by context given"]


def test_a_test_that_the_run_cannot_take_says_why(opened, until):
    page = opened(BEHAVIOUR).behaviour
    page.tests.pick("arithmetic")
    page.start()
    until(lambda: page._problem.isVisible())
    assert "does not occur" in page._problem.text()


def test_tests_that_read_a_file_show_their_outcome(opened, until, tmp_path):
    (tmp_path / "pairs.jsonl").write_text('{"sentence_good": "the cat", "sentence_bad": "cat the"}\n')
    page = opened(BEHAVIOUR).behaviour
    page.tests.pick("pairs")
    page.start(tmp_path / "pairs.jsonl")
    until(lambda: page.found is not None)
    assert "pairs 1" in page._figures.text()
    assert page.chart_card.state == "empty"


def test_letters_are_guessed_as_they_are_typed_and_both_entropies_follow(opened, until, click, qtbot):
    page = opened(GUESS).guess
    page.start()
    until(lambda: page.game is not None)
    right = page.game.passage.symbols[0]
    wrong = next(letter for letter in "xyz" if letter != right)
    qtbot.keyClicks(page.field, wrong)
    assert page._wrong.text() == f"not {wrong}"
    page._guess(right)
    assert page.game.ranks == [2]
    assert "you 2 guesses" in page._outcome.text()
    click(page.reveal_button)
    assert "revealed" in page._outcome.text()
    assert page.table.item(0, 1).text() == "0 %"
    assert page.table.item(1, 4).text()
    while not page.game.is_over:
        page._guess(page.game.passage.symbols[len(page.game.ranks)])
    assert not page.field.isEnabled()
    assert page._wrong.text() == "The passage is over."


def test_costs_are_measured_by_position_with_their_growth_beside_theory(opened, until, click):
    cost = opened(COST).cost
    assert cost.card.state == "empty"
    cost.ends.pick("512")
    cost.start()
    assert cost.button.text() == "Cancel"
    until(lambda: not cost._worker.works)
    assert [cost.table.item(row, 0).text() for row in range(cost.table.rowCount())] == ["64", "128", "256", "512"]
    growth = {
        cost.growth.item(row, 0).text(): [cost.growth.item(row, column).text() for column in (1, 2, 3)]
        for row in range(cost.growth.rowCount())
    }
    assert growth["state"] == ["T^1.00", "T^1.00", "T"]
    assert growth["read all"][2] == "T²"
    assert "reads 32 tokens" in cost._note.text()
    assert [line.key for line in cost.times._lines] == [
        "step", "step by theory", "read", "read by theory", "explicit", "explicit by theory",
    ]  # fmt: skip
    assert len(cost.sizes._lines) == 3
    measured, theory = cost.times._lines[:2]
    assert theory.y[-1] == pytest.approx(measured.y[-1])


def test_measuring_costs_can_be_cancelled_and_started_again(opened, until, click):
    cost = opened(COST).cost
    cost.ends.pick("32768")
    cost.start()
    click(cost.button)
    assert cost.button.text() == "Measure"
    cost.ends.pick("512")
    cost.start()
    until(lambda: not cost._worker.works)
    assert cost.table.rowCount() == 4
