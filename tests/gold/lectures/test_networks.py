"""The networks of the lectures through the lab's models and its computation graph: values, adjoints, updates."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from lab.api import Task
from lab.workbench.analysis.step_graph import LOSSES
from lab.worked import Graph, descended, gradient
from lab.worked.derivatives import forward
from lab_feedforward.network import MLP
from lab_feedforward.settings import MLPConfig

EXAMPLES = {
    one["id"]: {**one["inputs"], **{step["name"]: step["value"] for step in one["steps"]}, **one["result"]}
    for file in ("networks.json", "worked_examples.json")
    for one in json.loads((Path(__file__).parent / file).read_text(encoding="utf-8"))["examples"]
}
BINARY = LOSSES["binary"]


def network(example):
    """The multi-layer network of the lab with the weights of an example, as its statements and their values."""
    W1 = torch.tensor(example["W1"], dtype=torch.float64)
    model = MLP(MLPConfig(widths=[len(W1)]), Task(1, 1, causal=False, input_shape=(W1.shape[1],), outputs=1)).double()
    output = example.get("W2", example.get("u"))
    values = ((model.hidden[0].linear, W1, example["b1"]), (model.output, [output], [example["b2"]]))
    with torch.no_grad():
        for linear, weight, bias in values:
            linear.weight.copy_(torch.as_tensor(weight, dtype=torch.float64))
            linear.bias.copy_(torch.as_tensor(bias, dtype=torch.float64))
    statements, weights = model.statements()
    return statements, {name: value.detach().numpy() for name, value in weights.items()}


def step(samples=slice(None), **weights):
    """The graph of a training step of the network 2 → 3 → 1 on some of its samples."""
    example = EXAMPLES["net-231-batch-loss"]
    statements, values = network(example)
    X, T = np.array(example["X_rows_are_samples"])[samples], np.array(example["y"])[samples, None]
    return Graph(f"{statements}\n{BINARY}", {**values, **weights, "X": X, "T": T})


def agrees(found, wanted):
    np.testing.assert_allclose(np.squeeze(found), np.squeeze(np.array(wanted, float)), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("number", [1, 2])
def test_a_sample_runs_forward_through_the_graph(number):
    graph, wanted = step(slice(number - 1, number)), EXAMPLES[f"net-231-sample-{number}"]
    for ours, theirs in (("z1", "z1"), ("a1", "a1"), ("y", "z2"), ("loss", "loss")):
        if theirs in wanted:
            agrees(graph[ours], wanted[theirs])


def test_the_batch_has_the_loss_of_the_lecture():
    agrees(step()["loss"], EXAMPLES["net-231-batch-loss"]["loss"])


@pytest.mark.parametrize(
    ("name", "samples"), [("net-231-backprop-1", slice(0, 1)), ("net-231-batch-gradient", slice(None))]
)
def test_the_adjoints_of_the_weights_are_the_gradients_of_the_lecture(name, samples):
    found, wanted = gradient(step(samples)), EXAMPLES[name]
    for weight in ("W1", "b1", "W2", "b2"):
        agrees(found[weight], wanted[f"d{weight}"])


def test_a_step_of_descent_and_the_pass_after_it():
    graph, wanted = step(), EXAMPLES["net-231-step"]
    after = descended(graph, ["W1", "b1", "W2", "b2"], wanted["eta"])
    for name, value in after.items():
        agrees(value, wanted[name])
    again = EXAMPLES["net-231-second-pass"]
    agrees(step(**after)["loss"], again["batch_loss"])
    agrees(step(slice(0, 1), **after)["loss"], again["loss"])


def test_the_network_2_2_1_runs_forward():
    example = EXAMPLES["net-221"]
    statements, values = network(example)
    graph = Graph(f"{statements}\nsigmoid(y)", {**values, "X": np.array([example["x"]])})
    for ours, theirs in (("z1", "z1"), ("a1", "a1"), ("y", "z2")):
        agrees(graph[ours], example[theirs])
    agrees(graph.result.array, example["y_hat"])


def test_the_graph_of_the_lecture_has_its_adjoints_and_tangents():
    wanted = EXAMPLES["graph-adjoints"]
    graph = Graph("v3 = x1 + x2\nv4 = v3·x1\nv4^2", {"x1": 2, "x2": 3})
    agrees(graph["v3"], wanted["v3"])
    agrees(graph["v4"], wanted["v4"])
    found = gradient(graph)
    agrees(found["x1"], wanted["adjoint_v1_direct"] + wanted["adjoint_v1_through_v3"])
    agrees(found["x2"], wanted["adjoint_v3"])
    agrees([each.value for each in forward(graph, "x1", ())][-1], wanted["forward_tangent_x1"][-1])
