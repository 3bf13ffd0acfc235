"""Bracket languages: every text is nested as it should be, and who knows the stack loses the stated rate."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.api import ENTROPY_RATE, BadInput
from lab.sources.texts.dyck import BRACKETS, DyckConfig, dyck, entropy_rate

OPENS = {pair[0]: pair[1] for pair in BRACKETS}


def depths(text):
    """The depth before each bracket; fails where one does not match."""
    stack, found = [], []
    for bracket in text:
        found.append(len(stack))
        if bracket in OPENS:
            stack.append(OPENS[bracket])
        else:
            assert stack.pop() == bracket
    return found


def losses_of_who_knows_the_stack(config, text):
    p, kind = config.opening, math.log(config.kinds)
    for depth, bracket in zip(depths(text), text, strict=True):
        if depth == 0:
            yield kind
        elif depth == config.maximum_depth:
            yield 0.0
        else:
            yield kind - math.log(p) if bracket in OPENS else -math.log(1 - p)


@pytest.mark.short("1-1-*", "2-8-*", "4-3-*")
@pytest.mark.parametrize(
    ("kinds", "maximum_depth", "opening"),
    [(1, 1, 0.5), (2, 8, 0.4), (30, 2, 0.3), (3, 20, 0.8), (4, 3, 0.999), (1, 0, 0.3), (2, 0, 0.45)],
)
def test_who_knows_the_stack_loses_the_entropy_rate(kinds, maximum_depth, opening):
    config = DyckConfig(kinds=kinds, maximum_depth=maximum_depth, opening=opening)
    text = dyck(config)
    blocks = np.reshape([*losses_of_who_knows_the_stack(config, text.text)], (-1, 1000)).mean(axis=1)
    error = blocks.std(ddof=1) / len(blocks) ** 0.5
    assert abs(blocks.mean() - text.floors[ENTROPY_RATE]) <= 3 * error + 1e-4  # it begins empty, not stationary


def test_the_rate_is_that_of_the_law_of_the_depth():
    config = DyckConfig(kinds=3, maximum_depth=4, opening=0.35)
    T = np.zeros((5, 5))
    T[0, 1] = T[4, 3] = 1
    for depth in (1, 2, 3):
        T[depth, depth + 1], T[depth, depth - 1] = 0.35, 0.65
    law = np.linalg.matrix_power((T + np.eye(5)) / 2, 4096)[0]
    free = -0.35 * math.log(0.35 / 3) - 0.65 * math.log(0.65)
    assert entropy_rate(config) == pytest.approx(law[0] * math.log(3) + law[1:4].sum() * free)


def test_no_maximum_is_the_limit_of_deep_ones():
    unbounded = entropy_rate(DyckConfig(maximum_depth=0, opening=0.3))
    assert unbounded == pytest.approx(entropy_rate(DyckConfig(maximum_depth=100, opening=0.3)))


def test_it_is_never_deeper_than_the_maximum_and_comes_there():
    for maximum in (1, 3, 8):
        text = dyck(DyckConfig(maximum_depth=maximum, length=20_000)).text
        assert max(depths(text)) == maximum
    assert max(depths(dyck(DyckConfig(maximum_depth=0, opening=0.49)).text)) > 20


def test_all_kinds_come_equally_often():
    text = dyck(DyckConfig(kinds=5, length=50_000)).text
    shares = [text.count(pair[0]) * 5 * 2 / len(text) for pair in BRACKETS[:5]]
    assert shares == pytest.approx([1] * 5, abs=0.1)
    assert set(text) == set("".join(BRACKETS[:5]))


def test_no_character_is_in_two_kinds():
    characters = "".join(BRACKETS)
    assert len(set(characters)) == len(characters) == 60


def test_the_config_alone_decides_the_text_and_a_longer_one_begins_alike():
    config = DyckConfig(length=2000)
    assert dyck(config) == dyck(config)
    assert dyck(DyckConfig(length=5000)).text.startswith(dyck(config).text)
    assert dyck(DyckConfig(length=2000, seed=1)).text != dyck(config).text


def test_opening_too_often_without_a_maximum_is_reported():
    with pytest.raises(BadInput, match=r"at most 0\.49"):
        DyckConfig.read({"maximum_depth": 0, "opening": 0.5})


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    kinds=st.integers(1, len(BRACKETS)),
    maximum_depth=st.integers(1, 100),
    opening=st.sampled_from([5e-324, 1e-300, 1e-9, 0.1, 0.5, 0.9, 1 - 2**-53]),
    length=st.sampled_from([1, 2, 100]),
)
def test_every_setting_gives_a_finite_rate(kinds, maximum_depth, opening, length):
    config = DyckConfig(kinds=kinds, maximum_depth=maximum_depth, opening=opening, length=length)
    assert len(dyck(config).text) == length
    assert 0 <= entropy_rate(config) <= math.log(2 * kinds) + 1e-9
