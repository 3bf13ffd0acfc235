"""ShortConvolution: each channel over its last few tokens, with a state."""

import pytest
import torch
import torch.nn.functional as F

from lab.layers import ShortConvolution


@pytest.mark.parametrize("activation", ["silu", "none"])
@pytest.mark.parametrize("kernel", [1, 4])
def test_a_token_sees_itself_and_those_just_before_it(kernel, activation):
    made = ShortConvolution(3, kernel, activation=activation).double()
    x = torch.randn(2, 9, 3, dtype=torch.float64)
    y, state = made(x)
    padded = F.pad(x, (0, 0, kernel - 1, 0))
    expected = sum(made.weight[:, 0, j] * padded[:, j : j + 9] for j in range(kernel)) + made.bias
    torch.testing.assert_close(y, F.silu(expected) if activation == "silu" else expected)
    torch.testing.assert_close(state, padded[:, 9:])


def test_pieces_of_any_length_continue_one_another_from_the_start():
    made = ShortConvolution(3, bias=False)
    x = torch.randn(2, 9, 3)
    whole, last = made(x)
    state, found = made.start(2), []
    assert not state.any()
    for piece in x.split([1, 2, 5, 1], dim=1):
        y, state = made(piece, state)
        found.append(y)
    torch.testing.assert_close((torch.cat(found, dim=1), state), (whole, last))


def test_under_autocast_a_state_stays_as_wide_as_it_begins():
    made, x = ShortConvolution(3), torch.randn(2, 9, 3)
    with torch.autocast("cpu", torch.bfloat16):
        y, state = made(x.bfloat16(), made.start(2))
    assert (y.dtype, state.dtype) == (torch.bfloat16, torch.float32)
