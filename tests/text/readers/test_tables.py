"""Tables of texts, one document per row: which column is the text, and the problem of a broken line."""

import json

import pyarrow
import pyarrow.parquet
import pytest

from lab.api import BadInput
from lab.text.corpora.files import FileConfig, read_file
from lab.text.readers import base as readers_base


@pytest.fixture
def table(tmp_path):
    def write(name, content):
        file = tmp_path / name
        if isinstance(content, str):
            file.write_text(content, encoding="utf-8", newline="")
        else:
            pyarrow.parquet.write_table(pyarrow.table(content), file)
        return str(file)

    return write


def read(path, column=""):
    return read_file(FileConfig(path=path, column=column))


def problem(path, column=""):
    with pytest.raises(BadInput) as caught:
        read(path, column)
    reported = caught.value.problem
    assert reported.remedy
    assert reported.field in ("corpus.path", "corpus.column")
    return reported


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


# ---- CSV


def test_rows_are_documents_with_a_blank_line_between_them(table):
    text = read(table("a.csv", "id,text\n1,one\n2,two\n"))
    assert text.text == "one\n\ntwo\n"
    assert (text.facts["reader"], text.facts["encoding"], text.facts["rows"]) == ("csv", "UTF-8", 2)
    assert text.facts["column"] == "text"


@pytest.mark.parametrize("name", ["text", "content", "Body"])
def test_the_column_of_a_usual_name_is_the_text(table, name):
    assert read(table("a.csv", f"title,{name}\nhead,words\n")).text == "words\n"


def test_the_only_column_that_holds_no_numbers_is_the_text(table):
    assert read(table("a.csv", "id,year,name\n1,1999,Ada\n2,,Grace\n")).text == "Ada\n\nGrace\n"


def test_where_it_is_open_all_columns_are_joined_by_tabs(table):
    text = read(table("a.csv", "first,last\nAda,Lovelace\n"))
    assert text.text == "Ada\tLovelace\n"
    assert text.facts["column"] == "all (joined by tabs)"


def test_a_column_can_be_chosen(table):
    assert read(table("a.csv", "text,other\none,two\n"), "other").text == "two\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "text,other\none,two\n"),
        ("a.jsonl", lines({"text": "a", "other": "b"})),
        ("a.parquet", {"text": ["a"], "other": ["b"]}),
    ],
)
def test_a_wrong_column_is_refused_with_the_names_there_are(table, name, content):
    reported = problem(table(name, content), "words")
    assert (reported.field, reported.value, reported.allowed) == ("corpus.column", "words", "text, other")


@pytest.mark.parametrize("separator", ["\t", ";", "|", ","])
def test_the_separator_is_the_commonest_of_the_first_line(table, separator):
    text = read(
        table(
            "a.csv",
            f'id{separator}text{separator}"a, b; c"\n1{separator}one, two{separator}3\n'.replace(
                "one, two", '"one, two"'
            ),
        )
    )
    assert text.text == "one, two\n"


def test_quoted_cells_may_hold_ends_of_lines_and_quotation_marks(table):
    assert read(table("a.csv", 'text\r\n"one\r\n""two"""\r\n')).text == 'one\n"two"\n'


def test_blank_rows_are_left_out_and_counted(table):
    facts = read(table("a.csv", "id,text\n1,one\n2,\n3, \n")).facts
    assert (facts["rows"], facts["blank_rows"]) == (1, 2)


def test_a_table_without_rows_is_refused(table):
    problem(table("a.csv", "id,text\n"))


def test_a_row_of_another_length_is_reported_with_its_line(table):
    assert "line 3 has 3 columns" in problem(table("a.csv", "id,text\n1,one\n2,two,three\n")).what


def test_a_quotation_that_does_not_end_is_reported_with_its_line(table):
    assert "line 3" in problem(table("a.csv", 'text\none\n"two\n')).what


