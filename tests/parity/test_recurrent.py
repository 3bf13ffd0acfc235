"""The recurrent models against torch.nn.RNN, GRU and LSTM, against their own equations, and a worked example."""

import pytest
import torch
from torch import nn

from lab.api import Task
from lab_recurrent import GRUConfig, LSTMConfig, RNNConfig
from lab_recurrent.cells import CELL, HIDDEN, LSTMCell
from lab_recurrent.model import build_gru, build_lstm, build_rnn

V, H, B, T = 13, 24, 3, 41
KINDS = {
    "tanh": (build_rnn, RNNConfig(layers=2, width=H), lambda: nn.RNN(H, H, 2, batch_first=True)),
    "relu": (
        build_rnn,
        RNNConfig(layers=2, width=H, nonlinearity="relu"),
        lambda: nn.RNN(H, H, 2, nonlinearity="relu", batch_first=True),
    ),
    "gru": (build_gru, GRUConfig(layers=2, width=H), lambda: nn.GRU(H, H, 2, batch_first=True)),
    "lstm": (build_lstm, LSTMConfig(layers=2, width=H), lambda: nn.LSTM(H, H, 2, batch_first=True)),
}


@pytest.fixture(params=KINDS)
def pair(request):
    """A model, and torch's module of two layers with the same weights, biases drawn too."""
    build, config, make = KINDS[request.param]
    torch.manual_seed(0)
    ours, theirs = build(config, Task(V, T)), make()
    for number, cell in enumerate(ours.cells):
        named = theirs.state_dict().items()
        own = {name.replace(f"_l{number}", "_l0"): w for name, w in named if name.endswith(f"_l{number}")}
        cell.rnn.load_state_dict(own)
    return ours, theirs


@pytest.fixture
def tokens():
    return torch.randint(V, (B, T), generator=torch.Generator().manual_seed(1))


def largest_gap(found, expected):
    return max((one - other).abs().max().item() for one, other in zip(found, expected, strict=True))


def test_with_the_same_weights_logits_and_states_are_those_of_torch(pair, tokens):
    ours, theirs = pair
    logits, state = ours.extend(tokens, ours.start(B))
    hidden, after = theirs(ours.embedding(tokens))
    last = after if isinstance(after, tuple) else (after,)
    assert largest_gap([logits], [ours.output(hidden)]) <= 1e-6
    for name, expected in zip(ours.cells[0].states, last, strict=True):
        assert largest_gap([layer[name] for layer in state], expected) <= 1e-6


def test_carried_on_and_token_by_token_it_is_still_torch_s(pair, tokens):
    ours, theirs = pair
    _, state = ours.extend(tokens[:, :20], ours.start(B))
    stepped, state = ours.step(tokens[:, 20], state)
    rest, _ = ours.extend(tokens[:, 21:], state)
    expected = ours.output(theirs(ours.embedding(tokens))[0])[:, 20:]
    assert largest_gap([stepped[:, None], rest], [expected[:, :1], expected[:, 1:]]) <= 1e-6


def test_the_equations_give_the_logits_and_gradients_of_the_fused_modules(pair, tokens):
    ours, _ = pair

    def passed(logits):
        loss = nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())
        return [logits, *torch.autograd.grad(loss, list(ours.parameters()))]

    assert largest_gap(passed(ours(tokens)), passed(ours.unrolled(tokens).logits)) <= 1e-6


def test_peepholes_of_zero_leave_torch_s_lstm():
    tokens = torch.randint(V, (B, T), generator=torch.Generator().manual_seed(1))
    torch.manual_seed(0)
    plain = build_lstm(LSTMConfig(layers=2, width=H), Task(V, T))
    torch.manual_seed(0)
    peeping = build_lstm(LSTMConfig(layers=2, width=H, peephole=True), Task(V, T))
    assert largest_gap([peeping(tokens)], [plain(tokens)]) <= 1e-6


def test_two_tokens_are_those_of_a_published_example():
    # Gomez 2016, Backpropogating an LSTM: A Numerical Example; one unit, two inputs, rows in torch's order i, f, g, o
    cell = LSTMCell(LSTMConfig(width=2))
    cell.rnn = nn.LSTM(2, 1, batch_first=True)
    cell.rnn.load_state_dict(
        {
            "weight_ih_l0": torch.tensor([[0.95, 0.8], [0.7, 0.45], [0.45, 0.25], [0.6, 0.4]]),
            "weight_hh_l0": torch.tensor([[0.8], [0.1], [0.15], [0.25]]),
            "bias_ih_l0": torch.tensor([0.65, 0.15, 0.2, 0.1]),
            "bias_hh_l0": torch.zeros(4),
        }
    )
    first, second = cell.all_steps(torch.tensor([[[1.0, 2.0], [0.5, 3.0]]]), cell.start(1))
    expected = {"cell candidate": 0.81775, "input gate": 0.96083, "forget gate": 0.85195, "output gate": 0.81757}
    expected |= {CELL: 0.78572, HIDDEN: 0.53631}
    assert {name: value.item() for name, value in first.items()} == pytest.approx(expected, abs=1e-5)
    expected = {"cell candidate": 0.84980, "input gate": 0.98118, "forget gate": 0.87030, "output gate": 0.84993}
    expected |= {CELL: 1.5176, HIDDEN: 0.77198}
    assert {name: value.item() for name, value in second.items()} == pytest.approx(expected, abs=5e-5)
