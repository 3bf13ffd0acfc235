"""The lab's optimizers over 50 steps against torch's own, and against their papers' equations where torch has none."""

import copy

import pytest
import torch
from torch import nn

from lab.training.optimizers.builtins import (
    AdafactorConfig,
    AdagradConfig,
    AdamConfig,
    LAMBConfig,
    LionConfig,
    NAdamConfig,
    RAdamConfig,
    RMSPropConfig,
    SGDConfig,
    SOAPConfig,
)
from lab.training.optimizers.groups import OptimizerState, note_rates, set_rates
from lab.training.optimizers.lamb import lamb
from lab.training.optimizers.lion import lion
from lab.training.optimizers.makers import adafactor, adagrad, adam, nadam, radam, rmsprop, sgd
from lab.training.optimizers.soap import SOAP, soap

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
