"""Beam search against all texts there are, and stochastic beams against their exact distribution."""

import itertools
import math

import pytest
import torch
from chance import LEVEL, tail

from lab.api import Task
from lab.base import BadInput
from lab.decoding.beams import BeamSearch, StochasticBeams, _descending, gumbel_with_maximum
from lab.decoding.builtins import BeamSearchConfig, StochasticBeamsConfig, TopKConfig
from lab.decoding.filters import top_k_filter
from lab.decoding.pipeline import NamedFilter
from lab.decoding.stops import End, Stops
from lab.decoding.stream import generate
from lab.host import Plugins
from lab.layers import LanguageModel

SYMBOLS, END = 4, 3


class Table(LanguageModel):
    """A model whose next token depends on the last two tokens and the position, so that no two texts are tied."""

    def __init__(self, seed=0, symbols=SYMBOLS):
        super().__init__(None, Task(symbols, 16))
        self.table = 2 * torch.randn(16, symbols, symbols, symbols, generator=torch.Generator().manual_seed(seed))

    def start(self, batch):
        return torch.zeros(batch, 2, dtype=torch.long)  # position and last token

    def step(self, tokens, state):
        position, before = state.unbind(dim=1)
        return self.table[position, before, tokens], torch.stack([position + 1, tokens], dim=1)


def ended(model, strategy, *, count, symbols=SYMBOLS, seed=0, **options):
    """The texts that ended, best first, as (tokens, score)."""
    stream = generate(model, [0], strategy=strategy, seed=seed, symbols=symbols, count=count, alternatives=1, **options)
    *_, last = stream
    return [(list(one.tokens), one.score) for one in last.texts]


def all_texts(model, length):
    """Log-probabilities, in float64, of all texts (4^length, length) after the prompt [0]."""
    logs = model.table.double().log_softmax(-1)
    texts = torch.tensor(list(itertools.product(range(logs.shape[-1]), repeat=length)))
    padded = torch.cat([torch.zeros(len(texts), 2, dtype=torch.long), texts], dim=1)
    return texts, logs[torch.arange(length), padded[:, :-2], padded[:, 1:-1], padded[:, 2:]]


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
def test_a_beam_as_wide_as_all_texts_finds_the_best_of_eight_tokens(seed):
    """Exhaustive search over 4^8 texts; the limit of the width is for people, not for the search."""
    model = Table(seed)
    texts, logs = all_texts(model, 8)
    config = BeamSearchConfig.model_construct(**{**BeamSearchConfig(length_penalty=0).stored(), "width": SYMBOLS**7})
    found = ended(model, BeamSearch(config), count=8)
    best = logs.sum(dim=1).topk(20)
    assert [tokens for tokens, _ in found[:20]] == texts[best.indices].tolist()
    assert [score for _, score in found[:20]] == pytest.approx(best.values.tolist(), abs=1e-4)


@pytest.mark.parametrize("width", [1, 2, 5, 32])
@pytest.mark.parametrize("seed", range(3))
def test_a_narrow_beam_keeps_the_best_beginnings_of_eight_tokens(seed, width):
    """At each of 8 steps, the best `width` of all texts that continue a beginning that was kept."""
    model = Table(seed)
    texts, logs = all_texts(model, 8)
    kept = torch.ones(len(texts), dtype=torch.bool)
    for length in range(1, 9):
        numbers = (texts[:, :length] * SYMBOLS ** torch.arange(length)).sum(dim=1)
        sums = torch.full((SYMBOLS**length,), -math.inf).double()
        sums[numbers[kept]] = logs[kept, :length].sum(dim=1)
        best = sums.topk(min(width, int((sums > -math.inf).sum()))).indices
        kept &= torch.isin(numbers, best)
    order = logs[kept].sum(dim=1).argsort(descending=True)
    found = ended(model, BeamSearch(BeamSearchConfig(width=width, length_penalty=0)), count=8)
    assert [tokens for tokens, _ in found] == texts[kept][order].tolist()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("penalty", [0.0, 0.6])
