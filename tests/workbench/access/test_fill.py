"""Filling in: marks, the likeliest tokens, one place after the other, and who can be asked."""

import math

import pytest
import torch

from lab.base import BadInput
from lab.base.jobs import Cancelled
from lab.workbench.access.answers.fill import fill_tokens, split_at_marks

SIZE, MASK = 6, 6
CPU = torch.device("cpu")


class Neighbours:
    """A model that is surest where its left neighbour is known: there it says the next number, else 0 with 0.4."""

    class task:  # noqa: N801
        context_length = 12

    def __init__(self):
        self.read = []

    def __call__(self, tokens):
        self.read.append(tokens[0].tolist())
        logits = torch.zeros(1, tokens.shape[1], SIZE + 1)
        logits[..., MASK] = 50  # never filled in
        for at, before in enumerate([MASK, *tokens[0].tolist()[:-1]]):
            logits[0, at, (before + 1) % SIZE if before < SIZE else 0] = 3.0 if before < SIZE else 1.0
        return logits


def filled(rows, order, **special):
    model = Neighbours()
    found = fill_tokens(model, rows, {"mask": MASK, **special}, order=order, size=SIZE, device=CPU)
    return model, [(turn, int(shares.argmax())) for turn, shares in found]


def test_all_places_are_filled_from_one_reading():
    model, found = filled([[1], [], [4]], "at-once")
    assert found == [(0, 2), (0, 0)]
    assert model.read == [[1, MASK, MASK, 4]]


def test_one_after_the_other_the_surest_is_first_and_the_next_reads_it():
    model, found = filled([[1], [], [4]], "one-by-one")
    assert found == [(0, 2), (1, 3)]
    assert model.read[1] == [1, 2, MASK, 4]


def test_probabilities_are_of_the_symbols_of_the_tokenizer_alone():
    model = Neighbours()
    ((_, shares),) = fill_tokens(model, [[1], []], {"mask": MASK}, order="at-once", size=SIZE, device=CPU)
    assert len(shares) == SIZE
    assert float(shares.sum()) == pytest.approx(1)
    assert float(shares[2]) == pytest.approx(math.exp(3) / (math.exp(3) + SIZE - 1))


def test_symbols_around_a_text_are_put_there_if_the_model_learned_with_them():
    model, _ = filled([[1], []], "at-once", begin=8, separator=9)
    assert model.read == [[8, 1, MASK, 9]]


def test_a_text_that_is_too_long_is_refused_and_a_cancelled_one_ends():
    with pytest.raises(BadInput, match="13 tokens"):
        filled([[1] * 12, []], "at-once")
    with pytest.raises(Cancelled):
        fill_tokens(
            Neighbours(), [[1], []], {"mask": MASK}, order="at-once", size=SIZE, device=CPU, cancelled=lambda: True
        )


def test_marks_divide_a_text():
    assert split_at_marks("a [MASK] b") == ["a ", " b"]
    assert split_at_marks("[MASK*3]") == ["", "", "", ""]
    assert split_at_marks("[MASK][MASK] x") == ["", "", " x"]


@pytest.mark.parametrize(
    ("text", "words"),
    [("nothing here", "Write [MASK] where"), ("a [mask] b", "in capitals"), ("a [MASK*0]", "stands for no token")],
)
def test_a_text_without_a_mark_is_refused_with_what_to_write(text, words):
    with pytest.raises(BadInput) as caught:
        split_at_marks(text)
    assert words in str(caught.value)
    assert caught.value.problem.field == "prompt"
