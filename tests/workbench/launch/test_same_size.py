"""The width with which a model has as many parameters as another one."""

import pytest

from lab.base import BadInput
from lab.recipes import Recipe
from lab.workbench import Workbench

TEXT = {"corpus": {"name": "text", "text": "the cat sat on the mat. " * 99}}


def small(*assignments):
    return Recipe().with_values(TEXT).with_assignments(*assignments)


@pytest.fixture(scope="module")
def lab():
    return Workbench()


@pytest.mark.short("mamba", "transformer")
@pytest.mark.parametrize("architecture", ["mamba", "rwkv6", "transformer"])
def test_another_architecture_is_given_about_as_many_parameters(lab, architecture):
    wanted = lab.preflight(small("architecture={name='transformer', layers=2, width=96, heads=4}")).parameters
    recipe = small(f"architecture={{name='{architecture}', layers=2}}")
    found = lab.same_size(recipe, wanted)
    sized = lab.preflight(recipe.with_values({"architecture": {"width": found.width}}))
    assert sized.parameters == found.parameters
    assert found.parameters == pytest.approx(wanted, rel=0.06)


def test_a_width_that_the_heads_do_not_divide_is_left_out(lab):
    recipe = small("architecture={name='transformer', layers=1, width=30, heads=5, positions='learned'}")
    assert lab.same_size(recipe, 40_000).width % 5 == 0


def test_an_architecture_without_a_width_is_refused(lab):
    with pytest.raises(BadInput, match="has no width"):
        lab.same_size(small("architecture={name='n-gram'}"), 1000)
