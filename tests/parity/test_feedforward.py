"""Feed-forward networks against the worked examples of lectures, torch's modules, and finite differences."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from lab.api import BadInput, Batch, Task
from lab.training.objectives import Binary, Classification
from lab.training.optimizers.builtins import SGDConfig
from lab.training.optimizers.groups import set_rates
from lab.training.optimizers.makers import sgd
from lab_feedforward import MarginConfig
from lab_feedforward.images import ConvolutionalNetwork
from lab_feedforward.language import Bengio, LogBilinear, Logistic, TokenConvolution
from lab_feedforward.layers import he_factor, image_norm, vector_norm
from lab_feedforward.network import MLP, Perceptron
from lab_feedforward.objectives import Margin, margins
from lab_feedforward.settings import (
    BengioConfig,
    ConvolutionalConfig,
    LinearConfig,
    LogBilinearConfig,
    LogisticConfig,
    MLPConfig,
    TokenConvolutionConfig,
)

GOLD = Path(__file__).parents[1] / "gold" / "lectures" / "networks.json"
EXAMPLES = {one["id"]: one for one in json.loads(GOLD.read_text(encoding="utf-8"))["examples"]}
ACTIVATIONS = MLPConfig.model_fields["activation"].annotation.__args__
NORMS = ("none", "batch", "layer", "group", "rms")
IMAGE_NORMS = (*NORMS, "instance")
ONE_NUMBER = Task(1, 1, causal=False, input_shape=(2,), outputs=1)
THREE_CLASSES = Task(1, 1, causal=False, input_shape=(5,), classes=3)
CPU = torch.device("cpu")
DIGITS = {"rel": 1e-9, "abs": 1e-12}


@pytest.fixture(autouse=True)
def float64():
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(0)
    yield
    torch.set_default_dtype(torch.float32)


def steps(example):
    return {one["name"]: one["value"] for one in EXAMPLES[example]["steps"]}


def result(example):
    return EXAMPLES[example]["result"]


def tensor(values):
    return torch.tensor(values, dtype=torch.float64)


def flat(rows):
    return [value for row in rows for value in row]


# ---------------------------------------------------------------------------------- worked examples of the lectures


class Net231:
    """The network 2 → 3 → 1 of the lectures, with its four samples: the lab's model, objective and optimizer."""

    def __init__(self):
        given = EXAMPLES["net-231-sample-1"]["inputs"]
        self.model = MLP(MLPConfig(widths=[3], activation="relu"), ONE_NUMBER)
        with torch.no_grad():
            self.model.hidden[0].linear.weight.copy_(tensor(given["W1"]))
            self.model.hidden[0].linear.bias.copy_(tensor(given["b1"]))
            self.model.output.weight.copy_(tensor([given["W2"]]))
            self.model.output.bias.fill_(given["b2"])
        self.inputs, self.targets = tensor(given["X_rows_are_samples"]), tensor(given["y"])[:, None]
        group = {"params": list(self.model.parameters()), "names": [], "role": "matrix", "layer": None, "width": 1,
                 "decays": False}  # fmt: skip
        self.optimizer = sgd(SGDConfig(learning_rate=0.1, momentum=0.0, weight_decay=0.0), [group], CPU)
        set_rates(self.optimizer, 0.1, 1.0)

    def losses(self, samples=slice(None)):
        batch = Batch({"tokens": self.inputs[samples]}, self.targets[samples], len(self.targets[samples]))
        return Binary().loss(self.model, batch).nats[:, 0]

    def sums(self, samples=slice(None)):
        return self.model.hidden[0].linear(self.inputs[samples])

    def step(self):
        self.optimizer.zero_grad()
        self.losses().mean().backward()
        self.optimizer.step()


@pytest.fixture
def net():
    return Net231()


def test_the_network_2_3_1_has_13_parameters(net):
    layers = [sum(p.numel() for p in layer.parameters()) for layer in (net.model.layers, net.model.output)]
    assert layers == steps("mlp-parameters")["by_layer"]
    assert sum(layers) == result("mlp-parameters")["parameters"]


@pytest.mark.parametrize("sample", [1, 2])
def test_forward_pass_of_a_sample(net, sample):
    example = f"net-231-sample-{sample}"
    of_it = slice(sample - 1, sample)
    assert net.sums(of_it)[0].tolist() == pytest.approx(steps(example)["z1"], **DIGITS)
    output = net.model(net.inputs[of_it])
    assert output.item() == pytest.approx(steps(example)["z2"], **DIGITS)
    assert output.sigmoid().item() == pytest.approx(steps(example)["p"], **DIGITS)
    assert net.losses(of_it).item() == pytest.approx(result(example)["loss"], **DIGITS)


