"""The default prompt of a model: one that its vocabulary has."""

import pytest

from lab.host import Plugins
from lab.recipes import Recipe
from lab.workbench.access.untrained import Untrained


def untrained(sentence, tokenizer="character"):
    text = {"name": "text", "text": sentence * 80}
    training = {"context_length": 16, "validation_share": 0.2}
    model = {"layers": 1, "width": 16}
    return Untrained(
        Recipe().with_values(
            {"corpus": text, "tokenizer": {"name": tokenizer}, "training": training, "architecture": model}
        ),
        Plugins(safe_mode=True),
    )


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The cat sat there. ", "The "),
        ("one cat sat there and slept. ", "the "),
        ("a fox did run by. ", None),
        ("ЖИЛ БЫЛ КОТ. ", None),
    ],
)
def test_the_default_prompt_is_in_the_vocabulary_and_a_word_of_the_text_where_the_is_not(sentence, expected, lab_home):
    model = untrained(sentence)
    prompt = model.default_prompt()
    assert len(model.tokenizer.encode(prompt)) == len(prompt) > 0
    assert prompt == expected if expected else prompt.strip() in sentence.split()


@pytest.mark.parametrize(
    ("tokenizer", "ends_with_space"),
    [("character", True), ("byte", True), ("bpe", False), ("unigram", False), ("word", False)],
)
def test_it_ends_with_a_space_only_where_no_word_brings_its_own(tokenizer, ends_with_space, lab_home):
    prompt = untrained("The cat saw the theme of the thesis. ", tokenizer).default_prompt()
    assert prompt.strip() in ("The", "the")
    assert prompt.endswith(" ") == ends_with_space
