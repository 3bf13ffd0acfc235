"""Temperature, top-k and top-p, against the warpers of Hugging Face transformers and against their definitions."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

from lab.decoding.builtins import SamplingConfig
from lab.decoding.samplers import only_the_best, sampling, top_k, top_p

torch.set_num_threads(1)


def logits(seed=0, vocabulary=50, spread=3.0):
    """(2, V) logits without ties."""
    return torch.randn(2, vocabulary, generator=torch.Generator().manual_seed(seed)) * spread


def warped(scores, *, temperature=1.0, k=0, p=1.0):
    """Return the logits after transformers' own warpers, in its order."""
    warpers = [TemperatureLogitsWarper(temperature)] if temperature != 1 else []
    warpers += [TopKLogitsWarper(k)] if k else []
    warpers += [TopPLogitsWarper(p)] if p < 1 else []
    for warper in warpers:
        scores = warper(None, scores)
    return scores


@pytest.mark.parametrize("temperature", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("k", [0, 1, 7, 50, 1000])
@pytest.mark.parametrize("p", [0.05, 0.5, 0.9, 1.0])
def test_filters_and_their_order_are_those_of_transformers(temperature, k, p):
    filtered = sampling(SamplingConfig(temperature=temperature, top_k=k, top_p=p))
    for seed in range(5):
        scores = logits(seed)
        torch.testing.assert_close(filtered(scores), warped(scores, temperature=temperature, k=min(k, 50), p=p))


def test_the_order_matters_and_temperature_comes_first():
    scores = logits()
    hot = sampling(SamplingConfig(temperature=5, top_p=0.8))(scores)
    other_way_round = top_p(scores, 0.8) / 5
    assert (hot > -math.inf).sum() > (other_way_round > -math.inf).sum()


@given(st.integers(0, 1000), st.integers(1, 50))
def test_top_k_leaves_the_k_largest_as_they_are(seed, k):
    scores = logits(seed)
    left = top_k(scores, k)
    for row, was in zip(left, scores, strict=True):
        left = row[row > -math.inf]
        assert sorted(left.tolist()) == sorted(was.topk(k).values.tolist())


def test_ties_with_the_kth_stay():
    assert (top_k(torch.tensor([[2.0, 1.0, 1.0, 0.0]]), 2) > -math.inf).tolist() == [[True, True, True, False]]


@given(st.integers(0, 1000), st.floats(0.01, 0.99))
def test_top_p_leaves_the_smallest_set_that_reaches_p(seed, p):
    for row in logits(seed):
        shares = row.softmax(-1)
        left = shares[top_p(row[None], p)[0] > -math.inf]
        assert left.sum() >= p - 1e-5
        assert left.sum() - left.min() < p + 1e-5
        assert left.min() >= shares.sort(descending=True).values[len(left) - 1]


def test_the_token_that_crosses_p_is_kept():
    scores = torch.tensor([[0.5, 0.3, 0.2]]).log()
    assert (top_p(scores, 0.6) > -math.inf).tolist() == [[True, True, False]]
    assert (top_p(scores, 1e-9) > -math.inf).tolist() == [[True, False, False]]


def test_temperature_0_takes_the_first_of_the_largest():
    scores = torch.tensor([[1.0, 3.0, 3.0, -math.inf]])
    assert only_the_best(scores).softmax(-1).tolist() == [[0, 1, 0, 0]]
    assert sampling(SamplingConfig(temperature=0, top_p=0.1))(scores).softmax(-1).tolist() == [[0, 1, 0, 0]]


def test_what_is_filtered_away_never_comes_back():
    scores = logits()
    scores[:, ::2] = -math.inf
    for config in (SamplingConfig(top_k=40), SamplingConfig(top_p=0.999), SamplingConfig(temperature=9)):
        assert (sampling(config)(scores)[:, ::2] == -math.inf).all()


def test_a_live_setting_counts_from_the_next_token_on():
    config = SamplingConfig()
    filtered = sampling(config)
    config.change("top_k", 1)
    assert (filtered(logits()) > -math.inf).sum() == 2


def test_filters_leave_the_models_logits_alone():
    scores = logits()
    before = scores.clone()
    sampling(SamplingConfig(temperature=0.5, top_k=3, top_p=0.5))(scores)
    assert torch.equal(scores, before)
