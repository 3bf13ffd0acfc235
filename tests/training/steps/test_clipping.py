"""Gradient norms by layer, clipping, parameter groups, optimizers and schedules, each against torch or the formula."""

import math

import pytest
import torch

from lab.training.optimizers.groups import parameter_groups
from lab.training.steps.clipping import GradientNorms, layer_name


@pytest.fixture
def graded(experiment):
    """A model by name with the gradients of one batch."""

    def graded(name, **settings):
        made = experiment(name, **settings)
        model = made.build()
        batch = made.objective.batch(made.train, torch.arange(8).numpy(), 0)
        made.objective.loss(model, batch).nats.sum().backward()
        return model

    return graded


@pytest.mark.parametrize(
    ("parameter", "layer"),
    [
        ("embedding.weight", "embedding"),
        ("blocks.0.token.project.weight", "blocks.0"),
        ("blocks.11.channel.inner.weight", "blocks.11"),
        ("encoder.layers.3.weight", "encoder.layers.3"),
        ("rnn.weight_ih_l0", "rnn.l0"),
        ("rnn.bias_hh_l12_reverse", "rnn.l12"),
        ("weight", "weight"),
        ("experts2.weight", "experts2"),
    ],
)
def test_a_parameter_belongs_to_the_layer_in_its_name(parameter, layer):
    assert layer_name(parameter) == layer


def test_norms_are_the_whole_gradients_and_each_layers(graded):
    model = graded("transformer", config={"layers": 2})
    norms = GradientNorms(model)
    assert norms.layers == ("embedding", "position", "blocks.0", "blocks.1", "norm")
    measured = norms.measure_and_clip(0)
    for layer, value in zip(norms.layers, measured[1:].tolist(), strict=True):
        gradients = [p.grad for name, p in model.named_parameters() if layer_name(name) == layer]
        assert value == pytest.approx(
            math.sqrt(sum(gradient.square().sum().item() for gradient in gradients)), rel=1e-5
        )
    assert measured[0].item() == pytest.approx(measured[1:].square().sum().sqrt().item(), rel=1e-5)


def test_a_tied_parameter_counts_once_under_its_first_name(graded):
    model = graded("transformer")
    assert model.output.weight is model.embedding.weight
    norms = GradientNorms(model)
    assert "output" not in norms.layers
    assert norms.measure_and_clip(0)[0].item() == pytest.approx(
        torch.nn.utils.get_total_norm([p.grad for p in model.parameters()]).item(), rel=1e-5
    )


def test_layers_of_a_fused_recurrent_module_have_norms_of_their_own(graded):
    assert GradientNorms(graded("fused")).layers == ("embedding", "rnn.l0", "rnn.l1", "output")


@pytest.mark.parametrize("limit", [1e-3, 0.1, 1e6])
def test_clipping_is_torchs_own(graded, limit):
    ours, theirs = graded("transformer"), graded("transformer")
    norm = GradientNorms(ours).measure_and_clip(limit)[0]
    assert norm.item() == pytest.approx(torch.nn.utils.clip_grad_norm_(theirs.parameters(), limit).item(), rel=1e-6)
    for mine, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        assert torch.allclose(mine.grad, other.grad, rtol=1e-5, atol=0)


def test_no_limit_leaves_the_gradients_as_they_are(graded):
    model = graded("transformer")
    before = [p.grad.clone() for p in model.parameters()]
    GradientNorms(model).measure_and_clip(0)
    assert all(torch.equal(p.grad, old) for p, old in zip(model.parameters(), before, strict=True))


def test_layers_without_a_gradient_in_this_step_have_the_norm_zero_and_take_no_other_layers_place():
    model = torch.nn.ModuleList([torch.nn.Linear(2, 2, bias=False) for _ in range(3)])
    norms = GradientNorms(model)
    for used in (0, 2, 1, 2):  # as experts come and go: always one gradient, each time another's
        model.zero_grad()
        model[used].weight.grad = torch.full((2, 2), float(used + 1))
        expected = [2.0 * (used + 1) if layer == used else 0.0 for layer in range(3)]
        assert norms.measure_and_clip(0).tolist() == pytest.approx([2.0 * (used + 1), *expected])


