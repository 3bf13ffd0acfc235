"""The table of activations: every name, plain or gated."""

from typing import get_args

import pytest
import torch

from lab.layers import ACTIVATIONS, GATED, Activation, activate


def test_every_name_has_a_function():
    assert ACTIVATIONS.keys() == set(get_args(Activation))
    assert ACTIVATIONS.keys() > GATED


@pytest.mark.parametrize("name", sorted(ACTIVATIONS))
def test_a_gated_activation_multiplies_the_function_of_the_gate_by_the_value(name):
    x = torch.linspace(-3, 3, 24, dtype=torch.float64).view(2, 3, 4)
    gate, value = x[..., :2], x[..., 2:]
    expected = ACTIVATIONS[name](gate) * value if name in GATED else ACTIVATIONS[name](x)
    assert torch.equal(activate(x, name), expected)


def test_values_are_those_of_the_papers():
    x = torch.tensor([-2.0, 0.5], dtype=torch.float64)
    assert activate(x, "relu2").tolist() == [0.0, 0.25]
    torch.testing.assert_close(activate(x, "silu"), x * x.sigmoid())
    torch.testing.assert_close(activate(x, "gelu"), x * torch.special.ndtr(x))
    assert not torch.equal(activate(x, "gelu"), activate(x, "gelu-tanh"))
