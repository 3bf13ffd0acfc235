"""Worked examples of lectures on decoding: filters, strategies and scores give the figures of tests/gold/lectures.

The numbers there were computed anew in float64; where a lecture prints another figure the file says so.
"""

import json
import math
from pathlib import Path

import pytest
import torch

from lab.api import Task
from lab.decoding.builtins import GreedyConfig, SamplingConfig, TemperatureConfig, TopKConfig, TopPConfig
from lab.decoding.filters import at_temperature, temperature_filter, top_k_filter, top_p_filter
from lab.decoding.pipeline import NamedFilter, Pipeline
from lab.decoding.strategies import Greedy, Sampling
from lab.decoding.stream import generate
from lab.diagnostics.texts.surprisal import score_in_stream
from lab.layers import LanguageModel

GOLD = Path(__file__).parents[1] / "gold" / "lectures" / "decoding.json"
EXAMPLES = {one["id"]: one for one in json.loads(GOLD.read_text(encoding="utf-8"))["examples"]}
DIGITS = {"rel": 1e-9, "abs": 1e-25}


def steps(example):
    """The steps of an example by name."""
    return {one["name"]: one["value"] for one in EXAMPLES[example]["steps"]}


def logits_of(example):
    """The logarithms of the probabilities of an example, (1, V) in float64."""
    return torch.tensor([EXAMPLES[example]["inputs"]["p"]], dtype=torch.float64).log()


def left(*filters):
    """The distribution of the ten words that filters leave, (V,)."""
    named = [NamedFilter(str(number), one) for number, one in enumerate(filters)]
    return Pipeline(named, [[0]])(logits_of("decoding-movie"))[0].softmax(-1)


class Words(LanguageModel):
    """A model that predicts the same logits (1, V) after every token."""

    def __init__(self, logits):
        super().__init__(None, Task(logits.shape[-1], 64))
        self.logits = logits

    def start(self, batch):
        return torch.zeros(batch, 1)

    def extend(self, tokens, state, last=None):
        return self.logits.expand(*tokens[:, -(last or tokens.shape[1]) :].shape, -1), state


class Guesses(LanguageModel):
    """A model that gives the token that comes next these probabilities, and shares the rest among the others."""

    def __init__(self, shares, text, symbols):
        super().__init__(None, Task(symbols, 64))
        self.rows = torch.empty(len(shares), symbols, dtype=torch.float64)
        for row, share, token in zip(self.rows, shares, text[1:], strict=True):
            row[:] = (1 - share) / (symbols - 1)
            row[token] = share

    def start(self, batch):
        return torch.zeros(batch, 1)

    def extend(self, tokens, state, last=None):
        return self.rows.log()[None, -(last or tokens.shape[1]) :], state


def written(strategy, *filters):
    """The tokens of a text of 400 words, and the stages and draws of the first one."""
    model = Words(logits_of("decoding-movie"))
    named = [NamedFilter(str(number), one) for number, one in enumerate(filters)]
    stream = generate(model, [0], strategy=strategy, filters=named, seed=0, symbols=10, count=400, stages=True)
    return list(stream)


def test_greedy_takes_good():
    words, result = EXAMPLES["decoding-movie"]["inputs"]["words"], EXAMPLES["decoding-movie"]["result"]
    assert {words[one.token] for one in written(Greedy(GreedyConfig()))} == {result["greedy"]}


@pytest.mark.parametrize(("name", "mass"), [("top_k", 0.8), ("nucleus", 0.88)])
def test_top_k_and_the_nucleus_leave_and_draw_the_words_of_the_lecture(name, mass):
    inputs, result = (EXAMPLES["decoding-movie"][part] for part in ("inputs", "result"))
    cut = top_k_filter(TopKConfig(k=inputs["k"])) if name == "top_k" else top_p_filter(TopPConfig(p=inputs["top_p"]))
    shares = left(cut)
    kept = shares.nonzero().flatten().tolist()
    assert [inputs["words"][token] for token in kept] == result[name]
    assert shares[kept].tolist() == pytest.approx(steps("decoding-movie")[f"{name}_renormalised"], **DIGITS)
    texts = written(Sampling(SamplingConfig(draw="inverse")), cut)
    assert {inputs["words"][one.token] for one in texts} == set(result[name])
    assert float(texts[0].stages[0].probabilities[kept].sum()) == pytest.approx(mass, rel=1e-6)
    if name == "nucleus":
        assert mass == steps("decoding-movie")["nucleus_mass"]


