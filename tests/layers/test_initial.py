"""Initial weights: the spread of each scheme, for each part of fused matrices."""

import math

import pytest
import torch

from lab.api import Slot, StackConfig
from lab.layers import Attention, FeedForward, Initialisation

C, LAYERS = 128, 8
SLOT = Slot(C, 0, LAYERS, 16, True, StackConfig(width=C))
SHRINK = math.sqrt(2 * LAYERS)


def spread(weight):
    return weight.std().item()


@pytest.mark.parametrize(("scheme", "std"), [("normal", 0.02), ("small", math.sqrt(2 / (5 * C)))])
def test_normal_schemes_have_one_spread_and_less_for_what_writes(scheme, std):
    begin = Initialisation(scheme)
    attention, layer = Attention(SLOT, heads=4, initialisation=begin), FeedForward(SLOT, initialisation=begin)
    for weight in (attention.project.weight, layer.inner.weight):
        assert spread(weight) == pytest.approx(std, rel=0.05)
    for weight in (attention.output.weight, layer.outer.weight):
        assert spread(weight) == pytest.approx(std / SHRINK, rel=0.05)


def test_xavier_takes_each_fused_part_by_its_own_outputs():
    begin = Initialisation("xavier", residual_scaling=False)
    attention = Attention(SLOT, heads=4, kv_heads=1, initialisation=begin)
    q, k, v = attention.project.weight.split([128, 32, 32])
    for part, outputs in ((q, 128), (k, 32), (v, 32)):
        assert spread(part) == pytest.approx(math.sqrt(2 / (C + outputs)), rel=0.05)
        assert part.abs().max().item() <= math.sqrt(6 / (C + outputs))
    gate, value = FeedForward(SLOT, activation="geglu", initialisation=begin).inner.weight.chunk(2)
    for part in (gate, value):
        assert spread(part) == pytest.approx(math.sqrt(2 / (C + 8 * C // 3)), rel=0.05)
    assert spread(attention.output.weight) == pytest.approx(math.sqrt(2 / (C + C)), rel=0.05)


@pytest.mark.parametrize(("scheme", "std"), [("normal", 0.02), ("small", math.sqrt(2 / (5 * C))), ("xavier", C**-0.5)])
def test_tables_have_the_spread_of_their_scheme(scheme, std):
    table = torch.empty(500, C)
    Initialisation(scheme).table(table)
    assert spread(table) == pytest.approx(std, rel=0.05)


def test_the_spreads_of_mup_follow_the_inputs_of_each_matrix_and_the_head_is_narrower():
    begin, table, head = Initialisation("mup"), torch.empty(500, C), torch.empty(500, C)
    layer = FeedForward(SLOT, initialisation=begin)
    begin.table(table)
    begin.head(head)
    assert spread(layer.inner.weight) == pytest.approx(C**-0.5, rel=0.05)
    assert spread(layer.outer.weight) == pytest.approx((4 * C) ** -0.5 / SHRINK, rel=0.05)
    assert spread(table) == pytest.approx(0.02, rel=0.05)
    assert spread(head) == pytest.approx(1 / C, rel=0.05)


def test_biases_and_sinks_begin_at_zero():
    attention = Attention(SLOT, heads=4, bias=True, sink=True)
    assert not attention.project.bias.any()
    assert not attention.output.bias.any()
    assert not attention.sink.any()
