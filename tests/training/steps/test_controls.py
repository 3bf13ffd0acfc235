"""Regularisation, averages, budgets, warm-ups and early ends: what each does, also after a break."""

import math

import numpy as np
import pytest
import torch
from torch import nn

from lab.base import BadInput
from lab.base.run_state import TrainerState
from lab.recipes import Recipe, Training
from lab.training.amounts.budget import parse_budget, steps_of, tokens_of
from lab.training.amounts.warmups import batch_size_at, context_at
from lab.training.builtins import MaskedConfig, SmoothedConfig
from lab.training.objectives import Causal, Masked
from lab.training.periodic.early_stopping import EarlyStopping
from lab.training.steps.averaging import WeightAverage, mean_weights
from lab.training.steps.clipping import GradientNorms
from lab.training.steps.regularising import add_l1, add_noise


def graded(*gradients):
    """Parameters of ones with these gradients."""
    parameters = [nn.Parameter(torch.ones_like(gradient)) for gradient in gradients]
    for parameter, gradient in zip(parameters, gradients, strict=True):
        parameter.grad = gradient.clone()
    return parameters


# ---- gradients


def test_l1_adds_the_sign_of_the_weights():
    (p,) = graded(torch.zeros(3))
    with torch.no_grad():
        p.copy_(torch.tensor([-2.0, 0.0, 3.0]))
    add_l1([p, nn.Parameter(torch.ones(1))], 0.1)
    assert p.grad.tolist() == pytest.approx([-0.1, 0.0, 0.1])


def test_l1_makes_the_weights_of_a_training_smaller(experiment, trained):
    def size(l1):
        run = trained(experiment(steps=40, l1=l1, clip=0.0, optimizer="sgd", momentum=0.0))
        return sum(float(p.detach().abs().sum()) for p in run.trainer.model.parameters() if p.ndim > 1)

    assert size(1e-2) < 0.9 * size(0.0)


def test_noise_has_the_variance_of_the_paper_and_depends_on_the_step():
    sample = {}
    for step in (0, 99):
        (p,) = graded(torch.zeros(200_000))
        add_noise([p], 0.3, 0.55, seed=4, step=step)
        sample[step] = p.grad
        assert float(p.grad.var()) == pytest.approx(0.3 / (1 + step) ** 0.55, rel=0.02)
    assert not torch.equal(sample[0], sample[99] * float(sample[0].std() / sample[99].std()))


def test_clipping_by_value_limits_each_value():
    model = nn.Linear(3, 2)
    model.weight.grad, model.bias.grad = torch.tensor([[3.0, -0.2, 0.1], [-5.0, 0.0, 0.5]]), torch.tensor([0.4, 0.6])
    norms = GradientNorms(model).measure_and_clip(0.5, "value")
    assert model.weight.grad.tolist() == [[0.5, pytest.approx(-0.2), pytest.approx(0.1)], [-0.5, 0.0, 0.5]]
    assert model.bias.grad.tolist() == [pytest.approx(0.4), 0.5]
    whole = torch.cat([model.weight.grad.flatten(), model.bias.grad])
    assert norms[-2:].tolist() == [pytest.approx(float(whole.norm())), 1.0]


def test_adaptive_clipping_limits_each_unit_relative_to_its_weights():
    model = nn.Linear(2, 3, bias=False)
    with torch.no_grad():
        model.weight.copy_(torch.tensor([[3.0, 4.0], [0.0, 0.0], [30.0, 40.0]]))
    model.weight.grad = torch.tensor([[6.0, 8.0], [3.0, 4.0], [0.3, 0.4]])
    norms = GradientNorms(model).measure_and_clip(0.1, "adaptive")
    expected = torch.tensor([[0.3, 0.4], [6e-5, 8e-5], [0.3, 0.4]])  # λ ‖w‖ of 0.5, λ 10⁻³, and unclipped
    assert torch.allclose(model.weight.grad, expected, rtol=1e-5, atol=0)
    assert norms[-1] == 1
    model.weight.grad = torch.full((3, 2), 1e-6)
    assert GradientNorms(model).measure_and_clip(0.1, "adaptive")[-1] == 0


