"""The filter of the form: which settings, choices of cards and groups pass it."""

import pytest

from lab.api import ModelConfig, setting, settings_of
from lab.shell.recipe.filtering import Filter, passing
from lab.shell.recipe.outline import Field, outline


class Inner(ModelConfig):
    decay: float = setting(0.5, help="Decay per token.")


class Config(ModelConfig):
    heads: int = setting(4, help="Heads.", group="Attention")
    swing: int = setting(4, help="How far it swings.")
    inner: Inner = setting(Inner(), help="The mixer.", label="Pendulum")


OWN = list(settings_of(Config, nested=False))
NESTED = {"architecture": list(settings_of(Config))}
GROUPS = outline({"architecture": OWN}, {})
CHOICES = {"training.optimizer": "Optimizer training.optimizer AdamW", "corpus": "Corpus corpus Python manual"}


def found(typed, only=None, basic=()):
    return passing(Filter(typed, only), GROUPS, basic, NESTED, CHOICES)


@pytest.mark.parametrize("typed", ["swing", "architecture.swing", "how FAR"])
def test_the_filter_finds_a_setting_by_title_path_and_help(typed):
    assert found(typed).fields == {"architecture.swing"}


def test_every_typed_word_has_to_be_found():
    assert found("far away").fields == set()


def test_a_nested_config_passes_the_filter_with_one_of_its_settings():
    assert found("per token").fields == {"architecture.inner"}


def test_only_what_differs_passes():
    differing = {"architecture.inner.decay", "architecture.heads", "corpus"}
    assert found("", differing).fields == {"architecture.inner", "architecture.heads"}
    assert found("", differing).choices == {"corpus"}


def test_a_basic_row_passes_though_it_is_in_no_group():
    row = Field("training", OWN[0])
    assert found("training.heads", basic=[row]).fields == {"training.heads"}


def test_the_choice_of_a_card_is_found_by_the_title_of_the_card():
    assert found("adamw").choices == {"training.optimizer"}


def test_a_group_passes_with_one_of_its_settings_or_with_its_choice_of_a_card():
    assert found("far").groups == {"Model/Architecture"}
    assert found("adamw").groups == {"Training/Optimizer"}
