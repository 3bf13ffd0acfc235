"""Filters against the warpers of Hugging Face transformers and against their definitions."""

import itertools
import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lab.api import settings_of
from lab.base import LabError
from lab.decoding.builtins import (
    FrequencyConfig,
    NoRepeatConfig,
    PresenceConfig,
    RepetitionConfig,
    TemperatureConfig,
    TopKConfig,
    TopPConfig,
)
from lab.decoding.filters import (
    epsilon_cutoff,
    eta_cutoff,
    min_p,
    only_the_best,
    temperature_filter,
    top_a,
    top_k,
    top_k_filter,
    top_p,
    top_p_filter,
    typical,
)
from lab.decoding.penalties import frequency_filter, no_repeat_filter, presence_filter, repetition_filter
from lab.decoding.pipeline import MODEL, NamedFilter, Pipeline

torch.set_num_threads(1)


def logits(seed=0, vocabulary=50, spread=3.0):
    """(2, V) logits without ties."""
    return torch.randn(2, vocabulary, generator=torch.Generator().manual_seed(seed)) * spread


def pipeline(temperature=1.0, k=0, p=1.0):
    """The filters of the default order."""
    filters = [
        NamedFilter("temperature", temperature_filter(TemperatureConfig(temperature=temperature))),
        NamedFilter("top-k", top_k_filter(TopKConfig(k=k))),
        NamedFilter("top-p", top_p_filter(TopPConfig(p=p))),
    ]
    return Pipeline(filters, [[0], [0]], records=True)


def warped(scores, *, temperature=1.0, k=0, p=1.0):
    """Return the logits after transformers' own warpers, in its order."""
    from transformers import TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

    warpers = [TemperatureLogitsWarper(temperature)] if temperature != 1 else []
    warpers += [TopKLogitsWarper(k)] if k else []
    warpers += [TopPLogitsWarper(p)] if p < 1 else []
    for warper in warpers:
        scores = warper(None, scores)
    return scores


def test_filters_and_their_order_are_those_of_transformers():
    for p, k, temperature in itertools.product([0.05, 0.5, 0.9, 1.0], [0, 1, 7, 50, 1000], [0.2, 1.0, 3.0]):
        filtered = pipeline(temperature, k, p)
        for seed in range(5):
            scores = logits(seed)
            torch.testing.assert_close(filtered(scores), warped(scores, temperature=temperature, k=min(k, 50), p=p))


def test_the_order_matters_and_temperature_comes_first():
    scores = logits()
    hot = pipeline(temperature=5, p=0.8)(scores)
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
    assert pipeline(temperature=0, p=0.1)(scores).softmax(-1).tolist() == [[0, 1, 0, 0]]


def test_what_is_filtered_away_never_comes_back():
    scores = logits()
    scores[:, ::2] = -math.inf
    for filters in (pipeline(k=40), pipeline(p=0.999), pipeline(temperature=9)):
        assert (filters(scores)[:, ::2] == -math.inf).all()


def test_a_live_setting_counts_from_the_next_token_on():
    config = TopKConfig()
    filtered = top_k_filter(config)
    config.change("k", 1)
    assert (filtered(logits(), [[], []]) > -math.inf).sum() == 2


def test_filters_leave_the_models_logits_alone():
    scores = logits()
    before = scores.clone()
    pipeline(temperature=0.5, k=3, p=0.5)(scores)
    assert torch.equal(scores, before)


def test_min_p_leaves_tokens_with_a_share_of_the_largest_probability():
    shares = torch.tensor([[0.5, 0.3, 0.15, 0.05]])
    assert (min_p(shares.log(), 0.3) > -math.inf).tolist() == [[True, True, True, False]]
    assert torch.equal(min_p(shares.log(), 0.0), shares.log())


def test_typical_leaves_what_is_as_surprising_as_is_to_be_expected():
    shares = torch.tensor([[0.5, 0.2, 0.2, 0.1]])  # entropy 1.22 nats; surprisals .69, 1.61, 1.61, 2.30
    assert (typical(shares.log(), 0.3) > -math.inf).tolist() == [[False, True, True, False]]
    assert (typical(shares.log(), 0.5) > -math.inf).tolist() == [[True, True, True, False]]
    assert torch.equal(typical(shares.log(), 1.0), shares.log())


def test_penalties_count_the_tokens_of_each_history_alone():
    scores, histories = torch.tensor([[2.0, -2.0, 1.0], [2.0, -2.0, 1.0]]), [[0, 1, 1], [2, 2, 2]]
    less = repetition_filter(RepetitionConfig(penalty=2.0))(scores, histories)
    assert less.tolist() == [[1.0, -4.0, 1.0], [2.0, -2.0, 0.5]]
    once = presence_filter(PresenceConfig(penalty=0.5))(scores, histories)
    assert once.tolist() == [[1.5, -2.5, 1.0], [2.0, -2.0, 0.5]]
    often = frequency_filter(FrequencyConfig(penalty=0.5))(scores, histories)
    assert often.tolist() == [[1.5, -3.0, 1.0], [2.0, -2.0, -0.5]]


