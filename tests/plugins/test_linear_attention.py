"""lab_linear_attention: cards, states, features, what is told of them, and inputs that break careless forms."""

import math

import pytest
import torch

from lab.api import BadInput, Slot, StackConfig, Task, capture, load, settings_of, state_bytes
from lab.layers import ResidualStack
from lab.testing.suite import trials
from lab.training.optimizers.groups import parameter_groups
from lab_linear_attention.cards import ARCHITECTURES, MIXERS
from lab_linear_attention.features import Exponential, orthogonal_directions, taylor

CARDS = {card.name: card for card in ARCHITECTURES}
TOKEN_MIXERS = {card.name: card for card in MIXERS if card.kind == "token"}
FEATURE_MAPS = ("elu", "relu", "exp", "performer", "taylor", "identity")
KINDS = {
    **{name: ("linear-attention", {"feature_map": name}) for name in FEATURE_MAPS},
    **{name: (name, {}) for name in CARDS if name != "linear-attention"},
    "deltanet-signed": ("deltanet", {"eigenvalues": "signed"}),
    "gated-deltanet-signed": ("gated-deltanet", {"eigenvalues": "signed"}),
}
every_kind = pytest.mark.parametrize("kind", KINDS)


def model(kind, **settings):
    """A small model of one kind."""
    name, own = KINDS[kind]
    torch.manual_seed(0)
    card = CARDS[name]
    return card.make(card.config(layers=1, width=16, heads=2, **own, **settings), Task(11, 64))


def mixer(kind, width=16, **settings):
    """One mixer, with settings of its own alone."""
    name, own = KINDS[kind]
    torch.manual_seed(0)
    card = TOKEN_MIXERS[name]
    return load(card.build)(Slot(width, 0, 2, 64, True, card.config(**{"heads": 2, **own, **settings})))


def tokens(length=20, batch=2):
    return torch.randint(11, (batch, length), generator=torch.Generator().manual_seed(1))


def test_each_architecture_has_its_mixer_and_a_sentence_on_every_setting():
    assert list(TOKEN_MIXERS) == list(CARDS) == [
        "linear-attention", "retnet", "gla", "deltanet", "gated-deltanet", "rwkv6",
    ]  # fmt: skip
    assert not any(card.alone for card in MIXERS)
    assert all(card.references and card.equations for card in (*ARCHITECTURES, *MIXERS))
    assert all(setting.help.endswith(".") for card in ARCHITECTURES for setting in settings_of(card.config))


@pytest.mark.parametrize("name", CARDS)
def test_the_formula_of_its_state_gives_the_bytes_of_its_state_and_those_do_not_grow(name):
    card = CARDS[name]
    for preset in ({}, *card.presets.values()):
        config = card.config(**preset.get("architecture", {}))
        whole = card.make(config, Task(65, 128))
        _, later = whole.extend(tokens(70, batch=1), whole.start(1))
        words, size = card.state_formula(config, Task(65, 128))
        assert state_bytes(whole.start(1)) == state_bytes(later) == size
        assert words.startswith(f"{config.layers} layers × (memory 4 × ")


@pytest.mark.short("elu", "performer", "deltanet", "gated-deltanet-signed", "gla", "retnet", "rwkv6")
@every_kind
def test_a_mixer_reads_its_own_settings_in_any_stack(kind):
    card = TOKEN_MIXERS[KINDS[kind][0]]
    stack = ResidualStack(StackConfig(layers=1, width=16), Task(11, 64), token_mixer=lambda slot: mixer(kind))
    own = model(kind)
    assert {name for name, _ in stack.blocks[0].token.named_parameters()} == {
        name for name, _ in own.blocks[0].token.named_parameters()
    }
    assert stack(tokens()).isfinite().all()
    assert set(card.config.model_fields) <= set(CARDS[card.name].config.model_fields)


def test_biases_of_the_step_decays_and_bonus_are_spared_by_weight_decay():
    for kind, spared in (("gated-deltanet", {"A_log", "step_bias"}), ("rwkv6", {"bonus"})):
        part = mixer(kind)
        kept = {id(each) for group in parameter_groups(part) if not group["decays"] for each in group["params"]}
        assert {id(part.get_parameter(name)) for name in spared} <= kept


# ---- input that is refused


@pytest.mark.parametrize(
    ("name", "settings", "field"),
    [
        ("retnet", {"heads": 3}, "heads"),
        ("rwkv6", {"heads": 5}, "heads"),
        ("linear-attention", {"heads": 0}, "heads"),
        ("retnet", {"decay_exponent": 0}, "decay_exponent"),
        ("retnet", {"decay_exponent": math.nan}, "decay_exponent"),
        ("gla", {"gate_divisor": 0}, "gate_divisor"),
        ("gla", {"gate_divisor": -1}, "gate_divisor"),
        ("linear-attention", {"feature_map": "softmax"}, "feature_map"),
        ("linear-attention", {"features": -1}, "features"),
        ("deltanet", {"eigenvalues": "negative"}, "eigenvalues"),
    ],
)
def test_impossible_settings_are_reported_with_their_field(name, settings, field):
    with pytest.raises(BadInput) as reported:
        CARDS[name].config.read(settings, field="architecture")
    assert reported.value.problem.field == f"architecture.{field}"
    assert reported.value.problem.allowed


