"""The recipes of networks before sequences: what must be seen in each, short here and with seeds 1 to 3 in long."""

import gzip
import math
from pathlib import Path

import numpy as np
import pytest
import torch

from lab.api import Task, capture
from lab.base.folders import resources
from lab.diagnostics.examples.plane import Extent, linear_regions
from lab.diagnostics.examples.rows import rows_input
from lab.host import Plugins
from lab.recipes import Recipe, shipped
from lab.studies.plans import parse_study, points_of, trials_of
from lab.training.evaluation import evaluate
from lab.training.experiment import prepare
from lab.training.trainer import Trainer
from lab_feedforward.network import MLP
from lab_feedforward.probes import _signals
from lab_feedforward.settings import MLPConfig

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
        recipe = shipped(f"network-{name}").with_values({"training": {"seed": seed}})
        if recipe.corpus.name in ("points", "sine", "linear-rule"):
            recipe = recipe.with_values({"corpus": {"seed": seed}})
        self._train(recipe.with_values(values))

    @classmethod
    def of_study(cls, name, seed, *values):
        """Train one arm of a study of the lab."""
        text = (resources() / "studies" / f"{name}.toml").read_text(encoding="utf-8")
        study = parse_study(text)
        points = [point for point in points_of(study, {}) if tuple(point.values()) == values]
        (trial,) = (trial for trial in trials_of(study, points) if trial.seed == seed)
        made = cls.__new__(cls)
        made._train(trial.recipe)
        return made

    def _train(self, recipe):
        every = recipe.training.evaluate_every if recipe.training.patience else 0
        quiet = recipe.with_values(QUIET).with_values({"training": {"evaluate_every": every}})
        self.experiment = prepare(quiet, Plugins(safe_mode=True))
        trainer = Trainer(self.experiment)
        trainer.run()
        self.model, self.step = trainer.model.eval(), trainer.step
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


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("cure", ["decay", "l1", "dropout", "stopping", "rows"])
def test_each_cure_of_overfitting_lowers_the_loss_of_others(cure, seed):
    ill, cured = Trained("overfit", seed), Trained(f"overfit-{cure}", seed)
    assert ill.validation.loss > 1.5
    assert cured.validation.loss < (0.85 if cure == "dropout" else 0.7) * ill.validation.loss


def test_early_stopping_ends_long_before_the_last_step_and_saves_the_points_that_were_not_seen():
    cured = Trained("overfit-stopping")
    assert cured.step < 100
    assert cured.validation.loss < 0.8


@pytest.mark.parametrize("shape", ["sine", "step", "sawtooth"])
def test_a_wider_layer_comes_closer_to_a_curve(shape):
    narrow, wide = (Trained.of_study(f"approximation-{shape}", 1, (width,)) for width in (1, 16))
    assert wide.validation.loss < 0.3 * narrow.validation.loss


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("shape", ["sine", "step", "sawtooth"])
def test_the_error_falls_with_the_width(shape, seed):
    losses = [Trained.of_study(f"approximation-{shape}", seed, (width,)).validation.loss for width in (1, 4, 16, 32)]
    assert losses[2] < losses[1] < losses[0]
    assert min(losses[2:]) < 0.25 * losses[0]


def tents(depth):
    """A network of depth layers of two ReLUs whose output is a sawtooth of 2^(depth − 1) teeth (Telgarsky 2016)."""
    model = MLP(MLPConfig(widths=[2] * depth), Task(1, 1, causal=False, input_shape=(1,), outputs=1)).double().eval()
    rise = torch.tensor([2.0, -4.0])  # m(x) = 2 relu(x) − 4 relu(x − 1/2)
    with torch.no_grad():
        for number, layer in enumerate(model.hidden):
            layer.linear.weight.copy_(torch.ones(2, 1) if number == 0 else rise.expand(2, 2))
            layer.linear.bias.copy_(torch.tensor([0.0, -0.5]))
        model.output.weight.copy_(rise[None])
        model.output.bias.zero_()
    return model


