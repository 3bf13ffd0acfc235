"""The mixture of experts: what it refuses, what its presets and sizes are, and that live settings act at once."""

import pytest
import torch

from lab.api import BadInput, NotCausal, Task
from lab.diagnostics.cost import blueprint, measure
from lab.host import Plugins
from lab.layers import AuxiliaryLosses, FeedForward
from lab.recipes import Recipe
from lab.testing.cards import offer_of
from lab_moe.experts import Experts
from lab_moe.formats import Mixtral
from lab_moe.settings import ExpertSettings, MoeConfig

CARD = offer_of(None, "lab_moe").architectures["moe"]
TASK = Task(11, 12)
SMALL = {"layers": 2, "width": 8, "heads": 2, "experts": 4, "hidden": 8}
COUNTED = {  # active parameters as they are printed
    ("mixtral", "8x7B"): (46_702_792_704, 12.9e9), ("mixtral", "8x22B"): (140_630_071_296, 39e9),
    ("deepseek-moe", "16B"): (16_375_728_128, 2.8e9),
}  # fmt: skip


def model_of(**settings):
    torch.manual_seed(0)
    return CARD.make(MoeConfig(**{**SMALL, **settings}), TASK)


def counted(config, symbols=65):
    """Count the parameters of a model, and those that one token meets."""
    model = blueprint(CARD, config, Task(symbols, 8))
    whole = sum(parameter.numel() for parameter in model.parameters())
    idle = 0.0
    for layer in (layer for layer in model.modules() if isinstance(layer, Experts)):
        for name, share in layer.active_share.items():
            weight = getattr(layer, name)
            idle += 0 if weight is None else weight.numel() * (1 - share)
    return whole, whole - idle


def kinds(model):
    """Say of each block whether it has experts or so many dense units."""
    return [
        "experts" if isinstance(block.channel, Experts) else block.channel.outer.in_features for block in model.blocks
    ]


# ------------------------------------------------------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"experts": 4, "chosen": 5}, "chosen 5 are more than experts 4: lower chosen"),
        ({"width": 10, "heads": 4}, "width 10 is not a multiple of heads 4: set head_width"),
        ({"heads": 4, "kv_heads": 3}, "heads 4 are not a multiple of kv_heads 3"),
        ({"width": 12, "heads": 4}, "rotary positions turn pairs of channels, not 3: change heads"),
        ({"dense_first": 2}, "none of 2 layers has experts: dense_first 2 leaves none over"),
        ({"every": 3}, "none of 2 layers has experts: every 3 is more, at most 2 is allowed"),
        ({"capacity": -1.0}, "architecture.capacity = -1.0: is not allowed. Allowed: number, 0 ≤ x ≤ 64"),
        ({"routing": "hash"}, "architecture.routing = 'hash': is not allowed. Allowed: one of top-k"),
    ],
)
def test_what_cannot_be_is_refused_with_the_setting_and_what_to_do(settings, said):
    with pytest.raises(BadInput) as caught:
        MoeConfig.read({**SMALL, **settings}, field="architecture")
    assert said in caught.value.problem.line()


def test_settings_that_do_nothing_are_hidden_and_left_out_of_recipes():
    assert MoeConfig.unused({}) == {"dense_hidden"}
    assert MoeConfig.unused({"every": 2}) == MoeConfig.unused({"dense_first": 1}) == frozenset()
    assert {"scores", "renormalise", "capacity", "balance"} <= ExpertSettings.unused({"routing": "expert-choice"})
    assert "balance" not in ExpertSettings.unused({"routing": "noisy-top-k"})
    one = MoeConfig(**{**SMALL, "experts": 1, "every": 2}).stored()
    assert {"experts", "hidden", "shared", "activation", "every", "dense_hidden"} <= one.keys()
    assert not {"chosen", "routing", "scores", "balance", "z_loss", "capacity", "bias_rate"} & one.keys()


@pytest.mark.parametrize("routing", ["noisy-top-k", "expert-choice"])
def test_what_is_said_to_do_nothing_does_nothing(routing):
    unused = {"scores": "sigmoid", "renormalise": False, "bias_rate": 0.5, "capacity": 0.25}
    unused = {name: unused[name] for name in ExpertSettings.unused({"routing": routing}) if name in unused}
    tokens, losses = torch.arange(10).view(2, 5), []
    for settings in ({}, unused):
        model = model_of(routing=routing, **settings)
        AuxiliaryLosses().attach(model)
        torch.manual_seed(1)
        losses.append(model.train()(tokens))
        losses.append(model.eval()(tokens))
    assert losses[0].equal(losses[2])
    assert losses[1].equal(losses[3])


# --------------------------------------------------------------------------------------------------------- which layers


def test_blocks_are_dense_before_the_first_and_between_those_with_experts():
    assert kinds(model_of(layers=5, dense_first=1)) == [16, "experts", "experts", "experts", "experts"]
    assert kinds(model_of(layers=5, every=2, shared=1)) == [24, "experts", 24, "experts", 24]
    assert kinds(model_of(layers=4, every=2, dense_first=2, dense_hidden=5)) == [5, 5, 5, "experts"]


