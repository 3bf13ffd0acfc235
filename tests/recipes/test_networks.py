"""The recipes of networks before sequences: what must be seen in each, short here and with seeds 1 to 3 in long."""

import gzip
import math
from pathlib import Path

import numpy as np
import pytest
import torch

from lab.api import capture
from lab.diagnostics.examples.plane import Extent, linear_regions
from lab.diagnostics.examples.rows import rows_input
from lab.host import Plugins
from lab.recipes import Recipe, shipped
from lab.training.evaluation import evaluate
from lab.training.experiment import prepare
from lab.training.trainer import Trainer
from lab_feedforward.probes import _signals

ENGLISH = gzip.decompress((Path(__file__).parents[1] / "gold" / "texts" / "guide-103k.txt.gz").read_bytes()).decode()
QUIET = {
    "training": {"evaluate_every": 0, "sample_tokens": 0, "checkpoint_seconds": 0, "device": "cpu", "threads": 1},
    "readings": {"moments": 0, "gauges_every": 0},
}
SEEDS = pytest.mark.parametrize(
    "seed", [1, pytest.param(2, marks=pytest.mark.long), pytest.param(3, marks=pytest.mark.long)]
)


class Trained:
    """A recipe that was trained, with its losses and accuracies."""

    def __init__(self, name, seed=1, **values):
        recipe = shipped(f"network-{name}").with_values(QUIET).with_values({"training": {"seed": seed}})
        if recipe.corpus.name == "points":
            recipe = recipe.with_values({"corpus": {"seed": seed}})
        self.experiment = prepare(recipe.with_values(values), Plugins(safe_mode=True))
        trainer = Trainer(self.experiment)
        trainer.run()
        self.model = trainer.model.eval()
        self.train = self._evaluated(self.experiment.train.ordered())
        self.validation = self._evaluated(self.experiment.validation)

    def _evaluated(self, source):
        return evaluate(self.model, self.experiment.objective, source, protocol="windows",
                        device=torch.device("cpu"), sizes=None, limit=0, cancelled=lambda: False)  # fmt: skip

    @property
    def rows(self):
        read = rows_input(self.experiment.validation, self.experiment.objective, self.experiment.corpus)
        return read.bound(self.model).probed_rows

    def signals(self, name):
        return {one.name: one for one in _signals(self.model, self.rows)}[name]

    def units(self):
        """What the units of each hidden layer hand on, (rows, units)."""
        with torch.no_grad(), capture(self.model, ("activation",)) as found:
            self.model(self.rows.inputs)
        return [np.asarray(one.values) for one in found]

    def dead(self):
        """The share of units of each layer that are never above 0."""
        return [float((values <= 0).all(axis=0).mean()) for values in self.units()]


def accuracy(found):
    return found.metrics["accuracy"]


@SEEDS
def test_four_layers_without_an_activation_are_one_matrix(seed):
    run = Trained("linear-collapse", seed, training={"steps": 60})
    matrix = torch.eye(2)
    for layer in run.model.hidden:
        matrix = layer.linear.weight @ matrix
    matrix = run.model.output.weight @ matrix
    inputs = run.rows.inputs
    with torch.no_grad():
        offset = run.model(torch.zeros(1, 2))
        assert torch.allclose(run.model(inputs), inputs @ matrix.T + offset, atol=1e-4)
    assert np.linalg.matrix_rank(matrix.detach().numpy()) == 2
    assert linear_regions(run.model, Extent.around(inputs.numpy()), 20)[1] >= 1
    assert accuracy(run.validation) < 0.94


@SEEDS
def test_xor_is_never_learned_without_a_hidden_layer(seed):
    run = Trained("xor-perceptron", seed)
    assert run.train.loss == pytest.approx(math.log(2), abs=0.01)
    assert 0.4 < accuracy(run.validation) < 0.6


@SEEDS
def test_xor_is_learned_by_one_hidden_layer(seed):
    assert accuracy(Trained("xor-hidden", seed).validation) > 0.9


def test_gradients_vanish_through_twenty_layers_of_sigmoids():
    run = Trained("depth-sigmoid", training={"steps": 1})
    product, bound = run.signals("gradient by depth").values[1:3]
    assert run.signals("gradient by depth").coordinates["quantity"][2] == "bound"
    assert (product <= bound * (1 + 1e-6)).all()
    assert bound[0] == pytest.approx(0.25**20)


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_twenty_layers_of_sigmoids_learn_nothing_and_each_cure_helps(seed):
    ill = Trained("depth-sigmoid", seed)
    assert ill.train.loss == pytest.approx(math.log(2), abs=0.01)
    for cure in ("relu", "initialisation", "normalisation", "residual"):
        assert accuracy(Trained(f"depth-{cure}", seed).train) > 0.75, cure