@pytest.mark.parametrize(
    ("kind", "settings", "field"),
    [("elu", {"heads": 3}, "heads"), ("retnet", {"heads": 16}, "heads"), ("retnet", {"key_width": 3}, "key_width"),
     ("rwkv6", {"heads": 3}, "heads")],
)  # fmt: skip
def test_a_mixer_that_does_not_fit_its_stack_is_refused_with_its_field(kind, settings, field):
    with pytest.raises(BadInput) as reported:
        mixer(kind, **settings)
    assert reported.value.problem.field == field


def test_heads_of_widths_of_their_own_need_not_divide_the_width():
    part = mixer("deltanet", heads=3, key_width=4, value_width=5)
    assert part(torch.randn(2, 3, 16)).shape == (2, 3, 16)


# ---- input that breaks careless forms


@pytest.mark.short("elu", "performer", "deltanet", "gated-deltanet-signed", "gla", "retnet", "rwkv6")
@every_kind
def test_of_zeros_it_makes_finite_outputs_and_gradients(kind):
    part, x = mixer(kind), torch.zeros(2, 70, 16, requires_grad=True)
    y = part(x)
    y.sum().backward()
    assert y.isfinite().all()
    assert all(each.grad.isfinite().all() for each in (x, *part.parameters()))


STRONG = {
    "gla": lambda part: part.decays.bias.fill_(-1e4),
    "rwkv6": lambda part: part.decay_base.fill_(50.0),
    "gated-deltanet": lambda part: part.A_log.fill_(8.0),
}


@pytest.mark.parametrize("kind", STRONG)
def test_with_the_strongest_decay_each_token_reads_itself_alone(kind):
    part = mixer(kind)
    with torch.no_grad():
        STRONG[kind](part)
        if kind == "gated-deltanet":
            part.step_size.weight.zero_()
            part.step_bias.fill_(1.0)
    x = torch.randn(1, 150, 16, requires_grad=True)
    y = part(x)
    y.square().sum().backward()
    assert y.isfinite().all()
    assert all(each.grad.isfinite().all() for each in (x, *part.parameters()))
    late = part(x[:, 100:])[:, 4:]  # behind the convolution, and the bonus of the token before
    torch.testing.assert_close(late, y[:, 104:], atol=1e-5, rtol=1e-4)


@pytest.mark.short(
    "half0-elu",
    "half0-deltanet",
    "half0-gated-deltanet-signed",
    "half0-gla",
    "half0-retnet",
    "half0-rwkv6",
    "half1-performer",
)
@every_kind
@pytest.mark.parametrize("half", [torch.bfloat16, torch.float16])
def test_under_autocast_states_stay_float32_and_all_is_finite_over_a_thousand_tokens(kind, half):
    whole = model(kind)
    with torch.no_grad():
        for parameter in whole.blocks.parameters():
            parameter.mul_(4)
    with torch.autocast("cpu", dtype=half):
        logits, state = whole.extend(tokens(1030, batch=1), whole.start(1))
        stepped, later = whole.step(tokens(1)[:1, 0], state)
    assert logits.isfinite().all()
    assert stepped.isfinite().all()
    for held in (state, later):
        for block in held["blocks"]:
            assert {each.dtype for each in (block[0] or {}).values() if torch.is_tensor(each)} == {torch.float32}


@pytest.mark.parametrize("kind", ["exp", "performer"])
def test_exponents_far_beyond_float32_stay_finite_and_equal_in_pieces(kind):
    part = mixer(kind)
    x = torch.randn(1, 80, 16) * torch.linspace(1, 300, 80)[:, None].roll(40, 0)
    with torch.no_grad():
        part.project.weight.mul_(10)
    whole, state, pieces = part(x), part.start(1), []
    for piece in x.split([1, 30, 1, 48], dim=1):
        y, state = part.extend(piece, state)
        pieces.append(y)
    assert whole.isfinite().all()
    assert whole[:, 41:].any()
    torch.testing.assert_close(torch.cat(pieces, dim=1), whole, atol=1e-4, rtol=1e-4)


# ---- features


def test_taylor_features_multiply_to_the_series_of_the_exponential():
    q, k = torch.randn(2, 50, 6, dtype=torch.float64)
    s = (q * k).sum(-1) / math.sqrt(6)
    product = (taylor(q) * taylor(k)).sum(-1)
    torch.testing.assert_close(product, 1 + s + s**2 / 2)
    assert taylor(q).shape == (50, 28)
    assert product.min() >= 0.5