def test_texts_that_end_early_are_compared_by_their_length(seed, penalty):
    """Every text of at most four tokens, ended by END or by the length, compared by Wu et al. 2016, eq. 14."""
    model = Table(seed)
    config = BeamSearchConfig(width=256, length_penalty=penalty, stop="never")
    found = ended(model, BeamSearch(config), count=4, stops=Stops({END: End("end of text")}))
    texts = {}
    for tokens, logs in zip(*all_texts(model, 4), strict=True):
        length = next((at + 1 for at, token in enumerate(tokens) if token == END), 4)
        texts[tuple(tokens[:length].tolist())] = float(logs[:length].sum()) / ((5 + length) / 6) ** penalty
    best = max(texts, key=texts.get)
    assert found[0] == (list(best), pytest.approx(texts[best], abs=1e-4))


# ---- diverse groups


def diverse(model, groups, of_group, diversity, count):
    """Vijayakumar et al. 2018, algorithm 1, text by text: the texts and scores of each group."""
    logs = model.table.double().log_softmax(-1)
    beams = [[((), 0.0)] for _ in range(groups)]
    for _ in range(count):
        used = [0] * SYMBOLS
        for group, beam in enumerate(beams):
            candidates = []
            for text, score in beam:
                before, last = [0, 0, *text][-2:]
                for token in range(SYMBOLS):
                    new = score + float(logs[len(text), before, last, token]) - diversity * used[token]
                    candidates.append(((*text, token), new))
            beams[group] = sorted(candidates, key=lambda one: -one[1])[:of_group]
            for text, _ in beams[group]:
                used[text[-1]] += 1
    return beams


