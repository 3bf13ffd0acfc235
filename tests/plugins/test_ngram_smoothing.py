"""Every smoothing of n-grams against the formulas of its paper, worked out with dictionaries one token at a time."""

import itertools
import math
from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.api import Task
from lab_ngram import NgramConfig
from lab_ngram.model import NgramModel

KNESER_NEY = ("modified-kneser-ney", "kneser-ney")
BACK_OFF = ("katz", "stupid-backoff")
INTERPOLATED = (*KNESER_NEY, "absolute-discounting", "witten-bell", "jelinek-mercer")
LONGEST_ALONE = ("add-k", "laplace", "maximum-likelihood")
SMOOTHINGS = (*INTERPOLATED, *BACK_OFF, *LONGEST_ALONE)
NEVER_ZERO = tuple(name for name in SMOOTHINGS if name != "maximum-likelihood")


def made(V, text=(), **config):
    """A model of V symbols that has counted a text, answering in float64."""
    model = NgramModel(NgramConfig(**config), Task(vocabulary_size=V, context_length=8)).double()
    model.count(np.array(text, dtype=np.int64))
    return model


def distribution(model, context):
    """The (V,) probabilities after a context of at least one token."""
    return model(torch.tensor([context]))[0, -1].exp()


def random_tokens(size, V, seed=0):
    """Return tokens in which small numbers are frequent, so that contexts repeat."""
    return (V * np.random.default_rng(seed).random(size) ** 4).astype(np.int64)


