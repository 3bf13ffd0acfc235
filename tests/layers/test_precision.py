"""Parts of a model that keep full precision under autocast."""

import torch

from lab.layers import full_precision


def test_inside_products_keep_the_dtype_of_what_goes_in_and_behind_it_they_are_short_again():
    x = torch.randn(4, 4)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        with full_precision(x):
            assert (x @ x).dtype == torch.float32
        assert (x @ x).dtype == torch.bfloat16


def test_without_autocast_and_without_data_it_changes_nothing():
    x = torch.empty(2, 2, device="meta")
    with full_precision(x):
        assert (x @ x).dtype == torch.float32
