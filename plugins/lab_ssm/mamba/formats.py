"""Conversion between Hugging Face's checkpoints of Mamba and Mamba-2 and models of the lab.

A config that needs something missing here is refused, with its key. Initialisation, the precision of the residual
stream and the size of chunks do not change the output of trained weights and are ignored.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar

from lab.api import HUGGING_FACE_PLAIN, CheckpointConfig, HuggingFaceConverter, Table
from lab_ssm.mamba.cards import Mamba2Config, MambaConfig

SILU = {theirs: ours for theirs, ours in HUGGING_FACE_PLAIN.items() if ours == "silu"}
"""The only nonlinearity after the convolution."""
UNLIMITED = 1e30
"""Written for a step size without limit, as JSON has no infinity."""


class Selective(HuggingFaceConverter):
    """Base of both formats."""

    prefix, embedding = "backbone.", "backbone.embeddings.weight"

    @abstractmethod
    def mixer(self, model: Any, ours: str, theirs: str) -> Iterator[Table]:
        """Return the layout of the tables of one mixer."""

    def layout(self, model: Any) -> Iterator[Table]:
        """Return the layout of the tables."""
        width, inner = model.width, model.expand * model.width
        for i in range(model.layers):
            ours, theirs = f"blocks.{i}.token", f"backbone.layers.{i}.mixer"
            yield Table.plain(f"blocks.{i}.token_norm.weight", f"backbone.layers.{i}.norm.weight", width)
            yield from self.mixer(model, ours, theirs)
            yield from Table.linear(f"{ours}.output", f"{theirs}.out_proj", width, inner, bias=model.bias)
        yield Table.plain("norm.weight", "backbone.norm_f.weight", width)

    def _common_settings(
        self, config: CheckpointConfig, width: int, layers: int, state: int, *, tie: bool
    ) -> dict[str, Any]:
        """Return the settings that both formats share, with the defaults of one of them."""
        config.one_of("hidden_act", "silu", SILU)
        return {
            "width": config.integer("hidden_size", width), "layers": config.integer("num_hidden_layers", layers),
            "state": config.integer("state_size", state), "expand": config.integer("expand", 2),
            "convolution": config.integer("conv_kernel", 4), "conv_bias": config.flag("use_conv_bias", True),
            "bias": config.flag("use_bias", False), "step_min": config.number("time_step_min", 1e-3),
            "step_max": config.number("time_step_max", 0.1), "tie": config.flag("tie_word_embeddings", tie),
            "norm_epsilon": config.number("layer_norm_epsilon", 1e-5),
        }  # fmt: skip

    def config_keys(self, settings: Any, positions: int) -> dict[str, Any]:
        """Return the keys that both formats share."""
        del positions
        return {
            "hidden_size": settings.width, "num_hidden_layers": settings.layers, "state_size": settings.state,
            "expand": settings.expand, "conv_kernel": settings.convolution, "use_conv_bias": settings.conv_bias,
            "use_bias": settings.bias, "hidden_act": "silu", "time_step_min": settings.step_min,
            "time_step_max": settings.step_max, "layer_norm_epsilon": settings.norm_epsilon,
        }  # fmt: skip


def convolution(ours: str, theirs: str, channels: int, model: Any) -> Iterator[Table]:
    """Return the weight and bias of the short convolution."""
    shape = (channels, 1, model.convolution)
    yield Table.plain(f"{ours}.convolution.weight", f"{theirs}.conv1d.weight", *shape)
    if model.conv_bias:
        yield Table.plain(f"{ours}.convolution.bias", f"{theirs}.conv1d.bias", channels)


class Mamba(Selective):
    """Mamba 130M to 2.8B in Hugging Face's format."""

    kind, model_type, reader = MambaConfig, "mamba", "MambaForCausalLM"
    expressible: ClassVar = {"eigenvalues": ("positive",)}

    def read_settings(self, config: CheckpointConfig) -> dict[str, Any]:
        """Return the settings for a config.json."""
        rank = 0 if config.get("time_step_rank", "auto") == "auto" else config.integer("time_step_rank")
        return {**self._common_settings(config, 768, 32, 16, tie=True), "dt_rank": rank}

    def config_keys(self, settings: MambaConfig, positions: int) -> dict[str, Any]:
        """Return the keys of config.json."""
        inner = settings.expand * settings.width
        return {
            **super().config_keys(settings, positions),
            "intermediate_size": inner,
            "time_step_rank": settings.step_rank(settings.width),
        }

    def mixer(self, model: MambaConfig, ours: str, theirs: str) -> Iterator[Table]:
        """Return the layout of the tables of one mixer."""
        inner, rank = model.expand * model.width, model.step_rank(model.width)
        yield from Table.linear(f"{ours}.project", f"{theirs}.in_proj", 2 * inner, model.width, bias=model.bias)
        yield from convolution(ours, theirs, inner, model)
        yield Table.plain(f"{ours}.select.weight", f"{theirs}.x_proj.weight", rank + 2 * model.state, inner)
        yield from Table.linear(f"{ours}.step_size", f"{theirs}.dt_proj", inner, rank, bias=True)
        yield Table.plain(f"{ours}.A_log", f"{theirs}.A_log", inner, model.state)
        yield Table.plain(f"{ours}.D", f"{theirs}.D", inner)