@pytest.mark.parametrize(("width", "groups"), [(4, 2), (3, 3), (6, 2), (4, 1)])
@pytest.mark.parametrize("diversity", [0.0, 0.7])
@pytest.mark.parametrize("seed", range(2))
def test_groups_choose_one_after_another_and_avoid_what_those_before_chose(seed, diversity, width, groups):
    model = Table(seed)
    config = BeamSearchConfig(width=width, groups=groups, diversity=diversity, length_penalty=0)
    found = ended(model, BeamSearch(config), count=6)
    expected = sorted(itertools.chain(*diverse(model, groups, width // groups, diversity, 6)), key=lambda one: -one[1])
    assert sorted(tokens for tokens, _ in found) == sorted(list(text) for text, _ in expected)
    assert [score for _, score in found] == pytest.approx([score for _, score in expected], abs=1e-4)


def test_groups_find_more_different_texts_than_one_beam():
    def beginnings(groups):
        config = BeamSearchConfig(width=4, groups=groups, diversity=2.0, length_penalty=0)
        return len({tuple(tokens[:2]) for tokens, _ in ended(Table(1), BeamSearch(config), count=8)})

    assert beginnings(4) > beginnings(1)


def test_groups_whose_texts_have_ended_leave_the_others_alone():
    """With END likely at once, every group ends its own texts, and all of them are compared."""
    model = Table(2)
    model.table[..., END] += 2.0
    config = BeamSearchConfig(width=6, groups=3, diversity=3.0, stop="first")
    found = ended(model, BeamSearch(config), count=12, stops=Stops({END: End("end of text")}))
    assert len(found) == 6
    assert all(tokens[-1] == END for tokens, _ in found)


def test_groups_that_do_not_divide_the_width_are_refused():
    with pytest.raises(BadInput, match="groups = 2 does not divide width = 5"):
        BeamSearchConfig.read({"width": 5, "groups": 2}, field="strategy")


def test_a_width_of_ten_thousand_is_refused_with_its_bounds():
    config = Plugins(safe_mode=True).card("strategies", "beam-search").config
    with pytest.raises(BadInput, match="width") as refused:
        config.read({"width": 10_000}, field="strategy")
    assert "x ≤ 256" in refused.value.problem.allowed


# ---- stochastic beams


@pytest.mark.parametrize("kept", [0, 2])
def test_texts_are_drawn_without_replacement(draws, kept):
    """The first is a sample of the model, the second one of what is left: each ordered pair has its probability."""
    model = Table(0, symbols=3)
    filters = [NamedFilter("top-k", top_k_filter(TopKConfig(k=kept)))]
    model_of_filters = Table(0, symbols=3)
    model_of_filters.table = top_k_filter(TopKConfig(k=kept))(model.table, [])
    texts, logs = all_texts(model_of_filters, 2)
    share = logs.sum(dim=1).exp()
    pairs = share[:, None] * share[None, :] / (1 - share)[:, None]
    pairs.fill_diagonal_(0)
    counts, numbers = torch.zeros_like(pairs), {tuple(text): number for number, text in enumerate(texts.tolist())}
    for seed in range(draws):
        strategy = StochasticBeams(StochasticBeamsConfig(width=2))
        first, second = ended(model, strategy, count=2, symbols=3, seed=seed, filters=filters)
        counts[numbers[tuple(first[0])], numbers[tuple(second[0])]] += 1
    assert tail(counts.flatten(), draws * pairs.flatten()) > LEVEL
    assert tail(counts.sum(dim=1), draws * share) > LEVEL


def test_texts_that_end_early_take_part_in_the_draw(draws):
    """END ends a text: three beginnings of length 1 or 2 tokens, whose probabilities are those of their own tokens."""
    model = Table(3)
    stops = Stops({END: End("end of text")})
    texts, logs = all_texts(model, 2)
    expected = {}
    for tokens, steps in zip(texts.tolist(), logs, strict=True):
        length = 1 if tokens[0] == END else 2
        expected[tuple(tokens[:length])] = float(steps[:length].sum().exp())
    counts = dict.fromkeys(expected, 0)
    for seed in range(draws):
        found = ended(model, StochasticBeams(StochasticBeamsConfig(width=3)), count=2, seed=seed, stops=stops)
        assert len({tuple(tokens) for tokens, _ in found}) == 3
        counts[tuple(found[0][0])] += 1
    assert tail(torch.tensor(list(counts.values())).double(), draws * torch.tensor(list(expected.values()))) > LEVEL


def test_the_largest_of_the_numbers_is_the_given_one_and_a_removed_token_has_none():
    logs = torch.randn(200, 5, generator=torch.Generator().manual_seed(0)).double().log_softmax(-1)
    logs[:, 2] = -math.inf
    maxima = torch.linspace(-30, 5, 200).double()
    found = gumbel_with_maximum(logs, maxima, torch.Generator().manual_seed(1))
    torch.testing.assert_close(found.amax(dim=-1), maxima)
    assert (found[:, 2] == -math.inf).all()
    assert not found.isnan().any()


def test_one_stochastic_beam_is_a_sample_and_more_than_all_texts_are_all_of_them():
    model = Table(0, symbols=3)
    found = ended(model, StochasticBeams(StochasticBeamsConfig(width=50)), count=2, symbols=3)
    assert len({tuple(tokens) for tokens, _ in found}) == 9
    assert len(ended(model, StochasticBeams(StochasticBeamsConfig(width=1)), count=2, symbols=3)) == 1


def test_texts_that_ended_take_the_places_of_those_that_go_on():
    seen = []

    class Watched(StochasticBeams):
        def next(self, step):
            seen.append(len(step.hypotheses) + len(self._ended))
            return super().next(step)

    model = Table(3)
    model.table[..., END] += 1.0
    for seed in range(10):
        strategy = Watched(StochasticBeamsConfig(width=4))
        ended(model, strategy, count=12, seed=seed, stops=Stops({END: End("end of text")}))
    assert max(seen) == 4


def test_of_equal_values_each_comes_once():
    for values, count in ((torch.zeros(60), 4), (torch.zeros(5000), 8), (torch.arange(40.0) // 7, 3)):
        found = list(_descending(values, count))
        assert sorted(at for at, _ in found) == list(range(len(values)))
        assert [value for _, value in found] == sorted(values.tolist(), reverse=True)
