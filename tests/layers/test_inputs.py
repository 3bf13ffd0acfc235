"""Inputs that are not tokens, padding, and one output for an entire input."""

import pytest
import torch

from lab.api import BadInput, StackConfig, Task
from lab.layers import Attention, Features, Patches, ResidualStack
from lab.layers.stack import pooled


def stack(task, **form):
    return ResidualStack(
        StackConfig(layers=2, width=8), task, token_mixer=lambda slot: Attention(slot, heads=2), **form
    ).eval()


def test_an_image_is_cut_row_by_row_and_each_patch_is_projected_alone():
    made = Patches((4, 6, 2), 8, patch=2)
    image = torch.randn(1, 4, 6, 2)
    second_row_third_column = image[0, 2:4, 4:6].flatten()
    expected = made.project(second_row_third_column) + made.position[5]
    torch.testing.assert_close(made(image)[0, 5], expected)


@pytest.mark.parametrize(("sides", "patch"), [((8, 8), 1), ((28, 28), 4), ((32, 32), 4), ((13, 13), 13), ((8, 12), 2)])
def test_without_a_side_there_are_at_most_64_patches(sides, patch):
    made = Patches((*sides, 1), 8)
    assert (made.patch, len(made.position)) == (patch, sides[0] * sides[1] // patch**2)


def test_a_patch_that_does_not_divide_the_image_is_refused_by_its_name():
    with pytest.raises(BadInput, match="28 × 28") as raised:
        Patches((28, 28, 1), 8, patch=5)
    assert raised.value.problem.field == "patch"


def test_each_feature_of_a_vector_has_a_direction_of_its_own():
    made = Features(3, 8)
    vector = torch.tensor([[2.0, 0.0, -1.0]])
    torch.testing.assert_close(made(vector)[0, 2], made.bias[2] - made.weight[2])
    torch.testing.assert_close(made(vector)[0, 1], made.bias[1])


def test_vectors_and_images_need_no_vocabulary():
    numbers = stack(Task(0, 4, causal=False, input_shape=(5,), outputs=2))
    classes = stack(Task(0, 4, causal=False, input_shape=(8, 8, 3), classes=7), positions="learned")
    assert numbers(torch.randn(3, 5)).shape == (3, 2)
    assert classes(torch.rand(3, 8, 8, 3)).shape == (3, 7)


def test_a_pool_leaves_out_padding():
    x = torch.tensor([[[1.0], [2.0], [6.0]], [[4.0], [9.0], [9.0]]])
    mask = torch.tensor([[True, True, True], [True, False, False]])
    assert pooled(x, mask, "mean").flatten().tolist() == [3.0, 4.0]
    assert pooled(x, mask, "last").flatten().tolist() == [6.0, 4.0]
    assert pooled(x, mask, "first").flatten().tolist() == [1.0, 4.0]
    assert pooled(x, None, "last").flatten().tolist() == [6.0, 9.0]


@pytest.mark.parametrize("pool", ["first", "mean", "last"])
def test_more_padding_changes_no_class(pool):
    model = stack(Task(9, 16, causal=False, classes=3), pool=pool, positions="learned")
    tokens, mask = torch.randint(9, (2, 5)), torch.tensor([[True] * 5, [True] * 2 + [False] * 3])
    expected = model(tokens, mask=mask)
    longer = torch.cat([torch.where(mask, tokens, 7), torch.full((2, 4), 3)], dim=1)
    wider = torch.cat([mask, torch.zeros(2, 4, dtype=torch.bool)], dim=1)
    torch.testing.assert_close(model(longer, mask=wider), expected)
    alone = model(tokens[1:, :2])
    torch.testing.assert_close(expected[1:], alone)


def test_a_mask_that_hides_nothing_changes_nothing():
    model = stack(Task(9, 16, causal=False))
    tokens = torch.randint(9, (2, 5))
    torch.testing.assert_close(model(tokens, mask=torch.ones(2, 5, dtype=torch.bool)), model(tokens))
