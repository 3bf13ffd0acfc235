"""The conformance suite on transformers that are far from each other."""

import pytest

from lab.testing import conformance
from lab_transformer import TransformerConfig

pytestmark = pytest.mark.long

SMALL = {"layers": 2, "width": 16, "heads": 4, "dropout": 0.1}


def suite(**settings):
    """Return the checks of one configuration."""
    return conformance("transformer", plugin="lab_transformer", config=TransformerConfig(**SMALL, **settings))


test_window_of_grouped_heads = suite(
    kv_heads=2, window=6, positions="rotary", norm="rms", feed_forward="swiglu", tie=False
)
test_dilated_window_with_slopes_and_norms_behind = suite(
    window=3, dilation=2, global_tokens=2, positions="alibi", norm_place="post", bias=True, feed_forward="relu2"
)
test_relative_bias_with_sinks_and_no_norms = suite(
    kv_heads=1, head_width=6, sink=True, qk_norm=True, positions="t5", relative_buckets=8, relative_distance=20,
    parallel="two-norms", norm="none", feed_forward="geglu",
)  # fmt: skip
test_caps_with_sinusoids_and_one_norm = suite(
    attention_cap=2.0, output_cap=3.0, positions="sinusoidal", parallel="one-norm", initialisation="xavier", sink=True
)