def test_losses_of_the_other_samples_and_of_the_batch(net):
    losses = net.losses()
    assert losses[2:].tolist() == pytest.approx(result("net-231-samples-3-4")["losses"], **DIGITS)
    assert losses.tolist() == pytest.approx(steps("net-231-batch-loss")["losses"], **DIGITS)
    assert losses.mean().item() == pytest.approx(result("net-231-batch-loss")["loss"], **DIGITS)


def test_gradients_of_the_first_sample(net):
    net.losses(slice(0, 1)).mean().backward()
    expected = {**steps("net-231-backprop-1"), **result("net-231-backprop-1")}
    linear, output = net.model.hidden[0].linear, net.model.output
    assert output.weight.grad[0].tolist() == pytest.approx(expected["dW2"], **DIGITS)
    assert output.bias.grad.item() == pytest.approx(expected["db2"], **DIGITS)
    assert linear.weight.grad.flatten().tolist() == pytest.approx(flat(expected["dW1"]), **DIGITS)
    assert linear.bias.grad.tolist() == pytest.approx(expected["db1"], **DIGITS)


def test_gradients_of_the_batch(net):
    net.losses().mean().backward()
    expected = {**steps("net-231-batch-gradient"), **result("net-231-batch-gradient")}
    linear, output = net.model.hidden[0].linear, net.model.output
    assert output.weight.grad[0].tolist() == pytest.approx(expected["dW2"], **DIGITS)
    assert output.weight.grad[0].tolist() == pytest.approx(result("net-231-matrix-form")["dW2"], **DIGITS)
    assert output.bias.grad.item() == pytest.approx(expected["db2"], **DIGITS)
    assert linear.weight.grad.flatten().tolist() == pytest.approx(flat(expected["dW1"]), **DIGITS)
    assert linear.bias.grad.tolist() == pytest.approx(expected["db1"], **DIGITS)


def test_one_step_of_gradient_descent_and_the_pass_after_it(net):
    net.step()
    expected = result("net-231-step")
    linear, output = net.model.hidden[0].linear, net.model.output
    assert output.weight[0].tolist() == pytest.approx(expected["W2"], **DIGITS)
    assert output.bias.item() == pytest.approx(expected["b2"], **DIGITS)
    assert linear.weight.flatten().tolist() == pytest.approx(flat(expected["W1"]), **DIGITS)
    assert linear.bias.tolist() == pytest.approx(expected["b1"], **DIGITS)
    after = steps("net-231-second-pass")
    assert net.sums(slice(0, 1))[0].tolist() == pytest.approx(after["z1"], **DIGITS)
    assert net.losses(slice(0, 1)).item() == pytest.approx(result("net-231-second-pass")["loss"], **DIGITS)
    assert net.losses().mean().item() == pytest.approx(result("net-231-second-pass")["batch_loss"], **DIGITS)


def test_the_loss_falls_over_ten_steps_as_computed_by_hand(net):
    curve = [net.losses().mean().item()]
    for _ in range(10):
        net.step()
        curve.append(net.losses().mean().item())
    assert curve == pytest.approx(steps("net-231-loss-curve")["steps_0_to_10"], **DIGITS)


def test_the_network_2_2_1():
    given = EXAMPLES["net-221"]["inputs"]
    model = MLP(MLPConfig(widths=[2], activation="relu"), ONE_NUMBER)
    with torch.no_grad():
        model.hidden[0].linear.weight.copy_(tensor(given["W1"]))
        model.hidden[0].linear.bias.copy_(tensor(given["b1"]))
        model.output.weight.copy_(tensor([given["u"]]))
        model.output.bias.fill_(given["b2"])
    assert model(tensor([given["x"]])).sigmoid().item() == pytest.approx(result("net-221")["y_hat"], **DIGITS)


def test_sigmoid_and_cross_entropy_cancel(net):
    logit = tensor([[steps("net-231-sample-1")["z2"]]]).requires_grad_()
    Binary().loss(lambda tokens: tokens, Batch({"tokens": logit}, tensor([[0.0]]), 1)).nats.sum().backward()
    assert logit.grad.item() == pytest.approx(result("bce-cancellation")["dL_dz"], **DIGITS)


