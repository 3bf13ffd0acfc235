"""Probes of attention, each against a computation written out another way."""

import math

import numpy as np
import pytest
import torch

from lab.api import BadInput, Task, checked_readings
from lab.host import Plugins
from lab_transformer import TransformerConfig
from lab_transformer.model import build

torch.set_num_threads(1)
TOKENS = torch.tensor([[1, 2, 3, 4, 5, 1, 2, 3]])
SMALL = {"layers": 2, "width": 16, "heads": 2}


def transformer(causal=True, **settings):
    """A small transformer whose weights are large enough to differ from one another, in float64."""
    torch.manual_seed(0)
    model = build(TransformerConfig(**{**SMALL, **settings}), Task(11, 32, causal=causal))
    for parameter in model.parameters():
        parameter.data += 0.3 * torch.randn_like(parameter)
    return model.double().eval()


def found(name, model, tokens=TOKENS):
    """The readings of a probe by (name, layer)."""
    with torch.no_grad():
        readings = checked_readings(Plugins().card("probes", name).make(None)(model, tokens))
    return {(reading.name, reading.layer): reading for reading in readings}


def inputs_of(model, layer):
    """Return the input of a block's attention, (1, T, C)."""
    with torch.no_grad():
        x = model.embed(TOKENS)
        for block in model.blocks[:layer]:
            x = block(x)
        return model.blocks[layer].token_norm(x)


# ---- scores


@pytest.mark.parametrize(
    "settings",
    [{"positions": "rotary", "kv_heads": 1}, {"positions": "alibi", "window": 3}, {"positions": "t5"}, {"bias": True}],
    ids=str,
)
def test_the_largest_weight_with_division_is_that_of_the_attention(settings):
    model = transformer(**settings)
    readings = found("score-histogram", model)
    for layer, block in enumerate(model.blocks):
        with torch.no_grad():
            weights = block.token.mixing_map(inputs_of(model, layer))
        of_layer = readings["largest weight", layer]
        assert of_layer.coordinates == {"quantity": ("q·k / √D", "q·k")}
        assert of_layer.values[0] == pytest.approx(weights.amax(-1).mean().item(), abs=1e-6)
        assert of_layer.values[1] > of_layer.values[0]


def test_the_histogram_counts_every_pair_that_is_read():
    model = transformer(positions="none")
    x, attention = inputs_of(model, 1)[0], model.blocks[1].token
    every = (x @ attention.project.weight.T).detach().numpy().reshape(8, 3, 2, 8)
    query, key = every[:, 0], every[:, 1]  # (T, H, D)
    products = [query[t, h] @ key[s, h] for h in range(2) for t in range(8) for s in range(t + 1)]
    reading = found("score-histogram", model)["score histogram", 1]
    assert reading.axes == ("quantity", "bin")
    centres = np.array(reading.coordinates["bin"])
    edges = np.linspace(min(products), max(products), len(centres) + 1)
    np.testing.assert_allclose(centres, (edges[1:] + edges[:-1]) / 2, atol=1e-5)
    np.testing.assert_allclose(reading.values.sum(-1), 1, atol=1e-6)
    for values, divisor in zip(reading.values, (math.sqrt(8), 1), strict=True):
        mean = np.mean(products) / divisor
        assert (values * centres).sum() == pytest.approx(mean, abs=edges[1] - edges[0])


# ---- circuits


def matrices(model, layer):
    """W_QK and W_OV of each head of a layer, C × C, with the gain and the centring of the norm before them."""
    block, C, D = model.blocks[layer], 16, 8
    centred = np.diag(block.token_norm.weight.detach().numpy()) @ (np.eye(C) - 1 / C)
    every = block.token.project.weight.detach().numpy() @ centred
    output = block.token.output.weight.detach().numpy()
    heads = []
    for head in range(2):
        kv = 2 + head * block.token.kv_heads // 2
        query, key = every[head * D : (head + 1) * D], every[kv * D : (kv + 1) * D]
        value = every[(kv + block.token.kv_heads) * D : (kv + block.token.kv_heads + 1) * D]
        heads.append((query.T @ key, output[:, head * D : (head + 1) * D] @ value))
    return heads


@pytest.mark.parametrize("kv_heads", [2, 1])
def test_composition_is_elhage_s_ratio_of_norms(kv_heads):
    model = transformer(layers=3, kv_heads=kv_heads)
    reading = found("composition", model)["composition", None]
    assert reading.coordinates["head"] == ("2.1", "2.2", "3.1", "3.2")
    assert reading.coordinates["writer"] == ("1.1", "1.2", "2.1", "2.2")
    layers = [matrices(model, layer) for layer in range(3)]

    def ratio(reader, writer):
        return np.linalg.norm(reader @ writer) / np.linalg.norm(reader) / np.linalg.norm(writer)

    for at, name in enumerate(reading.coordinates["head"]):
        for by, written in enumerate(reading.coordinates["writer"]):
            values, layer, earlier = reading.values[:, at, by], int(name[0]), int(written[0])
            if earlier >= layer:
                assert np.isnan(values).all()
                continue
            scores, moved = layers[layer - 1][int(name[2]) - 1]
            _, before = layers[earlier - 1][int(written[2]) - 1]
            expected = [ratio(scores.T, before), ratio(scores, before), ratio(moved, before)]
            np.testing.assert_allclose(values, expected, rtol=1e-5)


