"""Runs that are taken up at nasty moments, or from a folder in which something is not as it was."""

import json
import math
import os
import shutil
from types import SimpleNamespace

import pytest
import torch
from safetensors.torch import load_file, save_file

from lab.base import BadInput, LabError
from lab.base.notices import listen
from lab.runs import RunFolder
from lab.runs.checkpoint_list import Checkpoint, retained
from lab.training.recording.checkpoints import load_facts, load_model_tables
from lab.training.trainer import Trainer
from lab.workbench import Workbench

TEXT = "the cat sat on the mat. a dog ran to the hat.\n" * 60
RATE = "training.optimizer.learning_rate"
CONSTANT = ("training.schedule.name=constant", "training.checkpoint_seconds=0")


@pytest.fixture
def train(bench, recipe):
    """Train to the end, with constant learning rates and checkpoints by steps only."""

    def train(steps, *assignments):
        run = bench.start(recipe(steps, *CONSTANT, *assignments))
        run.wait_out()
        return run

    return train


@pytest.fixture(scope="module")
def trained_once(tmp_path_factory, small_recipe):
    """The folder of a run of eight steps with checkpoints at 4 and 8, beside its text."""
    folder = tmp_path_factory.mktemp("trained")
    text = folder / "animals.txt"
    text.write_text(TEXT)
    checkpoints = ("training.checkpoint_every=4", "training.keep_last=9")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("LAB_HOME", str(folder / "home"))
        bench = Workbench()
        run = bench.start(small_recipe(text, 8, *CONSTANT, *checkpoints))
        run.wait_out()
        bench.close()
        shutil.move(run.path, folder / "run")
    return folder / "run"


@pytest.fixture
def trained(trained_once, tmp_path):
    """A copy of that run, beside its text."""
    shutil.copy(trained_once.parent / "animals.txt", tmp_path)
    folder = RunFolder.open(shutil.copytree(trained_once, tmp_path / "run"))
    return SimpleNamespace(folder=folder, path=folder.path)


@pytest.fixture
def resumed(bench):
    """Resume a run and wait for its end."""

    def resumed(folder, **more):
        run = bench.resume(folder.path, **more)
        run.wait_out()
        return run

    return resumed


@pytest.fixture
def notices():
    """Return the notices to the user."""
    reported = []
    stop = listen(reported.append)
    yield reported
    stop()


def change_facts(folder, at, **facts):
    file = folder.checkpoint_folder(at) / "state.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **facts}))


def steer(run, until, *orders):
    """Send commands (step, path, value) to a run at their steps, and let it continue to its end."""
    run.control.pause()
    until(lambda: run.state == "paused")
    for step, path, value in orders:
        if step > run.step:
            run.control.single_step(step - run.step)
            until(lambda step=step: run.step == step and run.state == "paused")
        run.control.set(path, value)
    run.control.resume()
    run.wait_out()


# ---- moments ----


def test_a_run_killed_between_its_last_step_and_its_end_is_brought_to_its_end(trained, resumed, series, interrupt):
    run = trained
    whole = series(run)
    folder = interrupt(run, 8)
    change_facts(folder, 8, reason="interval", evaluated=False, validation_loss=None)
    run = resumed(folder)
    assert (run.state, series(run)) == ("finished", whole)
    assert folder.checkpoints()[-1].reason == "end"


def test_a_branch_without_its_first_checkpoint_never_starts_from_untrained_weights(bench, trained, resumed, interrupt):
    parent = trained
    branch = bench.branch(parent.path, 4)
    branch.wait_out()
    with pytest.raises(LabError, match=f"was branched is gone.*{parent.folder.name}"):
        resumed(interrupt(branch, -1))


def test_a_run_of_whose_checkpoints_none_can_be_read_is_refused_and_stays_as_it_was(
    trained, resumed, series, interrupt
):
    run = trained
    for step in run.folder.checkpoint_steps():
        (run.folder.checkpoint_folder(step) / "training.safetensors").write_bytes(b"")
    whole = series(run)
    with pytest.raises(LabError, match="cannot be resumed from any of its checkpoints"):
        resumed(interrupt(run, 8))
    assert series(run) == whole
    assert run.folder.checkpoint_steps() == [4, 8]


