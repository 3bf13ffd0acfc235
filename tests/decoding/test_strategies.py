"""Strategies on a model whose probabilities are known: draws, beams, ends, and what is certain when."""

import math

import pytest
import torch

from lab.api import Chooser, Continuation, Task
from lab.base import LabError
from lab.decoding.beams import BeamSearch
from lab.decoding.builtins import BeamSearchConfig, GreedyConfig, MirostatConfig, SamplingConfig
from lab.decoding.stops import End, Stops
from lab.decoding.strategies import Greedy, Mirostat, Sampling, exponential_race, inverse_cdf
from lab.decoding.stream import generate
from lab.layers import LanguageModel

torch.set_num_threads(1)
SYMBOLS = 4
END = 3


class Table(LanguageModel):
    """A model of four symbols whose next token depends on the last two tokens."""

    def __init__(self, seed=0, reach=None):
        super().__init__(None, Task(SYMBOLS, 16))
        self.reach = reach
        drawn = torch.Generator().manual_seed(seed)
        self.table = 2 * torch.randn(SYMBOLS + 1, SYMBOLS, SYMBOLS, generator=drawn)

    def start(self, batch):
        return torch.full((batch,), SYMBOLS)

    def step(self, tokens, state):
        return self.table[state, tokens], tokens


def written(model, strategy, prompt=(0,), count=6, **options):
    options = {"seed": 0, "symbols": SYMBOLS, **options}
    return list(generate(model, prompt, strategy=strategy, count=count, **options))


def numbers(tokens):
    return [token.token for token in tokens]


def log_probability(model, prompt, tokens):
    before, last = SYMBOLS, prompt[-1]
    total = 0.0
    for token in tokens:
        total += float(model.table[before, last].log_softmax(-1)[token])
        before, last = last, token
    return total


@pytest.mark.parametrize("reach", [None, 3])
@pytest.mark.parametrize("seed", range(3))
def test_the_probabilities_of_a_beam_are_those_of_its_own_text(seed, reach):
    model = Table(seed, reach)
    found = written(model, BeamSearch(BeamSearchConfig(width=3)), count=8)
    if reach is None:
        total = sum(math.log(token.probability) for token in found)
        assert total == pytest.approx(log_probability(model, (0,), numbers(found)), abs=1e-4)
    assert [token.end for token in found][:-1] == [None] * 7
    assert found[-1].end == End("length")


def test_a_beam_that_is_full_reads_the_end_of_its_own_text_again():
    model = Table(reach=4)
    alone = written(model, Greedy(GreedyConfig()), count=12)
    as_beam = written(model, BeamSearch(BeamSearchConfig(width=1)), count=12)
    assert numbers(alone) == numbers(as_beam)
    assert [token.reread for token in alone] == [token.reread for token in as_beam]
    assert any(token.reread for token in alone)


def test_tokens_that_all_beams_share_come_before_the_search_ends():
    class Counting(Table):
        steps = 0

        def step(self, tokens, state):
            Counting.steps += 1
            return super().step(tokens, state)

    model = Counting()
    stream = generate(model, [0], strategy=BeamSearch(BeamSearchConfig(width=2)), seed=0, symbols=SYMBOLS, count=40)
    first = next(stream)
    assert Counting.steps < 40
    assert [first, *stream] == written(model, BeamSearch(BeamSearchConfig(width=2)), count=40)


def test_a_stop_string_ends_a_beam_across_the_borders_of_tokens():
    model = Table(2)
    plain = numbers(written(model, BeamSearch(BeamSearchConfig(width=3)), count=12))
    stops = Stops(strings=["".join(map(str, plain[4:6]))], decode=lambda tokens: "".join(map(str, tokens)))
    found = written(model, BeamSearch(BeamSearchConfig(width=3, stop="first")), count=12, stops=stops)
    assert found[-1].end.reason in ("stop string", "length")
    text = "".join(map(str, numbers(found)))
    assert stops.strings[0] not in text[:-1]
    greedy = numbers(written(model, Greedy(GreedyConfig()), count=12))
    stops = Stops(strings=["".join(map(str, greedy[4:6]))], decode=stops.decode)
    found = written(model, Greedy(GreedyConfig()), count=12, stops=stops)
    assert found[-1].end == End("stop string", stops.strings[0])


def test_a_stop_symbol_is_the_last_token():
    found = written(Table(), Sampling(SamplingConfig()), count=200, stops=Stops({2: End("stop symbol", "2")}))
    assert numbers(found).count(2) == 1
    assert found[-1].token == 2
    assert found[-1].end == End("stop symbol", "2")


def test_greedy_takes_the_likeliest_token():
    for token in written(Table(), Greedy(GreedyConfig()), count=20):
        assert token.token == token.alternatives[0][0]
        assert token.draw.method == "largest"


@pytest.mark.parametrize("seed", range(20))
def test_the_race_draws_what_multinomial_draws_and_shows_when_each_token_came(seed):
    shares = torch.randn(1, 50, generator=torch.Generator().manual_seed(seed)).softmax(-1)
    ours, theirs = (torch.Generator().manual_seed(seed) for _ in range(2))
    token, draw = exponential_race(shares, ours)
    assert token == int(torch.multinomial(shares, 1, generator=theirs))
    assert torch.equal(ours.get_state(), theirs.get_state())
    assert token == int(draw.times.argmin())
    assert draw.uniform is None


