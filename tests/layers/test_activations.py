"""The table of activations: every name, plain or gated."""

import pytest
import torch
from pydantic import TypeAdapter

from lab.api import ACTIVATION_NAMES, GATED_ACTIVATIONS, HUGGING_FACE_GATED, HUGGING_FACE_PLAIN
from lab.layers import ACTIVATIONS, activate
from lab.testing.cards import offer_of


def test_every_activation_of_a_feed_forward_layer_has_a_function():
    assert ACTIVATIONS.keys() >= {*ACTIVATION_NAMES}


@pytest.mark.parametrize("name", ["sigmoid", "tanh", "elu", "selu", "softplus", "mish"])
def test_other_activations_are_those_of_torch(name):
    x = torch.linspace(-3, 3, 25, dtype=torch.float64)
    function = getattr(torch, name, None) or getattr(torch.nn.functional, name)
    assert torch.equal(activate(x, name), function(x))
    assert torch.equal(activate(x, "identity"), x)


def test_every_activation_of_a_feed_forward_layer_has_a_name_of_hugging_face():
    assert {*HUGGING_FACE_PLAIN.values(), *HUGGING_FACE_GATED.values()} == {*ACTIVATION_NAMES}
    assert HUGGING_FACE_GATED == {
        "silu": "swiglu", "swish": "swiglu", "gelu": "geglu", "gelu_new": "geglu-tanh",
        "gelu_pytorch_tanh": "geglu-tanh",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["gla", "retnet"])
def test_a_stack_of_a_plugin_offers_every_activation(name):
    field = offer_of(None, "lab_linear_attention").architectures[name].config.model_fields["feed_forward"]
    allowed = TypeAdapter(field.annotation)
    assert [allowed.validate_python(each) for each in ("none", *ACTIVATION_NAMES)] == ["none", *ACTIVATION_NAMES]


@pytest.mark.parametrize("name", sorted(ACTIVATIONS))
def test_a_gated_activation_multiplies_the_function_of_the_gate_by_the_value(name):
    x = torch.linspace(-3, 3, 24, dtype=torch.float64).view(2, 3, 4)
    gate, value = x[..., :2], x[..., 2:]
    expected = ACTIVATIONS[name](gate) * value if name in GATED_ACTIVATIONS else ACTIVATIONS[name](x)
    assert torch.equal(activate(x, name), expected)


def test_values_are_those_of_the_papers():
    x = torch.tensor([-2.0, 0.5], dtype=torch.float64)
    assert activate(x, "relu2").tolist() == [0.0, 0.25]
    torch.testing.assert_close(activate(x, "silu"), x * x.sigmoid())
    torch.testing.assert_close(activate(x, "gelu"), x * torch.special.ndtr(x))
    assert not torch.equal(activate(x, "gelu"), activate(x, "gelu-tanh"))
