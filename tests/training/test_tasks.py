"""One trainer, unchanged, trains every kind of task: it knows an objective, a model and a source, nothing else."""

import math

import numpy as np
import pytest
import torch

from lab.layers import EXACT_MATCH
from lab.training.objectives import SequenceToSequence


class Reversals:
    """Pairs of a short word and the same word backwards; the target of odd examples is one symbol shorter."""

    vocabulary_size, context_length, examples = 6, 4, 64

    def rows(self, examples, seed):
        words = np.stack([np.random.default_rng([seed, int(e)]).integers(0, 6, 4) for e in examples])
        target = words[:, ::-1].copy()
        target[examples % 2 == 1, -1] = -1
        return {"source": words, "target": target}

    def ordered(self):
        return self


class Stripes:
    """Pictures of four patches; the class is the bright patch."""

    vocabulary_size, context_length, examples = 1, 4, 64
    input_shape, classes = (4, 3), 4

    def rows(self, examples, seed):
        labels = examples % 4
        noise = np.stack([np.random.default_rng([seed, int(e)]).normal(size=(4, 3)) for e in examples])
        noise[np.arange(len(examples)), labels] += 5
        return {"inputs": noise.astype(np.float32), "label": labels}

    def ordered(self):
        return self


def mean(values):
    return sum(values) / len(values)


def test_a_causal_model_learns_the_next_token(experiment, trained, source):
    recorded = trained(
        experiment("transformer", steps=60, learning_rate=0.02, validation=source(300, "windows", seed=1))
    )
    assert recorded.trainer.state == "finished"
    assert recorded.trainer.step == 60
    assert recorded.losses[0] == pytest.approx(math.log(11), abs=0.2)
    assert mean(recorded.losses[-5:]) < 1.2
    assert recorded.trainer.evaluation.loss < 1.2
    assert recorded.trainer.train_loss() == pytest.approx(mean(recorded.losses))


def test_a_bidirectional_model_learns_hidden_tokens(experiment, trained, source):
    recorded = trained(
        experiment(
            "bidirectional", objective="masked", steps=60, learning_rate=0.02, batch_size=16,
            validation=source(600, "windows", seed=1),
        )
    )  # fmt: skip
    assert not recorded.trainer.model.causal
    assert recorded.trainer.model.embedding.num_embeddings == 12  # the text's symbols and "mask"
    assert mean(recorded.losses[-10:]) < 0.6 * recorded.losses[0]
    assert recorded.trainer.evaluation.loss < 0.6 * recorded.losses[0]


@pytest.mark.long  # in short: it learns in the test of exact match
def test_an_encoder_decoder_learns_to_write_words_backwards(experiment, trained):
    recorded = trained(
        experiment(
            "encoder-decoder", objective="sequence-to-sequence", train=Reversals(), validation=Reversals(),
            config={"width": 24}, steps=180, learning_rate=0.02, batch_size=24,
        )
    )  # fmt: skip
    assert recorded.trainer.state == "finished", recorded.trainer.problem
    assert mean(recorded.losses[-5:]) < 0.25 * recorded.losses[0]
    model = recorded.trainer.model.eval()
    rows = Reversals().rows(np.arange(1000, 1020) * 2, 9)
    # half of the targets end before the last token, which no source says
    written = decoded(model, torch.from_numpy(rows["source"]), allowed=6)
    assert (written[:, :-1].numpy() == rows["target"]).all(axis=1).mean() >= 0.8


def test_exact_match_is_the_share_of_pairs_that_greedy_decoding_writes_without_a_mistake(experiment, trained):
    recorded = trained(
        experiment(
            "encoder-decoder", objective="sequence-to-sequence", train=Reversals(), validation=Reversals(),
            config={"width": 24}, steps=110, learning_rate=0.02, batch_size=24,
        )
    )  # fmt: skip
    assert recorded.trainer.state == "finished", recorded.trainer.problem
    assert mean(recorded.losses[-5:]) < 0.6 * recorded.losses[0]
    model = recorded.trainer.model.eval()
    examples = np.arange(1000, 1200) * 2  # these have no padding
    batch = SequenceToSequence().batch(Reversals(), examples, 9)
    with torch.no_grad():
        right, rows = SequenceToSequence().loss(model, batch).metrics[EXACT_MATCH]
    written = decoded(model, batch.inputs["source"])
    greedy = (written == batch.targets).all(dim=1).sum()
    assert 20 < greedy < 180
    assert (int(right), int(rows)) == (int(greedy), 200)


@torch.no_grad()
def decoded(model, source, *, allowed=8):
    """Write one token more than the source has, each the likeliest of the first symbols; 6 is "begin" and 7 "end"."""
    state = model.start(len(source), source=source, source_mask=source >= 0)
    last, written = torch.full((len(source),), 6), []
    for _ in range(source.shape[1] + 1):
        logits, state = model.step(last, state)
        last = logits[:, :allowed].argmax(dim=-1)
        written.append(last)
    return torch.stack(written, dim=1)


def test_targets_behind_the_end_of_a_short_pair_are_not_scored(experiment, trained):
    recorded = trained(
        experiment(
            "encoder-decoder", objective="sequence-to-sequence", train=Reversals(), validation=Reversals(), steps=1
        )
    )
    ends = 64
    assert recorded.trainer.evaluation.targets == 32 * 4 + 32 * 3 + ends


