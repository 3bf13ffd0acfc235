"""The losses of numbers against torch's own."""

import pytest
import torch
from torch import nn

from lab.api import Batch
from lab.training.builtins import RegressionConfig, SmoothedConfig
from lab.training.objectives import Binary, Classification, Regression

NUMBERS = torch.rand(5, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
LABELS = torch.tensor([0, 3, 1, 1, 2])


class Given(nn.Module):
    """A model whose outputs are its inputs."""

    def forward(self, tokens):
        return tokens


@pytest.mark.parametrize(
    ("objective", "theirs"),
    [
        (Regression(), nn.MSELoss(reduction="none")),
        (Regression(RegressionConfig(loss="absolute")), nn.L1Loss(reduction="none")),
        (Regression(RegressionConfig(loss="huber", delta=0.3)), nn.HuberLoss(reduction="none", delta=0.3)),
        (Binary(), nn.BCEWithLogitsLoss(reduction="none")),
    ],
    ids=["squares", "absolute", "huber", "binary"],
)
def test_loss_and_gradient_are_those_of_torch(objective, theirs):
    torch.manual_seed(0)
    outputs, numbers = torch.randn(7, 3, requires_grad=True), torch.rand(7, 3)
    loss = objective.loss(Given(), Batch({"tokens": outputs}, numbers, 21)).nats
    torch.testing.assert_close(loss, theirs(outputs, numbers))
    found, expected = (torch.autograd.grad(each.sum(), outputs)[0] for each in (loss, theirs(outputs, numbers)))
    torch.testing.assert_close(found, expected)


@pytest.mark.parametrize(
    ("objective", "targets"),
    [
        (Regression(), NUMBERS),
        (Regression(RegressionConfig(loss="absolute")), NUMBERS),
        (Regression(RegressionConfig(loss="huber", delta=0.3)), NUMBERS),
        (Binary(), NUMBERS),
        (Classification(), LABELS),
        (Classification(SmoothedConfig(label_smoothing=0.2)), LABELS),
    ],
    ids=["squares", "absolute", "huber", "binary", "classes", "smoothed"],
)
def test_gradients_are_those_of_finite_differences_in_float64(objective, targets):
    outputs = torch.randn(5, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(1), requires_grad=True)

    def loss(given):
        return objective.loss(Given().train(), Batch({"tokens": given}, targets, targets.numel())).nats.sum()

    assert torch.autograd.gradcheck(loss, (outputs,))
