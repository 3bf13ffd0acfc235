"""Settings with their texts in the language of the window."""

from typing import Literal

from lab.api import ModelConfig, setting
from lab.widgets.forms.translated import translated


class Config(ModelConfig):
    parallel: Literal["no", "one-norm", "bfloat16"] = setting("no", help="Parallel.", names={"one-norm": "Small"})


def test_values_that_are_words_have_names_in_the_language_of_the_window(german):
    (parallel,) = translated(Config)
    assert parallel.names == {"no": "nein", "one-norm": "Small"}


def test_in_english_values_are_shown_as_recipes_write_them():
    (parallel,) = translated(Config)
    assert parallel.names == {"one-norm": "Small"}