def test_a_field_may_be_large_but_not_endless(table, monkeypatch):
    assert len(read(table("a.csv", "text\n" + "a" * 200_000)).text) == 200_001
    monkeypatch.setattr(readers_base, "LONGEST", 1000)
    monkeypatch.setattr("lab.text.readers.tables.LONGEST", 1000)
    assert "line 2" in problem(table("a.csv", "text\n" + "a" * 2000)).what
    assert "field larger" in problem(table("b.csv", 'text\n"' + "a\n" * 2000 + '"')).what


def test_a_binary_table_is_refused(table):
    assert "NUL" in problem(table("a.csv", "text\na\0b\n")).what


# ---- JSON lines


def test_lines_of_objects_give_their_field(table):
    text = read(table("a.jsonl", lines({"id": 1, "text": "one\r\nmore"}, {"id": 2, "text": "two"}) + "\n"))
    assert text.text == "one\nmore\n\ntwo\n"
    assert text.facts["reader"] == "json lines"


def test_lines_of_strings_are_the_texts(table):
    assert read(table("a.ndjson", lines("one", "two"))).text == "one\n\ntwo\n"


def test_the_only_field_of_text_is_taken(table):
    assert read(table("a.jsonl", lines({"n": 1, "story": "once"}))).text == "once\n"


def test_a_choice_of_fields_is_asked_for(table):
    reported = problem(table("a.jsonl", lines({"n": 1, "question": "a", "answer": "b"})))
    assert reported.field == "corpus.column"
    assert "question, answer" in reported.allowed


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('{"text": ', "line 2 is not JSON"),
        ("[1]", "line 2 is [1]"),
        ('"text"', "line 2 has no field 'text'"),
        ('{"body": "b"}', "line 2 has no field 'text'"),
        ('{"text": 5}', "line 2 holds 5, which is not text"),
        ('{"text": "a\\u0000"}', "line 2 holds the character NUL"),
        ('{"text": "a\\ud83d"}', "line 2 holds half of a surrogate pair, U+D83D"),
        ("[" * 100_000, "line 2 is nested too deep"),
        ("9" * 5000, "line 2 is not JSON"),
    ],
)
def test_a_bad_line_is_reported_with_its_number(table, line, what):
    assert what in problem(table("a.jsonl", '{"text": "one"}\n' + line + '\n{"text": "three"}\n')).what


def test_a_field_without_text_is_a_blank_row(table):
    assert read(table("a.jsonl", lines({"text": "one"}, {"text": None}))).facts["blank_rows"] == 1


# ---- Parquet


def test_a_column_of_parquet_is_read(table):
    text = read(table("a.parquet", {"id": [1, 2, 3], "text": ["one", None, "two"]}))
    assert text.text == "one\n\ntwo\n"
    assert text.facts == {"reader": "parquet", "column": "text", "rows": 2, "blank_rows": 1}


def test_texts_that_are_stored_once_and_pointed_at_are_texts(table):
    text = read(table("a.parquet", {"word": pyarrow.array(["a", "b", "a"]).dictionary_encode()}))
    assert text.text == "a\n\nb\n\na\n"


def test_a_column_of_numbers_is_no_text(table):
    path = table("a.parquet", {"id": [1], "text": ["one"]})
    assert problem(path, "id").what == "holds int64, not text"


def test_a_table_without_text_is_refused(table):
    assert "no column of text" in problem(table("a.parquet", {"id": [1]})).what


def test_a_damaged_table_is_refused(table, tmp_path):
    path = table("a.parquet", {"text": ["one"] * 100})
    data = (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "a.parquet").write_bytes(data[: len(data) // 2])
    assert "not a readable Parquet file" in problem(path).what


def test_bytes_that_are_no_utf8_in_a_table_are_refused(table):
    raw = pyarrow.array([b"\xff\xfe"], pyarrow.binary())
    broken = pyarrow.StringArray.from_buffers(1, raw.buffers()[1], raw.buffers()[2])
    assert problem(table("a.parquet", {"text": broken}))


def test_a_first_line_that_holds_tables_alone_has_no_column_of_text(table):
    with pytest.raises(BadInput, match="has no column of text"):
        read(table("rows.jsonl", '{"text": {"a": 1}}\n'))
