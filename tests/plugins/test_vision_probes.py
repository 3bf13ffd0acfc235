"""The probes of the vision transformer: rows of attention that sum to one, their product, and filters as pictures."""

import numpy as np
import pytest
import torch

from lab.host import Plugins
from lab.recipes import Recipe
from lab.workbench.access.untrained import Untrained
from lab_vision.probes import read_by_output, rollout

DIGITS = {
    "corpus": {"name": "digits", "rows": 40}, "objective": {"name": "classification"}, "tokenizer": {"name": "none"},
    "architecture": {"name": "vit", "layers": 3, "width": 16, "heads": 2, "patch": 4},
    "training": {"steps": 2, "batch_size": 4, "threads": 1, "device": "cpu", "evaluate_every": 0},
}  # fmt: skip


def model(**architecture):
    recipe = Recipe().with_values(DIGITS).with_values({"architecture": architecture})
    return Untrained(recipe, Plugins(safe_mode=True))


def named(inspection, name):
    return [one for one in inspection.readings if one.name == name]


def test_the_rollout_is_the_product_of_the_mean_maps_and_the_residual():
    torch.manual_seed(0)
    maps = [torch.rand(2, 4, 4, dtype=torch.float64).softmax(-1) for _ in range(3)]
    found, expected = rollout(maps), np.eye(4)
    for each in maps:
        expected = (0.5 * each.mean(0).numpy() + 0.5 * np.eye(4)) @ expected
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12)
    np.testing.assert_allclose(found.sum(-1).numpy(), 1)
    # which way round: a first block that copies token 3 into all others, and later ones that read nothing
    copies = torch.zeros(1, 4, 4, dtype=torch.float64)
    copies[..., 3] = 1
    apart = torch.eye(4, dtype=torch.float64)[None]
    assert rollout([copies, apart])[0].tolist() == [0.5, 0, 0, 0.5]


@pytest.mark.usefixtures("lab_home")
@pytest.mark.parametrize("pool", ["class-token", "mean"])
def test_what_the_output_reads_is_a_picture_of_the_squares_for_each_head(pool):
    access = model(pool=pool)
    by_block = named(access.inspect("1", probe="picture-attention"), "attention over the picture")
    (through,) = named(access.inspect("1", probe="attention-rollout"), "attention rollout")
    side = by_block[0].values.shape[-1]
    assert [one.values.shape for one in by_block] == [(2, side, side)] * 3
    assert by_block[0].coordinates["unit"] == ("head 1", "head 2")
    assert through.values.shape == (1, side, side)
    total = through.values.sum()
    assert total == pytest.approx(1, abs=1e-6) if pool == "mean" else 0 < total < 1


@pytest.mark.usefixtures("lab_home")
def test_the_filters_are_squares_of_pixels_one_for_each_channel():
    (found,) = named(model().inspect("1", probe="patch-filters"), "patch filters")
    assert found.values.shape == (16, 4, 4)
    assert found.values.std() > 0


def test_a_class_token_reads_its_own_row_and_the_mean_all_rows():
    weights = torch.arange(9.0).view(3, 3)

    class With:
        class_token = object()

    class Without:
        class_token = None

    assert read_by_output(weights, With()).tolist() == [1, 2]
    assert read_by_output(weights, Without()).tolist() == [3, 4, 5]
