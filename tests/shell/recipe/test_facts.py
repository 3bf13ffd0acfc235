"""The facts beside headings and groups: a summary of the values, and how many settings differ."""

from lab.api import ModelConfig, setting, settings_of
from lab.shell.recipe.facts import Part, facts_of
from lab.shell.recipe.outline import outline


class Inner(ModelConfig):
    decay: float = setting(0.5, help="Decay.", unit="tokens")


class Config(ModelConfig):
    heads: int = setting(4, help="Heads.", group="Attention", unit="heads")
    window: int = setting(64, help="Window.", group="Attention", unit="tokens")
    inner: Inner = setting(Inner(), help="The mixer.", label="Pendulum")


class Rates(ModelConfig):
    momentum: float = setting(0.9, help="Momentum.")


TITLES = {"objective": "Causal", "training.optimizer": "AdamW", "training.schedule": "Warm-up, cosine"}


def facts(*differing, idle=(), counts=False):
    configs = {"architecture": Config, "training.optimizer": Rates}
    settings = {field: list(settings_of(config, nested=False)) for field, config in configs.items()}
    parts = {field: Part(settings[field], config().stored(), idle) for field, config in configs.items()}
    return facts_of(outline(settings, {}, counts=counts), parts, TITLES, differing)


def test_a_group_is_summed_up_by_its_values_and_starts_with_its_card():
    assert facts()["Model/Attention"] == ("4 heads, window 64 tokens", 0)
    assert facts()["Training/Optimizer"] == ("AdamW, momentum 0.9", 0)


def test_a_setting_without_effect_is_not_in_a_summary():
    assert facts(idle=("heads",))["Model/Attention"][0] == "window 64 tokens"


def test_a_nested_config_is_summed_up_by_its_own_settings():
    assert facts()["Model/inner"][0] == "decay 0.5 tokens"


def test_a_heading_counts_what_differs_in_its_groups_with_their_cards():
    found = facts("architecture.heads", "architecture.inner.decay", "training.optimizer", "corpus")
    assert [found[key][1] for key in ("Model/Attention", "Model/inner", "Model")] == [1, 1, 2]
    assert [found[key][1] for key in ("Training/Optimizer", "Training", "Data")] == [1, 1, 0]


def test_the_heading_of_training_names_the_optimizer_and_the_schedule_or_the_objective_of_a_model_that_counts():
    assert facts()["Training"][0] == "AdamW, warm-up, cosine"
    assert facts(counts=True)["Training"][0] == "Causal"
