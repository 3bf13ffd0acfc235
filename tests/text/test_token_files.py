"""Token files: equal to encoding the complete text, cached while intact, and removed on failure."""

import errno
import itertools
import json
import os
import subprocess
import threading
from dataclasses import replace

import numpy as np
import psutil
import pytest

from lab.api import BadInput, LabError, NoSettings
from lab.base.files import temporary
from lab.base.folders import cache_folder
from lab.base.jobs import Cancelled, Job
from lab.base.system import profile
from lab.text import token_files
from lab.text.corpora.long_files import read_long
from lab.text.token_files import tokens_of
from lab.text.tokenizers.units import ByteTokenizer, fit_characters

NOVEL = "".join(f"line {number}: äöü 末 the cat sat\n" for number in range(300))


class Wide(ByteTokenizer):
    """A tokenizer of a large vocabulary; counts the texts it was given."""

    def __init__(self, size=70_000):
        super().__init__()
        self.vocabulary_size = size
        self.texts = 0

    def encode(self, text):
        self.texts += 1
        return super().encode(text)

    def vocabulary(self):
        return {"size": self.vocabulary_size}


@pytest.fixture(autouse=True)
def short_pieces(monkeypatch):
    """Cut 500 characters at a time."""
    monkeypatch.setattr(token_files, "ENCODED", 500)


@pytest.fixture
def long(tmp_path):
    """Open a text as a long one."""

    def long(text=NOVEL, name="book.txt"):
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        return read_long(file, lambda: iter([file.read_text(encoding="utf-8")]), name, {})

    return long


def folder():
    """Return the folder of the token files."""
    return cache_folder() / "tokens"


def left():
    """List the files in the folder, except its lock."""
    return sorted(file.name for file in folder().iterdir() if file.name != "lock")


def test_characters_and_bytes_are_the_encoding_of_the_whole_text(long):
    text = long()
    for tokenizer in (fit_characters(NoSettings(), text.beginning), ByteTokenizer()):
        np.testing.assert_array_equal(tokens_of(text, tokenizer), tokenizer.encode(NOVEL))


@pytest.mark.parametrize(
    ("size", "kind"), [(256, np.uint8), (257, np.uint16), (65_536, np.uint16), (65_537, np.uint32)]
)
def test_tokens_are_the_smallest_integers_that_hold_the_vocabulary(long, size, kind):
    assert tokens_of(long(), Wide(size)).dtype == kind


def test_tokens_cannot_be_changed(long):
    tokens = tokens_of(long(), ByteTokenizer())
    with pytest.raises(ValueError, match="read-only"):
        tokens[0] = 1


def test_the_second_time_nothing_is_encoded(long):
    tokenizer = Wide()
    first = tokens_of(long(), tokenizer)
    tokenizer.texts = 0
    np.testing.assert_array_equal(tokens_of(long(), tokenizer), first)
    assert tokenizer.texts == 0


def test_another_text_vocabulary_or_class_has_a_file_of_its_own(long):
    tokens_of(long(), ByteTokenizer())
    tokens_of(long(NOVEL + "more\n"), ByteTokenizer())
    tokens_of(long(), Wide(300))
    tokens_of(long(), Wide(301))
    assert len(list(folder().glob("*.tokens"))) == 4


def damaged_byte(file):
    """Change one byte and leave length and time stamp alone."""
    stat = file.stat()
    with file.open("r+b") as opened:
        opened.seek(100)
        byte = opened.read(1)[0]
        opened.seek(100)
        opened.write(bytes([byte ^ 1]))
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))


@pytest.mark.parametrize(
    "damage",
    [
        damaged_byte,
        lambda file: os.truncate(file, 1000),
        lambda file: file.unlink(),
        lambda file: file.with_suffix(".json").unlink(),
        lambda file: file.with_suffix(".json").write_text("{"),
        lambda file: file.with_suffix(".json").write_text(json.dumps({"kind": "uint8", "bytes": 1, "crc32": 1})),
    ],
    ids=["a byte", "cut short", "gone", "nothing beside it", "half of it beside", "another's beside"],
)
def test_a_damaged_file_is_made_again(long, damage):
    tokenizer = ByteTokenizer()
    expected = tokens_of(long(), tokenizer).copy()
    (file,) = folder().glob("*.tokens")
    damage(file)
    np.testing.assert_array_equal(tokens_of(long(), tokenizer), expected)


def test_what_a_killed_writer_left_is_removed_and_what_another_machine_writes_is_not(long):
    folder().mkdir(parents=True)
    for machine in (temporary._machine(), "00000000"):
        (folder() / f".0123.tokens.4000000-1-{machine}-1.new").write_bytes(b"half")
    tokens_of(long(), ByteTokenizer())
    assert [file.name for file in folder().glob(".*")] == [".0123.tokens.4000000-1-00000000-1.new"]


def test_progress_counts_bytes_up_to_all_of_them(long):
    reported, text = [], long()
    tokens_of(text, ByteTokenizer(), progress=lambda done, whole: reported.append((done, whole)))
    assert len(reported) > 10
    assert reported == sorted(reported)
    assert reported[-1] == (text.bytes, text.bytes)
    reported.clear()
    tokens_of(text, ByteTokenizer(), progress=lambda done, whole: reported.append((done, whole)))
    assert reported == [(text.bytes, text.bytes)]


def test_a_cancelled_job_stops_after_the_piece_at_hand_and_leaves_nothing(long, reported):
    began, goes_on, pieces = threading.Event(), threading.Event(), []

    class Slow(ByteTokenizer):
        def encode(self, text):
            pieces.append(text)
            began.set()
            goes_on.wait(60)
            return super().encode(text)

    text, slow = long(), Slow()
    job = Job("cutting", lambda job: tokens_of(text, slow, cancelled=lambda: job.cancelled)).start()
    assert began.wait(60)
    job.cancel()
    goes_on.set()
    assert job.join(60)
    assert len(pieces) == 1
    assert left() == []
    assert reported == []


