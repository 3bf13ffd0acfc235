"""The gauges measure each layer while a model trains, and change nothing of the training."""

import math

import numpy as np
import pytest
import torch
from torch import nn

from lab.api import Task
from lab.layers import FeedForward, ResidualStack, TokenMixer
from lab.runs.metrics.gauges import (
    ACTIVATION_KURTOSIS,
    ACTIVATION_LARGEST,
    ACTIVATION_MEAN,
    ACTIVATION_RMS,
    ATTENTION_ENTROPY,
    DEAD_UNITS,
    GAUGES,
    GRADIENT_NORM,
    SATURATED_UNITS,
    STEP_PARTS,
    UPDATE_RATIO,
    WEIGHT_NORM,
    gauge_map,
    gauge_of,
    gauges_in,
    is_step_part,
)
from lab.training.gauges.histograms import BINS, WIDTH, histogram
from lab.training.gauges.times import StepTimes
from lab.training.gauges.weights import spectral_norm

KINDS = {
    "dropout": {"build": "transformer", "config": {"dropout": 0.3}},
    "masked": {"build": "bidirectional", "objective": "masked", "config": {"dropout": 0.2}},
    "carried state": {"build": "recurrent", "objective": "carried", "config": {"dropout": 0.3}},
    "fused": {"build": "fused"},
    "accumulation": {"build": "transformer", "accumulation": 3},
    "sums of squares": {"build": "memory", "optimizer": "sgd", "momentum": 0.9},
}
RECORDED = {"tokens": 0, "gauges_every": 2}


def gauged(series):
    """Return the series of the gauges without the gradient norms, which every step records."""
    found = {name: gauge_of(name) for name in series}
    return {name: series[name] for name, known in found.items() if known and known[0] != GRADIENT_NORM}


@pytest.mark.short("dropout", "carried state")
@pytest.mark.parametrize("kind", KINDS)
def test_a_training_is_the_same_bit_for_bit_with_and_without_gauges(kind, experiment, trained, same):
    plain = trained(experiment(**KINDS[kind], readings={"tokens": 0, "gauges_every": 0}))
    measured = trained(experiment(**KINDS[kind], readings=RECORDED))
    assert measured.exact == plain.exact
    same(measured.weights(), plain.weights())
    assert gauged(measured.series)
    assert not gauged(plain.series)


@pytest.mark.short("dropout", "carried state")
@pytest.mark.parametrize("kind", KINDS)
def test_a_resumed_training_records_the_gauges_that_it_would_have_recorded(
    kind, experiment, training, at_step, saved_state
):
    straight = training(experiment(**KINDS[kind], readings=RECORDED)).run()
    first = training(experiment(**KINDS[kind], readings=RECORDED))
    first.trainer._observers.append(at_step({3: first.trainer.control.stop}))
    first.run()
    second = training(experiment(**KINDS[kind], readings=RECORDED))
    second.trainer.load_state_dict(*saved_state(first.trainer))
    second.run()
    late = {name: {s: v for s, v in values.items() if s > 3} for name, values in gauged(straight.series).items()}
    assert gauged(second.series) == {name: values for name, values in late.items() if values}


def test_the_gradient_by_lag_is_that_of_the_last_loss_by_the_embeddings(experiment, trained):
    from lab.training.gauges.lags import gradient_by_lag, lags_of

    made = experiment("recurrent")
    model = made.build().eval()
    batch = made.objective.batch(made.train, np.arange(3), 0)
    embedded = model.embedding(batch.inputs["tokens"]).detach().requires_grad_()
    state, logits = model.start(3), None
    for position in range(embedded.shape[1]):
        hidden = model.cell(embedded[:, position], state["hidden"])
        logits, state = model.output(hidden * model.config.gate.openness), {**state, "hidden": hidden}
    loss = nn.functional.cross_entropy(logits, batch.targets[:, -1], reduction="sum")
    (gradient,) = torch.autograd.grad(loss, embedded)
    lengths = gradient.square().sum(-1).mean(0).sqrt().flip(0)
    ((_, lags, values),) = gradient_by_lag(model, made.objective, batch)
    found = dict(zip(map(int, lags), values.tolist(), strict=True))
    assert list(found) == lags_of(12) == [1, 2, 4, 8, 11]
    for lag, value in found.items():
        assert value == pytest.approx(float(lengths[lag] / lengths[0]), rel=1e-4)
    series = trained(experiment("recurrent", readings={"tokens": 0, "gauges_every": 2})).series
    assert sorted(series["lag gradient 11"]) == [1]


def test_measured_steps_are_the_first_and_every_kth(experiment, trained):
    series = trained(experiment(readings={"tokens": 0, "gauges_every": 3})).series
    assert sorted(series["update ratio blocks.0"]) == [1, 3, 6]
    assert sorted(series["spectral norm blocks.0"]) == [1]
    assert sorted(series["gradient norm blocks.0"]) == list(range(1, 9))


