"""Scores of heads, on heads of which it is known what they do."""

import numpy as np
import pytest
import torch

from lab.api import BadInput, Task
from lab.diagnostics.heads import QUANTITIES, head_scores
from lab.host import Plugins

TOKENS = torch.arange(12)[None] % 5


def scores_of(model, tokens=TOKENS):
    """By quantity, (layer, head)."""
    with torch.no_grad():
        (reading,) = head_scores(None)(model, tokens)
    assert reading.axes == ("quantity", "layer", "head")
    assert reading.coordinates["quantity"] == QUANTITIES
    return dict(zip(QUANTITIES, reading.values, strict=True))


def reading_at(tokens, place):
    """(B, 1, T, T) of a head that reads place(row, t) alone, and itself where that is None."""
    B, T = tokens.shape
    maps = torch.zeros(B, 1, T, T)
    for b in range(B):
        for t in range(T):
            s = place(tokens[b, :t].tolist(), int(tokens[b, t]))
            maps[b, 0, t, t if s is None else s] = 1
    return maps


def last_of(past, token):
    return len(past) - 1 - past[::-1].index(token) if token in past else None


def duties(tokens):
    """One layer of four heads: the token before, the first, the same token, what followed the same token."""
    previous = reading_at(tokens, lambda past, token: len(past) - 1 if past else None)
    first = reading_at(tokens, lambda past, token: 0)
    duplicate = reading_at(tokens, last_of)
    following = reading_at(tokens, lambda past, token: None if (at := last_of(past, token)) is None else at + 1)
    return [torch.cat([previous, first, duplicate, following], dim=1)]


def test_each_duty_is_found_in_the_head_that_has_it(mapped):
    scores = scores_of(mapped(duties))
    assert scores["previous token"][0, 0] == 1
    assert scores["first token"][0, 1] == 1
    # of 16 tokens that come again, the first alone is what the head on the first token reads rightly
    np.testing.assert_array_equal(scores["duplicate token"], [[0, 1 / 16, 1, 0]])
    np.testing.assert_array_equal(scores["induction"][0, 1:], [0, 0, 1])
    assert not scores["entropy"].any()


def test_entropy_and_distance_of_a_head_that_reads_all_alike(mapped):
    uniform = torch.ones(12, 12).tril()
    scores = scores_of(mapped(lambda tokens: [torch.ones(len(tokens), 1, *2 * tokens.shape[1:]).tril()]))
    shares = (uniform / uniform.sum(-1, keepdim=True)).numpy()[1:]
    assert scores["entropy"].item() == pytest.approx(np.mean([np.log2(t + 1) for t in range(1, 12)]), abs=1e-5)
    distance = np.mean([sum(share * (t - s) for s, share in enumerate(row)) for t, row in enumerate(shares, 1)])
    assert scores["mean distance"].item() == pytest.approx(distance, abs=1e-5)


def test_signs_and_sizes_of_weights_do_not_count(mapped):
    def maps(factor):
        return lambda tokens: [factor * map_ for map_ in duties(tokens)]

    plain, signed = scores_of(mapped(maps(1))), scores_of(mapped(maps(-3)))
    for quantity in QUANTITIES:
        np.testing.assert_allclose(plain[quantity], signed[quantity], atol=1e-6)


def test_a_layer_with_fewer_heads_has_no_number_where_it_has_no_head(mapped):
    scores = scores_of(mapped(lambda tokens: [*duties(tokens), duties(tokens)[0][:, :1]]))
    assert scores["previous token"].shape == (2, 4)
    assert np.isnan(scores["previous token"][1]).tolist() == [False, True, True, True]


def test_what_is_written_twice_fits_the_model(mapped):
    read = []

    def maps(tokens):
        read.append(tokens)
        return duties(tokens)

    scores_of(mapped(maps, vocabulary=6, reach=9), TOKENS[:, :4])
    _, twice = read
    assert twice.shape == (4, 8)
    for row in twice.tolist():
        assert row[:4] == row[4:]
        assert len(set(row[:4])) == 4


def test_a_model_too_short_for_repeats_has_no_score_for_them(mapped):
    scores = scores_of(mapped(duties, reach=1), TOKENS[:, :1])
    assert np.isnan(scores["induction"]).all()
    assert np.isfinite(scores["entropy"]).all()


def test_a_model_without_maps_is_refused(mapped):
    with pytest.raises(BadInput, match="reports no map"):
        scores_of(mapped(lambda tokens: []))


def test_attention_of_a_transformer_has_a_score_for_each_head_and_layer(transformer):
    scores = scores_of(transformer())
    assert scores["entropy"].shape == (2, 2)
    assert all(np.isfinite(values).all() for values in scores.values())


def made(name, **settings):
    """An architecture of a plugin, untrained."""
    card = Plugins(safe_mode=True).card("architectures", name)
    return card.make(card.config.read({"layers": 2, "width": 16, **settings}), Task(11, 32))


def named(model):
    """By name of the reading, the coordinates of its heads and layers."""
    with torch.no_grad():
        found = head_scores(None)(model.eval(), TOKENS)
    return {one.name: (one.coordinates.get("head"), one.coordinates["layer"]) for one in found}


def test_the_maps_of_a_model_without_heads_are_labelled_by_what_they_are():
    model = made("mamba")
    assert named(model) == {"map scores (mean, mean size)": (("mean", "mean size"), ("1", "2"))}


def test_a_hybrid_has_a_reading_of_its_heads_and_one_of_its_other_maps():
    model = made("hybrid", pattern="mamba, attention", attention={"heads": 2})
    assert named(model) == {
        "map scores (mean, mean size)": (("mean", "mean size"), ("1",)),
        "head scores": (None, ("2",)),
    }


def test_a_map_without_an_axis_of_heads_is_no_head(mapped):
    model = mapped(lambda tokens: [one[:, 0] for one in duties(tokens)], axes=("batch", "query", "key"))
    assert named(model) == {"map scores": (("map",), ("1",))}


def test_the_map_of_a_model_that_counts_is_no_head():
    model = Plugins(safe_mode=True).card("architectures", "n-gram")
    model = model.make(model.config.read({"order": 2}), Task(11, 32))
    model.count(TOKENS[0].numpy())
    assert named(model) == {"map scores": (("map",), ("",))}
