"""Two causal mixers as one that reads both ways."""

import pytest
import torch

from lab.api import Slot
from lab.layers import BothWays, TokenMixer


class Sum(TokenMixer):
    """The sum of what was read so far."""

    def __init__(self, slot):
        super().__init__()
        assert slot.causal
        self.gain = torch.nn.Parameter(torch.rand(slot.width))

    def forward(self, x):
        return self.gain * x.cumsum(dim=1)

    def mixing_map(self, x):
        T = x.shape[1]
        return torch.ones(T, T).tril().expand(x.shape[0], 1, T, T)


@pytest.fixture
def mixer():
    torch.manual_seed(0)
    return BothWays(Slot(4, 0, 1, 16, False, None), Sum)


def test_each_position_reads_what_stands_before_it_and_after_it(mixer):
    x = torch.randn(2, 7, 4)
    expected = mixer.onward.gain * x.cumsum(1) + mixer.back.gain * x.flip(1).cumsum(1).flip(1)
    torch.testing.assert_close(mixer(x), expected)


def test_padding_is_not_read(mixer):
    x = torch.randn(2, 7, 4)
    mask = torch.arange(7) < torch.tensor([[7], [4]])
    found = mixer(x, mask)
    torch.testing.assert_close(found[1:, :4], mixer(x[1:, :4]))
    torch.testing.assert_close(found[:1], mixer(x[:1]))


def test_its_map_has_both_triangles(mixer):
    found = mixer.mixing_map(torch.randn(1, 5, 4))
    assert found[0, 0].equal(torch.ones(5, 5).tril())
    assert found[0, 1].equal(torch.ones(5, 5).triu())


def test_a_bidirectional_lstm_is_that_of_torch():
    from lab_recurrent import LSTMMixerConfig
    from lab_recurrent.mixers import lstm

    mixer = BothWays(Slot(6, 0, 1, 16, False, LSTMMixerConfig()), lstm)
    theirs = torch.nn.LSTM(6, 6, batch_first=True, bidirectional=True)
    with torch.no_grad():
        for name, cell in (("", mixer.onward.cell), ("_reverse", mixer.back.cell)):
            for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
                tensor = getattr(cell.rnn, f"{part}_l0")
                tensor.add_(0.1 * torch.randn_like(tensor))
                getattr(theirs, f"{part}_l0{name}").copy_(tensor)
    x = torch.randn(3, 9, 6)
    lengths = torch.tensor([9, 5, 1])
    packed = torch.nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True)
    expected, _ = torch.nn.utils.rnn.pad_packed_sequence(theirs(packed)[0], batch_first=True)
    mask = torch.arange(9) < lengths[:, None]
    with torch.no_grad():
        found = mixer(x, mask)
    torch.testing.assert_close(found[mask], (expected[..., :6] + expected[..., 6:])[mask], rtol=0, atol=1e-6)
