"""The state of a model: found in its decoding state, measured by norm and rank, multiplied by known eigenvalues."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
import torch

from lab.api import BadInput, Task, checked_readings
from lab.diagnostics.state.carried import undisturbed
from lab.diagnostics.state.eigenvalues import eigenvalues
from lab.diagnostics.state.memory import memory
from lab.diagnostics.state.spectrum import effective_rank, state
from lab.layers import LanguageModel, ResidualStack, TokenMixer
from lab.layers.attention.attention import Attention
from lab_recurrent import GRUConfig, LSTMConfig, RNNConfig
from lab_recurrent.model import build_gru, build_lstm, build_rnn

TOKENS = torch.tensor([[0, 1, 2, 2, 1]])
PROBES = {"state": state, "eigenvalues": eigenvalues, "memory": memory}


def found(probe, model, tokens=TOKENS):
    """The readings of a probe by name and layer."""
    readings = checked_readings(probe(None)(model, tokens))
    return {(one.name, one.layer): one for one in readings}


class Carrying(LanguageModel):
    """Adds something `of` each token to its state; `form` says in which form it stands there a second time."""

    def __init__(self, shape, of, form=lambda carried: carried):
        super().__init__(None, Task(4, 16))
        self.shape, self.of, self.form = shape, of, form
        self.layers = torch.nn.ModuleList(torch.nn.Identity() for _ in range(2))

    def start(self, batch, **given):
        return {"read": 0, "carried": torch.zeros(batch, *self.shape), "form": None}

    def step(self, tokens, before):
        written = torch.stack([self.of(token) for token in tokens.tolist()])
        carried = before["carried"] + written
        after = {"read": before["read"] + 1, "carried": carried, "form": self.form(carried)}
        return carried.new_zeros(len(tokens), 4), after


def corner(token, size=3, heads=2):
    """e e^T of a token in the first head, nothing in the others."""
    matrix = torch.zeros(heads, size, size)
    matrix[0, token, token] = 1
    return matrix


def test_norm_and_rank_of_matrices_stand_per_token_and_head():
    readings = found(state, Carrying((2, 3, 3), corner))
    norm, rank = readings["state norm", None], readings["effective rank", None]
    assert norm.axes == rank.axes == ("token", "head")
    assert norm.path == ""
    assert norm.values[:, 0] == pytest.approx(np.sqrt([1, 2, 3, 6, 9]))
    shares = [np.array(each) / sum(each) for each in ([1], [1, 1], [1, 1, 1], [1, 1, 2], [1, 2, 2])]
    assert rank.values[:, 0] == pytest.approx([np.exp(-(p * np.log(p)).sum()) for p in shares], rel=1e-5)
    assert not norm.values[:, 1].any()
    assert not rank.values[:, 1].any()


def test_a_matrix_without_heads_has_one_head_and_a_vector_a_norm_alone():
    one = found(state, Carrying((3, 3), lambda token: corner(token)[0]))
    assert one["effective rank", None].values[:3] == pytest.approx(np.array([[1], [2], [3]]), rel=1e-6)
    vector = found(state, Carrying((2,), lambda token: torch.tensor([3.0, 4.0])))
    assert set(vector) == {("state norm", None)}
    assert vector["state norm", None].values == pytest.approx(5 * np.arange(1, 6)[:, None])


def test_complex_states_are_measured_by_their_moduli():
    turned = found(state, Carrying((2, 3, 3), lambda token: corner(token) * complex(0.6, 0.8)))
    plain = found(state, Carrying((2, 3, 3), corner))
    for name in plain:
        assert turned[name].values == pytest.approx(plain[name].values, abs=1e-5)


def test_the_rank_is_that_of_the_singular_values():
    matrices = torch.randn(2, 5, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    shares = torch.linalg.svdvals(matrices)
    shares /= shares.sum(-1, keepdim=True)
    expected = (-(shares * shares.log()).sum(-1)).exp()
    assert effective_rank(matrices).tolist() == pytest.approx(expected.tolist())
    assert effective_rank(matrices.mT * 1e-12).tolist() == pytest.approx(expected.tolist())


def test_a_long_text_is_measured_in_pieces(monkeypatch):
    whole = found(state, Carrying((2, 3, 3), corner))
    monkeypatch.setattr("lab.diagnostics.state.spectrum.AT_ONCE", 40)
    for name, reading in found(state, Carrying((2, 3, 3), corner)).items():
        assert np.array_equal(reading.values, whole[name].values)


def test_layers_are_distinguished_if_the_state_has_one_part_for_each():
    def form(carried):
        return ({"small": carried[:, 0], "large": carried}, (carried, 2 * carried))

    model = Carrying((2, 3, 3), corner, form)
    readings = found(state, model)
    assert {(name, layer) for name, layer in readings if layer is not None} == {
        (name, layer) for name in ("state norm", "effective rank") for layer in (0, 1)
    }
    assert [readings["state norm", layer].path for layer in (0, 1)] == ["layers.0", "layers.1"]
    large, last = (readings["state norm", layer].values for layer in (0, 1))
    assert last == pytest.approx(2 * large)  # of several as large the last


class Decaying(TokenMixer):
    """A state of one vector, multiplied by a known diagonal."""

    kept = torch.tensor([0.5, 0.9, -0.5, 0.1])

    def start(self, batch):
        return torch.zeros(batch, 4)

    def step(self, x, before):
        after = self.kept * before + x
        return after, after

    def eigenvalues(self, x):
        return torch.complex(self.kept, x.mean((0, 1)))


@dataclass
class Settings:
    """The settings that a stack needs from a config."""

    layers: int = 2
    width: int = 4
    dropout: float = 0.0
    layer_dropout: float = 0.0


def stack(*mixers, causal=True):
    """A stack of the mixers, given as factories."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return ResidualStack(Settings(len(mixers)), Task(4, 16, causal=causal), token_mixer=mixers)


