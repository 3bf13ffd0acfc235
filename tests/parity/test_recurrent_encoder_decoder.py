"""Recurrent encoder-decoders against torch.nn, and their attention against the papers' equations in float64."""

import numpy as np
import pytest
import torch
from torch import nn

from lab.api import Task, capture
from lab_seq2seq.recurrent import build
from lab_seq2seq.recurrent_card import RecurrentEncoderDecoderConfig

V, WIDTH, TASK = 11, 8, Task(11, 16, source_vocabulary_size=11)
PLAIN = {"attention": "none", "bidirectional": False, "bridge": False}
CELLS = {"rnn": (nn.RNN, nn.RNNCell), "gru": (nn.GRU, nn.GRUCell), "lstm": (nn.LSTM, nn.LSTMCell)}


def make(dtype=torch.float32, **settings):
    torch.manual_seed(0)
    model = build(RecurrentEncoderDecoderConfig(width=WIDTH, **{**PLAIN, **settings}), TASK).to(dtype).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return model


def texts(rows=2, source=5, target=4):
    torch.manual_seed(1)
    mask = torch.arange(source) < torch.tensor([[source], [source - 2]])
    return torch.randint(V, (rows, target)), {"source": torch.randint(V, (rows, source)), "source_mask": mask}


def renamed(layers):
    """Return the weights of our layers under the names of one module of torch."""
    return {
        name.replace("_l0", f"_l{i}"): tensor
        for i, layer in enumerate(layers)
        for name, tensor in layer.state_dict().items()
    }


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("both_ways", [False, True])
def test_the_encoder_is_that_of_torch_and_reads_no_padding(cell, both_ways):
    model = make(cell=cell, layers=2, bidirectional=both_ways)
    units = WIDTH // 2 if both_ways else WIDTH
    theirs = CELLS[cell][0](WIDTH, units, num_layers=2, bidirectional=both_ways, batch_first=True)
    theirs.load_state_dict(renamed(model.encoder.layers))
    _, given = texts()
    x = model.source_embedding(given["source"])
    found, finals = model.encoder(x, given["source_mask"])
    for row, length in enumerate((5, 3)):
        expected, last = theirs(x[row : row + 1, :length])
        torch.testing.assert_close(found[row : row + 1, :length], expected, atol=1e-6, rtol=0)
        for kind, part in enumerate(last if isinstance(last, tuple) else (last,)):
            of_layers = part.view(2, -1, units)  # (layers, directions, units)
            for layer in range(2):
                torch.testing.assert_close(finals[layer][kind][row], of_layers[layer], atol=1e-6, rtol=0)


@pytest.mark.parametrize("cell", CELLS)
def test_without_attention_it_is_two_networks_of_torch_that_share_a_state(cell):
    model = make(cell=cell, layers=2, reverse_source=True)
    first, second = (CELLS[cell][0](WIDTH, WIDTH, num_layers=2, batch_first=True) for _ in range(2))
    first.load_state_dict(renamed(model.encoder.layers))
    second.load_state_dict(renamed(model.layers))
    tokens, given = texts()
    source = given["source"]
    _, state = first(model.source_embedding(source).flip(1))
    y, _ = second(model.embedding(tokens), state)
    torch.testing.assert_close(model(tokens, source=source), model.output(y), atol=1e-6, rtol=0)


@pytest.mark.parametrize("cell", CELLS)
def test_each_token_is_one_step_of_the_cell_of_torch(cell):
    model = make(cell=cell, feeding=True)
    step = CELLS[cell][1](2 * WIDTH, WIDTH)
    step.load_state_dict({name.removesuffix("_l0"): tensor for name, tensor in model.layers[0].state_dict().items()})
    tokens, given = texts()
    state = model.start(2, **given)
    memory, _ = model.encoder(model.source_embedding(given["source"]), given["source_mask"])
    summary = torch.stack([memory[0, 4], memory[1, 2]])
    before = state["layers"][0] if cell == "lstm" else state["layers"][0][0]
    for t in range(tokens.shape[1]):
        logits, state = model.step(tokens[:, t], state)
        before = step(torch.cat([model.embedding(tokens[:, t]), summary], dim=-1), before)
        hidden = before[0] if cell == "lstm" else before
        torch.testing.assert_close(logits, model.output(hidden), atol=1e-6, rtol=0)


# ---- the papers' equations in numpy, one token at a time


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


def gru(weights, x, h):
    """Cho et al. 2014, with the reset after the product, as in torch."""
    w, u, b, c = (weights[f"{name}_l0"] for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))
    of_x, of_h = np.split(w @ x + b, 3), np.split(u @ h + c, 3)
    r, z = sigmoid(of_x[0] + of_h[0]), sigmoid(of_x[1] + of_h[1])
    n = np.tanh(of_x[2] + r * of_h[2])
    return (1 - z) * n + z * h


