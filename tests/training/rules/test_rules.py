"""Each rule of the doctor fires on what it is about, and is silent on a training that goes well."""

import math

import numpy as np
import pytest

from lab.api import ENTROPY_RATE, RunRecord
from lab.training.rules import data, layers, losses

N = 400


def curve(values, every=1, start=1):
    values = np.asarray(values, float)
    return np.arange(start, start + every * len(values), every), values


def falling(count=N, high=4.0, low=2.0, noise=0.02, seed=0):
    x = np.linspace(0, 5, count)
    return low + (high - low) * np.exp(-x) + noise * np.random.default_rng(seed).standard_normal(count)


RECIPE = {
    "training": {
        "steps": N, "clip": 0.0, "precision": "auto",
        "optimizer": {"name": "adamw", "learning_rate": 0.001, "weight_decay": 0.1},
        "schedule": {"name": "cosine", "warmup": 0},
    },
    "architecture": {"dropout": 0.0, "feed_forward": "relu", "qk_norm": False},
    "tokenizer": {"name": "bpe", "vocabulary_size": 2000},
}  # fmt: skip


def record(recipe=RECIPE, facts=None, events=(), problem="", **series):
    named = {name.replace("__", " "): pair for name, pair in series.items()}
    return RunRecord(recipe, {"train loss": curve(falling()), **named}, facts or {}, events, problem)


def by_layer(gauge, **values):
    return {f"{gauge} blocks.{layer.removeprefix('b')}": curve(each, 20) for layer, each in values.items()}


def gauges(gauge, **values):
    return RunRecord(RECIPE, {"train loss": curve(falling()), **by_layer(gauge, **values)})


ALL = (
    losses.no_number, losses.divergence, losses.spikes, losses.plateau, losses.overfitting, losses.memorised,
    layers.too_fast, layers.too_slow, layers.dead_units, layers.saturated_gates, layers.vanishing,
    layers.vanishing_by_lag, layers.attention_collapse, layers.expert_collapse, data.reads_the_future,
    data.validation_in_training, data.unseen_tokens, data.decayed_norms, data.not_shuffled, data.smoothed_twice,
)  # fmt: skip


@pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("seed", range(3))
def test_a_rule_is_silent_on_a_good_training_and_without_any_series(rule, seed):
    good = {
        "train loss": curve(falling(seed=seed)),
        "validation loss": curve([3.5, 2.8, 2.5, 2.4, 2.41], 80),
        "tokens": curve(np.arange(1, N + 1) * 100.0),
        **by_layer("update ratio", b0=[0.05, *[1e-3] * 20], b1=[0.04, *[2e-3] * 20]),
        **by_layer("dead units", b0=[0.1] * 20),
        **by_layer("attention entropy", b0=np.linspace(4, 1, 20)),
        **{f"gradient norm blocks.{n}": curve(np.full(N, 0.1 * (n + 1))) for n in range(4)},
        **{f"lag gradient {lag}": curve([0.5**lag**0.5] * 4, 100) for lag in (1, 2, 4, 8, 16, 31)},
    }
    facts = {"targets": 65, "floors": {"unigram": 3.3, "uniform": math.log(65)}, "tokens": 30_000, "overlap": 0.01,
             "neighbours": 0.97, "unseen": 0, "decayed norms": []}  # fmt: skip
    assert rule(RunRecord(RECIPE, good, facts)) == []
    assert rule(RunRecord()) == []


@pytest.mark.parametrize(
    ("where", "message"), [("forward", "outputs of blocks.1"), ("backward", "gradients of blocks.1"),
                           ("weights", "weights blocks.1")]
)  # fmt: skip
def test_no_number_names_the_first_tensor_and_layer(where, message):
    event = {"event": "not finite", "step": 7, "where": where, "tensor": "blocks.1.channel", "layer": "blocks.1"}
    (found,) = losses.no_number(record(problem="the loss is nan at step 7; the training stopped there", events=[event]))
    assert message in found.what
    assert (found.step, found.layer) == (7, "blocks.1")
    assert [remedy.changes for remedy in found.remedies] == [
        {"training.optimizer.learning_rate": 0.000333}, {"training.schedule.warmup": 40}, {"training.clip": 1.0},
    ]  # fmt: skip


def test_a_problem_of_another_kind_is_not_about_numbers():
    assert losses.no_number(record(problem="out of memory at step 3")) == []