def test_adaptive_clipping_leaves_the_head_out(experiment):
    model = experiment("recurrent").build()
    for p in model.parameters():
        p.grad = torch.full_like(p, 100.0)
    GradientNorms(model).measure_and_clip(0.01, "adaptive")
    assert float(model.output.weight.grad.max()) == 100
    assert float(model.cell.weight_hh.grad.max()) < 1


# ---- label smoothing


@pytest.mark.parametrize("objective", [Causal, Masked])
def test_the_loss_is_smoothed_in_training_alone(experiment, objective):
    config = (MaskedConfig if objective is Masked else SmoothedConfig)(label_smoothing=0.2)
    plain, smoothed = objective(), objective(config)
    made = experiment("bidirectional" if objective is Masked else "transformer", objective=plain)
    model, batch = made.build(), plain.batch(made.train, np.arange(4), 0)
    logits = model(batch.inputs["tokens"])
    spread = -logits.log_softmax(-1).mean(-1) * batch.scored
    model.train()
    expected = 0.8 * plain.loss(model, batch).nats + 0.2 * spread
    assert torch.allclose(smoothed.loss(model, batch).nats, expected, atol=1e-5)
    model.eval()
    assert torch.equal(smoothed.loss(model, batch).nats, plain.loss(model, batch).nats)


# ---- blocks left out


def test_blocks_are_left_out_for_whole_examples_and_more_often_further_up(models):
    from lab.api import Task

    config = models.Config.read({"layers": 2, "layer_dropout": 0.6})
    model = models.transformer(config, Task(11, 12)).train()
    torch.manual_seed(1)
    tokens = torch.randint(11, (400, 12))
    same = []
    with torch.no_grad():
        for block in model.blocks:
            x = torch.randn(400, 12, config.width)
            same.append(float((block(x) == x).all(dim=(1, 2)).float().mean()))
    # a block is passed unchanged if both of its branches are left out: (0.6 / 2)² and 0.6²
    assert same[0] == pytest.approx(0.09, abs=0.04)
    assert same[1] == pytest.approx(0.36, abs=0.06)
    model.eval()
    assert torch.equal(model(tokens), model(tokens))


# ---- averages


def drift(model, average, steps, values):
    for step in steps:
        with torch.no_grad():
            model.weight.fill_(values[step])
        average.add(step)


def test_an_ema_has_no_bias_at_the_start():
    model, values = nn.Linear(1, 1, bias=False).double(), {step: math.sin(step) for step in range(1, 21)}
    average = WeightAverage(model, Training(averaging="ema", average_decay=0.9), 100)
    drift(model, average, range(1, 21), values)
    shares = {step: 0.9 ** (20 - step) for step in values}
    expected = sum(shares[step] * value for step, value in values.items()) / sum(shares.values())
    assert float(average.state_dict()["average/weight"]) == pytest.approx(expected, rel=1e-12)
    assert float(model.weight.detach()) == values[20]


def test_swa_averages_every_nth_of_the_last_steps_as_torch_does():
    model = nn.Linear(2, 2, bias=False).double()
    torchs, average = (
        torch.optim.swa_utils.AveragedModel(model),
        WeightAverage(model, Training(averaging="swa", average=12, average_every=3), 20),
    )
    for step in range(1, 21):
        with torch.no_grad():
            model.weight.copy_(torch.randn(2, 2, dtype=torch.float64))
        average.add(step)
        if step in (11, 14, 17, 20):
            torchs.update_parameters(model)
    assert torch.allclose(average.state_dict()["average/weight"], torchs.module.weight, rtol=0, atol=1e-12)


def test_the_averaged_weights_have_a_loss_of_their_own_and_the_model_keeps_its(experiment, source, training):
    made = experiment(
        steps=12, averaging="ema", average_decay=0.8, evaluate_every=4, validation=source(300, "windows", seed=1)
    )
    run = training(made).run()
    own, averaged = run.series["validation loss"], run.series["averaged validation loss"]
    assert list(own) == list(averaged) == [4, 8, 12]
    assert all(own[step] != averaged[step] for step in own)
    plain = training(experiment(steps=12, evaluate_every=4, validation=source(300, "windows", seed=1))).run()
    assert plain.series["validation loss"] == own
    assert "averaged validation loss" not in plain.series
    with run.trainer.learner.in_average():
        assert run.trainer.periodic.evaluate(0).loss == averaged[12]
    assert run.trainer.periodic.evaluate(0).loss == own[12]


