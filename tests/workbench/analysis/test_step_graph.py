"""The training step of a network as a computation graph: the numbers of torch, and of the trainer."""

import numpy as np
import pytest

from lab.base import BadInput
from lab.host import Plugins
from lab.recipes import shipped
from lab.training.experiment import prepare
from lab.training.trainer import Trainer
from lab.workbench.analysis.step_graph import step_program
from lab.worked import Graph, descended, gradient

ACTIVATIONS = ("identity", "sigmoid", "tanh", "relu", "leaky-relu", "prelu", "elu", "selu", "gelu", "gelu-tanh",
               "silu", "softplus", "mish")  # fmt: skip
QUIET = {
    "training": {"evaluate_every": 0, "sample_tokens": 0, "checkpoint_seconds": 0, "device": "cpu", "threads": 1,
                 "steps": 1},
    "readings": {"moments": 0, "gauges_every": 0},
}  # fmt: skip
PLAIN = {"name": "sgd", "learning_rate": 0.25, "momentum": 0.0, "weight_decay": 0.0}


def experiment(name="network-xor-hidden", **values):
    recipe = shipped(name).with_values(QUIET).with_values({"architecture": {"initialisation": "xavier"}})
    return prepare(recipe.with_values(values), Plugins(safe_mode=True))


def checked(found, count=5):
    """Compare the loss and the gradients of the graph of a step with those of torch in float64."""
    model = found.build()
    written = step_program(found, model, 0, 0, count)
    graph = Graph(written.program, written.inputs)
    model = model.double()
    batch = found.objective.batch(found.train, np.arange(count), found.recipe.training.seed)
    batch.inputs["tokens"] = batch.inputs["tokens"].double()
    if batch.targets.is_floating_point():
        batch.targets = batch.targets.double()
    loss = found.objective.loss(model, batch).nats.sum() / batch.weight
    loss.backward()
    assert float(graph.result.array) == pytest.approx(loss.item(), abs=1e-12)
    ours, (_, theirs) = gradient(graph), model.statements()
    for name in written.weights:
        np.testing.assert_allclose(ours[name], theirs[name].grad.numpy(), rtol=1e-9, atol=1e-12, err_msg=name)
    return written


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_loss_and_gradients_of_each_activation_are_those_of_torch(activation):
    checked(experiment(architecture={"widths": [4, 3], "activation": activation}))


def test_residual_layers_without_biases_are_drawn_with_their_additions():
    written = checked(experiment(architecture={"widths": [2, 2], "residual": True, "bias": False}))
    assert "a1 = tanh(z1) + X" in written.program
    assert written.weights == ("W1", "W2", "W3")


def test_smoothed_labels_are_the_targets():
    checked(experiment(objective={"label_smoothing": 0.2}))


def test_a_perceptron_of_two_classes_is_drawn_through_its_single_sum():
    written = checked(experiment("network-xor-perceptron", architecture={"initialisation": None, "spread": 0.5}))
    assert written.weights == ("W", "b")


def test_a_regression_is_drawn_through_its_squares():
    checked(experiment("network-curve", training={"batch_size": 200}))


def test_a_step_of_gradient_descent_through_the_graph_is_that_of_the_trainer():
    found = experiment(training={"optimizer": PLAIN, "batch_size": 6, "clip": 0.0})
    trainer = Trainer(found)
    written = step_program(found, trainer.model, 0, 0, 6)
    after = descended(Graph(written.program, written.inputs), written.weights, written.rate)
    trainer.run()
    for name, weights in trainer.model.statements()[1].items():
        np.testing.assert_allclose(weights.detach().numpy(), after[name], atol=1e-6, err_msg=name)
        assert not np.allclose(after[name], written.inputs[name])


def test_only_plain_gradient_descent_at_a_constant_rate_has_a_rate():
    assert step_program(*_made(experiment(training={"optimizer": PLAIN})), 0, 0).rate == 0.25
    momentum = {**PLAIN, "momentum": 0.9}
    assert step_program(*_made(experiment(training={"optimizer": momentum})), 0, 0).rate is None
    cosine = {"name": "cosine", "warmup": 0}
    assert step_program(*_made(experiment(training={"optimizer": PLAIN, "schedule": cosine})), 0, 0).rate is None


def _made(found):
    return found, found.build()


@pytest.mark.parametrize(
    ("values", "count", "reason"),
    [
        ({"architecture": {"norm": "layer"}}, 4, "cannot be written as expressions"),
        ({"architecture": {"dropout": 0.1}}, 4, "cannot be written as expressions"),
        ({"architecture": {"activation": "maxout"}}, 4, "cannot be written as expressions"),
        ({"architecture": {"widths": [100, 100]}}, 4, "too many weights"),
        ({"objective": {"name": "margin"}}, 4, "its loss cannot be written"),
        ({}, 0, "is not allowed"),
        ({}, 65, "is not allowed"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_reason(values, count, reason):
    with pytest.raises(BadInput, match=reason):
        step_program(*_made(experiment(**values)), 0, 0, count)
