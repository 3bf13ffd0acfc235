"""Maps between positions are exact: with a layer's own inputs, and what it does at each token, they give its output."""

import pytest
import torch
import torch.nn.functional as F
from torch.testing import assert_close

from lab.api import Slot, StackConfig
from lab.layers import Alibi, Attention, RelativeBias, Rotary
from lab_linear_attention import settings as linear
from lab_linear_attention.delta import DeltaNet, GatedDeltaNet
from lab_linear_attention.model import GatedLinearAttention, LinearAttention, Retention
from lab_linear_attention.rwkv import TimeMixing
from lab_ssm.mamba.cards import Mamba2Settings, MambaSettings
from lab_ssm.mamba.mamba import Mamba
from lab_ssm.mamba.mamba2 import Mamba2
from lab_ssm.s4.cards import S4Settings
from lab_ssm.s4.model import S4

B, T, C, H = 2, 70, 8, 4
TOLERANCE = {"atol": 1e-9, "rtol": 0}


def made(kind, config, causal=True, **given):
    """A mixer in float64 whose weights all matter, and what it reads."""
    torch.manual_seed(0)
    mixer = kind(Slot(C, 1, 3, T, causal, config), **given).double().eval()
    with torch.no_grad():
        for parameter in mixer.parameters():
            parameter.add_(0.25 * torch.randn_like(parameter))
    return mixer, torch.randn(B, T, C, dtype=torch.float64)


def assert_lower_triangular(maps, mixer, x):
    assert maps.shape[-2:] == (T, T)
    assert not maps.triu(1).any()
    assert maps.tril().any()
    assert maps.shape[1] == len(mixer.mixing_heads or range(maps.shape[1]))


SOFTMAX = {
    "rotary": {"rotary": Rotary(100.0), "bias": True},
    "grouped queries in a window": {"kv_heads": 2, "window": 5},
    "alibi with a sink": {"position_bias": Alibi(H), "sink": True, "kv_heads": 1},
    "relative bias, capped": {
        "position_bias": RelativeBias(H, buckets=8, farthest=20, causal=True).double(),
        "cap": 2.0,
    },
    "dilated, with global tokens and a norm": {"window": 3, "dilation": 2, "global_tokens": 2, "qk_norm": 1e-6},
}


@torch.no_grad()
@pytest.mark.parametrize("variant", SOFTMAX)
def test_softmax_attention_is_its_map_times_the_values_through_the_output_projection(variant):
    mixer, x = made(Attention, StackConfig(width=C), heads=H, **SOFTMAX[variant])
    maps = mixer.mixing_map(x)
    assert_lower_triangular(maps, mixer, x)
    values = mixer.queries_keys_values(x)[2].repeat_interleave(H // mixer.kv_heads, dim=1)
    assert_close(mixer.output((maps @ values).transpose(1, 2).flatten(2)), mixer(x), **TOLERANCE)


KINDS = {
    **{
        name: (LinearAttention, linear.LinearAttentionSettings(heads=2, feature_map=name))
        for name in ("elu", "relu", "exp", "performer", "taylor", "identity")
    },
    "convolved": (LinearAttention, linear.LinearAttentionSettings(heads=2, convolution=3)),
    "retnet": (Retention, linear.RetNetSettings(heads=2)),
    "gla": (GatedLinearAttention, linear.GLASettings(heads=2, gate_rank=3)),
    "deltanet": (DeltaNet, linear.DeltaNetSettings(heads=2)),
    "deltanet-signed": (DeltaNet, linear.DeltaNetSettings(heads=2, eigenvalues="signed")),
    "gated-deltanet": (GatedDeltaNet, linear.GatedDeltaNetSettings(heads=2)),
    "rwkv6": (TimeMixing, linear.RWKV6Settings(heads=2, shift_rank=3, decay_rank=5)),
}


@pytest.mark.short("elu", "performer", "deltanet-signed", "gated-deltanet", "gla", "retnet", "rwkv6", "convolved")
@torch.no_grad()
@pytest.mark.parametrize("kind", KINDS)
def test_linear_attention_is_its_map_times_the_values_normed_gated_and_projected(kind):
    mixer, x = made(*KINDS[kind])
    maps, (read, _) = mixer.mixing_map(x), mixer.read(x, mixer.start(B))
    assert_lower_triangular(maps, mixer, x)
    normalised = getattr(mixer, "normalised", False)  # then the map is divided already, and the last value is the 1s
    values = (read.v[..., :-1] if normalised else read.v).transpose(1, 2)
    y = mixer.norm((maps @ values).transpose(1, 2)).flatten(2)
    assert_close(mixer.output(y if read.gate is None else y * F.silu(read.gate)), mixer(x), **TOLERANCE)


@torch.no_grad()
@pytest.mark.parametrize("eigenvalues", ["positive", "signed"])
def test_mamba_is_its_hidden_attention_and_skip_times_the_scan_s_input_gated_and_projected(eigenvalues):
    mixer, x = made(Mamba, MambaSettings(state=3, eigenvalues=eigenvalues))
    alpha, read = mixer.hidden_attention(x), mixer.selected(x).x
    gate = mixer.project(x).chunk(2, dim=-1)[1]
    y = torch.einsum("bdts,bsd->btd", alpha, read) + mixer.D * read
    assert_close(mixer.output(y * F.silu(gate)), mixer(x), **TOLERANCE)
    maps = mixer.mixing_map(x)
    assert_lower_triangular(maps, mixer, x)
    assert_close(maps, torch.stack([alpha.mean(dim=1), alpha.abs().mean(dim=1)], dim=1))
    assert maps[:, 0].min() < 0 <= maps[:, 1].min()


@torch.no_grad()
def test_mamba_2_is_its_map_and_skip_times_the_recurrence_s_input_through_the_gated_norm():
    mixer, x = made(Mamba2, Mamba2Settings(state=3, head_width=4, groups=2))
    maps, read = mixer.mixing_map(x), mixer.recurrence_inputs(x).x  # (B, H, T, T), (B, T, H, P)
    assert_lower_triangular(maps, mixer, x)
    y = torch.einsum("bhts,bshp->bthp", maps, read) + mixer.D[:, None] * read
    gate = mixer.project(x)[..., : mixer.inner]
    assert_close(mixer.output(mixer.norm(y.flatten(2), gate)), mixer(x), **TOLERANCE)


S4_KINDS = {
    "s4": S4Settings(kernel="s4", state=8),
    "s4d": S4Settings(state=8),
    "s4d-lin": S4Settings(state=8, initialisation="lin", discretisation="zoh"),
}


@torch.no_grad()
@pytest.mark.parametrize("kind", S4_KINDS)
def test_s4_is_the_toeplitz_matrix_of_each_channel_s_kernel_times_its_input_behind_gelu_and_a_gate(kind):
    mixer, x = made(S4, S4_KINDS[kind])
    kernels, lag = mixer.kernels(T), torch.arange(T)[:, None] - torch.arange(T)
    every = (kernels[:, lag.clamp(min=0)] * (lag >= 0)).expand(B, -1, -1, -1)  # (B, C, T, T)
    y = torch.einsum("bcts,bsc->btc", every, x)
    assert_close(F.glu(mixer.output(F.gelu(y)), dim=-1), mixer(x), atol=1e-6, rtol=0)
    maps = mixer.mixing_map(x)
    assert_lower_triangular(maps, mixer, x)
    assert_close(maps, torch.stack([every.mean(dim=1), every.abs().mean(dim=1)], dim=1))
