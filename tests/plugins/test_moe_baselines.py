"""The dense models that a mixture of experts is compared with: as many parameters, to half a unit of each layer."""

import pytest

from lab.api import Task
from lab.diagnostics.cost import measure
from lab.host import Plugins

CARD = Plugins(safe_mode=True).card("architectures", "moe")
TASK = Task(vocabulary_size=64, context_length=16)
SMALL = {"layers": 2, "width": 48, "experts": 6, "chosen": 2, "hidden": 37}
CASES = {name: {**preset["architecture"], "layers": 2} for name, preset in CARD.presets.items()} | {
    "a bias everywhere": {**SMALL, "bias": True, "shared": 2},
    "a bias and no gate": {**SMALL, "bias": True, "activation": "gelu"},
    "noise, and dense layers of another size": {
        **SMALL, "routing": "noisy-top-k", "dense_first": 1, "every": 2, "dense_hidden": 50,
    },
    "dense layers as large as what a token passes": {**SMALL, "every": 2, "shared": 1},
    "units of the default": {**SMALL, "hidden": 0},
}  # fmt: skip


def cost(config):
    return measure(CARD, config, TASK, flops=False)


def half_a_unit_of_each(config):
    """Return the parameters of half a hidden unit in every block that has experts."""
    a_unit = (3 if config.gated else 2) * config.width + (2 if config.gated else 1) * config.bias
    return a_unit / 2 * sum(map(config.is_sparse, range(config.layers)))


@pytest.mark.parametrize("name", CASES)
def test_a_baseline_has_as_many_parameters_to_half_a_unit_of_each_layer(name):
    config = CARD.config.read(CASES[name])
    mixture, tolerance = cost(config), half_a_unit_of_each(config)
    for wanted, baseline in (
        (mixture.active_parameters, "dense, equal active parameters"),
        (mixture.parameters, "dense, equal total parameters"),
    ):
        dense = cost(CARD.baseline(baseline, config))
        assert dense.active_parameters == dense.parameters
        assert abs(dense.parameters - wanted) <= tolerance


def test_layers_that_are_dense_already_stay_as_they_are():
    config = CARD.config.read({**SMALL, "every": 2, "shared": 1})
    before, after = (cost(each).blocks for each in (config, CARD.baseline("dense, equal total parameters", config)))
    assert before["blocks.0"] == after["blocks.0"]
    assert after["blocks.1"] > after["blocks.0"]


@pytest.mark.parametrize("baseline", CARD.baselines)
def test_a_dense_model_is_its_own_baseline(baseline):
    dense = CARD.baseline("dense, equal active parameters", CARD.config.read(SMALL))
    assert CARD.baseline(baseline, dense).stored() == dense.stored()