def test_one_expert_is_a_feed_forward_layer_without_a_router():
    model = model_of(experts=1, shared=1)
    assert kinds(model) == [16, 16]
    assert not [name for name in model.tables() if "router" in name or "bias" in name]
    assert isinstance(model.blocks[0].channel, FeedForward)


def test_units_that_are_not_set_are_those_of_a_feed_forward_layer_that_groups_are_multiplied_fastest_with():
    assert ExpertSettings().units(128) == 344  # 8/3 of 128 is 341
    assert ExpertSettings(activation="relu").units(128) == 512
    assert model_of(hidden=0).blocks[0].channel.outer.shape == (4, 8, 24)


@pytest.mark.parametrize("preset", CARD.presets)
@pytest.mark.parametrize("baseline", CARD.baselines)
def test_baselines_have_the_parameters_to_one_unit_of_a_block(preset, baseline):
    config = CARD.config.read(CARD.presets[preset]["architecture"])
    dense = CARD.baseline(baseline, config)
    (whole, active), (dense_whole, dense_active) = counted(config), counted(dense)
    of_unit = (3 if config.gated else 2) * config.width
    wanted = active if baseline == "dense, equal active parameters" else whole
    assert abs(dense_whole - wanted) <= config.layers * of_unit / 2
    assert dense_whole == dense_active
    assert CARD.baseline(baseline, dense).stored() == dense.stored()


# --------------------------------------------------------------------------------------------------- live, as it trains


def weights_of(model):
    """The weights with which the terms of one training step count, by name."""
    losses = AuxiliaryLosses().attach(model)
    model.train()(torch.arange(10).view(2, 5))
    return {name: weight for name, _, weight, _ in losses.take()}


def test_live_settings_act_at_the_next_step():
    model = model_of(balance=0.0)
    assert weights_of(model)["balance"] == 0
    for name, value in (("balance", 0.3), ("z_loss", 0.2), ("capacity", 0.25), ("bias_rate", 0.1)):
        model.config.change(name, value)
    reported = weights_of(model)
    assert (reported["balance"], reported["router z"], reported["dropped"]) == (0.3, 0.2, 0)
    for block in model.blocks:
        block.channel.after_step()
        assert block.channel.selection_bias.abs().max() > 0
    with pytest.raises(BadInput, match="cannot change while a run trains"):
        model.config.change("experts", 8)


def test_they_act_in_a_pattern_too(lab_home):
    card = Plugins(safe_mode=True).card("architectures", "hybrid")
    settings = {"layers": 2, "width": 8, "pattern": "attention+mlp, attention+moe", "moe": {"experts": 3, "hidden": 4}}
    model = card.make(card.config.read(settings), TASK)
    model.config.change("moe.balance", 0.7)
    assert weights_of(model)["balance"] == 0.7
    assert isinstance(model.blocks[1].channel, Experts)


# ------------------------------------------------------------------------------------------------------ presets, sizes


def size_of(preset, name):
    """A size, with its parameters and the active ones."""
    size = next(size for size in CARD.sizes[preset] if size.name == name)
    config = CARD.config.read({**CARD.presets[preset]["architecture"], **size.settings})
    return size, *counted(config, size.vocabulary_size or 256)


@pytest.mark.short("mixtral-8x7B")
@pytest.mark.parametrize(("preset", "name"), COUNTED)
def test_published_sizes_have_the_parameters_that_are_printed_and_as_many_are_active(preset, name):
    size, whole, active = size_of(preset, name)
    exact, printed = COUNTED[preset, name]
    assert whole == exact == pytest.approx(size.parameters, rel=0.003)
    assert active == pytest.approx(printed, rel=0.02)


def test_every_published_size_is_counted():
    published = {(preset, size.name) for preset, sizes in CARD.sizes.items() for size in sizes if size.source}
    assert published == COUNTED.keys()


@pytest.mark.long
def test_the_other_sizes_grow_in_parameters():
    for preset, sizes in CARD.sizes.items():
        scaled = [size for size in sizes if not size.source]
        counts = [size_of(preset, size.name)[1] for size in scaled]
        assert counts == sorted(set(counts))
        assert len({frozenset(size.settings) for size in sizes}) == 1
        own = CARD.presets[preset]["architecture"]
        assert sum(size.settings.items() <= own.items() for size in sizes) == 1


def test_presets_have_the_routers_of_their_papers():
    choices = ("experts", "chosen", "shared", "routing", "scores", "renormalise", "activation", "every", "dense_first")
    found = {name: tuple(preset["architecture"][each] for each in choices) for name, preset in CARD.presets.items()}
    assert found == {
        "mixtral": (8, 2, 0, "top-k", "softmax", True, "swiglu", 1, 0),
        "switch": (8, 1, 0, "top-k", "softmax", False, "relu", 2, 0),
        "deepseek-moe": (16, 4, 2, "top-k", "softmax", False, "swiglu", 1, 1),
        "deepseek-v3": (16, 4, 1, "top-k", "sigmoid", True, "swiglu", 1, 1),
        "noisy-top-k": (8, 2, 0, "noisy-top-k", "softmax", True, "relu", 1, 0),
        "expert-choice": (8, 2, 0, "expert-choice", "softmax", True, "gelu", 2, 0),
    }
    settings = {name: preset["architecture"] for name, preset in CARD.presets.items()}
    assert (settings["switch"]["capacity"], settings["switch"]["balance"]) == (1.25, 0.01)
    assert (settings["deepseek-v3"]["bias_rate"], settings["deepseek-v3"]["balance"]) == (0.001, 0.0001)