def test_waiting_for_another_process_can_be_cancelled(long):
    from filelock import FileLock

    text, asked = long(), itertools.count()
    folder().mkdir(parents=True)
    with FileLock(folder() / "lock"), pytest.raises(Cancelled):
        tokens_of(text, ByteTokenizer(), cancelled=lambda: next(asked) >= 2)


def test_two_threads_that_want_the_same_tokens_make_them_once(long):
    text, tokenizer, results = long(), Wide(), []
    jobs = [Job("cutting", lambda job: results.append(tokens_of(text, tokenizer))).start() for _ in range(3)]
    assert all(job.join(10) for job in jobs)
    assert tokenizer.texts == len(list(token_files.at_line_ends([NOVEL], 500)))
    assert all((tokens == results[0]).all() for tokens in results)


def test_a_text_that_changed_since_it_was_opened_is_refused(long):
    text = long()
    long(NOVEL.replace("cat", "dog"))
    with pytest.raises(BadInput, match="changed since it was opened"):
        tokens_of(text, ByteTokenizer())
    assert left() == []


def test_a_text_that_cannot_be_read_any_more_is_no_fault_of_the_cache(long, tmp_path):
    text = long()
    (tmp_path / "book.txt").unlink()
    with pytest.raises(BadInput, match="cannot be read: No such file") as refused:
        tokens_of(text, ByteTokenizer())
    assert refused.value.problem.value == "book.txt"


def test_a_token_outside_the_vocabulary_is_not_stored_as_another(long):
    with pytest.raises(ValueError, match="symbol numbers run from 0 to 99"):
        tokens_of(long(), Wide(100))
    assert left() == []


def test_a_full_disk_is_reported_with_a_remedy_and_nothing_is_left(long, monkeypatch):
    text = long()

    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(token_files.os, "fsync", full)
    with pytest.raises(LabError, match="No space left on device") as refused:
        tokens_of(text, ByteTokenizer())
    assert "Free some space" in refused.value.problem.remedy
    assert "LAB_HOME" in refused.value.problem.remedy
    assert left() == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root mounts a small disk")
def test_a_disk_that_is_really_full_is_reported_with_a_remedy(long, lab_home, monkeypatch):
    monkeypatch.setattr(token_files, "ENCODED", 1 << 17)
    text = long(NOVEL * 40)
    cache_folder().mkdir(parents=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", cache_folder()], capture_output=True)
    if mounted.returncode:
        pytest.skip("this machine mounts nothing")
    try:
        with pytest.raises(LabError, match="No space left on device") as refused:
            tokens_of(text, ByteTokenizer())
        assert "Free some space" in refused.value.problem.remedy
        assert left() == []
    finally:
        subprocess.run(["umount", cache_folder()], check=True)


def allow(monkeypatch, size):
    """Let the cache have this many bytes."""
    monkeypatch.setattr(profile._Current, "profile", replace(profile.FULL, cache_bytes=size))


def test_files_beyond_the_limit_are_removed_those_used_longest_ago_first(long, monkeypatch):
    texts = [long(f"{number}\n" + NOVEL, f"{number}.txt") for number in range(3)]
    for age, text in enumerate(texts[:2]):
        tokens_of(text, ByteTokenizer())
        os.utime(folder() / f"{token_files._key(text, ByteTokenizer())}.tokens", (1e9 + age, 1e9 + age))
    tokens_of(texts[0], ByteTokenizer())  # used again: now the other one is the oldest
    allow(monkeypatch, 2 * texts[0].bytes + 100)
    counting = Wide(256)
    tokens_of(texts[2], counting)
    cached = {file.stem for file in folder().glob("*.tokens")}
    assert cached == {token_files._key(texts[0], ByteTokenizer()), token_files._key(texts[2], counting)}
    assert {file.stem for file in folder().glob("*.json")} == cached


def test_a_file_in_use_is_never_removed(long, monkeypatch):
    used = tokens_of(long(), ByteTokenizer())[100:200]
    (file,) = folder().glob("*.tokens")
    allow(monkeypatch, 0)
    tokens_of(long(NOVEL + "more\n"), ByteTokenizer())
    assert file.exists()
    del used
    tokens_of(long(NOVEL + "even more\n"), ByteTokenizer())
    assert not file.exists()


@pytest.mark.long
def test_two_hundred_megabytes_take_little_memory(tmp_path, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setenv("LAB_HOME", str(tmp_path / "home"))
    file = tmp_path / "long.txt"
    block = NOVEL * 100
    with file.open("w", encoding="utf-8", newline="") as out:
        for number in range(200_000_000 // len(block.encode())):
            out.write(f"{number}\n{block}")

    def pieces():
        with file.open(encoding="utf-8", newline="") as opened:
            while piece := opened.read(1 << 22):
                yield piece

    before, most = psutil.Process().memory_info().rss, 0

    def measured(done, whole):
        nonlocal most
        most = max(most, psutil.Process().memory_info().rss - before)

    text = read_long(file, pieces, "long.txt", {}, progress=measured)
    tokenizer = fit_characters(NoSettings(), text.beginning)
    tokens = tokens_of(text, tokenizer, progress=measured)
    assert most < 5e8
    assert text.bytes > 1.9e8
    assert len(tokens) == text.characters
    start = len(tokens) // 2
    assert "the cat sat" in tokenizer.decode(tokens[start : start + 200])
