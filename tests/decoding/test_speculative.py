"""Speculative decoding writes texts of the distribution of sampling, whatever the draft is, in fewer passes."""

import itertools
import math

import pytest
import torch
from chance import LEVEL, tail

from lab.api import Ahead, DecodingStep, Hypothesis, RunReader, Task
from lab.decoding.builtins import (
    FrequencyConfig,
    GreedyConfig,
    SpeculativeConfig,
    TemperatureConfig,
    TopPConfig,
)
from lab.decoding.filters import temperature_filter, top_p_filter
from lab.decoding.penalties import frequency_filter
from lab.decoding.pipeline import NamedFilter
from lab.decoding.reader import ModelReader
from lab.decoding.speculative import Speculative
from lab.decoding.stops import End, Stops
from lab.decoding.strategies import Greedy
from lab.decoding.stream import generate
from lab.layers import LanguageModel

SYMBOLS, LENGTH = 3, 4
TEXTS = list(itertools.product(range(SYMBOLS), repeat=LENGTH))
FILTERS = {
    "no filter": [],
    "temperature, top-p and a penalty": [
        NamedFilter("temperature", temperature_filter(TemperatureConfig(temperature=0.8))),
        NamedFilter("frequency-penalty", frequency_filter(FrequencyConfig(penalty=0.5))),
        NamedFilter("top-p", top_p_filter(TopPConfig(p=0.9))),
    ],
}


class Table(LanguageModel):
    """A model whose next token depends on the last two tokens."""

    def __init__(self, seed, removed=None, symbols=SYMBOLS, passes=None):
        super().__init__(None, Task(symbols, 64))
        self.table = 1.5 * torch.randn(symbols + 1, symbols, symbols, generator=torch.Generator().manual_seed(seed))
        self.passes = passes
        if removed is not None:
            self.table[..., removed] = -math.inf

    def start(self, batch):
        return torch.full((batch,), len(self.table) - 1)

    def extend(self, tokens, state, last=None):
        if self.passes is not None:
            self.passes.append(tokens.shape[1])
        before = torch.cat([state[:, None], tokens[:, :-1]], dim=1)
        return self.table[before, tokens][:, -(last or tokens.shape[1]) :], tokens[:, -1]


DRAFTS = {"itself": Table(0), "another model": Table(1), "one that excludes a symbol": Table(2, removed=1)}


def written(model, draft, *, seed=0, count=LENGTH, tokens=3, filters=(), symbols=SYMBOLS, **options):
    strategy = Speculative(SpeculativeConfig(tokens=tokens), {"draft": ModelReader(draft, "cpu", symbols)})
    return list(
        generate(model, [0, 1], strategy=strategy, filters=filters, seed=seed, symbols=symbols, count=count, **options)
    )


def expected(filters):
    """The probability of each text of four tokens under sampling, in float64 but for the filters."""
    model, found = Table(0), []
    for text in TEXTS:
        history, total = [0, 1], 1.0
        for token in text:
            logits = model.table[history[-2], history[-1]][None]
            for one in filters:
                logits = one.apply(logits, [history])
            total *= float(logits[0].double().softmax(-1)[token])
            history = [*history, token]
        found.append(total)
    return torch.tensor(found).double()


@pytest.fixture(params=[400, pytest.param(25_000, marks=pytest.mark.long)])
def texts(request):
    """Number of texts of four tokens that are written."""
    return request.param


@pytest.mark.parametrize(
    ("draft", "filters"),
    [
        pytest.param("itself", "no filter", marks=pytest.mark.long),
        ("another model", "temperature, top-p and a penalty"),
        pytest.param("another model", "no filter", marks=pytest.mark.long),
        ("one that excludes a symbol", "no filter"),
        pytest.param("one that excludes a symbol", "temperature, top-p and a penalty", marks=pytest.mark.long),
    ],
)
def test_all_texts_of_four_tokens_come_as_often_as_under_sampling(draft, filters, texts):
    model = Table(0)
    counts = torch.zeros(len(TEXTS)).double()
    for seed in range(texts):
        text = tuple(
            token.token for token in written(model, DRAFTS[draft], seed=seed, filters=FILTERS[filters], alternatives=1)
        )
        counts[TEXTS.index(text)] += 1
    assert tail(counts, texts * expected(FILTERS[filters])) > LEVEL


def test_the_proposals_themselves_do_not_pass_that_test():
    """Texts of the draft are not taken for texts of the model: the test above can fail."""
    counts = torch.zeros(len(TEXTS)).double()
    for seed in range(400):
        found = written(DRAFTS["another model"], DRAFTS["another model"], seed=seed, alternatives=1)
        counts[TEXTS.index(tuple(token.token for token in found))] += 1
    assert tail(counts, 400 * expected([])) < 1e-12


