"""`generate`: the tokens a naive loop over full forward passes would give, with their probabilities."""

import json
from pathlib import Path

import pytest
import torch

from lab.api import Task, state_bytes
from lab.base import LabError
from lab.decoding.builtins import SamplingConfig, TemperatureConfig, TopKConfig, TopPConfig
from lab.decoding.filters import temperature_filter, top_k_filter, top_p_filter
from lab.decoding.pipeline import NamedFilter
from lab.decoding.strategies import Sampling
from lab.decoding.stream import generate
from lab.layers import LanguageModel
from lab_ngram import NgramConfig
from lab_ngram.model import NgramModel
from lab_transformer import TransformerConfig
from lab_transformer.model import build

torch.set_num_threads(1)
VOCABULARY = 12
GOLD = Path(__file__).parents[1] / "gold" / "decoding" / "tokens.json"


def filters(temperature=1.0, top_k=0, top_p=1.0):
    """The filters of the default order."""
    return [
        NamedFilter("temperature", temperature_filter(TemperatureConfig(temperature=temperature))),
        NamedFilter("top-k", top_k_filter(TopKConfig(k=top_k))),
        NamedFilter("top-p", top_p_filter(TopPConfig(p=top_p))),
    ]


GREEDY = filters(temperature=0)
PLAIN = filters()


@pytest.fixture(autouse=True)
def without_gradients():
    """Compute without gradients."""
    with torch.no_grad():
        yield


def transformer(context_length=16, **settings):
    """A transformer with random weights."""
    with torch.random.fork_rng():
        torch.manual_seed(1)
        config = TransformerConfig(layers=2, width=16, heads=2, **settings)
        model = build(config, Task(VOCABULARY, context_length)).eval()
        for parameter in model.parameters():  # far from the even distribution of fresh weights
            torch.nn.init.normal_(parameter, std=0.5)
    return model.requires_grad_(False)


def n_gram():
    """An n-gram that has counted a text with a period of seven."""
    model = NgramModel(NgramConfig(order=3), Task(VOCABULARY, 16))
    model.count(torch.tensor([1, 2, 3, 4, 5, 6, 7] * 30 + [1, 3, 5, 8, 2] * 9).numpy())
    return model.eval()


def written(model, prompt, count, *, sampler=GREEDY, seed=0, symbols=VOCABULARY, **options):
    """The first `count` tokens."""
    strategy = Sampling(SamplingConfig())
    options = {"strategy": strategy, "filters": sampler, "seed": seed, "symbols": symbols, "count": count, **options}
    return list(generate(model, prompt, **options))


@torch.no_grad()
def naive(model, prompt, count):
    """Greedy decoding by a full forward pass over everything for each token, with its probability."""
    seen, found = list(prompt), []
    for _ in range(count):
        shares = model(torch.tensor([seen]))[0, -1].softmax(-1)
        seen.append(int(shares.argmax()))
        found.append((seen[-1], float(shares.max())))
    return found


@pytest.mark.parametrize(
    "model",
    [transformer(), transformer(positions="rotary", norm="rms", feed_forward="swiglu"), n_gram()],
    ids=["learned positions", "rotary positions", "n-gram"],
)
@pytest.mark.parametrize("prompt", [[1], [3, 1, 4, 1, 5]])
def test_greedy_tokens_are_those_of_full_forward_passes(model, prompt):
    count = 16 - len(prompt)
    tokens = written(model, prompt, count)
    expected = naive(model, prompt, count)
    assert [token.token for token in tokens] == [token for token, _ in expected]
    for token, (_, probability) in zip(tokens, expected, strict=True):
        assert token.probability == pytest.approx(probability, abs=1e-5)
        assert not token.reread


def test_probabilities_are_the_models_for_any_filter():
    model = transformer()
    plain = written(model, [1, 2], 1, sampler=PLAIN)[0]
    sharp = written(model, [1, 2], 1, sampler=filters(temperature=0.1, top_k=2))[0]
    shares = model(torch.tensor([[1, 2]]))[0, -1].softmax(-1)
    assert plain.alternatives == sharp.alternatives
    assert sharp.probability == pytest.approx(float(shares[sharp.token]))
    for other, share in plain.alternatives:
        assert share == pytest.approx(float(shares[other]))


def test_alternatives_are_the_likeliest_in_order():
    token = written(transformer(), [1, 2], 1, alternatives=4)[0]
    shares = [share for _, share in token.alternatives]
    assert len(shares) == 4
    assert shares == sorted(shares, reverse=True)
    assert len(written(transformer(), [1], 1, alternatives=99)[0].alternatives) == VOCABULARY


