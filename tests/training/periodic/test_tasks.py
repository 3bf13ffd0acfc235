"""The work between steps: samples, and readings of a fixed probe text at log-spaced steps."""

import numpy as np
import pytest

from lab.api import Reading
from lab.training.periodic.tasks import log_spaced, subsample


def counting(calls):
    def probe(model, tokens):
        calls.append((model, tokens.tolist()))
        return [Reading("length", ("token",), np.zeros(tokens.shape[1], np.float32))]

    return ("a-plugin", probe)


@pytest.mark.parametrize(
    ("count", "last", "steps"),
    [(0, 100, []), (1, 100, [0]), (2, 100, [0, 100]), (4, 999, [0, 9, 99, 999]), (50, 3, [0, 1, 2, 3]), (5, 0, [0])],
)
def test_moments_are_spaced_evenly_in_the_logarithm(count, last, steps):
    assert log_spaced(count, last) == steps


@pytest.mark.parametrize(("count", "last"), [(12, 60), (12, 500), (60, 100), (60, 10**7), (1000, 1001)])
def test_as_many_moments_are_spaced_as_were_asked_for_from_the_first_step_to_the_last(count, last):
    steps = log_spaced(count, last)
    assert len(set(steps)) == count
    assert steps == sorted(steps)
    assert (steps[0], steps[-1]) == (0, last)


def test_fewer_moments_are_spread_as_the_planned_ones_are_and_keep_the_last():
    steps = log_spaced(12, 10**6)
    assert subsample(steps, 12) == steps
    assert subsample(steps, 4) == [steps[2], steps[5], steps[8], steps[11]]
    assert subsample(steps, 1) == steps[-1:]
    assert subsample(steps, 0) == []


def test_readings_are_taken_at_the_moments_and_at_the_end_from_a_copy_of_the_model(experiment, trained, tokenizer):
    calls = []
    settings = {"tokenizer": tokenizer, "readings": {"tokens": 8, "moments": 4}, "steps": 26}
    recorded = trained(experiment("transformer", **settings), probes=[counting(calls)])
    assert [step for step, _ in recorded.log.snapshots] == [0, 2, 8, 26]
    assert all(model is not recorded.trainer.model and not model.training for model, _ in calls)


def test_a_stopped_training_takes_its_last_readings_where_it_stopped(experiment, training, tokenizer, at_step):
    settings = {"tokenizer": tokenizer, "readings": {"tokens": 8, "moments": 2}, "steps": 26}
    recorded = training(experiment("transformer", **settings), probes=[counting([])])
    recorded.trainer._observers.append(at_step({5: recorded.trainer.control.stop}))
    recorded.run()
    assert [step for step, _ in recorded.log.snapshots] == [0, 5]


def test_the_probe_text_is_the_recipes_and_no_longer_than_the_model_reaches(experiment, trained, tokenizer):
    calls = []
    readings = {"tokens": 64, "moments": 1, "text": "abcabcabcabcabcabcabc"}
    trained(experiment("transformer", tokenizer=tokenizer, readings=readings, steps=1), probes=[counting(calls)])
    assert calls[0][1] == [[0, 1, 2] * 4]


def test_without_a_text_of_its_own_the_probe_reads_the_start_of_the_validation_text(
    experiment, trained, tokenizer, source
):
    calls, validation = [], source(100, "windows", seed=5)
    settings = {"tokenizer": tokenizer, "readings": {"tokens": 6, "moments": 1}, "validation": validation}
    trained(experiment("transformer", steps=1, **settings), probes=[counting(calls)])
    assert calls[0][1] == [validation.tokens[:6].tolist()]


def budget_of(events):
    recorded = ("moments", "kept", "bytes", "budget")
    return [{name: event[name] for name in recorded} for event in events if event["event"] == "budget"]


@pytest.fixture
def within(experiment, trained, tokenizer):
    """Train 999 steps with moments of 32 bytes each, within a budget."""

    def within(budget, steps_recorded=7, probe=None, steps=999):
        readings = {"tokens": 8, "moments": steps_recorded, "budget": budget}
        settings = {"tokenizer": tokenizer, "readings": readings, "steps": steps}
        return trained(experiment("transformer", **settings), probes=[probe or counting([])])

    return within


def test_a_sufficient_budget_leaves_out_no_snapshot_and_reports_nothing(within):
    recorded = within(32 * 4, steps_recorded=4, steps=26)
    assert [step for step, _ in recorded.log.snapshots] == [0, 2, 8, 26]
    assert budget_of(recorded.log.events) == []


def test_a_short_budget_spreads_fewer_snapshots_and_retains_the_last_one(within):
    recorded = within(32 * 4, steps_recorded=7, steps=63)
    assert log_spaced(7, 63) == [0, 1, 3, 7, 15, 31, 63]
    assert [step for step, _ in recorded.log.snapshots] == [0, 3, 15, 63]
    assert budget_of(recorded.log.events) == [{"moments": 7, "kept": 4, "bytes": 32, "budget": 128}]