@pytest.mark.parametrize("cure", ["relu", "initialisation", "normalisation", "residual"])
def test_each_cure_lets_gradients_of_first_and_last_layer_be_of_one_size(cure):
    steps = 40 if cure == "normalisation" else 1  # until the running statistics are those of the layers
    gradient = Trained(f"depth-{cure}", training={"steps": steps}).signals("gradient by depth").values[0]
    ill = Trained("depth-sigmoid", training={"steps": 1}).signals("gradient by depth").values[0]
    assert ill[0] / ill[-1] < 1e-4
    assert gradient[0] / gradient[-1] > 100 * ill[0] / ill[-1]


@SEEDS
def test_a_high_rate_kills_relus_and_leaky_ones_live(seed):
    relu, leaky = Trained("dead-relu", seed), Trained("dead-leaky", seed)
    resting = [one.signals("units at rest").values[0] for one in (relu, leaky)]
    assert resting[0].max() > 0.5
    assert resting[1].max() == 0
    assert accuracy(leaky.train) > accuracy(relu.train)


@SEEDS
def test_units_that_start_at_zeros_stay_equal(seed):
    run = Trained("symmetry-zeros", seed, training={"steps": 50})
    (units,) = run.units()
    assert np.ptp(units, axis=1).max() == 0
    assert accuracy(run.train) < 0.6


def test_with_random_weights_the_same_units_differ():
    run = Trained("symmetry-zeros", architecture={"initialisation": "xavier"})
    assert np.ptp(run.units()[0], axis=1).max() > 0.1
    assert accuracy(run.train) > 0.9


def test_the_loss_of_twenty_points_falls_while_that_of_others_does_not():
    run = Trained("overfit", training={"steps": 500})
    assert run.train.loss < 0.2 < 0.5 < run.validation.loss


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_twenty_points_are_learned_by_heart_and_weight_decay_helps(seed):
    free, decayed = Trained("overfit", seed), Trained("overfit-decay", seed)
    assert free.train.loss < 0.01
    assert free.validation.loss > 50 * free.train.loss
    assert free.validation.loss > 1
    assert decayed.validation.loss < 0.6 * free.validation.loss


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_labels_are_learned_by_heart_and_teach_nothing(seed):
    run = Trained("random-labels", seed)
    assert accuracy(run.train) > 0.9
    assert accuracy(run.validation) < 0.7
    assert run.validation.loss > 2


def test_with_all_labels_drawn_anew_no_model_can_win():
    corpus = prepare(shipped("network-random-labels").with_values(QUIET), Plugins(safe_mode=True))
    assert corpus.floors["entropy rate"] == pytest.approx(math.log(2), abs=1e-4)


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_bengios_network_beats_counts_of_its_window_without_smoothing_and_brings_vowels_together(seed):
    """Of the same window: better than counts with a constant added, worse than modified Kneser-Ney on 100 kB."""
    corpus = {"name": "text", "text": ENGLISH}
    run = Trained("bengio", seed, corpus=corpus, training={"steps": 600, "seed": seed})
    losses = {}
    for smoothing in ("add-k", "modified-kneser-ney"):
        counts = Recipe().with_values({"corpus": corpus, "training": {"seed": seed}}).with_values(QUIET)
        counts = counts.with_values({"architecture": {"name": "n-gram", "order": 5, "smoothing": smoothing}})
        trainer = Trainer(prepare(counts, Plugins(safe_mode=True)))
        trainer.run()
        losses[smoothing] = evaluate(
            trainer.model.eval(), trainer.experiment.objective, trainer.experiment.validation, protocol="windows",
            device=torch.device("cpu"), sizes=None, limit=0, cancelled=lambda: False,
        ).loss  # fmt: skip
    assert losses["modified-kneser-ney"] < run.validation.loss < losses["add-k"]
    tokenizer = run.experiment.tokenizer
    vectors = run.model.embedding.weight.detach()
    vectors = torch.nn.functional.normalize(vectors - vectors.mean(0), dim=1)
    vowels, consonants = (vectors[torch.tensor(tokenizer.encode(text))] for text in ("aeiou", "bcdfgmnprst"))
    alike = ((vowels @ vowels.T).sum() - 5) / 20
    assert alike > (vowels @ consonants.T).mean() + 0.1
