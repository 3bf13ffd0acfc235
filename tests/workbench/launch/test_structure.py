"""The parts of a recipe's model: cached, and with the paths of settings in the recipe."""

import pytest

from lab.base import BadInput


def test_the_parts_of_a_recipe_are_found_once(bench, recipe):
    wanted = recipe()
    first = bench.structure(wanted)
    assert first.settings is None
    assert bench.structure(wanted).tree is first.tree


def test_settings_are_paths_of_the_recipe(bench, recipe):
    found = bench.structure(recipe(), settings=True)
    settings = {one.name: found.settings[one.path] for one in found.tree.walk()}
    assert "architecture.heads" in settings["attention"]
    assert any(path.startswith("tokenizer.") for path in settings["embedding"])
    assert bench.structure(recipe()).settings == found.settings


def test_the_parameters_are_those_of_the_preflight(bench, recipe):
    wanted = recipe()
    tree, figures = bench.structure(wanted).tree, bench.preflight(wanted)
    assert tree.parameters == figures.parameters
    assert tree.flops == pytest.approx(figures.flops_per_token)


def test_a_model_that_cannot_be_built_names_the_setting(bench, recipe):
    odd = {"name": "hybrid", "layers": 2, "width": 32, "attention": {"heads": 5}}
    with pytest.raises(BadInput) as refused:
        bench.structure(recipe().with_values({"architecture": None}, {"architecture": odd}))
    assert refused.value.problem.field == "architecture.attention.heads"
