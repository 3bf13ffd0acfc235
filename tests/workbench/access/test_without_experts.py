"""The validation loss without some experts: of a run that trains, of one on disk, and before any training."""

import pytest
import torch

import lab
from lab.api import Task
from lab.base import BadInput
from lab.base.jobs import Cancelled
from lab.diagnostics.routing import routing
from lab.host import Plugins
from lab.workbench.access.untrained import Untrained
from lab.workbench.access.without_experts import switched_off

MIXTURE = "architecture={name='moe', layers=2, width=16, heads=2, experts=4, chosen=2, hidden=8}"


def built(architecture, **settings):
    """A model of two small blocks."""
    card = Plugins().card("architectures", architecture)
    return card.make(card.config(layers=2, width=16, heads=2, **settings), Task(16, 8)).eval()


@pytest.fixture
def model():
    """A model with four experts in each block."""
    return built("moe", experts=4, chosen=2)


@pytest.fixture
def untrained(bench, recipe):
    """The same before any training."""
    return Untrained(recipe(2, MIXTURE), bench.plugins)


def loads_of(model):
    """The load of the experts of each block."""
    with torch.no_grad():
        return [one.values for one in routing(None)(model, torch.arange(8)[None]) if one.name == "load"]


def test_no_token_goes_to_an_expert_that_is_switched_off(model):
    with switched_off(model, {0: [1, 2]}):
        first, second = loads_of(model)
    assert (first > 0).tolist() == [True, False, False, True]
    assert (second[1:3] > 0).any()
    assert (loads_of(model)[0][1:3] > 0).any()


@pytest.mark.parametrize(
    ("off", "words"),
    [
        ({5: [0]}, ("no block with experts", "the blocks 1, 2")),
        ({1: [4]}, ("no expert of block 2", "the experts 1 to 4")),
        ({1: [-1]}, ("no expert of block 2", "the experts 1 to 4")),
        ({0: range(4)}, ("block 1 would have no expert left", "up to 3 of its 4")),
    ],
)
def test_experts_that_are_not_there_are_refused_with_those_that_are(model, off, words):
    with pytest.raises(BadInput) as refused, switched_off(model, off):
        pass
    assert all(word in refused.value.problem.line() for word in words)


def test_a_model_without_experts_is_refused():
    with pytest.raises(BadInput, match="no experts that can be switched off"), switched_off(built("transformer"), {}):
        pass


def test_both_losses_are_of_the_same_tokens(untrained):
    found = untrained.without_experts({1: [0, 2]}, tokens=64)
    assert 56 < found.targets <= 64  # whole windows; the last of the text is short
    assert found.loss != found.intact
    same = untrained.without_experts({}, tokens=64)
    assert (same.targets, same.loss) == (found.targets, same.intact)


def test_all_experts_give_the_loss_of_an_evaluation(recipe):
    saved = lab.train(recipe(1, MIXTURE))
    found, evaluated = saved.without_experts({0: [3]}, tokens=0), saved.evaluate()
    assert found.loss != found.intact == pytest.approx(evaluated.loss)
    assert (found.targets, found.protocol) == (evaluated.targets, evaluated.protocol)


def test_work_that_is_cancelled_brings_no_half_result(untrained):
    with pytest.raises(Cancelled):
        untrained.without_experts({0: [1]}, cancelled=lambda: True)
    found = untrained.without_experts({}, tokens=8)
    assert found.loss == found.intact  # the model is whole again


def test_a_model_that_trains_keeps_its_experts_meanwhile(bench, for_ever, until):
    run = bench.start(for_ever.with_assignments(MIXTURE))
    until(lambda: run.trainer is not None and run.trainer.step > 2)
    mixtures, seen = [one for one in run.trainer.model.modules() if hasattr(one, "off")], []

    def cancelled():
        seen.extend(one.off for one in mixtures)
        return False

    found = run.without_experts({0: [0, 1]}, tokens=64, cancelled=cancelled)
    assert found.loss != found.intact
    assert seen
    assert not any(seen)
