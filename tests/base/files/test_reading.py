"""Reading: no more of a file than is allowed, and no more memory than it needs."""

import os
import tracemalloc

import pytest

from lab.base.files.reading import DEEPEST, LARGEST, parse_toml, read_bytes


def test_a_small_file_takes_little_memory_whatever_is_allowed(tmp_path):
    (tmp_path / "file").write_bytes(b"12345")
    tracemalloc.start()
    try:
        assert read_bytes(tmp_path / "file", LARGEST) == b"12345"
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < LARGEST / 16


@pytest.mark.parametrize("start", [0, 2])
def test_a_file_that_grows_while_it_is_read_is_read_up_to_what_is_allowed(tmp_path, monkeypatch, start):
    file, ask = tmp_path / "file", os.fstat
    file.write_bytes(b"12345")
    monkeypatch.setattr(os, "fstat", lambda number: os.stat_result([*ask(number)[:6], 1, *ask(number)[7:10]]))
    assert read_bytes(file, 5, start) == b"12345"[start:]
    with pytest.raises(ValueError, match="larger than"):
        read_bytes(file, 4 - start, start)


@pytest.mark.parametrize("border", ["", "\u2028", "\u2029", "\x85", "\x0b"], ids=ascii)
@pytest.mark.timeout(30)
def test_keys_of_many_dots_are_refused_whatever_else_looks_like_the_end_of_a_line(border):
    with pytest.raises(ValueError, match="too many dots"):
        parse_toml(f'."{border}a".'.join(["a"] * 8_000) + "=1")


@pytest.mark.parametrize(("start", "end"), [("[", "]"), ("{a=", "}")])
def test_toml_is_refused_where_it_is_nested_too_deeply(start, end):
    assert parse_toml(f"x = {start * (DEEPEST // 2)}1{end * (DEEPEST // 2)}")
    with pytest.raises(ValueError, match="nested too deeply"):
        parse_toml(f"x = {start * (DEEPEST + 1)}1{end * (DEEPEST + 1)}")
