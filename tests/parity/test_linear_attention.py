"""Mixers of lab_linear_attention against their papers' equations, token by token or quadratic, written out here."""

import math

import pytest
import torch
import torch.nn.functional as F

from lab.api import Slot
from lab_linear_attention import settings as own
from lab_linear_attention.delta import DeltaNet, GatedDeltaNet
from lab_linear_attention.model import LEAST, GatedLinearAttention, LinearAttention, Retention
from lab_linear_attention.rwkv import ChannelMixing, TimeMixing

B, T, C, H = 2, 66, 8, 2  # longer than one chunk


def heads(x):
    """(B, T, H · D) -> (B, H, T, D)."""
    return x.unflatten(-1, (H, -1)).transpose(1, 2)


def projected(mixer, x, silu):
    """Queries, keys and values (B, H, T, D), behind a convolution written tap by tap."""
    joined = x @ mixer.project.weight.T
    if mixer.convolution is not None:
        taps = mixer.convolution.weight[:, 0]  # (channels, kernel), the last for the token itself
        joined = sum(F.pad(joined, (0, 0, lag, 0))[:, :T] * taps[:, -1 - lag] for lag in range(taps.shape[1]))
    joined = joined * joined.sigmoid() if silu else joined
    return [heads(part) for part in joined.split(mixer.rows, dim=-1)]


def rms(o, norm):
    """Each head over its root mean square, times the gains."""
    return o / (o.square().mean(-1, keepdim=True) + norm.eps).sqrt() * norm.weight.view(H, 1, -1)


def group(o, norm):
    """Each head less its mean, over its spread, times the gains."""
    centred = o - o.mean(-1, keepdim=True)
    normal = centred / (centred.square().mean(-1, keepdim=True) + norm.eps).sqrt() * norm.weight.view(H, 1, -1)
    return normal if norm.bias is None else normal + norm.bias.view(H, 1, -1)


def put_out(mixer, o, gate=None):
    y = o.transpose(1, 2).flatten(2)
    return (y if gate is None else y * gate * gate.sigmoid()) @ mixer.output.weight.T


KERNELS = {
    "elu": lambda q, k, _: (F.elu(q) + 1) @ (F.elu(k) + 1).mT,
    "relu": lambda q, k, _: q.relu() @ k.relu().mT,
    "exp": lambda q, k, _: q.exp() @ k.exp().mT,
    "performer": lambda q, k, w: (
        ((q @ w.T) - q.square().sum(-1, keepdim=True) / 2).exp()
        @ ((k @ w.T) - k.square().sum(-1, keepdim=True) / 2).exp().mT
    ),
    "taylor": lambda q, k, _: 1 + q @ k.mT + (q @ k.mT) ** 2 / 2,
}


def linear_attention(mixer, x):
    q, k, v = projected(mixer, x, silu=False)
    name, width = mixer.settings.feature_map, q.shape[-1]
    if name == "identity":
        return put_out(mixer, rms((q @ k.mT / math.sqrt(width)).tril() @ v, mixer.norm))
    if name in ("performer", "taylor"):  # then q·k is the softmax's q·k/√K
        q, k = q / width**0.25, k / width**0.25
    weights = KERNELS[name](q, k, getattr(mixer.features, "directions", None)).tril()
    return put_out(mixer, weights @ v / weights.sum(-1, keepdim=True).clamp(min=LEAST))  # of relu it may be 0


def retnet(mixer, x):
    q, k, v = projected(mixer, x, silu=False)
    half = q.shape[-1] // 2
    angle = torch.arange(T).double()[:, None] * 10_000 ** (-torch.arange(half).double() / half)
    turn = torch.complex(angle.cos().float().double(), angle.sin().float().double())  # tables of rotary are float32
    q, k = (torch.complex(part[..., :half], part[..., half:]) * turn for part in (q, k))
    lag = (torch.arange(T)[:, None] - torch.arange(T)).clamp(min=0)
    decay = torch.stack([(1 - 2.0 ** (-5 - h)) ** lag.double() for h in range(H)])
    weights = ((q @ k.conj().mT).real * decay / math.sqrt(2 * half)).tril()
    return put_out(mixer, group(weights @ v, mixer.norm), x @ mixer.gate.weight.T)