class Fixed(RunReader):
    """A draft that always has the same logits."""

    def __init__(self, logits):
        self._logits = logits

    def logits(self, texts):
        return self._logits.expand(len(texts), -1)


def test_a_token_is_drawn_from_p_at_each_place_of_the_proposals(draws):
    """The first token after a proposal from q, judged by p: min(1, p/q), or from the rest (Leviathan et al. 2023)."""
    p, q = torch.tensor([[0.1, 0.6, 0.3, 0.0]]), torch.tensor([[0.4, 0.1, 0.25, 0.25]])
    strategy = Speculative(SpeculativeConfig(tokens=1), {"draft": Fixed(q.log())})
    generator, counts = torch.Generator().manual_seed(0), torch.zeros(4).double()
    hypothesis = Hypothesis([0], 1)
    step = DecodingStep(p.log(), [hypothesis], lambda logits: logits, lambda *_: False, None, generator)
    ahead = Ahead(hypothesis, lambda logits, history: logits, 1, generator)
    for _ in range(draws):
        strategy.propose(ahead)
        counts[strategy.next(step)[0].token] += 1
    assert tail(counts, draws * p[0].double()) > LEVEL
    accepted = float(torch.minimum(p, q).sum())  # Leviathan et al. 2023, corollary 3.6
    spread = math.sqrt(accepted * (1 - accepted) / draws)
    assert strategy.figures()["acceptance rate"] == pytest.approx(accepted, abs=4 * spread)


@pytest.mark.parametrize("draft", DRAFTS)
def test_at_temperature_0_it_writes_the_greedy_text_token_for_token(draft):
    cold = [NamedFilter("temperature", temperature_filter(TemperatureConfig(temperature=0.0)))]
    model, stops = Table(0), Stops({2: End("stop symbol", "2")})
    for prompt_stop in (stops, None):
        found = written(model, DRAFTS[draft], count=40, filters=cold, stops=prompt_stop)
        greedy = list(
            generate(
                model, [0, 1], strategy=Greedy(GreedyConfig()), seed=0, symbols=SYMBOLS, count=40, stops=prompt_stop
            )
        )
        assert [token.token for token in found] == [token.token for token in greedy]
        assert found[-1].end == greedy[-1].end


def test_a_draft_that_is_the_model_is_always_right_and_saves_passes():
    passes = []
    found = written(Table(0, passes=passes), Table(0), count=41, tokens=4)
    assert found[-1].figures == {"acceptance rate": 1.0, "tokens per pass": pytest.approx(41 / 9)}
    assert passes == [2, *[5] * 8]  # the prompt alone; then the last token and four proposals


def test_the_tokens_per_pass_are_those_of_the_model():
    passes = []
    found = written(Table(0, passes=passes), Table(1), count=60, tokens=3)
    assert found[-1].figures["tokens per pass"] == pytest.approx(60 / len(passes))
    assert 0 < found[-1].figures["acceptance rate"] < 1


def test_without_a_judged_proposal_there_is_nothing_to_report():
    assert written(Table(0), Table(1), count=1)[-1].figures == {}


def test_no_proposal_goes_beyond_the_wanted_number_of_tokens():
    passes = []
    written(Table(0, passes=passes), Table(0), count=3, tokens=8)
    assert passes == [2, 2]


def test_a_filter_that_leaves_nothing_after_a_proposal_ends_the_proposals_and_not_the_text():
    """The draft runs into a dead end where the model never goes."""

    def dead_end(logits, histories):
        left = logits.clone()
        for row, history in enumerate(histories):
            left[row, :] = -math.inf if history[-1] == 2 else logits[row]
        return left

    model = Table(0, removed=2)
    found = written(model, Table(1), count=20, filters=[NamedFilter("dead-end", dead_end)])
    assert len(found) == 20


def test_the_pass_of_a_last_proposal_is_counted():
    passes = []
    found = written(Table(0, passes=passes), Table(0), count=40, tokens=4)
    assert found[-1].figures["tokens per pass"] == pytest.approx(40 / len(passes))
    short = []
    strategy = Speculative(SpeculativeConfig(tokens=4), {"draft": ModelReader(Table(0), "cpu", SYMBOLS)})
    stream = generate(Table(0, passes=short), [0, 1], strategy=strategy, seed=0, symbols=SYMBOLS, count=41)
    for _ in range(3):
        next(stream)
    assert strategy.figures()["tokens per pass"] == pytest.approx(3 / len(short))
