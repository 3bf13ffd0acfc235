"""Packed documents: their positions, their mask, and reading each as a row of its own."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from lab.layers.documents import Documents


def test_positions_start_again_and_the_mask_is_block_diagonal():
    documents = Documents(torch.tensor([[0, 0, 1, 1, 1], [3, 4, 4, 5, 6]]))
    assert documents.positions.tolist() == [[0, 1, 0, 1, 2], [0, 0, 1, 0, 0]]
    assert documents.mask[0].int().tolist() == [[1, 1, 0, 0, 0]] * 2 + [[0, 0, 1, 1, 1]] * 3


@given(st.lists(st.lists(st.booleans(), min_size=9, max_size=9), min_size=1, max_size=4))
def test_documents_read_separately_are_put_together_in_order(begins):
    numbers = torch.tensor(begins).cumsum(dim=1)
    documents = Documents(numbers)
    values = torch.arange(numbers.numel(), dtype=torch.float64).view(numbers.shape)
    computed = []

    def sums(rows):
        computed.append(rows.numel())
        return rows.cumsum(dim=1)

    together = documents.separately(sums, values)
    expected = (documents.mask.tril() * values[:, None, :]).sum(dim=-1)
    assert together.equal(expected)
    assert sum(computed) < 2 * numbers.numel()
