"""The columns that are offered: settings that differ, figures that make sense, and titles as the form writes them."""

from lab.host import Plugins
from lab.shell.runs.offering import distinct_titles, offered_figures, offered_settings, setting_titles


def test_only_the_settings_in_which_runs_differ_are_offered():
    runs = [{"title": "a", "training.seed": 1, "training.steps": 10}, {"title": "b", "training.seed": 2}]
    assert offered_settings(runs) == ["training.seed"]


def test_where_runs_do_not_differ_all_known_settings_are_offered_the_usual_ones_first():
    run = {f"architecture.x{n}": n for n in range(40)} | {"training.seed": 1, "title": "a"}
    found = offered_settings([run, run])
    assert found[0] == "training.seed"
    assert len(found) == 41


def test_norms_and_rates_have_no_best_value_and_parts_of_the_model_are_left_out():
    series = ["gradient norm", "gradient norm blocks.0", "gradient norm norm", "learning rate", "validation loss"]
    found = offered_figures(series)
    assert found[:3] == ["best validation loss", "step of best validation loss", "mean validation loss"]
    assert [name for name in found if "gradient" in name] == ["last gradient norm", "mean gradient norm"]
    assert "best learning rate" not in found


def test_gauges_by_layer_and_the_seconds_of_the_parts_of_a_step_are_no_columns():
    series = ["weight norm", "update ratio blocks.0", "activation RMS blocks.1", "forward seconds"]
    assert offered_figures(series) == ["last weight norm", "mean weight norm"]


def test_settings_have_the_titles_of_the_form():
    titles = setting_titles(Plugins.from_environment(), str)
    assert titles["training.optimizer.learning_rate"] == "Learning rate"
    assert titles["training.seed"] == "Seed"
    assert titles["training.optimizer.name"] == "Optimizer"


def test_equal_titles_are_followed_by_what_they_belong_to():
    titles = {"training.optimizer.size": "Size", "architecture.size": "Size", "training.seed": "Seed"}
    assert list(distinct_titles(titles).values()) == ["Size · optimizer", "Size · architecture", "Seed"]
