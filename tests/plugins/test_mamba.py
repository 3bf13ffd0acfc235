"""Mamba and Mamba-2: how they begin, what they compute and carry, what they report, what they refuse."""

import math

import pytest
import torch
import torch.nn.functional as F

from lab.api import BadInput, Slot, Task, capture
from lab.diagnostics.cost import blueprint, measure
from lab.layers import decayed_attention
from lab.testing.cards import offer_of
from lab.training.optimizers.groups import parameter_groups
from lab_ssm.mamba import mamba2
from lab_ssm.mamba.cards import Mamba2Config, Mamba2Settings, MambaConfig, MambaSettings
from lab_ssm.mamba.formats import Mamba as MambaFormat
from lab_ssm.mamba.formats import Mamba2 as Mamba2Format
from lab_ssm.mamba.mamba import Mamba
from lab_ssm.mamba.mamba2 import Mamba2

CARDS = {name: offer_of(None, "lab_ssm").architectures[name] for name in ("mamba", "mamba2")}
WIDTH, LENGTH = 8, 12
SMALL = {"mamba": {"state": 3}, "mamba2": {"state": 3, "head_width": 4, "groups": 2}}
EXACT = {  # of the released weights, as their state dicts count them
    ("mamba", "130M"): 129_135_360, ("mamba", "370M"): 371_516_416, ("mamba", "790M"): 793_204_224,
    ("mamba", "1.4B"): 1_372_178_432, ("mamba", "2.8B"): 2_768_345_600, ("mamba2", "130M"): 128_989_632,
    ("mamba2", "370M"): 368_346_624, ("mamba2", "780M"): 780_161_280, ("mamba2", "1.3B"): 1_343_757_312,
    ("mamba2", "2.7B"): 2_702_599_680,
}  # fmt: skip


def mixer(name, width=WIDTH, layers=1, dtype=torch.float64, **settings):
    """A mixer with random weights."""
    kind, config = {"mamba": (Mamba, MambaSettings), "mamba2": (Mamba2, Mamba2Settings)}[name]
    torch.manual_seed(0)
    made = kind(Slot(width, 0, layers, 64, True, config(**{**SMALL[name], **settings}))).to(dtype)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return made


def inputs(length=LENGTH, batch=2, width=WIDTH, dtype=torch.float64):
    return torch.randn(batch, length, width, generator=torch.Generator().manual_seed(1), dtype=dtype)


# ------------------------------------------------------------------------------------------------------- how they begin


def test_the_states_of_mamba_begin_as_one_to_n_and_weight_decay_spares_them():
    made = Mamba(Slot(32, 0, 4, 64, True, MambaSettings(state=5)))
    assert torch.allclose(made.rates, -torch.arange(1.0, 6).expand(64, 5))
    assert made.D.eq(1).all()
    groups = parameter_groups(made, roles=True)
    assert {name for group in groups if not group["decays"] for name in group["names"]} >= {"A_log", "D"}


def test_mamba_2_begins_with_decay_rates_from_1_to_16_evenly():
    rates = -Mamba2(Slot(256, 0, 1, 64, True, Mamba2Settings(head_width=1))).rates.detach()
    assert rates.min() >= 1
    assert rates.max() <= 16
    assert rates.mean() == pytest.approx(8.5, abs=1)


@pytest.mark.parametrize("name", SMALL)
def test_step_sizes_begin_log_uniform_in_their_range(name):
    torch.manual_seed(0)
    steps = {"step_min": 1e-2, "step_max": 1.0}
    if name == "mamba":
        bias = Mamba(Slot(256, 0, 1, 64, True, MambaSettings(**steps))).step_size.bias
    else:
        bias = Mamba2(Slot(256, 0, 1, 64, True, Mamba2Settings(head_width=1, **steps))).dt_bias
    dt = F.softplus(bias.detach())
    assert dt.min() >= 0.99e-2
    assert dt.max() <= 1.01
    assert dt.log10().mean() == pytest.approx(-1, abs=0.06)


def test_the_projection_to_step_sizes_begins_within_the_root_of_its_rank():
    weight = Mamba(Slot(64, 0, 1, 64, True, MambaSettings())).step_size.weight
    assert weight.shape == (128, 4)
    assert 0.4 < weight.abs().max() <= 0.5