@pytest.mark.parametrize("depth", [1, 2, 3, 6])
def test_two_units_in_each_layer_double_the_teeth_of_a_network(depth):
    x = torch.linspace(0, 1, 2**12 + 1, dtype=torch.float64)[:, None]
    with torch.no_grad():
        values = tents(depth)(x)[:, 0]
    slopes = torch.diff(values) * 2**12
    assert torch.allclose(slopes.abs(), torch.full_like(slopes, 2.0**depth))
    assert (
        int((torch.diff(slopes.sign()) != 0).sum()) + 1 == 2**depth
    )  # linear pieces, of which one layer needs as many units


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(("teeth", "share"), [(4.0, 0.5), (8.0, 0.8)])
def test_three_layers_come_closer_to_teeth_than_one_layer_of_as_many_weights(seed, teeth, share):
    shallow, deep = (Trained.of_study("depth-against-width", seed, teeth, widths) for widths in ((197,), (16, 16, 16)))
    sizes = [sum(p.numel() for p in one.model.parameters()) for one in (shallow, deep)]
    assert abs(sizes[0] - sizes[1]) <= 1
    assert deep.validation.loss < share * shallow.validation.loss


@SEEDS
def test_the_error_of_random_features_is_largest_where_they_are_as_many_as_the_rows(seed):
    few, equal, many = (Trained.of_study("double-descent-features", seed, count) for count in (40, 100, 1000))
    assert equal.validation.loss > 3 * few.validation.loss
    assert many.validation.loss < few.validation.loss
    assert many.train.loss < 1e-4 < few.train.loss


@SEEDS
def test_a_trained_layer_has_its_second_descent_too(seed):
    narrow, equal, wide = (Trained.of_study("double-descent-network", seed, (width,)) for width in (1, 4, 64))
    assert equal.validation.loss > 1.5 * narrow.validation.loss
    assert equal.validation.loss > 1.5 * wide.validation.loss
    assert wide.train.loss < 1e-4


@SEEDS
def test_the_error_falls_rises_and_falls_again_while_small_features_are_learned_late(seed):
    """The recipe's own descent on its rows, written out: its run has these losses at these steps."""
    short = Trained("double-descent-epochs", seed, training={"steps": 8})
    rows = [source.ordered().rows(np.arange(source.examples), 0)
            for source in (short.experiment.train, short.experiment.validation)]  # fmt: skip
    (x, y), (others, wanted) = ((each["inputs"].astype(float), each["numbers"].astype(float)) for each in rows)
    weights, losses = np.zeros((75, 1)), [float((wanted**2).mean())]
    for _ in range(shipped("network-double-descent-epochs").training.steps):
        weights -= 0.05 * 2 * x.T @ (x @ weights - y) / len(x)
        losses.append(float(((others @ weights - wanted) ** 2).mean()))
    assert short.validation.loss == pytest.approx(losses[8], rel=1e-4)
    dip = int(np.argmin(losses[:100]))
    peak = dip + int(np.argmax(losses[dip:]))
    assert losses[dip] < 0.9 * losses[0]
    assert losses[peak] > 1.5 * losses[dip]
    assert losses[-1] < 0.75 * losses[peak]
    assert 0 < dip < 30 < 100 < peak < 1500


@SEEDS
def test_gradient_descent_from_zeros_finds_the_smallest_weights_of_all_that_fit(seed):
    run, large = Trained("minimum-norm", seed), Trained("minimum-norm", seed, architecture={"spread": 0.3})
    rows = run.experiment.train.ordered().rows(np.arange(40), 0)
    smallest = np.linalg.pinv(rows["inputs"].astype(float)) @ rows["numbers"].astype(float)
    found, other = (one.model.output.weight.detach().double().numpy()[0] for one in (run, large))
    assert run.train.loss < 1e-10
    assert large.train.loss < 1e-10
    assert found == pytest.approx(smallest[:, 0], abs=1e-5)
    assert np.linalg.norm(other) > 1.5 * np.linalg.norm(found)
    assert large.validation.loss > 1.5 * run.validation.loss
    rest = other - found  # what does not change the rows that were read stays as it was drawn
    assert np.abs(rows["inputs"] @ rest).max() < 1e-4
