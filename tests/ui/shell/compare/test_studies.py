"""The page of studies: a text that is checked, runs that train, pause and continue, in an order that can change."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import shiboken6

from lab.base import BadInput
from lab.base.jobs import Job
from lab.host import Plugins
from lab.shell.compare.studies.page import StudiesPage
from lab.shell.compare.studies.rows import summary_of
from lab.shell.runtime.background import Background
from lab.shell.session.studies import State, StudyController
from lab.workbench.studies.execution import StudyExecution
from lab.workbench.studies.results import TrialState

TEXT = """title = "Small"
seeds = [0, 1]
set = [
  "corpus.name=markov", "architecture.layers=1", "architecture.width=16", "architecture.heads=2",
  "training.context_length=8", "training.batch_size=2", "training.steps=4", "training.sample_tokens=0",
  "training.threads=1", "training.evaluate_every=2", "readings.moments=0", "readings.gauges_every=0",
]
"""


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch):
    """Train in threads of this process, which starts sooner than processes do."""
    monkeypatch.setattr(StudyExecution, "_pool", lambda self: ThreadPoolExecutor(self._workers))


@pytest.fixture
def plugins(lab_home):
    return Plugins.from_environment().load()


@pytest.fixture
def background(qapp):
    made = Background()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def controller(plugins, background):
    made = StudyController(plugins, background, background)
    made.text = TEXT
    return made


def job():
    return Job("a test", lambda _: None)


def states(controller):
    return [each.state for each in controller.results.trials]


def test_a_study_is_checked_trained_and_known_at_the_next_start(controller, plugins, background):
    controller.results = controller.check(controller.study(), job())
    assert states(controller) == [TrialState.WAITING] * 2
    assert summary_of(controller.results) == "2 waiting"
    controller.start()
    controller.end(controller.carry_out(controller.study(), 1, job()))
    assert states(controller) == [TrialState.FINISHED] * 2
    again = StudyController(plugins, background, background)
    (known,) = again.known(job())
    assert known.title == "Small"
    again.open(known.file)
    again.results = again.check(again.study(), job())
    assert states(again) == [TrialState.FINISHED] * 2


def test_a_study_that_is_paused_trains_no_more_and_continues_with_the_next_start(controller):
    controller.start()
    controller.pause()
    assert controller.state == State.PAUSING
    controller.end(controller.carry_out(controller.study(), 1, job()))
    assert states(controller) == [TrialState.WAITING] * 2
    controller.start()
    controller.end(controller.carry_out(controller.study(), 1, job()))
    assert states(controller) == [TrialState.FINISHED] * 2


def test_runs_that_are_put_first_train_first(controller, monkeypatch):
    controller.results = controller.check(controller.study(), job())
    controller.put_first([controller.results.trials[1].trial.key])
    trained = []
    real = StudyExecution._recipe
    monkeypatch.setattr(
        StudyExecution, "_recipe", lambda self, trial: (trained.append(trial.seed), real(self, trial))[1]
    )
    controller.start()
    controller.end(controller.carry_out(controller.study(), 1, job()))
    assert trained == [1, 0]


@pytest.fixture
def open_page(background, controller, qtbot):
    """Open a page of the studies around the same controller."""

    pages = []

    def open_page():
        made = StudiesPage(background, controller)
        pages.append(made)
        made.resize(1100, 600)
        with qtbot.waitExposed(made):
            made.show()
        return made

    yield open_page
    for made in pages:
        if shiboken6.isValid(made):
            made.close()
            made.deleteLater()


@pytest.fixture
def page(open_page):
    return open_page()


def test_the_page_shows_the_plan_trains_it_and_draws_its_curves(page, until, click):
    until(lambda: page._model.rowCount() == 2)
    assert page.start.isEnabled()
    click(page.start)
    assert not page.start.isEnabled()
    until(lambda: page.controller.state == State.IDLE, timeout=60_000)
    assert page._note.text() == "2 finished"
    until(lambda: bool(page.multiples.drawn))


def test_a_study_that_trains_is_shown_by_a_page_that_is_made_meanwhile(page, controller, open_page, until, click):
    until(lambda: page._model.rowCount() == 2)
    click(page.start)
    page.hide()
    page.deleteLater()
    other = open_page()
    until(lambda: controller.state == State.IDLE, timeout=60_000)
    assert other._note.text() == "2 finished"
    assert other.start.isEnabled()


def test_a_study_that_fails_says_why(page, controller, until, click, monkeypatch):
    def fail(_execution):
        raise BadInput("is no number", field="seeds")

    until(lambda: page._model.rowCount() == 2)
    monkeypatch.setattr(StudyExecution, "run", fail)
    click(page.start)
    until(lambda: controller.state == State.IDLE)
    assert "is no number" in page._problem.text()
    assert page.start.isEnabled()


def test_selected_runs_stay_selected_when_the_table_is_shown_again(page, until):
    until(lambda: page._model.rowCount() == 2)
    page.view.selectAll()
    page._show_runs()
    assert sorted(index.row() for index in page.view.selectionModel().selectedRows()) == [0, 1]


def test_no_curves_are_read_while_some_are(page, until, background, monkeypatch):
    until(lambda: page._model.rowCount() == 2 and not page._reads)
    started = []
    monkeypatch.setattr(background, "run", lambda title, *_, **__: started.append(title))
    page._show_runs()
    page._show_runs()
    assert started == ["Reading the curves"]
    page._take_curves(([], {}))
    assert started == ["Reading the curves"] * 2  # what changed meanwhile


def test_a_text_that_is_no_study_says_why_and_cannot_be_started(page, until):
    until(lambda: page._model.rowCount() == 2)
    page.text.setPlainText("title = 3")
    until(lambda: "title" in page._problem.text())
    page._show_runs()
    assert "title" in page._problem.text()
    assert not page.start.isEnabled()
    page.text.setPlainText(TEXT)
    until(page.start.isEnabled)
    assert page._problem.isHidden()


def test_a_text_that_is_edited_while_a_study_trains_leaves_that_one_as_it_was(page, until):
    until(lambda: page._model.rowCount() == 2)
    page.controller.start()
    page.text.setPlainText(TEXT.replace("Small", "Other"))
    until(lambda: "goes on as it was" in page._problem.text())
    page.controller.end(page.controller.results)
    until(page._problem.isHidden)
