"""A step in pieces is the step: gradients add up and are divided by all that the step scores."""

import numpy as np
import pytest
import torch

from lab.api import Batch, Objective, Task
from lab.layers import Attention, AuxiliaryLosses, FeedForward, ResidualStack
from lab.recipes import Training
from lab.training.failures import failure_of
from lab.training.recording.telemetry import Ring
from lab.training.steps.gradient import GradientLearner


def gradients(experiment):
    """The gradients of the first step, by name, and its loss."""
    learner = GradientLearner(experiment, experiment.build(), Ring())
    loss, metrics = learner._accumulate(0)
    return {name: p.grad.clone() for name, p in learner.model.named_parameters()}, loss, metrics


def assert_close(one, other):
    assert one.keys() == other.keys()
    for name in one:
        assert torch.allclose(one[name], other[name], atol=1e-6, rtol=1e-5), name


@pytest.mark.parametrize("pieces", [2, 3, 4, 8, 50])
@pytest.mark.parametrize("task", ["causal", "masked"])
def test_gradients_and_loss_in_pieces_are_those_of_the_whole(experiment, pieces, task):
    model = "transformer" if task == "causal" else "bidirectional"
    complete, loss, _ = gradients(experiment(model, objective=task))
    cut, same_loss, _ = gradients(experiment(model, objective=task, accumulation=pieces))
    assert same_loss.item() == pytest.approx(loss.item(), abs=1e-6)
    assert_close(cut, complete)


class Ragged(Objective):
    """Row r of the text scores only its first r targets, so that pieces weigh very differently."""

    needs = "causal"

    def batch(self, source, examples, seed):
        rows = source.rows(examples, seed)["tokens"]
        tokens, targets = rows[:, :-1].copy(), rows[:, 1:].copy()
        for row, example in zip(targets, examples, strict=True):
            row[int(example) + 1 :] = -1
        return Batch({"tokens": torch.from_numpy(tokens)}, torch.from_numpy(targets), int((targets >= 0).sum()))

    def loss(self, model, batch, carry=None):
        loss = super().loss(model, batch)
        loss.metrics = {"certainty": (loss.nats.detach().neg().exp().sum(), batch.weight)}
        return loss


@pytest.mark.parametrize("pieces", [4, 8])
def test_each_target_weighs_the_same_however_unequal_the_pieces_are(experiment, pieces):
    complete, loss, metrics = gradients(experiment("transformer", objective=Ragged()))
    cut, same_loss, same_metrics = gradients(experiment("transformer", objective=Ragged(), accumulation=pieces))
    assert same_loss.item() == pytest.approx(loss.item(), abs=1e-6)
    assert_close(cut, complete)
    assert same_metrics["train certainty"][1] == metrics["train certainty"][1] == sum(range(1, 9))
    assert float(same_metrics["train certainty"][0]) == pytest.approx(float(metrics["train certainty"][0]), abs=1e-5)


def test_the_loss_is_the_mean_over_all_scored_targets(experiment):
    made = experiment("transformer", objective=Ragged(), accumulation=4)
    _, loss, _ = gradients(made)
    batch = made.objective.batch(made.train, np.arange(8), 0)
    logits = made.build()(batch.inputs["tokens"])
    expected = torch.nn.functional.cross_entropy(logits.flatten(0, 1), batch.targets.flatten(), ignore_index=-1)
    assert loss.item() == pytest.approx(expected.item(), abs=1e-6)


class Nothing(Ragged):
    def batch(self, source, examples, seed):
        batch = super().batch(source, examples, seed)
        batch.targets, batch.weight = torch.full_like(batch.targets, -1), 0
        return batch


def test_a_step_that_scores_nothing_changes_no_weight_by_its_gradient(experiment, trained, same):
    recorded = trained(experiment("transformer", objective=Nothing(), steps=1, weight_decay=0.0))
    assert recorded.trainer.state == "finished"
    assert recorded.losses == [0.0]
    same(recorded.weights(), recorded.trainer.experiment.build().tables())


def balanced(config, task):
    """The transformer with an auxiliary loss."""

    class Balanced(FeedForward):
        def forward(self, x):
            y = super().forward(x)
            self.add_loss("balance", y.square().mean(), 0.5)
            return y

    return ResidualStack(config, task, token_mixer=lambda slot: Attention(slot, heads=2), channel_mixer=Balanced)


def centred(config, task):
    """The transformer with an auxiliary loss of the complete model, added twice."""

    class Centred(ResidualStack):
        def forward(self, tokens, **given):
            logits = super().forward(tokens, **given)
            for power in (1, 2):
                self.add_loss("centre", logits.mean() ** power, 0.5)
            return logits

    return Centred(config, task, token_mixer=lambda slot: Attention(slot, heads=2))


def test_auxiliary_losses_count_by_the_share_of_targets_of_their_piece(experiment):
    complete, loss, metrics = gradients(experiment(balanced))
    cut, same_loss, same_metrics = gradients(experiment(balanced, accumulation=4))
    plain, _, _ = gradients(experiment("transformer"))
    assert_close(cut, complete)
    assert same_loss.item() == pytest.approx(loss.item(), abs=1e-6)  # the loss is of the task alone
    assert not torch.allclose(complete["blocks.0.channel.outer.weight"], plain["blocks.0.channel.outer.weight"])
    amount, count = metrics["auxiliary balance"]
    same_amount, same_count = same_metrics["auxiliary balance"]
    assert count == same_count
    assert float(amount) == pytest.approx(float(same_amount), rel=1e-4)


