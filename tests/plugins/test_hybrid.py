"""The hybrid: its published patterns, and what the conformance suite says of them."""

import pytest

from lab.api import BadInput, Task
from lab.host import Plugins
from lab.testing import conformance
from lab.testing.suite import trials
from lab_ssm.hybrid import PRESETS

test_with_every_preset = pytest.mark.long(conformance("hybrid", plugin="lab_ssm"))
test_attention_in_a_stack = pytest.mark.long(conformance("attention", plugin="lab_transformer"))
test_feed_forward_layers_in_a_stack = pytest.mark.long(conformance("mlp", plugin="lab_transformer"))


@pytest.fixture
def card(lab_home):
    """The hybrid, complete."""
    return Plugins(safe_mode=True).card("architectures", "hybrid")


def test_the_published_patterns_put_attention_where_they_have_it(card):
    assert card.presets.keys() == PRESETS.keys()

    def places(preset, mixer):
        blocks = card.config.read(card.presets[preset]["architecture"]).blocks()
        return len(blocks), [layer for layer, block in enumerate(blocks) if mixer in block.mixers]

    assert places("jamba", "attention") == (8, [4])
    assert places("jamba", "moe") == (8, [1, 3, 5, 7])
    assert places("zamba", "attention") == (14, [4, 11])
    assert places("samba", "attention") == (8, [1, 3, 5, 7])


def test_attention_as_its_part_is_no_architecture_of_its_own(lab_home):
    assert "attention" not in Plugins(safe_mode=True).cards("architectures")


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"pattern": "attention", "attention": {"heads": 3}}, "attention.heads"),
        ({"pattern": "attention", "attention": {"kv_heads": 3}}, "attention.kv_heads"),
        ({"pattern": "attention", "width": 12, "attention": {"heads": 4}}, "attention.heads"),
        ({"pattern": "mamba2", "width": 24}, "mamba2.head_width"),
    ],
)
def test_what_a_mixer_refuses_is_named_by_its_path(card, settings, field):
    with pytest.raises(BadInput) as caught:
        card.make(card.config.read({"layers": 1, "width": 32, **settings}), Task(7, 8))
    assert caught.value.problem.field == field


@pytest.mark.parametrize("name", ["rows", "readings", "copies"])
def test_a_pattern_of_shared_weights_holds_what_every_model_must(name, shared_trials):
    (trial,) = (trial for trial in shared_trials if trial.check.name == name)
    assert trial.failure is None


@pytest.fixture(scope="module")
def shared_trials():
    """The suite on a pattern of all there is in one, small."""
    card = Plugins(safe_mode=True).card("architectures", "hybrid")
    config = card.config(layers=4, width=16, pattern="mamba2+mlp, [attention+mlp]", mamba2={"head_width": 8})
    return list(trials("hybrid", plugin="lab_ssm", config=config))
