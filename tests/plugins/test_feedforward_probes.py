"""Probes of networks on vectors and images: what passes through activations, what comes back, weights."""

import numpy as np
import pytest
import torch

from lab.api import BadInput, ProbedRows, Task, checked_readings
from lab.diagnostics.examples.rows import WithRows
from lab.training.objectives import Classification
from lab_feedforward.images import ConvolutionalNetwork
from lab_feedforward.network import MLP, Perceptron
from lab_feedforward.probes import network, signals, weights
from lab_feedforward.settings import ConvolutionalConfig, LinearConfig, MLPConfig

VECTORS = Task(1, 1, causal=False, input_shape=(3,), classes=2)
IMAGES = Task(1, 1, causal=False, input_shape=(4, 5, 2), classes=2)


def found(probe, model, task=VECTORS, count=40):
    """The readings of a probe of a model on random rows."""
    torch.manual_seed(0)
    inputs, targets = torch.randn(count, *task.input_shape), torch.arange(count) % task.classes
    model = model.eval()
    rows = ProbedRows(inputs, targets, 0, 1, Classification(), model=model, classes=("a", "b"))
    with torch.no_grad():
        return checked_readings(probe(None)(WithRows(model, rows), inputs[:1]))


def named(readings, name):
    return [one for one in readings if one.name == name]


def test_the_gradient_by_depth_is_the_mean_length_of_that_by_the_sums():
    torch.manual_seed(1)
    model = MLP(MLPConfig(widths=[6, 5], activation="tanh"), VECTORS)
    (reading,) = named(found(signals, model), "gradient by depth")
    torch.manual_seed(0)
    inputs, targets = torch.randn(40, 3), torch.arange(40) % 2
    first = model.layers[0].linear(inputs)
    second = model.layers[1].linear(first.tanh())
    loss = torch.nn.functional.cross_entropy(model.output(second.tanh()), targets, reduction="sum")
    wanted = [one.norm(dim=1).mean().item() for one in torch.autograd.grad(loss, [first, second])]
    assert reading.values[0] == pytest.approx(wanted, rel=1e-5)
    slopes = [(1 - sums.tanh() ** 2).mean().item() for sums in (first, second)]
    assert reading.values[1] == pytest.approx([slopes[0] * slopes[1], slopes[1]], rel=1e-5)


def test_the_product_of_derivatives_of_sigmoids_stays_below_its_bound():
    model = MLP(MLPConfig(widths=[8] * 6, activation="sigmoid"), VECTORS)
    (reading,) = named(found(signals, model), "gradient by depth")
    assert reading.coordinates["quantity"] == ("gradient", "product of derivatives", "bound")
    assert reading.values[2] == pytest.approx([0.25**depth for depth in range(6, 0, -1)])
    assert (reading.values[1] <= reading.values[2]).all()


def test_the_histogram_counts_what_reaches_an_activation_and_shows_its_derivative():
    torch.manual_seed(2)
    readings = named(found(signals, MLP(MLPConfig(widths=[16], activation="relu"), VECTORS)), "passing through")
    (one,) = readings
    centres = np.array(one.coordinates["bin"])
    share, values, slopes = one.values
    assert share.max() == 1
    assert values == pytest.approx(np.maximum(centres, 0), abs=1e-6)
    assert slopes == pytest.approx((centres > 0).astype(float))


def test_a_unit_that_no_example_switches_on_is_dead():
    model = MLP(MLPConfig(widths=[4], activation="relu"), VECTORS)
    with torch.no_grad():
        model.layers[0].linear.bias[1] = -100
    (reading,) = named(found(signals, model), "units at rest")
    assert reading.values[0].tolist() == [0.25]


def test_maxout_has_a_histogram_and_no_curve_of_its_own():
    (one,) = named(found(signals, MLP(MLPConfig(widths=[4], activation="maxout"), VECTORS)), "passing through")
    assert len(one.values) == 1


def test_pictures_are_the_weights_where_the_pixels_lie():
    model = MLP(MLPConfig(widths=[3]), IMAGES)
    (pictures,) = named(found(weights, model, IMAGES), "unit weights")
    wanted = model.layers[0].linear.weight.detach().view(3, 4, 5, 2).mean(-1).numpy()
    assert pictures.axes == ("unit", "y", "x")
    assert pictures.values == pytest.approx(wanted)


def test_the_kernels_of_convolutions_are_pictures():
    model = ConvolutionalNetwork(ConvolutionalConfig(channels=[6], widths=[4], kernel=3), IMAGES)
    (pictures,) = found(weights, model, IMAGES)
    assert pictures.values.shape == (6, 3, 3)


def test_the_classes_of_a_perceptron_are_pictures_on_images_and_rows_on_vectors():
    on_images = found(weights, Perceptron(LinearConfig(spread=0.1), IMAGES), IMAGES)
    assert [one.name for one in on_images] == ["unit weights", "output weights"]
    assert [one.name for one in found(weights, Perceptron(LinearConfig(), VECTORS))] == ["output weights"]


def test_a_network_without_hidden_layers_has_no_signals():
    assert found(signals, MLP(MLPConfig(widths=[]), VECTORS)) == []


def test_a_convolutional_network_is_not_walked():
    model = ConvolutionalNetwork(ConvolutionalConfig(channels=[2], widths=[2]), IMAGES)
    with pytest.raises(BadInput, match="perceptrons and multi-layer networks"):
        found(network, model, IMAGES)
