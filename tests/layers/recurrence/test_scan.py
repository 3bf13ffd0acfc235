"""linear_scan: h_t = a_t ⊙ h_{t−1} + b_t, with its own backward pass."""

import pytest
import torch

from lab.layers import linear_scan
from lab.layers.recurrence.scan import scan_in_parts, scan_into


def by_hand(a, b, h):
    """Return the result of a plain loop under autograd."""
    found = []
    for t in range(b.shape[1]):
        h = a.expand_as(b)[:, t] * h + b[:, t]
        found.append(h)
    return torch.stack(found, dim=1)


def inputs(*, a=(2, 9, 3, 4), b=(2, 9, 3, 4), h0=(2, 3, 4), dtype=torch.float64):
    generator = torch.Generator().manual_seed(0)
    return [torch.randn(shape, dtype=dtype, generator=generator, requires_grad=True) for shape in (a, b, h0)]


def test_it_is_the_plain_loop():
    a, b, h0 = inputs()
    torch.testing.assert_close(linear_scan(a, b, h0), by_hand(a, b, h0))


@pytest.mark.parametrize("a", [(2, 9, 3, 4), (2, 9, 3, 1), (2, 9, 1, 1), (1, 9, 3, 4), (4,), ()], ids=str)
def test_the_factor_is_broadcast_and_gets_gradients_of_its_own_shape(a):
    tensors = inputs(a=a)
    found = torch.autograd.grad(linear_scan(*tensors).square().sum(), tensors)
    expected = torch.autograd.grad(by_hand(*tensors).square().sum(), tensors)
    torch.testing.assert_close(found, expected)


@pytest.mark.parametrize("dtype", [torch.float64, torch.complex128], ids=str)
def test_its_gradients_are_right(dtype):
    assert torch.autograd.gradcheck(linear_scan, inputs(a=(2, 5, 1), b=(2, 5, 3), h0=(2, 3), dtype=dtype))


def test_one_token_and_a_carried_state_continue_a_scan():
    a, b, h0 = inputs()
    whole = linear_scan(a, b, h0)
    first = linear_scan(a[:, :8], b[:, :8], h0)
    torch.testing.assert_close(linear_scan(a[:, 8:], b[:, 8:], first[:, -1]), whole[:, 8:])


def test_half_precision_is_summed_in_float32_and_returned_in_the_type_of_b():
    a = torch.full((1, 1000, 1), 1.0, dtype=torch.bfloat16)
    b = torch.full((1, 1000, 1), 2.0**-7, dtype=torch.bfloat16)
    found = linear_scan(a, b, torch.ones(1, 1, dtype=torch.bfloat16))
    assert found.dtype == torch.bfloat16
    assert found[0, -1, 0].item() == pytest.approx(1 + 1000 / 128, rel=0.005)  # summed in bfloat16 it stays at 2


def test_it_runs_on_the_meta_device():
    found = linear_scan(*(torch.zeros(shape, device="meta") for shape in ((2, 5, 3), (2, 5, 3), (2, 3))))
    assert (found.shape, found.is_meta) == ((2, 5, 3), True)


@pytest.mark.parametrize("reverse", [False, True], ids=["forwards", "in reverse"])
@pytest.mark.parametrize("T", [1, 3, 4, 11])
def test_parts_side_by_side_are_the_loop(T, reverse):
    a, b, before = (each.detach() for each in inputs(a=(T, 3, 4), b=(T, 3, 4), h0=(3, 4)))
    looped, parts = torch.empty_like(b), b.clone()
    ends = scan_into(looped, a, b, before, reverse=reverse), scan_in_parts(parts, a, before, reverse=reverse)
    torch.testing.assert_close(parts, looped)
    torch.testing.assert_close(*ends)
    torch.testing.assert_close(ends[0], looped[0 if reverse else -1])
