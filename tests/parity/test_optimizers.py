"""The lab's optimizers over 50 steps against torch's own, and against their papers' equations where torch has none."""

import copy
import json
from pathlib import Path

import pytest
import torch
from torch import nn

from lab.base import BadInput
from lab.training.objectives import drawn_nats
from lab.training.optimizers.builtins import (
    AdafactorConfig,
    AdagradConfig,
    AdamConfig,
    AdamWConfig,
    LAMBConfig,
    LBFGSConfig,
    LionConfig,
    NAdamConfig,
    RAdamConfig,
    RMSPropConfig,
    ScheduleFreeConfig,
    SGDConfig,
    SOAPConfig,
    SophiaConfig,
)
from lab.training.optimizers.groups import OptimizerState, note_rates, set_rates
from lab.training.optimizers.lamb import lamb
from lab.training.optimizers.lbfgs import lbfgs
from lab.training.optimizers.lion import lion
from lab.training.optimizers.makers import adafactor, adagrad, adam, adamw, nadam, radam, rmsprop, sgd
from lab.training.optimizers.points import draws_labels, make_update
from lab.training.optimizers.schedule_free import schedule_free
from lab.training.optimizers.soap import SOAP, soap
from lab.training.optimizers.sophia import sophia
from lab.training.steps.clipping import GradientNorms

CPU = torch.device("cpu")
STEPS = 50


def group(params, role="matrix", decays=True):
    width = params[0].shape[-1]
    return {"params": params, "names": [], "role": role, "layer": None, "width": width, "decays": decays}


def gradient(step, shape=(6, 4)):
    return torch.randn(shape, generator=torch.Generator().manual_seed(step), dtype=torch.float64)


def parameter(shape=(6, 4)):
    return nn.Parameter(gradient(1000, shape))


def trained(make, config, p, steps=range(STEPS), state=None, role="matrix"):
    """Make updates with a rate that falls as 1/√(step + 1), and return the optimizer."""
    optimizer = make(config, [group([p], role)], CPU)
    note_rates(optimizer, config.learning_rate)
    if state is not None:
        OptimizerState(optimizer, {"p": p}).load_state_dict(*state)
    for step in steps:
        set_rates(optimizer, config.learning_rate, (step + 1) ** -0.5)
        p.grad = gradient(step, p.shape)
        optimizer.step()
    return optimizer


def trained_by_torch(optimizer, rate, p):
    for step in range(STEPS):
        optimizer.param_groups[0]["lr"] = rate * (step + 1) ** -0.5
        p.grad = gradient(step, p.shape)
        optimizer.step()


OF_TORCH = {
    "sgd": (
        sgd,
        SGDConfig(learning_rate=0.02, momentum=0.0, weight_decay=0.1),
        lambda p: torch.optim.SGD(p, 0.02, weight_decay=0.1),
    ),
    "heavy ball": (sgd, SGDConfig(learning_rate=0.02, momentum=0.8), lambda p: torch.optim.SGD(p, 0.02, momentum=0.8)),
    "Nesterov": (
        sgd,
        SGDConfig(learning_rate=0.02, momentum=0.8, nesterov=True),
        lambda p: torch.optim.SGD(p, 0.02, momentum=0.8, nesterov=True),
    ),
    "adam": (
        adam,
        AdamConfig(learning_rate=0.02, weight_decay=0.1),
        lambda p: torch.optim.Adam(p, 0.02, (0.9, 0.99), weight_decay=0.1),
    ),
    "nadam": (
        nadam,
        NAdamConfig(learning_rate=0.02),
        lambda p: torch.optim.NAdam(p, 0.02, (0.9, 0.99), weight_decay=0.1, decoupled_weight_decay=True),
    ),
    "radam": (
        radam,
        RAdamConfig(learning_rate=0.02),
        lambda p: torch.optim.RAdam(p, 0.02, (0.9, 0.99), weight_decay=0.1, decoupled_weight_decay=True),
    ),
    "adagrad": (
        adagrad,
        AdagradConfig(learning_rate=0.02, initial=0.1, weight_decay=0.1),
        lambda p: torch.optim.Adagrad(p, 0.02, weight_decay=0.1, initial_accumulator_value=0.1),
    ),
    "rmsprop": (
        rmsprop,
        RMSPropConfig(learning_rate=0.02, momentum=0.5, centered=True),
        lambda p: torch.optim.RMSprop(p, 0.02, 0.99, momentum=0.5, centered=True),
    ),
    "adafactor": (
        adafactor,
        AdafactorConfig(learning_rate=0.02, weight_decay=0.1),
        lambda p: torch.optim.Adafactor(p, 0.02, weight_decay=0.1),
    ),
}


