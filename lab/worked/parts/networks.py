"""Examples of multi-layer networks, computed by the registered models, the objective and the optimizer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lab.api import Task
from lab.worked.examples import Computed
from lab.worked.parts.common import Figures, backward, fill, inputs_of, make_model, to_tensor
from lab.worked.parts.optimizers import make_optimizer

if TYPE_CHECKING:
    from torch import Tensor


def network(computed: Computed) -> Any:
    """Build the multi-layer network of the lab with the weights of the example."""
    inputs = computed.inputs
    W1 = to_tensor(inputs["W1"])
    task = Task(1, 1, causal=False, input_shape=(W1.shape[1],), outputs=1)
    model = make_model("mlp", task, widths=[len(W1)], activation="relu")
    output = next(inputs[name] for name in ("W2", "u", "W") if name in inputs)
    for parameter, value in (
        (model.hidden[0].linear.weight, W1), (model.hidden[0].linear.bias, inputs["b1"]),
        (model.output.weight, output), (model.output.bias, inputs["b2"]),
    ):  # fmt: skip
        fill(parameter, value)
    return model


def _binary(model: Any, X: Tensor, y: Tensor) -> Tensor:
    """Return the cross-entropy of each sample by the lab's objective."""
    from lab.api import Batch
    from lab.training.objectives import Binary

    return Binary().loss(model, Batch({"tokens": X}, y[:, None], len(y))).nats[:, 0]


def _sample(computed: Computed) -> tuple[Any, Tensor, Tensor]:
    x, y = inputs_of(computed, "x", "y")
    return network(computed), x[None], y.reshape(1)


def network_of_sample(computed: Computed) -> Figures:
    """Run the network on a sample."""
    model, X, y = _sample(computed)
    return {
        "z1": model.hidden[0].linear(X)[0], "z2": model(X)[0, 0], "p": model(X)[0, 0].sigmoid(),
        "loss": _binary(model, X, y)[0],
    }  # fmt: skip


def network_221(computed: Computed) -> Figures:
    """Run the network of two hidden units."""
    model, x = network(computed), inputs_of(computed, "x")[0][None]
    return {"z1": model.hidden[0].linear(x)[0], "z2": model(x)[0, 0], "y_hat": model(x)[0, 0].sigmoid()}


def network_batch(computed: Computed) -> Figures:
    """Run the network on a batch."""
    model = network(computed)
    X, y = inputs_of(computed, "X", "y")
    losses = _binary(model, X, y)
    found = {"p": model(X)[:, 0].sigmoid(), "losses": losses}
    return found | ({"loss": losses.mean()} if "loss" in computed.values else {})


def _gradients(model: Any) -> dict[str, Tensor]:
    return {
        "dW1": model.hidden[0].linear.weight.grad, "db1": model.hidden[0].linear.bias.grad,
        "dW2": model.output.weight.grad[0], "db2": model.output.bias.grad[0],
    }  # fmt: skip


def network_gradient(computed: Computed) -> Figures:
    """Run the network backward on a sample."""
    model, X, y = _sample(computed)
    backward(_binary(model, X, y).sum())
    return _gradients(model)


def network_batch_gradient(computed: Computed) -> Figures:
    """Run the network backward on a batch."""
    model = network(computed)
    X, y = inputs_of(computed, "X", "y")
    backward(_binary(model, X, y).mean())
    return {name: value for name, value in _gradients(model).items() if name in computed.values}


def _sgd(model: Any, eta: float) -> Any:
    return make_optimizer("sgd", list(model.parameters()), learning_rate=eta, momentum=0.0, weight_decay=0.0)


def _one_step(computed: Computed) -> tuple[Any, Tensor, Tensor]:
    model = network(computed)
    X, y = inputs_of(computed, "X", "y")
    optimizer = _sgd(model, float(to_tensor(computed.inputs["eta"])))
    backward(_binary(model, X, y).mean())
    optimizer.step()
    return model, X, y


def network_step(computed: Computed) -> Figures:
    """Make a step of gradient descent."""
    model, *_ = _one_step(computed)
    return {
        "W1'": model.hidden[0].linear.weight, "b1'": model.hidden[0].linear.bias, "W2'": model.output.weight[0],
        "b2'": model.output.bias[0],
    }  # fmt: skip


def network_second_pass(computed: Computed) -> Figures:
    """Run the network after the step."""
    model, X, y = _one_step(computed)
    losses = _binary(model, X, y)
    return {"z1": model.hidden[0].linear(X)[0], "z2": model(X)[0, 0], "loss": losses[0], "batch_loss": losses.mean()}


def network_descent(computed: Computed) -> Figures:
    """Record the loss over ten steps."""
    model = network(computed)
    X, y = inputs_of(computed, "X", "y")
    optimizer = _sgd(model, float(to_tensor(computed.inputs["eta"])))
    losses = []
    for _ in range(11):
        optimizer.zero_grad()
        loss = _binary(model, X, y).mean()
        losses.append(loss)
        backward(loss)
        optimizer.step()
    return {"steps_0_to_10": losses}


def mlp_parameters(computed: Computed) -> Figures:
    """Count parameters by layer."""
    widths = [int(each) for each in to_tensor(computed.inputs["widths"])]
    task = Task(1, 1, causal=False, input_shape=(widths[0],), outputs=widths[-1])
    model = make_model("mlp", task, widths=widths[1:-1])
    sizes = [sum(each.numel() for each in layer.parameters()) for layer in (*model.hidden, model.output)]
    return {"by_layer": [float(each) for each in sizes], "parameters": float(sum(sizes))}


def perceptron(computed: Computed) -> Figures:
    """Train the perceptron by its rule."""
    import torch

    X, labels, eta = inputs_of(computed, "X", "labels", "eta")
    model = make_model("perceptron", Task(1, 1, causal=False, input_shape=(X.shape[1],), outputs=1))
    weight, bias, wrong = torch.zeros(X.shape[1]).double(), torch.zeros(()).double(), True
    updates = 0
    while wrong and updates < 1000:
        wrong = False
        for x, label in zip(X, labels, strict=True):
            fill(model.output.weight, weight)
            fill(model.output.bias, bias)
            if label * model(x[None])[0, 0] <= 0:
                weight, bias, wrong = weight + eta * label * x, bias + eta * label, True
                updates += 1
    return {"w": weight, "b": bias, "updates": float(updates)}


def batch_norm(computed: Computed) -> Figures:
    """Normalise a batch."""
    z = inputs_of(computed, "z")[0]
    task = Task(1, 1, causal=False, input_shape=(1,), outputs=1)
    norm = make_model("mlp", task, widths=[1], norm="batch").hidden[0].norm
    return {"normalised": norm(z[:, None])[:, 0]}
