"""Rotary positions: layouts, shares and the ways to stretch them."""

import gc
import math
import weakref

import pytest
import torch

from lab.layers import Rotary, rotate
from lab.layers.attention import positions


def test_both_layouts_are_one_but_for_the_order_of_channels():
    torch.manual_seed(0)
    x = torch.randn(2, 3, 9, 8, dtype=torch.float64)
    halves = x.view(2, 3, 9, 4, 2).transpose(3, 4).flatten(3)  # channel 2i goes to i, channel 2i + 1 to i + D/2
    turned = rotate(x, 4, Rotary(pairs="neighbours")).view(2, 3, 9, 4, 2).transpose(3, 4).flatten(3)
    torch.testing.assert_close(rotate(halves, 4, Rotary()), turned)


@pytest.mark.parametrize("pairs", ["halves", "neighbours"])
def test_a_share_turns_the_first_channels_as_if_they_were_all(pairs):
    x = torch.randn(1, 2, 7, 16)
    turned = rotate(x, 3, Rotary(share=0.25, pairs=pairs))
    assert torch.equal(turned[..., 4:], x[..., 4:])
    assert torch.equal(turned[..., :4], rotate(x[..., :4], 3, Rotary(pairs=pairs)))


def test_linear_scaling_divides_every_place():
    x = torch.randn(1, 1, 1, 8, dtype=torch.float64)
    stretched = rotate(x, 12, Rotary(scaling="linear", factor=4.0))
    torch.testing.assert_close(stretched, rotate(x, 3, Rotary()), rtol=0, atol=1e-6)


def test_ntk_keeps_the_fastest_frequency_and_divides_the_slowest():
    plain, stretched = (Rotary(scaling=kind, factor=8.0).frequencies(16) for kind in ("none", "ntk"))
    assert stretched[0] == plain[0] == 1
    assert stretched[-1].item() == pytest.approx(plain[-1].item() / 8)
    assert ((stretched / plain).diff() < 0).all()


def test_llama_3_divides_slow_frequencies_keeps_fast_ones_and_goes_between():
    plain = Rotary(base=500_000.0).frequencies(128)
    ratio = Rotary(base=500_000.0, scaling="llama3", factor=8.0, original=8192).frequencies(128) / plain
    turns = 8192 * plain / (2 * math.pi)
    torch.testing.assert_close(ratio[turns > 4], torch.ones_like(ratio[turns > 4]))
    torch.testing.assert_close(ratio[turns < 1], torch.full_like(ratio[turns < 1], 1 / 8))
    between = ratio[(turns > 1) & (turns < 4)]
    assert len(between) > 2
    assert (between.diff() < 0).all()


@pytest.mark.parametrize("pairs", ["halves", "neighbours"])
@pytest.mark.parametrize(
    ("position", "length"), [(0, 64), (0, 300), (255, 2), (1000, 300), (262_143, 70), (262_144, 1)]
)
def test_a_token_turns_alike_however_many_tokens_come_with_it(pairs, position, length):
    x, rotary = torch.randn(1, 2, length, 8), Rotary(pairs=pairs)
    alone = [rotate(x[:, :, [i]], position + i, rotary) for i in range(length)]
    assert torch.equal(rotate(x, position, rotary), torch.cat(alone, dim=2))


def test_the_table_of_angles_does_not_grow_with_the_position(tables):
    for position in (0, 1 << 12, 1 << 18, (1 << 24) - 1):
        rotate(torch.randn(1, 1, 3, 32), position, Rotary())
        assert tables.nbytes <= 4 * 2 * 2 * positions.LEAST_ROWS * 32 * 4  # four of two steps


def test_old_tables_of_angles_are_freed(tables, monkeypatch):
    monkeypatch.setattr(positions, "TABLE_BYTES", 1 << 18)
    for position in range(0, 1 << 14, positions.LEAST_ROWS):
        rotate(torch.randn(1, 1, 1, 32), position, Rotary())
    assert 1 << 17 < tables.nbytes <= 1 << 18
    rotate(torch.randn(1, 1, 5000, 32), 0, Rotary())
    assert tables.nbytes == 2 * 8192 * 32 * 4  # larger than the limit, and alone
    rotate(torch.randn(1, 1, 1, 32), 0, Rotary())
    assert tables.nbytes == 2 * positions.LEAST_ROWS * 32 * 4


def test_tables_of_angles_live_nowhere_but_in_the_store(tables, monkeypatch):
    monkeypatch.setattr(positions, "TABLE_BYTES", 1)
    made, angles = [], positions._angles

    def watched(*key):
        table = angles(*key)
        made.extend(weakref.ref(part.untyped_storage()) for part in table)
        return table

    monkeypatch.setattr(positions, "_angles", watched)
    for position in range(6):
        rotate(torch.randn(1, 1, 1, 32), position * positions.LEAST_ROWS, Rotary())
    gc.collect()
    assert [part() is None for part in made] == 10 * [True] + 2 * [False]


@pytest.fixture
def tables(monkeypatch):
    """An empty store of tables of angles."""
    empty = positions._Tables()
    monkeypatch.setattr(positions, "_tables", empty)
    return empty