def gla(mixer, x):
    q, k, v = projected(mixer, x, silu=mixer.convolution is not None)
    low = x @ mixer.narrow.weight.T @ mixer.decays.weight.T + mixer.decays.bias
    a = heads(low).sigmoid() ** (1 / mixer.settings.gate_divisor)
    S, read = torch.zeros(B, H, k.shape[-1], v.shape[-1], dtype=x.dtype), []
    for t in range(T):
        S = a[:, :, t, :, None] * S + k[:, :, t, :, None] * v[:, :, t, None]
        read.append((S * q[:, :, t, :, None]).sum(2) / math.sqrt(k.shape[-1]))
    return put_out(mixer, rms(torch.stack(read, 2), mixer.norm), x @ mixer.gate.weight.T)


def delta(mixer, x):
    q, k, v = projected(mixer, x, silu=True)
    q, k = (part / (part.square().sum(-1, keepdim=True) + 1e-6).sqrt() for part in (q, k))
    beta = (x @ mixer.strength.weight.T).sigmoid() * (2 if mixer.settings.eigenvalues == "signed" else 1)
    a, gate = torch.ones_like(beta), None
    if isinstance(mixer, GatedDeltaNet):
        a = (-mixer.A_log.exp() * F.softplus(x @ mixer.step_size.weight.T + mixer.step_bias)).exp()
        gate = x @ mixer.gate.weight.T
    S, read, one = torch.zeros(B, H, k.shape[-1], v.shape[-1], dtype=x.dtype), [], torch.eye(k.shape[-1]).to(x.dtype)
    for t in range(T):
        key, b = k[:, :, t, :, None], beta[:, t, :, None, None]
        S = a[:, t, :, None, None] * (one - b * key @ key.mT) @ S + b * key * v[:, :, t, None]
        read.append((S * q[:, :, t, :, None]).sum(2) / math.sqrt(k.shape[-1]))
    return put_out(mixer, rms(torch.stack(read, 2), mixer.norm), gate)