def test_a_training_that_loses_half_of_what_it_learned_diverges():
    values = np.concatenate([falling(200), np.linspace(2.0, 6.0, 200)])
    (found,) = losses.divergence(RunRecord(RECIPE, {"train loss": curve(values)}))
    assert 200 < found.step < 340
    assert found.evidence.limit == pytest.approx(3.0, abs=0.2)


def test_single_batches_far_above_their_neighbours_are_spikes():
    values = falling()
    values[[150, 220, 330]] += 3.0
    (found,) = losses.spikes(RunRecord(RECIPE, {"train loss": curve(values)}))
    assert found.step == 151
    assert "3 spikes" in found.what


@pytest.mark.parametrize(("level", "word"), [(math.log(65), "ln V"), (3.3, "frequency")])
def test_a_loss_that_stays_at_a_floor_is_a_plateau(level, word):
    flat = curve(level + 0.02 * np.random.default_rng(0).standard_normal(N))
    facts = {"targets": 65, "floors": {"unigram": 3.3}}
    (found,) = losses.plateau(RunRecord(RECIPE, {"train loss": flat}, facts))
    assert word in found.what
    assert found.evidence.limit == pytest.approx(level)
    random = {"targets": 65, "floors": {"unigram": level, ENTROPY_RATE: level}}
    assert losses.plateau(RunRecord(RECIPE, {"train loss": flat}, random)) == []


def test_a_validation_loss_that_rises_while_the_training_loss_falls_is_overfitted():
    series = {"train loss": curve(falling(low=0.5)), "validation loss": curve([3, 2.5, 2.4, 2.6, 2.9], 80)}
    (found,) = losses.overfitting(RunRecord(RECIPE, series))
    assert found.step == 161
    assert [remedy.changes for remedy in found.remedies] == [{"architecture.dropout": 0.2}, {"training.steps": 161}]


def test_a_text_that_was_read_many_times_is_memorised():
    series = {
        "train loss": curve(falling(low=0.3)), "validation loss": curve([3, 2.5, 2.4], 100),
        "tokens": curve(np.arange(1, N + 1) * 100.0),
    }  # fmt: skip
    (found,) = losses.memorised(RunRecord(RECIPE, series, {"tokens": 4000}))
    assert "after 10 passes" in found.what
    assert found.remedies[0].changes == {"training.steps": 80}
    assert losses.memorised(RunRecord(RECIPE, series, {"tokens": 10**6})) == []


def test_long_updates_are_too_fast_and_tiny_ones_too_slow():
    (fast,) = layers.too_fast(gauges("update ratio", b0=[0.5] * 10, b1=[0.3] * 10))
    assert "too high" in fast.what
    flat = {"train loss": curve(np.full(N, 4.0)), **by_layer("update ratio", b0=[1e-7] * 10)}
    (slow,) = layers.too_slow(RunRecord(RECIPE, flat))
    assert slow.remedies[0].changes == {"training.optimizer.learning_rate": 0.003}


@pytest.mark.parametrize(
    ("rule", "gauge", "bad"),
    [
        (layers.dead_units, "dead units", [0.1, 0.2, 0.7, 0.8, 0.9]),
        (layers.saturated_gates, "saturated units", [0.1, 0.2, 0.9, 0.95, 0.99]),
        (layers.expert_collapse, "unused experts", [0.0, 0.2, 0.7, 0.7, 0.7]),
    ],
)
def test_a_layer_that_hardly_works_is_named(rule, gauge, bad):
    (found,) = rule(gauges(gauge, b0=[0.1] * 5, b1=bad))
    assert (found.layer, found.step) == ("blocks.1", 41)
    assert "blocks.1" in found.what


def test_a_gradient_that_is_lost_with_depth_is_told():
    series = {f"gradient norm blocks.{n}": curve(np.full(N, 10.0 ** (2 * n - 8))) for n in range(4)}
    (found,) = layers.vanishing(RunRecord(RECIPE, series))
    assert found.layer == "blocks.0"
    series = {f"gradient norm blocks.{n}": curve(np.full(N, 10.0 ** (3 * n - 8))) for n in range(4)}
    layers_of_network = {name.replace("blocks", "layers"): values for name, values in series.items()}
    plain = {"architecture": {"name": "mlp", "residual": False}}
    (found,) = layers.vanishing(RunRecord(plain, layers_of_network))
    assert [remedy.changes for remedy in found.remedies] == [{"architecture.residual": True}]