@pytest.mark.parametrize("name", OF_TORCH)
def test_updates_are_those_of_torch(name):
    make, config, theirs = OF_TORCH[name]
    own, other = parameter(), parameter()
    trained(make, config, own)
    trained_by_torch(theirs([other]), 0.02, other)
    assert torch.equal(own, other)


def of_lion(p, rate, decay, beta1=0.9, beta2=0.99):
    m = torch.zeros_like(p)
    for step in range(STEPS):
        g, eta = gradient(step, p.shape), rate * (step + 1) ** -0.5
        p = p - eta * (torch.sign(beta1 * m + (1 - beta1) * g) + decay * p)
        m = beta2 * m + (1 - beta2) * g
    return p


def of_lamb(p, rate, decay, beta1=0.9, beta2=0.99, eps=1e-8):
    m, v = torch.zeros_like(p), torch.zeros_like(p)
    for step in range(STEPS):
        g, eta, t = gradient(step, p.shape), rate * (step + 1) ** -0.5, step + 1
        m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
        r = (m / (1 - beta1**t)) / (torch.sqrt(v / (1 - beta2**t)) + eps) + decay * p
        p = p - eta * p.norm() / r.norm() * r
    return p


def of_soap(w, rate, decay, every, beta1=0.9, beta2=0.99, eps=1e-8):
    g = gradient(0, w.shape)
    left, right = (1 - beta2) * g @ g.T, (1 - beta2) * g.T @ g
    ql, qr = torch.linalg.eigh(left)[1].flip(1), torch.linalg.eigh(right)[1].flip(1)
    m, v = torch.zeros_like(w), torch.zeros_like(w)
    for t in range(1, STEPS):
        g, eta = gradient(t, w.shape), rate * (t + 1) ** -0.5
        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * (ql.T @ g @ qr) ** 2
        n = (ql.T @ (m / (1 - beta1**t)) @ qr) / (torch.sqrt(v / (1 - beta2**t)) + eps)
        w = w - eta * (ql @ n @ qr.T + decay * w)
        left, right = beta2 * left + (1 - beta2) * g @ g.T, beta2 * right + (1 - beta2) * g.T @ g
        if t % every == 0:
            ql, qr = torch.linalg.qr(left @ ql)[0], torch.linalg.qr(right @ qr)[0]
    return w


@pytest.mark.parametrize(
    ("make", "config", "expected"),
    [
        (lion, LionConfig(learning_rate=0.01, weight_decay=0.3), lambda p: of_lion(p, 0.01, 0.3)),
        (lamb, LAMBConfig(learning_rate=0.01, weight_decay=0.3), lambda p: of_lamb(p, 0.01, 0.3)),
        (soap, SOAPConfig(learning_rate=0.01, weight_decay=0.3, every=7), lambda p: of_soap(p, 0.01, 0.3, 7)),
    ],
    ids=["lion", "lamb", "soap"],
)
def test_updates_are_those_of_the_papers_equations(make, config, expected):
    p = parameter((5, 5))  # of full rank, so that its eigenvectors are known up to their sign
    wanted = expected(p.detach().clone())
    trained(make, config, p)
    assert torch.allclose(p, wanted, rtol=0, atol=1e-10)