def test_the_gradient_of_softmax_and_cross_entropy_is_p_minus_y():
    given = EXAMPLES["softmax-gradient"]["inputs"]
    logits = tensor([given["z"]]).requires_grad_()
    right = torch.tensor([int(np.argmax(given["y"]))])
    Classification().loss(lambda tokens: tokens, Batch({"tokens": logits}, right, 1)).nats.sum().backward()
    assert logits.grad[0].tolist() == pytest.approx(result("softmax-gradient")["gradient"], **DIGITS)


def test_batch_normalisation_of_four_values():
    given = EXAMPLES["batchnorm-neuron"]["inputs"]
    norm = vector_norm("batch", 1, 1)
    assert norm.eps == given["epsilon"]
    found = norm(tensor(given["z"])[:, None])[:, 0]
    assert found.tolist() == pytest.approx(result("batchnorm-neuron")["normalised"], **DIGITS)


def test_ten_sigmoid_layers_lose_the_gradient():
    task = Task(1, 1, causal=False, input_shape=(1,), outputs=1)
    for layers, factor in zip((1, 2, 5, 10, 20), steps("sigmoid-ten-layers")["by_layers"], strict=True):
        model = MLP(MLPConfig(widths=[1] * layers, activation="sigmoid"), task)
        with torch.no_grad():
            for name, values in model.named_parameters():
                values.fill_(-0.5 if name.endswith("bias") else 1.0)  # every sum is 0, where the slope is largest
        x = torch.full((1, 1), 0.5, requires_grad=True)
        (slope,) = torch.autograd.grad(model(x).sum(), x)
        assert slope.item() == pytest.approx(factor, **DIGITS)


def test_slopes_and_least_values_of_activations():
    expected = {**steps("activation-slopes"), **result("activation-slopes")}
    for name in ("sigmoid", "tanh"):
        at = torch.zeros(1, requires_grad=True)
        function = MLP(MLPConfig(widths=[1], activation=name), ONE_NUMBER).hidden[0].activation
        (slope,) = torch.autograd.grad(function(at).sum(), at)
        assert slope.item() == pytest.approx(expected[f"{name}_slope"], **DIGITS)
    for name in ("silu", "gelu"):
        function = MLP(MLPConfig(widths=[1], activation=name), ONE_NUMBER).hidden[0].activation
        x = torch.linspace(-2, 0, 200_001)
        least, at = function(x).min(0)
        assert least.item() == pytest.approx(expected[f"{name}_least"], abs=1e-9)
        assert x[at].item() == pytest.approx(expected[f"{name}_least_at"], abs=1e-4)


def test_the_perceptron_corrects_five_times_on_four_points():
    given = EXAMPLES["perceptron-four-points"]["inputs"]
    model = Perceptron(LinearConfig(), Task(1, 1, causal=False, input_shape=(2,), classes=2))
    group = {"params": list(model.parameters()), "names": [], "role": "matrix", "layer": None, "width": 1,
             "decays": False}  # fmt: skip
    optimizer = sgd(SGDConfig(learning_rate=given["eta"], momentum=0.0, weight_decay=0.0), [group], CPU)
    set_rates(optimizer, given["eta"], 1.0)
    objective = Margin(MarginConfig(loss="perceptron"))
    updates = []
    for _ in range(3):
        for number, (x, label) in enumerate(zip(given["X"], given["labels"], strict=True), start=1):
            batch = Batch({"tokens": tensor([x])}, torch.tensor([int(label > 0)]), 1)
            optimizer.zero_grad()
            loss = objective.loss(model, batch)
            loss.nats.sum().backward()
            optimizer.step()
            if loss.metrics["mistakes"][0]:
                updates.append(number)
    assert updates == steps("perceptron-four-points")["updates_at_samples"]
    assert model.output.weight[0].tolist() == pytest.approx(result("perceptron-four-points")["w"], **DIGITS)
    assert model.output.bias.item() == pytest.approx(result("perceptron-four-points")["b"], **DIGITS)
    assert len(updates) <= result("perceptron-four-points")["bound"]