def test_a_classifier_of_patches_learns_and_reports_its_accuracy(experiment, trained):
    recorded = trained(
        experiment(
            "patches", objective="classification", train=Stripes(), validation=Stripes(), steps=100, batch_size=16
        )
    )
    assert recorded.trainer.state == "finished", recorded.trainer.problem
    assert recorded.losses[0] == pytest.approx(math.log(4), abs=0.4)
    assert mean(recorded.values("train accuracy")[-5:]) > 0.9
    assert recorded.values("validation accuracy") == [recorded.trainer.evaluation.metrics["accuracy"]]
    assert recorded.trainer.evaluation.metrics["accuracy"] > 0.9
    assert recorded.trainer.evaluation.targets == 64
    assert recorded.trainer.evaluation.bits_per_byte is None


@pytest.mark.long  # in short: a carried state goes on bit for bit, and is evaluated
def test_a_recurrent_model_learns_with_its_state_carried_from_step_to_step(experiment, trained, source):
    recorded = trained(
        experiment(
            "recurrent", objective="carried", steps=60, learning_rate=0.02, validation=source(300, "windows", seed=1)
        )
    )
    assert recorded.losses[0] == pytest.approx(math.log(11), abs=0.3)
    assert mean(recorded.losses[-5:]) < 1.3
    assert recorded.trainer.evaluation.protocol == "stream"


def test_what_is_carried_is_the_state_the_last_step_left(experiment, training, models):
    run = training(experiment("recurrent", objective="carried", steps=2, learning_rate=1e-9))
    model, source = run.trainer.model, run.trainer.experiment.train
    rows = np.concatenate([source.rows(np.arange(8) + 8 * i, 0)["tokens"][:, :-1] for i in range(2)], axis=1)
    logits = model(torch.from_numpy(rows))
    target = torch.from_numpy(source.rows(np.arange(8, 16), 0)["tokens"][:, 1:])
    second = torch.nn.functional.cross_entropy(logits[:, 12:].flatten(0, 1), target.flatten())
    assert run.run().losses[1] == pytest.approx(second.item(), abs=1e-5)


def test_the_state_is_dropped_where_the_lanes_of_a_carried_text_start_again(experiment, training, source):
    train = source(8 * 2 * 12 + 1, "lanes", lanes=8)  # two windows per lane: step 2 starts again
    run = training(experiment("recurrent", objective="carried", steps=3, learning_rate=1e-9, train=train)).run()
    assert run.losses[2] == pytest.approx(run.losses[0], abs=1e-5)
    assert run.losses[1] != pytest.approx(run.losses[0], abs=1e-5)


def test_a_model_that_counts_reads_the_text_once_and_is_finished(experiment, trained, source):
    train, validation = source(9000), source(600, "windows", seed=1)
    recorded = trained(experiment("n-gram", train=train, validation=validation, config={"order": 2}))
    assert recorded.trainer.state == "finished"
    assert recorded.trainer.tokens == 9000
    assert recorded.trainer.last_step == 3  # 4096, then as much again as was read
    assert recorded.trainer.evaluation.loss < 1.1
    assert recorded.trainer.evaluation.protocol == "stream"
    assert list(recorded.series["tokens"].values()) == [4096, 8192, 9000]


def test_a_model_that_counts_is_evaluated_after_every_slice(experiment, trained, source):
    own = {"config": {"order": 2}, "evaluate_every": 250}
    recorded = trained(experiment("n-gram", train=source(9000), validation=source(600, seed=1), **own))
    assert list(recorded.series["validation loss"]) == [1, 2, 3]


def test_a_counting_model_in_slices_holds_what_one_reading_would_give(experiment, trained, models, source, same):
    train = source(9000)
    experiment = experiment("n-gram", train=train, config={"order": 3})
    recorded = trained(experiment)
    complete = models.n_gram(experiment.architecture.config, experiment.task)
    complete.count(train.tokens.astype(np.int64))
    same(recorded.trainer.model.tables(), complete.tables())


def test_a_counting_model_refuses_a_source_that_is_no_text(experiment, training):
    with pytest.raises(Exception, match="needs text") as raised:
        training(experiment("n-gram", train=Reversals()))
    assert raised.value.problem.field == "corpus"


@pytest.mark.parametrize(("objective", "column"), [("causal", "tokens"), ("sequence-to-sequence", "source")])
def test_an_objective_for_another_kind_of_source_is_refused_in_words(experiment, trained, objective, column):
    model = "encoder-decoder" if objective == "sequence-to-sequence" else "transformer"
    recorded = trained(experiment(model, objective=objective, train=Stripes()))
    assert recorded.trainer.state == "failed"
    assert recorded.trainer.problem.field == "objective.name"
    assert f"no {column!r}" in recorded.trainer.problem.what


def test_no_steps_is_a_training_that_only_evaluates(experiment, trained, source):
    recorded = trained(experiment("transformer", steps=0, validation=source(200, "windows")))
    assert recorded.trainer.state == "finished"
    assert list(recorded.series["validation loss"]) == [0]
    assert recorded.losses == []


def test_evaluations_come_every_so_many_steps_and_at_the_end(experiment, trained, source):
    recorded = trained(experiment("transformer", steps=7, evaluate_every=3, validation=source(200, "windows")))
    assert list(recorded.series["validation loss"]) == [3, 6, 7]


def test_an_evaluation_at_the_last_step_is_made_once(experiment, trained, source):
    recorded = trained(experiment("transformer", steps=6, evaluate_every=3, validation=source(200, "windows")))
    assert list(recorded.series["validation loss"]) == [3, 6]


def test_a_model_that_counts_reads_one_more_slice_with_every_step(experiment, trained):
    one, all_of_it = (trained(experiment("n-gram", steps=steps)).trainer for steps in (1, 100))
    assert (one.step, one.tokens) == (1, min(4096, all_of_it.tokens))
    assert all_of_it.tokens == len(all_of_it.experiment.train.tokens)