def test_the_draw_lies_between_the_cumulated_sums_of_the_lecture():
    sums = [0.0, *steps("decoding-movie")["cumulated"]]
    for one in written(Sampling(SamplingConfig(draw="inverse"))):
        assert one.draw.interval == pytest.approx((sums[one.token], sums[one.token + 1]), abs=1e-6)
        assert one.draw.interval[0] <= one.draw.uniform < one.draw.interval[1]


def test_each_word_carries_the_entropy_of_the_model():
    first = written(Greedy(GreedyConfig()))[0]
    assert first.entropy == pytest.approx(steps("decoding-movie")["entropy_bits"], rel=1e-6)
    assert (first.rank, first.probability) == (1, pytest.approx(0.45))


def test_temperature_sharpens_and_flattens_as_in_the_lecture():
    given, values = EXAMPLES["temperature-movie"]["inputs"], steps("temperature-movie")
    for at, temperature in enumerate(given["temperatures"]):
        shares = left(temperature_filter(TemperatureConfig(temperature=temperature)))
        assert shares.tolist() == pytest.approx(values["p_at"][at], **DIGITS)
        entropy = float(torch.special.entr(shares).sum()) / math.log(2)
        assert entropy == pytest.approx(values["entropy_bits"][at], rel=1e-9)


def test_temperature_0_leaves_good_alone_and_an_endless_one_leaves_all_words_alike():
    result = EXAMPLES["temperature-movie"]["result"]
    assert float(left(temperature_filter(TemperatureConfig(temperature=0)))[0]) == result["good_at_0"]
    endless = at_temperature(logits_of("temperature-movie"), 1e15).softmax(-1)
    assert endless[0].tolist() == pytest.approx([result["good_at_infinity"]] * 10, rel=1e-9)


def test_the_text_aba_has_the_bits_and_the_perplexity_of_the_lecture():
    given, result = (EXAMPLES["perplexity-aba"][part] for part in ("inputs", "result"))
    text = [2, 0, 1, 0]  # its first token has nothing before it
    scores = score_in_stream(Guesses(given["q"], text, given["vocabulary"]), text, alternatives=1)
    assert (-scores.nats[1:] / math.log(2)).tolist() == pytest.approx(steps("perplexity-aba")["log2_q"], **DIGITS)
    assert scores.nats[1:].mean() == pytest.approx(result["nats"], rel=1e-9)


def test_a_uniform_guess_has_the_bits_of_the_lecture():
    result, size = EXAMPLES["perplexity-uniform"]["result"], EXAMPLES["perplexity-uniform"]["inputs"]["vocabulary"]
    scores = score_in_stream(Words(torch.zeros(1, size, dtype=torch.float64)), [0, 1, 2, 0], alternatives=1)
    assert scores.nats[1:].tolist() == pytest.approx([result["nats"]] * 3, rel=1e-9)
    assert scores.entropies[1:].tolist() == pytest.approx([result["nats"]] * 3, rel=1e-9)


@pytest.mark.parametrize(("letter", "figure"), [("p_E", "E_bits"), ("p_W", "W_bits")])
def test_a_rare_letter_surprises_more(letter, figure):
    given, result = (EXAMPLES["shannon-surprise"][part] for part in ("inputs", "result"))
    scores = score_in_stream(Guesses([given[letter]], [0, 1], given["symbols"]), [0, 1], alternatives=1)
    assert float(scores.nats[1]) / math.log(2) == pytest.approx(result[figure], rel=1e-9)