def test_the_inverse_of_the_cdf_takes_the_token_that_encloses_the_uniform_number():
    shares, drawn = torch.tensor([[0.2, 0.0, 0.5, 0.3]]), torch.Generator().manual_seed(0)
    counts = [0] * 4
    for _ in range(2000):
        token, draw = inverse_cdf(shares, drawn)
        low, high = draw.interval
        assert low <= draw.uniform < high
        assert low == pytest.approx(float(shares[0, :token].sum()))
        counts[token] += 1
    assert counts[1] == 0
    assert [count / 2000 for count in counts] == pytest.approx(shares[0].tolist(), abs=0.05)


def test_stages_and_draw_come_if_they_are_asked_for():
    (token,) = written(Table(), Sampling(SamplingConfig(draw="inverse")), count=1, stages=True)
    (stage,) = token.stages
    assert stage.name == "model"
    assert float(stage.probabilities[token.token]) == pytest.approx(token.probability)
    assert token.draw.interval[1] - token.draw.interval[0] == pytest.approx(token.probability)
    assert written(Table(), Sampling(SamplingConfig()), count=1)[0].stages == ()


class Own(Chooser):
    """A strategy made of two functions."""

    def __init__(self, choose, width=1, is_done=None):
        self.width, self._choose, self._is_done = width, choose, is_done

    def next(self, step):
        return self._choose(step)

    def is_done(self, live, ended, left):
        return self._is_done(live, ended, left) if self._is_done else super().is_done(live, ended, left)


def test_a_strategy_ends_a_text_by_itself():
    tokens = written(Table(), Own(lambda step: [Continuation(0, 1, ended=step.hypotheses[0].length == 2)]), count=9)
    assert numbers(tokens) == [1, 1, 1]
    assert tokens[-1].end == End("strategy")


def test_a_strategy_that_is_done_without_an_ended_text_leaves_its_best_one():
    strategy = Own(lambda _: [Continuation(0, 1)], is_done=lambda live, ended, left: live[0].length == 4)
    tokens = written(Table(), strategy, count=9)
    assert numbers(tokens) == [1] * 4
    assert tokens[-1].end == End("strategy")


@pytest.mark.parametrize(
    ("choose", "what"), [(lambda _: [], "gives up"), (lambda _: [Continuation(0, 1), Continuation(0, 2)], "width of 1")]
)
def test_a_strategy_that_breaks_its_contract_is_refused(choose, what):
    with pytest.raises(LabError, match=what):
        written(Table(), Own(choose))


def test_the_histories_of_branches_are_their_own():
    seen = []

    def choose(step):
        seen.append([tuple(one.tokens) for one in step.hypotheses])
        rows = range(len(step.hypotheses))
        return [Continuation(row, token) for row in rows for token in (1, 2)][:2]

    written(Table(), Own(choose, width=2), count=3)
    assert seen == [[(0,)], [(0, 1), (0, 2)], [(0, 1, 1), (0, 1, 2)]]


class Noise(LanguageModel):
    """A model of 200 symbols with Zipf's probabilities, whatever came before."""

    def __init__(self):
        super().__init__(None, Task(200, 16))
        self.logits = -1.1 * torch.arange(1, 201).double().log().float()

    def start(self, batch):
        return torch.zeros(batch)

    def step(self, tokens, state):
        return self.logits.expand(len(tokens), -1), state


@pytest.mark.short("3.0")
@pytest.mark.parametrize("target", [3.0, 4.5])
def test_mirostat_writes_texts_of_the_mean_surprisal_that_is_asked_for(target):
    found = list(
        generate(Noise(), [0], strategy=Mirostat(MirostatConfig(surprisal=target)), seed=0, symbols=200, count=1500)
    )
    bits = [-math.log2(token.probability) for token in found[100:]]
    assert sum(bits) / len(bits) == pytest.approx(target, abs=0.1)


def test_mirostat_removes_what_surprises_more_than_its_bound_and_corrects_it():
    bounds = []

    class Drawn(Mirostat):
        def next(self, step):
            bounds.append(self._bound)
            return super().next(step)

    found = list(
        generate(Noise(), [0], strategy=Drawn(MirostatConfig(surprisal=3.0, rate=0.5)), seed=1, symbols=200, count=40)
    )
    bits = [-math.log2(token.probability) for token in found]
    expected = [6.0]
    for each in bits[:-1]:
        expected.append(expected[-1] - 0.5 * (each - 3.0))
    assert bounds == pytest.approx(expected, abs=1e-4)
    assert all(each <= bound + 1e-4 for each, bound in zip(bits, expected, strict=True))


def test_mirostat_takes_the_likeliest_token_when_nothing_is_as_little_surprising():
    found = list(
        generate(Noise(), [0], strategy=Mirostat(MirostatConfig(surprisal=1e-3)), seed=0, symbols=200, count=3)
    )
    assert numbers(found)[0] == 0
