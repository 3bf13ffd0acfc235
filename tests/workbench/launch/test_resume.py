"""A run that ended, or whose process died, goes on bit for bit; another one may branch off; both can be verified."""

import json
import os
import shutil

import pytest
import torch

from lab.base import BadInput, LabError
from lab.runs import RunFolder
from lab.runs.checkpoint_list import Checkpoint, retained
from lab.workbench.analysis.verify import stored_verification
from lab.workbench.launch.live_edits import replayed

RATE = "training.optimizer.learning_rate"


@pytest.fixture
def done(bench, recipe):
    """Train to the end, with constant learning rates, so that more steps do not change earlier ones."""

    def done(in_all, *assignments, resume=None, **more):
        constant = ("training.schedule.name=constant", "training.checkpoint_seconds=0", "architecture.dropout=0.2")
        run = bench.resume(resume, **more) if resume else bench.start(recipe(in_all, *constant, *assignments))
        run.wait_out()
        assert run.state == "finished"
        return run

    return done


@pytest.mark.long  # in short: the same of a trainer
def test_a_finished_run_that_gets_more_steps_is_the_run_that_had_them_from_the_first(done, series, weights):
    straight = done(12)
    longer = done(12, resume=done(6).folder.name, steps=12)
    own, others = weights(longer), weights(straight)
    assert all(torch.equal(own[name], others[name]) for name in own)
    for name in ("train loss", "gradient norm", "learning rate", "tokens"):
        assert series(longer)[name] == series(straight)[name]


def test_a_run_is_not_resumed_in_a_home_that_is_as_large_as_the_policy_allows(bench, done, lab_home, with_policy):
    ended = done(2)
    with_policy("disk_gb = 0.1")
    with (lab_home / "large").open("wb") as large:
        large.truncate(10**8)
    run = bench.resume(ended.folder.name, steps=4)
    with pytest.raises(BadInput, match="disk_gb"):
        run.wait_out()
    assert RunFolder.open(ended.path).status().state == "finished"


def test_an_interrupted_run_continues_from_its_last_checkpoint_as_if_nothing_had_been(
    done, interrupt, copy_of, same_end
):
    settings = ("training.checkpoint_every=4", "training.evaluate_every=3", "training.keep_last=9")
    straight = done(12, *settings)
    broken = copy_of(straight)
    assert interrupt(broken, 8).status().state == "interrupted"
    resumed = done(12, resume=broken.path)
    same_end(straight, resumed)
    assert [sample["step"] for sample in resumed.folder.samples()] == [s["step"] for s in straight.folder.samples()]
    assert [event["step"] for event in resumed.folder.events() if event["event"] == "continued"] == [8]


def test_repeated_scheduled_edits_are_recorded_once(done, interrupt, copy_of, same_end):
    edits = 'training.edits=[{step=2, path="training.clip", value=0.5}, {step=4, path="training.clip", value=0.4}]'
    settings = ("training.checkpoint_every=4", "training.keep_last=9", edits)
    straight = done(8, *settings)
    broken = copy_of(straight)
    interrupt(broken, 4)
    resumed = done(8, resume=broken.path)
    same_end(straight, resumed)
    assert [(e["step"], e["value"]) for e in resumed.folder.events() if e["event"] == "set"] == [(2, 0.5), (4, 0.4)]


def test_an_interrupted_run_without_a_checkpoint_starts_from_the_beginning(done, interrupt, copy_of, same_end):
    straight = done(6)
    broken = copy_of(straight)
    interrupt(broken, -1)
    same_end(straight, done(6, resume=broken.path))


def test_a_checkpoint_that_is_damaged_makes_way_for_the_one_before(done, interrupt, copy_of, same_end):
    settings = ("training.checkpoint_every=4", "training.keep_last=9")
    straight = done(12, *settings)
    broken = copy_of(straight)
    folder = interrupt(broken, 8)
    file = folder.checkpoint_folder(8) / "training.safetensors"
    file.write_bytes(file.read_bytes()[:-100])
    resumed = done(12, resume=folder.path)
    same_end(straight, resumed)
    assert [event["step"] for event in resumed.folder.events() if event["event"] == "continued"] == [4]