def test_a_parameter_of_zeros_is_updated_by_lamb_as_by_adam():
    own, other = (
        nn.Parameter(torch.zeros(6, 4, dtype=torch.float64)),
        nn.Parameter(torch.zeros(6, 4, dtype=torch.float64)),
    )
    trained(lamb, LAMBConfig(learning_rate=0.01, weight_decay=0.0), own, range(1))
    trained(adam, AdamConfig(learning_rate=0.01), other, range(1))
    assert torch.allclose(own, other, rtol=0, atol=1e-12)


def test_soap_in_the_standard_basis_is_adamw():
    config = SOAPConfig(learning_rate=0.01, every=1000)
    own, other = parameter(), parameter()
    optimizer = trained(soap, config, own, range(1))
    for side in ("left_basis", "right_basis"):
        basis = optimizer.state[own][side]
        basis.copy_(torch.eye(basis.shape[-1]))
    theirs = torch.optim.AdamW([other], 0.01, (0.9, 0.99), weight_decay=0.1)
    for step in range(1, 20):
        own.grad = other.grad = gradient(step)
        optimizer.step()
        theirs.step()
    assert torch.allclose(own, other, rtol=0, atol=1e-12)


def test_soap_updates_each_matrix_of_a_stack_alone():
    stack = parameter((3, 6, 4))
    alone = [nn.Parameter(one.clone()) for one in stack.detach()]
    trained(soap, SOAPConfig(learning_rate=0.01), stack)
    optimizers = [soap(SOAPConfig(learning_rate=0.01), [group([p])], CPU) for p in alone]
    for step in range(STEPS):
        for number, (p, optimizer) in enumerate(zip(alone, optimizers, strict=True)):
            optimizer.param_groups[0]["lr"] = 0.01 * (step + 1) ** -0.5
            p.grad = gradient(step, (3, 6, 4))[number]
            optimizer.step()
    assert torch.allclose(stack, torch.stack([*alone]), rtol=0, atol=1e-10)


def test_soap_leaves_what_is_no_matrix_to_adamw():
    own, other = parameter(), parameter()
    optimizer = trained(soap, SOAPConfig(learning_rate=0.02), own, role="embedding")
    trained_by_torch(torch.optim.AdamW([other], 0.02, (0.9, 0.99), weight_decay=0.1, fused=True), 0.02, other)
    assert isinstance(optimizer, SOAP)
    assert torch.equal(own, other)


RESUMED = {
    **{name: given[:2] for name, given in OF_TORCH.items()},
    "lion": (lion, LionConfig()),
    "lamb": (lamb, LAMBConfig()),
    "soap": (soap, SOAPConfig()),
}