def test_frozen_parameters_have_no_norm():
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
    model[0].requires_grad_(False)
    model(torch.ones(1, 2)).sum().backward()
    assert GradientNorms(model).layers == ("1",)


def test_norms_are_recorded_by_name_every_step(experiment, trained):
    recorded = trained(experiment("fused", steps=3))
    for name in ("gradient norm", "gradient norm embedding", "gradient norm rnn.l0", "gradient norm output"):
        assert list(recorded.series[name]) == [1, 2, 3], name


@pytest.mark.parametrize("accumulation", [1, 2])
def test_the_norm_after_clipping_and_the_clipping_are_recorded_every_step(experiment, trained, accumulation):
    series = trained(experiment("transformer", steps=6, clip=0.5, accumulation=accumulation)).series
    before, after, clipped = (series[name] for name in ("gradient norm", "clipped gradient norm", "clipped steps"))
    assert list(after) == list(clipped) == [1, 2, 3, 4, 5, 6]
    assert set(clipped.values()) <= {0, 1}
    for step, norm in before.items():
        assert after[step] == pytest.approx(min(norm, 0.5), rel=1e-5), step
        assert clipped[step] == (norm > 0.5), step
    assert 1 in clipped.values()


def test_a_step_below_the_limit_is_recorded_as_not_clipped(experiment, trained):
    series = trained(experiment("transformer", steps=2, clip=1e6)).series
    assert series["clipped steps"] == {1: 0, 2: 0}
    assert series["clipped gradient norm"] == series["gradient norm"]


def test_the_gradients_have_the_recorded_norm_after_clipping(graded):
    model = graded("recurrent")
    recorded = GradientNorms(model).measure_and_clip(0.1)
    assert recorded[-1] == 1
    assert recorded[-2].item() == pytest.approx(
        torch.nn.utils.get_total_norm([p.grad for p in model.parameters()]).item()
    )


def test_clipping_is_recorded_only_from_the_step_on_at_which_a_limit_is_set(experiment, training):
    assert not [name for name in training(experiment("fused", steps=2, clip=0)).run().series if "clipped" in name]
    edit = {"step": 2, "path": "training.clip", "value": 0.01}
    series = training(experiment("fused", steps=4, clip=0, edits=[edit])).run().series
    assert series["clipped steps"] == {3: 1, 4: 1}
    assert list(series["gradient norm"]) == [1, 2, 3, 4]


# ---- what decays ----


def test_matrices_decay_and_vectors_do_not(experiment):
    model = experiment("recurrent").build()
    decaying, spared = parameter_groups(model)
    assert (decaying["decays"], spared["decays"]) == (True, False)
    assert all(p.ndim >= 2 for p in decaying["params"])
    assert all(p.ndim == 1 for p in spared["params"])
    assert len(decaying["params"]) + len(spared["params"]) == len(list(model.parameters()))


def test_what_a_mixer_names_is_spared_though_it_is_a_matrix(experiment):
    model = experiment("memory").build()
    spared = {id(p) for p in parameter_groups(model)[1]["params"]}
    assert id(model.blocks[0].token.mix) in spared
    assert id(model.blocks[0].channel.inner.weight) not in spared


def test_tied_and_frozen_parameters_are_in_one_group_once_or_not_at_all(experiment):
    model = experiment("transformer").build()
    model.position.weight.requires_grad_(False)
    decaying, spared = parameter_groups(model)
    numbers = [id(p) for p in [*decaying["params"], *spared["params"]]]
    assert len(numbers) == len(set(numbers))
    assert id(model.position.weight) not in numbers
    assert numbers.count(id(model.embedding.weight)) == 1


# ---- updates ----


