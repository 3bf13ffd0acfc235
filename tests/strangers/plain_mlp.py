"""A multi-layer perceptron on vectors: classes or numbers from F numbers."""

from itertools import pairwise

from torch import Tensor, nn

from lab.api import Architecture, ModelConfig, Register, Task, hookimpl, setting
from lab.layers import LanguageModel

LAB_API_VERSION = 2


class PerceptronConfig(ModelConfig):
    layers: int = setting(2, ge=0, le=64, unit="layers", help="Hidden layers; with none the model is linear.")
    width: int = setting(64, ge=1, le=4096, unit="units", help="Units of each hidden layer.")


class Perceptron(LanguageModel):
    def __init__(self, config: PerceptronConfig, task: Task) -> None:
        super().__init__(config, task)
        assert task.input_shape is not None  # it reads vectors
        (features,) = task.input_shape
        sizes = [features] + config.layers * [config.width]
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))
        self.head = nn.Linear(sizes[-1], task.classes or task.outputs or 1)

    def forward(self, tokens: Tensor, **given: Tensor) -> Tensor:
        x = tokens  # (B, F)
        for layer in self.hidden:
            x = layer(x).relu()  # h_l = relu(W_l h_{l−1} + b_l)
        y: Tensor = self.head(x)
        return y


def linear(config: PerceptronConfig) -> dict[str, int]:
    return {"layers": 0}


@hookimpl
def lab_register_architectures(register: Register[Architecture]) -> None:
    register(
        Architecture(
            name="plain-mlp",
            title="Multi-layer perceptron",
            family="feed-forward",
            summary="Hidden layers of rectified units, one after the other.",
            config=PerceptronConfig,
            build=Perceptron,
            tasks=frozenset({"classification", "regression"}),
            inputs=frozenset({"vectors"}),
            baselines={"linear": linear},
            equations=(r"h_l = \mathrm{relu}(W_l h_{l-1} + b_l)",),
            references=("Rumelhart et al. 1986, Learning Representations by Back-Propagating Errors",),
        )
    )
