"""The position terms of scores, compared with Hugging Face's T5 and BLOOM."""

import os
import warnings

import pytest
import torch

from lab.layers import Alibi
from lab.layers.attention.biases import bucket_of

os.environ["HF_HUB_OFFLINE"] = "1"
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from transformers.models.bloom.modeling_bloom import build_alibi_tensor
    from transformers.models.t5.modeling_t5 import T5Attention


@pytest.mark.parametrize(("buckets", "farthest"), [(32, 128), (8, 16), (64, 1000), (4, 8)])
@pytest.mark.parametrize("causal", [True, False], ids=["decoder", "encoder"])
def test_buckets_are_those_of_t5(buckets, farthest, causal):
    distance = torch.arange(-2000, 2001)
    theirs = T5Attention._relative_position_bucket(-distance, not causal, buckets, farthest)
    assert torch.equal(bucket_of(distance, buckets, farthest, causal=causal), theirs)


@pytest.mark.parametrize("heads", [1, 4, 6, 8, 12, 14, 16, 71])
def test_slopes_are_those_of_bloom(heads):
    theirs = build_alibi_tensor(torch.ones(1, 2), heads, torch.float32)[:, 0, 1]  # of the key at position 1
    torch.testing.assert_close(torch.tensor(Alibi(heads).slopes()), theirs)