def test_auxiliary_losses_of_an_evaluation_do_not_leak_into_the_next_step(experiment, trained, source):
    validation = source(200, "windows", seed=3)
    watched = trained(experiment(balanced, steps=4, evaluate_every=1, validation=validation))
    alone = trained(experiment(balanced, steps=4))
    assert watched.values("auxiliary balance") == alone.values("auxiliary balance")
    assert len(alone.values("auxiliary balance")) == 4


def test_auxiliary_losses_of_a_failed_step_are_dropped_with_its_graph(experiment, training):
    learner = training(experiment(balanced, accumulation=2)).trainer.learner
    objective, pieces = learner.experiment.objective, []

    def loss(model, batch, carry):
        pieces.append(type(objective).loss(objective, model, batch, carry))
        if len(pieces) == 2:
            raise MemoryError
        return pieces[-1]

    objective.loss = loss
    with pytest.raises(MemoryError):
        learner.make_step(0)
    assert len(pieces) == 2
    assert learner._auxiliary.terms == []
    assert all(parameter.grad is None for parameter in learner.model.parameters())


def test_an_auxiliary_loss_of_several_layers_is_recorded_for_each_and_their_mean_for_all(experiment, trained):
    recorded = trained(experiment(balanced, config={"layers": 2}, steps=3, accumulation=2))
    first, second, mean = (recorded.values(f"auxiliary balance{layer}") for layer in (" blocks.0", " blocks.1", ""))
    assert [(one + other) / 2 for one, other in zip(first, second, strict=True)] == pytest.approx(mean, rel=1e-6)
    assert first != second
    assert len(mean) == 3


def test_an_auxiliary_loss_of_one_layer_or_of_the_whole_model_has_its_mean_alone(experiment, trained):
    recorded = trained(experiment(balanced, steps=1))
    assert [name for name in recorded.series if name.startswith("auxiliary")] == ["auxiliary balance"]
    recorded = trained(experiment(centred, config={"layers": 2}, steps=1))
    assert [name for name in recorded.series if name.startswith("auxiliary")] == ["auxiliary centre"]


@pytest.mark.parametrize("pieces", [1, 4])
def test_the_auxiliary_loss_of_a_piece_weighs_as_much_as_its_targets(experiment, pieces):
    made = experiment(balanced, objective=Ragged(), accumulation=pieces)
    ours, _, metrics = gradients(made)
    model, objective, source = made.build(), made.objective, made.train
    auxiliary = AuxiliaryLosses().attach(model)
    complete = balance = 0.0
    for examples in np.array_split(np.arange(8), pieces):
        batch = objective.batch(source, examples, 0)
        nats = objective.loss(model, batch).nats.sum()
        ((_, value, weight, _),) = auxiliary.take()
        complete = complete + nats / 36 + weight * value * batch.weight / 36
        balance += value.item() * batch.weight / 36
    complete.backward()
    assert_close(ours, {name: parameter.grad for name, parameter in model.named_parameters()})
    amount, count = metrics["auxiliary balance"]
    assert float(amount) / count == pytest.approx(balance, rel=1e-4)


def test_tokens_are_counted_over_all_pieces(experiment, trained):
    assert trained(experiment("transformer", steps=3, accumulation=3)).trainer.tokens == 3 * 8 * 12


def test_the_task_of_an_objective_of_ones_own_is_causal_text_by_default(source):
    assert Ragged().task(source()) == Task(vocabulary_size=11, context_length=12)


# ---- what is not the same in pieces: the help names it


def multiplied(config, task):
    """The transformer with a product of two means over the tokens, as a balance loss is."""

    class Multiplied(FeedForward):
        def forward(self, x):
            y = super().forward(x)
            self.add_loss("balance", y.mean((0, 1)).square().sum(), 1e4)
            return y

    return ResidualStack(config, task, token_mixer=lambda slot: Attention(slot, heads=2), channel_mixer=Multiplied)


@pytest.mark.parametrize(
    ("build", "config"), [("transformer", {"dropout": 0.3}), (multiplied, {})], ids=["dropout", "balance"]
)
def test_draws_and_balance_losses_are_by_piece(experiment, build, config):
    complete, _, _ = gradients(experiment(build, config=config))
    cut, _, _ = gradients(experiment(build, config=config, accumulation=4))
    name = "blocks.0.channel.outer.weight"
    assert (complete[name] - cut[name]).norm() > 0.01 * complete[name].norm()


def test_the_help_and_the_message_of_a_step_without_memory_name_what_is_by_piece():
    text = Training.model_fields["accumulation"].description
    problem = failure_of(MemoryError(), step=3, training=Training(), plugin=None).problem
    for words in (text, problem.what):
        assert all(each in words for each in ("dropout", "noise", "balance", "experts"))
