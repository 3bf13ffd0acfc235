"""Learning from a teacher: the divergence of the lecture, the mixed loss, and the teachers that are refused."""

import copy

import pytest
import torch

from lab.api import Task
from lab.base import BadInput
from lab.recipes import Distillation
from lab.training.distillation import DATA, TEACHER, Distilled, check_teacher, divergence

TAUGHT = torch.tensor([0.7, 0.15, 0.1, 0.05]).log()
LOGITS = torch.tensor([1.5, 0.5, 0.2, -0.2])


@pytest.mark.parametrize(("temperature", "nats"), [(1.0, 0.05124989217541762), (2.0, 0.06349122116290118)])
def test_the_divergence_is_that_of_the_worked_example(temperature, nats):
    assert divergence(TAUGHT, LOGITS, temperature).item() == pytest.approx(nats, abs=1e-6)


@pytest.fixture
def pair(experiment):
    """An experiment, its model, and another model that teaches it."""
    made = experiment("transformer")
    model = made.build().train()
    teacher = copy.deepcopy(model).eval()
    with torch.no_grad():
        for parameter in teacher.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=torch.Generator().manual_seed(1)) * 0.3)
    return made, model, teacher


def distilled(made, teacher, **settings):
    return Distilled(made.objective, teacher, Distillation(teacher="t", **settings))


def batch_of(made):
    return made.objective.batch(made.train, torch.arange(4).numpy(), 0)


def test_the_loss_mixes_both_terms_and_records_each(pair):
    made, model, teacher = pair
    batch = batch_of(made)
    loss = distilled(made, teacher, weight=0.3, temperature=2.0).loss(model, batch)
    tokens, logits = batch.inputs["tokens"], model(batch.inputs["tokens"])
    data = torch.nn.functional.cross_entropy(logits.flatten(0, 1), batch.targets.flatten())
    p, q = (teacher(tokens) / 2).softmax(-1), (logits / 2).log_softmax(-1)
    soft = 4 * (p * (p.log() - q)).sum(-1).mean()
    weight = batch.weight
    assert (loss.nats.sum() / weight).item() == pytest.approx((0.7 * data + 0.3 * soft).item(), abs=1e-5)
    assert (loss.metrics[DATA][0] / weight).item() == pytest.approx(data.item(), abs=1e-5)
    assert (loss.metrics[TEACHER][0] / weight).item() == pytest.approx(soft.item(), abs=1e-5)


def test_a_model_that_predicts_what_its_teacher_does_learns_nothing_more_from_it(pair):
    made, model, _ = pair
    loss = distilled(made, copy.deepcopy(model).eval(), weight=1.0).loss(model, batch_of(made))
    assert loss.nats.abs().max() < 1e-6


def test_the_model_runs_once_and_the_teacher_gets_no_gradient(pair):
    made, model, teacher = pair
    calls = []
    model.register_forward_hook(lambda *_: calls.append(1))
    distilled(made, teacher).loss(model, batch_of(made)).nats.sum().backward()
    assert len(calls) == 1
    assert all(p.grad is None for p in teacher.parameters())


def test_an_evaluation_knows_no_teacher(pair):
    made, model, teacher = pair
    batch = batch_of(made)
    loss = distilled(made, teacher, weight=1.0).loss(model.eval(), batch)
    assert torch.equal(loss.nats, made.objective.loss(model, batch).nats)
    assert not loss.metrics


def test_carried_states_and_numbers_have_no_teacher(experiment, pair):
    _, _, teacher = pair
    with pytest.raises(BadInput, match="carries a state") as refused:
        distilled(experiment("memory", objective="carried"), teacher)
    assert refused.value.problem.field == "distillation.teacher"


@pytest.mark.parametrize(
    ("task", "what"),
    [
        (Task(12, 12), "one of 11 .* one of 12"),
        (Task(11, 13), "at most 12"),
        (Task(11, 12, causal=False), "another objective"),
    ],
)
def test_a_teacher_of_another_task_is_refused(pair, task, what):
    with pytest.raises(BadInput, match=what) as refused:
        check_teacher(pair[2], task, Distillation(teacher="t"))
    assert refused.value.problem.field == "distillation.teacher"
    assert refused.value.problem.remedy


def test_a_training_whose_teacher_was_not_opened_does_not_start(experiment):
    from lab.training.recording.telemetry import Ring
    from lab.training.steps.learner import learner_of

    made = experiment("transformer")
    made.recipe = made.recipe.with_values({"distillation": {"teacher": "t"}})
    with pytest.raises(BadInput, match="not opened"):
        learner_of(made, made.build(), Ring())