def numbers(module):
    return {name: tensor.numpy() for name, tensor in module.state_dict().items()}


def encoded(model, source):
    """Return the annotations [→h_j; ←h_j] and ←h_1 of one source (Bahdanau et al. 2015, eq. 7)."""
    w = numbers(model.encoder.layers[0])
    ahead = {name: value for name, value in w.items() if not name.endswith("_reverse")}
    back = {name.removesuffix("_reverse"): value for name, value in w.items() if name.endswith("_reverse")}
    x = model.source_embedding.weight.numpy()[source]
    h, g = np.zeros(WIDTH // 2), np.zeros(WIDTH // 2)
    forward, backward = [], []
    for j in range(len(source)):
        h = gru(ahead, x[j], h)
        forward.append(h)
        g = gru(back, x[len(source) - 1 - j], g)
        backward.append(g)
    return np.concatenate([forward, backward[::-1]], axis=1), backward[-1]


def by_bahdanau(model, source, tokens):
    """Return logits and weights by appendix A.1.2 and A.2.2, with s_i in the output layer, as in eq. 4."""
    h, first = encoded(model, source)
    W, U, v = (numbers(model.attention)[f"{name}.weight"] for name in ("query", "key", "energy"))
    s = np.tanh(model.bridges[0].weight.numpy() @ first + model.bridges[0].bias.numpy())
    every, weights = [], []
    for token in tokens:
        e = np.array([v[0] @ np.tanh(W @ s + U @ h_j) for h_j in h])
        a = softmax(e)
        c = (a[:, None] * h).sum(axis=0)
        y = model.embedding.weight.numpy()[token]
        s = gru(numbers(model.layers[0]), np.concatenate([y, c]), s)
        t = model.combine.weight.numpy() @ np.concatenate([s, y, c]) + model.combine.bias.numpy()
        t = np.array([max(t[2 * k], t[2 * k + 1]) for k in range(WIDTH)])
        every.append(model.output.weight.numpy() @ t + model.output.bias.numpy())
        weights.append(a)
    return np.array(every), np.array(weights)


def by_luong(model, score, source, tokens, *, feeding):
    """Return logits and weights by eqs. 5 to 8 of Luong et al. 2015, with the input feeding of section 3.3."""
    h, _ = encoded(model, source)
    s = np.concatenate([h[-1, : WIDTH // 2], h[0, WIDTH // 2 :]])
    attention, fed = numbers(model.attention), np.zeros(WIDTH)
    every, weights = [], []
    for token in tokens:
        y = model.embedding.weight.numpy()[token]
        s = gru(numbers(model.layers[0]), np.concatenate([y, fed]) if feeding else y, s)
        if score == "concat":
            W = np.concatenate([attention["query.weight"], attention["key.weight"]], axis=1)
            e = [attention["energy.weight"][0] @ np.tanh(W @ np.concatenate([s, h_j])) for h_j in h]
        else:
            e = [s @ (attention["key.weight"] @ h_j if score == "general" else h_j) for h_j in h]
        a = softmax(np.array(e))
        fed = np.tanh(model.combine.weight.numpy() @ np.concatenate([(a[:, None] * h).sum(axis=0), s]))
        every.append(model.output.weight.numpy() @ fed + model.output.bias.numpy())
        weights.append(a)
    return np.array(every), np.array(weights)


def compare(model, expected_of):
    tokens, given = texts()
    model.requires_grad_(False)
    with capture(model) as readings:
        logits = model(tokens, **given)
    found = next(one.values for one in readings if one.name == "cross attention")
    for row, length in enumerate((5, 3)):
        expected, weights = expected_of(given["source"][row, :length].numpy(), tokens[row].numpy())
        np.testing.assert_allclose(logits[row].numpy(), expected, atol=1e-12)
        np.testing.assert_allclose(found[row, 0, :, :length], weights, atol=1e-12)
        assert not np.any(np.asarray(found[row, 0, :, length:]))


def test_additive_attention_is_that_of_bahdanau():
    model = make(torch.float64, attention="additive", bidirectional=True, bridge=True)
    compare(model, lambda source, tokens: by_bahdanau(model, source, tokens))


@pytest.mark.parametrize("score", ["dot", "general", "concat"])
@pytest.mark.parametrize("feeding", [False, True])
def test_multiplicative_attention_is_that_of_luong(score, feeding):
    model = make(torch.float64, attention=score, bidirectional=True, feeding=feeding)
    compare(model, lambda source, tokens: by_luong(model, score, source, tokens, feeding=feeding))