def test_a_damaged_later_checkpoint_does_not_displace_new_ones(train, resumed, weights, interrupt):
    run = train(40, "training.checkpoint_every=4", "training.keep_last=3", "training.keep_best=false")
    assert run.folder.checkpoint_steps() == [32, 36, 40]
    for step in (36, 40):
        (run.folder.checkpoint_folder(step) / "training.safetensors").write_bytes(b"")
    ended = weights(run, 40)
    resumed(interrupt(run, 40))
    found = run.folder.checkpoint_steps()
    assert found == [32, 36, 40]
    assert all(load_facts(run.folder.checkpoint_folder(step))["step"] == step for step in found)
    assert (run.folder.checkpoint_folder(36) / "training.safetensors").stat().st_size > 100
    assert all(torch.equal(weights(run, 40)[name], ended[name]) for name in ended)


def test_weights_without_the_rest_do_not_push_out_what_a_training_can_go_on_from(tmp_path):
    found = [Checkpoint(step, tmp_path, "interval", None, step < 3, 0) for step in (1, 2, 3, 4, 5)]
    assert retained(found, last=2, best=False) == {1, 2, 4, 5}


def test_a_checkpoint_that_was_asked_for_stays_one_when_the_run_is_stopped_there(bench, recipe, until, resumed):
    run = bench.start(recipe(30, *CONSTANT, "training.keep_last=1", "training.checkpoint_every=5"))
    run.control.pause()
    until(lambda: run.state == "paused")
    run.control.single_step(4)
    until(lambda: run.step == 4 and run.state == "paused")
    run.control.checkpoint()
    run.control.stop()
    run.wait_out()
    resumed(run.folder)
    assert [(each.step, each.reason) for each in run.folder.checkpoints()] == [(4, "hand"), (30, "end")]


def test_a_run_that_fails_right_behind_a_checkpoint_leaves_it_as_it_is(bench, recipe, monkeypatch):
    def fail(trainer):
        with torch.no_grad():
            next(trainer.model.parameters()).add_(1.0)  # what an update does that fails half-way
        raise RuntimeError("half an update")

    make = Trainer._make_step
    monkeypatch.setattr(Trainer, "_make_step", lambda self: fail(self) if self.step == 4 else make(self))
    run = bench.start(recipe(8, *CONSTANT, "training.checkpoint_every=4"))
    with pytest.raises(LabError, match="half an update"):
        run.wait_out()
    assert [(each.step, each.reason) for each in run.folder.checkpoints()] == [(4, "interval")]


def test_a_run_that_cannot_be_built_has_failed_with_the_reason(bench, recipe, monkeypatch):
    def refuse(*_, **__):
        raise LabError("no model can be built")

    monkeypatch.setattr(Trainer, "__init__", refuse)
    run = bench.start(recipe(3))
    with pytest.raises(LabError):
        run.wait_out()
    assert run.folder.status().state == "failed"
    assert run.folder.status().problem["what"] == "no model can be built"


# ---- edits and more steps ----


def test_edits_before_those_that_come_again_are_all_made_in_the_order_of_their_steps(
    bench, recipe, until, resumed, series, interrupt
):
    run = bench.start(recipe(20, *CONSTANT, "training.checkpoint_every=4", "training.keep_last=99"))
    steer(run, until, (10, RATE, 0.02))
    again = bench.resume(interrupt(run, 4).path)
    steer(again, until, (6, "training.clip", 0.01))
    whole = series(again)
    assert {rate for step, rate in whole["learning rate"] if step > 10} == {0.02}
    assert series(resumed(interrupt(again, 8))) == whole


def test_more_steps_that_were_asked_for_before_a_kill_are_made_and_may_become_more(train, resumed, interrupt):
    run = train(6)
    resumed(run.folder, steps=10)
    assert resumed(interrupt(run, 6)).step == 10
    assert resumed(interrupt(run, 6), steps=14).step == 14