class ByTheBook:
    """The model from dictionaries, as the papers write it."""

    def __init__(self, text, V, config):
        self.V, self.config, self.n, text = V, config, config.order, tuple(text)
        self.c = [Counter(text[i : i + m] for i in range(len(text) - m + 1)) for m in range(self.n + 1)]
        self.before = defaultdict(set)  # what stands before an n-gram; None is the beginning of the text
        for m in range(1, self.n):
            for i in range(len(text) - m + 1):
                self.before[text[i : i + m]].add(text[i - 1] if i else None)
        self.after = defaultdict(Counter)
        for m in range(1, self.n + 1):
            for gram, count in self.c[m].items():
                self.after[gram[:-1]][gram[-1]] += count
        self.found = {}

    def nats(self, tokens, targets):
        p = [self.p(w, tuple(tokens[max(0, t + 2 - self.n) : t + 1])) for t, w in enumerate(targets)]
        return [math.log(each) if each else -math.inf for each in p]

    def p(self, w, h):
        """p(w|h), h of at most n − 1 tokens."""
        h = tuple(h) if self.n > 1 else ()
        if (w, h) not in self.found:
            self.found[w, h] = getattr(self, self.config.smoothing.replace("-", "_"))(w, h)
        return self.found[w, h]

    def lower(self, w, h):
        return self.p(w, h[1:]) if h else 1 / self.V

    # ---- the longest context alone

    def add_k(self, w, h, k=None):
        k = self.config.k if k is None else k
        seen = self.after.get(h, Counter())
        return (seen[w] + k) / (seen.total() + k * self.V) if seen.total() + k else 1 / self.V

    def laplace(self, w, h):
        return self.add_k(w, h, 1)

    def maximum_likelihood(self, w, h):
        return self.add_k(w, h, 0)

    # ---- interpolation

    def witten_bell(self, w, h):
        seen = self.after.get(h)
        if not seen:
            return self.lower(w, h)
        return (seen[w] + len(seen) * self.lower(w, h)) / (seen.total() + len(seen))

    def jelinek_mercer(self, w, h):
        seen = self.after.get(h)
        if not seen:
            return self.lower(w, h)
        own = self.config.weight
        if own is None:
            own = self.weights()[len(h) + 1, min(63, int(math.log2(seen.total())))]
        return own * seen[w] / seen.total() + (1 - own) * self.lower(w, h)

    def weights(self):
        """EM over the order that gave each token, every token held out of the counts in turn."""
        if "weights" in self.found:
            return self.found["weights"]
        weights = defaultdict(lambda: 0.5)
        known = set()
        for _ in range(20):
            gave, asked = Counter(), Counter()
            for gram, times in self.c[self.n].items():
                path, p = [], 1 / self.V
                for m in range(1, self.n + 1):
                    part = gram[self.n - m :]
                    left = self.after[part[:-1]].total() - 1
                    if left:
                        place = m, int(math.log2(left))
                        share = (self.c[m][part] - 1) / left
                        path.append((place, share, p))
                        p = weights[place] * share + (1 - weights[place]) * p
                reached = times / p
                for place, share, below in reversed(path):
                    gave[place] += reached * weights[place] * share
                    asked[place] += reached * (weights[place] * share + (1 - weights[place]) * below)
                    reached *= 1 - weights[place]
            known |= asked.keys()
            weights.update({place: min(0.999, max(0.001, gave[place] / asked[place])) for place in asked})
        for m in range(1, self.n + 1):
            buckets = sorted(b for order, b in known if order == m)
            for b in range(64):
                near = max((one for one in buckets if one <= b), default=buckets[0] if buckets else None)
                weights[m, b] = 0.5 if near is None else weights[m, near]
        self.found["weights"] = weights
        return weights

    # ---- discounts

    def a(self, gram, continuations):
        below_the_highest = continuations and len(gram) < self.n
        return len(self.before[gram]) if below_the_highest else self.c[len(gram)][gram]

    def counts_of_counts(self, m, continuations=False):
        key = "n", m, continuations
        if key not in self.found:
            self.found[key] = Counter(self.a(gram, continuations) for gram in self.c[m])
        return self.found[key]

    def one_discount(self, m, continuations):
        n = self.counts_of_counts(m, continuations)
        return n[1] / (n[1] + 2 * n[2]) if n[1] and n[2] else 0.75

    def discounted(self, w, h, discounts, continuations):
        seen = {v: self.a((*h, v), continuations) for v in self.after.get(h, ())}
        if not seen:
            return self.lower(w, h)
        total = sum(seen.values())
        gamma = sum(discounts[min(a, 3)] for a in seen.values()) / total
        a = seen.get(w, 0)
        return max(a - discounts[min(a, 3)], 0) / total + gamma * self.lower(w, h)

    def absolute_discounting(self, w, h):
        return self.discounted(w, h, [0, *3 * [self.one_discount(len(h) + 1, False)]], False)

    def kneser_ney(self, w, h):
        return self.discounted(w, h, [0, *3 * [self.one_discount(len(h) + 1, True)]], True)

    def modified_kneser_ney(self, w, h):
        n = self.counts_of_counts(len(h) + 1, True)
        discounts = [0, 0.5, 1, 1.5]
        if n[1] and n[2] and n[3]:
            Y = n[1] / (n[1] + 2 * n[2])
            own = [0, *(r - (r + 1) * Y * n[r + 1] / n[r] for r in (1, 2, 3))]
            discounts = own if all(0 <= D <= r for r, D in enumerate(own)) else discounts
        return self.discounted(w, h, discounts, True)

    # ---- back-off

    def good_turing(self, m, r):
        """Return the share that is left of r sightings."""
        n = self.counts_of_counts(m)
        if r > 5:
            return 1
        if all(n[i] for i in range(1, 7)) and 6 * n[6] != n[1]:
            every = [((i + 1) * n[i + 1] / n[i] / i - 6 * n[6] / n[1]) / (1 - 6 * n[6] / n[1]) for i in range(1, 6)]
            if all(0 < d < 1 for d in every):
                return every[r - 1]
        return 1 - self.one_discount(m, False) / r

    def katz(self, w, h):
        seen = self.after.get(h)
        if not seen:
            return self.lower(w, h)
        p = {v: self.good_turing(len(h) + 1, c) * c / seen.total() for v, c in seen.items()}
        if len(seen) == self.V:
            return p[w] / sum(p.values())
        if min(seen.values()) > 5:
            p = {v: c / (seen.total() + 1) for v, c in seen.items()}
        if w in p:
            return p[w]
        return (1 - sum(p.values())) * self.lower(w, h) / sum(self.lower(v, h) for v in range(self.V) if v not in p)

    def stupid(self, w, h):
        """The paper's score."""
        seen = self.after.get(h, Counter())
        if seen[w]:
            return seen[w] / seen.total()
        return self.config.backoff * (self.stupid(w, h[1:]) if h else 1 / self.V)

    def stupid_backoff(self, w, h):
        return self.stupid(w, h) / sum(self.stupid(v, h) for v in range(self.V))


