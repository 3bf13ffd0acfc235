"""The settings that shape a part of the model, named and written as in the form."""

import pytest

from lab.host import Plugins
from lab.recipes import Recipe
from lab.shell.train.shaping import setting_texts

GIVEN = ("architecture.name=transformer", "architecture.positions=rotary")


@pytest.fixture(scope="module")
def texts():
    """Return the texts of paths of a recipe."""
    plugins = Plugins()
    return lambda *paths, given=(): setting_texts(Recipe().with_assignments(*given), paths, plugins)


def test_a_setting_has_the_title_of_the_form(texts):
    found = texts("architecture.kv_heads", given=("architecture.name=transformer", "architecture.heads=4"))
    assert found == {"architecture.kv_heads": "Key/value heads: auto (4)"}


def test_a_switch_is_on_or_off_and_a_choice_has_its_label(texts):
    found = texts("architecture.qk_norm", "architecture.positions", given=GIVEN)
    assert found["architecture.qk_norm"] == "QK norm: no"
    assert found["architecture.positions"] == "Encoding: RoPE"


def test_settings_of_the_architecture_come_first_in_the_order_of_the_form(texts):
    paths = ("training.context_length", "tokenizer.name", "architecture.heads", "architecture.layers")
    assert list(texts(*paths, given=("architecture.name=transformer",))) == [
        "architecture.layers",
        "architecture.heads",
        "tokenizer.name",
        "training.context_length",
    ]


def test_a_setting_of_a_nested_config_names_its_config(texts):
    found = texts("architecture.attention.heads", given=("architecture.name=hybrid", "architecture.attention.heads=2"))
    assert found == {"architecture.attention.heads": "Attention · Heads: 2"}


def test_a_card_is_named_by_its_title(texts):
    assert texts("tokenizer.name", given=("tokenizer.name=byte",)) == {"tokenizer.name": "Tokenizer: Bytes"}