@pytest.mark.parametrize(
    ("name", "kind", "config"), [("mamba", Mamba, MambaSettings), ("mamba2", Mamba2, Mamba2Settings)]
)
def test_what_writes_into_the_residual_stream_is_divided_by_the_root_of_the_layers(name, kind, config):
    spread = [kind(Slot(64, 0, layers, 64, True, config())).output.weight.std().item() for layers in (1, 16)]
    assert spread[0] / spread[1] == pytest.approx(4, rel=0.1)


# ---------------------------------------------------------------------------------------------------- what they compute


@pytest.mark.parametrize(("name", "settings"), [("mamba", {}), ("mamba", {"eigenvalues": "signed"}), ("mamba2", {})])
def test_pieces_and_single_tokens_give_what_the_whole_text_gives_with_a_state_of_one_size(name, settings):
    made, x = mixer(name, **settings), inputs(70)
    whole, state, found = made(x), made.start(2), []
    sizes = {key: part.shape for key, part in state.items()}
    for first, last in ((0, 1), (1, 2), (2, 40), (40, 69)):
        y, state = made.extend(x[:, first:last], state)
        found.append(y)
    y, state = made.step(x[:, 69], state)
    assert torch.allclose(torch.cat([*found, y[:, None]], dim=1), whole, atol=1e-12)
    assert {key: part.shape for key, part in state.items()} == sizes


def test_mamba_is_the_recurrence_of_the_paper():
    made, x = mixer("mamba"), inputs()
    inner, gate = made.project(x).chunk(2, dim=-1)
    before = F.pad(inner, (0, 0, 3, 0))
    weight = made.convolution.weight[:, 0]
    seen = F.silu(sum(before[:, k : k + LENGTH] * weight[:, k] for k in range(4)) + made.convolution.bias)
    low, B, C = made.select(seen).split([1, 3, 3], dim=-1)
    dt = F.softplus(made.step_size(low))
    h, read = torch.zeros(2, 16, 3, dtype=x.dtype), []
    for t in range(LENGTH):
        h = (dt[:, t, :, None] * -made.A_log.exp()).exp() * h + (dt * seen)[:, t, :, None] * B[:, t, None]
        read.append((h * C[:, t, None]).sum(-1) + made.D * seen[:, t])
    assert torch.allclose(made.output(torch.stack(read, dim=1) * F.silu(gate)), made(x), atol=1e-12)


def test_groups_of_heads_share_what_they_write_and_read_and_are_normalised_by_themselves():
    made, x = mixer("mamba2"), inputs(20, 1)
    asked = made.recurrence_inputs(x)
    assert asked.B.shape == (1, 20, 2, 3)
    q, k = (part.repeat_interleave(2, dim=2) for part in (asked.C, asked.B))
    y, _ = decayed_attention(q, k, asked.x * asked.dt[..., None], asked.dt * made.rates)
    y = (y + made.D[:, None] * asked.x).flatten(2) * F.silu(made.project(x)[..., :16])
    y = y.view(1, 20, 2, 8)
    y = (y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()).flatten(2) * made.norm.weight
    assert torch.allclose(made.output(y), made(x), atol=1e-12)


def test_limits_of_step_sizes_hold():
    dt = mixer("mamba2", step_least=0.05, step_most=0.06).recurrence_inputs(inputs()).dt
    assert dt.min() == 0.05
    assert dt.max() == 0.06


def test_under_autocast_step_sizes_and_state_stay_in_full_precision():
    for name in SMALL:
        made, x = mixer(name, dtype=torch.float32), inputs(dtype=torch.float32)
        with torch.autocast("cpu", torch.bfloat16):
            y, state = made.extend(x, made.start(2))
            asked = made.selected(x) if name == "mamba" else made.recurrence_inputs(x)
            assert made.mixing_map(x.bfloat16()).dtype == made.eigenvalues(x.bfloat16()).real.dtype == torch.float32
        assert (asked.dt.dtype, state["state"].dtype) == (torch.float32, torch.float32)
        assert torch.allclose(y.float(), made(x), atol=0.1)


@pytest.mark.parametrize("name", SMALL)
def test_half_precision_is_finite_forward_and_backward(name):
    made = mixer(name, dtype=torch.float32, step_max=1.0)
    x = 3 * inputs(dtype=torch.float32)
    with torch.autocast("cpu", torch.float16):
        y = made(x)
    y.float().square().mean().backward()
    assert y.isfinite().all()
    assert all(parameter.grad.isfinite().all() for parameter in made.parameters())


