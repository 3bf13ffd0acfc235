"""Windows: their masks are those of the definitions, and what is dropped is what nobody reads any more."""

import pytest
import torch

from lab.layers import Window
from lab.layers.attention.masks import Extent, mask_of

CPU = torch.device("cpu")
WINDOWS = [(0, 1, 0), (1, 1, 0), (4, 1, 0), (4, 1, 2), (3, 2, 0), (3, 3, 2), (1, 1, 3), (40, 1, 0)]


def read_by_definition(i, j, size, dilation, first, *, causal):
    """Longformer's figure 2 and Mistral's i − W < j ≤ i, one pair of positions at a time."""
    if causal and j > i:
        return False
    if size == 0 or j < first or (not causal and i < first):
        return True
    return any(abs(i - j) == n * dilation for n in range(size))


@pytest.mark.parametrize("causal", [True, False], ids=["causal", "bidirectional"])
@pytest.mark.parametrize("window", WINDOWS)
def test_a_mask_is_the_definition_s(window, causal):
    mask = mask_of(Extent(13, 13), Window(*window, causal=causal), CPU)
    expected = [[read_by_definition(i, j, *window, causal=causal) for j in range(13)] for i in range(13)]
    assert mask.tolist() == expected


@pytest.mark.parametrize("causal", [True, False], ids=["causal", "bidirectional"])
@pytest.mark.parametrize("window", WINDOWS)
def test_no_mask_is_left_out_that_hides_something(window, causal):
    window = Window(*window, causal=causal)
    for tokens in (1, 2, 4, 5, 13):
        extent = Extent(tokens, tokens)
        mask = mask_of(extent, window, CPU)
        assert window.reads_all(extent) <= bool(mask.all())
        assert window.reads_triangle(extent) <= torch.equal(mask, torch.ones_like(mask).tril())


@pytest.mark.parametrize("window", WINDOWS)
def test_what_is_kept_is_read_as_it_would_be_among_all(window):
    window = Window(*window)
    whole = mask_of(Extent(40, 40), window, CPU)
    for past in (1, 3, 7, 20):
        positions = torch.arange(past)[None, None, :, None]
        held = window.trimmed(positions) if window.drops(past) else positions
        for new in (1, 2, 5):
            keys = torch.cat([held.flatten(), torch.arange(past, past + new)])
            gap = past - held.shape[2] if window.first else 0
            extent = Extent(new, len(keys), window.first, gap)
            rows = whole[past : past + new, : past + new]
            assert rows.sum() == rows[:, keys].sum(), "a dropped key is still read"
            if window.reads_all(extent):
                assert rows[:, keys].all()
            else:
                assert torch.equal(mask_of(extent, window, CPU), rows[:, keys])
    assert window.drops(20) == (held.shape[2] < 20)


def test_a_mask_made_under_inference_mode_serves_training():
    with torch.inference_mode():
        mask = mask_of(Extent(6, 6), Window(3, 2, 1), CPU)
    assert not mask.is_inference()
    assert mask_of(Extent(6, 6), Window(3, 2, 1), CPU) is mask


def test_a_text_written_token_by_token_drives_out_no_mask_of_a_training():
    mask = mask_of(Extent(6, 6), Window(3, 2), CPU)
    for keys in range(1, 40):
        mask_of(Extent(1, keys), Window(3, 2), CPU)
    assert mask_of(Extent(6, 6), Window(3, 2), CPU) is mask