def test_weight_norms_and_update_ratios_are_those_of_the_weights_before_and_after(experiment, training):
    recorded = training(experiment(steps=2, readings={"tokens": 0, "gauges_every": 1}))
    recorded.trainer.advance()
    before = recorded.weights()
    recorded.trainer.advance()
    after, series = recorded.weights(), recorded.series
    of_block = [name for name in before if name.startswith("blocks.0.")]
    norm = math.sqrt(sum(float(before[name].square().sum()) for name in of_block))
    change = math.sqrt(sum(float((after[name] - before[name]).square().sum()) for name in of_block))
    assert series[WEIGHT_NORM.series("blocks.0")][2] == pytest.approx(norm, rel=1e-5)
    assert series[UPDATE_RATIO.series("blocks.0")][2] == pytest.approx(change / norm, rel=1e-4)


@pytest.mark.parametrize("shape", [(30, 70), (70, 30), (2, 2)])
def test_a_spectral_norm_is_the_largest_singular_value(shape):
    torch.manual_seed(0)
    matrix = torch.randn(shape) + 3 * torch.outer(torch.randn(shape[0]), torch.randn(shape[1])) / shape[0]
    largest = float(torch.linalg.svdvals(matrix)[0])
    assert 0.95 * largest <= float(spectral_norm(matrix)) <= largest * (1 + 1e-5)


class Reading(TokenMixer):
    """A token mixer that gives back what it gets, times a number."""

    def __init__(self, slot):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(()))

    def forward(self, x):
        return x * self.scale


def test_units_that_never_fire_are_dead(experiment, trained):
    def build(config, task):
        def fed(slot):
            layer = FeedForward(slot, hidden=40, activation="relu", bias=True)
            with torch.no_grad():
                layer.inner.bias[:30] = -1e6
            return layer

        return ResidualStack(config, task, token_mixer=Reading, channel_mixer=fed)

    series = trained(experiment(build, steps=1, readings=RECORDED)).series
    assert 30 / 40 <= series[DEAD_UNITS.series("blocks.0")][1] < 1


def test_attention_that_reads_all_evenly_has_the_entropy_of_its_range(experiment, trained):
    def build(config, task):
        from lab.layers import Attention

        def attention(slot):
            layer = Attention(slot, heads=2)
            nn.init.zeros_(layer.project.weight)
            return layer

        return ResidualStack(config, task, token_mixer=attention)

    series = trained(experiment(build, steps=1, learning_rate=1e-9, readings=RECORDED)).series
    even = np.mean([math.log2(n) for n in range(1, 13)])
    assert series[ATTENTION_ENTROPY.series("blocks.0")][1] == pytest.approx(even, rel=1e-4)


def test_a_model_without_blocks_is_measured_by_its_parts(experiment, trained):
    series = trained(experiment("fused", readings=RECORDED)).series
    layers = [gauge_of(name)[1] for name in gauged(series) if gauge_of(name)[0] == ACTIVATION_RMS]
    assert layers == ["embedding", "rnn", "output"]


def test_the_cells_of_a_recurrent_network_are_layers_whose_hidden_states_are_their_activations():
    from lab.training.gauges.activations import ActivationGauges
    from lab_recurrent import LSTMConfig
    from lab_recurrent.model import build_lstm

    torch.manual_seed(0)
    model, tokens = build_lstm(LSTMConfig(layers=2, width=16), Task(20, 12)).eval(), torch.randint(20, (4, 12))
    gauges = ActivationGauges(model)
    with torch.no_grad(), gauges.listening() as found:
        model(tokens)
    hidden = torch.stack([one["hidden state"] for one in model.unrolled(tokens).layers[0]]).detach()
    values = {gauge: dict(zip(layers, numbers.tolist(), strict=True)) for gauge, layers, numbers in found}
    of_outputs = {ACTIVATION_MEAN, ACTIVATION_RMS, ACTIVATION_KURTOSIS, ACTIVATION_LARGEST}
    assert set(values) == of_outputs | {DEAD_UNITS, SATURATED_UNITS}
    assert all(list(layers) == ["layers.0", "layers.1"] for layers in values.values())
    centred = (hidden - hidden.mean()).double()
    expected = {
        ACTIVATION_MEAN: hidden.mean(),
        ACTIVATION_RMS: hidden.square().mean().sqrt(),
        ACTIVATION_KURTOSIS: centred.pow(4).mean() / centred.square().mean().square(),
        ACTIVATION_LARGEST: hidden.abs().max(),
    }
    for gauge, value in expected.items():
        assert values[gauge]["layers.0"] == pytest.approx(float(value), rel=1e-4), gauge.name


class Refusing(Reading):
    """A token mixer that refuses the four rows of a measurement."""

    def forward(self, x):
        if x.shape[0] == 4:
            raise RuntimeError("I do not like four")
        return super().forward(x)


def test_what_cannot_be_measured_is_reported_once_and_the_training_goes_on(experiment, trained, notices):
    def build(config, task):
        return ResidualStack(config, task, token_mixer=Refusing)

    recorded = trained(experiment(build, readings=RECORDED))
    assert recorded.trainer.state == "finished", recorded.trainer.problem
    about = [notice for notice in notices if "Measuring the activations" in notice.problem.what]
    assert len(about) == 1
    assert about[0].problem.plugin == "a-plugin"
    assert UPDATE_RATIO.series("blocks.0") in recorded.series