class Mamba2(Selective):
    """Mamba-2 in Hugging Face's format."""

    kind, model_type, reader = Mamba2Config, "mamba2", "Mamba2ForCausalLM"

    def read_settings(self, config: CheckpointConfig) -> dict[str, Any]:
        """Return the settings for a config.json."""
        found = self._common_settings(config, 4096, 64, 128, tie=False)
        heads, width, inner = (
            config.integer("num_heads", 128),
            config.integer("head_dim", 64),
            found["expand"] * found["width"],
        )
        if heads * width != inner:
            what = f"times head_dim {width} is not expand × hidden_size, {inner}"
            raise config.refusal("num_heads", what, f"{inner} / head_dim")
        least, most = _limits(config)
        return {
            **found, "head_width": width, "groups": config.integer("n_groups", 8),
            "step_least": least, "step_most": most,
        }  # fmt: skip

    def config_keys(self, settings: Mamba2Config, positions: int) -> dict[str, Any]:
        """Return the keys of config.json."""
        return {
            **super().config_keys(settings, positions), "num_heads": settings.heads_of(settings.width),
            "head_dim": settings.head_width, "n_groups": settings.groups,
            "time_step_limit": [settings.step_least, settings.step_most or UNLIMITED],
        }  # fmt: skip

    def mixer(self, model: Mamba2Config, ours: str, theirs: str) -> Iterator[Table]:
        """Return the layout of the tables of one mixer."""
        inner, heads = model.expand * model.width, model.heads_of(model.width)
        read = inner + 2 * model.groups * model.state
        rows = inner + read + heads
        yield from Table.linear(f"{ours}.project", f"{theirs}.in_proj", rows, model.width, bias=model.bias)
        yield from convolution(ours, theirs, read, model)
        for name in ("A_log", "D", "dt_bias"):
            yield Table.plain(f"{ours}.{name}", f"{theirs}.{name}", heads)
        yield Table.plain(f"{ours}.norm.weight", f"{theirs}.norm.weight", inner)


def _limits(config: CheckpointConfig) -> tuple[float, float]:
    """Return the smallest and largest step size, 0 for no limit; version 5 writes infinity as a table."""
    given = config.get("time_step_limit", [0.0, math.inf])
    if isinstance(given, list | tuple) and len(given) == 2:
        least, most = (UNLIMITED if each in ({"__float__": "Infinity"}, math.inf) else each for each in given)
        if all(type(each) in (int, float) for each in (least, most)) and 0 <= least < UNLIMITED and most > 0:
            return float(least), 0.0 if most >= UNLIMITED else float(most)
    raise config.refusal("time_step_limit", "is not a valid range of step sizes", "0 or more, and more than 0")
