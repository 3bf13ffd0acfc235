"""Probes of the recurrent plugin against what is computed in other ways: Jacobians, differences, numpy, known gates."""

import math

import numpy as np
import pytest
import torch

import lab_recurrent
from lab.api import BadInput, Task
from lab.host import Plugins
from lab.testing import check_registration
from lab_recurrent import GRUConfig, LSTMConfig, RNNConfig
from lab_recurrent.model import build_gru, build_lstm, build_rnn
from lab_recurrent.probes import spectral_radius
from lab_transformer import TransformerConfig
from lab_transformer.model import build

PROBES = {}
lab_recurrent.lab_register_probes(lambda card: PROBES.update({card.name: card}))
KINDS = {"rnn": (RNNConfig, build_rnn), "gru": (GRUConfig, build_gru), "lstm": (LSTMConfig, build_lstm)}
V = 7


def model_of(kind, *, seed=0, layers=1, width=6, **settings):
    """A model in float64, with weights large enough to have an effect."""
    torch.manual_seed(seed)
    config, made = KINDS[kind]
    model = made(config(layers=layers, width=width, **settings), Task(V, 64)).double().eval()
    with torch.no_grad():
        model.embedding.weight.normal_()
        for bias in (b for name, b in model.named_parameters() if "bias" in name):
            bias.add_(0.1 * torch.randn_like(bias))
    return model


def text_of(length, seed=1):
    return torch.randint(V, (1, length), generator=torch.Generator().manual_seed(seed))


def probed(name, model, tokens):
    """The readings that a probe of the plugin gives of a model: {(name, layer): reading}."""
    with torch.no_grad():
        found = PROBES[name].make(PROBES[name].config())(model, tokens)
    return {(reading.name, reading.layer): reading for reading in found}


def array(reading):
    return np.asarray(reading.values, dtype=np.float64)


# ---- gradient by lag


def test_the_gradient_by_lag_of_two_units_is_the_product_of_their_jacobians():
    model, tokens = model_of("rnn", width=2), text_of(12)
    rnn = model.cells[0].rnn
    embedding, W_ih, W_hh, b_ih, b_hh, W_out, b_out = (
        p.detach().numpy() for p in (model.embedding.weight, *rnn.parameters(), model.output.weight, model.output.bias)
    )
    h, states = np.zeros(2), []
    for symbol in tokens[0, :-1].tolist():
        h = np.tanh(W_ih @ embedding[symbol] + b_ih + W_hh @ h + b_hh)
        states.append(h)
    norms = []
    for t in (8, 9, 10):  # the last fifth of eleven guesses
        odds = np.exp(W_out @ states[t] + b_out)
        gradient = W_out.T @ (odds / odds.sum() - np.eye(V)[tokens[0, t + 1]])
        by_lag = []
        for lag in range(9):
            by_lag.append(np.linalg.norm(gradient))
            gradient = W_hh.T @ ((1 - states[t - lag] ** 2) * gradient)
        norms.append(by_lag)
    means = np.mean(norms, axis=0)
    (reading,) = probed("gradient-by-lag", model, tokens).values()
    assert reading.axes == ("quantity", "lag")
    assert reading.coordinates == {"quantity": ("measured", "bound"), "lag": tuple(range(9))}
    assert array(reading)[0] == pytest.approx(means / means[0], rel=1e-6)
    assert array(reading)[1] == pytest.approx(np.linalg.svd(W_hh)[1][0] ** np.arange(9), rel=1e-5)


@pytest.mark.parametrize(
    ("kind", "settings"),
    [("gru", {}), ("lstm", {}), ("lstm", {"peephole": True, "layer_norm": True}), ("rnn", {"nonlinearity": "relu"})],
)
def test_the_gradient_by_lag_is_what_a_small_change_of_the_state_does_to_the_loss(kind, settings):
    model, tokens, small = model_of(kind, layers=2, width=3, **settings), text_of(8), 1e-6
    found = probed("gradient-by-lag", model, tokens)

    def nats(layer, token, change, t):
        """The loss of the guess after t, with the state of a layer changed at a token."""
        x = model.embedding(tokens)
        for number, cell in enumerate(model.cells):
            read, state, out = cell.read(x), cell.start(1), []
            for at in range(t + 1):
                state = cell.step_values(read[:, at], state)
                if (number, at) == (layer, token):
                    state = {**state, "hidden state": state["hidden state"] + change}
                out.append(state["hidden state"])
            x = torch.stack(out, dim=1)
        return -model.output(x[0, t]).log_softmax(-1)[tokens[0, t + 1]].item()

    with torch.no_grad():
        for layer in range(2):
            means = []
            for lag in (0, 1, 4):
                norms = []
                for t in (5, 6):
                    changes = small * torch.eye(3, dtype=torch.float64)
                    slopes = [(nats(layer, t - lag, c, t) - nats(layer, t - lag, -c, t)) / (2 * small) for c in changes]
                    norms.append(np.linalg.norm(slopes))
                means.append(np.mean(norms))
            measured = array(found["gradient by lag", layer])[0]
            assert measured[[1, 4]] == pytest.approx(np.array(means[1:]) / means[0], rel=1e-4)


