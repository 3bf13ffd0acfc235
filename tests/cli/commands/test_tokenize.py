"""`lm-lab tokenize`."""

import pytest


def test_a_text_is_shown_under_several_tokenizers(lm_lab, text):
    ended = lm_lab("tokenize", "the cat", "--corpus", text, "--tokenizer", "byte", "--tokenizer", "bpe")
    assert ended.code == 0, ended.err
    assert "t│h│e│␣│c│a│t" in ended.out
    assert "the│␣cat" in ended.out


def test_json_has_every_token_with_its_place(lm_lab, text):
    ended = lm_lab("tokenize", "the cat", "--corpus", text, "--tokenizer", "word", "--json")
    reported = ended.json["tokenizers"]["word"]
    assert [(one["text"], one["start"], one["end"]) for one in reported["pieces"]] == [("the", 0, 3), (" cat", 3, 7)]
    assert reported["tokens_per_byte"] == pytest.approx(2 / 7)


def test_a_setting_goes_to_the_tokenizers_that_have_it(lm_lab, text):
    size = "tokenizer.vocabulary_size=260"
    ended = lm_lab("tokenize", "the cat", "--corpus", text, "--set", size, "--json")
    sizes = {name: reported["vocabulary_size"] for name, reported in ended.json["tokenizers"].items()}
    assert sizes == {"byte": 256, "character": 15, "bpe": 260}


def test_a_setting_that_none_of_them_has_is_refused(lm_lab, text):
    assert lm_lab("tokenize", "the", "--corpus", text, "--set", "tokenizer.height=3").code == 2


def test_the_first_merges_of_a_corpus(lm_lab, text):
    ended = lm_lab("tokenize", "--corpus", text, "--merges", 3, "--json")
    first = ended.json["merges"][0]
    assert (first["left"], first["right"], first["token"], first["count"]) == ("a", "t", "at", 240)
    assert "at" in lm_lab("tokenize", "--corpus", text, "--merges", 1).out


def test_tokens_with_a_letter_are_found(lm_lab, text):
    ended = lm_lab("tokenize", "the hat", "--corpus", text, "--tokenizer", "bpe", "--letter", "t")
    assert "t: 0 as tokens of their own, hidden in the (1), ␣hat (1)" in ended.out


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ((), "TEXT"),
        (("x", "--merges", "0"), "--merges"),
        (("x", "--merges", "many"), "--merges"),
        (("x", "--letter", "ab"), "--letter"),
        (("x", "--tokenizer", "nonesuch"), "--tokenizer"),
        (("x", "--corpus", "nonesuch"), "--corpus"),
        (("q", "--tokenizer", "character"), "TEXT"),
    ],
)
def test_what_cannot_be_is_refused_by_its_option(lm_lab, text, options, field):
    corpus = () if "--corpus" in options else ("--corpus", text)
    ended = lm_lab("tokenize", *options, *corpus)
    assert ended.code == 2
    assert field in ended.problem


def test_an_empty_text_is_refused_as_it_is_called_in_the_help(lm_lab):
    assert "TEXT: is empty" in lm_lab("tokenize", "").problem


def test_long_tokens_of_merges_are_not_cut(lm_lab, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    (tmp_path / "long.txt").write_text("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz " * 9)
    assert "…" not in lm_lab("tokenize", "--merges", "40", "--corpus", "long.txt").out
