"""A bag of words: the mean of the embeddings of a text, and one hidden layer that tells its class."""

from torch import Tensor, nn

from lab.api import Architecture, BadInput, ModelConfig, Register, Task, hookimpl, setting
from lab.layers import LanguageModel

LAB_API_VERSION = 2


class BagConfig(ModelConfig):
    width: int = setting(32, ge=1, le=4096, unit="channels", help="Channels of an embedding.")
    hidden: int = setting(32, ge=1, le=4096, unit="units", help="Units of the hidden layer.")


class Bag(LanguageModel):
    def __init__(self, config: BagConfig, task: Task) -> None:
        super().__init__(config, task)
        if task.by_token:
            raise BadInput("this model gives one class to a text", remedy="Choose a corpus with a class for each text")
        assert task.classes is not None  # it classifies
        self.embedding = nn.Embedding(task.vocabulary_size, config.width)  # A of the paper
        self.hidden = nn.Linear(config.width, config.hidden)
        self.head = nn.Linear(config.hidden, task.classes)  # B of the paper

    def forward(self, tokens: Tensor, mask: Tensor | None = None, **given: Tensor) -> Tensor:
        words = self.embedding(tokens)  # (B, T, C)
        self.report("embedding", words, axes=("batch", "token", "channel"))
        real = words.new_ones(tokens.shape) if mask is None else mask.to(words.dtype)  # 0 behind the end of a text
        mean = (words * real[..., None]).sum(dim=1) / real.sum(dim=1, keepdim=True)  # A x
        units = self.hidden(mean).relu()
        self.report("activation", units, axes=("batch", "unit"))
        y: Tensor = self.head(units)
        return y


@hookimpl
def lab_register_architectures(register: Register[Architecture]) -> None:
    register(
        Architecture(
            name="bag-classifier",
            title="Bag of words",
            family="feed-forward",
            summary="Knows which words a text has, not their order.",
            config=BagConfig,
            build=Bag,
            tasks=frozenset({"classification"}),
            equations=(r"p = \mathrm{softmax}(B\, \mathrm{relu}(W \frac{1}{T} \sum_{t=1}^{T} a_{x_t}))",),
            references=("Joulin et al. 2017, Bag of Tricks for Efficient Text Classification",),
        )
    )
