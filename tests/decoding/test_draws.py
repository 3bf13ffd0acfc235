"""Tokens come as often as the distribution after the filters says, computed anew in float64: a chi-squared test."""

import math

import pytest
import torch
from chance import LEVEL, tail

from lab.api import Ahead, DecodingStep, Hypothesis, RunReader
from lab.decoding import filters
from lab.decoding.builtins import GreedyConfig, MirostatConfig, SamplingConfig, SpeculativeConfig
from lab.decoding.speculative import Speculative
from lab.decoding.strategies import Greedy, Mirostat, Sampling

LOGITS = torch.tensor([[2.0, 1.5, 1.5, 1.0, 0.3, 0.0, -0.5, -1.0, -2.0, -4.0, -math.inf, 0.0]])
"""Twelve symbols: two pairs of ties, and one that was removed."""


def shares(logits):
    return logits[0].double().softmax(-1)


def kept(tokens):
    """The distribution over some of the symbols alone."""
    only = torch.full_like(LOGITS, -math.inf)
    only[0, tokens] = LOGITS[0, tokens]
    return shares(only)


CASES = {
    "no filter": (lambda logits: logits, shares(LOGITS)),
    "temperature towards 0": (lambda logits: filters.at_temperature(logits, 1e-3), kept([0])),
    "temperature 0": (lambda logits: filters.at_temperature(logits, 0.0), kept([0])),
    "temperature 0.5": (lambda logits: filters.at_temperature(logits, 0.5), shares(2 * LOGITS)),
    "temperature towards infinity": (
        lambda logits: filters.at_temperature(logits, 1e9),
        (LOGITS[0] > -math.inf).double() / 11,
    ),
    "k = 1": (lambda logits: filters.top_k(logits, 1), kept([0])),
    "k = 2, with a tie": (lambda logits: filters.top_k(logits, 2), kept([0, 1, 2])),
    "k above V": (lambda logits: filters.top_k(logits, 100), shares(LOGITS)),
    "p towards 0": (lambda logits: filters.top_p(logits, 1e-9), kept([0])),
    "p = 0.6": (lambda logits: filters.top_p(logits, 0.6), kept([0, 1, 2])),
    "p = 1": (lambda logits: filters.top_p(logits, 1.0), shares(LOGITS)),
    "min-p": (lambda logits: filters.min_p(logits, 0.3), kept([0, 1, 2, 3])),
    "typical": (lambda logits: filters.typical(logits, 0.4), kept([1, 2, 3])),
    "top-a": (lambda logits: filters.top_a(logits, 0.4), kept([0, 1, 2, 3, 4, 5, 11])),
    "epsilon": (lambda logits: filters.epsilon_cutoff(logits, 0.06), kept([0, 1, 2, 3])),
    "eta": (
        lambda logits: filters.eta_cutoff(logits, 0.09),
        kept((shares(LOGITS) >= 0.3 * math.exp(-torch.special.entr(shares(LOGITS)).sum())).nonzero().flatten()),
    ),
}


def counted(make, filtered, draws, logits=LOGITS):
    """Return how often each symbol is the first token of a text."""
    step = DecodingStep(
        logits, [Hypothesis([0], 1)], filtered, lambda *_: False, None, torch.Generator().manual_seed(0)
    )
    tokens = torch.tensor([make().next(step)[0].token for _ in range(draws)])
    return torch.bincount(tokens, minlength=logits.shape[-1]).double()


def check(counts, expected):
    """Fail if counts differ from a distribution more than chance explains, at LEVEL."""
    assert tail(counts, counts.sum() * expected) > LEVEL, (counts, expected)


@pytest.mark.parametrize("draw", ["race", "inverse"])
@pytest.mark.parametrize("case", CASES)
def test_sampling_draws_from_what_the_filters_leave(case, draw, draws):
    filtered, expected = CASES[case]
    few = draws if int((expected > 0).sum()) > 1 else 100
    check(counted(lambda: Sampling(SamplingConfig(draw=draw)), filtered, few), expected)


class Told(RunReader):
    """A draft that always has the same logits."""

    def __init__(self, logits):
        self._logits = logits

    def logits(self, texts):
        return self._logits


@pytest.mark.parametrize(
    "draft", ["the opposite", *(pytest.param(name, marks=pytest.mark.long) for name in ("no matter", "a removed one"))]
)
@pytest.mark.parametrize("case", CASES)
def test_speculative_decoding_draws_the_same_whatever_the_draft_is(case, draft, draws):
    """The token after a proposal, taken or not, with the same filters on both."""
    filtered, expected = CASES[case]
    others = {
        "the opposite": -LOGITS.masked_fill(LOGITS.isinf(), 1.0),
        "no matter": torch.zeros_like(LOGITS),
        "a removed one": LOGITS.roll(3, dims=-1),
    }
    generator = torch.Generator().manual_seed(0)
    hypothesis = Hypothesis([0], 1)
    step = DecodingStep(LOGITS, [hypothesis], filtered, lambda *_: False, None, generator)
    ahead = Ahead(hypothesis, lambda logits, history: filtered(logits), 1, generator)
    strategy = Speculative(SpeculativeConfig(tokens=1), {"draft": Told(others[draft])})
    counts = torch.zeros(LOGITS.shape[-1]).double()
    for _ in range(draws if int((expected > 0).sum()) > 1 else 100):
        strategy.propose(ahead)
        counts[strategy.next(step)[0].token] += 1
    check(counts, expected)


@pytest.mark.parametrize("draw", ["race", "inverse"])
def test_a_vocabulary_of_one_symbol_gives_that_symbol(draw):
    counts = counted(lambda: Sampling(SamplingConfig(draw=draw)), lambda logits: logits, 50, torch.tensor([[-3.0]]))
    assert counts.tolist() == [50]


@pytest.mark.parametrize(("surprisal", "expected"), [(1.5, [0, 1, 2]), (0.2, [0]), (50.0, [*range(10), 11])])
def test_the_first_token_of_mirostat_is_drawn_from_those_below_twice_its_target(surprisal, expected, draws):
    counts = counted(lambda: Mirostat(MirostatConfig(surprisal=surprisal)), lambda logits: logits, draws)
    bits = -shares(LOGITS).log2()
    assert [token for token in range(12) if bits[token] <= 2 * surprisal or token == 0] == expected
    check(counts, kept(expected))


@pytest.mark.parametrize("case", CASES)
def test_greedy_takes_the_first_of_the_likeliest_that_the_filters_leave(case):
    filtered, expected = CASES[case]
    counts = counted(lambda: Greedy(GreedyConfig()), filtered, 3)
    assert counts.argmax() == expected.argmax() == filtered(LOGITS).argmax()


def test_the_check_itself_sees_a_distribution_that_is_a_little_wrong(draws):
    counts = counted(lambda: Sampling(SamplingConfig()), lambda logits: logits / 1.5, draws)
    with pytest.raises(AssertionError):
        check(counts, shares(LOGITS))
