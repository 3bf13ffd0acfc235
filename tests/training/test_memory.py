"""Blocks and logits that are computed again: the same result bit for bit or nearly, in less memory."""

import resource
import subprocess
import sys
from os import environ

import pytest
import torch

from lab.api import Task
from lab.base import BadInput
from lab.diagnostics.activations import SavedForBackward
from lab.layers import AuxiliaryLosses, unreduced_cross_entropy


def stepped(model, tokens, targets, seed=3):
    """The loss and the gradients of one step."""
    model.train().zero_grad()
    torch.manual_seed(seed)
    with SavedForBackward(model) as saved:
        loss = -model.score(tokens, targets).mean()
    loss.backward()
    return loss.detach(), {name: p.grad.clone() for name, p in model.named_parameters()}, saved.bytes


@pytest.fixture
def stack(models):
    """A stack with dropout, and a batch for it."""
    torch.manual_seed(0)
    config = models.Config.read({"layers": 3, "width": 32, "dropout": 0.2, "layer_dropout": 0.2})
    tokens = torch.randint(11, (4, 12))
    return models.transformer(config, Task(11, 12)), tokens, tokens.roll(-1, 1)


def test_recomputed_blocks_give_the_same_gradients_bit_for_bit_with_less_stored(stack):
    model, *batch = stack
    loss, gradients, stored = stepped(model, *batch)
    model.recompute = True
    again, others, less = stepped(model, *batch)
    assert torch.equal(loss, again)
    assert all(torch.equal(gradients[name], others[name]) for name in gradients)
    assert less < stored / 2


def test_nothing_is_recomputed_in_an_evaluation(stack):
    model, tokens, targets = stack
    model.recompute, model.loss_chunk = True, 5
    model.eval()
    with torch.no_grad():
        found = model.score(tokens, targets)
    assert torch.equal(found, -unreduced_cross_entropy(model(tokens), targets).detach())


@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_a_loss_in_chunks_is_the_plain_one(stack, chunk):
    model, tokens, targets = stack
    targets[0, :5] = -1
    loss, gradients, _ = stepped(model, tokens, targets)
    model.loss_chunk = chunk
    again, others, _ = stepped(model, tokens, targets)
    assert abs(float(loss - again)) < 1e-6
    for name, gradient in gradients.items():
        assert torch.allclose(gradient, others[name], rtol=0, atol=1e-6), name


def test_a_loss_that_a_block_adds_is_added_once(models):
    class Losing(models.transformer(models.Config.read({}), Task(11, 12)).blocks[0].__class__):
        def forward(self, x, mask=None):
            self.add_loss("balance", x.square().mean(), 0.1)
            return super().forward(x, mask)

    model = models.transformer(models.Config.read({"layers": 2}), Task(11, 12)).train()
    for block in model.blocks:
        block.__class__ = Losing
    model.recompute = True
    losses = AuxiliaryLosses().attach(model)
    tokens = torch.randint(11, (2, 12))
    objective = -model.score(tokens, tokens).mean()
    terms = losses.take()
    (objective + sum(weight * value for _, value, weight, _ in terms)).backward()
    assert len(terms) == 2
    assert losses.take() == []
    assert all(p.grad is not None for name, p in model.named_parameters() if name.startswith("blocks.0"))


@pytest.mark.parametrize("setting", ["recompute", "loss_chunk"])
def test_a_model_that_is_no_stack_refuses(experiment, setting):
    with pytest.raises(BadInput) as raised:
        experiment("recurrent", **{setting: 1 if setting == "loss_chunk" else True}).build()
    assert raised.value.problem.field == f"training.{setting}"


def test_a_training_that_recomputes_is_the_same(experiment, trained):
    given = {"config": {"dropout": 0.3, "layers": 2}, "steps": 6}
    plain, recomputing = trained(experiment(**given)), trained(experiment(recompute=True, **given))
    assert plain.losses == recomputing.losses
    measured = [run.trainer.learner.activation_bytes for run in (recomputing, plain)]
    assert measured[0] < measured[1]
    assert trained(experiment(loss_chunk=5, **given)).losses == pytest.approx(plain.losses, abs=1e-5)


RETURNED = {"MALLOC_MMAP_THRESHOLD_": "1000000", "MALLOC_TRIM_THRESHOLD_": "1000000"}
"""Settings of glibc with which freed memory is returned, so that what a process holds is what it needs."""
LARGE = """
import resource, sys, torch
from lab.api import StackConfig, Task
from lab.layers import Attention, ResidualStack
torch.set_num_threads(1)
config = StackConfig(layers=1, width=16)
model = ResidualStack(config, Task(50_000, 64), token_mixer=lambda slot: Attention(slot, heads=2))
model.loss_chunk = int(sys.argv[1])
few = torch.zeros(1, 2, dtype=torch.long)
(-model.score(few, few).mean()).backward()  # what torch loads and keeps
tokens = torch.randint(50_000, (48, 64))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
(-model.score(tokens, tokens.roll(-1, 1)).mean()).backward()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="the unit of ru_maxrss")
def test_a_step_with_fifty_thousand_symbols_takes_bounded_memory():
    assert resource.RUSAGE_SELF == 0
    taken = {}
    for chunk in (0, 64):
        command = [sys.executable, "-c", LARGE, str(chunk)]
        found = subprocess.run(command, capture_output=True, text=True, check=True, env=environ | RETURNED)
        taken[chunk] = int(found.stdout) / 1024  # MiB
    logits = 48 * 64 * 50_000 * 4 / 2**20
    assert taken[0] > 1.8 * logits
    assert taken[64] < 0.2 * logits
