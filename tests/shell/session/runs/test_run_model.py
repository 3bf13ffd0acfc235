"""The model of a run without a window: who trains it, its state, losses and times, how it resumes and ends."""

import math
from types import SimpleNamespace

import pytest

from lab.base.problems import Problem
from lab.recipes import Recipe
from lab.runs import RunFolder, Status
from lab.runs.library.labels import Label
from lab.shell.session.runs.model import LONG_STEP, PER_TOKEN, Host, RunModel
from lab.shell.session.runs.pace import LEAST_SECONDS, LEAST_STEPS
from lab.shell.session.runs.series import SeriesState
from lab.shell.session.runs.texts import RunEvent
from lab.training.recording.telemetry import Ring
from lab.workbench import Runner, SavedRun

LAST = 100
"""The number of steps of every run here."""


class Training(Runner):
    """A runner that does nothing: a test gives it a state, steps and rows."""

    tokenizer = borrow = default_tokens = corpus_facts = evaluation_data = recorded = _train = _fail = None
    state = waits_for = ring = step = last_step = counts = evaluated = None

    def __init__(self, recipe, state="running", *, step=0, folder=None, counts=False, **evaluated):
        super().__init__(SimpleNamespace(recipe=recipe, run=folder, name=""), None, None)
        self.state, self.step, self.last_step = state, step, LAST
        self.counts, self.evaluated, self.ring = counts, evaluated, Ring()

    def record(self, step, **values):
        """Make a step with these values; their names have spaces for underscores."""
        self.step = step
        self.ring.write(step, [self.ring.number(name.replace("_", " ")) for name in values], list(values.values()))

    def summary(self):
        return {"last_step": self.last_step, **self.evaluated}


@pytest.fixture
def recipe():
    return Recipe().with_assignments(f"training.steps={LAST}")


@pytest.fixture
def training(recipe):
    """Make a run that this process trains."""
    return lambda *state, **figures: RunModel("1", Training(recipe, *state, **figures), Label())


@pytest.fixture
def folder(tmp_path, recipe):
    """The folder of a run."""
    return RunFolder.create(tmp_path / "run", recipe.to_toml(), {})


@pytest.fixture
def saved(folder):
    """Make a run on disk with this state and these figures."""

    def saved(state="finished", step=LAST, **figures):
        return RunModel("1", SavedRun(folder, None), Label(), Status(state, step, {"last_step": LAST, **figures}))

    return saved