def test_live_edits_behind_the_checkpoint_are_made_again_at_their_steps(
    bench, recipe, until, done, series, weights, interrupt
):
    run = bench.start(recipe(40, "training.schedule.name=constant", "training.checkpoint_seconds=0"))
    run.control.pause()
    until(lambda: run.state == "paused")
    run.control.single_step(5)
    until(lambda: run.step == 5 and run.state == "paused")
    run.control.set(RATE, 0.01)
    run.control.set("training.batch_size", 2)
    run.control.single_step(3)
    until(lambda: run.step == 8 and run.state == "paused")
    run.control.set("architecture.dropout", 0.3)
    run.control.resume()
    run.wait_out()
    edited, ended = series(run), weights(run)
    assert [(c.step, c.reason) for c in run.folder.checkpoints()] == [(5, "edit"), (40, "end")]
    folder = interrupt(run, 5)
    resumed = done(40, resume=folder.name)
    assert series(resumed) == edited
    assert all(torch.equal(weights(resumed)[name], ended[name]) for name in ended)
    assert [event["path"] for event in resumed.folder.events() if event["event"] == "set"] == [
        RATE, "training.batch_size", "architecture.dropout",
    ]  # fmt: skip

    again = bench.start(replayed(resumed.folder).with_values({"corpus": run.recipe.corpus.model_dump()}))
    again.wait_out()
    assert series(again)["train loss"] == edited["train loss"]
    assert all(torch.equal(weights(again)[name], ended[name]) for name in ended)
    assert [(e["step"], e["path"], e["scheduled"]) for e in again.folder.events() if e["event"] == "set"] == [
        (5, RATE, True), (5, "training.batch_size", True), (8, "architecture.dropout", True),
    ]  # fmt: skip


def test_an_edit_of_the_schedule_that_cannot_be_is_refused_before_anything_is_made(bench, recipe, lab_home):
    run = bench.start(recipe(5, 'training.edits=[{step=2, path="architecture.width", value=3}]'))
    with pytest.raises(BadInput) as refused:
        run.wait_out()
    assert refused.value.problem.field == "training.edits.0.architecture.width"
    assert run.folder is None
    assert not [path for path in (lab_home / "runs").iterdir() if not path.name.startswith(".")]


def test_more_steps_while_it_runs_are_made(bench, recipe, until):
    run = bench.start(recipe(10, "training.optimizer.learning_rate=1e-4"))
    run.control.pause()
    until(lambda: run.state == "paused")
    run.control.set("training.steps", 14)
    with pytest.raises(BadInput, match="not allowed"):
        run.control.set("training.steps", -1)
    run.control.single_step(5)
    until(lambda: run.step == 5 and run.state == "paused")
    with pytest.raises(BadInput, match="5 steps were made already"):
        run.control.set("training.steps", 3)
    run.control.resume()
    run.wait_out()
    assert run.step == 14


def test_a_run_that_is_being_written_is_refused_to_a_second_writer_by_name(bench, recipe, training):
    with pytest.raises(BadInput, match="has not ended"):
        bench.resume(training.folder.name)
    with pytest.raises(BadInput, match=f"process {os.getpid()}"):
        training.folder.write_alone()


def test_a_finished_run_is_refused_with_how_to_continue(bench, done, series):
    run = done(3)
    resumed = bench.resume(run.folder.name)
    with pytest.raises(BadInput) as refused:
        resumed.wait_out()
    assert "--steps" in refused.value.problem.remedy
    assert run.folder.status().state == "finished"
    assert len(series(run)["train loss"]) == 3


def test_a_run_whose_text_has_changed_is_not_resumed(bench, done, text, interrupt):
    run = interrupt(done(6), 2)
    text.write_text(text.read_text().replace("cat", "cow"))
    resumed = bench.resume(run.name)
    with pytest.raises(BadInput) as refused:
        resumed.wait_out()
    assert refused.value.problem.field == "corpus"
    assert run.status().state == "interrupted"


