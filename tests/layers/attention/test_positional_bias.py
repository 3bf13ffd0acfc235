"""ALiBi's slopes and T5's buckets are those of the papers."""

import pytest
import torch

from lab.layers import Alibi, RelativeBias
from lab.layers.attention.biases import bucket_of
from lab.layers.attention.masks import Extent

CPU = torch.device("cpu")


@pytest.mark.parametrize(
    ("heads", "slopes"),
    [
        (1, [2**-8]),
        (2, [2**-4, 2**-8]),
        (8, [2**-1, 2**-2, 2**-3, 2**-4, 2**-5, 2**-6, 2**-7, 2**-8]),
        (3, [2**-4, 2**-8, 2**-2]),
        (6, [2**-2, 2**-4, 2**-6, 2**-8, 2**-1, 2**-3]),
        (12, [2**-1, 2**-2, 2**-3, 2**-4, 2**-5, 2**-6, 2**-7, 2**-8, 2**-0.5, 2**-1.5, 2**-2.5, 2**-3.5]),
    ],
)
def test_slopes_are_a_geometric_sequence_and_every_other_one_of_the_next(heads, slopes):
    assert Alibi(heads).slopes() == pytest.approx(slopes)


def test_alibi_takes_off_the_distance_times_the_slope():
    bias = Alibi(2)(Extent(2, 4), torch.float64, CPU)
    distances = torch.tensor([[2, 1, 0, 1], [3, 2, 1, 0]], dtype=torch.float64)
    torch.testing.assert_close(bias, -torch.tensor([2**-4, 2**-8], dtype=torch.float64)[:, None, None] * distances)


def test_distances_reach_over_what_is_kept_no_more():
    bias = Alibi(1)(Extent(1, 4, first=1, gap=10), torch.float64, CPU)
    assert (-bias / 2**-8).flatten().tolist() == [13, 2, 1, 0]


def test_causal_buckets_hold_one_distance_each_and_then_ever_more():
    found = bucket_of(torch.arange(-3, 40), 8, 32, causal=True).tolist()
    # four single ones; then 4 + ⌊4 · log(d / 4) / log(8)⌋, whose borders are 4 · 8^(1/4), 4 · 8^(1/2), 4 · 8^(3/4)
    expected = [0, 0, 0, 0, 1, 2, 3, 4, 4, 4, 5, 5, 5, 5, 5, *[6] * 8, *[7] * 20]
    assert found == expected


def test_where_both_sides_are_read_half_of_the_buckets_lie_behind():
    found = bucket_of(torch.tensor([0, 1, 2, 3, 50, -1, -2, -3, -50]), 8, 16, causal=False).tolist()
    assert found == [0, 1, 2, 2, 3, 5, 6, 6, 7]


def test_a_relative_bias_is_the_row_of_its_bucket():
    bias = RelativeBias(3, buckets=4, farthest=8)
    found = bias(Extent(5, 5), torch.float32, CPU)
    assert found.shape == (3, 5, 5)
    assert torch.equal(found[:, 4, 4], bias.weight[0])
    assert torch.equal(found[:, 4, 3], bias.weight[1])
    assert torch.equal(found[:, 4, 0], bias.weight[bucket_of(torch.tensor(4), 4, 8, causal=True)])
