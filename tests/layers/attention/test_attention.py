"""Attention and its building blocks: what they refuse, how dropout behaves. Parity tests hold the numbers."""

import pytest
import torch

from lab.api import BadInput, Slot, StackConfig
from lab.layers import Attention, FeedForward, Rotary, rotate

SLOW = Rotary(100.0)


def slot(width=8, dropout=0.0):
    return Slot(width, 0, 2, 16, True, StackConfig(width=width, dropout=dropout))


def test_heads_must_divide_the_width():
    with pytest.raises(BadInput, match=r"heads = 3: does not divide the width\. Allowed: a divisor of 8"):
        Attention(slot(), heads=3)


def test_rotary_positions_need_an_even_head_width():
    with pytest.raises(BadInput, match=r"heads = 2: rotates 3 channels of each head.*Allowed: heads of an even width"):
        Attention(slot(width=6), heads=2, rotary=Rotary())


def test_dropout_falls_on_the_weights_in_training_alone():
    torch.manual_seed(0)
    attention, x = Attention(slot(dropout=0.5), heads=2), torch.randn(1, 6, 8)
    assert not torch.equal(attention(x), attention(x))
    attention.eval()
    assert torch.equal(attention(x), attention(x))


def test_keys_are_cached_after_rotation():
    torch.manual_seed(0)
    attention, x = Attention(slot(), heads=2, rotary=SLOW), torch.randn(1, 6, 8)
    _, state = attention.extend(x[:, :4], attention.start(1))
    _, longer = attention.extend(x[:, 4:], state)
    assert torch.equal(longer.keys[:, :, :4], state.keys)
    raw = attention.project(x).split(8, dim=2)[1].view(1, 6, 2, 4).transpose(1, 2)
    torch.testing.assert_close(longer.keys, rotate(raw, 0, SLOW))


def test_rotation_keeps_lengths_and_depends_on_distance_alone():
    q, k = torch.randn(2, 1, 1, 1, 8, dtype=torch.float64)
    near = (rotate(q, 5, SLOW) * rotate(k, 2, SLOW)).sum()
    far = (rotate(q, 105, SLOW) * rotate(k, 102, SLOW)).sum()
    torch.testing.assert_close(near, far, rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(rotate(q, 9, SLOW).norm(), q.norm(), rtol=1e-5, atol=1e-5)


def test_rotation_of_half_precision_is_computed_in_float32():
    q = torch.randn(1, 1, 40, 8).bfloat16()
    found = rotate(q, 3, Rotary())
    assert found.dtype == torch.bfloat16
    assert torch.equal(found, rotate(q.float(), 3, Rotary()).bfloat16())


def test_angles_made_under_inference_mode_serve_training():
    with torch.inference_mode():
        rotate(torch.randn(1, 1, 3, 4), 0, Rotary(77.0))
    q = torch.randn(1, 1, 3, 4, requires_grad=True)
    rotate(q, 0, Rotary(77.0)).sum().backward()
    assert q.grad is not None


@pytest.mark.parametrize(
    ("gated", "hidden", "units"), [(False, None, 96), (True, None, 64), (False, 10, 10), (True, 10, 10)]
)
def test_a_gated_layer_has_two_thirds_of_the_units(gated, hidden, units):
    layer = FeedForward(slot(width=24), hidden=hidden, activation="geglu" if gated else "gelu")
    assert layer.outer.in_features == units
    assert layer.inner.out_features == units * (1 + gated)


@pytest.mark.parametrize("activation", ["gelu", "gelu-tanh", "relu", "relu2", "silu"])
def test_activations_are_what_they_are_called(activation):
    layer, x = FeedForward(slot(), activation=activation), torch.randn(2, 3, 8)
    functions = {
        "gelu": torch.nn.GELU(), "gelu-tanh": torch.nn.GELU("tanh"), "relu": torch.nn.ReLU(), "silu": torch.nn.SiLU(),
        "relu2": lambda x: x.clamp(min=0) ** 2,
    }  # fmt: skip
    torch.testing.assert_close(layer(x), layer.outer(functions[activation](layer.inner(x))))
