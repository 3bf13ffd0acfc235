"""A run of another task begins with the body of a trained one and a head of its own, whole or frozen."""

import pytest
import torch

from lab.base import BadInput
from lab.recipes import Recipe
from lab.training.recording.checkpoints import load_model_tables

MASKED = {
    "architecture": {"name": "encoder", "layers": 2, "width": 16, "heads": 2},
    "objective": {"name": "masked"},
    "tokenizer": {"name": "byte"},
    "corpus": {"name": "text", "text": "a good day and a bad night. the soup was very nice; it's so-so! " * 60},
    "training": {
        "steps": 3, "context_length": 80, "batch_size": 4, "evaluate_every": 3, "threads": 1, "device": "cpu",
        "schedule": {"name": "constant"},
    },
}  # fmt: skip
CLASSES = ("objective.name=classification", "corpus.name=polarity", "corpus.rows=40", "training.steps=4")


@pytest.fixture
def masked(bench):
    """A finished run that predicts hidden tokens."""

    def masked(**changes):
        run = bench.start(Recipe().with_values(MASKED, changes))
        run.wait_out()
        assert run.state == "finished", run.problem
        return run

    return masked


def tune(bench, base, *changes, steps=3):
    run = bench.branch(base.path, steps, [*CLASSES, *changes])
    run.wait_out()
    assert run.state == "finished", run.problem
    return run


def refused(bench, base, *changes, steps=3):
    """The problem with which such a run ends."""
    with pytest.raises(BadInput) as caught:
        bench.branch(base.path, steps, [*CLASSES, *changes]).wait_out()
    return caught.value.problem


def tables(run, step):
    return load_model_tables(run.folder.checkpoint_folder(step))


def test_the_body_is_that_of_the_run_and_the_head_is_new(bench, masked):
    base = masked()
    run = tune(bench, base)
    before, start = tables(base, 3), tables(run, 0)
    assert run.folder.checkpoint_steps()[0] == 0  # it begins again, without asking for it
    body = [name for name in start if not name.startswith("output")]
    assert any(name.startswith("blocks.1.") for name in body)
    for name in body:
        assert torch.equal(start[name], before[name][: len(start[name])]), name
    assert start["output.weight"].shape == (2, 16)
    assert "transform.weight" in before
    assert "transform.weight" not in start


def test_a_frozen_body_stays_as_it_is(bench, masked):
    run = tune(bench, masked(), "training.frozen=embedding*,position*,segment*,blocks.*")
    start, end = tables(run, 0), tables(run, 4)
    moved = sorted(name for name in start if not torch.equal(start[name], end[name]))
    assert moved == ["output.bias", "output.weight"]


def test_the_discriminator_is_what_learns_another_task(bench, masked):
    base = masked(architecture={"name": "electra"}, objective={"name": "replaced-tokens"})
    start = tables(tune(bench, base), 0)
    before = tables(base, 3)
    assert not any(name.startswith("generator") for name in start)
    assert torch.equal(start["discriminator.blocks.0.token.project.weight"],
                       before["discriminator.blocks.0.token.project.weight"])  # fmt: skip


def test_an_adapter_that_would_leave_the_new_head_untrained_is_refused_with_what_to_train(bench, masked):
    base = masked()
    problem = refused(bench, base, "adapter.name=lora", "adapter.rank=2")
    assert problem.field == "adapter.trained"
    assert "adapter.trained=output.*" in problem.remedy
    run = tune(bench, base, "adapter.name=lora", "adapter.rank=2", "adapter.trained=output.*")
    assert not torch.equal(tables(run, 0)["output.weight"], tables(run, 4)["output.weight"])


def test_more_positions_than_were_learned_are_refused(bench, masked):
    problem = refused(bench, masked(), "training.context_length=96")
    assert problem.field == "training.context_length"
    assert problem.allowed == "at most 80"


def test_a_causal_run_classifies_too(bench, masked):
    base = masked(architecture={"name": "transformer", "layers": 2, "width": 16, "heads": 2},
                  objective={"name": "causal"})  # fmt: skip
    run = tune(bench, base)
    assert "accuracy" in run.trainer.evaluation.metrics


def test_a_run_with_an_adapter_is_folded_first(bench, masked):
    base = masked()
    adapted = bench.branch(base.path, 3, ["adapter.name=lora", "adapter.rank=2", "training.steps=2"])
    adapted.wait_out()
    assert "Fold it into the weights first" in refused(bench, adapted, steps=2).remedy