def test_a_tail_that_became_the_model_has_its_loss(experiment, source, trained):
    run = trained(experiment(steps=6, average=4, evaluate_every=4, validation=source(300, "windows", seed=1)))
    assert run.series["averaged validation loss"][6] == run.series["validation loss"][6]
    assert run.series["averaged validation loss"][4] != run.series["validation loss"][4]


def test_the_mean_in_a_saved_state_is_found():
    model = nn.Linear(1, 1, bias=False)
    average = WeightAverage(model, Training(averaging="ema", average_decay=0.5), 9)
    assert mean_weights(average.state_dict()) is None
    drift(model, average, [1], {1: 3.0})
    assert float(mean_weights(average.state_dict())["weight"]) == 3
    tail = WeightAverage(model, Training(average=1), 1)
    drift(model, tail, [1], {1: 3.0})
    assert mean_weights(tail.state_dict()) == {}


# ---- early stopping


def test_patience_counts_the_evaluations_since_the_best():
    early = EarlyStopping()
    assert [early.note(loss, 2) for loss in (3.0, 2.0, 2.5, 1.9, 1.9, 2.0)] == [False] * 5 + [True]
    again = EarlyStopping()
    again.load_state_dict({"best": 1.9, "since": 1, "ended": False})
    assert again.note(math.nan, 2)
    never = EarlyStopping()
    assert not any(never.note(5.0, 0) for _ in range(50))


def test_a_training_ends_early_is_finished_and_goes_on_when_asked(experiment, source, training, saved_state):
    given = {"optimizer": "sgd", "learning_rate": 5.0, "momentum": 0.0, "clip": 1.0, "evaluate_every": 2, "patience": 2}

    def made():
        return experiment(steps=60, validation=source(300, "windows", seed=1), **given)

    run = training(made()).run()
    stopped = run.log.of("stopped early")[0]["step"]
    assert stopped < 60
    assert (run.trainer.state, run.trainer.step, run.trainer.last_step) == (TrainerState.FINISHED, stopped, stopped)
    again = training(made())
    again.trainer.load_state_dict(*saved_state(run.trainer))
    assert again.trainer.last_step == stopped
    again.trainer.change("training.steps", 60)
    assert again.trainer.last_step == 60


def test_a_stop_and_its_evaluation_count_for_nothing(experiment, source, training, at_step, saved_state):
    def made():
        validation = source(300, "windows", seed=1)
        return experiment(
            steps=24, validation=validation, evaluate_every=4, schedule="plateau", wait=0, threshold=0.5, factor=0.5
        )

    straight = training(made()).run()
    first = training(made())
    first.trainer._observers.append(at_step({10: first.trainer.control.stop}))
    first.run()
    second = training(made())
    second.trainer.load_state_dict(*saved_state(first.trainer))
    second.run()
    rates = straight.series["learning rate"]
    assert second.series["learning rate"] == {step: rate for step, rate in rates.items() if step > 10}
    assert len(set(rates.values())) > 2
    assert second.losses == straight.losses[10:]


# ---- warm-ups


def test_sizes_grow_linearly_and_stay():
    training = Training(batch_size=16, batch_start=4, batch_warmup=6, context_length=10, context_warmup=3)
    assert [batch_size_at(training, step) for step in range(8)] == [4, 6, 8, 10, 12, 14, 16, 16]
    assert [context_at(training, step) for step in range(5)] == [8, 9, 9, 10, 10]
    assert batch_size_at(Training(batch_size=2, batch_start=9, batch_warmup=5), 0) == 2


def test_the_tokens_read_are_those_of_the_growing_sizes(experiment, trained):
    made = experiment(steps=8, batch_warmup=4, batch_start=2, context_warmup=5, context_start=4)
    run = trained(made)
    assert run.trainer.tokens == tokens_of(made.recipe.training)
    assert run.series["tokens"][1] == 2 * 4


# ---- budgets


