"""selective_scan: h_t = a_t h_{t−1} + Δ_t B_t x_t and y_t = C_t · h_t + D x_t, in blocks and piece by piece."""

import pytest
import torch

from lab.layers import selective_scan
from lab.layers.recurrence import selective

NAMES = ("x", "dt", "A", "B", "C", "D", "state")


def inputs(batch=3, T=13, channels=4, states=3, dtype=torch.float64):
    generator = torch.Generator().manual_seed(0)

    def drawn(*shape):
        return torch.randn(*shape, dtype=dtype, generator=generator)

    token, state = (batch, T, channels), (batch, T, states)
    found = (
        drawn(*token), drawn(*token).exp() / 4, -drawn(channels, states).exp(), drawn(*state), drawn(*state),
        drawn(channels), drawn(batch, channels, states),
    )  # fmt: skip
    return [each.requires_grad_() for each in found]


def by_hand(x, dt, A, B, C, D, state, *, signed=False):
    """Return the result of a plain loop under autograd."""
    y = []
    for t in range(x.shape[1]):
        a = (dt[:, t, :, None] * A).exp()
        state = (2 * a - 1 if signed else a) * state + (dt * x)[:, t, :, None] * B[:, t, None]
        y.append((state * C[:, t, None]).sum(-1) + D * x[:, t])
    return torch.stack(y, dim=1), state


@pytest.fixture(params=["one block", "blocks of 4 tokens", "blocks of 4 tokens of one row", "as on CUDA"])
def blocks(request, monkeypatch):
    if request.param == "as on CUDA":
        monkeypatch.setattr(torch.Tensor, "is_cuda", True)
        monkeypatch.setattr(selective, "fast_kernel", lambda x, module, name: None)
        monkeypatch.setattr(selective, "BLOCK_OF_GPU", 10 * 3 * 4 * 3)
    elif request.param != "one block":
        rows = 1 if "row" in request.param else 3
        monkeypatch.setattr(selective, "STEP", rows * 4 * 3)
        monkeypatch.setattr(selective, "BLOCK", 4 * rows * 4 * 3)


@pytest.mark.short("*-13-signed", "*-1-positive")
@pytest.mark.parametrize("signed", [False, True], ids=["positive", "signed"])
@pytest.mark.parametrize("T", [1, 13])
def test_it_is_the_plain_loop_with_all_gradients_however_it_is_cut(T, signed, blocks):
    tensors = inputs(T=T)
    found, expected = (form(*tensors, signed=signed) for form in (selective_scan, by_hand))
    torch.testing.assert_close(found, expected)
    weights = torch.randn(found[0].shape, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    gradients = [
        torch.autograd.grad((y * weights).sum() + last.square().sum(), tensors) for y, last in (found, expected)
    ]
    for name, one, other in zip(NAMES, *gradients, strict=True):
        torch.testing.assert_close(one, other, msg=lambda text, name=name: f"{name}: {text}")


def test_its_gradients_are_right():
    assert torch.autograd.gradcheck(selective_scan, inputs(batch=2, T=3, channels=2, states=2))


def test_without_gradients_a_skip_and_a_state_it_gives_the_same():
    x, dt, A, B, C, D, state = inputs()
    with torch.no_grad():
        found = selective_scan(x, dt, A, B, C)
    torch.testing.assert_close(found, by_hand(x, dt, A, B, C, 0 * D, 0 * state))


def test_pieces_that_hand_the_state_on_are_the_whole(blocks):
    *tensors, D, state = inputs()
    x, dt, A, B, C = tensors
    whole, last = selective_scan(*tensors, D, state)
    pieces = []
    for piece in (slice(6), slice(6, 7), slice(7, None)):
        y, state = selective_scan(x[:, piece], dt[:, piece], A, B[:, piece], C[:, piece], D, state)
        pieces.append(y)
    torch.testing.assert_close((torch.cat(pieces, dim=1), state), (whole, last))


def test_a_gradient_of_the_last_state_is_left_as_it_was():
    tensors = inputs()
    _, last = selective_scan(*tensors)
    given = torch.ones(3, 3, 4, dtype=torch.float64).mT  # channels last in memory, as the states are inside
    torch.autograd.grad(last, tensors, given, allow_unused=True)
    assert (given == 1).all()


@pytest.mark.parametrize("step", [1e-30, 1e4], ids=["keeps all", "forgets all"])
def test_no_decay_and_the_strongest_give_finite_numbers(step):
    x, _, A, B, C, D, state = inputs(T=40, dtype=torch.float32)
    dt = torch.full_like(x, step, requires_grad=True)
    tensors = (x, dt, A, B, C, D, state)
    y, last = selective_scan(*tensors)
    torch.testing.assert_close(y, by_hand(*tensors)[0])
    gradients = torch.autograd.grad(y.square().mean() + last.square().mean(), tensors)
    assert all(each.isfinite().all() for each in (y, last, *gradients))


def test_half_precision_is_computed_in_float32_also_under_autocast():
    x, dt, A, B, C, D, _ = (each.detach().bfloat16().requires_grad_() for each in inputs())
    expected = selective_scan(*(each.float() for each in (x, dt, A, B, C, D)))
    for enabled in (False, True):
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=enabled):
            y, last = selective_scan(x, dt, A, B, C, D)
            (dx,) = torch.autograd.grad(y.float().square().sum(), x)
        assert (y.dtype, last.dtype, dx.dtype) == (torch.bfloat16, torch.float32, torch.bfloat16)
        torch.testing.assert_close(y, expected[0].bfloat16())
        torch.testing.assert_close(last, expected[1])


def test_it_runs_on_the_meta_device_without_a_loop():
    x = torch.zeros(2, 10**6, 4, device="meta", requires_grad=True)
    A, B = torch.zeros(4, 3, device="meta"), torch.zeros(2, 10**6, 3, device="meta")
    y, last = selective_scan(x, x, A, B, B)
    y.sum().backward()
    assert (y.shape, last.shape, x.grad.shape) == (x.shape, (2, 4, 3), x.shape)


@pytest.mark.long
def test_a_hundred_thousand_tokens_stay_finite():
    tensors = inputs(batch=1, T=100_000, channels=8, states=4, dtype=torch.float32)
    y, last = selective_scan(*tensors)
    gradients = torch.autograd.grad(y.square().mean(), tensors)
    assert all(each.isfinite().all() for each in (y, last, *gradients))


@pytest.fixture
def calls(monkeypatch):
    """A made kernel of mamba_ssm, and what it was called with."""
    found = []

    def made(x, dt, A, B, C, D, *, return_last_state):
        assert return_last_state
        found.append((x, dt, A, B, C, D))
        return 2 * x, x.sum(-1)[..., None] + A

    monkeypatch.setattr(selective, "fast_kernel", lambda x, module, name: made)
    return found


def test_mamba_ssm_is_given_channels_before_tokens(calls):
    x, dt, A, B, C, D, _ = inputs(dtype=torch.float32)
    y, last = selective_scan(x, dt, A, B, C, D)
    (given,) = calls
    torch.testing.assert_close(given, (x.mT, dt.mT, A, B.mT, C.mT, D))
    torch.testing.assert_close(y, 2 * x)
    with pytest.raises(RuntimeError, match="no gradient"):
        last.sum().backward()


def test_what_mamba_ssm_cannot_is_computed_by_torch(calls):
    *tensors, D, state = inputs(dtype=torch.float32)
    selective_scan(*tensors, D, state)
    selective_scan(*tensors, D, signed=True)
    selective_scan(*(each.double() for each in tensors))
    assert not calls