def test_past_its_reach_a_model_reads_the_last_half_again_and_reports_it():
    model = transformer(context_length=8)
    tokens = written(model, [1, 2, 3], 24)
    assert [place for place, token in enumerate(tokens) if token.reread] == [6, 11, 16, 21]
    seen = [1, 2, 3, *(token.token for token in tokens)]
    for place in (6, 11, 16, 21):
        end = 3 + place
        expected = model(torch.tensor([seen[end - 4 : end]]))[0, -1].softmax(-1)
        assert tokens[place].probability == pytest.approx(float(expected[seen[end]]), abs=1e-5)
    assert tokens[7].probability == pytest.approx(
        float(model(torch.tensor([seen[5:10]]))[0, -1].softmax(-1)[seen[10]]), abs=1e-5
    )


def test_a_prompt_longer_than_the_reach_is_read_from_its_end():
    model = transformer(context_length=8)
    prompt = [token % VOCABULARY for token in range(30)]
    token = written(model, prompt, 1)[0]
    expected = model(torch.tensor([prompt[-4:]]))[0, -1].softmax(-1)
    assert token.probability == pytest.approx(float(expected.max()), abs=1e-5)
    assert token.reread


def test_a_prompt_that_fits_just_so_is_read_whole():
    assert not written(transformer(context_length=8), [1] * 8, 1)[0].reread


@pytest.mark.parametrize("reach", [1, 2, 3])
def test_the_shortest_reaches_write_too(reach):
    assert len(written(transformer(context_length=reach), [1, 2, 3], 20)) == 20


def test_the_symbols_of_an_objective_never_come():
    model = transformer()
    tokens = written(model, [1], 200, sampler=filters(temperature=10), symbols=8)
    assert {token.token for token in tokens} == set(range(8))
    for token in tokens:
        assert all(other < 8 for other, _ in token.alternatives)
        assert token.probability <= 1


def test_the_same_seed_gives_the_same_tokens_and_another_seed_others():
    first, again, other = ([t.token for t in written(transformer(), [1], 30, sampler=PLAIN, seed=s)] for s in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("seed", [0, -1, 2**63, 2**70])
def test_any_whole_number_is_a_seed(seed):
    assert written(transformer(), [1], 2, sampler=PLAIN, seed=seed)


def test_drawing_leaves_torchs_own_generator_alone():
    before = torch.get_rng_state()
    written(transformer(), [1], 10, sampler=PLAIN)
    assert torch.equal(before, torch.get_rng_state())


def test_tokens_come_as_often_as_they_are_probable():
    model = transformer()
    shares = model(torch.tensor([[1]]))[0, -1].softmax(-1)
    counts = torch.zeros(VOCABULARY)
    for seed in range(200):
        counts[written(model, [1], 1, sampler=PLAIN, seed=seed)[0].token] += 1
    assert (counts / 200 - shares).abs().max() < 0.11


def test_an_empty_prompt_is_refused():
    with pytest.raises(ValueError, match="at least one token"):
        written(transformer(), [], 1)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_model_without_probabilities_is_reported_as_diverged(value):
    class Broken(LanguageModel):
        def forward(self, tokens):
            return torch.full((*tokens.shape, VOCABULARY), value)

    with pytest.raises(LabError, match="lower learning rate"):
        written(Broken(None, Task(VOCABULARY, 8)), [1], 1)


def test_what_a_model_forbids_never_comes():
    class Half(LanguageModel):
        def forward(self, tokens):
            logits = torch.zeros(*tokens.shape, VOCABULARY)
            logits[..., 6:] = -torch.inf
            return logits

    tokens = written(Half(None, Task(VOCABULARY, 8)), [1], 100, sampler=PLAIN)
    assert {token.token for token in tokens} == set(range(6))


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.long)], ids=["one seed", "three seeds"])
def test_no_drawn_token_has_changed_since_sampling_was_a_function_of_the_logits_alone(every):
    models = {"transformer": transformer(), "n-gram": n_gram()}
    for row in json.loads(GOLD.read_text())[::every]:
        found = written(
            models[row["model"]], row["prompt"], 40, sampler=filters(**row["settings"]), seed=row["seed"]
        )  # fmt: skip
        assert [token.token for token in found] == row["tokens"], row


def test_only_the_last_token_has_an_end():
    ends = [token.end for token in written(transformer(), [1], 3)]
    assert ends[:2] == [None, None]
    assert ends[2].reason == "length"


def test_a_token_carries_the_size_of_the_state_from_which_it_was_chosen():
    model, prompt = transformer(context_length=16), [1, 2, 3]
    tokens = written(model, prompt, 4)
    for at, token in enumerate(tokens):
        read = torch.tensor([[*prompt, *(one.token for one in tokens[:at])]])
        assert token.state_bytes == state_bytes(model.extend(read, model.start(1))[1])
    assert tokens[0].state_bytes < tokens[-1].state_bytes
    assert len({token.state_bytes for token in written(n_gram(), prompt, 4)}) == 1