@pytest.fixture
def clock(monkeypatch):
    """The clock of the model, which a test sets."""
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr("lab.shell.session.runs.model.time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


# ---- state and host


@pytest.mark.parametrize(
    ("state", "works", "trains"),
    [
        ("queued", True, False),
        ("preparing", True, False),
        ("running", True, True),
        ("paused", True, False),
        ("saving", True, False),
        ("finished", False, False),
        ("failed", False, False),
    ],
)
def test_a_run_of_this_process_has_the_state_of_its_runner(training, state, works, trains):
    run = training(state)
    assert (run.host, run.state) == (Host.HERE, state)
    assert (run.works, run.trains, run.elsewhere) == (works, trains, False)


@pytest.mark.parametrize(
    ("before", "after", "stopping"),
    [
        ("running", "saving", True),
        ("paused", "saving", True),
        ("preparing", "preparing", True),
        ("stopped", "stopped", False),
    ],
)
def test_a_run_that_is_told_to_stop_is_being_saved(training, before, after, stopping):
    run = training(before)
    run.control.stop()
    assert (run.state, run.is_stopping) == (after, stopping)


@pytest.mark.parametrize(
    ("state", "host"),
    [("running", Host.ELSEWHERE), ("interrupted", Host.NONE), ("finished", Host.NONE), ("stopped", Host.NONE)],
)
def test_a_run_on_disk_that_runs_is_trained_by_another_process(saved, state, host):
    run = saved(state)
    assert (run.host, run.state) == (host, state)
    assert (run.works, run.trains) == (False, False)
    assert (run.control is not None) == (host is Host.ELSEWHERE)


def test_a_run_of_another_process_is_paused_once_its_events_say_so(saved, folder):
    run = saved("running")
    folder.append_event({"event": "pause", "step": 3})
    assert run.take_texts()
    assert run.state == "paused"
    folder.append_event({"event": "resume", "step": 3})
    assert run.take_texts()
    assert run.state == "running"


def test_what_another_process_wrote_is_the_status_of_its_run(saved):
    run = saved("running", 3)
    problem = Problem("the disk is full")
    run.update_status(Status("failed", 7, {"train_loss": 1.5, "last_step": 9}, problem.as_dict()))
    assert (run.state, run.step, run.last_step, run.loss) == ("failed", 7, 9, 1.5)
    assert (run.problem, run.host) == (problem, Host.NONE)


def test_of_a_run_in_training_the_problem_that_paused_it_is_reported_before_others(training):
    run = training("paused")
    assert run.problem is None
    run.active.problem = Problem("a sample could not be written")
    assert run.problem.what == "a sample could not be written"
    run.active.waits_for = Problem("out of memory")
    assert run.problem.what == "out of memory"


def test_a_step_that_delays_a_stop_is_reported_once_it_is_long(training, clock):
    run = training()
    run.active.record(1, train_loss=2.0)
    run.take_rows()
    clock.now = 2 * LONG_STEP
    assert run.seconds_in_long_step() is None, "it does not stop"
    run.control.stop()
    assert run.seconds_in_long_step() == 2 * LONG_STEP
    clock.now = LONG_STEP - 0.1
    assert run.seconds_in_long_step() is None, "the step is short"


# ---- steps


@pytest.mark.parametrize(
    ("state", "step", "finished", "awaits"),
    [
        ("running", LAST - 1, False, False),
        ("running", LAST, False, True),
        ("saving", LAST, False, True),
        ("stopped", LAST - 1, False, False),
        ("stopped", LAST, True, False),
        ("finished", LAST - 1, True, False),  # a model that counts may need fewer steps
    ],
)
def test_a_run_is_finished_after_its_last_evaluation(training, saved, state, step, finished, awaits):
    for run in [training(state, step=step)] + [saved(state, step)] * (state in ("stopped", "finished")):
        assert (run.is_finished, run.awaits_evaluation) == (finished, awaits)


def test_a_run_without_steps_is_neither_finished_nor_awaits_an_evaluation(saved):
    run = saved("stopped", 0, last_step=0)
    assert (run.is_finished, run.awaits_evaluation) == (False, False)


def test_the_last_step_of_a_run_on_disk_that_stored_none_is_that_of_its_recipe(folder):
    run = RunModel("1", SavedRun(folder, None), Label(), Status("interrupted", 7))
    assert (run.step, run.last_step) == (7, LAST)


# ---- losses


def test_the_loss_is_the_training_loss_until_there_is_a_validation_loss(training):
    run = training()
    assert (run.loss, run.train_loss, run.is_validated) == (None, None, False)
    run.active.record(1, train_loss=2.5)
    assert run.take_rows()
    assert (run.loss, run.train_loss, run.is_validated) == (2.5, 2.5, False)
    run.active.record(2, train_loss=2.0, validation_loss=2.25)
    assert run.take_rows()
    assert (run.loss, run.train_loss, run.is_validated) == (2.25, 2.0, True)
    assert not run.take_rows(), "there are no new rows"


@pytest.mark.parametrize(
    ("figures", "loss", "validated"),
    [
        ({}, None, False),
        ({"train_loss": 2.5}, 2.5, False),
        ({"train_loss": 2.5, "validation_loss": 2.75}, 2.75, True),
        ({"train_loss": 2.5, "validation_loss": None, "infinite": ["validation_loss"]}, math.inf, True),
    ],
)
def test_a_run_on_disk_has_the_losses_of_its_summary(saved, figures, loss, validated):
    run = saved(**figures)
    assert (run.loss, run.is_validated) == (loss, validated)


@pytest.mark.parametrize(("stored", "unit"), [({}, PER_TOKEN), ({"loss_unit": "mean squares"}, "mean squares")])
def test_the_unit_of_a_loss_is_that_of_its_objective(saved, training, stored, unit):
    assert saved(**stored).loss_unit == training(**stored).loss_unit == unit


def test_the_figures_of_a_run_in_training_have_its_current_losses(training):
    run = training(validation_loss=2.25)
    run.active.record(2, train_loss=2.0)
    run.take_rows()
    assert run.figures() == {"train_loss": 2.0, "validation_loss": 2.25}


# ---- times


@pytest.mark.parametrize(
    ("state", "step", "figures", "seconds"),
    [
        ("finished", LAST, {"seconds": 50.0}, 50.0),
        ("finished", LAST, {}, None),
        ("stopped", LAST // 4, {"seconds": 50.0}, 200.0),
        ("stopped", 0, {"seconds": 50.0}, None),
        ("stopped", LAST // 4, {"seconds": 50.0, "learns": "counting"}, None),
    ],
)
def test_the_whole_training_takes_the_measured_time_or_that_of_its_steps_so_far(saved, state, step, figures, seconds):
    assert saved(state, step, **figures).full_seconds() == seconds


def paced(run, clock, seconds_per_step):
    """Make as many steps as the pace of a run needs to be known; return their number."""
    steps = max(LEAST_STEPS, math.ceil(LEAST_SECONDS / seconds_per_step)) + 1
    run.take_rows()  # the training starts, which is no step
    for step in range(1, steps + 1):
        clock.now += seconds_per_step
        run.active.record(step, train_loss=2.0)
        run.take_rows()
    return steps


def test_the_remaining_steps_take_as_long_as_the_last_ones(training, clock):
    run = training()
    assert (run.seconds_left(), run.full_seconds()) == (None, None)
    made = paced(run, clock, 2.0)
    assert run.seconds_left() == pytest.approx(2.0 * (LAST - made))
    assert run.full_seconds() == pytest.approx(2.0 * LAST)


def test_without_steps_the_remaining_time_is_unknown_and_the_pace_stays(training, clock):
    run = training()
    paced(run, clock, 2.0)
    run.active.state = "paused"
    run.take_rows()
    assert run.seconds_left() is None
    assert run.full_seconds() == pytest.approx(2.0 * LAST)


def test_the_steps_of_a_model_that_counts_predict_no_time(training, clock):
    run = training(counts=True)
    paced(run, clock, 2.0)
    assert (run.seconds_left(), run.full_seconds()) == (None, None)


# ---- samples and events


def test_edits_and_problems_are_events_and_the_last_value_of_a_setting_is_known(saved, folder):
    run = saved("running")
    folder.append_sample({"step": 5, "text": "the cat"})
    for value in (0.5, 0.5, 0.25):  # the second edit changes nothing
        before = run.changed.get("training.clip", 1.0)
        folder.append_event({"event": "set", "step": 5, "path": "training.clip", "before": before, "value": value})
        run.take_texts()
    folder.append_event({"event": "problem", "step": 7, "what": "a sample could not be generated"})
    folder.append_event({"event": "budget", "step": 8})
    assert run.take_texts()
    problem = RunEvent(7, problem="a sample could not be generated")
    assert run.events == [RunEvent(5, "training.clip", 1.0, 0.5), RunEvent(5, "training.clip", 0.5, 0.25), problem]
    assert (run.changed, run.samples) == ({"training.clip": 0.25}, [(5, "the cat")])
    assert not run.take_texts(), "there is nothing new"


def test_events_that_a_resumed_run_records_again_are_listed_once(saved, folder):
    run = saved("running")
    for _ in range(2):
        folder.append_event({"event": "set", "step": 5, "path": "training.clip", "before": 1.0, "value": 0.5})
        run.take_texts()
    assert run.events == [RunEvent(5, "training.clip", 1.0, 0.5)]


# ---- resume and end


def test_a_resumed_run_has_the_steps_before_it_until_it_trains_and_takes_no_rows_before_its_past_is_read(
    saved, folder, recipe
):
    run = saved("stopped", 40, train_loss=2.0)
    active = Training(recipe, "queued", folder=folder)
    ring, active.ring = active.ring, None
    run.resume(active)
    assert (run.host, run.state, run.step, run.path) == (Host.HERE, "queued", 40, folder.path)
    active.ring, active.state = ring, "running"
    active.record(41, train_loss=1.5)
    assert (run.step, run.take_rows(), run.take_texts()) == (41, False, False)
    run.series.take_past(run.curves)
    assert run.take_rows()
    assert run.loss == 1.5


def test_the_pace_before_an_interruption_does_not_predict_the_time_after_it(training, recipe, clock):
    run = training()
    paced(run, clock, 2.0)
    assert run.seconds_left() is not None
    run.resume(Training(recipe, step=40))
    assert run.seconds_left() is None


def test_a_run_that_ended_takes_its_last_rows_and_has_the_state_and_problem_of_its_runner(training, folder):
    run = training()
    active = run.active
    active.folder = folder
    active.record(1, train_loss=2.0)
    folder.append_sample({"step": 1, "text": "the cat"})
    active.state, active.problem = "failed", Problem("the loss is nan")
    assert not run.end(SavedRun(folder, None)), "its curves are whole"
    assert (run.host, run.active, run.state, run.step) == (Host.NONE, None, "failed", 1)
    assert (run.loss, run.problem, run.last_step) == (2.0, active.problem, LAST)
    assert (run.samples, run.series.state) == ([(1, "the cat")], SeriesState.READ)


def test_a_run_whose_rows_were_overwritten_before_they_were_taken_is_read_from_disk_at_its_end(training, folder):
    run = training()
    run.active.ring = Ring(capacity=2)
    for step in range(1, 6):
        run.active.record(step, train_loss=2.0)
    assert run.end(SavedRun(folder, None))
    assert run.series.state is SeriesState.NOT_READ


def test_a_run_that_ended_before_its_past_was_read_is_read_from_disk(saved, folder, recipe):
    run = saved("stopped", 40)
    run.resume(Training(recipe, "stopped", step=40, folder=folder))
    assert run.end(SavedRun(folder, None))
    assert (run.state, run.step) == ("stopped", 40)


# ---- verification


def test_the_result_of_a_verification_stays_until_another_one_has_ended(saved):
    run = saved()
    first = run.start_verifying()
    assert run.verifying == 0.0
    assert run.end_verifying(first, "exact")
    assert (run.verifying, run.verification) == (None, "exact")
    assert run.end_verifying(run.start_verifying())  # it failed
    assert (run.verifying, run.verification) == (None, "exact")


def test_a_late_verification_neither_ends_the_newer_one_nor_gives_a_result(saved):
    run = saved()
    first, second = run.start_verifying(), run.start_verifying()
    assert not run.end_verifying(first, "late")
    assert (run.verifying, run.verification) == (0.0, None)
    assert run.end_verifying(second, "exact")
    assert run.verification == "exact"
