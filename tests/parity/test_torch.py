"""Layers against torch's own."""

import pytest
import torch
from torch import nn

from lab.api import Slot, StackConfig
from lab.layers import Attention, LayerNorm, RMSNorm


def slot(*, causal=True, width=24):
    return Slot(width, 0, 2, 16, causal, StackConfig(width=width))


@pytest.fixture(params=[True, False], ids=["causal", "bidirectional"])
def causal(request):
    return request.param


@pytest.fixture
def attentions(causal):
    torch.manual_seed(0)
    ours, theirs = Attention(slot(causal=causal), heads=3, bias=True), nn.MultiheadAttention(24, 3, batch_first=True)
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    names = {"project.weight": "in_proj_weight", "project.bias": "in_proj_bias"}
    names |= {"output.weight": "out_proj.weight", "output.bias": "out_proj.bias"}
    ours.load_state_dict({name: theirs.state_dict()[other] for name, other in names.items()})
    return ours, theirs


def test_attention_and_its_map_are_those_of_multihead_attention(attentions, causal):
    ours, theirs = attentions
    x = torch.randn(2, 11, 24)
    mask = nn.Transformer.generate_square_subsequent_mask(11) if causal else None
    expected, weights = theirs(x, x, x, attn_mask=mask, average_attn_weights=False)
    torch.testing.assert_close(ours(x), expected)
    torch.testing.assert_close(ours.mixing_map(x), weights)


def test_a_cached_chunk_is_masked_as_causal_lower_right():
    from torch.nn.attention.bias import causal_lower_right  # imports the compiler

    torch.manual_seed(0)
    attention = Attention(slot(), heads=3)
    x = torch.randn(2, 11, 24)
    _, state = attention.extend(x[:, :7], attention.start(2))
    y, (k, v, *_) = attention.extend(x[:, 7:], state)
    q = attention.project(x[:, 7:]).split(24, dim=2)[0].view(2, 4, 3, 8).transpose(1, 2)
    expected = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=causal_lower_right(4, 11))
    torch.testing.assert_close(y, attention.output(expected.transpose(1, 2).flatten(2)))


def test_norms_are_torch_s_with_an_explicit_epsilon():
    x = 1e-3 * torch.randn(2, 5, 24)
    torch.testing.assert_close(RMSNorm(slot())(x), nn.RMSNorm(24, eps=1e-6)(x))
    torch.testing.assert_close(RMSNorm(slot())(x), x / (x.square().mean(-1, keepdim=True) + 1e-6).sqrt())
    torch.testing.assert_close(LayerNorm(slot())(x), nn.LayerNorm(24, eps=1e-5, bias=False)(x))
    assert LayerNorm(slot()).bias is None
