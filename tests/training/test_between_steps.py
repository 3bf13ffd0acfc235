"""What is looked at between two steps: samples, and readings of a pinned probe text at log-spaced steps."""

import numpy as np
import pytest

from lab.api import Reading
from lab.training.between_steps import log_spaced


def counting(calls):
    def probe(model, tokens):
        calls.append((model, tokens.tolist()))
        return [Reading("length", ("token",), np.zeros(tokens.shape[1], np.float32))]

    return ("a-plugin", probe)


@pytest.mark.parametrize(
    ("count", "last", "steps"),
    [(0, 100, set()), (1, 100, {0}), (2, 100, {0, 100}), (4, 999, {0, 9, 99, 999}), (50, 3, {0, 1, 2, 3}), (5, 0, {0})],
)
def test_moments_are_spaced_evenly_in_the_logarithm(count, last, steps):
    assert log_spaced(count, last) == steps


def test_readings_are_taken_at_the_moments_and_at_the_end_from_a_copy_of_the_model(experiment, trained, tokenizer):
    calls = []
    settings = {"tokenizer": tokenizer, "readings": {"tokens": 8, "moments": 4}, "steps": 26}
    told = trained(experiment("transformer", **settings), probes=[counting(calls)])
    assert [step for step, _ in told.log.moments] == [0, 2, 8, 26]
    assert all(model is not told.trainer.model and not model.training for model, _ in calls)


def test_a_stopped_training_takes_its_last_readings_where_it_stopped(experiment, training, tokenizer, at_step):
    settings = {"tokenizer": tokenizer, "readings": {"tokens": 8, "moments": 2}, "steps": 26}
    told = training(experiment("transformer", **settings), probes=[counting([])])
    told.trainer._observers.append(at_step({5: told.trainer.control.stop}))
    told.run()
    assert [step for step, _ in told.log.moments] == [0, 5]


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


def test_readings_end_when_their_budget_is_spent(experiment, trained, tokenizer):
    settings = {"tokenizer": tokenizer, "readings": {"tokens": 8, "moments": 10, "budget": 64}, "steps": 20}
    told = trained(experiment("transformer", **settings), probes=[counting([])])
    assert len(told.log.moments) == 2  # of 32 bytes each


@pytest.mark.parametrize("readings", [{"tokens": 0}, {"tokens": 8, "moments": 0}])
def test_no_tokens_or_no_moments_record_nothing(experiment, trained, tokenizer, readings):
    told = trained(experiment("transformer", tokenizer=tokenizer, readings=readings), probes=[counting([])])
    assert told.log.moments == []


def test_samples_are_written_at_evaluations_and_change_no_loss(experiment, trained, tokenizer):
    settings = {"config": {"dropout": 0.2}, "steps": 6}
    told = trained(experiment("transformer", tokenizer=tokenizer, evaluate_every=2, sample_tokens=20, **settings))
    assert [(step, len(text)) for step, text in told.log.samples] == [(2, 20), (4, 20), (6, 20)]
    assert set("".join(text for _, text in told.log.samples)) <= set("abcdefghijk")
    assert told.exact == trained(experiment("transformer", **settings)).exact
    assert told.trainer.model.training


def test_a_bidirectional_model_writes_no_samples(experiment, trained, tokenizer):
    told = trained(experiment("bidirectional", objective="masked", tokenizer=tokenizer, sample_tokens=20, steps=1))
    assert told.trainer.state == "finished"
    assert told.log.samples == []


def test_a_counting_model_writes_a_sample(experiment, trained, tokenizer):
    told = trained(experiment("n-gram", tokenizer=tokenizer, sample_tokens=20))
    assert [len(text) for _, text in told.log.samples] == [20]
