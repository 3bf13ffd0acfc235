"""The view of a network as a graph: walked step by step, with the numbers of the walk."""

import numpy as np
import pytest
import torch

from lab.api import ProbedRows, Task, checked_readings
from lab.diagnostics.examples.rows import WithRows
from lab.training.objectives import Classification
from lab_feedforward.network import MLP
from lab_feedforward.probes import network
from lab_feedforward.settings import MLPConfig
from lab_feedforward.views.network import NetworkView
from lab_feedforward.views.steps import Kind, graph_of, steps_of

CLASSES = ("A", "B")


@pytest.fixture
def readings():
    torch.manual_seed(2)
    model = MLP(MLPConfig(widths=[3], activation="tanh", initialisation="xavier"),
                Task(1, 1, causal=False, input_shape=(2,), classes=2)).eval()  # fmt: skip
    inputs = torch.tensor([[0.5, -1.0], [1.0, 2.0]])
    rows = ProbedRows(inputs, torch.tensor([1, 0]), 0, 1, Classification(), model=model, classes=CLASSES)
    return checked_readings(network(None)(WithRows(model, rows), inputs[:1]))


@pytest.fixture
def view(qtbot, readings):
    made = NetworkView()
    qtbot.addWidget(made)
    made.resize(800, 500)
    made.show_readings(readings, ())
    made.show()
    return made


def test_the_graph_of_the_readings_has_the_numbers_of_the_walk(readings):
    graph = graph_of(readings)
    assert [layer.weights.shape for layer in graph.layers] == [(3, 2), (2, 3)]
    hidden, output = graph.layers
    assert hidden.outputs == pytest.approx(np.tanh(hidden.weights @ graph.inputs + hidden.bias), abs=1e-6)
    assert output.errors == pytest.approx(graph.logit_gradients, abs=1e-6)
    assert hidden.errors == pytest.approx((output.weights.T @ output.errors) * (1 - hidden.outputs**2), abs=1e-6)
    assert hidden.activation == "tanh"
    assert graph.targets.tolist() == [0, 1]


def test_the_walk_goes_forward_to_the_loss_and_back_to_the_first_weights(readings):
    kinds = [step.kind for step in steps_of(graph_of(readings))]
    assert kinds[:2] == [Kind.INPUT, Kind.SUM]
    assert kinds.count(Kind.LOSS) == 1
    assert kinds[-1] is Kind.WEIGHT_GRADIENT
    assert kinds.index(Kind.LOSS) < kinds.index(Kind.OUTPUT_GRADIENT) < kinds.index(Kind.ERROR)
    assert len(kinds) == 1 + 3 * 2 + 2 + 1 + 2 + 2 + 3 * 2 + 3


def test_a_step_writes_its_formula_and_its_numbers(readings):
    graph = graph_of(readings)
    step = next(one for one in steps_of(graph) if one.kind is Kind.VALUE)
    assert step.formula == "a₁[1] = tanh(z₁[1])"
    value = f"{graph.layers[0].values[0]:.4g}".replace("-", "−")
    assert step.numbers.endswith(f"= {value}")
    loss = next(one for one in steps_of(graph) if one.kind is Kind.LOSS)
    assert loss.numbers.endswith(f"= {graph.loss:.4g} nats")


def test_step_and_back_walk_one_step_and_stop_at_the_ends(view):
    assert not view.back.isEnabled()
    view.next.click()
    assert view.formula.text().startswith("z₁[1] = ")
    view.back.click()
    assert view.formula.text() == "a₀ = x"
    view.to_end.click()
    assert not view.next.isEnabled()
    assert "backward" in view._where.text()
    view.to_loss.click()
    assert view.formula.text().startswith("p = softmax(y)")


def test_what_the_walk_has_not_reached_is_pale(view):
    drawing = view.drawing
    assert not drawing._is_unit_reached(0, 0)
    view.next.click()
    assert drawing._is_unit_reached(0, 0)
    assert not drawing._is_unit_reached(1, 0)


def test_the_position_stays_while_the_model_trains(view, readings):
    view.next.click()
    view.next.click()
    view.show_readings(readings, ())
    assert view.position == 2


def test_readings_without_a_walk_are_explained(qtbot):
    made = NetworkView()
    qtbot.addWidget(made)
    made.show_readings([], ())
    assert not made._empty.isHidden()
