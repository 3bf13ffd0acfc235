"""The default prompt of a model: one that its vocabulary has."""

import pytest

from lab.host import Plugins
from lab.recipes import Recipe
from lab.workbench.access.untrained import Untrained


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
    text = {"name": "text", "text": sentence * 80}
    training = {"context_length": 16, "validation_share": 0.2}
    recipe = Recipe().with_values({"corpus": text, "training": training, "architecture": {"layers": 1, "width": 16}})
    model = Untrained(recipe, Plugins(safe_mode=True))
    prompt = model.default_prompt()
    assert len(model.tokenizer.encode(prompt)) == len(prompt) > 0
    assert prompt == expected if expected else prompt.strip() in sentence.split()