def attention(slot):
    """An attention, whose state grows."""
    return Attention(slot, heads=1)


def decaying(slot):
    """A recurrence."""
    del slot
    return Decaying()


def test_of_a_hybrid_the_blocks_without_a_cache_are_read():
    model = stack(attention, decaying)
    assert [(layer, one.path) for (_, layer), one in found(state, model).items()] == [(1, "blocks.1")]
    assert {layer for _, layer in found(memory, model)} == {1}


class Convolved(TokenMixer):
    """A sum of outer products of the last six tokens' mean with itself, beside those tokens, which are more numbers."""

    def __init__(self, *, sums):
        super().__init__()
        self.sums = sums

    def start(self, batch):
        return {"sum": torch.zeros(batch, 4, 4) if self.sums else None, "last": torch.zeros(batch, 6, 4)}

    def step(self, x, before):
        last = torch.cat([before["last"][:, 1:], x[:, None]], dim=1)
        y = last.mean(1)
        return y, {"sum": before["sum"] + y[:, :, None] * y[:, None] if self.sums else None, "last": last}


def test_the_last_inputs_of_a_convolution_are_the_state_only_where_nothing_else_is():
    model = stack(*(lambda slot, sums=sums: Convolved(sums=sums) for sums in (True, False)))
    with torch.no_grad():
        read = model.extend(TOKENS, model.start(1))[1]["blocks"]
    norms = [read[layer][0][name].norm().item() for layer, name in ((0, "sum"), (1, "last"))]
    for tokens in (TOKENS, torch.cat([TOKENS, TOKENS], dim=1)):
        measured = found(state, model, tokens)
        assert [measured["state norm", layer].values[4, 0] for layer in (0, 1)] == pytest.approx(norms)


@pytest.mark.parametrize("probe", [state, memory])
def test_a_model_whose_every_state_grows_is_refused(probe):
    with pytest.raises(BadInput, match="grows with every token"):
        found(probe, stack(attention, attention))


@pytest.mark.parametrize("probe", [state, memory])
def test_what_cannot_be_read_is_refused_in_words(probe):
    with pytest.raises(BadInput, match="at least two tokens"):
        found(probe, stack(decaying), TOKENS[:, :1])
    with pytest.raises(BadInput, match="both ways"):
        found(probe, stack(attention, causal=False))


