"""Classes of tokens by their labels, as tokenizers of the lab show them."""

import pytest

from lab_moe.token_classes import CLASSES, classes_of


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("a", "letter"), ("ß", "letter"), ("␣the", "letter"), ("x1", "letter"),
        ("7", "digit"), ("␣42", "digit"),
        ("␣", "space"), ("⏎", "space"), ("⇥⇥", "space"), ("⏎␣␣", "space"),
        (".", "punctuation"), ("_", "punctuation"), ("=", "punctuation"), ("␣(x", "punctuation"), ("<", "punctuation"),
        ("<0x9F>", "other"), ("<0x07>", "other"), ("<unused 50300>", "other"), ("<|endoftext|>", "other"),
        ("", "other"),
    ],
)  # fmt: skip
def test_a_token_is_of_the_class_of_its_first_character_that_is_no_space(label, kind):
    assert classes_of([label]) == (kind,)
    assert kind in CLASSES


@pytest.mark.parametrize(
    "labels", [("d", "e", "f"), ("de", "f"), ("␣def", "␣"), ("⏎", "re", "turn", "␣x"), ("(", "if", "(")]
)
def test_a_keyword_may_run_over_several_tokens(labels):
    part = {"d", "e", "f", "de", "␣def", "re", "turn", "if"}
    for label, kind in zip(labels, classes_of(labels), strict=True):
        assert (kind == "keyword") == (label in part)


@pytest.mark.parametrize("labels", [("de", "fs"), ("_", "def"), ("in", "1"), ("in", "ner")])
def test_a_part_of_a_longer_word_is_no_keyword(labels):
    assert "keyword" not in classes_of(labels)


def test_other_lists_of_keywords_may_be_given():
    assert classes_of(("The", "␣cat", "␣def"), {"The", "cat"}) == ("keyword", "keyword", "letter")
