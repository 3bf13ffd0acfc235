"""The walk of an example through a network and back, against autograd."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from lab.api import BadInput, Task
from lab_feedforward.network import MLP, Perceptron
from lab_feedforward.settings import LinearConfig, MLPConfig
from lab_feedforward.walk import walk

TASK = Task(1, 1, causal=False, input_shape=(3,), classes=4)
ACTIVATIONS = ("identity", "sigmoid", "tanh", "relu", "leaky-relu", "prelu", "elu", "selu", "gelu", "gelu-tanh",
               "silu", "softplus", "mish")  # fmt: skip


def nats(logits):
    return F.cross_entropy(logits, torch.tensor([2]))


def checked(model, loss=nats):
    """Walk an example through a model, and compare every number with autograd in float64."""
    model = model.double().eval()
    example = torch.randn(1, 3, dtype=torch.float64, requires_grad=True)
    found = walk(model, example, loss)
    logits = model(example)
    loss(logits).backward()
    assert found.logits == pytest.approx(logits[0].detach().numpy(), abs=1e-12)
    assert found.loss == pytest.approx(loss(logits).item(), abs=1e-12)
    assert found.input_gradient == pytest.approx(example.grad[0].numpy(), abs=1e-12)
    hidden = [layer.linear for layer in getattr(model, "layers", ())]
    for layer, linear in zip(found.layers, [*hidden, model.output], strict=True):
        assert layer.weight_gradients == pytest.approx(linear.weight.grad.numpy(), abs=1e-12)
        assert layer.errors == pytest.approx(linear.bias.grad.numpy(), abs=1e-12)
    return found


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_every_gradient_of_the_walk_is_that_of_autograd(activation):
    torch.manual_seed(3)
    checked(MLP(MLPConfig(widths=[5, 4], activation=activation, initialisation="xavier"), TASK))


def test_residual_connections_are_walked_both_ways():
    torch.manual_seed(4)
    found = checked(MLP(MLPConfig(widths=[3, 3, 3], activation="tanh", residual=True), TASK))
    assert [layer.residual for layer in found.layers] == [True, True, True, False]


def test_a_perceptron_of_two_classes_is_walked_through_its_single_unit():
    torch.manual_seed(5)
    task = Task(1, 1, causal=False, input_shape=(3,), classes=2)
    found = checked(Perceptron(LinearConfig(spread=0.5), task), lambda y: F.cross_entropy(y, torch.tensor([1])))
    assert len(found.layers[0].outputs) == 1
    assert len(found.logits) == 2


def test_a_regression_is_walked_by_the_derivative_of_its_squares():
    torch.manual_seed(6)
    task = Task(1, 1, causal=False, input_shape=(3,), outputs=1)
    found = checked(MLP(MLPConfig(widths=[4]), task), lambda y: (y - 2).square().sum())
    assert found.logit_gradients == pytest.approx(2 * (found.logits - 2))


@pytest.mark.parametrize("settings", [{"norm": "batch"}, {"activation": "maxout"}])
def test_what_is_no_function_of_single_units_is_refused(settings):
    model = MLP(MLPConfig(widths=[4], **settings), TASK).eval()
    with pytest.raises(BadInput, match="single units"):
        walk(model, torch.zeros(1, 3), nats)


def test_the_numbers_of_a_step_add_up():
    """δ of a layer is Wᵀ of the layer above times its δ, times f′: the sum that the view writes out."""
    torch.manual_seed(7)
    found = checked(MLP(MLPConfig(widths=[5, 4], activation="tanh"), TASK))
    first, second = found.layers[:2]
    assert first.errors == pytest.approx((second.weights.T @ second.errors) * (1 - first.values**2))
    assert np.allclose(first.sums, first.weights @ first.inputs + first.bias)
