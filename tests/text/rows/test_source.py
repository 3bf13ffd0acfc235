"""Splits of rows as numbered examples."""

import numpy as np
import pytest

from lab.api import BadInput, Conversations, Images, LabelledTexts, LabError, Pairs, Turn, Vectors
from lab.text.rows.source import RowShape, check_lengths, split_rows

SORTED = LabelledTexts("l", ["a"] * 50 + ["b"] * 50, [0] * 50 + [1] * 50, ("a", "b"))


@pytest.mark.parametrize(("count", "share", "training"), [(2, 0.9, 1), (2, 0.01, 1), (10, 0.9, 9), (1000, 0.5, 500)])
def test_every_row_is_in_one_part_and_no_part_is_empty(count, share, training):
    train, validation = split_rows(count, share)
    assert len(train) == training
    assert sorted([*train.tolist(), *validation.tolist()]) == list(range(count))


def test_a_file_sorted_by_label_has_all_labels_in_both_parts(sources):
    train, validation = sources(SORTED)
    for part in (train, validation):
        labels = part.ordered().rows(np.arange(part.examples), 0)["label"]
        assert 0.3 < labels.mean() < 0.7
        assert len(set(labels[:10].tolist())) == 2


def test_an_epoch_reads_every_row_once_in_an_order_of_its_own(sources):
    train, _ = sources(Pairs("p", [chr(97 + i) for i in range(20)], ["x"] * 20), order="epochs")
    epochs = [train.rows(np.arange(e * 15, e * 15 + 15), 3)["source"][:, 0].tolist() for e in range(2)]
    assert sorted(epochs[0]) == sorted(epochs[1])
    assert len(set(epochs[0])) == 15
    assert epochs[0] != epochs[1]
    assert train.rows(np.arange(15), 4)["source"][:, 0].tolist() != epochs[0]


def test_crops_draw_rows_without_end_as_a_pure_function_of_seed_and_number(sources):
    train, _ = sources(SORTED)
    numbers = np.array([7, 10**12, 7])
    rows = train.rows(numbers, 1)
    assert rows["label"][0] == rows["label"][2]
    assert np.array_equal(rows["inputs"], train.rows(numbers[::-1].copy(), 1)["inputs"][::-1])


def test_an_ordered_pass_reads_the_rows_of_a_part_one_after_the_other(sources):
    _, validation = sources(Vectors("v", np.arange(8, dtype=np.float32)[:, None], np.arange(8) % 2, ("a", "b")))
    ordered = validation.ordered()
    read = ordered.rows(np.arange(ordered.examples), 5)["inputs"][:, 0]
    assert read.tolist() == ordered.numbers.tolist()


def test_pictures_are_numbers_from_0_to_1(sources):
    pixels = np.array([0, 51, 255, 102], np.uint8).reshape(4, 1, 1, 1)
    _, validation = sources(Images("i", pixels, np.array([0, 1, 0, 1]), ("a", "b")))
    inputs = validation.rows(np.arange(1), 0)["inputs"]
    assert inputs.dtype == np.float32
    assert inputs.shape == (1, 1, 1, 1)
    assert inputs[0, 0, 0, 0] == np.float32(pixels[validation.numbers[0], 0, 0, 0] / 255)


@pytest.mark.parametrize(
    ("rows", "length", "field"),
    [
        (Pairs("p", ["a", "aaaaa", "a"], ["b", "b", "b"]), 5, "the source of row 2 has 5 tokens"),
        (Pairs("p", ["a", "a", "a"], ["b", "b", "bbbbb"]), 5, "the target of row 3 has 5 tokens"),
        (LabelledTexts("l", ["aaaaa", "a"], [0, 1], ("a", "b")), 5, "the text of row 1 has 5 tokens"),
        (Conversations("c", [[Turn("u", "aaaa", learned=True)]] * 2), 5, "the conversation of row 1 has 6 tokens"),
    ],
)
def test_a_row_longer_than_the_context_is_named_with_the_length_it_needs(sources, rows, length, field):
    columns = sources(rows)[0].columns
    check_lengths(columns, length, lambda row: str(row + 1))
    with pytest.raises(BadInput) as raised:
        check_lengths(columns, length - 1, lambda row: str(row + 1))
    problem = raised.value.problem
    assert problem.field == "training.context_length"
    assert field in problem.what
    assert problem.allowed == f"at least {length} for these rows"
    assert f"training.context_length={length}" in problem.remedy


def test_a_source_says_what_its_model_must_fit(sources):
    train, _ = sources(SORTED)
    assert (train.classes, train.class_names, train.by_token, train.vocabulary_size) == (2, ("a", "b"), False, 2)
    train, _ = sources(Vectors("v", np.zeros((4, 3), np.float32), np.zeros((4, 2), np.float32)))
    assert (train.classes, train.outputs, train.input_shape) == (None, 2, (3,))


def test_only_rows_that_are_one_sequence_have_tokens(sources):
    conversations = Conversations("c", [[Turn("u", "ab"), Turn("v", "a", learned=True)]] * 4)
    train, _ = sources(conversations)
    assert train.tokens.tolist() == [2, 0, 1, 4, 3, 0, 4] * 3
    assert train.answers.tolist() == [0, 4] * 3
    assert train.question()[0].tolist() == [2, 0, 1, 4, 3]
    assert train.question()[1] == 2
    assert not hasattr(sources(Pairs("p", ["a"] * 4, ["b"] * 4))[0], "tokens")


@pytest.mark.parametrize(
    "shape", [RowShape(), RowShape(("a", "b"), by_token=True), RowShape(input_shape=(3,), outputs=2)]
)
def test_a_stored_shape_is_read_back(shape):
    assert RowShape.stored({"shape": shape.facts()}) == shape


@pytest.mark.parametrize("damage", [3, {"classes": "ab"}, {"input": [1.5]}, {"outputs": "two"}, {"by_token": 1}])
def test_a_damaged_shape_is_refused(damage):
    with pytest.raises(LabError, match="does not say what its model reads"):
        RowShape.stored({"shape": damage})
