"""The live settings of a run: which there are, and their values in force."""

from lab.host import Plugins
from lab.recipes import Recipe
from lab.shell.session.live_settings import LiveValues, live_parts

PLUGINS = Plugins.from_environment()
RATE = "training.optimizer.learning_rate"


def paths(*assignments, **options):
    recipe = Recipe().with_assignments(*assignments)
    return {
        f"{part.path}.{setting.name}" for part in live_parts(recipe, PLUGINS, **options) for setting in part.settings
    }


def optimizer():
    return next(part for part in live_parts(Recipe(), PLUGINS) if part.path == "training.optimizer")


def test_optimizer_training_and_architecture_have_live_settings():
    found = paths("architecture.name=transformer")
    assert {RATE, "training.clip", "training.batch_size", "architecture.dropout"} <= found
    assert not found & {"training.context_length", "architecture.layers"}


def test_the_configs_inside_an_architecture_are_searched_too():
    assert "architecture.attention.dropout" in paths("architecture.name=hybrid")


def test_a_model_that_counts_has_no_settings_of_gradients():
    found = paths("architecture.name=n-gram", counts=True)
    assert not found & {RATE, "training.clip"}
    assert "training.steps" in found


def test_the_part_of_a_missing_plugin_is_left_out():
    assert not [path for path in paths("architecture.name=of_nobody") if path.startswith("architecture.")]


def test_a_recorded_change_is_in_force():
    assert LiveValues().of(optimizer(), {RATE: 0.5})["learning_rate"] == 0.5


def test_a_given_value_is_in_force_until_the_run_records_a_change():
    values = LiveValues()
    values.give(RATE, 0.5, {})
    assert values.of(optimizer(), {})["learning_rate"] == 0.5
    assert values.of(optimizer(), {RATE: 0.2})["learning_rate"] == 0.2
    assert values.of(optimizer(), {})["learning_rate"] == optimizer().config.learning_rate
