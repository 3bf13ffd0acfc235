"""The cache of keys and values: its bytes are those of the formula, for every way to share or to cut it."""

import pytest

from lab.api import Task
from lab.diagnostics.cost import measure
from lab.host import Plugins


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"kv_heads": 2},
        {"kv_heads": 1, "head_width": 48},
        {"positions": "rotary", "window": 16},
        {"positions": "alibi", "window": 8, "dilation": 3, "global_tokens": 2},
        {"window": 64},
    ],
    ids=str,
)
def test_the_bytes_of_the_cache_are_those_of_the_formula(settings):
    card = Plugins(safe_mode=True).card("architectures", "transformer")
    config, task = card.config(layers=3, width=96, **settings), Task(65, 40)
    words, size = card.state_formula(config, task)
    assert measure(card, config, task, flops=False).state_bytes == size
    assert words.startswith("keys and values: 2 × 3 layers × ")
