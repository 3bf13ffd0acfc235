"""The adapters that come with the lab, with their settings."""

from __future__ import annotations

from collections.abc import Callable

from lab.api import Adapter, ModelAdapter, ModelConfig, hookimpl, setting

LAB_API_VERSION = 2

NONE = "none"
"""The name of the choice that trains all weights."""


class LoRAConfig(ModelConfig):
    """The settings of low-rank updates."""

    rank: int = setting(
        8,
        ge=1,
        le=65536,
        log=True,
        label="Rank",
        group="Adapter",
        help="r: each matrix of n × m gets an update of r (n + m) numbers. Typical: 2 to 32.",
        cite="Hu et al. 2022, section 4.1",
    )
    alpha: float = setting(
        16.0,
        gt=0,
        le=1e6,
        log=True,
        label="α",
        group="Adapter",
        help="The update is multiplied by α / r, so that the learning rate holds when the rank changes. "
        "Typical: once or twice the rank.",
        cite="Hu et al. 2022, section 4.1",
    )
    matrices: str = setting(
        "",
        max_length=2000,
        label="Matrices",
        group="Adapter",
        help="Matrices that get an update: names separated by commas, * for any characters. Empty means all matrices "
        "of the layers. Example: blocks.*.token.*",
    )
    trained: str = setting(
        "",
        max_length=2000,
        label="Trained in full",
        group="Adapter",
        help="Further parameters that are trained themselves: names separated by commas, * for any characters. "
        "Example: embedding.weight, for a text with new symbols.",
    )


class PrefixConfig(ModelConfig):
    """The settings of prefix tuning."""

    length: int = setting(
        8,
        ge=1,
        le=4096,
        log=True,
        unit="tokens",
        label="Prefix length",
        group="Adapter",
        help="Tokens before every text whose keys and values, or states, are trained themselves. Typical: 4 to 64.",
        cite="Li & Liang 2021, section 4",
    )


def no_adapter(config: ModelConfig) -> ModelAdapter | None:
    """Return None: all weights are trained."""
    del config
    return None


@hookimpl
def lab_register_adapters(register: Callable[[Adapter], None]) -> None:
    """Register the adapters."""
    register(Adapter(name=NONE, title="None", build=no_adapter, summary="All weights are trained."))
    register(
        Adapter(
            name="lora",
            title="LoRA",
            build="lab.training.adapters.low_rank:LowRank",
            config=LoRAConfig,
            summary="Each matrix W gets an update of low rank, W + (α / r) B A; only A and B are trained.",
            merges=True,
        )
    )
    register(
        Adapter(
            name="prefix",
            title="Prefix",
            build="lab.training.adapters.prefix:Prefix",
            config=PrefixConfig,
            summary="What the model remembers before the first token is trained, and nothing else.",
        )
    )