def test_moments_are_recorded_up_to_the_end_of_a_run_that_got_more_steps(train, resumed):
    run = train(8, "readings.moments=12")
    assert max(run.recorded_steps()) == 8
    longer = resumed(run.folder, steps=40)
    assert max(longer.recorded_steps()) == 40
    assert len([step for step in longer.recorded_steps() if step > 8]) > 2


@pytest.mark.long
def test_what_was_recorded_before_counts_for_the_budget(train, resumed):
    run = train(8, "readings.moments=100")
    room = sum(file.stat().st_size for file in (run.path / "readings").iterdir())
    toml = run.folder.path / "recipe.toml"
    toml.write_text(toml.read_text().replace(f"budget = {64 * 2**20}", f"budget = {room}"))
    assert max(resumed(run.folder, steps=40).recorded_steps()) == 8


@pytest.mark.long  # in short: so many last steps are the last ones
def test_a_branch_averages_its_own_last_steps_alone(bench, train, weights):
    parent = train(12, "training.average=4")
    branch = bench.branch(parent.path, 12, ["training.steps=20"])
    branch.wait_out()
    every = ["training.steps=20", "training.average=0", "training.checkpoint_every=1", "training.keep_last=99"]
    plain = bench.branch(parent.path, 12, every)
    plain.wait_out()
    last = [weights(plain, step) for step in (17, 18, 19, 20)]
    for name, mean in weights(branch).items():
        assert torch.allclose(mean, torch.stack([each[name] for each in last]).mean(0), atol=1e-6)


def test_a_run_that_ended_with_a_mean_goes_on_from_the_weights_of_its_last_step(train, resumed, series, weights):
    run, unbroken, plain = train(12, "training.average=4"), train(20, "training.average=4"), train(20)
    again = resumed(run.folder, steps=20)
    assert series(again)["train loss"] == series(unbroken)["train loss"] == series(plain)["train loss"]
    own, others = weights(again), weights(unbroken)
    assert all(torch.equal(own[name], others[name]) for name in own)


def test_a_branch_at_the_end_of_a_mean_starts_from_the_weights_of_the_last_step(bench, train, weights):
    mean, plain = train(12, "training.average=4"), train(12)
    branch = bench.branch(mean.path, 12, ["training.steps=14", "training.average=0"])
    branch.wait_out()
    assert not torch.equal(weights(mean)["embedding.weight"], weights(plain)["embedding.weight"])
    assert torch.equal(weights(branch, 12)["embedding.weight"], weights(plain)["embedding.weight"])


@pytest.mark.long
def test_the_weights_of_the_last_step_need_no_more_room_than_the_mean_before(train):
    run = train(12, "training.average=4", "training.checkpoint_every=10", "training.keep_last=9")
    middle, end = (run.folder.checkpoint_folder(step) / "training.safetensors" for step in (10, 12))
    assert end.stat().st_size <= middle.stat().st_size + 1024


def test_a_checkpoint_without_the_weights_of_the_last_step_goes_on_from_the_mean_and_says_so(
    train, resumed, notices, weights
):
    run = train(12, "training.average=4")
    mean, file = weights(run), run.folder.checkpoint_folder(12) / "training.safetensors"
    older = {name.replace("last weights/", "average/"): table for name, table in load_file(file).items()}
    save_file({**older, **{f"average/{name}": mean[name] for name in mean if f"average/{name}" in older}}, file)
    resumed(run.folder, steps=20)
    assert any("continues from the mean" in notice.problem.what for notice in notices)


def test_the_loss_of_the_parent_is_none_of_its_branch(bench, trained):
    parent = trained
    branch = bench.branch(parent.path, 8, ["training.steps=10"])
    branch.wait_out()
    start = branch.folder.checkpoints()[0]
    assert (start.step, start.reason, start.loss) == (8, "start", None)


# ---- verifying ----


def test_weights_that_are_no_numbers_are_never_exact(bench, trained):
    run = trained
    file = run.folder.checkpoint_folder(8) / "model.safetensors"
    tables = {name: torch.full_like(table, math.nan) for name, table in load_model_tables(file.parent).items()}
    save_file(tables, file)
    assert bench.verify(run.path).kind == "not reproducible"


