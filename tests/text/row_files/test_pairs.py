"""Pairs are read from tables of every kind, and what cannot be used is named by file and line."""

import json

import pytest

from lab.text.row_files.pairs import PairsFileConfig, read_pairs
from lab.text.row_files.tables import LARGEST, MOST_ROWS

ROWS = [("Go.", "Geh."), ("Hi, you!", 'Hallo "du"!')]


def read(path, **settings):
    return read_pairs(PairsFileConfig(path=str(path), **settings))


def pairs_of(data):
    return list(zip(data.sources, data.targets, strict=True))


@pytest.fixture
def refused(problem):
    return lambda path, **settings: problem(read_pairs, PairsFileConfig(path=str(path), **settings))


def test_csv_with_a_header_gives_its_rows(write):
    data = read(write("my.csv", "id,source,target", "1,Go.,Geh.", '2,"Hi, you!","Hallo ""du""!"'))
    assert pairs_of(data) == ROWS
    assert data.name == "my.csv"
    assert data.facts["columns"] == ["source", "target"]
    assert (data.facts["rows"], data.facts["header"], data.facts["reader"]) == (2, True, "csv")


def test_tsv_without_a_header_gives_its_two_columns_in_order(write):
    path = write("my.tsv", "Go.\tGeh.", 'Hi, you!\t"Hallo ""du""!"')
    assert pairs_of(read(path)) == ROWS
    assert pairs_of(read(path, source="2", target="1")) == [pair[::-1] for pair in ROWS]


def test_whether_there_is_a_header_can_be_said(write):
    path = write("my.csv", "yes,ja", "no,nein")
    assert len(read(path)) == 2
    assert pairs_of(read(path, header="yes")) == [("no", "nein")]
    assert len(read(write("my.csv", "source,target", "a,b"), header="no")) == 2


def test_a_first_line_with_a_requested_name_is_a_header(write):
    path = write("my.csv", "Deutsch,Englisch,x", "ja,yes,1", "nein,no,2")
    assert pairs_of(read(path, source="Englisch", target="Deutsch")) == [("yes", "ja"), ("no", "nein")]


@pytest.mark.parametrize("settings", [{"source": "German"}, {"target": "English"}])
def test_a_column_that_is_named_leaves_the_other_of_two_to_the_other_setting(write, settings):
    path = write("my.csv", "English,German", "yes,ja", "no,nein")
    assert pairs_of(read(path, **settings)) == [("ja", "yes"), ("nein", "no")]


def test_the_source_may_have_a_usual_name_of_a_target(write):
    assert pairs_of(read(write("my.csv", "source,target", "a,b"), source="target")) == [("b", "a")]


def test_json_lines_parquet_and_data_sets_give_the_same_rows(datasets, write, tmp_path):
    rows = [{"en": one, "translation": other, "id": 1} for one, other in ROWS]
    lines = write("my.jsonl", *map(json.dumps, rows))
    datasets.Dataset.from_list(rows).to_parquet(tmp_path / "my.parquet")
    datasets.Dataset.from_list(rows).save_to_disk(tmp_path / "saved")
    found = [read(path) for path in (lines, tmp_path / "my.parquet", tmp_path / "saved")]
    assert [pairs_of(data) for data in found] == [ROWS] * 3
    assert len({data.sha256 for data in found}) == 1
    assert found[2].facts["split"] == "train"


def test_other_encodings_are_read_and_named(write):
    data = read(write("my.csv", "source,target\ncafé,Käse für Österreich\n".encode("latin-1")))
    assert pairs_of(data) == [("café", "Käse für Österreich")]
    assert "1252" in data.facts["encoding"]


def test_a_missing_column_is_named_with_those_there_are(write, refused):
    path = write("my.csv", "id,source,target", "1,a,b")
    found = refused(path, target="translation")
    assert (found.field, found.value, found.allowed) == ("corpus.target", "translation", "id, source, target")
    found = refused(write("three.csv", "a,b,c", "d,e,f"))
    assert (found.field, found.allowed) == ("corpus.source", "1, 2, 3")


@pytest.mark.parametrize(
    ("lines", "line"),
    [(["source,target", "a,b", ",c"], 3), (["source,target", "a,b", '"c\nd",  '], 4), (["a,b", "", "c,"], 3)],
)
def test_an_empty_cell_is_named_by_file_and_line(write, refused, lines, line):
    found = refused(write("names.csv", *lines), header="auto")
    assert f"names.csv, line {line}: the column" in found.what
    assert "is empty" in found.what


def test_bad_rows_can_be_left_out_and_are_counted(write):
    data = read(write("my.csv", "source,target", "a,b", ",c", "d,e"), bad_rows="skip")
    assert pairs_of(data) == [("a", "b"), ("d", "e")]
    assert data.facts["skipped"] == 1
    assert "line 3" in data.facts["skipped_rows"][0]


def test_a_file_without_a_good_row_is_refused_even_so(write, refused):
    assert "no row that can be used" in refused(write("my.csv", "source,target", "a,"), bad_rows="skip").what


def test_lines_of_unequal_width_are_named(write, refused):
    assert "line 3" in refused(write("my.csv", "source,target", "a,b", "c")).what


def test_a_line_that_is_not_json_or_holds_no_text_is_named(write, refused):
    good = '{"source": "a", "target": "b"}'
    assert "line 2" in refused(write("my.jsonl", good, '{"source": ')).what
    assert "line 2" in refused(write("my.jsonl", good, '{"source": "a"}')).what
    assert "'7', which is not text" in refused(write("my.jsonl", good, '{"source": 7, "target": "b"}')).what
    assert "line 2: is a string" in refused(write("my.jsonl", good, '"text"')).what
    assert "surrogate" in refused(write("my.jsonl", r'{"source": "\ud800", "target": "b"}')).what
    assert "NUL" in refused(write("my.jsonl", r'{"source": "a\u0000", "target": "b"}')).what


def test_empty_binary_and_unknown_files_are_refused(write, refused, tmp_path):
    assert "is empty" in refused(write("my.csv", b"")).what
    assert "no rows" in refused(write("my.csv", "source,target")).what
    assert "no rows" in refused(write("my.csv", "", "")).what
    assert "binary" in refused(write("my.csv", b"a\0b\n\xff\xfe\0")).what
    assert "not a readable Parquet" in refused(write("my.parquet", b"PAR0")).what
    assert ".jsonl" in refused(write("my.xlsx", b"PK")).allowed
    assert "no such file" in refused(tmp_path / "none.csv").what


def test_a_huge_file_is_refused_before_it_is_read(write, refused, monkeypatch):
    path = write("my.csv", "source,target", "a,b", "c,d", "e,f")
    monkeypatch.setattr("lab.text.row_files.tables.MOST_ROWS", 2)
    assert "2 rows" in refused(path).allowed
    monkeypatch.setattr("lab.text.row_files.tables.LARGEST", 10)
    found = refused(path)
    assert "too large" in found.what
    assert "MB" in found.allowed
    assert LARGEST > 1 << 28
    assert MOST_ROWS > 10**6


def test_two_columns_of_one_name_are_refused(write, refused):
    assert "'source'" in refused(write("my.csv", "source,source,target", "a,b,c")).what


def test_settings_that_a_kind_of_file_lacks_have_no_effect():
    assert PairsFileConfig.unused({"path": "a.csv"}) == {"subset", "split"}
    assert PairsFileConfig.unused({"path": "a.jsonl"}) == {"subset", "split", "header"}
    assert PairsFileConfig.unused({"path": "owner/name"}) == {"header"}