def test_a_gradient_that_is_lost_with_the_lag_is_told_unless_the_model_reads_a_window_by_design():
    def by_lag(decay):
        return {f"lag gradient {lag}": curve([decay**lag] * 4, 100) for lag in (1, 2, 4, 8, 16, 31)}

    recurrent = {"architecture": {"name": "rnn", "initialisation": "uniform"}}
    (found,) = layers.vanishing_by_lag(RunRecord(recurrent, by_lag(0.5)))
    assert "31 tokens back" in found.what
    assert "16 tokens back cannot be learned" in found.remedy  # the first lag at which a thousandth is left
    assert found.remedies[0].changes == {"architecture.initialisation": "orthogonal"}
    assert layers.vanishing_by_lag(RunRecord(recurrent, by_lag(0.9))) == []
    window = {**by_lag(0.5), "lag gradient 16": curve([0.0] * 4, 100), "lag gradient 31": curve([0.0] * 4, 100)}
    assert layers.vanishing_by_lag(RunRecord(recurrent, window)) == []
    short = {name: values for name, values in by_lag(1e-3).items() if int(name.split()[-1]) < 16}
    assert layers.vanishing_by_lag(RunRecord(recurrent, short)) == []


def test_data_in_order_and_labels_smoothed_twice_are_told():
    carried = {"objective": {"name": "carried"}, "training": {"batch_size": 2}}
    (found,) = data.not_shuffled(record(carried, facts={"neighbours": 0.1}))
    assert [remedy.changes for remedy in found.remedies] == [
        {"training.batch_size": 16},
        {"objective.name": "causal"},
    ]
    smoothed = {"objective": {"name": "causal", "label_smoothing": 0.1}}
    assert data.smoothed_twice(record(smoothed)) == []
    taught = {**smoothed, "distillation": {"teacher": "large", "weight": 0.5}}
    (found,) = data.smoothed_twice(record(taught))
    assert found.remedies[0].changes == {"objective.label_smoothing": 0.0}
    assert data.smoothed_twice(record({**taught, "distillation": {"teacher": "large", "weight": 1.0}})) == []


def test_attention_that_came_to_read_a_single_token_has_collapsed():
    (found,) = layers.attention_collapse(gauges("attention entropy", b0=[3, 2, 0.01, 0.01, 0.01], b1=[3] * 5))
    assert (found.layer, found.step) == ("blocks.0", 41)
    assert found.remedies[0].changes == {"architecture.qk_norm": True}
    assert layers.attention_collapse(gauges("attention entropy", b0=[0.01] * 5)) == []


def test_facts_about_the_data_are_told():
    assert "60 %" in data.validation_in_training(record(facts={"overlap": 0.6}))[0].what
    (unseen,) = data.unseen_tokens(record(facts={"unseen": 1500, "targets": 2000}))
    assert unseen.remedies[0].changes == {"tokenizer.vocabulary_size": 500}
    assert "norm.weight" in data.decayed_norms(record(facts={"decayed norms": ["norm.weight"]}))[0].what
    leak = {"event": "problem", "what": "the model says that it is causal, and its output at …", "remedy": "Mend it"}
    assert data.reads_the_future(record(events=[leak]))[0].remedy == "Mend it"


@pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.__name__)
def test_a_rule_survives_series_and_facts_of_garbage(rule):
    bad = np.array([math.nan, math.inf, -math.inf, 1e308, 0.0] * 100)
    names = ("train loss", "validation loss", "tokens", "update ratio blocks.0", "dead units blocks.0",
             "gradient norm blocks.0", "gradient norm blocks.1", "gradient norm blocks.2",
             "attention entropy blocks.0")  # fmt: skip
    facts = {
        "targets": "many",
        "floors": {},
        "tokens": -1,
        "overlap": "all",
        "unseen": None,
        "decayed norms": 3,
        "neighbours": "near",
    }
    rule(
        RunRecord(
            {"training": 3}, {name: curve(bad) for name in names}, facts, [{"event": "not finite"}], "the loss is "
        )
    )
    rule(RunRecord({}, {name: curve(bad[:1]) for name in names}))
