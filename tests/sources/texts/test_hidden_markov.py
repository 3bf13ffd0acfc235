"""Hidden Markov models: their rate is within its bounds, and is the loss of the forward algorithm on their text."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.api import ENTROPY_RATE, BadInput
from lab.sources.texts.hidden_markov import (
    APART,
    HiddenMarkov,
    HiddenMarkovConfig,
    bounds,
    drawn_model,
    entropy_rate,
    hidden_markov,
)
from lab.sources.texts.lengths import LETTERS


def losses_of_the_forward_algorithm(model, text):
    """−log p of each letter after all before it, by the model that wrote them."""
    belief, losses = model.law, []
    for letter in text:
        joint = belief * model.B[:, LETTERS.index(letter)]
        p = joint.sum()
        losses.append(-math.log(p))
        belief = joint / p @ model.A
    return losses


@pytest.mark.short("4-8-*", "2-2-*", "8-8-*")
@pytest.mark.parametrize(
    ("states", "letters", "concentration", "way"),
    [(4, 8, 0.3, "bounds"), (2, 2, 0.5, "bounds"), (8, 8, 0.3, "simulation"), (16, 20, 0.1, "simulation")],
)
def test_the_forward_algorithm_loses_the_entropy_rate_on_the_text(states, letters, concentration, way):
    config = HiddenMarkovConfig(states=states, letters=letters, concentration=concentration, length=10_000)
    text = hidden_markov(config)
    losses = losses_of_the_forward_algorithm(drawn_model(config, config.draws()[0]), text.text)
    blocks = np.reshape(losses, (-1, 500)).mean(axis=1)
    error = blocks.std(ddof=1) / len(blocks) ** 0.5
    assert text.facts["entropy_rate_from"] == way
    assert text.facts["entropy_rate_error"] < APART
    assert abs(blocks.mean() - text.floors[ENTROPY_RATE]) <= 3 * error + text.facts["entropy_rate_error"]


def test_states_that_show_themselves_have_the_rate_of_their_chain():
    A = np.array([[0.8, 0.2], [0.7, 0.3]])  # p(leaving) 0.2 and 0.7: stationary 7/9 and 2/9
    low, high = bounds(HiddenMarkov(A, np.eye(2), np.array([7 / 9, 2 / 9])))
    H = [-p * math.log(p) - (1 - p) * math.log(1 - p) for p in (0.2, 0.7)]
    assert (low + high) / 2 == pytest.approx((7 * H[0] + 2 * H[1]) / 9, abs=APART)


def test_one_state_emits_independent_letters():
    B = np.array([[0.5, 0.25, 0.25]])
    model = HiddenMarkov(np.ones((1, 1)), B, np.ones(1))
    rate, error, way = entropy_rate(model, np.random.default_rng(0))
    assert (rate, error, way) == (pytest.approx(1.5 * math.log(2)), pytest.approx(0), "bounds")


def test_a_simulated_rate_agrees_with_the_bounds(monkeypatch):
    A, B = np.array([[0.8, 0.2], [0.3, 0.7]]), np.array([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]])
    model = HiddenMarkov(A, B, np.array([0.6, 0.4]))
    monkeypatch.setattr("lab.sources.texts.hidden_markov.APART", 0.0)  # no bounds are close enough
    low, high = bounds(model)
    rate, error, way = entropy_rate(model, np.random.default_rng(1))
    assert way == "simulation"
    assert 0 < high - low < 1e-4
    assert 0 < error < 1e-3
    assert low - 3 * error <= rate <= high + 3 * error


@pytest.mark.long
def test_the_default_states_carry_more_information_than_the_last_letter():
    config = HiddenMarkovConfig(length=1)
    model = drawn_model(config, config.draws()[0])
    pairs = (model.law[:, None] * model.B).T @ model.A @ model.B  # p(letter, next letter)
    single = pairs.sum(axis=0)
    H = [-(p[p > 0] * np.log(p[p > 0])).sum() for p in (single, pairs)]
    rate = hidden_markov(config).floors[ENTROPY_RATE]
    assert rate < H[1] - H[0] - 0.04 < H[0] - 0.09


def test_the_config_alone_decides_the_text_and_its_rate_and_a_longer_one_begins_alike():
    few = {"states": 4, "letters": 8, "concentration": 0.3}  # whose rate takes no simulation
    config = HiddenMarkovConfig(length=2000, **few)
    made = hidden_markov(config)
    assert made == hidden_markov(config)
    longer = hidden_markov(HiddenMarkovConfig(length=4000, **few))
    assert longer.floors == made.floors
    assert longer.text.startswith(made.text)
    assert hidden_markov(HiddenMarkovConfig(length=2000, seed=1, **few)).text != made.text


def test_states_that_all_emit_one_letter_are_reported():
    with pytest.raises(BadInput, match="one letter") as raised:
        hidden_markov(HiddenMarkovConfig(states=1, letters=2, concentration=0.01))
    assert raised.value.problem.field == "corpus.concentration"


@settings(max_examples=3, deadline=None, derandomize=True)
@given(
    states=st.integers(1, 6),
    letters=st.integers(2, 62),
    concentration=st.sampled_from([0.01, 0.1, 1, 1000]),
    length=st.sampled_from([1, 50]),
)
def test_every_setting_gives_a_finite_rate_or_a_message(states, letters, concentration, length):
    config = HiddenMarkovConfig(states=states, letters=letters, concentration=concentration, length=length)
    try:
        text = hidden_markov(config)
    except BadInput:
        return  # the problem was checked above
    assert len(text.text) == length
    assert 0 <= text.floors[ENTROPY_RATE] <= math.log(letters) + 1e-9
    assert 0 <= text.facts["entropy_rate_error"] < 0.02