def test_the_checkpoint_of_another_model_is_never_exact(bench, train, trained):
    run, other = trained, train(8, "architecture.layers=2")
    shutil.copy(other.folder.checkpoint_folder(8) / "model.safetensors", run.folder.checkpoint_folder(8))
    found = bench.verify(run.path)
    assert (found.kind, found.largest) == ("not reproducible", math.inf)


def test_so_many_last_steps_are_the_last_ones(bench, train):
    found = bench.verify(train(30, "training.checkpoint_every=10", "training.keep_last=9").path, steps=5)
    assert (found.kind, found.first, found.last) == ("exact", 20, 30)


# ---- damage ----


def test_a_run_without_its_events_resumes_and_reports_the_consequences(trained, resumed, notices, series, interrupt):
    run = trained
    whole = series(run)
    (run.path / "events.jsonl").write_bytes(b'{"event": "set", nonsense\n')
    assert series(resumed(interrupt(run, 4))) == whole
    assert any("events.jsonl" in notice.problem.what for notice in notices)


def test_deleted_series_are_reported_as_missing(trained, resumed, notices, series, interrupt):
    run = trained
    folder = interrupt(run, 4)
    folder.metrics_file.unlink()
    assert [step for step, _ in series(resumed(folder))["train loss"]] == [5, 6, 7, 8]
    assert [notice.problem.what for notice in notices] == [
        "metrics.sqlite cannot be read: it is missing; the series start after step 4"
    ]


@pytest.mark.short("facts0", "facts3")
@pytest.mark.parametrize(
    "facts",
    [{"tokens": 10**400}, {"tokens": "x"}, {"examples": 10**30}, {"seconds": None}, {"best": "z"}, {"step": True}],
)
def test_a_checkpoint_with_figures_that_cannot_be_makes_way_for_the_one_before(
    trained, resumed, facts, series, interrupt
):
    run = trained
    whole, folder = series(run), interrupt(run, 8)
    change_facts(folder, 8, **facts)
    assert series(resumed(folder)) == whole


@pytest.mark.parametrize(
    ("facts", "field"),
    [
        ({"live": []}, "live"),
        ({"live": {"architecture": [3]}}, "live.architecture"),
        ({"optimizer": []}, "optimizer"),
        ({"edits": [1]}, "edits"),
    ],
)
def test_a_state_with_a_field_of_another_type_is_refused_with_its_file_and_field(
    trained, resumed, facts, field, interrupt, notices
):
    folder = interrupt(trained, 4)
    change_facts(folder, 4, **facts)
    with pytest.raises(LabError, match="cannot be resumed from any of its checkpoints") as refused:
        resumed(folder)
    assert refused.value.problem.trace is None
    assert [notice.problem.field for notice in notices if "cannot be read" in notice.problem.what] == ["4/state.json"]
    with pytest.raises(LabError, match=f"cannot be read: {field} = .* is not allowed") as refused:
        load_facts(folder.checkpoint_folder(4))
    assert refused.value.problem.field == "4/state.json"


def test_a_state_that_does_not_fit_is_refused_in_words(bench, trained, resumed, interrupt):
    folder = interrupt(trained, 4)
    change_facts(folder, 4, live={"architecture": {}, "training": {"batch_size": -3}, "optimizer": {}})
    for ask in (resumed, lambda folder: bench.verify(folder.path)):
        with pytest.raises(LabError, match="does not fit the recipe") as refused:
            ask(folder)
        assert refused.value.problem.trace is None


def test_a_corpus_that_is_nowhere_is_asked_for_by_an_option_that_there_is(bench, train, text):
    run = train(4)
    text.unlink()
    with pytest.raises(BadInput, match="--corpus FILE"):
        bench.resume(run.path, steps=6)


def test_a_second_writer_is_refused_even_before_the_first_one_trains(train, interrupt):
    folder = interrupt(train(3), 3)
    with_lock = folder.write_alone()
    with pytest.raises(BadInput, match=f"process {os.getpid()}"):
        folder.write_alone()
    with_lock.release()
    assert not [path.name for path in folder.path.iterdir() if path.name.startswith(".")]
