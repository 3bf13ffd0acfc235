"""Repeated operations get their results from the first ones, and no tree is another one for that."""

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from lab.api import Task
from lab.diagnostics.structure import repeats, trace
from lab.diagnostics.structure.repeats import Repeats
from lab.diagnostics.structure.tree import tree_of
from lab.host import Plugins

TASK = Task(97, 24)


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch):
    """Begin without the results of earlier tests."""
    monkeypatch.setattr(repeats, "_cached", {})


CARDS = Plugins().cards("architectures")
SHORT = {"transformer", "gru", "gated-deltanet"}
LEARNING = sorted(name for name, card in CARDS.items() if name != "n-gram" and "causal" in card.tasks)


class Carried(TorchDispatchMode):
    """Records the operations that are carried out, and repeats none."""

    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.names.append(function.__name__)
        return function(*args, **(kwargs or {}))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in SHORT else pytest.mark.long) for name in LEARNING]
)
def test_the_tree_is_the_one_found_without_repeats(name, monkeypatch):
    config = CARDS[name].config(layers=2)
    tree = tree_of(CARDS[name], config, TASK)
    monkeypatch.setattr(trace, "Repeats", Carried)
    assert tree == tree_of(CARDS[name], config, TASK)


def meta(*shape):
    return torch.zeros(*shape, device="meta")


def carried_out(*calls):
    with Carried() as carried, Repeats():
        results = [call() for call in calls]
    return carried.names.count("mm.default"), results


def test_an_operation_is_carried_out_once_for_the_same_shapes():
    one, other, wide = meta(3, 4), meta(4, 5), meta(4, 6)
    count, (first, second, third) = carried_out(lambda: one @ other, lambda: (one + 1) @ other, lambda: one @ wide)
    assert count == 2
    assert first is not second
    assert (first.shape, second.shape, third.shape) == ((3, 5), (3, 5), (3, 6))


def test_what_was_found_is_kept_for_later_passes_of_the_same_default_type_and_in_bounds(monkeypatch):
    whole = torch.zeros(3, dtype=torch.long, device="meta")
    assert carried_out(lambda: meta(3, 4) @ meta(4, 5))[0] == 1
    assert carried_out(lambda: meta(3, 4) @ meta(4, 5))[0] == 0
    assert carried_out(lambda: whole / 2)[1][0].dtype == torch.float32
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        assert carried_out(lambda: whole / 2)[1][0].dtype == torch.float64
    finally:
        torch.set_default_dtype(before)
    monkeypatch.setattr(repeats, "MOST_CACHED", 2)
    carried_out(*(lambda size=size: meta(size, 4) @ meta(4, 5) for size in range(7, 12)))
    assert len(repeats._cached) <= 2


def test_strides_and_types_make_other_operations():
    one, other = meta(3, 4), meta(4, 4)
    count, results = carried_out(lambda: one @ other, lambda: one @ other.T, lambda: one.double() @ other.double())
    assert count == 3
    assert results[2].dtype == torch.float64


def test_numbers_that_are_equal_but_of_other_types_make_other_operations():
    whole = torch.zeros(3, dtype=torch.long, device="meta")
    with Repeats():
        assert [(whole * factor).dtype for factor in (1, 1.0, True)] == [torch.long, torch.float32, torch.long]


def test_views_and_changes_in_place_are_always_carried_out():
    tensor = meta(3, 4)
    with Repeats():
        views = [tensor.view(4, 3) for _ in range(2)]
        assert all(view._base is tensor for view in views)
        assert all(tensor.add_(1) is tensor for _ in range(2))


def test_gradients_flow_through_repeated_operations():
    weight = meta(4, 4).requires_grad_()
    with Repeats():
        (meta(3, 4) @ weight @ weight @ weight).sum().backward()
    assert weight.grad.shape == (4, 4)