@pytest.mark.parametrize("nonlinearity", ["tanh", "relu"])
@pytest.mark.parametrize("initialisation", ["orthogonal", "xavier", "uniform", "identity"])
def test_no_gradient_of_an_elman_network_passes_its_bound(nonlinearity, initialisation):
    model = model_of("rnn", width=16, nonlinearity=nonlinearity, initialisation=initialisation)
    measured, bound = array(probed("gradient-by-lag", model, text_of(40))["gradient by lag", 0])
    assert (measured <= bound * (1 + 1e-9)).all()
    assert len(measured) > 30


def test_only_the_last_layer_has_a_bound_and_no_gated_network():
    found = probed("gradient-by-lag", model_of("rnn", layers=3), text_of(20))
    assert [found["gradient by lag", layer].coordinates["quantity"] for layer in range(3)] == [
        ("measured",), ("measured",), ("measured", "bound"),
    ]  # fmt: skip
    for kind in ("gru", "lstm"):
        (reading,) = probed("gradient-by-lag", model_of(kind), text_of(20)).values()
        assert reading.coordinates["quantity"] == ("measured",)


def test_a_text_of_one_token_has_no_gradient_by_lag_and_one_of_two_has_lag_zero():
    with pytest.raises(BadInput, match="two tokens"):
        probed("gradient-by-lag", model_of("lstm"), text_of(1))
    (reading,) = probed("gradient-by-lag", model_of("lstm"), text_of(2)).values()
    assert array(reading).tolist() == [[1.0]]


# ---- recurrent matrices


@pytest.mark.parametrize(("kind", "gates"), [("rnn", 1), ("gru", 3), ("lstm", 4)])
def test_singular_values_and_spectral_radii_are_numpys(kind, gates):
    model = model_of(kind, layers=2, width=20, initialisation="uniform")
    found = probed("recurrent-matrices", model, text_of(4))
    for layer, cell in enumerate(model.cells):
        blocks = np.split(cell.rnn.weight_hh_l0.detach().numpy(), gates)
        singular, radius = found["recurrent singular values", layer], found["spectral radius", layer]
        assert array(singular).reshape(gates, 20) == pytest.approx(
            np.stack([np.linalg.svd(block)[1] for block in blocks]), rel=1e-4, abs=1e-6
        )
        assert array(radius).reshape(gates) == pytest.approx(
            [np.abs(np.linalg.eigvals(block)).max() for block in blocks], rel=5e-4
        )
        assert singular.axes == (("unit",) if gates == 1 else ("quantity", "unit"))
        assert radius.axes == (() if gates == 1 else ("quantity",))
        assert singular.coordinates.get("quantity", ("",)) == (("",) if gates == 1 else cell.rows)


@pytest.mark.parametrize(
    ("matrix", "radius"),
    [
        ([[0.0, 0.9], [-0.9, 0.0]], 0.9),  # a rotation: a pair of complex eigenvalues
        ([[0.0, 4.0], [0.0, 0.0]], 0.0),  # nilpotent
        ([[0.5, 100.0], [0.0, 0.25]], 0.5),  # far from normal: the largest singular value is 100
        ([[-1.1, 0.0], [0.0, 1.0]], 1.1),
        ([[0.0, 0.0], [0.0, 0.0]], 0.0),
        ((0.5 * np.eye(64) + np.eye(64, k=1)).tolist(), 0.5),  # one eigenvector for 64 eigenvalues
    ],
)
def test_the_spectral_radius_is_the_largest_modulus_of_an_eigenvalue(matrix, radius):
    assert spectral_radius(torch.tensor(matrix)) == pytest.approx(radius, rel=1e-3, abs=1e-6)


def test_the_spectral_radius_of_random_matrices_is_numpys():
    generator = torch.Generator().manual_seed(0)
    for size in (1, 2, 5, 33, 100):
        matrix = torch.randn(size, size, generator=generator) / math.sqrt(size)
        assert spectral_radius(matrix) == pytest.approx(np.abs(np.linalg.eigvals(matrix.numpy())).max(), rel=1e-3)


# ---- gates


