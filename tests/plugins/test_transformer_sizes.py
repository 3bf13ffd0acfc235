"""The presets of the transformer and their sizes: as published, as counted, and as scaled by one knob."""

from decimal import Decimal
from functools import cache

import pytest

from lab.api import Task
from lab.diagnostics.cost import blueprint
from lab.recipes import Recipe
from lab.testing.cards import offer_of
from lab_transformer.sizes import scaled

CARD = offer_of(None, "lab_transformer").architectures["transformer"]
PUBLISHED = [(preset, size) for preset, sizes in CARD.sizes.items() for size in sizes if size.source]
COUNTED = [(preset, size) for preset, size in PUBLISHED if size.parameters is not None]
SCALED = {preset: [size for size in sizes if not size.source] for preset, sizes in CARD.sizes.items()}
EXACT = {  # of the released weights, as their model cards and state dicts count them
    ("gpt-2", "124M"): 124_439_808, ("gpt-2", "355M"): 354_823_168, ("gpt-2", "774M"): 774_030_080,
    ("gpt-2", "1.5B"): 1_557_611_200, ("llama", "7B"): 6_738_415_616, ("llama", "13B"): 13_015_864_320,
    ("llama-2", "70B"): 68_976_648_192, ("mistral", "7B"): 7_241_732_096, ("nanogpt-cpu", "0.80M"): 804_096,
}  # fmt: skip


def named(pairs):
    return [f"{preset}-{size.name}" for preset, size in pairs]


def config_of(preset, size):
    return CARD.config.read({**CARD.presets[preset]["architecture"], **size.settings})


@cache
def counted(preset, name, **changes):
    size = size_of(preset, name)
    config = config_of(preset, size).model_copy(update=changes)
    model = blueprint(CARD, config, Task(size.vocabulary_size or 256, size.context_length or 256))
    assert all(parameter.is_meta for parameter in model.parameters())
    return sum(parameter.numel() for parameter in model.parameters())


def size_of(preset, name):
    return next(size for size in CARD.sizes[preset] if size.name == name)


def last_place(count):
    """Return what one step of a printed number's last digit is worth: papers round, or cut off."""
    return float(Decimal(1).scaleb(Decimal(repr(count)).normalize().as_tuple().exponent))


@pytest.mark.short(
    "gpt-2-124M", "gpt-3-125M", "llama-7B", "llama-2-7B", "mistral-7B", "palm-8B", "longformer-*", "nanogpt-*"
)
@pytest.mark.parametrize(("preset", "size"), COUNTED, ids=named(COUNTED))
def test_every_published_size_has_the_parameters_its_paper_prints(preset, size):
    left_out = {  # what the papers count otherwise, to be found in the size's source
        "longformer": -size.settings["layers"] * size.settings["width"] ** 2,
        "nanogpt-cpu": 64 * 128,
        "nanogpt-gpu": 256 * 384,
    }
    count = counted(preset, size.name) - left_out.get(preset, 0)
    assert abs(count - size.parameters) < last_place(size.parameters)


@pytest.mark.parametrize(("preset", "name"), EXACT, ids=["-".join(pair) for pair in EXACT])
def test_released_models_have_their_parameters_to_the_last_one(preset, name):
    assert counted(preset, name) == EXACT[preset, name]


def test_a_number_is_as_exact_as_its_last_digit_that_is_not_nothing():
    assert [last_place(count) for count in (124e6, 350e6, 1.5e9, 540.35e9)] == [1e6, 1e7, 1e8, 1e7]


def test_every_size_that_the_papers_list_is_there():
    names = {preset: [size.name for each, size in PUBLISHED if each == preset] for preset in CARD.presets}
    assert names == {
        "gpt-2": ["124M", "355M", "774M", "1.5B"],
        "gpt-3": ["125M", "350M", "760M", "1.3B", "2.7B", "6.7B", "13B", "175B"],
        "llama": ["7B", "13B", "33B", "65B"],
        "llama-2": ["7B", "13B", "70B"],
        "palm": ["8B", "62B", "540B"],
        "mistral": ["7B"],
        "longformer": ["41M", "102M"],
        "vaswani-2017": ["base", "big"],
        "nanogpt-cpu": ["0.80M"],
        "modern-cpu": [],
        "shakespeare": [],
        "nanogpt-gpu": ["10.65M"],
    }


