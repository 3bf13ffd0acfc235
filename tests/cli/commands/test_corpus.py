"""`lm-lab corpus` prints what a text holds."""

import re

import pytest

from lab.cli.commands.data.source_page import print_source


def test_the_page_names_every_part_of_it(lm_lab, text):
    ended = lm_lab("corpus", text)
    assert ended.code == 0
    assert "animals.txt" in ended.out
    for word in ("length", "vocabulary", "Zipf, words", "repeated lines", "entropy after Shannon", "zlib", "bz2",
                 "lzma", "n-grams of characters", "n-grams of words", "longest repeated"):  # fmt: skip
        assert word in ended.out


def test_a_text_of_one_line_many_times_is_warned_of(lm_lab, text):
    out = lm_lab("corpus", text).out
    assert "59 of 60 are repeated" in out
    assert "warning: 100% of the passages" in out


def test_json_has_every_figure(lm_lab, text):
    page = lm_lab("corpus", text, "--json").json
    assert page["size"]["characters"] == page["read"] == 60 * 46
    assert page["zipf_words"]["counts"][0] == 180
    assert [each["order"] for each in page["entropies"]["orders"]] == [0, 1, 2, 3, 4, 5]
    assert set(page["compressed"]["validation"]) == {"zlib", "bz2", "lzma"}
    assert page["overlap"]["share"] == 1


def test_tokenizer_and_share_of_validation_are_those_that_are_given(lm_lab, text):
    page = lm_lab("corpus", text, "--tokenizer", "byte", "--set", "training.validation_share=0.5", "--json").json
    assert page["size"]["vocabulary"] == 256
    assert page["overlap"]["border"] == 30 * 46


def test_the_file_may_be_named_as_a_setting(lm_lab, text):
    ended = lm_lab("corpus", "--set", "corpus.name=file", "--set", f"corpus.path={text}", "--json")
    assert ended.json["name"] == "animals.txt"


@pytest.mark.parametrize("name", ["no-such-corpus", "no/such/file.txt", ""])
def test_what_is_not_there_is_refused(lm_lab, name):
    ended = lm_lab("corpus", name)
    assert ended.code == 2
    assert ended.problem


def test_a_source_of_examples_prints_what_it_tests_and_examples_with_scored_tokens_in_brackets(lm_lab):
    ended = lm_lab("corpus", "copy")
    assert ended.code == 0
    for word in (
        "tests",
        "should do well",
        "papers",
        "Graves",
        "entropy",
        "0 nats per scored token",
        "symbols",
        "42 tokens",
    ):
        assert word in ended.out
    assert len(re.findall(r"([a-h]+)\|\[\1\.\]", ended.out)) == 5


def test_a_source_without_papers_has_no_line_for_them(capsys):
    page = {"name": "mine", "title": "Mine", "summary": "S.", "tests": "T.", "expected": "E.", "references": []}
    print_source(page)
    out = capsys.readouterr().out
    assert "tests" in out
    assert "papers" not in out


def test_a_source_of_examples_is_printed_as_json(lm_lab):
    source = lm_lab("corpus", "mqar", "--json").json["source"]
    assert source["name"] == "mqar"
    assert source["references"]
    assert len(source["symbols"]) == 256
    for example in source["examples"]:
        assert len(example["tokens"]) == len(example["scored"]) == source["longest"]
        assert sum(example["scored"]) == 4


def test_a_source_of_text_is_described_before_its_statistics(lm_lab):
    words = ("corpus", "markov", "--set", "corpus.length=2000")
    out = lm_lab(*words).out
    assert out.index("should do well") < out.index("nats per character") < out.index("entropy after Shannon")
    page = lm_lab(*words, "--json").json
    assert page["source"]["entropy"] > 0
    assert page["size"]["characters"] == 2000


def test_an_empty_name_is_refused_as_it_is_called_in_the_help(lm_lab):
    assert "PATH|NAME: is empty" in lm_lab("corpus", "").problem


def test_a_path_that_is_no_utf8_is_refused(lm_lab):
    assert "cannot be stored: its name is not UTF-8" in lm_lab("corpus", "a\udcff.txt").problem


def test_a_text_of_one_character_has_a_page(lm_lab, text):
    text.write_text("x")
    ended = lm_lab("corpus", text)
    assert ended.code == 0
    assert "none of 8 characters or more" in ended.out
