"""Surfaces over the plane of two numbers, and the regions in which a network is linear."""

import numpy as np
import pytest
import torch

from lab.api import Task
from lab.diagnostics.examples.plane import FLAT, Extent, linear_regions, quick_surface, surface, unit_surfaces
from lab_feedforward.network import MLP, Perceptron
from lab_feedforward.settings import LinearConfig, MLPConfig

PLANE = Task(1, 1, causal=False, input_shape=(2,), classes=2)
SQUARE = Extent(-1, 1, -1, 1)


def network(weights, biases, activation="relu"):
    """A network of one hidden layer with these weights and biases."""
    model = MLP(MLPConfig(widths=[len(weights)], activation=activation), PLANE)
    with torch.no_grad():
        model.layers[0].linear.weight.copy_(torch.tensor(weights))
        model.layers[0].linear.bias.copy_(torch.tensor(biases))
    return model.eval()


def test_the_rows_of_a_surface_run_from_top_to_bottom_and_its_columns_from_left_to_right():
    x, y = Extent(0, 4, 10, 20).axes(2)
    assert (x.tolist(), y.tolist()) == ([1, 3], [17.5, 12.5])
    assert Extent(0, 4, 10, 20).grid(2).tolist() == [[1, 17.5], [3, 17.5], [1, 12.5], [3, 12.5]]


def test_a_surface_holds_what_the_model_gives_at_each_point():
    model = Perceptron(LinearConfig(spread=0.5), PLANE).eval()
    values = surface(model, SQUARE, 8, probable=True, classes=True)
    points = torch.from_numpy(SQUARE.grid(8))
    with torch.no_grad():
        wanted = model(points).softmax(-1).T.reshape(2, 8, 8).numpy()
    assert values == pytest.approx(wanted, abs=1e-6)


def test_three_lines_in_general_position_cut_the_plane_into_seven_regions():
    model = network([[1.0, 0.1], [0.1, 1.0], [1.0, 1.0]], [0.0, 0.0, -0.3])
    regions, count = linear_regions(model, SQUARE, 200)
    assert count == 7
    assert len(np.unique(regions)) == 7


def test_parallel_lines_and_units_that_never_switch_add_fewer_regions():
    assert linear_regions(network([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]], [0.0, 0.5, 9.0]), SQUARE, 50)[1] == 3


def test_a_network_is_linear_inside_each_region():
    torch.manual_seed(1)
    model = MLP(MLPConfig(widths=[6, 6]), PLANE).eval()
    regions, _ = linear_regions(model, SQUARE, 60)
    values = surface(model, SQUARE, 60, probable=False, classes=True)[0].astype(float)
    inside = np.ones((58, 60), bool)
    for shift in (0, 1, 2):
        inside &= regions[shift : shift + 58] == regions[1:59]
    bend = values[:-2] - 2 * values[1:-1] + values[2:]
    assert np.abs(bend[inside]).max() < 1e-5
    assert np.abs(bend[~inside]).max() > 1e-3


def test_a_unit_of_the_first_layer_is_flat_on_one_side_of_its_line():
    (found,) = unit_surfaces(network([[1.0, 0.0]], [0.0]), SQUARE, 4).values()
    assert found[0] == pytest.approx(np.tile([0, 0, 0.25, 0.75], (4, 1)))


def test_points_on_one_line_still_have_a_plane_around_them():
    extent = Extent.around(np.array([[1.0, 5.0], [3.0, 5.0]]))
    assert extent.top > 5 > extent.bottom


@pytest.mark.parametrize("probable", [True, False])
def test_a_quick_surface_is_exact_where_it_bends_and_close_where_it_is_flat(probable):
    torch.manual_seed(3)
    model = MLP(MLPConfig(widths=[12, 12], activation="tanh", initialisation="xavier", gain=4.0), PLANE).eval()
    exact = surface(model, SQUARE, 80, probable=probable, classes=True)
    quick = quick_surface(model, SQUARE, 80, probable=probable, classes=True)
    assert quick.shape == exact.shape
    assert np.abs(quick - exact).max() < FLAT * np.ptp(exact)
    assert quick[:, ::2, ::2] == pytest.approx(exact[:, ::2, ::2], abs=1e-5)


def test_a_quick_surface_computes_fewer_points_where_most_of_it_is_flat():
    model = network([[30.0, 0.0]], [0.0], activation="tanh")
    read = []
    model.register_forward_pre_hook(lambda _, given: read.append(len(given[0])))
    quick_surface(model, SQUARE, 200, probable=True, classes=True)
    assert sum(read) < 0.4 * 200**2


def test_points_are_read_in_pieces_that_change_nothing():
    model = MLP(MLPConfig(widths=[5]), PLANE).eval()
    with torch.no_grad():
        whole = model(torch.from_numpy(SQUARE.grid(100))).T.reshape(2, 100, 100).numpy()
    assert surface(model, SQUARE, 100, probable=False, classes=True) == pytest.approx(whole, abs=1e-6)