def test_the_heads_that_the_table_gives_gpt_3_of_1_3_billion_would_make_it_one_and_a_half():
    assert counted("gpt-3", "1.3B", heads=24, head_width=128) == pytest.approx(1.5e9, rel=0.02)


def test_palm_s_gated_layer_has_four_times_the_width_and_not_eight_thirds_of_it():
    narrower = counted("palm", "8B", hidden=8 * 4096 // 3)
    assert counted("palm", "8B") - narrower == 32 * 3 * 4096 * (4 * 4096 - 8 * 4096 // 3)
    assert narrower < 7e9


@pytest.mark.parametrize("name", ["7B", "13B", "33B", "65B"])
def test_llama_s_feed_forward_layer_is_eight_thirds_of_the_width_up_to_a_multiple_of_256(name):
    settings = size_of("llama", name).settings
    assert settings["hidden"] == -(-8 * settings["width"] // 3 // 256) * 256


def test_the_largest_llama_2_shares_keys_and_values_among_eight_queries_and_pays_with_units():
    smaller, largest = config_of("llama-2", size_of("llama-2", "13B")), config_of("llama-2", size_of("llama-2", "70B"))
    assert smaller.key_value_heads == smaller.heads
    assert largest.heads == 8 * largest.key_value_heads
    assert largest.hidden / largest.width > smaller.hidden / smaller.width


def test_the_decoder_of_2017_is_the_paper_s_model_without_its_encoder():
    # Table 3 prints 65 million for base and 213 for big, of encoder and decoder with one embedding.
    for name, printed in (("base", 65e6), ("big", 213e6)):
        size = size_of("vaswani-2017", name)
        width, layers, hidden = (size.settings[each] for each in ("width", "layers", "hidden"))
        encoder = layers * (4 * width**2 + 2 * width * hidden)
        reading_it = layers * 4 * width**2
        assert counted("vaswani-2017", name) + encoder + reading_it == pytest.approx(printed, rel=0.035)


# --------------------------------------------------------------------------------------------------------- scaled sizes


@pytest.mark.parametrize("preset", CARD.presets)
def test_sizes_are_sorted_by_width_and_one_is_the_preset_itself(preset):
    sizes = CARD.sizes[preset]
    widths = [size.settings["width"] for size in sizes]
    assert widths == sorted(widths)
    own = CARD.presets[preset]["architecture"]
    assert sum(size.settings.items() <= own.items() for size in sizes) == 1


@pytest.mark.parametrize("preset", CARD.presets)
def test_a_size_sets_all_that_any_other_of_its_preset_sets(preset):
    assert len({frozenset(size.settings) for size in CARD.sizes[preset]}) == 1


@pytest.mark.short("vaswani-2017", "gpt-2", "llama-2", "palm")
@pytest.mark.parametrize("preset", CARD.presets)
def test_scaled_sizes_grow_in_depth_and_parameters_with_the_width_alone(preset):
    sizes = SCALED[preset]
    assert len(sizes) >= 5
    counts = [counted(preset, size.name) for size in sizes]
    depths = [size.settings["layers"] for size in sizes]
    assert counts == sorted(set(counts))
    assert depths == sorted(depths)
    assert all(size.name == f"width {size.settings['width']}" for size in sizes)
    assert counts[-1] < 50e6


def test_depth_and_heads_change_with_the_root_of_the_width_and_the_feed_forward_layer_with_the_width():
    whole = {"layers": 32, "width": 4096, "heads": 32, "hidden": 14_336, "kv_heads": 8}
    assert scaled(whole, 1024) == {"layers": 16, "width": 1024, "heads": 16, "hidden": 3584, "kv_heads": 4}
    assert scaled(whole, 256) == {"layers": 8, "width": 256, "heads": 8, "hidden": 896, "kv_heads": 2}


def test_scaled_sizes_keep_what_their_family_is_known_for():
    found = {preset: [config_of(preset, size) for size in sizes] for preset, sizes in SCALED.items()}
    assert all(1 < config.kv_heads < config.heads for config in [*found["llama-2"], *found["mistral"]])
    assert all(config.kv_heads == 1 and config.hidden == 4 * config.width for config in found["palm"])
    assert all(config.kv_heads == 0 for config in found["llama"])
    assert all(2.6 < config.hidden / config.width <= 3 for config in [*found["llama"], *found["llama-2"]])


# -------------------------------------------------------------------------------------------------------------- presets


def test_families_differ_in_what_their_papers_chose():
    choices = ("positions", "norm", "norm_place", "feed_forward", "parallel", "bias", "tie")
    found = {name: tuple(preset["architecture"][each] for each in choices) for name, preset in CARD.presets.items()}
    assert found == {
        "gpt-2": ("learned", "layer", "pre", "gelu-tanh", "no", True, True),
        "gpt-3": ("learned", "layer", "pre", "gelu-tanh", "no", True, True),
        "llama": ("rotary", "rms", "pre", "swiglu", "no", False, False),
        "llama-2": ("rotary", "rms", "pre", "swiglu", "no", False, False),
        "palm": ("rotary", "layer", "pre", "swiglu", "one-norm", False, True),
        "mistral": ("rotary", "rms", "pre", "swiglu", "no", False, False),
        "longformer": ("rotary", "layer", "pre", "gelu", "no", True, True),
        "vaswani-2017": ("sinusoidal", "layer", "post", "relu", "no", True, True),
        "nanogpt-cpu": ("learned", "layer", "pre", "gelu", "no", False, True),
        "modern-cpu": ("rotary", "rms", "pre", "relu2", "no", False, True),
        "shakespeare": ("rotary", "rms", "pre", "relu2", "no", False, True),
        "nanogpt-gpu": ("learned", "layer", "pre", "gelu", "no", False, True),
    }


@pytest.mark.parametrize("preset", CARD.presets)
def test_a_preset_leaves_nothing_of_the_one_that_stood_there_before(preset):
    anew = Recipe().with_values(CARD.presets[preset])
    for other in CARD.presets.values():
        assert Recipe().with_values(other, CARD.presets[preset]) == anew


@pytest.mark.parametrize("preset", ["mistral", "longformer"])
def test_a_window_is_shorter_than_the_context_it_is_trained_with(preset):
    own = CARD.presets[preset]
    assert 0 < own["architecture"]["window"] < own["training"]["context_length"]


def test_the_modern_preset_has_nanogpt_s_budget_of_steps_tokens_and_parameters():
    plain, modern = (CARD.presets[name] for name in ("nanogpt-cpu", "modern-cpu"))
    same = ("context_length", "batch_size", "accumulation", "steps")
    assert [plain["training"][name] for name in same] == [modern["training"][name] for name in same]
    models = [blueprint(CARD, CARD.config.read(each["architecture"]), Task(65, 64)) for each in (plain, modern)]
    trained = [sum(parameter.numel() for parameter in model.parameters()) for model in models]
    assert trained == [804_096, 796_160]


def test_each_preset_that_was_measured_has_a_sentence_with_its_loss():
    losses = {
        "nanogpt-cpu": "1.8993",
        "modern-cpu": "1.7059, 1.7027 and 1.7083",
        "shakespeare": "1.4976, 1.5011 and 1.5085",
    }
    assert losses.keys() == CARD.preset_notes.keys()
    assert all(loss in CARD.preset_notes[name] for name, loss in losses.items())


def test_nanogpt_s_presets_are_trained_as_in_its_own_configs():
    cpu, gpu = CARD.presets["nanogpt-cpu"]["training"], CARD.presets["nanogpt-gpu"]["training"]
    assert [cpu[name] for name in ("context_length", "batch_size", "steps", "clip")] == [64, 12, 2000, 1.0]
    assert [gpu[name] for name in ("context_length", "batch_size", "steps", "clip")] == [256, 64, 5000, 1.0]
    for training in (cpu, gpu):
        adamw = training["optimizer"]
        assert (adamw["learning_rate"], adamw["beta2"], adamw["weight_decay"]) == (1e-3, 0.99, 0.1)
        assert training["schedule"] == {"name": "cosine", "warmup": 100, "floor": 0.1}
    assert CARD.presets["nanogpt-gpu"]["architecture"]["dropout"] == 0.2
