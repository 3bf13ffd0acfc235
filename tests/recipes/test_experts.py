"""The recipes of experts that die: all tokens go to few of them, until a loss on their balance is switched on."""

import gzip
from pathlib import Path

import numpy as np
import pytest
import torch

from lab.api import capture
from lab.host import Plugins
from lab.recipes import shipped
from lab.training.experiment import prepare
from lab.training.trainer import Trainer
from lab_moe import statistics

ENGLISH = gzip.decompress((Path(__file__).parents[1] / "gold" / "texts" / "guide-103k.txt.gz").read_bytes()).decode()
BALANCE = "auxiliary balance"  # 1 when balanced, 8 where one of eight experts takes every token
QUIET = {
    "training": {"evaluate_every": 0, "sample_tokens": 0, "checkpoint_seconds": 0, "device": "cpu", "threads": 1},
    "readings": {"moments": 0},
}
SMALL = {
    "corpus": {"name": "text", "text": ENGLISH},  # gathering the manual takes longer than the training
    "training": {
        "steps": 100, "batch_size": 4, "context_length": 32, "schedule": {"name": "constant"},
        "validation_share": 0.001,  # all of it is read at the end
    }
}  # fmt: skip


class Watch:
    """The figure of balance by step, over all blocks and by block, and what is done at a step."""

    def __init__(self):
        self.mean, self.blocks, self.actions = {}, {}, {}

    def started(self, run, recipe): ...

    def evaluated(self, step, values): ...

    def ended(self, state, problem): ...

    def stepped(self, step, values):
        self.mean[step] = values[BALANCE]
        self.blocks[step] = {name: value for name, value in values.items() if name.startswith(f"{BALANCE} ")}
        self.actions.get(step, lambda: None)()

    def worst(self, first, last):
        """The figure of the least balanced block, the mean over steps first to last."""
        reported = [self.blocks[step] for step in range(first, last + 1)]
        return max(np.mean([values[name] for values in reported]) for name in reported[0])


@pytest.fixture
def watched():
    """Prepare a recipe's training, and what watches it."""

    def watched(name, values):
        recipe = shipped(name).with_values(QUIET).with_values(values)
        watch = Watch()
        return Trainer(prepare(recipe, Plugins(safe_mode=True)), observers=[("a-test", watch)]), watch

    return watched


def dead(trainer):
    """Return how many experts of each block take none of 4,096 tokens of the validation text."""
    experiment, model = trainer.experiment, trainer.model.eval()
    batch = experiment.objective.batch(experiment.validation, np.arange(64), 0)
    with torch.no_grad(), capture(model, names=("gates",)) as readings:
        model(batch.inputs["tokens"])
    model.train()
    return [int(statistics.dead(statistics.load(one.values.reshape(-1, 8))).sum()) for one in readings]


@pytest.mark.long  # in short: the loss on their balance, in the tests of the plugin
def test_experts_without_a_loss_on_their_balance_collapse_and_an_edit_while_they_train_heals_them(watched):
    trainer, watch = watched("experts-collapse", SMALL)
    watch.actions[30] = lambda: trainer.control.set("architecture.balance", 0.3)
    trainer.run()
    assert trainer.state == "finished"
    assert watch.mean[1] < 1.3
    assert watch.worst(21, 30) > 3
    assert watch.worst(91, 100) < 1.5


def test_the_recipes_differ_in_the_edit_alone_and_it_switches_the_loss_on():
    collapse, recovery = (shipped(name) for name in ("experts-collapse", "experts-recovery"))
    (edit,) = recovery.training.edits
    assert collapse.architecture.settings["balance"] == 0
    assert (edit.path, edit.value > 0) == ("architecture.balance", True)
    assert recovery.with_values({"title": collapse.title, "training": {"edits": []}}) == collapse


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_the_recipe_of_recovery_has_dead_experts_until_its_edit_and_none_at_its_end(watched):
    trainer, watch = watched("experts-recovery", {})
    found = {}
    watch.actions[500] = lambda: found.update(before=dead(trainer))
    trainer.run()
    assert watch.worst(401, 500) > 4  # by seed 5.6 to 8.0
    assert max(found["before"]) > 4
    assert watch.worst(1101, 1200) < 1.1
    assert dead(trainer) == [0, 0]
