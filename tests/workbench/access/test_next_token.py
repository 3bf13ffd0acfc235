"""The next token, stage by stage: what each filter leaves, what it is scaled by, and the line of a draw."""

import math

import pytest
import torch

from lab.decoding.request import Request
from lab.host import Plugins
from lab.recipes import Decoding
from lab.workbench.access.decoding import DecodingParts
from lab.workbench.access.next_token import NextToken

SHARES = (0.1, 0.4, 0.2, 0.3)
"""The probabilities of the tokens "a" to "d", unless a test has its own."""


class Letters:
    vocabulary_size, end_of_text = 5, ()

    def encode(self, text):
        return ["abcde".index(letter) for letter in text]

    def decode(self, tokens):
        return "".join("abcde"[token] for token in tokens)

    label = staticmethod("abcde".__getitem__)


@pytest.fixture(scope="module")
def plugins():
    return Plugins(safe_mode=True)


@pytest.fixture
def next_token(plugins):
    def next_token(shares=SHARES):
        parts = DecodingParts(plugins, Letters(), "tests", 1, lambda *_: None)
        request = Request(None, [0], len(shares))
        return NextToken(torch.tensor(shares).log(), request, parts, lambda number: ("abcde"[number],) * 2, 7)

    return next_token


def decoding(*filters, draw="inverse"):
    named = [{"name": name, **settings} for name, settings in filters]
    return Decoding.read({"strategy": {"name": "sampling", "draw": draw}, "filters": named})


def test_a_filter_that_removes_keeps_a_share_and_one_that_changes_logits_scales_anew(next_token):
    order = decoding(("top-k", {"k": 2}), ("temperature", {"temperature": 0.5}))
    model, cut, sharp = next_token().stages(order, seed=0, count=4).stages
    assert (model.retained, model.left) == (1, 4)
    assert cut.retained == pytest.approx(0.7)
    assert cut.probabilities == pytest.approx((4 / 7, 3 / 7, 0, 0), abs=1e-6)
    assert sharp.retained == 1
    assert sharp.probabilities == pytest.approx((16 / 25, 9 / 25, 0, 0), abs=1e-6)
    assert cut.logits[2] == -math.inf


def test_the_entropy_of_each_stage_is_that_of_all_tokens(next_token):
    model, cut = next_token().stages(decoding(("top-k", {"k": 1})), seed=0, count=2).stages
    assert model.entropy == pytest.approx(-sum(share * math.log2(share) for share in SHARES))
    assert cut.entropy == pytest.approx(0)


def test_the_line_has_the_tokens_in_the_order_of_the_vocabulary_and_encloses_the_uniform_number(next_token):
    found = next_token((0.1, 0.2, 0.05, 0.3, 0.35)).stages(decoding(), seed=0, count=2)
    ends = [(None if piece.token is None else found.labels[piece.token], round(piece.end, 6)) for piece in found.line]
    assert ends == [(None, 0.1), ("b", 0.3), (None, 0.35), ("d", 0.65), ("e", 1.0)]
    piece = next(piece for piece in found.line if piece.token == found.picked)
    assert piece.start <= found.draw.uniform < piece.end


def test_a_strategy_that_removes_more_than_the_filters_shows_the_piece_that_it_drew(next_token):
    strict = Decoding.read({"strategy": {"name": "mirostat", "surprisal": 0.7}, "filters": []})
    found = next_token().stages(strict, seed=0, count=4)
    assert found.draw.interval == (0, 1)
    assert [(piece.start, piece.end, piece.token) for piece in found.line] == [(0, 1, found.picked)]


@pytest.mark.parametrize("strategy", ["greedy", "beam-search"])
def test_a_choice_without_a_uniform_number_has_no_line(next_token, strategy):
    assert next_token().stages(Decoding.read({"strategy": {"name": strategy}}), seed=0, count=4).line == ()


def test_the_likeliest_tokens_of_the_last_stage_and_the_chosen_one_are_shown(next_token):
    found = next_token().stages(decoding(("logit-bias", {"biases": ["a=9"]})), seed=0, count=1)
    assert found.labels[0] == "b"
    assert "a" in found.labels
    assert found.labels[found.picked] == "a"