def test_a_text_that_lies_elsewhere_now_is_taken_from_where_it_is_said_to_lie(bench, done, text, tmp_path, interrupt):
    run = interrupt(done(6), 2)
    moved = text.rename(tmp_path / "moved.txt")
    with pytest.raises(BadInput, match="was not found"):
        bench.resume(run.name)
    resumed = bench.resume(run.name, corpus=moved)
    resumed.wait_out()
    assert resumed.state == "finished"
    assert str(tmp_path) not in (run.path / "recipe.toml").read_text()


def test_a_file_that_a_source_was_fitted_to_is_taken_from_where_it_is_said_to_lie(
    bench, done, text, tmp_path, interrupt
):
    chain = (f"corpus.chain.path={text}", "corpus.length=2000")
    run = interrupt(done(6, "corpus.name=markov", "corpus.chain.kind=fitted", *chain), 2)
    moved = text.rename(tmp_path / "moved.txt")
    resumed = bench.resume(run.name, corpus=moved)
    resumed.wait_out()
    assert resumed.state == "finished"


# ---- branches ----


def test_a_branch_without_changes_is_the_rest_of_its_parent(bench, done, series, weights, interrupt):
    parent = done(12, "training.checkpoint_every=4", "training.keep_last=5")
    branch = bench.branch(parent.folder.name, 4)
    branch.wait_out()
    assert series(branch)["train loss"] == series(parent, first=5)["train loss"]
    assert all(torch.equal(weights(branch)[name], weights(parent)[name]) for name in weights(parent))
    assert branch.folder.parent == {"id": parent.folder.id, "name": parent.folder.name, "step": 4, "changes": []}
    shutil.rmtree(parent.path)
    assert next((c.step, c.reason) for c in branch.folder.checkpoints()) == (4, "start")
    interrupt(branch, 4)
    again = done(12, resume=branch.folder.name)
    assert again.folder.checkpoint_steps()[0] == 4


@pytest.mark.short("changes0", "changes3", "changes6")
@pytest.mark.parametrize(
    "changes",
    [(f"{RATE}=0.01",), ("training.optimizer.name=sgd",), ("training.batch_size=2",), ("training.accumulation=2",),
     ("architecture.dropout=0.5",), ("training.seed=3",), ("objective.name=carried", "architecture.name=n-gram")],
)  # fmt: skip
def test_a_branch_takes_over_what_fits_and_refuses_what_does_not(bench, done, changes, series):
    parent = done(8, "training.checkpoint_every=4", "training.keep_last=5")
    branch = bench.branch(parent.folder.name, 4, changes)
    if "architecture.name=n-gram" in changes:
        with pytest.raises(LabError):
            branch.wait_out()
        return
    branch.wait_out()
    losses = series(branch)["train loss"]
    assert [step for step, _ in losses] == [5, 6, 7, 8]
    assert losses != series(parent, first=5)["train loss"]
    assert branch.folder.parent["changes"] == list(changes)


def test_a_branch_keeps_the_live_settings_its_checkpoint_had(bench, recipe, until, series):
    run = bench.start(recipe(6, "training.checkpoint_seconds=0", "training.schedule.name=constant"))
    run.control.set(RATE, 0.005)
    run.wait_out()
    branch = bench.branch(run.folder.name, 6, ["training.steps=8"])
    branch.wait_out()
    assert {rate for _, rate in series(branch)["learning rate"]} == {0.005}


def test_what_cannot_be_branched_is_refused_at_once(bench, done):
    run = done(4)
    with pytest.raises(BadInput) as refused:
        bench.branch(run.folder.name, 3)
    assert (refused.value.problem.field, refused.value.problem.allowed) == ("--from", "4")
    with pytest.raises(BadInput, match="branches off after 4 steps"):
        bench.branch(run.folder.name, 4)
    with pytest.raises(BadInput):
        bench.branch(run.folder.name, 4, ["training.steps=9", "training.clip=-3"])
    wide = bench.branch(run.folder.name, 4, ["training.steps=9", "architecture.width=32"])
    with pytest.raises(BadInput, match="do not fit"):
        wide.wait_out()
    assert wide.folder is None


# ---- verifying ----


