"""The conformance suite on mixtures of experts: the card with every preset, and routers that are far from them."""

import pytest

from lab.testing import conformance
from lab_moe.settings import MoeConfig

pytestmark = pytest.mark.long

SMALL = {"layers": 2, "width": 16, "heads": 4, "dropout": 0.1}


def suite(**settings):
    """Return the checks of one configuration."""
    return conformance("moe", plugin="lab_moe", config=MoeConfig(**SMALL, **settings))


test_as_it_is = conformance("moe", plugin="lab_moe")
test_its_checkpoint_format = conformance("mixtral", plugin="lab_moe")
test_one_expert = suite(experts=1, hidden=24, activation="relu", bias=True)
test_all_experts_chosen_with_biases_and_a_window = suite(
    experts=3, chosen=3, hidden=20, activation="geglu", bias=True, kv_heads=2, window=6, tie=False
)
test_drops_with_shared_experts_in_every_second_block = suite(
    experts=5, chosen=2, shared=1, hidden=7, activation="relu2", every=2, capacity=0.5, z_loss=0.01, balance=1.0
)
test_scores_by_themselves_that_are_not_renormalised = suite(
    experts=4, chosen=2, scores="sigmoid", renormalise=False, scale=2.0, bias_rate=0.01, dense_first=1, dense_hidden=12
)
