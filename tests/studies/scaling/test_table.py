"""Tables of runs that laws are fitted to: columns by name, and what cannot be read."""

import numpy as np
import pytest

from lab.base import BadInput
from lab.studies.scaling import read_table
from lab.studies.scaling.table import rows_of


def file_of(tmp_path, text):
    file = tmp_path / "runs.csv"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "head",
    ["N,D,L", "params,tokens,loss", "Model Size,Training Tokens,loss", "num_params;training-tokens;val_loss"],
)
def test_common_names_of_columns_are_recognised(tmp_path, head):
    row = ";".join(["1e6", "2e7", "3.5"]) if ";" in head else "1e6,2e7,3.5"
    found = read_table(file_of(tmp_path, f"{head}\n{row}\n"))
    assert {name: column.tolist() for name, column in found.columns.items()} == {
        "N": [1e6],
        "D": [2e7],
        "L": [3.5],
        "C": [1.2e14],
    }


def test_a_column_of_another_name_is_named(tmp_path):
    found = read_table(file_of(tmp_path, "size,D,L,my loss\n1,2,3,4\n"), {"N": "size", "L": "my loss"})
    assert found.columns["N"].tolist() == [1]
    assert found.loss.tolist() == [4]


def test_tokens_follow_from_compute_and_size(tmp_path):
    found = read_table(file_of(tmp_path, "N,Training FLOP,loss\n10,600,3\n"))
    assert found.columns["D"].tolist() == [10]


def test_rows_without_a_number_are_left_out_and_named(tmp_path):
    found = read_table(file_of(tmp_path, "N,D,L\n1,2,3\n1,,3\n1,2,nan\n4,5,6\n"))
    assert found.rows.tolist() == [1, 4]
    assert found.left_out == (2, 3)


def test_rows_are_left_out_by_their_numbers(tmp_path):
    found = read_table(file_of(tmp_path, "N,D,L\n1,2,3\n4,5,6\n7,8,9\n")).without(rows_of("1,3"))
    assert found.columns["N"].tolist() == [4]
    assert found.left_out == (1, 3)


@pytest.mark.parametrize("text", ["", "a", "3-1", "1,,2", "1-", "-1"])
def test_what_is_no_list_of_rows_is_refused(text):
    with pytest.raises(BadInput, match="not a list of rows"):
        rows_of(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no rows"),
        ("N,D,L\n", "has no rows"),
        ("N,D\n1,2\n", "no column of loss"),
        ("N,D,L\n1,2,-3\n", "not a number above 0"),
        ("N,D,L\n1,2,three\n", "not a number above 0"),
        ("N,D,L\n1,2,inf\n", "not a number above 0"),
        ("N,D,L\n,,\n", "no row with a number"),
    ],
)
def test_what_is_no_table_is_refused(tmp_path, text, message):
    with pytest.raises(BadInput, match=message):
        read_table(file_of(tmp_path, text))


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path):
    with pytest.raises(BadInput, match="no such file"):
        read_table(tmp_path / "none.csv")
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(BadInput, match="not a text file"):
        read_table(tmp_path / "bytes.csv")


def test_a_named_column_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(BadInput, match="no such column"):
        read_table(file_of(tmp_path, "N,D,L\n1,2,3\n"), {"N": "size"})


def test_losses_stay_in_the_order_of_the_file(tmp_path):
    found = read_table(file_of(tmp_path, "L,N,D\n3,1,1\n1,2,2\n2,3,3\n"))
    assert np.array_equal(found.loss, [3, 1, 2])
