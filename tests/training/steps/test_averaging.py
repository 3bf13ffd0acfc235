"""The mean of the last steps' weights: what it is, when it takes their place, and that it survives a break."""

import pytest
import torch
from torch import nn

from lab.recipes import Training
from lab.training.steps.averaging import WeightAverage


@pytest.fixture
def model():
    return nn.Linear(2, 1, bias=False)


def drift(model, average, steps):
    """After step n every weight is n²."""
    for step in steps:
        with torch.no_grad():
            model.weight.fill_(float(step**2))
        average.add(step)


def test_after_the_last_step_the_weights_are_the_mean_of_the_last_so_many(model):
    drift(model, WeightAverage(model, Training(average=3), 10), range(1, 11))
    assert torch.allclose(model.weight, torch.full((1, 2), (64 + 81 + 100) / 3))


def test_until_the_last_step_the_weights_are_their_own(model):
    drift(model, WeightAverage(model, Training(average=3), 10), range(1, 10))
    assert model.weight.eq(81).all()


def test_an_average_of_no_steps_changes_nothing(model):
    drift(model, WeightAverage(model, Training(average=0), 10), range(1, 11))
    assert model.weight.eq(100).all()


def test_more_steps_than_there_are_average_all(model):
    drift(model, WeightAverage(model, Training(average=50), 3), range(1, 4))
    assert torch.allclose(model.weight, torch.full((1, 2), 14 / 3))


def test_a_break_in_the_tail_changes_nothing(model):
    broken = WeightAverage(model, Training(average=4), 10)
    drift(model, broken, range(1, 9))
    state = {name: tensor.clone() for name, tensor in broken.state_dict().items()}
    resumed = WeightAverage(model, Training(average=4), 10)
    resumed.load_state_dict(state, 8)
    drift(model, resumed, range(9, 11))
    assert torch.allclose(model.weight, torch.full((1, 2), (49 + 64 + 81 + 100) / 4))


def test_memory_for_the_mean_is_taken_before_the_training_and_not_behind_an_update(model, monkeypatch):
    average = WeightAverage(model, Training(average=3), 10)

    def none(*arguments, **given):
        raise MemoryError

    for name in ("clone", "new_empty"):
        monkeypatch.setattr(torch.Tensor, name, none)
    drift(model, average, range(1, 9))
    assert average.state_dict()["average/weight"].eq(64).all()
    drift(model, average, range(9, 11))
    assert model.weight.eq((64 + 81 + 100) / 3).all()


def test_a_training_that_goes_on_after_its_end_does_so_from_the_weights_of_the_last_step(model):
    average = WeightAverage(model, Training(average=3), 10)
    drift(model, average, range(1, 11))
    assert average.end_at(20)
    assert model.weight.eq(100).all()
    assert average.state_dict() == {}


def test_the_weights_of_the_last_step_are_saved_in_the_place_of_the_mean(model):
    average = WeightAverage(model, Training(average=3), 10)
    drift(model, average, range(1, 11))
    state = {name: tensor.clone() for name, tensor in average.state_dict().items()}
    assert state.keys() == {"average", "last weights/weight"}
    resumed = WeightAverage(model, Training(average=3), 10)
    resumed.load_state_dict(state, 10)
    assert model.weight.eq((64 + 81 + 100) / 3).all()
    assert resumed.end_at(20)
    assert model.weight.eq(100).all()


def test_an_older_state_has_no_weights_of_the_last_step_and_says_so(model):
    older = {"average/weight": model.weight.detach().clone(), "average": torch.tensor(3)}
    resumed = WeightAverage(model, Training(average=3), 10)
    resumed.load_state_dict(older, 10)
    before = model.weight.detach().clone()
    assert not resumed.end_at(20)
    assert model.weight.equal(before)


def test_a_break_before_the_tail_keeps_nothing(model):
    average = WeightAverage(model, Training(average=2), 10)
    drift(model, average, range(1, 9))
    assert average.state_dict() == {}
