"""Contrastive decoding and contrastive search against the formulas of their papers, computed anew."""

import math

import pytest
import torch

from lab.api import RunReader, Task, capture
from lab.decoding.builtins import ContrastiveDecodingConfig, ContrastiveSearchConfig, GreedyConfig, TopKConfig
from lab.decoding.contrastive import ContrastiveSearch, contrastive_filter
from lab.decoding.filters import top_k_filter
from lab.decoding.pipeline import NamedFilter
from lab.decoding.strategies import Greedy
from lab.decoding.stream import generate
from lab.host import Plugins

SYMBOLS = 12


class Told(RunReader):
    """A reader that gives logits for the last tokens of texts."""

    def __init__(self, table):
        self.table, self.read = table, []

    def logits(self, texts):
        self.read.append([list(text) for text in texts])
        return self.table[[text[-1] for text in texts]]


@pytest.mark.parametrize("alpha", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("temperature", [0.5, 1.0])
def test_the_log_probabilities_of_the_amateur_are_subtracted_among_plausible_tokens(alpha, temperature):
    drawn = torch.Generator().manual_seed(0)
    amateur = Told(3 * torch.randn(SYMBOLS, SYMBOLS, generator=drawn))
    config = ContrastiveDecodingConfig(amateur="other", alpha=alpha, temperature=temperature)
    change = contrastive_filter(config, {"amateur": amateur})
    for _ in range(20):
        logits = 3 * torch.randn(3, SYMBOLS, generator=drawn)
        logits[1, ::2] = -math.inf
        histories = torch.randint(SYMBOLS, (3, 5), generator=drawn).tolist()
        expert = logits.double().log_softmax(-1)
        other = (amateur.table[[row[-1] for row in histories]].double() / temperature).log_softmax(-1)
        plausible = expert.exp() >= alpha * expert.exp().amax(-1, keepdim=True)
        expected = torch.where(plausible, expert - other, -math.inf).float()
        torch.testing.assert_close(change(logits, histories), expected, atol=1e-5, rtol=1e-6)
        assert amateur.read[-1] == histories


def test_a_token_that_the_amateur_excludes_keeps_a_finite_logit():
    table = torch.zeros(4, 4)
    table[:, 2] = -math.inf
    change = contrastive_filter(ContrastiveDecodingConfig(alpha=0.1), {"amateur": Told(table)})
    found = change(torch.zeros(1, 4), [[0]])
    assert found.isfinite().all()
    assert int(found.argmax()) == 2


def made(name, **settings):
    card = Plugins(safe_mode=True).card("architectures", name)
    torch.manual_seed(0)
    return card.make(card.config(**settings), Task(SYMBOLS, 64)).eval()


@pytest.fixture(scope="module", params=["transformer", "gru"])
def model(request):
    settings = {"transformer": {"layers": 2, "width": 16, "heads": 2}, "gru": {"width": 16}}[request.param]
    model = made(request.param, **settings)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3.0)  # so that the likeliest tokens differ from place to place
    return model


def states_of(model, text):
    """Return the logits (V,) after a text, and its hidden states (T, D)."""
    with torch.no_grad(), capture(model, ("residual", "hidden state"), graph=True) as readings:
        logits = model(torch.tensor([text]))[0, -1]
    return logits.double(), readings[-1].values[0].double()


def searched(model, prompt, count, k, alpha, kept):
    """Su et al. 2022, equation 5, with a forward pass over the whole text for each candidate."""
    text = list(prompt)
    for _ in range(count):
        logits, before = states_of(model, text)
        shares = top_k_filter(TopKConfig(k=kept))(logits[None], [text])[0].softmax(-1)
        best = shares.topk(min(k, int((shares > 0).sum())))

        def score(token, share, text=text, before=before):
            new = states_of(model, [*text, token])[1][-1]
            return (1 - alpha) * share - alpha * float(torch.cosine_similarity(new[None], before).max())

        scores = [score(*each) for each in zip(best.indices.tolist(), best.values.tolist(), strict=True)]
        text.append(int(best.indices[scores.index(max(scores))]))
    return text[len(prompt) :]


@pytest.mark.parametrize(("k", "alpha", "kept"), [(4, 0.6, 0), (1, 0.9, 0), (5, 0.3, 3), (100, 1.0, 0)])
def test_contrastive_search_takes_the_tokens_of_the_formula(model, k, alpha, kept):
    strategy = ContrastiveSearch(ContrastiveSearchConfig(k=k, alpha=alpha))
    filters = [NamedFilter("top-k", top_k_filter(TopKConfig(k=kept)))]
    prompt = [3, 1, 4, 1, 5]
    found = generate(model, prompt, strategy=strategy, filters=filters, seed=0, symbols=SYMBOLS, count=20)
    assert [token.token for token in found] == searched(model, prompt, 20, k, alpha, kept)


def test_without_a_penalty_contrastive_search_is_greedy_and_with_one_it_repeats_less():
    model = made("transformer", layers=1, width=16, heads=2)

    def written(strategy):
        return [token.token for token in generate(model, [1], strategy=strategy, seed=0, symbols=SYMBOLS, count=40)]

    greedy = written(Greedy(GreedyConfig()))
    assert written(ContrastiveSearch(ContrastiveSearchConfig(alpha=0.0))) == greedy
    assert len(set(written(ContrastiveSearch(ContrastiveSearchConfig(alpha=0.6))))) > len(set(greedy))