def test_a_run_verifies_as_exact(bench, done):
    run = done(12, "training.checkpoint_every=5", "training.accumulation=2")
    found = bench.verify(run.folder.name)
    assert (found.kind, found.first, found.last, found.largest, found.why) == ("exact", 10, 12, 0.0, "")
    assert stored_verification(run.folder) == found
    assert bench.verify(run.folder.name, steps=7).first <= 5


def test_a_run_whose_records_differ_from_its_repetition_is_not_reproducible(bench, done):
    run = done(8)
    import sqlite3

    with sqlite3.connect(run.folder.metrics_file) as db:
        loss = "(SELECT id FROM series WHERE name='train loss')"
        db.execute(f"UPDATE tail SET value=value*1.00001 WHERE step=3 AND series={loss}")
    found = bench.verify(run.folder.name)
    assert found.kind == "close"
    assert found.largest == pytest.approx(1e-5, rel=1e-3)
    assert found.why
    with sqlite3.connect(run.folder.metrics_file) as db:
        db.execute("UPDATE tail SET value=value+1 WHERE step=3")
    assert bench.verify(run.folder.name).kind == "not reproducible"


def test_verification_reports_what_has_changed(bench, done):
    run = done(4)
    facts = json.loads((run.path / "run.json").read_text())
    facts["versions"]["torch"] = "1.0"
    (run.path / "run.json").write_text(json.dumps(facts))
    assert "torch 1.0 →" in bench.verify(run.folder.name).why


def test_a_run_without_a_step_cannot_be_verified(bench, recipe):
    run = bench.start(recipe(0))
    run.wait_out()
    with pytest.raises(LabError):
        bench.verify(run.folder.name)


# ---- which checkpoints are made and kept ----


def test_checkpoints_are_made_by_steps_kept_to_the_last_and_the_best(done, series):
    run = done(20, "training.checkpoint_every=2", "training.evaluate_every=5", "training.keep_last=3")
    found = run.folder.checkpoints()
    assert [c.step for c in found][-3:] == [16, 18, 20]
    losses = dict(series(run)["validation loss"])
    assert min(losses, key=losses.get) in [c.step for c in found]
    assert all(c.loss == losses[c.step] for c in found if c.loss is not None)
    assert len(found) <= 4


def test_checkpoints_are_made_by_the_clock(done):
    run = done(30, "training.checkpoint_seconds=1e-6", "training.keep_last=100", "training.keep_best=false")
    assert len(run.folder.checkpoints()) > 5


def test_a_checkpoint_that_was_asked_for_stays(bench, recipe, until):
    run = bench.start(recipe(30, "training.checkpoint_every=3", "training.keep_last=1"))
    run.control.pause()
    until(lambda: run.state == "paused")
    run.control.single_step(4)
    until(lambda: run.step == 4 and run.state == "paused")
    run.control.checkpoint()
    until(lambda: 4 in run.folder.checkpoint_steps())
    run.control.resume()
    run.wait_out()
    assert [(c.step, c.reason) for c in run.folder.checkpoints()] == [(4, "hand"), (30, "end")]


def test_what_is_kept_is_the_last_the_best_and_what_was_asked_for(tmp_path):
    def made(step, reason, loss=None):
        return Checkpoint(step, tmp_path, reason, loss, True, 0)

    found = [
        made(1, "hand"),
        made(2, "best", 3.0),
        made(3, "interval", 1.0),
        made(4, "edit"),
        made(5, "interval"),
        made(6, "end"),
    ]
    assert retained(found, last=1, best=True) == {1, 3, 4, 6}
    assert retained(found, last=2, best=False) == {1, 4, 5, 6}


def test_a_folder_of_the_first_format_opens_and_has_an_identity(done):
    run = done(2)
    facts = json.loads((run.path / "run.json").read_text())
    del facts["id"]
    (run.path / "run.json").write_text(json.dumps({**facts, "format": 1}))
    older = RunFolder.open(run.path)
    assert len(older.id) == 32
    assert older.id == RunFolder.open(run.path).id
    assert done(2, resume=older.name, steps=4).step == 4