@pytest.mark.parametrize(("budget", "steps"), [(63, [26]), (64, [0, 26]), (31, []), (32, [26])])
def test_a_budget_for_one_moment_keeps_it_for_the_end(within, budget, steps):
    recorded = within(budget, steps_recorded=5, steps=26)
    assert [step for step, _ in recorded.log.snapshots] == steps
    assert [event["kept"] for event in budget_of(recorded.log.events)] == [len(steps)]


def test_a_training_that_is_stopped_keeps_the_room_of_its_end(experiment, training, tokenizer, at_step):
    readings = {"tokens": 8, "moments": 10, "budget": 64}
    recorded = training(
        experiment("transformer", tokenizer=tokenizer, readings=readings, steps=26), probes=[counting([])]
    )
    recorded.trainer._observers.append(at_step({5: recorded.trainer.control.stop}))
    recorded.run()
    assert [step for step, _ in recorded.log.snapshots] == [0, 5]


def test_moments_that_grow_are_fitted_again_and_never_exceed_the_budget(within):
    sizes = iter(range(1, 100))

    def growing(model, tokens):
        return [Reading("length", ("token",), np.zeros(8 * next(sizes), np.float32))]

    recorded = within(32 * 12, steps_recorded=7, probe=("a-plugin", growing), steps=63)
    sizes_of_steps = [sum(one.values.nbytes for one in readings) for _, readings in recorded.log.snapshots]
    assert sum(sizes_of_steps) <= 32 * 12
    assert len(sizes_of_steps) >= 3
    assert budget_of(recorded.log.events)[-1]["kept"] == len(sizes_of_steps)


@pytest.mark.parametrize("readings", [{"tokens": 0}, {"tokens": 8, "moments": 0}])
def test_no_tokens_or_no_moments_record_nothing(experiment, trained, tokenizer, readings):
    recorded = trained(experiment("transformer", tokenizer=tokenizer, readings=readings), probes=[counting([])])
    assert recorded.log.snapshots == []


def test_samples_are_written_at_evaluations_and_change_no_loss(experiment, trained, tokenizer):
    settings = {"config": {"dropout": 0.2}, "steps": 6}
    recorded = trained(experiment("transformer", tokenizer=tokenizer, evaluate_every=2, sample_tokens=20, **settings))
    assert [(step, len(text)) for step, text in recorded.log.samples] == [(2, 20), (4, 20), (6, 20)]
    assert set("".join(text for _, text in recorded.log.samples)) <= set("abcdefghijk")
    assert recorded.exact == trained(experiment("transformer", **settings)).exact
    assert recorded.trainer.model.training


def test_a_sample_is_recorded_with_the_readings_of_each_moment_and_changes_no_loss(experiment, trained, tokenizer):
    settings = {"config": {"dropout": 0.2}, "tokenizer": tokenizer, "steps": 26}
    recorded = trained(
        experiment("transformer", readings={"tokens": 8, "moments": 4}, sample_tokens=20, **settings),
        probes=[counting([])],
    )
    assert [(step, len(text)) for step, text in recorded.log.written] == [(0, 20), (2, 20), (8, 20), (26, 20)]
    assert recorded.log.written[-1] == recorded.log.samples[-1]
    assert recorded.exact == trained(experiment("transformer", **settings)).exact


def test_samples_of_the_first_steps_are_short_so_that_they_do_not_delay_the_training(experiment, trained, tokenizer):
    readings = {"tokens": 8, "moments": 4}
    recorded = trained(
        experiment("transformer", readings=readings, sample_tokens=50, tokenizer=tokenizer, steps=26),
        probes=[counting([])],
    )
    assert [(step, len(text)) for step, text in recorded.log.written] == [(0, 20), (2, 24), (8, 36), (26, 50)]


def test_the_samples_of_moments_count_for_the_budget(experiment, trained, tokenizer):
    readings = {"tokens": 8, "moments": 4, "budget": 4 * 32}
    recorded = trained(
        experiment("transformer", tokenizer=tokenizer, readings=readings, sample_tokens=20, steps=26),
        probes=[counting([])],
    )
    assert [step for step, _ in recorded.log.snapshots] == [0, 26]  # of 32 bytes and 20 letters each


def test_a_bidirectional_model_writes_no_samples(experiment, trained, tokenizer):
    recorded = trained(experiment("bidirectional", objective="masked", tokenizer=tokenizer, sample_tokens=20, steps=1))
    assert recorded.trainer.state == "finished"
    assert recorded.log.samples == []


def test_a_counting_model_writes_a_sample(experiment, trained, tokenizer):
    recorded = trained(experiment("n-gram", tokenizer=tokenizer, sample_tokens=20))
    assert [len(text) for _, text in recorded.log.samples] == [20]
