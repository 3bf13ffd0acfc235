"""Modules that update by their own rule do so once for each optimizer step, however the step is cut."""

import dataclasses

import pytest
import torch

from lab.layers import Attention, FeedForward, ResidualStack
from lab.testing.cards import offer_of
from lab.training.resolution import Resolved

CARD = offer_of(None, "lab_moe").architectures["moe"]
TINY = {"layers": 2, "width": 8, "heads": 2, "hidden": 4, "shared": 1, "experts": 4, "chosen": 2, "dense_first": 1}


class Followed(FeedForward):
    """Counts training passes, and notes at each step how many there were."""

    def __init__(self, slot):
        super().__init__(slot)
        self.register_buffer("passes", torch.zeros((), dtype=torch.long), persistent=False)
        self.steps = []

    def forward(self, x):
        if self.training and torch.is_grad_enabled():
            self.passes += 1
        return super().forward(x)

    def after_step(self):
        self.steps.append(int(self.passes))
        self.passes.zero_()


def followed(config, task):
    """The transformer with Followed in it."""
    return ResidualStack(config, task, token_mixer=lambda slot: Attention(slot, heads=2), channel_mixer=Followed)


@pytest.fixture
def mixture(experiment):
    """Return a function that makes an experiment with the tiny form of deepseek-v3."""

    def mixture(balance=0.0001, **settings):
        preset = CARD.presets["deepseek-v3"]["architecture"]
        config = CARD.config.read({**preset, **TINY, "bias_rate": 0.01, "balance": balance})
        resolved = Resolved(CARD, config, "lab_moe", "architecture")
        return dataclasses.replace(experiment(**settings), architecture=resolved)

    return mixture


def biases(recorded):
    return {name: table for name, table in recorded.weights().items() if name.endswith("selection_bias")}


def failing(learner, at):
    """Let the pass of this number fail once, for want of memory."""
    objective, passes = learner.experiment.objective, []

    def loss(model, batch, carry):
        done = type(objective).loss(objective, model, batch, carry)
        passes.append(batch)
        if len(passes) == at:
            raise MemoryError
        return done

    objective.loss = loss


@pytest.mark.parametrize("pieces", [1, 4])
def test_every_module_with_a_hook_is_called_once_per_step(experiment, training, source, pieces):
    validation = source(200, "windows", seed=3)
    recorded = training(
        experiment(
            followed, config={"layers": 2}, steps=3, accumulation=pieces, validation=validation, evaluate_every=1
        )
    )
    recorded.run()
    assert [block.channel.steps for block in recorded.trainer.model.blocks] == [[pieces] * 3] * 2


def test_what_a_failed_step_added_up_is_forgotten(experiment, training):
    learner = training(experiment(followed, accumulation=4)).trainer.learner
    failing(learner, at=7)
    learner.make_step(0)
    with pytest.raises(MemoryError):
        learner.make_step(1)
    learner.make_step(1)
    assert learner.model.blocks[0].channel.steps == [4, 4]


def test_the_bias_on_the_choice_of_experts_is_the_same_in_one_piece_and_in_four(mixture, trained, same):
    # without the loss on the balance, a product of means, a step in pieces has the same gradient
    alike = {"balance": 0.0, "optimizer": "sgd", "steps": 3}
    complete, cut = (biases(trained(mixture(**alike, accumulation=pieces))) for pieces in (1, 4))
    same(complete, cut)
    (bias,) = complete.values()
    assert 0.01 <= bias.abs().max() < 0.031  # three steps of it at most


def test_a_mixture_with_a_bias_on_the_choice_continues_bit_for_bit(mixture, training, at_step, saved_state, same):
    settings = {"steps": 6, "accumulation": 2}
    straight = training(mixture(**settings)).run()
    first = training(mixture(**settings))
    first.trainer._observers.append(at_step({3: first.trainer.control.stop}))
    first.run()
    assert any(bias.any() for bias in biases(first).values())
    second = training(mixture(**settings))
    second.trainer.load_state_dict(*saved_state(first.trainer))
    second.run()
    assert first.losses + second.losses == straight.losses
    same(second.weights(), straight.weights())
