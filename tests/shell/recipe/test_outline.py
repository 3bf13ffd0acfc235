"""The outline of the form: headings, groups and basic rows."""

from dataclasses import replace

from lab.api import ModelConfig, setting, settings_of
from lab.recipes import Training
from lab.shell.recipe.outline import DATA, MODEL, TRAINING, basic_numbers, outline
from lab.training.optimizers.builtins import AdamWConfig
from lab.training.schedules.builtins import CosineConfig


class Inner(ModelConfig):
    decay: float = setting(0.5, help="Decay per token.")


class Config(ModelConfig):
    heads: int = setting(4, help="Heads.", group="Attention")
    layers: int = setting(4, help="Layers.", group="Size")
    dropout: float = setting(0.0, help="Share set to zero.", group="Regularisation")
    swing: int = setting(4, help="How far it swings.")
    inner: Inner = setting(Inner(), help="The mixer.", label="Pendulum")


def settings(**given):
    configs = {
        "architecture": Config, "training": Training, "training.optimizer": AdamWConfig,
        "training.schedule": CosineConfig, **given,
    }  # fmt: skip
    return {section: list(settings_of(config, nested=False)) for section, config in configs.items()}


def groups(**options):
    found = outline(settings(), {"architecture": "Pendula"}, **options)
    return {group.key: [field.path for field in group.fields] for group in found}


def test_settings_stand_in_the_group_they_name_size_first():
    assert [key for key in groups() if key.startswith(MODEL)] == [
        "Model/Size", "Model/Attention", "Model/Architecture", "Model/inner",
    ]  # fmt: skip


def test_a_setting_without_a_group_stands_in_that_of_its_card():
    assert groups()["Model/Architecture"] == ["architecture.swing"]


def test_a_nested_config_is_a_group_of_its_own():
    assert groups()["Model/inner"] == ["architecture.inner"]


def test_the_title_of_a_group_does_not_change_its_key():
    translated = {"architecture": [replace(one, label="Pendel") for one in settings()["architecture"]]}
    found = {group.key: group.title for group in outline(translated, {"architecture": "Pendelwerk"})}
    assert found["Model/inner"] == "Pendel"
    assert found["Model/Architecture"] == "Pendelwerk"


def test_regularisation_of_the_model_stands_with_that_of_the_training():
    paths = groups()["Training/Regularisation"]
    assert {"architecture.dropout", "training.optimizer.weight_decay"} <= set(paths)


def test_the_basic_rows_are_not_in_the_groups():
    assert [field.path for field in basic_numbers(settings())] == [
        "training.steps", "training.budget", "training.optimizer.learning_rate", "training.batch_size",
        "training.context_length",
    ]  # fmt: skip
    assert not {"training.steps", "training.optimizer.learning_rate"} & {
        path for each in groups().values() for path in each
    }


def test_the_groups_of_training_follow_the_course_of_a_run():
    titles = [key.partition("/")[2] for key in groups() if key.startswith(TRAINING)]
    assert titles[:5] == ["Objective", "Batches", "Optimizer", "Schedule", "Regularisation"]


def test_a_model_that_counts_has_no_optimizer_no_schedule_and_no_learning_rate():
    assert not {"Training/Optimizer", "Training/Schedule", "Training/Regularisation"} & set(groups(counts=True))
    assert "training.optimizer.learning_rate" not in {field.path for field in basic_numbers(settings(), counts=True)}


def test_there_is_no_data_heading_without_settings_of_corpus_and_tokenizer():
    assert not [key for key in groups() if key.startswith(DATA)]