@pytest.mark.parametrize("preset", CARD.presets)
def test_a_preset_leaves_nothing_of_the_one_that_stood_there_before(preset):
    anew = Recipe().with_values(CARD.presets[preset])
    for other in CARD.presets.values():
        assert Recipe().with_values(other, CARD.presets[preset]) == anew


def test_an_expert_that_chooses_sees_the_future_and_its_model_cannot_write():
    model = model_of(routing="expert-choice").eval()
    assert not model.causal
    with pytest.raises(NotCausal):
        model.start(1)
    assert model_of().causal


@pytest.mark.parametrize(("window", "tokens"), [(5, 4), (0, 12)])
def test_the_state_is_that_of_a_transformer(window, tokens):
    config = MoeConfig(**SMALL, kv_heads=1, window=window)
    words, size = CARD.state_formula(config, TASK)
    assert words == f"keys and values: 2 × 2 layers × 1 head × 4 channels × {tokens} tokens × 4 bytes"
    assert size == measure(CARD, config, TASK).state_bytes


# --------------------------------------------------------------------------------------------------- Mixtral's config


ASKED = {"hidden_size": 32, "num_attention_heads": 4, "num_hidden_layers": 1, "intermediate_size": 24}


@pytest.mark.parametrize(
    ("config", "key"),
    [
        ({"num_local_experts": 1}, "num_local_experts"),
        ({"num_local_experts": "eight"}, "num_local_experts"),
        ({"num_local_experts": 4, "num_experts_per_tok": 5}, "num_experts_per_tok"),
        ({"num_experts_per_tok": 0}, "num_experts_per_tok"),
        ({"num_experts_per_tok": 1e300}, "num_experts_per_tok"),
        ({"router_jitter_noise": 0.1}, "router_jitter_noise"),
        ({"router_aux_loss_coef": float("nan")}, "router_aux_loss_coef"),
        ({"router_aux_loss_coef": "none"}, "router_aux_loss_coef"),
        ({"hidden_act": "relu"}, "hidden_act"),
        ({"sliding_window": 0}, "sliding_window"),
        ({"head_dim": -4}, "head_dim"),
        ({"num_key_value_heads": True}, "num_key_value_heads"),
        ({"rope_parameters": {"rope_type": "yarn", "factor": 4.0}}, "rope_type"),
        ({"rope_scaling": {"type": "linear", "factor": 4.0}}, "type"),
        ({"rope_scaling": 7}, "rope_scaling"),
        ({"rope_parameters": {"full_attention": {}}}, "rope_parameters"),
        ({"rope_parameters": {"partial_rotary_factor": 0.5}}, "partial_rotary_factor"),
        ({"tie_word_embeddings": "no"}, "tie_word_embeddings"),
        ({"quantization_config": {"bits": 4}}, "quantization_config"),
    ],
)
def test_a_key_that_cannot_be_followed_is_named(config, key):
    with pytest.raises(BadInput) as caught:
        Mixtral().settings({**ASKED, **config})
    assert caught.value.problem.field.endswith(f": {key}")
    assert caught.value.problem.allowed


def test_keys_that_are_missing_or_null_are_as_in_transformers():
    bare = MoeConfig.read(Mixtral().settings({}))
    assert (bare.layers, bare.width, bare.heads, bare.kv_heads, bare.hidden) == (32, 4096, 32, 8, 14_336)
    assert (bare.experts, bare.chosen, bare.window, bare.rotary_base, bare.tie) == (8, 2, 0, 1e6, False)
    assert Mixtral().settings({**ASKED, "num_key_value_heads": None})["kv_heads"] == 0
    assert Mixtral().settings({**ASKED, "rope_theta": 1e4})["rotary_base"] == 1e4


@pytest.mark.parametrize(
    "given",
    [
        {"experts": 1}, {"shared": 1}, {"renormalise": False}, {"scores": "sigmoid"}, {"routing": "noisy-top-k"},
        {"every": 2}, {"dense_first": 1}, {"activation": "relu"}, {"scale": 2.0}, {"bias": True}, {"bias_rate": 0.1},
    ],
)  # fmt: skip
def test_a_setting_that_its_config_cannot_express_is_refused(given):
    with pytest.raises(BadInput) as caught:
        Mixtral().config(MoeConfig(**SMALL, **given) if "experts" not in given else MoeConfig(**given), TASK)
    assert caught.value.problem.field == f"architecture.{next(iter(given))}"
    assert "cannot be expressed in a config.json of mixtral" in caught.value.problem.what
