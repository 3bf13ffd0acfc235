"""Files, folders and pasted text as corpora, and the problems of what is not text."""

import hashlib
import os
from types import SimpleNamespace

import psutil
import pytest

from lab.api import BadInput, LongText, without_effect
from lab.text.corpora.files import FileConfig, PastedConfig, read_file, read_pasted


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "my texts"
    made.mkdir()
    return made


def read(path):
    return read_file(FileConfig(path=str(path)))


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def problem_of_file(path):
    with pytest.raises(BadInput) as caught:
        read(path)
    problem = caught.value.problem
    assert (problem.field, problem.value) == ("corpus.path", str(path))
    assert problem.remedy
    return problem


def problem_of_pasted(text):
    with pytest.raises(BadInput) as caught:
        read_pasted(PastedConfig(text=text))
    problem = caught.value.problem
    assert problem.field == "corpus.text"
    assert problem.remedy
    return problem


# ---- one file


def test_a_file_is_read_unchanged_and_recognised_by_its_hash(folder):
    content = "Ein Käse — 🧀.\n\tZwei.\n"
    text = read(write(folder / "käse.txt", content))
    assert text.text == content
    assert text.sha256 == hashlib.sha256(content.encode()).hexdigest()
    assert text.dropped == 0


def test_name_and_facts_hold_no_path(folder):
    write(folder / "bad.txt", b"\0")
    write(folder / "good.txt", "good")
    for text in (read(folder / "good.txt"), read(folder)):
        assert text.name in ("good.txt", "my texts")
        assert str(folder.parent) not in repr(text.facts)


def test_byte_order_mark_and_foreign_line_ends_are_normalised_and_the_facts_report_it(folder):
    text = read(write(folder / "windows.txt", b"\xef\xbb\xbfone\r\ntwo\rthree\n"))
    assert text.text == "one\ntwo\nthree\n"
    assert text.facts["normalised"] == ["byte order mark removed", "line ends made \\n"]


def test_line_ends_of_old_macs_are_normalised(folder):
    text = read(write(folder / "mac.txt", b"one\rtwo\r"))
    assert text.text == "one\ntwo\n"
    assert text.facts["normalised"] == ["line ends made \\n"]


def test_a_file_that_needs_no_change_has_facts_without_changes(folder):
    assert read(write(folder / "unix.txt", "one\n")).facts["normalised"] == []


def test_a_file_of_one_character_is_a_corpus(folder):
    assert read(write(folder / "a.txt", "a")).text == "a"


def test_a_tilde_means_the_home_folder(folder, monkeypatch):
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    write(folder / "poem.txt", "roses")
    assert read("~/poem.txt").text == "roses"


def test_a_missing_file_is_named(folder):
    problem_of_file(folder / "nowhere.txt")


def test_an_empty_path_is_refused_by_the_config():
    with pytest.raises(BadInput) as caught:
        FileConfig.read({"path": ""}, field="corpus")
    assert caught.value.problem.field == "corpus.path"


def test_a_path_that_is_no_path_is_named():
    problem_of_file("a\0b")


def test_an_unknown_persons_home_is_named():
    problem_of_file("~nobody-of-this-name/text.txt")


def test_an_empty_file_is_named(folder):
    problem_of_file(write(folder / "empty.txt", ""))


def test_white_space_alone_is_no_corpus(folder):
    problem_of_file(write(folder / "blank.txt", " \n\t\r\n"))


def test_the_facts_name_reader_and_encoding(folder):
    facts = read(write(folder / "plain.txt", "one\n")).facts
    assert (facts["reader"], facts["encoding"]) == ("text", "UTF-8")


def test_another_encoding_is_detected_named_and_decoded(folder):
    text = read(write(folder / "old.txt", "na\u00efve caf\u00e9\n".encode("latin-1")))
    assert text.text == "na\u00efve caf\u00e9\n"
    assert text.facts["encoding"] == "Windows-1252 (Latin-1)"
    assert text.facts["normalised"] == ["decoded from Windows-1252 (Latin-1)"]


def test_what_is_no_text_is_refused_with_a_remedy(folder):
    problem = problem_of_file(write(folder / "strange.txt", b"\x89PNG\r\n\x1a\n\x00\x00"))
    assert "NUL byte at offset 8" in problem.what
    assert "UTF-8" in problem.allowed