def test_a_model_that_counts_has_no_gauges(experiment, trained):
    assert not gauged(trained(experiment("n-gram", config={"order": 2}, readings=RECORDED)).series)


@pytest.mark.parametrize("values", [torch.randn(5000), torch.zeros(100), torch.tensor([1.0, math.nan, math.inf, -1.0])])
def test_a_histogram_counts_every_finite_number(values):
    bound, *counts = histogram(values).tolist()
    finite = values[values.isfinite()]
    assert sum(counts) == len(finite)
    assert bound == pytest.approx(WIDTH * float(finite.square().mean().sqrt()), abs=1e-6)
    assert len(counts) == BINS


def test_histograms_of_all_kinds_are_logged_at_most_so_many_times(experiment, training):
    recorded = training(experiment(steps=300, readings={"tokens": 0, "gauges_every": 1}))
    logged = []
    recorded.log.histograms = lambda step, kinds: logged.append((step, kinds))
    recorded.run()
    assert [step for step, _ in logged] == [1, *range(8, 301, 8)]
    assert {"weights", "gradients", "updates", "activations"} == set(logged[0][1])
    embedding = logged[0][1]["weights"]["embedding"]
    assert sum(embedding["counts"]) == recorded.trainer.model.embedding.weight.numel()


def test_the_seconds_of_the_parts_of_a_step_add_up_to_its_time():
    ticks = iter([0.0, 1.0, 3.0, 6.0, 10.0, 15.0])
    times = StepTimes(torch.device("cpu"), lambda: next(ticks))
    times.start()
    times.passed("data")
    times.passed("forward")
    times.passed("backward")
    times.start()
    times.passed("data")
    parts = times.take()
    assert parts["data"] == (1 + 5) / 2
    assert (parts["forward"], parts["backward"], parts["between steps"]) == (1, 1.5, 2)
    assert sum(parts.values()) == 15 / 2
    assert times.take() == {}


def test_a_training_records_the_seconds_of_each_part(experiment, trained):
    recorded = trained(experiment(readings=RECORDED))
    assert all(set(recorded.series[f"{part} seconds"]) == {1, 2, 4, 6, 8} for part in STEP_PARTS)
    assert all(is_step_part(f"{part} seconds") for part in STEP_PARTS)
    assert not is_step_part("seconds")


def test_a_gauge_is_a_map_of_layers_and_steps():
    series = {
        "update ratio blocks.0": ([1, 20], [1e-3, 2e-3]),
        "train loss": ([1], [3.0]),
        "update ratio blocks.1": ([20], [4e-3]),
    }
    found = gauge_map(UPDATE_RATIO, series, lambda name: tuple(map(np.array, series[name])))
    assert found.layers == ("blocks.0", "blocks.1")
    assert found.steps.tolist() == [1, 20]
    assert np.array_equal(found.values, [[1e-3, 2e-3], [math.nan, 4e-3]], equal_nan=True)
    assert gauges_in(series) == [UPDATE_RATIO]
    assert gauge_of("gradient normal") is None
    assert len({gauge.name for gauge in GAUGES}) == len(GAUGES)


def test_the_machine_is_measured_with_the_layers(experiment, trained):
    series = trained(experiment(readings={"tokens": 0, "gauges_every": 4})).series
    assert sorted(series["processor"]) == sorted(series["memory"]) == [1, 4, 8]
    assert all(0 <= cores <= 1024 for cores in series["processor"].values())
    assert all(size > 1e7 for size in series["memory"].values())


def test_power_is_the_energy_of_all_counters_over_the_time(tmp_path):
    from lab.training.gauges.machine import MachineGauges

    counters = [tmp_path / "one", tmp_path / "two"]
    for counter in counters:
        counter.write_text("1000000")
    machine = MachineGauges(torch.device("cpu"), [*counters, tmp_path / "of another user"])
    at, computed, used = machine._last
    machine._last = at - 10, computed, used
    counters[0].write_text("51000000")
    assert machine.read()["power"] == pytest.approx(5, rel=0.01)
    counters[0].write_text("0")
    assert "power" not in machine.read()


def test_the_power_of_a_card_is_asked_of_its_library_until_that_is_missing(monkeypatch):
    from lab.training.gauges.machine import MachineGauges

    answers = iter([250_000, ModuleNotFoundError("pynvml"), 1])

    def draw(_device):
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(torch.cuda, "power_draw", draw)
    monkeypatch.setattr(torch.cuda, "memory_allocated", lambda _device: 0)
    machine = MachineGauges(torch.device("cuda"), [])
    assert machine.read()["accelerator power"] == 250
    assert "accelerator power" not in machine.read()
    assert "accelerator power" not in machine.read()
    assert "accelerator power" not in MachineGauges(torch.device("cpu"), []).read()
