"""Texts too long for memory: what one pass finds, where pieces are cut, and what is remembered of it."""

import hashlib
import os

import pytest

from lab.api import BadInput, Text
from lab.base.folders import cache_folder
from lab.base.jobs import Cancelled
from lab.text.corpora import long_files
from lab.text.corpora.long_files import at_line_ends, read_long

NOVEL = "".join(f"line {number}: äöü 末 the cat sat\n" for number in range(200)) + "x" * 90 + "\nlast: 🐈"


@pytest.fixture(autouse=True)
def short_pieces(monkeypatch):
    """Let a piece have 64 characters and the beginning 300, so that a small text is long."""
    monkeypatch.setattr(long_files, "PIECE", 64)
    monkeypatch.setattr(long_files, "BEGINNING", 300)


@pytest.fixture
def file(tmp_path):
    """A file that was written long ago."""
    file = tmp_path / "book.txt"
    file.write_text(NOVEL, encoding="utf-8")
    os.utime(file, (1e9, 1e9))
    return file


def reader(file, chunk=50):
    """Read a file in chunks; each reading is counted."""

    def pieces():
        pieces.readings += 1
        text = file.read_text(encoding="utf-8")
        for start in range(0, len(text), chunk):
            pieces.chunks += 1
            yield text[start : start + chunk]

    pieces.readings = pieces.chunks = 0
    return pieces


def test_a_long_text_is_measured_and_hashed_as_if_it_were_whole(file):
    long = read_long(file, reader(file), "book", {"kind": "test"})
    assert (long.characters, long.bytes) == (len(NOVEL), len(NOVEL.encode()))
    assert long.sha256 == Text(NOVEL, "book").sha256 == hashlib.sha256(NOVEL.encode()).hexdigest()
    assert (long.name, long.facts) == ("book", {"kind": "test"})


def test_the_pieces_are_the_text_each_time_and_end_behind_lines(file):
    long = read_long(file, reader(file), "book", {})
    first, second = list(long.pieces()), list(long.pieces())
    assert first == second
    assert "".join(first) == NOVEL
    assert max(map(len, first)) <= 64
    assert all(piece.endswith("\n") for piece in first[:-1] if "\n" in piece)


def test_a_line_longer_than_a_piece_is_cut_anywhere():
    assert list(at_line_ends(["aaaa", "aa\nbb", "b"], 4)) == ["aaaa", "aa\n", "bbb"]


def test_the_cuts_depend_on_the_text_and_not_on_how_it_was_read():
    ways = [
        list(at_line_ends([NOVEL[i : i + step] for i in range(0, len(NOVEL), step)], 64)) for step in (1, 63, 64, 999)
    ]
    assert ways.count(ways[0]) == len(ways)


def test_the_beginning_ends_with_one_of_each_character_that_comes_later(file):
    long = read_long(file, reader(file), "book", {})
    assert long.beginning[:300] == NOVEL[:300]
    assert sorted(long.beginning[300:]) == sorted(set(NOVEL) - set(NOVEL[:300]))
    assert "🐈" in long.beginning[300:]


def test_a_text_shorter_than_the_beginning_is_its_own_beginning(tmp_path):
    file = tmp_path / "short.txt"
    file.write_text("abc\n")
    assert read_long(file, reader(file), "short", {}).beginning == "abc\n"


def test_the_second_opening_reads_no_more_than_the_beginning(file):
    first = read_long(file, reader(file), "book", {})
    again = reader(file)
    second = read_long(file, again, "book", {})
    assert again.chunks < 10
    assert (second.sha256, second.characters, second.bytes) == (first.sha256, first.characters, first.bytes)
    assert second.beginning == first.beginning


def test_a_changed_file_is_read_again(file):
    first = read_long(file, reader(file), "book", {})
    file.write_text(NOVEL.replace("cat", "dog"), encoding="utf-8")
    assert read_long(file, reader(file), "book", {}).sha256 != first.sha256


def test_other_facts_are_another_text(file):
    read_long(file, reader(file), "book", {"column": "a"})
    again = reader(file)
    read_long(file, again, "book", {"column": "b"})
    assert again.readings == 2


def test_a_file_that_was_written_this_moment_is_not_remembered(tmp_path):
    file = tmp_path / "fresh.txt"
    file.write_text(NOVEL, encoding="utf-8")
    read_long(file, reader(file), "fresh", {})
    again = reader(file)
    read_long(file, again, "fresh", {})
    assert again.readings == 2


def test_what_is_remembered_of_a_folder_goes_by_all_its_files(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("a.txt", "b.txt"):
        (folder / name).write_text(NOVEL, encoding="utf-8")
        os.utime(folder / name, (1e9, 1e9))
    read_long(folder, reader(folder / "a.txt"), "folder", {})
    os.utime(folder / "b.txt", (1.1e9, 1.1e9))
    again = reader(folder / "a.txt")
    read_long(folder, again, "folder", {})
    assert again.readings == 2


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"characters": 1}'])
def test_a_damaged_memory_is_made_again(file, damage):
    first = read_long(file, reader(file), "book", {})
    (cached,) = (cache_folder() / "long-files").glob("*.json")
    cached.write_text(damage)
    assert read_long(file, reader(file), "book", {}).sha256 == first.sha256


def test_only_the_newest_passes_are_remembered(tmp_path, monkeypatch):
    monkeypatch.setattr(long_files, "CACHED_FILES", 2)
    for number in range(4):
        file = tmp_path / f"{number}.txt"
        file.write_text(f"{number}\n")
        os.utime(file, (1e9, 1e9))
        read_long(file, reader(file), "book", {})
    assert len(list((cache_folder() / "long-files").iterdir())) == 2


def test_a_cache_that_cannot_be_written_costs_only_time(file, lab_home):
    lab_home.mkdir()
    (lab_home / "cache").write_text("a file stands where the folder should be")
    assert read_long(file, reader(file), "book", {}).characters == len(NOVEL)


def test_a_file_that_changes_while_it_is_read_is_refused(file):
    def pieces():
        yield NOVEL
        os.utime(file, (1.1e9, 1.1e9))

    with pytest.raises(BadInput, match="changed while it was read"):
        read_long(file, pieces, "book", {})


def test_a_file_that_is_gone_is_reported(tmp_path):
    with pytest.raises(BadInput, match="cannot be read: No such file"):
        read_long(tmp_path / "none.txt", lambda: iter([]), "none", {})


def test_progress_counts_bytes_up_to_all_of_them(file):
    reported = []
    read_long(file, reader(file), "book", {}, progress=lambda done, whole: reported.append((done, whole)))
    assert reported == sorted(reported)
    assert reported[-1] == (len(NOVEL.encode()), len(NOVEL.encode()))


def test_a_cancelled_pass_keeps_nothing(file):
    requested = []
    with pytest.raises(Cancelled):
        read_long(file, reader(file), "book", {}, cancelled=lambda: requested.append(0) or len(requested) > 3)
    assert not (cache_folder() / "long-files").exists()
