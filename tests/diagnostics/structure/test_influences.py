"""The settings that shape a part are those whose other values change it."""

from lab.api import Task, without_effect
from lab.diagnostics.structure import influences as influences_module
from lab.diagnostics.structure.influences import CONTEXT, VOCABULARY, influences
from lab.diagnostics.structure.tree import tree_of
from lab.host import Plugins

TASK = Task(97, 16)
CARDS = Plugins().cards("architectures")


def found_for(name, **settings):
    card, config = CARDS[name], CARDS[name].config(**settings)
    tree = tree_of(card, config, TASK)
    found = influences(card, config, TASK, tree)
    return {one.name: found[one.path] for one in reversed(list(tree.walk()))}


def test_a_setting_belongs_to_the_parts_that_it_changes():
    found = found_for("transformer", layers=3, width=64, heads=4)
    assert {"heads", "kv_heads", "window"} <= {*found["attention"]}
    assert "heads" not in found["feed-forward"]
    assert {"hidden", "feed_forward"} <= {*found["feed-forward"]}
    assert "layers" in found["block"]
    assert "layers" not in found["attention"]
    assert {"width", VOCABULARY} <= {*found["embedding"]}
    assert CONTEXT in found["positions"]
    assert "tie" in found["unembedding"]


def test_settings_that_are_read_while_a_model_works_shape_nothing():
    assert not any("dropout" in settings for settings in found_for("transformer", layers=1).values())


def test_settings_without_effect_are_not_tried():
    config = CARDS["transformer"].config(positions="none")
    idle = without_effect(type(config), config.stored())
    assert "rotary_base" in idle
    assert not idle & {one.name for one in influences_module._used_settings(config)}


def test_settings_of_a_mixer_belong_to_its_blocks():
    found = found_for("hybrid", layers=8, width=32, pattern="mamba, attention")
    assert "mamba.state" in found["Mamba"]
    assert "attention.heads" in found["attention"]
    assert "attention.heads" not in found["Mamba"]


def test_tables_are_shaped_by_the_order():
    assert "order" in found_for("n-gram", order=2)["2-grams"]


def test_nothing_more_is_built_after_a_stop():
    card = CARDS["transformer"]
    config = card.config(layers=1)
    tree = tree_of(card, config, TASK)
    assert not any(influences(card, config, TASK, tree, lambda: True).values())
