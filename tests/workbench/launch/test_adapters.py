"""Runs with an adapter: they begin with the weights of a run, need it no more, resume bit for bit, and merge."""

import shutil

import pytest
import torch

from lab.base import BadInput
from lab.runs.bundle import export_bundle, import_bundle
from lab.training.recording.checkpoints import load_model_tables
from lab.workbench.exchange.merging import merge_run

LORA = ("adapter.name=lora", "adapter.rank=2", "training.schedule.name=constant", "training.checkpoint_seconds=0")


@pytest.fixture
def base(bench, recipe):
    """A finished run."""
    run = bench.start(recipe(4))
    run.wait_out()
    return run


@pytest.fixture
def tuned(bench, base):
    """Train an adapter on that run for so many steps."""

    def tuned(steps, *changes):
        run = bench.branch(base.path, 4, [*LORA, f"training.steps={steps}", *changes], weights_only=True)
        run.wait_out()
        assert run.state == "finished", run.problem
        return run

    return tuned


def test_an_adapter_begins_at_step_0_and_its_checkpoints_hold_only_what_is_trained(base, tuned):
    run = tuned(3)
    assert run.folder.checkpoint_steps() == [0, 3]
    own = run.folder.checkpoint_folder(3) / "model.safetensors"
    assert own.stat().st_size < (run.path / "base" / "model.safetensors").stat().st_size
    start = load_model_tables(run.folder.checkpoint_folder(0))
    for name, table in load_model_tables(base.folder.checkpoint_folder(4)).items():
        path, _, last = name.rpartition(".")
        assert torch.equal(start.get(name, start.get(f"{path}.parametrizations.{last}.original")), table)


def test_the_run_evaluates_generates_and_resumes_bit_for_bit_after_its_base_is_deleted(bench, base, tuned, same_end):
    straight, shorter = tuned(6), tuned(3)
    shutil.rmtree(base.path)
    assert bench.open(shorter.path).evaluate().loss == pytest.approx(shorter.trainer.evaluation.loss, abs=1e-6)
    assert list(bench.open(shorter.path).generate("the ", count=2))
    longer = bench.resume(shorter.path, steps=6)
    longer.wait_out()
    assert longer.state == "finished"
    own, others = (load_model_tables(run.folder.checkpoint_folder(6)) for run in (longer, straight))
    assert all(torch.equal(own[name], others[name]) for name in others)


def test_a_bundle_is_complete(bench, tuned, tmp_path):
    run = tuned(3)
    imported = import_bundle(export_bundle(run.folder, tmp_path / "run.lmlab"), tmp_path / "elsewhere")
    assert bench.open(imported.path).evaluate().loss == pytest.approx(run.trainer.evaluation.loss, abs=1e-6)


def test_the_merged_run_is_a_plain_one_with_the_same_loss(bench, base, tuned):
    run = tuned(3)
    merged = bench.open(merge_run(bench.open(run.path)).path)
    assert merged.recipe.adapter.name == "none"
    assert merged.model().tables().keys() == load_model_tables(base.folder.checkpoint_folder(4)).keys()
    assert merged.evaluate().loss == pytest.approx(run.trainer.evaluation.loss, abs=1e-6)
    assert merged.folder.parent["id"] == run.folder.id


def test_a_run_without_an_adapter_has_nothing_to_merge(bench, base):
    with pytest.raises(BadInput, match="no adapter"):
        merge_run(bench.open(base.path))


def test_another_adapter_starts_from_the_merged_weights(bench, tuned):
    run = tuned(3)
    other = bench.branch(run.path, 3, ["adapter.rank=1", "training.steps=1"])
    other.wait_out()
    assert other.state == "finished"
    start = bench.open(other.path).model(0).tables()
    assert all(torch.equal(table, start[name]) for name, table in bench.open(run.path).model(3).tables().items())


def test_the_same_adapter_goes_on_in_a_branch(bench, tuned):
    run = tuned(3)
    branch = bench.branch(run.path, 3, ["training.steps=5"])
    branch.wait_out()
    assert (branch.state, branch.step) == ("finished", 5)


def test_a_run_without_a_base_cannot_have_an_adapter(bench, recipe):
    with pytest.raises(BadInput, match="weights of a run") as refused:
        bench.start(recipe(2, "adapter.name=lora")).wait_out()
    assert refused.value.problem.field == "adapter.name"


def test_a_prefix_needs_the_room_that_the_positions_leave(bench, base):
    prefix = ["adapter.name=prefix", "adapter.length=3", "training.steps=2"]
    with pytest.raises(BadInput) as refused:
        bench.branch(base.path, 4, prefix).wait_out()
    assert refused.value.problem.field == "training.context_length"
    run = bench.branch(base.path, 4, [*prefix, "training.context_length=5"])
    run.wait_out()
    assert bench.open(run.path).evaluate().loss == pytest.approx(run.trainer.evaluation.loss, abs=1e-6)


def test_conversations_are_tuned_on_from_a_run_of_text(bench, base, tmp_path):
    talk = '{"messages": [{"role": "user", "content": "th"}, {"role": "assistant", "content": "do"}]}\n'
    file = tmp_path / "talk.jsonl"
    file.write_text(talk * 40)
    changes = ["corpus.name=conversations-file", f"corpus.path={file}", "training.steps=2", "training.context_length=8"]
    run = bench.branch(base.path, 4, changes, weights_only=True)
    run.wait_out()
    assert run.state == "finished", run.problem
    before, after = (load_model_tables(one.folder.checkpoint_folder(step)) for one, step in ((base, 4), (run, 0)))
    old, new = before["embedding.weight"], after["embedding.weight"]
    assert len(new) == len(old) + 3  # two roles and the end of a turn
    assert torch.equal(new[: len(old)], old)
    with pytest.raises(BadInput) as refused:
        bench.branch(base.path, 4, [*changes, *LORA]).wait_out()
    assert refused.value.problem.field == "adapter.trained"


def test_a_student_learns_from_a_run_and_repeats_it_exactly(bench, base, recipe, tmp_path):
    run = bench.start(recipe(4, f"distillation.teacher={base.path.name}"))
    run.wait_out()
    assert run.folder.read_recipe().distillation.teacher == f"{base.path.name}@4"
    assert {"train data loss", "train teacher loss"} <= set(run.folder.metrics().series())
    assert bench.verify(run.path).kind == "exact"
    shutil.rmtree(base.path)
    with pytest.raises(BadInput) as refused:
        bench.resume(run.path, steps=6).wait_out()
    assert refused.value.problem.field == "distillation.teacher"
    assert bench.open(run.path).evaluate().loss == pytest.approx(run.trainer.evaluation.loss, abs=1e-6)


def test_a_teacher_of_another_vocabulary_is_refused(bench, base, recipe, tmp_path):
    other = tmp_path / "other.txt"
    other.write_text("the cat sat on the mat. a dog ran to the hat!\n".replace("g", "q") * 60)
    with pytest.raises(BadInput) as refused:
        bench.start(recipe(2, f"corpus.path={other}", f"distillation.teacher={base.path.name}")).wait_out()
    assert refused.value.problem.field == "distillation.teacher"
