"""The losses of numbers against torch's own."""

import pytest
import torch
from torch import nn

from lab.api import Batch
from lab.training.builtins import RegressionConfig
from lab.training.objectives import Binary, Regression


class Given(nn.Module):
    """A model whose outputs are its inputs."""

    def forward(self, tokens):
        return tokens


@pytest.mark.parametrize(
    ("objective", "theirs"),
    [
        (Regression(), nn.MSELoss(reduction="none")),
        (Regression(RegressionConfig(loss="huber", delta=0.3)), nn.HuberLoss(reduction="none", delta=0.3)),
        (Binary(), nn.BCEWithLogitsLoss(reduction="none")),
    ],
    ids=["squares", "huber", "binary"],
)
def test_loss_and_gradient_are_those_of_torch(objective, theirs):
    torch.manual_seed(0)
    outputs, numbers = torch.randn(7, 3, requires_grad=True), torch.rand(7, 3)
    loss = objective.loss(Given(), Batch({"tokens": outputs}, numbers, 21)).nats
    torch.testing.assert_close(loss, theirs(outputs, numbers))
    found, expected = (torch.autograd.grad(each.sum(), outputs)[0] for each in (loss, theirs(outputs, numbers)))
    torch.testing.assert_close(found, expected)
