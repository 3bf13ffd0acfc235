"""Patterns: what they name, what is said against them, and the config that the mixers there are complete."""

from dataclasses import replace

import pytest

from lab.api import (
    Architecture,
    BadInput,
    Mixer,
    ModelConfig,
    PatternStackConfig,
    Size,
    completed,
    pattern_setting,
    setting,
    settings_of,
)


class Own(ModelConfig):
    size: int = setting(2, ge=1, le=9, help="A size.")
    share: float = setting(0.5, ge=0, le=1, live=True, help="A share.")


def mixer(name, kind="token"):
    return Mixer(name, name.title(), kind, Own, object)


MIXERS = {each.name: each for each in (mixer("mamba"), mixer("my-mixer"), mixer("mlp", "channel"))}


class Plain(PatternStackConfig):
    pattern: str = pattern_setting("mamba+mlp")


CONFIG = Plain.of(MIXERS.values())


def named(pattern, layers):
    return " ".join(map(str, CONFIG(pattern=pattern, layers=layers).blocks()))


@pytest.mark.parametrize(
    ("pattern", "layers", "blocks"),
    [
        ("mamba", 3, "mamba mamba mamba"),
        ("mamba+mlp*2, mlp", 5, "mamba+mlp mamba+mlp mlp mamba+mlp mamba+mlp"),
        (" ( mamba , [my-mixer + mlp] ) * 2,mlp ", 6, "mamba [my-mixer+mlp] mamba [my-mixer+mlp] mlp mamba"),
        ("((mamba*1000, mlp)*1000)*1000", 2, "mamba mamba"),
    ],
)
def test_a_pattern_is_begun_again_until_there_are_enough_blocks(pattern, layers, blocks):
    assert named(pattern, layers) == blocks


@pytest.mark.parametrize(
    ("pattern", "what", "allowed", "remedy"),
    [
        ("", "is not allowed", "at least 1 long", None),
        ("a" * 10_000, "is not allowed", "at most 2000 long", None),
        ("mamba**2", "found '*' after 'mamba*', expected a number", "attention+mlp*2", None),
        ("(mamba", "found the end after '(mamba', expected ')'", "(mamba*3", None),
        ("[mamba, mlp]", "found ',' after '[mamba', expected ']'", "[attention+mlp]", None),
        (", mamba", "found ',' at the start, expected the name of a mixer", "blocks", None),
        ("mamba mlp", "found 'mlp' after 'mamba', expected a comma or the end", "blocks", None),
        ("mamba*0", "repeats a block 0 times", "1 ≤ n ≤ 1000", None),
        ("mamba*1000000", "repeats a block 1000000 times", "1 ≤ n ≤ 1000", None),
        ("(" * 900 + "mamba" + ")" * 900, "too many groups", "at most 16 deep", None),
        ("mamba+nope", "names 'nope', and there is no such mixer", "mamba, my-mixer, mlp", "lm-lab plugins"),
        ("Mamba", "names 'Mamba'", "the mixers", "Did you mean mamba?"),
        ("mamba+my-mixer", "token and token mixer, as one block", "token+channel", "mamba, my-mixer"),
        ("mlp+mamba", "channel and token mixer", "token+channel", "Did you mean mamba+mlp?"),
    ],
)
def test_what_is_no_pattern_is_answered_with_where_and_what_is_allowed(pattern, what, allowed, remedy):
    with pytest.raises(BadInput) as caught:
        CONFIG.read({"pattern": pattern, "layers": 1000}, field="architecture")
    problem = caught.value.problem
    assert problem.field == "architecture.pattern"
    assert what in problem.what
    assert allowed in problem.allowed
    assert (remedy or "") in (problem.remedy or "")
    assert len(problem.line()) < 600


def test_every_mixer_has_its_settings_under_its_name():
    paths = {found.name for found in settings_of(CONFIG)}
    assert {"pattern", "tie", "mamba.size", "my_mixer.size", "mlp.share"} <= paths
    config = CONFIG.read({"pattern": "my-mixer", "my_mixer": {"size": 3}})
    config.change("my_mixer.share", 0.25)
    assert config.my_mixer == Own(size=3, share=0.25)
    with pytest.raises(BadInput, match=r"architecture.my_mixer.size = 10"):
        CONFIG.read({"my_mixer": {"size": 10}}, field="architecture")


def test_settings_of_mixers_that_the_pattern_does_not_name_are_not_stored():
    stored = CONFIG(pattern="my-mixer+mlp").stored()
    assert {"my_mixer", "mlp"} <= stored.keys()
    assert "mamba" not in stored
    assert CONFIG.read(stored).stored() == stored


def test_a_mixer_whose_place_is_taken_is_not_offered():
    config = Plain.of([mixer("mamba"), mixer("tie"), mixer("my-mixer"), mixer("my_mixer")])
    assert list(config.mixers) == ["mamba", "my-mixer"]
    assert config.model_fields["tie"].annotation is bool


def hybrid(**more):
    return Architecture("hybrid", "Hybrid", "family", "Summary.", Plain, "nobody:build", **more)


def test_a_mixer_that_reads_both_ways_is_not_offered_to_a_stack_that_must_not():
    both = replace(mixer("both"), tasks=frozenset({"masked"}))
    assert list(completed(hybrid(), {**MIXERS, "both": both}).config.mixers) == list(MIXERS)


def test_presets_of_mixers_that_are_not_there_are_left_out_with_their_sizes():
    presets = {
        "whole": {"architecture": {"pattern": "mamba", "mamba": {"size": 4}}, "training": {"steps": 5}},
        "far": {"architecture": {"pattern": "moe", "moe": {"experts": 4}}},
    }
    sizes = {"whole": [Size("large", {"mamba": {"size": 9}})], "far": [Size("large", {"moe": {"experts": 9}})]}
    card = completed(hybrid(presets=presets, sizes=sizes), MIXERS)
    assert list(card.presets) == list(card.sizes) == ["whole"]
    assert card.presets["whole"]["architecture"] == card.config.read(presets["whole"]["architecture"]).stored()
    assert card.presets["whole"]["training"] == {"steps": 5}
    assert completed(card, MIXERS) is card


@pytest.mark.parametrize(
    ("more", "mixers", "field"),
    [
        ({}, {}, "architectures.hybrid"),
        ({}, {"mlp": MIXERS["mlp"]}, "architectures.hybrid.pattern"),
        ({"presets": {"a": {"architecture": {"pattern": "mamba**"}}}}, MIXERS, "presets.a.architecture.pattern"),
        ({"presets": {"a": {}}, "sizes": {"a": [Size("b", {"mlp": {"size": 0}})]}}, MIXERS, "sizes.a.b.mlp.size"),
    ],
)
def test_a_card_is_refused_only_where_its_own_words_are_wrong(more, mixers, field):
    with pytest.raises(BadInput) as caught:
        completed(hybrid(**more), mixers)
    assert field in caught.value.problem.field
