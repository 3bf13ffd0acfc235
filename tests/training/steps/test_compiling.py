"""A training may let torch compile the blocks of its model, or says why not."""

import threading

import pytest
import torch
from torch import nn

from lab.api import BadInput
from lab.layers import FeedForward, ResidualStack, TokenMixer
from lab.recipes import Training
from lab.training import devices
from lab.training.devices import placement_of
from lab.training.steps import compiling

LOCK = threading.Lock()


class Shifting(TokenMixer):
    """A token mixer that adds the token before, and may do what torch cannot compile."""

    breaks = False

    def __init__(self, slot):
        super().__init__()
        self.gate = nn.Parameter(torch.ones(slot.width))

    def forward(self, x):
        if self.breaks:
            with LOCK:
                pass
        return torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1) * self.gate


class Breaking(Shifting):
    """One that does."""

    breaks = True


def stack(mixer):
    def build(config, task):
        return ResidualStack(config, task, token_mixer=mixer, channel_mixer=lambda slot: FeedForward(slot, hidden=16))

    return build


@pytest.fixture
def calls(monkeypatch):
    """Put a compiler that only counts in the place of torch's, and return the calls of its graphs."""
    found = []

    def backend(graph, _inputs):
        def run(*given):
            found.append(torch.is_grad_enabled())
            return graph.forward(*given)

        return run

    monkeypatch.setattr(compiling, "BACKEND", backend)
    torch._dynamo.reset()
    yield found
    torch._dynamo.reset()


def test_the_steps_of_a_training_run_compiled_blocks_and_nothing_else_does(calls, experiment, source, trained, notices):
    plain = trained(experiment(stack(Shifting), evaluate_every=4, validation=source()))
    compiled = trained(experiment(stack(Shifting), evaluate_every=4, validation=source(), compile=True))
    assert compiled.trainer.state == "finished", compiled.trainer.problem
    assert calls == 8 * len(compiled.trainer.model.blocks) * [True]
    assert compiled.losses == pytest.approx(plain.losses, rel=1e-5)
    assert sum("Compiling the blocks took" in str(notice.problem) for notice in notices) == 1
    assert all("forward" not in vars(block) for block in compiled.trainer.model.blocks)


def test_a_compiled_training_resumed_in_the_middle_is_the_same_bit_for_bit(
    calls, experiment, training, at_step, saved_state, same
):
    straight, second = resumed_in_the_middle(experiment, training, at_step, saved_state)
    same(second.weights(), straight.weights())
    assert calls


@pytest.mark.long
def test_code_of_torch_s_compiler_resumes_bit_for_bit(experiment, training, at_step, saved_state, same):
    straight, second = resumed_in_the_middle(experiment, training, at_step, saved_state)
    same(second.weights(), straight.weights())


def resumed_in_the_middle(experiment, training, at_step, saved_state):
    """Return a compiled training of eight steps, and one that was stopped after four and resumed."""
    given = {"build": "transformer", "config": {"dropout": 0.2}, "compile": True}
    straight = training(experiment(**given)).run()
    first = training(experiment(**given))
    first.trainer._observers.append(at_step({4: first.trainer.control.stop}))
    first.run()
    second = training(experiment(**given))
    second.trainer.load_state_dict(*saved_state(first.trainer))
    second.run()
    assert straight.trainer.state == "finished", straight.trainer.problem
    assert first.losses + second.losses == straight.losses
    return straight, second


def test_a_block_that_is_no_single_graph_is_refused_with_the_reason(calls, experiment, training):
    recorded = training(experiment(stack(Breaking), compile=True)).run()
    assert not calls
    problem = recorded.trainer.problem
    assert problem.field == "training.compile"
    assert "context manager" in problem.what
    assert problem.remedy == "Set training.compile=false"


def test_a_model_without_blocks_is_refused(experiment):
    with pytest.raises(BadInput) as raised:
        experiment("fused", compile=True).build()
    assert raised.value.problem.field == "training.compile"


@pytest.mark.parametrize(
    ("device", "missing", "reason"),
    [
        ("cpu", "which", "a C++ compiler, and this machine has none"),
        ("cuda", "triton", "triton, which is not installed"),
        ("mps", None, "does not compile training steps for this device"),
    ],
)
def test_a_machine_that_cannot_compile_says_what_it_lacks(device, missing, reason, monkeypatch):
    monkeypatch.setattr(devices, "available_devices", lambda: ["cpu", "cuda:0", "mps"])
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda **_: True)
    if missing == "which":
        monkeypatch.setattr(devices.shutil, "which", lambda name: None)
    if missing == "triton":
        monkeypatch.setattr(devices.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(BadInput) as raised:
        placement_of(Training(device=device, compile=True))
    assert raised.value.problem.field == "training.compile"
    assert reason in raised.value.problem.what
    assert "training.compile=false" in raised.value.problem.remedy
    placement_of(Training(device=device))