def test_dropout_scales_what_is_left_in_training_and_nothing_in_evaluation():
    given = EXAMPLES["dropout-mask"]["inputs"]
    model = MLP(MLPConfig(widths=[3], activation="identity", dropout=given["p"]), Task(
        1, 1, causal=False, input_shape=(3,), outputs=1))  # fmt: skip
    with torch.no_grad():
        model.hidden[0].linear.weight.copy_(torch.eye(3))
        model.output.weight.copy_(tensor([given["W"]]))
        model.output.bias.fill_(given["b"])
    h = tensor([given["h"]])
    assert model.eval()(h).item() == pytest.approx(steps("dropout-mask")["z_without_dropout"], **DIGITS)
    found = {round(model.train()(h).item(), 9) for _ in range(200)}
    assert round(result("dropout-mask")["z_inverted"], 9) in found
    assert len(found) == 8  # every mask of three units occurs


# ------------------------------------------------------------------------------------------------ torch as reference


@pytest.mark.parametrize("widths", [[], [7], [6, 6, 4]])
def test_a_relu_network_is_torch_s_sequence_bit_for_bit(widths):
    model = MLP(MLPConfig(widths=widths, activation="relu"), THREE_CLASSES)
    layers, inputs = [], 5
    for width, layer in zip(widths, model.hidden, strict=True):
        layers += [nn.Linear(inputs, width), nn.ReLU()]
        layers[-2].load_state_dict(layer.linear.state_dict())
        inputs = width
    reference = nn.Sequential(*layers, nn.Linear(inputs, 3))
    reference[-1].load_state_dict(model.output.state_dict())
    x = torch.randn(9, 5)
    assert torch.equal(model(x), reference(x))


def test_batch_normalisation_counts_and_evaluates_as_torch_s():
    model = MLP(MLPConfig(widths=[6], activation="tanh", norm="batch"), THREE_CLASSES)
    reference = nn.Sequential(nn.Linear(5, 6), nn.BatchNorm1d(6), nn.Tanh(), nn.Linear(6, 3))
    reference[0].load_state_dict(model.hidden[0].linear.state_dict())
    reference[3].load_state_dict(model.output.state_dict())
    for number in range(5):
        x = torch.randn(8, 5) * (number + 1)
        assert torch.equal(model(x), reference(x))
    for name in ("running_mean", "running_var", "num_batches_tracked"):
        assert torch.equal(getattr(model.hidden[0].norm, name), getattr(reference[1], name))
    x = torch.randn(8, 5)
    assert torch.equal(model.eval()(x), reference.eval()(x))
    assert torch.equal(model(x[:1]), reference(x[:1]))  # one row alone