def rwkv6(mixer, x):
    before = F.pad(x, (0, 0, 1, 0))[:, :-1]

    def lerp(mu):
        return x + (before - x) * mu

    rank = mixer.settings.shift_rank
    low = torch.tanh(lerp(mixer.shift) @ mixer.shift_narrow.weight.T).split(rank, dim=-1)
    d, k, v, r, g = (lerp(mixer.shifts[i] + low[i] @ mixer.shift_wide[i]) for i in range(5))
    d = mixer.decay_base + torch.tanh(d @ mixer.decay_narrow.weight.T) @ mixer.decay_wide.weight.T
    w = heads((-d.exp()).exp())
    r, k, v = heads(r @ mixer.receptance.weight.T), heads(k @ mixer.key.weight.T), heads(v @ mixer.value.weight.T)
    S, read = torch.zeros(B, H, C // H, C // H, dtype=x.dtype), []
    for t in range(T):
        write = k[:, :, t, :, None] * v[:, :, t, None]
        read.append(((S + mixer.bonus[..., None] * write) * r[:, :, t, :, None]).sum(2))
        S = w[:, :, t, :, None] * S + write
    return put_out(mixer, group(torch.stack(read, 2), mixer.norm), g @ mixer.gate.weight.T)


KINDS = {
    **{
        name: (LinearAttention, own.LinearAttentionSettings(heads=H, feature_map=name), linear_attention)
        for name in ("elu", "relu", "exp", "performer", "taylor", "identity")
    },
    "elu-convolved": (LinearAttention, own.LinearAttentionSettings(heads=H, convolution=3), linear_attention),
    "retnet": (Retention, own.RetNetSettings(heads=H), retnet),
    "gla": (GatedLinearAttention, own.GLASettings(heads=H, gate_rank=3), gla),
    "gla-convolved": (GatedLinearAttention, own.GLASettings(heads=H, convolution=2, gate_divisor=1.0), gla),
    "deltanet": (DeltaNet, own.DeltaNetSettings(heads=H), delta),
    "deltanet-plain": (DeltaNet, own.DeltaNetSettings(heads=H, convolution=0, key_width=5, value_width=3), delta),
    "deltanet-signed": (DeltaNet, own.DeltaNetSettings(heads=H, eigenvalues="signed"), delta),
    "gated-deltanet": (GatedDeltaNet, own.GatedDeltaNetSettings(heads=H), delta),
    "gated-deltanet-signed": (GatedDeltaNet, own.GatedDeltaNetSettings(heads=H, eigenvalues="signed"), delta),
    "rwkv6": (TimeMixing, own.RWKV6Settings(heads=H, shift_rank=3, decay_rank=5), rwkv6),
}


LONG = {"elu-convolved", "gla", "deltanet", "deltanet-plain", "gated-deltanet-signed"}
"""Kinds that differ from another one by a setting that a third one has too."""


@pytest.fixture(params=[pytest.param(name, marks=[pytest.mark.long] * (name in LONG)) for name in KINDS])
def pair(request):
    """A mixer in float64 whose weights all matter, an input, and what the equations make of it."""
    kind, settings, equations = KINDS[request.param]
    torch.manual_seed(0)
    mixer = kind(Slot(C, 1, 3, T, True, settings)).double()
    with torch.no_grad():
        for parameter in mixer.parameters():
            parameter.add_(0.25 * torch.randn_like(parameter))
    mixer.settings = settings
    x = torch.randn(B, T, C, dtype=torch.float64)
    return mixer, x, passed(mixer, x, lambda: equations(mixer, x))


def passed(mixer, x, compute):
    """The outputs, and the gradients by the input and every weight."""
    leaf = x.requires_grad_()
    y = compute()
    direction = torch.linspace(-1, 1, y.numel(), dtype=y.dtype).cos().view(y.shape)
    return [y.detach(), *torch.autograd.grad((y * direction).sum(), [leaf, *mixer.parameters()])]


def in_pieces(mixer, x, sizes):
    state, read = mixer.start(B), []
    for piece in x.split(sizes, dim=1):
        y, state = mixer.extend(piece, state)
        read.append(y)
    return torch.cat(read, dim=1)


def quadratic(mixer, x):
    read, _ = mixer.read(x, mixer.start(B))
    return mixer.output(mixer.written((read.weights() @ read.v.transpose(1, 2)).transpose(1, 2), read.gate))


FORMS = {
    "chunked": lambda mixer, x: mixer(x),
    "quadratic": quadratic,
    "chunks-then-recurrent": lambda mixer, x: in_pieces(mixer, x, [T - 6, *[1] * 6]),
    "recurrent": lambda mixer, x: in_pieces(mixer, x, [1] * T),
}
every_form = pytest.mark.parametrize("form", [*[*FORMS][:-1], pytest.param("recurrent", marks=pytest.mark.long)])


@pytest.mark.short("*-chunked", "deltanet-signed-*", "gla-convolved-*", "rwkv6-*", "elu-*")
@every_form
def test_every_form_and_its_gradients_are_those_of_the_equations_to_1e_9(pair, form):
    mixer, x, expected = pair
    assert_close(passed(mixer, x, lambda: FORMS[form](mixer, x)), expected, 1e-9)


@pytest.mark.short(
    "elu-chunked",
    "deltanet-signed-chunked",
    "gated-deltanet-chunked",
    "gla-convolved-chunked",
    "retnet-chunked",
    "rwkv6-chunked",
)
@pytest.mark.parametrize("form", ["chunked", *(pytest.param(name, marks=pytest.mark.long) for name in [*FORMS][1:])])
def test_in_float32_they_are_to_1e_5(pair, form):
    mixer, x, expected = pair
    narrow, short = mixer.float(), x.detach().float()
    assert_close(passed(narrow, short, lambda: FORMS[form](narrow, short)), expected, 1e-5)


def assert_close(found, expected, tolerance):
    """Within the tolerance of the largest number of each."""
    for one, other in zip(found, expected, strict=True):
        gap, size = (one.double() - other).abs().max().item(), max(1.0, other.abs().max().item())
        assert gap <= tolerance * size, f"{gap / size:.1e} in {tuple(one.shape)}"


def test_channel_mixing_is_its_equation():
    torch.manual_seed(0)
    mixer = ChannelMixing(Slot(C, 1, 3, T, True, own.RWKV6ChannelSettings(hidden=24))).double()
    x = torch.randn(B, T, C, dtype=torch.float64)
    more = F.pad(x, (0, 0, 1, 0))[:, :-1] - x
    key = ((x + more * mixer.key_shift) @ mixer.key.weight.T).relu() ** 2
    receptance = (x + more * mixer.receptance_shift) @ mixer.receptance.weight.T
    torch.testing.assert_close(mixer(x), receptance.sigmoid() * (key @ mixer.value.weight.T), atol=1e-12, rtol=0)
    torch.testing.assert_close(in_pieces(mixer, x, [T - 2, 1, 1]), mixer(x), atol=1e-12, rtol=0)