@pytest.mark.parametrize("name", RESUMED)
def test_a_training_resumed_in_the_middle_is_the_same_bit_for_bit(name):
    make, config = RESUMED[name]
    whole, first = parameter(), parameter()
    trained(make, config, whole)
    tensors = {}
    before = trained(make, config, first, range(STEPS // 2))
    facts = OptimizerState(before, {"p": first}).state_dict(tensors)
    second = nn.Parameter(first.detach().clone())
    facts, tensors = copy.deepcopy((facts, tensors))
    trained(make, config, second, range(STEPS // 2, STEPS), (facts, tensors))
    assert torch.equal(whole, second)


# ---- Sophia-G


def of_sophia(w, rate, decay, every, labels, beta1=0.96, beta2=0.99, gamma=0.05, eps=1e-12):
    """Algorithm 3 of Liu et al. 2024, with the estimate of algorithm 2, step by step."""
    m, h = torch.zeros_like(w), torch.zeros_like(w)
    for step in range(STEPS):
        eta = rate * (step + 1) ** -0.5
        m = beta1 * m + (1 - beta1) * gradient(step, w.shape)
        if step % every == 0:
            h = beta2 * h + (1 - beta2) * labels * drawn_gradient(step, w.shape) ** 2
        w = w - eta * decay * w
        w = w - eta * torch.clip(m / torch.maximum(gamma * h, torch.tensor(eps, dtype=w.dtype)), -1, 1)
    return w


def drawn_gradient(step, shape):
    """The gradient of labels drawn at a step."""
    return 0.1 * gradient(10_000 + step, shape)


def sophia_trained(p, steps, state=None, labels=24):
    config = SophiaConfig(learning_rate=0.01, weight_decay=0.3, every=7)
    optimizer = sophia(config, [group([p])], CPU)
    note_rates(optimizer, config.learning_rate)
    if state is not None:
        OptimizerState(optimizer, {"p": p}).load_state_dict(*state)

    for step in steps:

        def draw(step=step):
            assert p.grad is None
            p.grad = drawn_gradient(step, p.shape)
            return labels

        set_rates(optimizer, config.learning_rate, (step + 1) ** -0.5)
        p.grad = gradient(step, p.shape)
        make_update(optimizer, lambda: None, draw)
    return optimizer


def test_sophia_s_updates_are_those_of_the_paper():
    p = parameter()
    expected = of_sophia(p.detach().clone(), 0.01, 0.3, 7, 24)
    sophia_trained(p, range(STEPS))
    assert torch.allclose(p, expected, rtol=0, atol=1e-12)


def test_sophia_resumed_between_two_estimates_is_the_same_bit_for_bit():
    whole, first = parameter(), parameter()
    sophia_trained(whole, range(STEPS))
    before, tensors = sophia_trained(first, range(25)), {}
    assert not draws_labels(before)
    facts, tensors = copy.deepcopy((OptimizerState(before, {"p": first}).state_dict(tensors), tensors))
    second = nn.Parameter(first.detach().clone())
    sophia_trained(second, range(25, STEPS), (facts, tensors))
    assert torch.equal(whole, second)


def test_squares_of_gradients_for_drawn_labels_are_the_diagonal_of_the_gauss_newton_matrix():
    inputs, weights = gradient(0, (3, 2)), gradient(1, (2, 4)).requires_grad_()
    p = (inputs @ weights).softmax(-1).detach()
    expected = torch.einsum("bi,bo->io", inputs.square(), p * (1 - p)) / 3
    targets, draws, total = torch.tensor([0, 1, 2]), 4000, torch.zeros(2, 4, dtype=torch.float64)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        for _ in range(draws):
            (found,) = torch.autograd.grad(drawn_nats(inputs @ weights, targets).sum() / 3, weights)
            total += 3 * found.square()
    assert torch.allclose(total / draws, expected, rtol=0.1)
    assert not drawn_nats(inputs @ weights, torch.full((3,), -1)).any()


# ---- schedule-free AdamW, and L-BFGS


def of_schedule_free(x, rate, decay, gradient_at, beta1=0.9, beta2=0.99, eps=1e-8):
    """Algorithm 1 of Defazio et al. 2024, step by step."""
    z, v, total = x.clone(), torch.zeros_like(x), 0.0
    for step in range(STEPS):
        eta, t = rate * (step + 1) ** -0.5, step + 1
        y = (1 - beta1) * z + beta1 * x
        g = gradient_at(y, step)
        v = beta2 * v + (1 - beta2) * g**2
        z = z - eta * (g / (torch.sqrt(v / (1 - beta2**t)) + eps) + decay * y)
        total += eta**2
        x = (1 - eta**2 / total) * x + eta**2 / total * z
    return x


def slope(p, step):
    """The gradient of a noisy bowl, which depends on where it is taken."""
    return 2 * p + 0.3 * gradient(step, p.shape)


def schedule_free_trained(p, steps, state=None):
    config = ScheduleFreeConfig(learning_rate=0.02, weight_decay=0.1)
    optimizer = schedule_free(config, [group([p])], CPU)
    note_rates(optimizer, config.learning_rate)
    if state is not None:
        OptimizerState(optimizer, {"p": p}).load_state_dict(*state)
    for step in steps:
        set_rates(optimizer, config.learning_rate, (step + 1) ** -0.5)
        optimizer.look_ahead()
        p.grad = slope(p.detach(), step)
        optimizer.step()
    return optimizer


def test_schedule_free_updates_are_those_of_the_paper():
    p = parameter()
    expected = of_schedule_free(p.detach().clone(), 0.02, 0.1, slope)
    schedule_free_trained(p, range(STEPS))
    assert torch.allclose(p, expected, rtol=0, atol=1e-12)


def test_schedule_free_weights_come_back_after_a_step_that_was_not_made():
    p = parameter()
    optimizer = schedule_free_trained(p, range(10))
    before = p.detach().clone()
    optimizer.look_ahead()
    assert not torch.equal(p, before)
    optimizer.look_back()
    assert torch.equal(p, before)


def test_schedule_free_resumed_in_the_middle_is_the_same_bit_for_bit():
    whole, first, tensors = parameter(), parameter(), {}
    schedule_free_trained(whole, range(STEPS))
    before = schedule_free_trained(first, range(STEPS // 2))
    facts = OptimizerState(before, {"p": first}).state_dict(tensors)
    second = nn.Parameter(first.detach().clone())
    schedule_free_trained(second, range(STEPS // 2, STEPS), copy.deepcopy((facts, tensors)))
    assert torch.equal(whole, second)


def test_lbfgs_is_that_of_torch_and_solves_a_regression():
    x, y = gradient(1, (30, 4)), gradient(2, (30, 1))

    def minimise(optimizer, p):
        def closure():
            optimizer.zero_grad()
            loss = (x @ p - y).square().mean()
            loss.backward()
            return loss

        for _ in range(4):
            optimizer.step(closure)
        return p

    own, other = parameter((4, 1)), parameter((4, 1))
    minimise(lbfgs(LBFGSConfig(iterations=5, history=7), [group([own])], CPU), own)
    minimise(torch.optim.LBFGS([other], 1.0, 5, history_size=7, line_search_fn="strong_wolfe"), other)
    assert torch.equal(own, other)
    assert torch.allclose(own, torch.linalg.lstsq(x, y).solution, atol=1e-3)


def test_lbfgs_refuses_a_large_model():
    with pytest.raises(BadInput, match="vectors as long as all") as raised:
        lbfgs(LBFGSConfig(), [group([nn.Parameter(torch.zeros(1001, 1000))])], CPU)
    assert raised.value.problem.field == "training.optimizer.name"


# ---- the examples of the lectures

EXAMPLES = {
    one["id"]: one
    for one in json.loads((Path(__file__).parents[1] / "gold" / "lectures.json").read_text(encoding="utf-8"))
}


def stepped(optimizer, p, *gradients):
    """The parameter after each of these gradients."""
    found = []
    for g in gradients:
        p.grad = torch.tensor(g, dtype=torch.float64)
        optimizer.step()
        found.append(p.detach().tolist())
    return found


def weights(values):
    return nn.Parameter(torch.tensor(values, dtype=torch.float64))


def test_two_steps_of_heavy_ball_are_those_of_the_lecture():
    example = EXAMPLES["momentum-two-steps"]
    given, p = example["inputs"], weights(example["inputs"]["W"])
    optimizer = sgd(SGDConfig(learning_rate=given["eta"], momentum=given["beta"]), [group([p])], CPU)
    first, second = stepped(optimizer, p, given["g1"], given["g2"])
    assert first == pytest.approx(next(s["value"] for s in example["steps"] if s["name"] == "W_1"), abs=1e-12)
    assert second == pytest.approx(example["result"]["W_2"], abs=1e-12)
    still = torch.optim.SGD([q := weights([0.0])], 1.0, momentum=given["beta"])
    last, before = [one[0] for one in stepped(still, q, *[[1.0]] * 400)][-1:-3:-1]
    assert before - last == pytest.approx(example["result"]["steady_gain"], rel=1e-12)


def test_the_same_two_gradients_with_nesterov_go_one_momentum_step_further():
    given = EXAMPLES["momentum-two-steps"]["inputs"]
    p, eta, mu = weights(given["W"]), given["eta"], given["beta"]
    first, second = stepped(
        sgd(SGDConfig(learning_rate=eta, momentum=mu, nesterov=True), [group([p])], CPU), p, given["g1"], given["g2"]
    )
    w, g1, g2 = (torch.tensor(given[name], dtype=torch.float64) for name in ("W", "g1", "g2"))
    v1, v2 = g1, mu * g1 + g2
    assert first == pytest.approx((w - eta * (g1 + mu * v1)).tolist(), abs=1e-12)
    assert second == pytest.approx((w - eta * (g1 + mu * v1) - eta * (g2 + mu * v2)).tolist(), abs=1e-12)


def test_the_first_step_of_adam_has_epsilon_beside_the_root():
    example = EXAMPLES["adam-epsilon"]
    g, eps = example["inputs"]["gradient"], example["inputs"]["epsilon"]
    for make, config in [(adam, AdamConfig), (adamw, AdamWConfig)]:
        p = weights([0.0])
        settings = config(learning_rate=1.0, beta2=0.999, eps=eps, weight_decay=0.0)
        ((found,),) = stepped(make(settings, [group([p])], CPU), p, [g])
        assert -found == pytest.approx(example["result"]["beside"], rel=1e-9)
        assert -found != pytest.approx(example["result"]["under"], rel=0.1)


def test_the_decay_of_adamw_does_not_pass_through_its_root_and_that_of_adam_does():
    for make, config, expected in [
        (adamw, AdamWConfig, 2.0 * (1 - 0.1 * 0.5) - 0.1),  # decayed, then a step of η
        (adam, AdamConfig, 2.0 - 0.1),  # g + λ p has a sign only
    ]:
        p = weights([2.0])
        settings = config(learning_rate=0.1, beta2=0.999, eps=1e-12, weight_decay=0.5)
        ((found,),) = stepped(make(settings, [group([p])], CPU), p, [3.0])
        assert found == pytest.approx(expected, abs=1e-9)


def test_rmsprop_divides_the_first_gradient_by_its_share_of_the_mean_square():
    p = weights([1.0])
    found = stepped(rmsprop(RMSPropConfig(learning_rate=0.01, alpha=0.9), [group([p])], CPU), p, [2.0], [2.0])
    first = 1 - 0.01 * 2 / (0.1 * 4) ** 0.5
    assert [one[0] for one in found] == pytest.approx([first, first - 0.01 * 2 / (0.9 * 0.4 + 0.4) ** 0.5], abs=1e-9)


def test_a_gradient_of_1e8_moves_a_clipped_weight_by_the_rate():
    example = EXAMPLES["exploding-update"]
    given = example["inputs"]
    for limit, expected in [
        (0.0, example["result"]["update"]),
        (given["threshold"], example["result"]["clipped_update"]),
    ]:
        model = nn.Linear(1, 1, bias=False).double()
        nn.init.zeros_(model.weight)
        model.weight.grad = torch.tensor([[given["gradient"]]], dtype=torch.float64)
        GradientNorms(model).measure_and_clip(limit)
        settings = SGDConfig(learning_rate=given["eta"], momentum=0.0)
        sgd(settings, [group([model.weight])], CPU).step()
        assert -float(model.weight.detach()) == pytest.approx(expected, rel=1e-6)