def with_gates(kind, **values):
    """A model whose gates have these values at every token, by name; others are one half."""
    model = model_of(kind, width=4)
    with torch.no_grad():
        for cell in model.cells:
            for parameter in cell.rnn.parameters():
                parameter.zero_()
            for gate, value in values.items():
                row = cell.rows.index(gate.replace("_", " "))
                cell.rnn.bias_ih_l0[4 * row : 4 * (row + 1)] = torch.logit(torch.tensor(value, dtype=torch.float64))
    return model


@pytest.mark.parametrize(("kind", "gate"), [("lstm", "forget_gate"), ("gru", "update_gate")])
def test_the_half_life_is_after_how_many_tokens_half_is_left(kind, gate):
    term = [2 ** (-1 / 10), 0.5, 0.25, 2 ** (-1 / 100)]
    found = probed("gates", with_gates(kind, **{gate: term}), text_of(9))["half-life", 0]
    assert (found.axes, found.units) == (("unit",), "tokens")
    assert array(found) == pytest.approx([10, 1, 0.5, 100], rel=1e-4)


def test_a_gate_that_is_always_open_has_a_half_life_that_is_a_number():
    found = probed("gates", with_gates("lstm", forget_gate=[1.0, 0.5, 0.5, 0.0]), text_of(9))["half-life", 0]
    assert array(found)[0] == pytest.approx(math.log(2) * 2**24)
    assert np.isfinite(array(found)).all()


def test_saturation_counts_the_tokens_at_which_a_gate_is_nearly_shut_or_open():
    found = probed("gates", with_gates("lstm", input_gate=[0.05, 0.5, 0.95, 0.2]), text_of(9))
    shares = found["input gate saturation", 0]
    assert (shares.axes, shares.coordinates) == (("quantity", "unit"), {"quantity": ("below 0.1", "above 0.9")})
    assert array(shares).tolist() == [[1, 0, 0, 0], [0, 0, 1, 0]]
    assert array(found["output gate saturation", 0]).tolist() == [[0] * 4] * 2


def test_saturation_is_a_share_of_the_tokens():
    model, tokens = model_of("gru", layers=2), text_of(30)
    all_steps = model.unrolled(tokens).layers[1]
    opened = np.stack([step_values["reset gate"][0].detach().numpy() > 0.9 for step_values in all_steps]).mean(axis=0)
    assert array(probed("gates", model, tokens)["reset gate saturation", 1])[1] == pytest.approx(opened, abs=1e-6)


def test_a_network_without_gates_is_refused():
    with pytest.raises(BadInput, match="with gates"):
        probed("gates", model_of("rnn"), text_of(5))


# ---- state components


def test_state_components_are_the_eigenvectors_of_the_covariance():
    model, tokens = model_of("lstm", width=8), text_of(40)
    (reading,) = probed("state-components", model, tokens).values()
    states = np.stack([m["hidden state"][0].detach().numpy() for m in model.unrolled(tokens).layers[0]])
    spread, directions = np.linalg.eigh(np.cov(states.T))
    expected = (states - states.mean(axis=0)) @ directions[:, ::-1][:, :3]
    assert reading.axes == ("token", "component")
    assert np.abs(array(reading)) == pytest.approx(np.abs(expected), abs=1e-4)
    assert reading.coordinates["component"] == tuple(f"{100 * s / spread.sum():.0f} %" for s in spread[::-1][:3])


def test_a_text_of_one_token_lies_at_one_place():
    (reading,) = probed("state-components", model_of("gru"), text_of(1)).values()
    assert array(reading).tolist() == [[0.0]]


# ---- all


@pytest.mark.parametrize("name", PROBES)
def test_each_probe_keeps_the_rules_of_probes(name):
    assert check_registration("probes", PROBES[name], model=model_of("lstm", layers=2).float()) == []


@pytest.mark.parametrize("name", PROBES)
def test_a_model_of_another_kind_is_refused_in_words(name):
    model = build(TransformerConfig(width=16, heads=2, layers=1), Task(V, 64))
    with pytest.raises(BadInput, match="RNN, GRU and LSTM"):
        probed(name, model, text_of(5))


def test_runs_record_probes_that_there_are():
    cards = {}
    lab_recurrent.lab_register_architectures(lambda card: cards.update({card.name: card}))
    assert {name: card.records for name, card in cards.items()} == {
        "rnn": ("influence", "gradient-by-lag", "recurrent-matrices", "state", "eigenvalues"),
        "gru": ("influence", "gradient-by-lag", "recurrent-matrices", "state", "eigenvalues", "gates"),
        "lstm": ("influence", "gradient-by-lag", "recurrent-matrices", "state", "eigenvalues", "gates"),
    }
    assert {name for card in cards.values() for name in card.records} <= set(Plugins().cards("probes"))
