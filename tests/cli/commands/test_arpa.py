"""`lm-lab arpa`: n-gram models as files, written from runs and texts, and asked for a text."""

import math

import pytest

TEXT = "the cat sat on the mat. " * 50


@pytest.fixture
def files(tmp_path):
    (tmp_path / "text.txt").write_text(TEXT)
    return tmp_path


@pytest.fixture
def counted(train):
    """A run of an n-gram model."""
    assert train("--architecture", "n-gram", "--set", "architecture.order=3", architecture=(), out="counted").code == 0
    return "counted"


def test_a_run_is_exported_and_the_file_is_as_likely_as_the_run_finds_it(lm_lab, counted, text, files):
    reported = lm_lab("arpa", "export", counted, files / "run.arpa.gz", "--json").json
    assert reported["order"] == 3
    checked = lm_lab("arpa", "check", files / "run.arpa.gz", text, "--json").json
    evaluated = lm_lab("evaluate", counted, "--text", text, "--json").json
    assert checked["unknown"] == 0
    assert checked["ends_scored"] is False  # a run knows no end of a text
    assert evaluated["targets"] == checked["tokens"] - 1  # the file also scores the first character
    first = checked["nats_per_token"] * checked["tokens"] - evaluated["loss"] * evaluated["targets"]
    assert 0 < first < math.log(15) + 3


def test_a_text_is_counted_and_checked_in_plain_words(lm_lab, files):
    counted = lm_lab("arpa", "count", files / "text.txt", files / "text.arpa", "--order", 2)
    assert counted.code == 0, counted.err
    checked = lm_lab("arpa", "check", files / "text.arpa", files / "text.txt")
    assert "perplexity" in checked.out
    assert "unknown                          0" in checked.out


def test_words_are_checked_line_by_line_and_unknown_ones_counted(lm_lab, files):
    (files / "words.arpa").write_text(
        "\\data\\\nngram 1=4\n\n\\1-grams:\n-2\t<unk>\n-99\t<s>\n-1\t</s>\n-0.5\ta\n\n\\end\\\n"
    )
    (files / "words.txt").write_text("a a\na what\n")
    reported = lm_lab("arpa", "check", files / "words.arpa", files / "words.txt", "--words", "--json").json
    assert (reported["tokens"], reported["unknown"], reported["log10"]) == (6, 1, pytest.approx(-3 * 0.5 - 2 - 2 * 1))
    assert reported["ends_scored"] is True
    assert reported["perplexity_without_unknown"] == pytest.approx(10 ** (3.5 / 5))


@pytest.mark.parametrize(
    ("words", "reported"),
    [
        (("export", "run", "out.arpa"), "only n-gram models"),
        (("check", "nothing.arpa", "text.txt"), "nothing.arpa"),
        (("check", "text.txt", "text.txt"), "the file ends too soon"),
        (("count", "text.txt", "out.arpa", "--smoothing", "katz"), "kneser-ney"),
        (("count", "text.txt", "out.arpa", "--smoothing", "best"), "smoothing"),
        (("count", "text.txt", "out.arpa", "--order", "99"), "order"),
    ],
)
def test_what_cannot_be_is_refused(run, lm_lab, files, monkeypatch, words, reported):
    ended = lm_lab("arpa", *[files / word if "." in word else word for word in words])
    assert ended.code == 2
    assert reported in ended.err


@pytest.mark.parametrize("bad", ["model", "text"])
def test_what_cannot_be_read_is_the_file_that_is_named(lm_lab, text, files, bad):
    lm_lab("arpa", "count", text, files / "model.arpa", "--overwrite")
    (files / "latin.txt").write_bytes(b"caf\xe9 " * 99)
    pair = (files / "latin.txt", text) if bad == "model" else (files / "model.arpa", files / "latin.txt")
    assert "latin.txt" in lm_lab("arpa", "check", *pair).problem