def test_a_file_of_any_other_name_is_read_as_text(folder):
    assert read(write(folder / "notes", "one\n")).text == "one\n"
    assert read(write(folder / "main.py", "import this\n")).facts["reader"] == "text"


def test_a_column_is_refused_where_there_are_none(folder):
    file = write(folder / "notes.txt", "one\n")
    with pytest.raises(BadInput, match="no columns") as caught:
        read_file(FileConfig(path=str(file), column="text"))
    assert caught.value.problem.field == "corpus.column"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_named(folder):
    file = write(folder / "secret.txt", "secret")
    file.chmod(0)
    problem_of_file(file)


def test_a_refusal_of_the_operating_system_is_named(folder, monkeypatch):
    file = write(folder / "secret.txt", "secret")

    def refuse(path, *_):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("os.open", refuse)
    assert problem_of_file(file).what == "may not be read"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_what_is_neither_file_nor_folder_is_refused_without_waiting_for_it(folder):
    os.mkfifo(folder / "pipe.txt")
    problem_of_file(folder / "pipe.txt")


@pytest.mark.parametrize("name", ["book.txt", "."])
def test_more_text_than_the_memory_holds_is_refused_before_it_is_read(folder, monkeypatch, name):
    write(folder / "book.txt", "a" * 1000)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=5000))
    problem = problem_of_file(folder / name)
    assert problem.allowed


# ---- a folder


def test_a_folder_is_its_text_files_by_relative_path_joined_with_a_blank_line(folder):
    write(folder / "b.md", "two\n\n\n")
    write(folder / "a" / "z.TXT", "one\n")
    write(folder / "c.text", "three")
    write(folder / "picture.png", b"\x89PNG")
    text = read(folder)
    assert text.text == "one\n\ntwo\n\nthree\n"
    assert text.name == "my texts"
    assert text.facts["files"] == 3
    assert text.facts["skipped"] == 0


def test_a_folder_takes_every_kind_of_file_and_the_facts_list_them(folder):
    write(folder / "a.txt", "caf\u00e9\n".encode("latin-1"))
    write(folder / "b.csv", "text\none\ntwo\n")
    write(folder / "c.html", "<h1>Head</h1><p>Body")
    text = read(folder)
    assert text.text == "caf\u00e9\n\none\n\ntwo\n\nHead\nBody\n"
    assert text.facts["reader"] == "csv, html, text"
    assert text.facts["encoding"] == "UTF-8, Windows-1252 (Latin-1)"
    assert text.facts["rows"] == 2


def test_a_column_is_asked_of_the_tables_of_a_folder_alone(folder):
    write(folder / "a.txt", "note")
    write(folder / "b.csv", "title,words\nno,yes\n")
    assert read_file(FileConfig(path=str(folder), column="words")).text == "note\n\nyes\n"


def test_hidden_files_and_folders_are_left_out(folder):
    write(folder / "seen.txt", "seen")
    write(folder / ".hidden.txt", "hidden")
    write(folder / ".git" / "notes.txt", "hidden")
    assert read(folder).text == "seen\n"


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_that_lead_in_a_circle_or_nowhere_do_no_harm(folder):
    write(folder / "seen.txt", "seen")
    (folder / "again").symlink_to(folder, target_is_directory=True)
    (folder / "self.txt").symlink_to(folder / "self.txt")
    (folder / "gone.txt").symlink_to(folder / "nowhere.txt")
    text = read(folder)
    assert text.text == "seen\n"
    assert text.facts["skipped"] == 2


def test_files_that_are_no_text_are_skipped_counted_and_named(folder):
    write(folder / "good.txt", "good")
    write(folder / "deep" / "binary.txt", b"\0\1\2")
    write(folder / "table.jsonl", '{"text": "one"}\n{"text": \n')
    write(folder / "torn.pdf", b"%PDF-1.7 torn")
    text = read(folder)
    assert text.text == "good\n"
    assert text.facts["skipped"] == 3
    names = [name.partition(":")[0] for name in text.facts["skipped_files"]]
    assert names == ["deep/binary.txt", "table.jsonl", "torn.pdf"]
    assert "line 2" in text.facts["skipped_files"][1]


