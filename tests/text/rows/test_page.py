"""Figures of rows."""

import numpy as np
import pytest

from lab.api import Conversations, LabelledTexts, Pairs, Turn, Vectors
from lab.text.rows.columns import columns_of
from lab.text.rows.page import Lengths, Range, rows_page


@pytest.fixture
def page(sources):
    """Return a function that makes the figures of rows."""

    def page(rows):
        train, validation = sources(rows)
        return rows_page(rows, train.columns, train, validation)

    return page


def test_pairs_have_lengths_and_the_share_of_copies(page):
    found = page(Pairs("p", ["a", "abc", "ab", "a"], ["a", "abc", "ab", "a"]))
    assert (found.kind, found.rows, found.training, found.validation) == ("pairs", 4, 3, 1)
    assert found.lengths == {"source": Lengths(1, 1.5, 3), "target": Lengths(1, 1.5, 3)}
    assert found.copied == 1
    assert {row["row"] for row in found.examples} <= {1, 2, 3, 4}
    assert all(row["source"] == row["target"] for row in found.examples)


def test_labels_have_the_share_of_each_class(page):
    found = page(LabelledTexts("l", ["a"] * 8, [0, 0, 0, 1, 0, 0, 0, 1], ("no", "yes")))
    assert found.classes == {"no": 0.75, "yes": 0.25}
    assert {row["label"] for row in found.examples} <= {"no", "yes"}


def test_vectors_have_the_range_of_each_column(page):
    found = page(Vectors("v", np.array([[1, 2], [3, 4]], np.float32), np.zeros((2, 1), np.float32), outputs=("z",)))
    assert found.ranges == [Range("1", 1, 2, 3), Range("2", 2, 3, 4)]
    assert found.targets == [Range("z", 0, 0, 0)]
    assert found.copied is None


def test_conversations_have_their_turns_and_the_share_of_scored_tokens(page):
    found = page(Conversations("c", [[Turn("user", "ab"), Turn("bot", "b", learned=True)]] * 4))
    assert found.roles == {"bot": 4, "user": 4}
    assert found.learned == pytest.approx(2 / 7)
    assert found.examples[0]["turns"][1] == {"role": "bot", "text": "b", "learned": True}


def test_labelled_tokens_are_counted_by_token(page, tokenizer):
    rows = LabelledTexts("t", [["a", "b"], ["bb"]] * 2, [[0, 1], [1]] * 2, ("one", "two"))
    assert page(rows).classes == {"one": pytest.approx(1 / 3), "two": pytest.approx(2 / 3)}
    assert columns_of(rows, tokenizer(rows))["inputs"].lengths.tolist() == [2, 2, 2, 2]