# ---- by hand: a b a c, of the four symbols a b c d, with bigrams ----

BY_HAND = {
    # c(a)=2 c(b)=1 c(c)=1, three kinds: 4/7 counted and 3/7 uniform; after a two kinds in two: one half each
    "witten-bell": ({}, ["11/56", "3/8", "3/8", "3/56"], ["11/28", "1/4", "1/4", "3/28"]),
    "jelinek-mercer": ({"weight": 0.75}, ["7/64", "7/16", "7/16", "1/64"], ["7/16", "1/4", "1/4", "1/16"]),
    "add-k": ({"k": 0.5}, ["1/8", "3/8", "3/8", "1/8"], ["1/4", "1/4", "1/4", "1/4"]),
    # after c all are alike, as for add-k when k goes to 0
    "maximum-likelihood": ({}, ["0", "1/2", "1/2", "0"], ["1/4", "1/4", "1/4", "1/4"]),
    # before a stand the beginning and b, before b and c only a: 4 in all; D is 1/2 for one, 1 for two
    # p(a) = 1/4 + γ/4, p(b) = p(c) = 1/8 + γ/4, p(d) = γ/4, with γ = (1/2 + 1/2 + 1)/4 = 1/2
    "modified-kneser-ney": ({}, ["3/16", "3/8", "3/8", "1/16"], ["3/8", "1/4", "1/4", "1/8"]),
    # S: a 2/4, b and c 1/4, d 0.4/4; after a: b and c 1/2, a 0.4 · 1/2, d 0.4 · 0.1
    "stupid-backoff": ({}, ["5/31", "25/62", "25/62", "1/31"], ["5/11", "5/22", "5/22", "1/11"]),
}


@pytest.mark.parametrize("smoothing", BY_HAND)
def test_four_tokens_counted_by_hand_give_the_probabilities_computed_by_hand(smoothing):
    values, after_a, after_c = BY_HAND[smoothing]
    model = made(4, [0, 1, 0, 2], order=2, smoothing=smoothing, **values)
    assert distribution(model, [0]).tolist() == pytest.approx([float(Fraction(p)) for p in after_a], rel=1e-12)
    assert distribution(model, [2]).tolist() == pytest.approx([float(Fraction(p)) for p in after_c], rel=1e-12)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_before_anything_is_counted_all_tokens_are_equally_likely(smoothing):
    model = made(7, order=3, smoothing=smoothing)
    tokens = torch.tensor([[0, 3, 6, 6]])
    assert torch.allclose(model(tokens), torch.full((1, 4, 7), -math.log(7), dtype=torch.float64))
    assert torch.allclose(model.score(tokens, tokens), torch.full((1, 4), -math.log(7), dtype=torch.float64))


def test_probabilities_sum_to_one_after_seen_unseen_and_short_contexts():
    for smoothing, order in itertools.product(SMOOTHINGS, [1, 2, 4, 10]):
        model = made(10, random_tokens(400, 8), order=order, smoothing=smoothing)  # 8 and 9 never occurred
        for context in ([0], [0, 1], [0, 1, 0, 1, 0], [8], [8, 9, 8, 9], [0, 9, 1, 0], [9, 0, 1], 5 * [0, 1, 0]):
            p = distribution(model, context)
            assert (p > 0).all() or smoothing == "maximum-likelihood", (smoothing, order)
            assert p.sum().item() == pytest.approx(1, abs=1e-12), (smoothing, order)