@pytest.mark.parametrize("kind", IMAGE_NORMS)
def test_normalisations_of_images_are_torch_s(kind):
    x = torch.randn(4, 6, 5, 5)
    reference = {
        "none": nn.Identity(), "batch": nn.BatchNorm2d(6), "layer": nn.LayerNorm((6, 5, 5), elementwise_affine=False),
        "group": nn.GroupNorm(3, 6), "instance": nn.InstanceNorm2d(6),
    }  # fmt: skip
    expected = (
        x / (x.square().mean(1, keepdim=True) + 1e-5).sqrt() if kind == "rms" else reference[kind](x)
    )  # fmt: skip
    torch.testing.assert_close(image_norm(kind, 6, 3)(x), expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("norm", NORMS)
def test_gradients_agree_with_finite_differences(activation, norm):
    config = MLPConfig(widths=[4, 4], activation=activation, norm=norm, groups=2, residual=True, gain=0.7)
    model = MLP(config, THREE_CLASSES)
    x = torch.randn(5, 5, requires_grad=True)
    names, values = zip(*model.named_parameters(), strict=True)

    def output(x, *values):
        return torch.func.functional_call(model, dict(zip(names, values, strict=True)), (x,))

    buffers = {name: buffer.clone() for name, buffer in model.named_buffers()}
    assert torch.autograd.gradcheck(output, (x, *values), eps=1e-6, atol=1e-6)
    assert buffers.keys() == dict(model.named_buffers()).keys()


@pytest.mark.parametrize("loss", ["perceptron", "hinge", "squares"])
@pytest.mark.parametrize("classes", [2, 4])
def test_margin_losses_have_the_gradients_of_finite_differences(loss, classes):
    objective, wanted = Margin(MarginConfig(loss=loss)), torch.randint(classes, (6,))

    def losses(logits):
        return objective.loss(lambda tokens: tokens, Batch({"tokens": logits}, wanted, 6)).nats

    assert torch.autograd.gradcheck(losses, (torch.randn(6, classes, requires_grad=True),))


def test_the_hinge_is_torch_s_for_several_classes():
    logits, wanted = torch.randn(50, 4), torch.randint(4, (50,))
    found = Margin(MarginConfig(loss="hinge")).loss(lambda tokens: tokens, Batch({"tokens": logits}, wanted, 50)).nats
    runner_up = -margins(logits, wanted)
    torch.testing.assert_close(found, (1 + runner_up).clamp(min=0))
    # torch sums over all other classes; with two there is one other
    two = torch.randn(50, 2)
    of_two = wanted % 2
    found = Margin(MarginConfig(loss="hinge")).loss(lambda tokens: tokens, Batch({"tokens": two}, of_two, 50)).nats
    torch.testing.assert_close(found, 2 * nn.functional.multi_margin_loss(two, of_two, reduction="none"))


def test_one_unit_with_cross_entropy_is_logistic_regression():
    model = Perceptron(LinearConfig(spread=1.0), Task(1, 1, causal=False, input_shape=(5,), classes=2))
    x, label = torch.randn(7, 5), torch.randint(2, (7,))
    found = Classification().loss(model, Batch({"tokens": x}, label, 7)).nats
    sums = model.output(x)[:, 0]
    torch.testing.assert_close(
        found, nn.functional.binary_cross_entropy_with_logits(sums, label.double(), reduction="none")
    )


@pytest.mark.parametrize(
    ("scheme", "activation", "std"),
    [
        ("he", "relu", math.sqrt(2 / 400)), ("he", "tanh", math.sqrt(2 / 400)), ("he", "identity", math.sqrt(1 / 400)),
        ("xavier", "tanh", math.sqrt(2 / 700)), ("lecun", "selu", math.sqrt(1 / 400)), ("normal", "relu", 0.05),
        ("uniform", "relu", 0.05 / math.sqrt(3)), ("zeros", "relu", 0.0),
    ],
)  # fmt: skip
def test_initial_weights_have_the_spread_of_their_scheme(scheme, activation, std):
    config = MLPConfig(widths=[300], activation=activation, initialisation=scheme, spread=0.05)
    model = MLP(config, Task(1, 1, causal=False, input_shape=(400,), classes=3))
    weight = model.hidden[0].linear.weight
    assert weight.std().item() == pytest.approx(std, rel=0.02)
    assert not model.hidden[0].linear.bias.any()


def test_orthogonal_weights_keep_lengths_and_leaky_slopes_count():
    config = MLPConfig(widths=[5], activation="leaky-relu", slope=0.5, initialisation="orthogonal", gain=2.0)
    weight = MLP(config, THREE_CLASSES).hidden[0].linear.weight
    torch.testing.assert_close(weight @ weight.T, 4 * torch.eye(5))
    assert he_factor(config, "leaky-relu") == pytest.approx(math.sqrt(2 / 1.25))


def test_maxout_takes_the_largest_piece_of_each_unit():
    model = MLP(MLPConfig(widths=[4], activation="maxout", pieces=3), THREE_CLASSES)
    x = torch.randn(6, 5)
    sums = model.hidden[0].linear(x)
    expected = torch.stack([sums[:, piece * 4 : piece * 4 + 4] for piece in range(3)]).amax(0)
    assert torch.equal(model.hidden[0].activation(sums), expected)


def test_a_convolutional_network_is_torch_s():
    task = Task(1, 1, causal=False, input_shape=(8, 6, 2), classes=3)
    model = ConvolutionalNetwork(ConvolutionalConfig(channels=[4, 5], widths=[7], norm="batch"), task)
    reference = nn.Sequential(
        nn.Conv2d(2, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(4, 5, 3, padding=1), nn.BatchNorm2d(5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(5 * 2 * 1, 7), nn.ReLU(), nn.Linear(7, 3),
    )  # fmt: skip
    own = list(model.state_dict().values())
    assert [value.shape for value in own] == [value.shape for value in reference.state_dict().values()]
    reference.load_state_dict(dict(zip(reference.state_dict(), own, strict=True)))
    images = torch.rand(4, 8, 6, 2)
    assert torch.equal(model(images), reference(images.permute(0, 3, 1, 2)))


# --------------------------------------------------------------------------------------------------- windows of tokens


@pytest.mark.parametrize("direct", [False, True])
def test_bengio_s_network_is_his_equation_at_every_position(direct):
    config = BengioConfig(window=3, width=4, hidden=5, direct=direct)
    model = Bengio(config, Task(7, 20))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_()
    tokens = torch.randint(7, (2, 9))
    found = model(tokens)
    C = model.embedding.weight
    for row in range(2):
        for t in range(9):
            seen = [C[tokens[row, i]] if i >= 0 else torch.zeros(4) for i in (t - 2, t - 1, t)]
            x = torch.cat(seen)
            y = model.output.bias + model.output.weight @ torch.tanh(model.hidden.bias + model.hidden.weight @ x)
            if direct:
                y = y + model.direct.weight @ x
            torch.testing.assert_close(found[row, t], y)


@pytest.mark.parametrize("diagonal", [False, True])
def test_the_log_bilinear_model_is_its_equation(diagonal):
    model = LogBilinear(LogBilinearConfig(window=3, width=4, diagonal=diagonal), Task(7, 20))
    tokens = torch.randint(7, (1, 6))
    r = model.embedding.weight
    for t in range(6):
        predicted = torch.zeros(4)
        for i in range(3):
            if t - 2 + i >= 0:
                vector = r[tokens[0, t - 2 + i]]
                predicted = predicted + (model.position[i] * vector if diagonal else vector @ model.position[i])
        torch.testing.assert_close(model(tokens)[0, t], r @ predicted + model.bias)


def test_the_logistic_model_is_regression_on_one_hot_tokens():
    model = Logistic(LogisticConfig(window=3), Task(5, 20))
    with torch.no_grad():
        model.weight.normal_()
        model.bias.normal_()
    tokens = torch.randint(5, (2, 8))
    one_hot = nn.functional.one_hot(tokens, 5).double()
    padded = nn.functional.pad(one_hot, (0, 0, 2, 0))
    expected = model.bias + sum(padded[:, i : i + 8] @ model.weight[i] for i in range(3))
    torch.testing.assert_close(model(tokens), expected)


@pytest.mark.parametrize(("dilated", "reads"), [(True, 1 + 2 * 7), (False, 1 + 2 * 3)])
def test_a_causal_convolution_reads_as_many_tokens_as_it_says(dilated, reads):
    model = TokenConvolution(TokenConvolutionConfig(layers=3, width=6, kernel=3, dilated=dilated), Task(7, 40))
    assert model.history == reads - 1
    tokens = torch.randint(7, (1, 30))
    x = torch.nn.functional.one_hot(tokens, 7).double().requires_grad_()
    model.embedding.forward = lambda _: x @ model.embedding.weight
    (gradient,) = torch.autograd.grad(model(tokens)[0, -1].square().sum(), x)
    reached = gradient.abs().sum((0, 2)).nonzero()[:, 0]
    assert reached.min() == 30 - reads


# ------------------------------------------------------------------------------------------------------------ bad input


def test_widths_that_are_impossible_and_inputs_that_are_not_read_are_refused():
    with pytest.raises(BadInput, match="number of units"):
        MLP(MLPConfig(widths=[3, 0]), THREE_CLASSES)
    with pytest.raises(BadInput, match="not tokens"):
        MLP(MLPConfig(), Task(7, 20, causal=False, classes=3))
    with pytest.raises(BadInput, match="reads images"):
        ConvolutionalNetwork(ConvolutionalConfig(), THREE_CLASSES)
    with pytest.raises(BadInput, match="does not divide 6 units"):
        MLP(MLPConfig(widths=[6], norm="group", groups=4), THREE_CLASSES)


def test_units_that_start_at_zeros_stay_the_same():
    model = MLP(MLPConfig(widths=[6], activation="sigmoid", initialisation="zeros"), THREE_CLASSES)
    optimizer = torch.optim.SGD(model.parameters(), 0.5)
    x, label = torch.randn(20, 5), torch.randint(3, (20,))
    for _ in range(20):
        optimizer.zero_grad()
        Classification().loss(model, Batch({"tokens": x}, label, 20)).nats.mean().backward()
        optimizer.step()
    weight = model.hidden[0].linear.weight
    assert weight.any()
    assert torch.equal(weight, weight[:1].expand_as(weight))


def test_layers_without_an_activation_are_one_matrix():
    task = Task(1, 1, causal=False, input_shape=(8,), outputs=8)
    model = MLP(MLPConfig(widths=[8] * 4, activation="identity", bias=False), task)
    product = torch.eye(8)
    for layer in (*[each.linear for each in model.hidden], model.output):
        product = layer.weight @ product
    x = torch.randn(50, 8)
    torch.testing.assert_close(model(x), x @ product.T, rtol=1e-12, atol=1e-12)
