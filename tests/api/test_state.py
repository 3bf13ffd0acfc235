"""States: plain nested data, batch first, and what the lab does with it."""

from collections import namedtuple
from dataclasses import dataclass

import pytest
import torch

from lab.api import copy_state, detach_state, map_state, select_state, state_bytes, tensors_of

Pair = namedtuple("Pair", "keys values")


def state():
    return {
        "position": 3,
        "blocks": (torch.arange(6.0).view(3, 2), [None, Pair(torch.arange(3), torch.zeros(3, 0, 2))]),
    }


def test_a_copy_keeps_every_shape_of_nesting_and_shares_no_memory():
    first = state()
    second = copy_state(first)
    second["blocks"][0].zero_()
    assert first["blocks"][0].sum() == 15
    assert (second["position"], second["blocks"][1][0]) == (3, None)
    assert isinstance(second["blocks"][1][1], Pair)


def test_rows_are_picked_in_their_order_and_may_repeat():
    picked = select_state(state(), torch.tensor([2, 0, 0, 1]))
    assert picked["blocks"][0].tolist() == [[4, 5], [0, 1], [0, 1], [2, 3]]
    assert picked["blocks"][1][1].keys.tolist() == [2, 0, 0, 1]
    assert picked["blocks"][1][1].values.shape == (4, 0, 2)


def test_tensors_come_in_order_and_their_bytes_add_up():
    assert [tuple(tensor.shape) for tensor in tensors_of(state())] == [(3, 2), (3,), (3, 0, 2)]
    assert state_bytes(state()) == 6 * 4 + 3 * 8
    assert state_bytes(None) == 0


def test_a_detached_state_has_no_history():
    tensor = torch.ones(2, requires_grad=True) * 2
    assert not detach_state((tensor,))[0].requires_grad
    assert tensor.requires_grad


@pytest.mark.parametrize("odd", [0.5, "text", object(), {1, 2}])
def test_what_is_no_plain_data_is_refused_by_its_type(odd):
    with pytest.raises(TypeError, match=f"a state holds a {type(odd).__name__}: use tensors"):
        copy_state((None, [odd]))


def test_a_dataclass_is_refused_too():
    @dataclass
    class Cache:
        keys: torch.Tensor

    with pytest.raises(TypeError, match="a state holds a Cache"):
        map_state(torch.clone, {"cache": Cache(torch.zeros(1))})