def test_the_kernel_for_cuda_is_given_what_its_signature_asks_for(monkeypatch):
    def mamba_chunk_scan_combined(x, dt, A, B, C, chunk_size, D=None, initial_states=None, return_final_states=False):
        assert (A.shape, D.shape, initial_states.shape, return_final_states) == ((4,), (4,), (2, 4, 4, 3), True)
        q, k = (part.repeat_interleave(2, dim=2) for part in (C, B))
        y, state = decayed_attention(q, k, x * dt[..., None], dt * A, initial_states.transpose(2, 3))
        return y + x * D[:, None], state.transpose(2, 3)

    made, x = mixer("mamba2", dtype=torch.float32), inputs(dtype=torch.float32)
    _, before = made.extend(x[:, :5], made.start(2))
    expected, after = made.extend(x[:, 5:], before)
    asked = []
    monkeypatch.setattr(mamba2, "fast_kernel", lambda _, *name: asked.append(name) or mamba_chunk_scan_combined)
    found, state = made.extend(x[:, 5:], before)
    assert torch.allclose(found, expected, atol=1e-6)
    assert torch.allclose(state["state"], after["state"], atol=1e-6)
    assert asked[-1] == ("mamba_ssm.ops.triton.ssd_combined", "mamba_chunk_scan_combined")


@pytest.mark.long
@pytest.mark.parametrize("name", SMALL)
def test_a_hundred_thousand_tokens_are_finite(name):
    made, x = mixer(name, dtype=torch.float32), inputs(100_000, 1, dtype=torch.float32)
    with torch.no_grad():
        y, state = made.extend(x, made.start(1))
    assert y.isfinite().all()
    assert state["state"].isfinite().all()


# ----------------------------------------------------------------------------------------------------- what they report


def test_mamba_reports_step_sizes_decay_half_life_and_what_is_written_and_read():
    made, x = mixer("mamba", eigenvalues="signed"), inputs(9)
    with capture(made) as readings:
        made(x)
    found = {reading.name: reading for reading in readings}
    assert {name: reading.axes for name, reading in found.items()} == {
        **dict.fromkeys(("step size", "decay", "half-life"), ("batch", "token", "channel")),
        **dict.fromkeys(("B", "C"), ("batch", "token", "state")),
    }
    a = 2 * (made.selected(x).dt[..., None] * made.rates).exp() - 1
    decay = torch.from_numpy(found["decay"].values).double()
    assert torch.allclose(decay, a.mean(-1), atol=1e-6)
    assert torch.allclose(
        torch.from_numpy(found["half-life"].values).double(), math.log(0.5) / decay.abs().log(), rtol=1e-3
    )
    assert found["half-life"].units == "tokens"


def test_mamba_2_reports_the_same_for_each_head():
    made, x = mixer("mamba2"), inputs(9)
    with capture(made) as readings:
        made(x)
    found = {reading.name: reading for reading in readings}
    assert {reading.axes for reading in readings} == {("batch", "token", "head"), ("batch", "token", "state")}
    decay = torch.from_numpy(found["decay"].values)
    assert torch.allclose(decay ** torch.from_numpy(found["half-life"].values), torch.tensor(0.5), atol=1e-3)
    assert found["B"].values.shape == (2, 9, 6)


def test_eigenvalues_are_what_a_token_multiplies_the_state_by():
    x = inputs(9)
    signed, plain, heads = mixer("mamba", eigenvalues="signed"), mixer("mamba"), mixer("mamba2")
    mean = (plain.selected(x).dt[..., None] * plain.rates).exp().mean(dim=(0, 1)).flatten()
    assert torch.allclose(plain.eigenvalues(x).real, mean)
    assert torch.allclose(signed.eigenvalues(x).real, 2 * mean - 1)
    decays = (heads.recurrence_inputs(x).dt * heads.rates).exp()
    assert torch.allclose(heads.eigenvalues(x).real, decays.mean(dim=(0, 1)))
    assert plain.eigenvalues(x).is_complex()


# --------------------------------------------------------------------------------------------------------------- cards


@pytest.mark.parametrize(
    ("name", "size"), [pytest.param(*pair, marks=() if pair[1] == "130M" else pytest.mark.long) for pair in EXACT]
)
def test_released_models_have_their_parameters_to_the_last_one(name, size):
    card = CARDS[name]
    found = next(each for each in card.sizes["small"] if each.name == size)
    config = card.config.read({**card.presets["small"]["architecture"], **found.settings})
    model = blueprint(card, config, Task(found.vocabulary_size, found.context_length))
    count = sum(parameter.numel() for parameter in model.parameters())
    assert count == EXACT[name, size]
    assert count == pytest.approx(found.parameters, rel=0.035)


