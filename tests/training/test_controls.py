"""Controls that a training cannot have are refused before it starts, each with its field and a remedy."""

import pytest
import torch

from lab.base import BadInput
from lab.host import Plugins
from lab.recipes import Recipe
from lab.training.controls import check_draws, schedule_beyond
from lab.training.experiment import check_recipe, prepare
from lab.training.objectives import Causal, Regression
from lab.training.optimizers.builtins import SophiaConfig
from lab.training.optimizers.sophia import sophia
from lab.training.schedules.builtins import CosineConfig, StepConfig
from lab.training.trainer import Trainer

PLUGINS = Plugins()
TEXT = "the cat sat on the mat. " * 60


def recipe(*assignments):
    small = ("architecture.layers=1", "architecture.width=16", "architecture.heads=2", "training.context_length=8")
    base = Recipe().with_values({"corpus": {"name": "text", "text": TEXT}})
    named = [one for one in assignments if one.startswith("architecture.name")]
    return base.with_assignments("training.device=cpu", *(() if named else small), *assignments)


def refused(*assignments):
    with pytest.raises(BadInput) as raised:
        prepare(recipe(*assignments), PLUGINS)
    problem = raised.value.problem
    assert problem.remedy or problem.allowed
    return problem.field


@pytest.mark.parametrize(
    ("assignments", "field"),
    [
        (("architecture.name=n-gram", "training.averaging=ema"), "training.averaging"),
        (("architecture.name=n-gram", "training.average=3"), "training.average"),
        (("architecture.name=n-gram", "training.l1=0.1"), "training.l1"),
        (("architecture.name=n-gram", "training.batch_warmup=5"), "training.batch_warmup"),
        (("architecture.name=n-gram", "training.budget=2 epochs"), "training.budget"),
        (("training.patience=2", "training.evaluate_every=0"), "training.patience"),
        (("training.schedule.name=plateau", "training.evaluate_every=0"), "training.schedule.name"),
        (("training.budget=5 cows",), "training.budget"),
        (("training.budget=3 seconds", "training.average=5"), "training.averaging"),
        (("training.optimizer.name=lbfgs",), "training.optimizer.name"),
    ],
)
def test_what_a_training_cannot_do_is_refused(assignments, field):
    assert refused(*assignments) == field


def test_an_optimizer_without_momentum_is_refused_by_a_schedule_that_cycles_it():
    given = ("training.schedule.name=one-cycle", "training.schedule.cycle_momentum=true")
    with pytest.raises(BadInput, match="no momentum"):
        Trainer(prepare(recipe(*given, "training.optimizer.name=adagrad"), PLUGINS))


def test_lbfgs_trains_where_each_step_reads_everything():
    with pytest.raises(BadInput, match="all 1") as raised:
        prepare(recipe("training.optimizer.name=lbfgs"), PLUGINS)
    size = int(raised.value.problem.remedy.partition("batch_size=")[2].partition(" ")[0])
    given = ("training.optimizer.name=lbfgs", "training.order=epochs", f"training.batch_size={size}")
    assert prepare(recipe(*given), PLUGINS).train.examples == size
    for more in ("training.gradient_noise=0.1", "training.budget=1e6 tokens", "training.batch_warmup=3"):
        assert refused(*given, more) == "training.optimizer.name"


@pytest.mark.parametrize(
    ("value", "allowed"), [("0", "0 < x ≤ 10"), ("-1", "0 < x ≤ 10"), ("1e10", "0 < x ≤ 10"), ("nan", "0 < x ≤ 10")]
)
def test_a_rate_that_is_none_is_refused_with_its_bounds(value, allowed):
    with pytest.raises(BadInput) as raised:
        check_recipe(recipe(f"training.optimizer.learning_rate={value}"), PLUGINS)
    assert raised.value.problem.field == "training.optimizer.learning_rate"
    assert allowed in (raised.value.problem.allowed or "")


@pytest.mark.parametrize(
    "assignment",
    [
        "l1=-1",
        "l1=nan",
        "gradient_noise=1e9",
        "average_decay=1",
        "patience=-1",
        "clip_by=size",
        "averaging=mean",
        "clip=-1",
    ],
)
def test_values_beyond_their_bounds_are_refused(assignment):
    with pytest.raises(BadInput) as raised:
        recipe(f"training.{assignment}")
    assert raised.value.problem.field == f"training.{assignment.partition('=')[0]}"
    assert raised.value.problem.allowed


def test_a_schedule_longer_than_the_run_is_told():
    assert schedule_beyond(CosineConfig(warmup=50), 100) is None
    problem = schedule_beyond(CosineConfig(warmup=500), 100)
    assert (problem.field, problem.value) == ("training.schedule.warmup", "500 steps")
    assert schedule_beyond(StepConfig(every=1000), 100).field == "training.schedule.every"


def test_a_budget_becomes_steps():
    tokens = prepare(recipe("training.budget=1000 tokens", "training.batch_size=4"), PLUGINS)
    assert tokens.recipe.training.steps == 32  # of 4 · 8 tokens
    epochs = prepare(recipe("training.budget=3 epochs", "training.batch_size=4"), PLUGINS)
    assert epochs.recipe.training.steps == -(-3 * epochs.train.examples // 4)
    flops = prepare(recipe("training.budget=1e9 FLOPs", "training.batch_size=4"), PLUGINS)
    assert flops.recipe.training.steps > 1
    again = prepare(flops.recipe, PLUGINS)
    assert again.recipe == flops.recipe


def test_an_optimizer_that_draws_labels_refuses_an_objective_of_numbers():
    group = {
        "params": [torch.nn.Parameter(torch.ones(2))],
        "role": "vector",
        "layer": None,
        "width": 1,
        "decays": False,
    }
    optimizer = sophia(SophiaConfig(), [group], torch.device("cpu"))
    check_draws(optimizer, Causal())
    with pytest.raises(BadInput) as raised:
        check_draws(optimizer, Regression())
    assert raised.value.problem.field == "training.optimizer.name"
