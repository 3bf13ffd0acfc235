"""The position terms of scores, compared with Hugging Face's T5 and BLOOM."""

import importlib

import pytest
import torch

from lab.layers import Alibi
from lab.layers.attention.biases import bucket_of


@pytest.mark.parametrize(("buckets", "farthest"), [(32, 128), (8, 16), (64, 1000), (4, 8)])
@pytest.mark.parametrize("causal", [True, False], ids=["decoder", "encoder"])
def test_buckets_are_those_of_t5(hf, buckets, farthest, causal):
    distance = torch.arange(-2000, 2001)
    attention = importlib.import_module(f"{hf.__name__}.models.t5.modeling_t5").T5Attention
    theirs = attention._relative_position_bucket(-distance, not causal, buckets, farthest)
    assert torch.equal(bucket_of(distance, buckets, farthest, causal=causal), theirs)


@pytest.mark.parametrize("heads", [1, 4, 6, 8, 12, 14, 16, 71])
def test_slopes_are_those_of_bloom(hf, heads):
    build_alibi_tensor = importlib.import_module(f"{hf.__name__}.models.bloom.modeling_bloom").build_alibi_tensor
    theirs = build_alibi_tensor(torch.ones(1, 2), heads, torch.float32)[:, 0, 1]  # of the key at position 1
    torch.testing.assert_close(torch.tensor(Alibi(heads).slopes()), theirs)