@pytest.mark.parametrize("optimizer", ["adamw", "sgd", "nesterov"])
def test_three_steps_are_torchs_own(experiment, training, optimizer):
    settings = {"weight_decay": 0.2, "learning_rate": 0.05, "clip": 0, "steps": 3}
    settings |= {"beta1": 0.8, "beta2": 0.95} if optimizer == "adamw" else {"momentum": 0.7, "optimizer": "sgd"}
    settings |= {"nesterov": True} if optimizer == "nesterov" else {}
    recorded = training(experiment("transformer", **settings))
    made = recorded.trainer.experiment
    model = made.build()
    groups = [
        {"params": [p for p in model.parameters() if p.ndim >= 2], "weight_decay": 0.2},
        {"params": [p for p in model.parameters() if p.ndim < 2], "weight_decay": 0.0},
    ]
    if optimizer == "adamw":
        own = torch.optim.AdamW(groups, lr=0.05, betas=(0.8, 0.95), eps=1e-8)
    else:
        own = torch.optim.SGD(groups, lr=0.05, momentum=0.7, nesterov=optimizer == "nesterov")
    for step in range(3):
        own.zero_grad()
        batch = made.objective.batch(made.train, torch.arange(8).numpy() + 8 * step, 0)
        (made.objective.loss(model, batch).nats.sum() / batch.weight).backward()
        own.step()
    recorded.run()
    for name, table in model.tables().items():
        assert torch.allclose(recorded.trainer.model.tables()[name], table, atol=2e-5), name


@pytest.mark.parametrize("average", [1, 3, 50])
def test_averaging_puts_the_mean_of_the_last_weights_in_place_and_changes_no_step(
    experiment, training, at_step, average
):
    plain, weights = training(experiment("transformer", steps=5)), []
    actions = {step: lambda: weights.append(plain.weights()) for step in range(1, 6)}
    plain.trainer._observers.append(at_step(actions))
    plain.run()
    averaged = training(experiment("transformer", steps=5, average=average)).run()
    assert averaged.exact == plain.exact
    for name, table in averaged.weights().items():
        mean = torch.stack([step[name] for step in weights[-average:]]).mean(dim=0)
        assert torch.allclose(table, mean, atol=1e-6), name


# ---- schedules ----


def get_lr(it, learning_rate, min_lr, warmup_iters, lr_decay_iters):
    """nanoGPT, train.py, lines 231 to 242 (Karpathy 2022), word for word."""
    if it < warmup_iters:
        return learning_rate * (it + 1) / (warmup_iters + 1)
    if it > lr_decay_iters:
        return min_lr
    decay_ratio = (it - warmup_iters) / (lr_decay_iters - warmup_iters)
    assert 0 <= decay_ratio <= 1
    coeff = 0.5 * (1.0 + math.cos(math.pi * decay_ratio))
    return min_lr + coeff * (learning_rate - min_lr)


@pytest.mark.parametrize(("warmup", "floor", "decay"), [(0, 0.1, 0), (10, 0.1, 0), (10, 0.0, 60), (5, 1.0, 30)])
def test_warm_up_and_cosine_is_nanogpts_formula(card, warmup, floor, decay):
    factor = card("cosine", warmup=warmup, floor=floor, steps=decay).make(100)
    for step in range(120):
        expected = get_lr(step, 1.0, floor, warmup, decay or 100)
        assert factor(step) == pytest.approx(expected, abs=1e-12), step


@pytest.mark.parametrize("steps", [0, 1, 5, 10])
def test_a_warm_up_as_long_as_the_training_divides_by_nothing(card, steps):
    schedule = card("cosine", warmup=10)
    assert all(0 < schedule.make(steps)(step) <= 1 for step in range(20))


def test_the_constant_schedule_stays_after_its_warm_up(card):
    schedule = card("constant", warmup=3)
    assert [schedule.make(10)(step) for step in range(6)] == [0.25, 0.5, 0.75, 1, 1, 1]


def test_the_learning_rate_recorded_at_a_step_is_the_one_it_used(experiment, trained):
    recorded = trained(experiment("transformer", steps=5, schedule="cosine", warmup=2, learning_rate=0.03))
    expected = [get_lr(step, 0.03, 0.003, 2, 5) for step in range(5)]
    assert recorded.series["learning rate"] == pytest.approx(dict(enumerate(expected, start=1)))


def test_a_fused_optimizer_skips_an_update_that_is_not_finite():
    # what GradientLearner relies on where a GPU's numbers arrive after the update
    weight = torch.nn.Parameter(torch.ones(3))
    optimizer = torch.optim.AdamW([weight], fused=True)
    weight.grad = torch.full((3,), float("nan"))
    optimizer.found_inf = torch.ones(())
    optimizer.step()
    assert weight.eq(1).all()
    assert optimizer.state[weight]["step"] == 0
