"""The memory that a computation holds at once."""

import torch

from lab.diagnostics.memory import PeakMemory

NUMBERS = 1000


def test_what_is_freed_no_longer_counts_and_what_was_there_before_never_does():
    before = torch.zeros(NUMBERS)
    with PeakMemory() as memory:
        first = before + 1
        second = first * 2
        del first
        third = second * 2
        del second, third
        before.mul_(2)
    assert memory.peak == 2 * 4 * NUMBERS


def test_a_view_of_a_tensor_costs_nothing():
    with PeakMemory() as memory:
        whole = torch.zeros(NUMBERS)
        parts = [whole[:10], whole.view(10, -1).T]
    assert memory.peak == 4 * NUMBERS
    del parts


def test_memory_that_an_address_gets_anew_is_counted_with_its_own_size():
    with PeakMemory() as memory:
        for power in range(8):
            torch.zeros(NUMBERS >> power)
        kept = torch.zeros(2 * NUMBERS)
    assert memory.peak == 2 * 4 * NUMBERS
    del kept
