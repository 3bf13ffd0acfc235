"""The benchmark of the optimizers: a rate is searched for, every seed trains, and the order is that of the losses."""

import math

import pytest

from lab.base import BadInput
from lab.bench import optimizers as bench


@pytest.fixture
def valley(monkeypatch):
    """Replace trainings by a loss that is lowest at a rate of 0.01."""
    trained = []

    def train(name, rate, seed, until, steps, plugins, found):
        trained.append((name, rate, seed, until))
        lost = rate > 0.1 and name == "adamw"
        return math.inf if lost else abs(math.log10(rate) + 2) + 0.1 * seed + (name == "sgd"), 5.0

    monkeypatch.setattr(bench, "_trained", train)
    return trained


def test_each_optimizer_trains_every_seed_with_the_best_rate_of_its_search(valley):
    found = bench.optimizers(["sgd", "adamw"], 30, lambda line: None)
    assert found["ranking"] == ["adamw", "sgd"]
    row = found["optimizers"]["adamw"]
    full = [one for one in valley if one[0] == "adamw" and one[3] == 30]
    assert full == [("adamw", row["rate"], seed, 30) for seed in bench.SEEDS]
    assert row["search"][f"{row['rate']:.3g}"] == min(loss for loss in row["search"].values() if loss is not None)
    for row in found["optimizers"].values():
        assert min(map(float, row["search"])) < row["rate"] < max(map(float, row["search"]))
    assert all(one[3] == 10 for one in valley if one not in full and one[0] == "adamw")
    assert row["mean"] == pytest.approx(sum(row["losses"]) / 3)


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(BadInput) as refused:
        bench.optimizers(["nobody"], 30, print)
    assert refused.value.problem.field == "--models"
    with pytest.raises(BadInput) as refused:
        bench.optimizers([], 3, print)
    assert refused.value.problem.field == "--steps"


def test_a_recipe_of_the_comparison_has_the_optimizer_and_a_warm_up_of_a_tenth(lab_home):
    from lab.host import Plugins

    recipe = bench.recipe_of(Plugins(safe_mode=True), "muon", 0.02, 1, 60)
    assert recipe.training.optimizer.name == "muon"
    assert recipe.training.optimizer.settings == {"learning_rate": 0.02}
    assert (recipe.training.steps, recipe.training.seed) == (60, 1)
    assert recipe.training.schedule.settings["warmup"] == 6