def test_random_features_approximate_the_softmax_better_with_their_number():
    q, k = torch.randn(2, 200, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(0)) / 2
    kernel = (q @ k.T / math.sqrt(8)).exp()
    errors = []
    for count in (8, 8192):
        features = Exponential(orthogonal_directions(count, 8, seed=0))
        found = features.exponents(q).exp() @ features.exponents(k).exp().T / count
        errors.append(((found - kernel).square().mean() / kernel.square().mean()).sqrt().item())
    assert errors[1] < 0.05
    assert errors[1] < errors[0] / 5


def test_random_features_are_orthogonal_in_blocks_drawn_by_seed_and_layer_and_kept_with_the_weights():
    first = orthogonal_directions(10, 8, seed=3)
    inner = first[:8] @ first[:8].T
    torch.testing.assert_close(inner, inner.diag().diag(), atol=1e-12, rtol=0)
    settings = {"feature_map": "performer", "layers": 2, "width": 16, "heads": 2}
    card = CARDS["linear-attention"]
    one, same, other = (
        card.make(card.config(feature_seed=seed, **settings), Task(11, 64)).tables() for seed in (0, 0, 5)
    )
    drawn = "blocks.{}.token.features.directions"
    assert torch.equal(one[drawn.format(0)], same[drawn.format(0)])
    assert not torch.equal(one[drawn.format(0)], one[drawn.format(1)])
    assert not torch.equal(one[drawn.format(0)], other[drawn.format(0)])


# ---- what is told


def reported(kind):
    whole = model(kind)
    with capture(whole) as readings:
        whole(tokens())
    return {reading.name: reading for reading in readings}


@pytest.mark.parametrize(
    ("kind", "axes", "shape"),
    [("retnet", ("head",), (2,)), ("gla", ("batch", "token", "channel"), (2, 20, 8)),
     ("gated-deltanet", ("batch", "token", "head"), (2, 20, 2)), ("rwkv6", ("batch", "token", "channel"), (2, 20, 16))],
)  # fmt: skip
def test_decays_are_reported_with_their_half_lives(kind, axes, shape):
    readings = reported(kind)
    decay, half = readings["decay"], readings["half-life"]
    assert decay.axes == half.axes == axes
    assert decay.values.shape == half.values.shape == shape
    assert half.units == "tokens"
    assert 0 < decay.values.min() <= decay.values.max() < 1
    torch.testing.assert_close(
        torch.as_tensor(decay.values).double() ** torch.as_tensor(half.values).double(),
        torch.full(shape, 0.5).double(), atol=1e-2, rtol=0,
    )  # fmt: skip


def test_the_heads_of_a_retnet_forget_as_its_paper_says():
    assert reported("retnet")["decay"].values.tolist() == pytest.approx([1 - 2**-5, 1 - 2**-6])


def test_write_strengths_go_to_1_and_signed_ones_to_2():
    plain, signed = (reported(kind)["write strength"] for kind in ("deltanet", "deltanet-signed"))
    assert plain.axes == ("batch", "token", "head")
    assert 0 < plain.values.min() <= plain.values.max() < 1
    assert (signed.values == 2 * plain.values).all()


def test_the_scaling_of_exponents_is_not_reported_as_a_decay():
    assert {"decay", "half-life"}.isdisjoint(reported("performer"))


@pytest.mark.short("elu", "performer", "deltanet", "gated-deltanet-signed", "gla", "retnet", "rwkv6", "deltanet-signed")
@every_kind
def test_eigenvalues_are_within_the_unit_circle_and_negative_only_where_they_may_be(kind):
    part = mixer(kind)
    with torch.no_grad():
        for parameter in part.parameters():
            parameter.mul_(20 if parameter.ndim > 1 else 1)
    values = part.eigenvalues(torch.randn(2, 9, 16))
    assert values.is_complex()
    assert values.ndim == 1
    assert values.abs().max() <= 1 + 1e-6
    assert (values.real.min() < 0) == kind.endswith("signed")
    if kind in FEATURE_MAPS:
        assert values.tolist() == [1, 1]


# ---- the suite of all models, in short; the whole of it stands beside


@pytest.mark.short("deltanet", "gla", "rwkv6", "linear-attention")
@pytest.mark.parametrize("name", CARDS)
def test_it_passes_the_quick_checks_of_every_model(name):
    quick = {"build", "state", "names", "silence", "last"}
    card = CARDS[name]
    config = card.config(layers=1, width=16, heads=2)
    checked = [trial for trial in trials(card, config, Task(11, 32)) if trial.check.name in quick]
    assert {trial.check.name for trial in checked} == quick
    assert [trial.failure for trial in checked if trial.failure] == []
