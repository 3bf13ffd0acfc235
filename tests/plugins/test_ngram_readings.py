"""The readings of n-gram counts: the deciding order, coverage, numbers of n-grams, continuations."""

import numpy as np
import pytest
import torch

import lab_ngram
from lab.api import BadInput, Task, capture
from lab.testing import check_registration
from lab_ngram import NgramConfig
from lab_ngram.model import NgramModel

TEXT = [0, 1, 0, 2, 0, 1]


def model_of(order=3, V=4, text=TEXT, **config):
    model = NgramModel(NgramConfig(order=order, **config), Task(vocabulary_size=V, context_length=8)).double()
    model.count(np.array(text))
    return model


def card():
    cards = []
    lab_ngram.lab_register_probes(cards.append)
    return cards[0]


def readings_of(model, text):
    found = card().make(card().config())(model, torch.tensor([text]))
    return {reading.name: reading for reading in found}


def test_the_reading_matched_is_the_order_that_decided_each_token():
    model = model_of()
    with capture(model, ["matched"]) as readings:
        model(torch.tensor([[0, 1, 0, 1, 3, 0, 2]]))
    (reading,) = readings
    assert (reading.axes, reading.units) == (("token",), "tokens")
    # 0, 0 1, 0 1 0, then 1 0 1 is new but 0 1 is not; 3 is new, and so is all that ends behind it
    assert reading.values.tolist() == [1, 2, 3, 2, 0, 1, 2]


def test_the_mixing_map_adds_up_the_weights_of_the_orders_that_read_each_token():
    model = model_of(text=[0, 1, 0, 2], smoothing="witten-bell")
    with capture(model, ["mixing"]) as readings:
        model(torch.tensor([[0, 1, 3]]))
    (reading,) = readings
    assert (reading.axes, reading.units) == (("head", "query", "key"), "share of the prediction")
    # 0 was followed twice, by two symbols: order 2 has 2 / (2 + 2). 1 was followed once, and so was 0 1: order 3 has
    # half, order 2 half of the rest, which both read the 1. Nothing followed 3
    assert reading.values[0].tolist() == [[1 / 2, 0, 0], [1 / 2, 3 / 4, 0], [0, 0, 0]]
    model.config.change("answer_order", 2)
    with capture(model, ["mixing"]) as readings:
        model(torch.tensor([[0, 1, 3]]))
    assert readings[0].values[0].tolist() == [[1 / 2, 0, 0], [0, 1 / 2, 0], [0, 0, 0]]


@pytest.mark.parametrize("smoothing", ["witten-bell", "jelinek-mercer"])
def test_frequencies_of_each_order_times_its_weight_are_the_model_s_probability(smoothing):
    V, text, read = 5, [int(7 * i**1.5) % 5 for i in range(300)], [1, 4, 4, 0, 2, 3, 1, 1, 0, 2]
    model = model_of(V=V, text=text, smoothing=smoothing)
    with capture(model, ["order"]) as readings:
        p = model(torch.tensor([read])).exp()[0].numpy()
    frequencies = np.full((4, len(read), V), 1 / V)  # of order 0 they are even
    for order in (1, 2, 3):
        for t in range(len(read)):
            context = read[max(0, t - order + 2) : t + 1] if order > 1 else []
            places = [i for i in range(len(text) - len(context)) if text[i : i + len(context)] == context]
            followed = np.bincount([text[i + len(context)] for i in places], minlength=V)
            frequencies[order, t] = followed / max(1, followed.sum())
    assert np.abs(np.einsum("ot,otv->tv", readings[0].values, frequencies) - p).max() < 1e-6


def test_coverage_is_the_share_of_contexts_that_something_was_seen_to_follow():
    found = readings_of(model_of(), [0, 1, 3, 0, 2])["contexts covered"]
    assert (found.axes, found.units) == (("order",), "share")
    # none: always; one: 0 1 _ 0 2, and after 3 nothing was seen; two: 0 1 and 0 2 of 0 1, 1 3, 3 0, 0 2
    assert found.values.tolist() == pytest.approx([1, 4 / 5, 2 / 4])


@pytest.mark.parametrize(("text", "covered"), [([0], [1, 1]), ([3], [1, 0]), ([0, 1], [1, 1, 1])])
def test_a_text_too_short_for_contexts_of_a_length_says_nothing_about_them(text, covered):
    found = readings_of(model_of(), text)["contexts covered"]
    assert found.values.tolist() == pytest.approx(covered)


def test_n_grams_seen_are_reported_with_the_possible_ones():
    found = readings_of(model_of(), TEXT)
    assert found["n-grams seen"].values.tolist() == [3, 4, 4]
    assert found["n-grams seen once"].values.tolist() == [1, 3, 4]
    assert (10 ** found["n-grams possible"].values).tolist() == pytest.approx([4, 16, 64])


def test_continuations_of_the_end_of_a_text_are_reported_with_counts():
    found = readings_of(model_of(), [3, 1, 0])["followed by"]
    assert found.axes == ("order", "vocabulary")
    assert found.values.tolist() == [[3, 2, 1, 0], [0, 2, 1, 0], [0, 0, 1, 0]]
    assert readings_of(model_of(), [3])["followed by"].values[1:].sum() == 0


def test_back_off_and_interpolation_share_out_a_distribution_that_is_whole():
    for smoothing in ("katz", "stupid-backoff", "modified-kneser-ney", "jelinek-mercer"):
        model = model_of(smoothing=smoothing)
        with capture(model, ["order"]) as readings:
            model(torch.tensor([[0, 1, 3]]))
        (reading,) = readings
        assert reading.values.sum(axis=0) == pytest.approx(np.ones(3), abs=1e-6)
        assert reading.values[1:, 2].tolist()[1:] == [0, 0]  # nothing was seen after 3


def test_a_model_that_counts_no_n_grams_is_refused():
    with pytest.raises(BadInput, match="reads n-gram models"):
        readings_of(torch.nn.Linear(1, 1), TEXT)


def test_the_probe_keeps_what_probes_promise():
    assert check_registration("probes", card(), model=model_of(V=17, text=list(range(17)))) == []