@pytest.mark.parametrize(
    ("text", "amount", "unit"),
    [
        ("2e6 tokens", 2e6, "tokens"),
        ("2M tokens", 2e6, "tokens"),
        ("3 epochs", 3, "epochs"),
        ("1 epoch", 1, "epochs"),
        ("0.5 hours", 1800, "seconds"),
        ("90s", 90, "seconds"),
        ("1e15 FLOPs", 1e15, "FLOPs"),
        ("1_000 steps", 1000, "steps"),
    ],
)
def test_a_budget_is_a_number_and_a_unit(text, amount, unit):
    assert parse_budget(text) == (amount, unit)


@pytest.mark.parametrize("text", ["many", "5", "tokens", "0 steps", "-1 epochs", "nan tokens", "1e999 steps", "5 cows"])
def test_what_is_no_budget_is_refused(text):
    with pytest.raises(BadInput) as raised:
        parse_budget(text)
    assert raised.value.problem.field == "training.budget"


@pytest.mark.parametrize(
    ("budget", "steps"),
    [("", 1000), ("7 steps", 7), ("1000 tokens", 8), ("2 epochs", 13), ("64e3 FLOPs", 5), ("9 seconds", 1000)],
)
def test_a_budget_pays_for_steps(budget, steps):
    training = Training(batch_size=8, context_length=16, budget=budget)
    assert steps_of(training, epoch=50, flops_per_token=lambda: 100.0) == steps


def test_a_budget_of_tokens_is_spent_while_batches_grow():
    training = Training(batch_size=8, context_length=16, batch_start=1, batch_warmup=7, budget="1000 tokens")
    steps = steps_of(training, epoch=50, flops_per_token=lambda: None)
    spent = tokens_of(training.model_copy(update={"steps": steps}))
    assert 1000 <= spent < 1000 + 128


def test_a_budget_that_a_training_has_not_is_refused():
    training = Training(budget="2 epochs")
    with pytest.raises(BadInput, match="no end"):
        steps_of(training, epoch=None, flops_per_token=lambda: 1.0)
    with pytest.raises(BadInput, match="counts its text"):
        steps_of(training, epoch=5, flops_per_token=lambda: 1.0, counts=True)
    with pytest.raises(BadInput, match="not known"):
        steps_of(Training(budget="1 FLOPs"), epoch=5, flops_per_token=lambda: None)
    with pytest.raises(BadInput, match="pays for"):
        steps_of(Training(budget="1e15 tokens"), epoch=5, flops_per_token=lambda: None)


def test_a_budget_of_seconds_ends_when_they_are_over_and_is_continued(experiment, training, saved_state):
    def made():
        return experiment(steps=10, budget="0.3 seconds", schedule="linear", batch_size=32)

    run = training(made())
    run.trainer.run()
    assert 0.3 <= run.trainer.seconds < 3
    assert run.trainer.state == TrainerState.FINISHED
    assert run.trainer.last_step == run.trainer.step
    rates = list(run.series["learning rate"].values())
    assert rates == sorted(rates, reverse=True)
    assert rates[0] > 0.005 > rates[-1]
    tables, tensors, facts = saved_state(run.trainer)
    half = training(made())
    half.trainer.load_state_dict(tables, tensors, {**facts, "seconds": 0.15})
    assert half.trainer.last_step > half.trainer.step
    half.trainer.run()
    assert 0.3 <= half.trainer.seconds < 3
    assert half.series["learning rate"][facts["step"] + 1] == pytest.approx(0.005, rel=0.11)


def test_old_recipes_read_as_before():
    older = Recipe.from_toml("format = 1\n[training]\nsteps = 5\naverage = 3\nclip = 0.5\n")
    training = older.training
    assert (training.average, training.averaging, training.clip, training.clip_by) == (3, "tail", 0.5, "norm")
    off = Training()
    assert (off.budget, off.l1, off.gradient_noise, off.batch_warmup, off.context_warmup, off.patience) == (
        "",
        0,
        0,
        0,
        0,
        0,
    )


def test_epochs_are_recorded(experiment, source, trained):
    run = trained(experiment(steps=3, batch_size=8, train=source(8 * 12 * 5 + 1, "epochs")))
    assert run.series["epochs"] == {1: 0.2, 2: 0.4, 3: pytest.approx(0.6)}
