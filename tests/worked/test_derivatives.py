"""Adjoints and tangents agree with torch's autograd and with finite differences, and their operations are counted."""

import numpy as np
import pytest
import torch

from lab.base import BadInput
from lab.worked import OPERATIONS, Graph, count, forward, gradient, reverse

M = np.array([[0.3, -0.7, 1.1], [0.9, 0.2, -0.4]])
X, Y, Z = np.array([0.4, -1.2, 0.7]), np.array([1.3, 0.6, 0.2]), np.array([[0.5, 0.1], [-0.2, 0.8], [0.3, 0.9]])
EXPRESSIONS = {
    "(a + b)·a − b / a": lambda a, b: (a + b) * a - b / a,
    "a^b + b^3": lambda a, b: a**b + b**3,
    "exp(a)·log(b) + sqrt(a)": lambda a, b: a.exp() * b.log() + a.sqrt(),
    "sin(a)·cos(b) + tanh(a·b)": lambda a, b: a.sin() * b.cos() + (a * b).tanh(),
    "log2(a) + log10(b)": lambda a, b: a.log2() + b.log10(),
    "max(a, b)·min(a, 1)": lambda a, b: torch.maximum(a, b) * torch.minimum(a, torch.ones_like(a)),
    "sum(M @ x)": lambda M, x: (M @ x).sum(),
    "sum(relu(M @ N))": lambda M, N: (M @ N).relu().sum(),
    "x @ y": lambda x, y: x @ y,
    "sum(x @ N)": lambda x, N: (x @ N).sum(),
    "mean(sigmoid(x)·y)": lambda x, y: (x.sigmoid() * y).mean(),
    "sum(silu(x) + gelu(x) + softplus(x))": lambda x: sum(
        f(x) for f in (torch.nn.functional.silu, torch.nn.functional.gelu, torch.nn.functional.softplus)
    ).sum(),
    "softmax(x) @ y": lambda x, y: x.softmax(-1) @ y,
    "sum(softmax(M)·M)": lambda M: (M.softmax(-1) * M).sum(),
    "logsumexp(x)": lambda x: x.logsumexp(-1),
    "log(sum(exp(x)))": lambda x: x.exp().sum().log(),
    "norm(x) + max(x) − min(y)": lambda x, y: x.norm() + x.max() - y.min(),
    "sum(row_sum(M)^2) + sum(column_sum(M)^2)": lambda M: (M.sum(1) ** 2).sum() + (M.sum(0) ** 2).sum(),
    "sum(column(x)·y + x)": lambda x, y: (x[:, None] * y + x).sum(),
    "sum(Mᵀ @ M)": lambda M: (M.T @ M).sum(),
    "x[0]·x[1:][1] + M[1, 0]": lambda x, M: x[0] * x[1:][1] + M[1, 0],
    "sum([x, y, x]^2) + sum([x[0], y[1]])": lambda x, y: (torch.stack([x, y, x]) ** 2).sum() + x[0] + y[1],
    "sum(abs(x))·count(x)": lambda x: x.abs().sum() * 3,
    "h = tanh(M @ x); s = h·h; sum(s) + h[0]": lambda M, x: ((M @ x).tanh() ** 2).sum() + (M @ x).tanh()[0],
}
VALUES = {"a": np.array(0.8), "b": np.array(1.7), "M": M, "N": Z, "x": X, "y": Y}


def inputs_of(text):
    return {name: VALUES[name] for name in Graph(text, VALUES).names if name in VALUES}


