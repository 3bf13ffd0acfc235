"""Decoding of bytes to text: the encodings that are detected, and the bytes that are refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.api import BadInput
from lab.text.readers.encodings import encoded

ENGLISH = "hello there"


def found(data, *, size=1 << 20, declares=False):
    def blocks():
        return (data[start : start + size] for start in range(0, len(data), size))

    return encoded(blocks, field="corpus.path", value="strange.txt", declares=declares)


def text_of(data, **how):
    return "".join(found(data, **how).pieces())


def refused(data):
    with pytest.raises(BadInput) as caught:
        found(data)
    problem = caught.value.problem
    assert (problem.field, problem.value) == ("corpus.path", "strange.txt")
    assert problem.remedy
    return problem.what


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        ("Ein Käse — 🧀.\n", "utf-8", "UTF-8"),
        ("Ein Käse — 🧀.\n", "utf-8-sig", "UTF-8"),
        ("Ein Käse — 🧀.\n", "utf-16", "UTF-16 LE"),
        ("Ein Käse — 🧀.\n", "utf-32", "UTF-32 LE"),
        (ENGLISH, "utf-16-le", "UTF-16 LE"),
        (ENGLISH, "utf-16-be", "UTF-16 BE"),
        ("naïve café\n", "latin-1", "Windows-1252 (Latin-1)"),
        ("café", "latin-1", "Windows-1252 (Latin-1)"),
        ("“Hello” — it’s me…\n", "cp1252", "Windows-1252 (Latin-1)"),
        ("El niño comió mañana en España.\n" * 5, "latin-1", "Windows-1252 (Latin-1)"),
        ("It was the best of times.\n" * 300 + "Café.\n", "latin-1", "Windows-1252 (Latin-1)"),
        ("Zażółć gęślą jaźń. Wszystko będzie dobrze.\n" * 3, "cp1250", "Windows-1250"),
        ("Привет, как дела? Всё хорошо.\n" * 4, "cp1251", "Windows-1251"),
        ("Привет, как дела? Всё хорошо.\n" * 4, "koi8-r", "KOI8-R"),
        ("Καλημέρα κόσμε, τι κάνεις;\n" * 3, "cp1253", "Windows-1253"),
        ("これは日本語の文章です。テストです。\n" * 3, "shift_jis", "Shift JIS"),
        ("これは日本語の文章です。テストです。\n" * 3, "euc_jp", "EUC-JP"),
        ("这是一个中文文件，用于测试。\n" * 4, "gb18030", "GB 18030"),
        ("這是一個中文文件，用於測試。\n" * 4, "big5", "Big5"),
        ("안녕하세요 이것은 한국어 문장입니다.\n" * 3, "euc_kr", "EUC-KR"),
    ],
)
def test_an_encoding_is_detected_and_named(text, codec, name):
    assert found(text.encode(codec)).name == name
    assert text_of(text.encode(codec)) == text


def test_valid_utf8_is_not_changed():
    assert found("Käse\n".encode()).changes == ()


def test_changes_are_reported():
    changes = found(b"\xff\xfe" + "one\r\ntwo\r".encode("utf-16-le")).changes
    assert changes == ("decoded from UTF-16 LE", "byte order mark removed", "line ends made \\n")


@pytest.mark.parametrize(
    ("data", "place", "seems"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "NUL byte at offset 8", "binary"),
        (b"ab\0cd", "NUL byte at offset 2", "binary"),
        (b"text\xc3\x28\x01\x02", "0xC3 at offset 4", "binary"),
        ("Käseä".encode()[:-1], "0xC3 at offset 5", "ends in the middle of a character"),
        ("ä ö ü".encode() + b"\xff" + "ä ö ü".encode(), "0xFF at offset 8", "damaged"),
        (b"\xff\xfea", "0x61 at offset 2", "UTF-16"),
    ],
)
def test_refused_bytes_are_reported_with_their_offset_and_likely_encoding(data, place, seems):
    what = refused(data)
    assert place in what
    assert seems in what


def test_a_fault_behind_many_blocks_has_its_place_among_all_bytes():
    data = b"line\n" * 1000
    with pytest.raises(BadInput, match="NUL byte at offset 5000"):
        found(data + b"\0", size=64)
    assert found(data + b"caf\xe9\n", size=64).name == "Windows-1252 (Latin-1)"


def test_a_document_that_names_its_encoding_is_believed():
    page = '<meta charset="iso-8859-2"><p>żółw, żółw i żaba'.encode("iso8859_2")
    assert "żółw, żółw i żaba" in text_of(page, declares=True)


def test_an_encoding_that_nobody_knows_is_not_believed():
    page = b'<meta charset="klingon"><p>na\xefve caf\xe9'
    assert text_of(page, declares=True).endswith("naïve café")


@given(st.text(st.characters(exclude_characters="\0\r", exclude_categories=["Cs"])), st.integers(1, 7))
@settings(max_examples=100, derandomize=True)
def test_utf8_comes_back_as_it_was_however_the_blocks_are_cut(text, size):
    assert text_of(text.encode(), size=size) == text.removeprefix("\ufeff")