def test_of_many_skipped_files_the_facts_count_all_and_name_some(folder):
    write(folder / "good.txt", "good")
    for number in range(50):
        write(folder / f"{number}.txt", b"\0")
    facts = read(folder).facts
    assert facts["skipped"] == 50
    assert len(facts["skipped_files"]) == 20


def test_a_folder_without_text_files_is_refused(folder):
    write(folder / "picture.png", b"\x89PNG")
    assert ".txt" in problem_of_file(folder).allowed


def test_a_folder_whose_files_are_all_unreadable_is_refused_with_the_first_reason(folder):
    write(folder / "binary.txt", b"\0\1\2")
    assert "binary.txt" in problem_of_file(folder).what


def test_a_folder_of_blank_files_is_refused(folder):
    write(folder / "blank.txt", "\n\n")
    problem_of_file(folder)


def test_a_subfolder_that_may_not_be_listed_is_named_among_the_skipped(folder, monkeypatch):
    write(folder / "good.txt", "good")
    write(folder / "secret" / "text.txt", "secret")
    listed = os.scandir

    def refuse(path):
        if str(path).endswith("secret"):
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(os, "scandir", refuse)
    text = read(folder)
    assert text.text == "good\n"
    assert text.facts["skipped_files"] == ["secret: Permission denied"]


def test_a_folder_that_may_not_be_listed_is_refused(folder, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "scandir", refuse)
    assert problem_of_file(folder).what == "may not be read"


# ---- what does not fit into memory


@pytest.fixture
def short_memory(monkeypatch):
    monkeypatch.setattr("lab.text.corpora.files.LONG", 1000)


def test_a_long_file_is_read_piece_by_piece_as_the_same_text(folder, short_memory):
    content = "Line \u00e4\r\n" * 500
    text = read(write(folder / "long.txt", content))
    assert isinstance(text, LongText)
    assert "".join(text.pieces()) == content.replace("\r\n", "\n")
    assert text.sha256 == hashlib.sha256(content.replace("\r\n", "\n").encode()).hexdigest()
    assert text.facts["encoding"] == "UTF-8"


@pytest.mark.parametrize(
    ("name", "line"), [("long.csv", "{}"), ("long.jsonl", '{{"text": "{}"}}')], ids=["CSV", "JSON lines"]
)
def test_a_long_table_is_read_piece_by_piece_too(folder, short_memory, name, line):
    rows = [f"row {number}" for number in range(300)]
    head = ["text"] if name.endswith("csv") else []
    text = read(write(folder / name, "\n".join([*head, *map(line.format, rows)])))
    assert isinstance(text, LongText)
    assert "".join(text.pieces()) == "\n\n".join(rows) + "\n"


def test_a_long_folder_is_the_text_that_a_short_one_would_be(folder, monkeypatch):
    write(folder / "a.txt", "one\n" * 100)
    write(folder / "b.txt", b"\0")
    write(folder / "c.txt", "two\n\n" * 100)
    write(folder / "d.csv", "text\n" + "three\n" * 100)
    short = read(folder)
    monkeypatch.setattr("lab.text.corpora.files.LONG", 600)
    long = read(folder)
    assert isinstance(long, LongText)
    assert "".join(long.pieces()) == short.text
    assert long.sha256 == short.sha256
    assert long.facts == short.facts


# ---- pasted text


def test_pasted_text_is_treated_like_a_file():
    text = read_pasted(PastedConfig(text="\ufeffone\r\ntwo"))
    assert text.text == "one\ntwo"
    assert text.sha256 == hashlib.sha256(b"one\ntwo").hexdigest()
    assert text.facts["normalised"] == ["byte order mark removed", "line ends made \\n"]


@pytest.mark.parametrize("text", ["", "  \n", "a\0b", "half \ud83d of a pair"])
def test_pasted_text_that_is_none_is_refused(text):
    problem_of_pasted(text)


@pytest.mark.parametrize(("path", "column", "offered"), [
    ("a.txt", "", False), ("A.TXT", "", False), ("a.csv", "", True), ("folder", "", True), ("a.txt", "body", True),
])  # fmt: skip
def test_a_column_is_offered_for_tables_and_folders_alone_unless_one_is_given(path, column, offered):
    assert ("column" not in without_effect(FileConfig, {"path": path, "column": column})) == offered