def in_order_of(function, inputs):
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    return [inputs[name] for name in names]


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_values_and_adjoints_are_those_of_torch(text):
    inputs = inputs_of(text)
    tensors = {name: torch.tensor(value, requires_grad=True) for name, value in inputs.items()}
    wanted = EXPRESSIONS[text](*in_order_of(EXPRESSIONS[text], tensors))
    wanted.backward()
    graph = Graph(text, inputs)
    assert float(graph.result.array) == pytest.approx(wanted.item(), rel=1e-13)
    for name, found in gradient(graph).items():
        np.testing.assert_allclose(found, tensors[name].grad.numpy(), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_tangents_and_finite_differences_agree_with_adjoints(text):
    inputs = inputs_of(text)
    graph = Graph(text, inputs)
    adjoints = gradient(graph)
    for name, value in inputs.items():
        for entry in np.ndindex(value.shape):
            along = {each.node: each.value for each in forward(graph, name, entry)}
            assert float(along[graph.output]) == pytest.approx(adjoints[name][entry], rel=1e-12, abs=1e-14)
            results = []
            for step in (-1e-6, 1e-6):
                moved = value.copy()
                moved[entry] += step
                results.append(float(Graph(text, {**inputs, name: moved}).result.array))
            assert (results[1] - results[0]) / 2e-6 == pytest.approx(adjoints[name][entry], rel=1e-6, abs=1e-7)


def test_every_operation_with_a_derivative_is_held_against_torch():
    used = {
        node.operation.name for text in EXPRESSIONS for node in Graph(text, VALUES).nodes if node.operation is not None
    }
    differentiable = {name for name, each in OPERATIONS.items() if each.differentiable}
    assert differentiable - used == {"copy", "negate"}


@pytest.mark.parametrize("text", ["max(x)", "relu(x)[1]", "abs(x)[1]", "max(x[1], x[2])"])
def test_ties_and_kinks_have_the_slopes_of_torch(text):
    x = torch.tensor([2.0, 0.0, 0.0, 2.0], dtype=torch.float64, requires_grad=True)
    {
        "max(x)": lambda: x.amax(),
        "relu(x)[1]": lambda: x.relu()[1],
        "abs(x)[1]": lambda: x.abs()[1],
        "max(x[1], x[2])": lambda: torch.maximum(x[1], x[2]),
    }[text]().backward()
    found = gradient(Graph(text, {"x": x.tolist()}))["x"]
    assert found.tolist() == x.grad.tolist()


def test_the_lecture_s_graph_walked_backward():
    graph = Graph("v3 = x1 + x2; v4 = v3·x1; v4^2", {"x1": 2, "x2": 3})
    found = [
        (
            graph.nodes[each.node].name,
            graph.nodes[each.argument].name,
            each.formula,
            each.filled,
            float(each.value),
            float(each.total),
        )
        for each in reverse(graph).contributions
    ]
    assert found[1:] == [
        ("v4", "v3", "v̄4·x1", "20·2", 40, 40),
        ("v4", "x1", "v̄4·v3", "20·5", 100, 100),
        ("v3", "x1", "v̄3", "40", 40, 140),
        ("v3", "x2", "v̄3", "40", 40, 40),
    ]


def test_negative_numbers_stand_in_brackets_where_signs_would_meet():
    graph = Graph("x·y − x^2 + exp(y)", {"x": -2, "y": -3})
    assert [graph.filled(node) for node in graph.nodes if node.operation] == [
        "(−2)·(−3)",
        "(−2)^2",
        "6 − 4",
        "exp(−3)",
        "2 + 0.0497871",
    ]


def test_operations_of_a_product_are_counted_one_by_one():
    counts = count(Graph("(x + y)·x", {"x": 2, "y": 3}))
    # value: +, ·. Backward: v̄·x, v̄·v1, and one sum at x. Forward: for x two products and a sum, for y one product.
    assert (counts.value, counts.reverse, counts.forward, counts.passes) == (2, 5, 6, 2)


def test_operations_of_a_layer_are_those_of_its_matrix_products():
    counts = count(Graph("sum(W @ x)", {"W": np.ones((4, 3)), "x": np.ones(3)}))
    assert counts.value == 4 * (2 * 3 - 1) + 3
    assert counts.reverse == counts.value + 4 * 3 + 3 * (2 * 4 - 1)  # v̄ @ xᵀ and Wᵀ @ v̄; sum passes its adjoint on


def test_reverse_mode_is_cheaper_the_more_inputs_there_are():
    small, large = (count(Graph("sum(tanh(W @ x))", {"W": np.ones((n, n)), "x": np.ones(n)})) for n in (2, 12))
    assert large.forward / large.reverse > 5 * small.forward / small.reverse
    assert large.reverse < 5 * large.value


def test_parts_on_which_the_result_does_not_depend_get_no_adjoint():
    graph = Graph("u = exp(x); v = y·y; v + 1", {"x": 1, "y": 2})
    assert gradient(graph) == {"x": 0.0, "y": 4.0}


@pytest.mark.parametrize("text", ["cumsum(x)[0]", "sum(sort(x))", "order(x)[0]·x[0]"])
def test_what_has_no_derivative_is_named(text):
    graph = Graph(text, {"x": [1, 2]})
    for ask in (reverse, count, lambda each: forward(each, "x", (0,))):
        with pytest.raises(BadInput, match="has no derivative"):
            ask(graph)


@pytest.mark.parametrize(("name", "entry"), [("z", ()), ("x", ()), ("x", (2,)), ("x", (0, 0)), ("x", (-1,))])
def test_a_direction_that_is_not_there_is_refused(name, entry):
    with pytest.raises(BadInput):
        forward(Graph("sum(x)", {"x": [1, 2]}), name, entry)