@pytest.mark.parametrize("smoothing", [*INTERPOLATED, *BACK_OFF])
def test_a_context_that_was_never_seen_leaves_everything_to_the_shorter_one(smoothing):
    model = made(10, random_tokens(200, 8), order=3, smoothing=smoothing)
    assert torch.equal(distribution(model, [9, 1]), distribution(model, [1]))


@given(
    data=st.data(),
    V=st.integers(1, 6),
    order=st.integers(1, 6),
    smoothing=st.sampled_from(SMOOTHINGS),
    weight=st.sampled_from([None, 0.3]),
)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_scores_are_those_of_the_papers_formulas(data, V, order, smoothing, weight):
    tokens = st.lists(st.integers(0, V - 1), max_size=30)
    text, read = data.draw(tokens), data.draw(tokens.filter(lambda tokens: len(tokens) > 1))
    model = made(V, text, order=order, smoothing=smoothing, weight=weight)
    nats = model.score(torch.tensor([read[:-1]]), torch.tensor([read[1:]]))[0]
    assert nats.tolist() == pytest.approx(ByTheBook(text, V, model.config).nats(read[:-1], read[1:]), rel=1e-9)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_scores_of_a_longer_text_are_those_of_the_papers_formulas(smoothing):
    """In it counts of counts give discounts of their own at most orders."""
    text, read = random_tokens(3000, 12), random_tokens(200, 12, seed=1)
    model = made(12, text, order=4, smoothing=smoothing)
    nats = model.score(torch.from_numpy(read[None, :-1]), torch.from_numpy(read[None, 1:]))[0]
    book = ByTheBook(text.tolist(), 12, model.config)
    assert nats.tolist() == pytest.approx(book.nats(read[:-1].tolist(), read[1:].tolist()), rel=1e-9)
    assert not all(level.fell_back for level in model.smoothed.levels)


@pytest.mark.parametrize("smoothing", ["witten-bell", "modified-kneser-ney", "add-k"])
def test_fifty_thousand_symbols_at_order_five_do_not_overflow(smoothing):
    V = 50_000  # V**5 is 3e23, beyond the 9e18 of 64 bits
    text = V - 1 - random_tokens(3000, V)
    model = made(V, text, order=5, smoothing=smoothing)
    read = np.concatenate([text[1000:1100], V - 1 - random_tokens(3, V, seed=1)])
    nats = model.score(torch.from_numpy(read[None, :-1]), torch.from_numpy(read[None, 1:]))[0]
    book = ByTheBook(text.tolist(), V, model.config)
    assert nats.tolist() == pytest.approx(book.nats(read[:-1].tolist(), read[1:].tolist()), rel=1e-9)


def test_what_maximum_likelihood_never_saw_is_impossible():
    model = made(4, [0, 1, 0, 2], order=2, smoothing="maximum-likelihood")
    tokens, targets = torch.tensor([[0, 0]]), torch.tensor([[1, 3]])
    assert model.score(tokens, targets)[0].tolist() == [pytest.approx(math.log(1 / 2)), -math.inf]
    assert model(tokens)[0, 1].tolist() == [-math.inf, *2 * [pytest.approx(math.log(1 / 2))], -math.inf]


def test_stupid_backoffs_probabilities_are_proportional_to_the_papers_scores():
    text = random_tokens(300, 8).tolist()
    model = made(10, text, order=3, smoothing="stupid-backoff", backoff=0.25)
    book = ByTheBook(text, 10, model.config)
    ratios = distribution(model, [0, 1]) / torch.tensor([book.stupid(w, (0, 1)) for w in range(10)])
    assert ratios.tolist() == pytest.approx([ratios[0].item()] * 10, rel=1e-6)


def test_orders_without_their_own_discounts_are_marked():
    """Frequent characters are never seen once only."""
    fell = [level.fell_back for level in made(4, np.tile([0, 1, 2, 0, 3], 100), order=3).smoothed.levels]
    assert fell == [True, True, True]
    assert not any(level.fell_back for level in made(40, random_tokens(4000, 40), order=3).smoothed.levels[1:])
