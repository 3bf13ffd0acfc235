"""MLP-Mixer: an image in patches, mixed by one perceptron across the patches and one across the channels."""

from torch import Tensor, nn

from lab.api import Architecture, BadInput, ModelConfig, Register, Task, hookimpl, setting
from lab.layers import LanguageModel

LAB_API_VERSION = 2


class MixerConfig(ModelConfig):
    layers: int = setting(2, ge=1, le=64, unit="layers", help="Blocks on top of each other.")
    width: int = setting(32, ge=1, le=4096, unit="channels", help="Channels C of a patch.")
    patch: int = setting(4, ge=1, le=64, unit="pixels", help="Height and width P of a patch.")
    token_units: int = setting(16, ge=1, le=4096, unit="units", help="Hidden units D_S across the patches.")
    channel_units: int = setting(64, ge=1, le=4096, unit="units", help="Hidden units D_C across the channels.")


def perceptron(size: int, units: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(size, units), nn.GELU(), nn.Linear(units, size))


class Block(nn.Module):
    def __init__(self, config: MixerConfig, patches: int) -> None:
        super().__init__()
        self.token_norm = nn.LayerNorm(config.width)
        self.token = perceptron(patches, config.token_units)
        self.channel_norm = nn.LayerNorm(config.width)
        self.channel = perceptron(config.width, config.channel_units)

    def forward(self, x: Tensor) -> Tensor:  # (B, S, C)
        u = x + self.token(self.token_norm(x).mT).mT  # equation 1: U = X + W2 σ(W1 LayerNorm(X))
        y: Tensor = u + self.channel(self.channel_norm(u))  # equation 1: Y = U + W4 σ(W3 LayerNorm(U))
        return y


class PatchMixer(LanguageModel):
    def __init__(self, config: MixerConfig, task: Task) -> None:
        super().__init__(config, task)
        assert task.input_shape is not None  # it reads images
        assert task.classes is not None  # and classifies them
        H, W, colours = task.input_shape
        P = self.patch = config.patch
        if H % P or W % P:
            raise BadInput("does not divide the picture", field="patch", value=P, allowed=f"a divisor of {H} and {W}")
        self.embedding = nn.Linear(P * P * colours, config.width)
        self.blocks = nn.ModuleList(Block(config, H // P * (W // P)) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.width)
        self.head = nn.Linear(config.width, task.classes)

    def forward(self, tokens: Tensor, **given: Tensor) -> Tensor:  # (B, H, W, colours)
        P = self.patch
        B, H, W, colours = tokens.shape
        rows = tokens.reshape(B, H // P, P, W // P, P, colours)
        x = self.embedding(rows.transpose(2, 3).flatten(3).flatten(1, 2))  # (B, S, C)
        for block in self.blocks:
            x = block(x)
        logits: Tensor = self.head(self.norm(x).mean(dim=1))
        return logits


@hookimpl
def lab_register_architectures(register: Register[Architecture]) -> None:
    register(
        Architecture(
            name="patch-mixer",
            title="MLP-Mixer",
            family="feed-forward",
            summary="Perceptrons in turn across the patches of an image and across their channels.",
            config=MixerConfig,
            build=PatchMixer,
            tasks=frozenset({"classification"}),
            inputs=frozenset({"images"}),
            equations=(
                r"U_{*,i} = X_{*,i} + W_2\, \sigma(W_1\, \mathrm{LayerNorm}(X)_{*,i})",
                r"Y_{j,*} = U_{j,*} + W_4\, \sigma(W_3\, \mathrm{LayerNorm}(U)_{j,*})",
            ),
            references=("Tolstikhin et al. 2021, MLP-Mixer: An all-MLP Architecture for Vision",),
        )
    )