@pytest.mark.parametrize("penalty", [0.0, 0.7, -1.5])
def test_presence_and_frequency_penalties_are_those_of_their_formulas(penalty):
    """logit − penalty · [the text has it], and logit − penalty · how often, in float64."""
    drawn = torch.Generator().manual_seed(0)
    logits = 3 * torch.randn(4, 9, generator=drawn)
    histories = torch.randint(9, (4, 12), generator=drawn).tolist()
    counts = torch.tensor([[history.count(token) for token in range(9)] for history in histories]).double()
    presence = presence_filter(PresenceConfig(penalty=penalty))(logits, histories)
    frequency = frequency_filter(FrequencyConfig(penalty=penalty))(logits, histories)
    assert (presence.double() - (logits.double() - penalty * (counts > 0))).abs().max() <= 1e-6
    assert (frequency.double() - (logits.double() - penalty * counts)).abs().max() <= 1e-5


def test_symbols_of_an_objective_in_the_history_are_not_counted():
    often = frequency_filter(FrequencyConfig(penalty=1.0))(torch.zeros(1, 2), [[5, 1, 3]])
    assert often.tolist() == [[0.0, -1.0]]


@given(st.lists(st.integers(0, 3), max_size=30), st.integers(1, 4))
def test_no_n_gram_comes_twice(history, length):
    left = no_repeat_filter(NoRepeatConfig(length=length))(torch.zeros(1, 4), [history])[0] > -math.inf
    seen = {tuple(history[at : at + length]) for at in range(len(history) - length + 1)}
    start = history[len(history) - length + 1 :] if len(history) >= length - 1 else [-1] * (length - 1)
    for token in range(4):
        assert left[token] == ((*start, token) not in seen)


def test_the_stages_are_the_distributions_in_the_order_of_the_filters():
    filters, scores = pipeline(temperature=2.0, k=5, p=0.5), logits()
    filters(scores)
    assert [stage.name for stage in filters.stages] == [MODEL, "temperature", "top-k", "top-p"]
    expected = (scores, scores / 2, top_k(scores / 2, 5), top_p(top_k(scores / 2, 5), 0.5))
    for stage, left in zip(filters.stages, expected, strict=True):
        torch.testing.assert_close(stage.probabilities, left.softmax(-1))


def test_a_filter_that_leaves_no_token_is_named():
    filters = Pipeline([NamedFilter("all", lambda logits, _: logits - math.inf)], [[0], [0]])
    with pytest.raises(LabError, match="the filter all leaves no token"):
        filters(logits())


@pytest.mark.parametrize("wrong", [lambda logits, _: logits[0], lambda logits, _: logits * math.nan])
def test_a_filter_that_returns_no_logits_is_named(wrong):
    with pytest.raises(LabError, match="the filter mine returns"):
        Pipeline([NamedFilter("mine", wrong)], [[0], [0]])(logits())


@given(st.integers(0, 1000), st.floats(0, 1))
def test_top_a_leaves_what_reaches_a_share_of_the_largest_probabilitys_square(seed, a):
    for row in logits(seed):
        shares = row.double().softmax(-1)
        bound = a * float(shares.max()) ** 2
        kept = top_a(row[None], a)[0] > -math.inf
        assert (kept == (shares >= bound))[(shares - bound).abs() > 1e-6].all()
        assert kept[row.argmax()]


@pytest.mark.parametrize("cut", [epsilon_cutoff, eta_cutoff], ids=["epsilon", "eta"])
def test_a_cutoff_above_every_probability_leaves_the_likeliest_and_its_ties(cut):
    flat = torch.tensor([[1.0, 1.0, 0.9, -math.inf]])
    assert (cut(flat, 0.999) > -math.inf).tolist() == [[True, True, False, False]]


def test_the_eta_cutoff_is_lower_where_the_model_is_uncertain():
    certain, uncertain = torch.zeros(1, 100), torch.zeros(1, 100)
    certain[0, 0] = 9.0
    uncertain[0, 0] = 1.0
    tokens = [int((eta_cutoff(scores, 0.012) > -math.inf).sum()) for scores in (certain, uncertain)]
    assert tokens == [1, 100]
    assert int((epsilon_cutoff(uncertain, 0.012) > -math.inf).sum()) == 1


def test_the_setting_of_temperature_is_called_temperature():
    assert [setting.title for setting in settings_of(TemperatureConfig)] == ["Temperature"]
