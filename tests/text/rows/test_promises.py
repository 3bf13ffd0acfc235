"""Checks of data in rows: the problem names the field and the row."""

from dataclasses import replace

import numpy as np
import pytest

from lab.api import BadInput, Conversations, Images, LabelledTexts, LabError, Pairs, Rows, Turn, Vectors
from lab.text.rows.promises import check_rows

PAIRS = Pairs("p", ["a", "b", "c"], ["x", "y", "z"])
LABELS = LabelledTexts("l", ["good", "bad"], [1, 0], ("no", "yes"))
TOKENS = LabelledTexts("t", [["the", "cat"], ["runs"]], [[0, 1], [1]], ("other", "word"))
TALK = Conversations("c", [[Turn("user", "hi"), Turn("assistant", "ho", learned=True)]] * 2)
VECTORS = Vectors("v", np.zeros((3, 2), np.float32), np.array([0, 1, 1]), ("a", "b"), ("x", "y"))
NUMBERS = Vectors("n", np.zeros((3, 2), np.float32), np.zeros((3, 1), np.float32))
PICTURES = Images("i", np.zeros((2, 4, 4, 1), np.uint8), np.array([0, 1]), ("a", "b"))
CAPTIONS = Images("i", np.zeros((2, 4, 4, 3), np.uint8), captions=("one", "two"))


class Graphs(Rows):
    """Data of a kind that the lab does not know."""

    def __len__(self):
        return 3

    def _content(self):
        return iter(())


NAN = np.zeros((3, 2), np.float32)
NAN[1, 1] = np.nan


@pytest.mark.parametrize("rows", [PAIRS, LABELS, TOKENS, TALK, VECTORS, NUMBERS, PICTURES, CAPTIONS])
def test_data_that_is_right_passes(rows):
    check_rows(rows)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (replace(PAIRS, sources=[], targets=[]), "has no row"),
        (replace(PAIRS, sources=["a"], targets=["b"]), "has one row"),
        (replace(PAIRS, targets=["x", " \n", "z"]), "Pairs.targets: row 2 is blank"),
        (replace(LABELS, texts=["good", ""]), "LabelledTexts.texts: row 2 is blank"),
        (replace(LABELS, labels=[0, 0], classes=("no",)), "there is only one class"),
        (replace(TOKENS, texts=[["the", "cat"], []], labels=[[0, 1], []]), "row 2 has no token"),
        (replace(TALK, conversations=[*TALK.conversations, [Turn("user", "hi")]]), "row 3 has no learned turn"),
        (replace(TALK, conversations=[*TALK.conversations, []]), "row 3 has no turn"),
        (replace(TALK, conversations=[TALK.conversations[0], [Turn("user", " ", learned=True)]]), "row 2 is blank"),
        (replace(VECTORS, inputs=NAN), "Vectors.inputs: row 2 is nan in column 'y'"),
        (replace(NUMBERS, targets=np.array([[1], [2], [np.inf]], np.float32)), "Vectors.targets: row 3 is inf"),
        (replace(CAPTIONS, captions=("one", "")), "Images.captions: row 2 is blank"),
    ],
)
def test_data_that_cannot_be_used_is_refused_with_the_row_and_what_to_do(rows, expected):
    with pytest.raises(BadInput) as raised:
        check_rows(rows)
    assert expected in raised.value.problem.line()
    assert raised.value.problem.remedy


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("text", "the corpus gave a str"),
        (Graphs("g"), "the corpus gave a Graphs"),
        (replace(PAIRS, name=" "), "Pairs.name is ' '"),
        (replace(PAIRS, facts={"made": object()}), "Pairs.facts is not plain data"),
        (replace(PAIRS, floors={"noise": float("nan")}), "the floor 'noise' of Pairs is nan"),
        (replace(PAIRS, targets=["x", "y"]), "Pairs.sources has 3 rows and Pairs.targets has 2"),
        (replace(PAIRS, targets=["x", 7, "z"]), "Pairs.targets is 7 in row 2"),
        (replace(PAIRS, targets=["x", "\ud83d", "z"]), "half of a surrogate pair, U+D83D in row 2"),
        (replace(LABELS, labels=[1, 2]), "LabelledTexts.labels is 2 in row 2"),
        (replace(LABELS, labels=[1, True]), "LabelledTexts.labels is True in row 2"),
        (replace(LABELS, classes=("no", "no")), "names 'no' twice"),
        (replace(TOKENS, labels=[[0, 1], [1, 1]]), "row 2 of LabelledTexts has 1 tokens and 2 labels"),
        (replace(TOKENS, texts=[["the", "cat"], "runs"]), "LabelledTexts.texts is a str in row 2"),
        (replace(TALK, conversations=[["hi"], ["ho"]]), "row 1 of Conversations holds a str"),
        (replace(TALK, conversations=[[Turn("", "a", learned=True)]] * 2), "a turn of row 1 has the role ''"),
        (replace(VECTORS, inputs=np.zeros((3, 2))), "Vectors.inputs is float64 of the shape (3, 2)"),
        (replace(VECTORS, targets=np.array([0, 1])), "Vectors.inputs has 3 rows and Vectors.targets has 2"),
        (replace(VECTORS, targets=np.array([0, 5, 1])), "Vectors.targets is 5 in row 2"),
        (replace(VECTORS, features=("x",)), "Vectors.features has 1 names for 2 columns"),
        (replace(NUMBERS, targets=np.zeros(3, np.float32)), "Vectors.targets is float32 of the shape (3,)"),
        (replace(PICTURES, pixels=np.zeros((2, 4, 4), np.uint8)), "Images.pixels is uint8 of the shape (2, 4, 4)"),
        (replace(PICTURES, pixels=np.zeros((2, 4, 4, 2), np.uint8)), "Images.pixels has the shape (2, 4, 4, 2)"),
        (replace(PICTURES, labels=np.array([0, -1])), "Images.labels is -1 in row 2"),
        (replace(PICTURES, captions=("one", "two")), "Images has labels and captions"),
    ],
)
def test_a_broken_contract_names_what_is_allowed_and_what_to_do(rows, expected):
    with pytest.raises(LabError) as raised:
        check_rows(rows)
    assert not isinstance(raised.value, BadInput)
    assert expected in raised.value.problem.what
    assert raised.value.problem.allowed
    assert raised.value.problem.remedy
