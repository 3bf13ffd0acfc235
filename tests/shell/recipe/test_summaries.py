"""Summaries of groups: a few words that say what is set."""

import pytest

from lab.api import settings_of, without_effect
from lab.host import Plugins
from lab.recipes import Training
from lab.shell.recipe.summaries import summary

PLUGINS = Plugins.from_environment()


def of_group(architecture, group, **values):
    config = PLUGINS.card("architectures", architecture).config
    stored = config(**values).stored()
    idle = without_effect(config, stored)
    settings = [one for one in settings_of(config, nested=False) if one.name not in idle]
    return summary([one for one in settings if group in ("", one.group)], stored)


@pytest.mark.parametrize(
    ("group", "values", "text"),
    [
        ("", {}, "4 blocks × 128, 4 heads"),
        ("", {"layers": 1, "heads": 1}, "1 block × 128, 1 head"),
        ("Positions", {"positions": "rotary"}, "RoPE, base 10,000"),
        ("Positions", {"positions": "t5"}, "T5 bias, 32 buckets"),
        ("Attention", {"window": 64, "qk_norm": True}, "4 heads, sliding window 64 tokens"),
        ("Regularisation", {}, ""),
        ("Block", {"norm": "rms"}, "RMSNorm, pre-norm"),
    ],
)
def test_a_summary_names_the_first_values_that_say_something(group, values, text):
    assert of_group("transformer", group, **values) == text


def test_the_title_of_a_card_comes_first():
    settings = [one for one in settings_of(Training, nested=False) if one.name == "clip"]
    assert summary(settings, {"clip": 0.5}, "AdamW") == "AdamW, gradient clip 0.5"


def test_a_path_is_shown_by_its_file_name():
    config = PLUGINS.card("corpora", "file").config
    assert summary(settings_of(config), {"path": "/texts/poems.txt"}) == "poems.txt"
