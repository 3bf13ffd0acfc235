"""S4 and S4D in a stack: their forms agree, bad settings are told, long texts and half precision stay finite."""

import pytest
import torch
from torch.testing import assert_close

from lab.api import BadInput, Slot, Task, capture, state_bytes
from lab.testing import conformance
from lab.testing.suite import trials
from lab_ssm.s4.cards import ARCHITECTURES, S4Config, S4Settings
from lab_ssm.s4.model import S4, build

KINDS = {
    "s4": S4Settings(kernel="s4", state=8),
    "s4d": S4Settings(state=8),
    "s4d-lin": S4Settings(state=8, initialisation="lin", discretisation="zoh"),
}
TINY = {"layers": 2, "width": 8, "state": 4}


def suite(**settings):
    """Return the checks of one configuration."""
    return conformance("s4", plugin="lab_ssm", config=S4Config(**{**TINY, "width": 16}, **settings))


test_with_every_preset = pytest.mark.long(conformance("s4", plugin="lab_ssm"))
test_low_rank = pytest.mark.long(suite(kernel="s4"))
test_diagonal_with_feed_forward = pytest.mark.long(
    suite(discretisation="zoh", initialisation="lin", feed_forward="swiglu", dropout=0.1, tie=False)
)
test_diagonal_without_oscillation = pytest.mark.long(suite(discretisation="zoh", initialisation="real"))


@pytest.mark.parametrize("kernel", ["s4", "s4d"])
def test_the_sharpest_checks_of_the_suite_are_passed(kernel):
    named = {"loads", "config", "pieces", "state", "names"}
    every = trials("s4", S4Config(**TINY, kernel=kernel), plugin="lab_ssm")
    made = [trial for trial in every if trial.check.name in named]
    assert {trial.check.name for trial in made} == named
    assert [trial.failure for trial in made if trial.failure] == []


def mixer(kind, width=3, dtype=torch.float64):
    torch.manual_seed(0)
    return S4(Slot(width, 0, 1, 64, True, KINDS[kind])).to(dtype)


def by_steps(layer, x, state):
    outputs = []
    for at in range(x.shape[1]):
        y, state = layer.step(x[:, at], state)
        outputs.append(y)
    return torch.stack(outputs, dim=1), state


@pytest.mark.short("double-s4", "single-s4d")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("dtype", "most"), [(torch.float64, 1e-8), (torch.float32, 1e-4)], ids=["double", "single"])
def test_convolution_chunks_and_recurrence_agree_with_their_gradients(kind, dtype, most):
    layer = mixer(kind, dtype=dtype)
    x = torch.randn(2, 135, 3, dtype=dtype, requires_grad=True)
    forms = [
        layer(x),
        layer.extend(x, layer.start(2))[0],
        by_steps(layer, x, layer.start(2))[0],
    ]
    weights = torch.randn(forms[0].shape, dtype=dtype)
    found = [[y, *torch.autograd.grad((y * weights).sum(), [x, *layer.parameters()])] for y in forms]
    for other in found[1:]:
        for one, expected in zip(other, found[0], strict=True):
            assert_close(one, expected, rtol=0, atol=most * expected.abs().max().clamp(min=1).item())


@pytest.mark.parametrize("kind", KINDS)
def test_a_state_that_is_carried_on_is_that_of_the_recurrence(kind):
    layer, x = mixer(kind), torch.randn(2, 90, 3, dtype=torch.float64)
    _, expected = by_steps(layer, x, layer.start(2))
    _, state = layer.extend(x[:, :7], layer.start(2))
    _, state = layer.extend(x[:, 7:], state)
    assert_close(state, expected, rtol=0, atol=1e-10)


def test_a_kernel_made_in_pieces_of_the_channels_is_the_same_with_its_gradients(monkeypatch):
    layer = mixer("s4", width=5)

    def made():
        kernel = layer.kernels(40)
        return kernel, *torch.autograd.grad(kernel.square().sum(), [layer.log_step, layer.frequency, layer.P, layer.B])

    whole = made()
    monkeypatch.setattr("lab_ssm.s4.model.AT_ONCE", 2 * 4 * 41)
    assert_close(made(), whole)


def test_it_reports_step_sizes_and_half_lives():
    model = build(S4Config(**TINY, discretisation="zoh"), Task(5, 20))
    with capture(model, {"step size", "half-life"}) as readings:
        model(torch.zeros(1, 6, dtype=torch.long))
    found = {reading.name: reading for reading in readings if reading.layer == 1}
    assert {reading.axes for reading in readings} == {("channel",)}
    steps = found["step size"].values
    assert 1e-3 <= steps.min() <= steps.max() <= 0.1
    assert found["half-life"].values == pytest.approx(0.6931 / (steps / 2), rel=1e-3)  # real parts begin at −1/2


def test_the_state_takes_the_bytes_of_its_formula():
    config, task = S4Config(**TINY), Task(5, 20)
    _, size = ARCHITECTURES[0].state_formula(config, task)
    model = build(config, task)
    assert state_bytes(model.extend(torch.zeros(1, 20, dtype=torch.long), model.start(1))[1]) == size


@pytest.mark.parametrize("kernel", ["s4", "s4d"])
def test_half_precision_is_finite_and_near(kernel):
    torch.manual_seed(0)
    model = build(S4Config(**TINY, kernel=kernel), Task(5, 70))
    tokens = torch.randint(5, (2, 70))
    expected = model(tokens)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert_close(model(tokens).float(), expected, rtol=0, atol=0.05)
    model.half()
    logits, state = model.extend(tokens, model.start(2))
    assert logits.dtype == torch.float16
    assert logits.isfinite().all()
    assert state["blocks"][0][0].dtype == torch.float32


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"state": 0}, "state"),
        ({"state": 7}, "state"),
        ({"step_min": 0.2}, "step_max"),
        ({"kernel": "s4", "initialisation": "lin"}, "s4d"),
        ({"kernel": "s4", "discretisation": "zoh"}, "bilinear"),
    ],
)
def test_settings_that_cannot_be_are_refused_in_words(settings, said):
    with pytest.raises(BadInput, match=said):
        S4Config.read(settings)


@pytest.mark.long
@pytest.mark.parametrize("kernel", ["s4", "s4d"])
def test_a_context_of_a_hundred_thousand_is_finite(kernel):
    torch.manual_seed(0)
    model = build(S4Config(layers=1, width=8, state=8, kernel=kernel), Task(5, 100_000))
    tokens = torch.randint(5, (1, 100_000))
    score = model.score(tokens[:, :-1], tokens[:, 1:])
    score.mean().backward()
    assert score.isfinite().all()
    assert all(parameter.grad.isfinite().all() for parameter in model.parameters())
    with torch.no_grad():
        logits, _ = model.extend(tokens, model.start(1), last=1)
        assert_close(logits, model(tokens)[:, -1:], rtol=0, atol=1e-3)