def test_eigenvalues_are_asked_with_what_each_mixer_read():
    heard = []
    model = stack(decaying, attention, decaying)
    for block in (model.blocks[0], model.blocks[2]):
        block.token.register_forward_hook(lambda module, inputs, _: heard.append(inputs[0]))
    readings = found(eigenvalues, model)
    assert [layer for _, layer in readings] == [0, 2]
    for reading, x in zip(readings.values(), heard, strict=True):
        assert reading.axes == ("quantity", "state")
        assert reading.coordinates == {"quantity": ("real", "imaginary")}
        assert reading.values == pytest.approx(np.stack([Decaying.kept, x.mean((0, 1))]))
    assert all("forward" not in vars(module) and "extend" not in vars(module) for module in model.modules())
    with pytest.raises(BadInput, match="computes eigenvalues of its state"):
        found(eigenvalues, stack(attention))


def recurrent(build, config):
    """A recurrent model of two units whose weights are 0."""
    model = build(config, Task(4, 16)).eval()
    for parameter in model.parameters():
        torch.nn.init.zeros_(parameter)
    return model


def test_eigenvalues_of_recurrent_networks_are_those_of_what_multiplies_their_state():
    rnn = recurrent(build_rnn, RNNConfig(width=2))
    turn = torch.tensor([[math.cos(1), -math.sin(1)], [math.sin(1), math.cos(1)]])
    rnn.cells[0].weights[1].data.copy_(turn)
    (reading,) = found(eigenvalues, rnn).values()
    assert (reading.layer, reading.path) == (0, "layers.0")
    expected = [[math.cos(1)] * 2, [-math.sin(1), math.sin(1)]]
    assert reading.values[:, reading.values[1].argsort()] == pytest.approx(np.array(expected))
    lstm = recurrent(build_lstm, LSTMConfig(width=2))
    lstm.cells[0].weights[2].data[2:4] = torch.tensor([1.0, 3.0])  # the forget gates
    (reading,) = found(eigenvalues, lstm).values()
    assert reading.values == pytest.approx(np.array([[0.7310586, 0.9525741], [0, 0]]))
    gru = recurrent(build_gru, GRUConfig(width=2))
    gru.cells[0].weights[1].data[4:6] = 2 * turn  # of the candidate; both gates are a half
    (reading,) = found(eigenvalues, gru).values()
    assert np.abs(reading.values) == pytest.approx(0.5 * np.array([[1 + math.cos(1)] * 2, [math.sin(1)] * 2]))


def test_eigenvalues_that_would_take_minutes_are_refused(monkeypatch):
    monkeypatch.setattr("lab_recurrent.cells.LARGEST", 1)
    with pytest.raises(BadInput, match="recurrent-matrices"):
        found(eigenvalues, recurrent(build_rnn, RNNConfig(width=2)))


@pytest.mark.parametrize("probe", PROBES)
@pytest.mark.parametrize("build", [(build_rnn, RNNConfig), (build_gru, GRUConfig), (build_lstm, LSTMConfig)])
def test_a_model_that_is_not_finite_has_readings_of_nan(probe, build):
    model = recurrent(build[0], build[1](width=2))
    for parameter in model.parameters():
        torch.nn.init.constant_(parameter, math.nan)
    for (name, _), reading in found(PROBES[probe], model).items():
        known = reading.coordinates.get("quantity", ())
        some = reading.values[[one not in ("chance", "imaginary") for one in known]] if known else reading.values
        assert np.isnan(some).all(), name


@pytest.mark.parametrize("probe", PROBES)
def test_a_model_in_training_is_read_as_it_decodes_and_continues_training(probe):
    model = build_lstm(LSTMConfig(width=4, layers=2, dropout=0.5), Task(4, 16)).train()
    model.layers[0].eval()
    modes, drawn = [module.training for module in model.modules()], torch.get_rng_state()
    first, second = found(PROBES[probe], model), found(PROBES[probe], model)
    assert all(np.array_equal(first[key].values, second[key].values) for key in first)
    assert [module.training for module in model.modules()] == modes
    assert torch.equal(torch.get_rng_state(), drawn)
    assert all(parameter.grad is None for parameter in model.parameters())


def test_one_thread_computes_and_the_others_come_back():
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        with undisturbed(stack(decaying)):
            assert torch.get_num_threads() == 1
            assert not torch.is_grad_enabled()
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(threads)