def test_copying_is_the_balance_of_eigenvalues_from_symbols_to_logits():
    model = transformer(tie=False)
    reading = found("composition", model)["copying", None]
    assert reading.axes == ("layer", "head")
    embedding = model.embedding.weight.detach().numpy().T  # (C, V)
    centred = np.diag(model.norm.weight.detach().numpy()) @ (np.eye(16) - 1 / 16)
    unembedding = model.output.weight.detach().numpy() @ centred
    for layer in range(2):
        for head, (_, moved) in enumerate(matrices(model, layer)):
            values = np.linalg.eigvals(unembedding @ moved @ embedding)  # V × V
            assert reading.values[layer, head] == pytest.approx((values.sum() / np.abs(values).sum()).real, abs=1e-4)


def test_a_head_that_writes_what_it_reads_copies():
    model = transformer(layers=1, heads=1, norm="none")
    model.blocks[0].token.project.weight.data[32:] = torch.eye(16)  # values
    model.blocks[0].token.output.weight.data[:] = torch.eye(16)
    readings = found("composition", model)
    assert set(readings) == {("copying", None)}  # one layer composes nothing
    assert readings["copying", None].values == pytest.approx(1)


def test_large_models_are_not_composed():
    with pytest.raises(BadInput, match="at most 144"):
        found("composition", transformer(width=73, heads=73))


# ---- positions


@pytest.mark.parametrize("positions", ["learned", "rotary", "sinusoidal", "alibi", "t5", "none"])
def test_without_positions_and_mask_the_outputs_only_permute(positions):
    reading = found("permutation", transformer(positions=positions))["permutation", None]
    assert reading.coordinates["quantity"] == ("as it is", "without positions")
    assert reading.values[0].max() > 0.01
    assert reading.values[1].max() < 1e-5


def test_attention_to_both_sides_without_positions_permutes_as_it_is():
    assert found("permutation", transformer(False, positions="none"))["permutation", None].values.max() < 1e-5


def test_rotary_scores_are_the_mean_cosine_of_the_angles():
    readings = found("position-scores", transformer(positions="rotary", rotary_base=100.0))
    scores = readings["position scores", None]
    assert (scores.axes, scores.coordinates) == (("head", "lag"), {"lag": tuple(range(32))})
    angles = np.outer(np.arange(32), 100.0 ** -(np.arange(0, 8, 2) / 8))
    np.testing.assert_allclose(scores.values[0], np.cos(angles).mean(-1), atol=1e-5)
    image = readings["positions", None].values
    np.testing.assert_allclose(image, np.concatenate([np.cos(angles), np.sin(angles)], axis=1)[:8], atol=1e-5)


def test_channels_that_do_not_turn_score_alike_at_every_distance():
    scores = found("position-scores", transformer(positions="rotary", rotary_share=0.5))["position scores", None].values
    angles = np.outer(np.arange(32), 10_000.0 ** -(np.arange(0, 4, 2) / 4))
    np.testing.assert_allclose(scores[0], 0.5 + 0.5 * np.cos(angles).mean(-1), atol=1e-5)


def test_alibi_takes_its_slope_from_every_token_of_distance():
    scores = found("position-scores", transformer(positions="alibi"))["position scores", None].values
    np.testing.assert_allclose(scores, -np.outer([1 / 16, 1 / 256], np.arange(32)), rtol=1e-6)


def test_t5_adds_the_number_of_the_bucket():
    model = transformer(positions="t5")
    scores = found("position-scores", model)["position scores", None].values
    np.testing.assert_allclose(scores[:, :16], model.relative.weight.detach().numpy().T[:, :16], rtol=1e-6)


@pytest.mark.parametrize("positions", ["learned", "sinusoidal"])
def test_added_encodings_are_compared_by_their_products(positions):
    model = transformer(positions=positions)
    scale = 4 if positions == "sinusoidal" else 1  # √width on the embedding
    with torch.no_grad():
        same = torch.zeros(1, 32, dtype=torch.long)
        table = (model.embed(same) - scale * model.embedding(same))[0].numpy()
    readings = found("position-scores", model)
    products = [np.mean([table[t] @ table[t - lag] for t in range(lag, 32)]) for lag in range(32)]
    np.testing.assert_allclose(readings["position scores", None].values[0], products, atol=1e-4)
    np.testing.assert_allclose(readings["positions", None].values, table[:8], atol=1e-5)


def test_a_model_without_positions_has_none_to_show():
    with pytest.raises(BadInput, match="no positions"):
        found("position-scores", transformer(positions="none"))


# ---- all


@pytest.mark.parametrize("name", ["score-histogram", "composition", "permutation", "position-scores"])
def test_other_models_are_refused(name):
    from lab_ngram import NgramConfig
    from lab_ngram.model import NgramModel

    with pytest.raises(BadInput, match="this probe"):
        found(name, NgramModel(NgramConfig(order=2), Task(11, 32)))


def test_runs_record_the_scores_of_heads():
    assert Plugins().card("architectures", "transformer").records == ("head-scores",)
