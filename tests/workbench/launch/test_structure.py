"""The parts of a recipe's model: cached, and with the paths of settings in the recipe."""

import threading

import pytest

from lab.base import BadInput
from lab.base.torch_lock import torch_lock
from lab.diagnostics.structure import influences as structure_influences


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


def test_a_cache_that_another_thread_adds_to_is_still_read(bench, recipe, monkeypatch):
    structures, wanted = bench._structures, recipe()
    first = structures.structure(wanted, bench.plugins).tree

    class Added:
        """A key that another thread adds behind while it is compared."""

        def __eq__(self, other):
            structures._trees.append((None, first))
            return False

        __hash__ = None

    structures._trees.appendleft((Added(), first))
    assert structures.structure(wanted, bench.plugins).tree is first


def test_training_gets_the_lock_between_two_models_that_are_compared(bench, recipe, monkeypatch):
    wanted, got, built = recipe(), [], structure_influences.blueprint

    def take_turn():
        with torch_lock:
            got.append(True)

    def build(*given):
        if len(got) < 2:
            turns.append(threading.Thread(target=take_turn))
            turns[-1].start()
        return built(*given)

    def stop():
        for turn in turns:
            turn.join(10)
        return False

    turns = []
    monkeypatch.setattr(structure_influences, "blueprint", build)
    bench.structure(wanted, settings=True, stop=stop)
    assert len(got) >= 2