@pytest.mark.parametrize("name", CARDS)
def test_the_size_of_the_state_is_that_of_its_formula_for_any_context(name):
    card = CARDS[name]
    config = card.config.read(card.presets["small"]["architecture"])
    words, size = card.state_formula(config, Task(65, 64))
    assert measure(card, config, Task(65, 16), flops=False).state_bytes == size
    assert "tokens" in words


@pytest.mark.parametrize("name", CARDS)
def test_a_preset_is_one_of_its_sizes_and_sizes_are_sorted_by_width(name):
    card = CARDS[name]
    sizes = card.sizes["small"]
    widths = [size.settings["width"] for size in sizes]
    assert widths == sorted(set(widths))
    assert sum(size.settings.items() <= card.presets["small"]["architecture"].items() for size in sizes) == 1


def test_the_operations_of_the_scan_are_counted_with_the_products():
    card, task = CARDS["mamba"], Task(65, 32)
    few, many = (measure(card, card.config(layers=1, width=32, state=state), task).flops_per_token for state in (1, 9))
    assert many - few == 8 * 64 * (3 * 7 + 3 * 2 * 2)  # the scan's, and the projection's to B and C


# ----------------------------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("config", "settings", "field"),
    [
        (MambaConfig, {"state": 0}, "state"),
        (Mamba2Config, {"state": 0}, "state"),
        (MambaConfig, {"step_min": 0.2, "step_max": 0.1}, "step_min"),
        (Mamba2Config, {"step_least": 0.2, "step_most": 0.1}, "step_least"),
        (MambaConfig, {"step_max": 0.0}, "step_max"),
        (MambaConfig, {"eigenvalues": "negative"}, "eigenvalues"),
        (Mamba2Config, {"head_width": 48}, "head_width"),
        (Mamba2Config, {"groups": 3}, "groups"),
    ],
)
def test_settings_that_cannot_be_are_refused_with_their_name(config, settings, field):
    with pytest.raises(BadInput) as caught:
        config.read(settings, field="architecture")
    assert field in caught.value.problem.line()


def test_a_mixer_in_a_width_that_its_heads_do_not_divide_is_refused():
    with pytest.raises(BadInput, match="not a multiple of head_width 64"):
        Mamba2(Slot(48, 0, 1, 64, True, Mamba2Settings()))


@pytest.mark.parametrize(
    ("converter", "given", "key"),
    [
        (MambaFormat, {"hidden_act": "gelu"}, "hidden_act"),
        (MambaFormat, {"state_size": 0}, "state_size"),
        (MambaFormat, {"time_step_rank": "large"}, "time_step_rank"),
        (MambaFormat, {"use_bias": "no"}, "use_bias"),
        (Mamba2Format, {"hidden_act": "relu"}, "hidden_act"),
        (Mamba2Format, {"num_heads": 5}, "num_heads"),
        (Mamba2Format, {"time_step_limit": [0.1]}, "time_step_limit"),
        (Mamba2Format, {"time_step_limit": [-1, 2]}, "time_step_limit"),
        (Mamba2Format, {"time_step_limit": [0, 0]}, "time_step_limit"),
    ],
)
def test_what_a_checkpoint_asks_for_that_is_not_here_is_refused_with_its_key(converter, given, key):
    with pytest.raises(BadInput) as caught:
        converter().settings({"hidden_size": 32, "num_heads": 4, "head_dim": 16, **given})
    assert caught.value.problem.field == f"config.json: {key}"
    assert caught.value.problem.allowed


def test_eigenvalues_below_0_cannot_be_said_to_hugging_face():
    with pytest.raises(BadInput) as caught:
        MambaFormat().config(MambaConfig(eigenvalues="signed"), Task(50, 16))
    assert caught.value.problem.field == "architecture.eigenvalues"


@pytest.mark.parametrize("limit", [[0.0, math.inf], [0.0, {"__float__": "Infinity"}], None])
def test_a_step_size_without_limit_is_read_however_it_is_written(limit):
    found = Mamba2Format().settings({"hidden_size": 32, "num_heads": 4, "head_dim": 16, "time_step_limit": limit})
    assert (found["step_least"], found["step_most"]) == (0.0, 0.0)
