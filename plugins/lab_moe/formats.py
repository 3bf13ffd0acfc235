"""Conversion between checkpoints of Hugging Face's Mixtral and mixtures of experts of the lab.

A config that needs something missing here is refused, with its key. Whether router logits are returned changes no
output and is ignored. The weight of the balance loss is taken as it is, though it weighs another sum there: over all
layers at once, where a balanced router reaches the number of selected experts and not 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from lab.api import (
    GATED_ACTIVATIONS,
    HUGGING_FACE_GATED,
    BadInput,
    CheckpointConfig,
    HuggingFaceConverter,
    Table,
    Task,
)
from lab_moe.settings import MoeConfig

if TYPE_CHECKING:
    from torch import Tensor


class Mixtral(HuggingFaceConverter):
    """Mixtral 8x7B and 8x22B with the names in their files, where the matrices of each expert are separate."""

    kind, model_type, reader, prefix = MoeConfig, "mixtral", "MixtralForCausalLM", "model."
    embedding = "model.embed_tokens.weight"
    expressible: ClassVar = {
        "shared": (0,), "activation": tuple(GATED_ACTIVATIONS), "routing": ("top-k",), "scores": ("softmax",),
        "renormalise": (True,), "scale": (1.0,), "bias_rate": (0.0,), "bias": (False,), "dense_first": (0,),
        "every": (1,),
    }  # fmt: skip

    def positions(self, config: CheckpointConfig) -> int:
        """Return the number of tokens that the other model can read."""
        return config.integer("max_position_embeddings", 4096 * 32)

    def read_settings(self, config: CheckpointConfig) -> dict[str, Any]:
        """Return the settings for a config.json."""
        heads, width = config.integer("num_attention_heads", 32), config.integer("hidden_size", 4096)
        experts, active = config.integer("num_local_experts", 8), config.integer("num_experts_per_tok", 2)
        if experts == 1:
            raise config.refusal(
                "num_local_experts", CheckpointConfig.LACKS, "2 or more: one expert has no router here"
            )
        if active > experts:
            raise config.refusal("num_experts_per_tok", "is more experts than there are", f"at most {experts}")
        if config.number("router_jitter_noise", 0.0):
            raise config.refusal("router_jitter_noise", CheckpointConfig.LACKS, "0")
        return {
            "layers": config.integer("num_hidden_layers", 32), "width": width, "heads": heads,
            "head_width": config.integer("head_dim", max(1, width // heads)),
            "kv_heads": config.window("num_key_value_heads", 8),  # null becomes 0, as for a window: as many as heads
            "hidden": config.integer("intermediate_size", 14_336), "experts": experts, "chosen": active,
            "activation": config.one_of("hidden_act", "silu", HUGGING_FACE_GATED),
            "balance": config.number("router_aux_loss_coef", 0.001), "rotary_base": _rotary_base(config),
            "window": 0 if config.get("sliding_window") is None else config.integer("sliding_window"),
            "norm_epsilon": config.number("rms_norm_eps", 1e-5), "tie": config.flag("tie_word_embeddings", False),
            "dropout": config.number("attention_dropout", 0.0),
        }  # fmt: skip

    def config_keys(self, settings: MoeConfig, positions: int) -> dict[str, Any]:
        """Return the keys, with rotary positions both as version 5 and as version 4 reads them."""
        return {
            "hidden_size": settings.width, "num_hidden_layers": settings.layers,
            "num_attention_heads": settings.heads, "num_key_value_heads": settings.key_value_heads,
            "head_dim": settings.each_head, "intermediate_size": settings.units(settings.width),
            "hidden_act": next(
                theirs for theirs, ours in HUGGING_FACE_GATED.items() if ours == settings.activation
            ),
            "num_local_experts": settings.experts, "num_experts_per_tok": settings.chosen,
            "router_aux_loss_coef": settings.balance, "rms_norm_eps": settings.norm_epsilon,
            "rope_parameters": {"rope_type": "default", "rope_theta": settings.rotary_base},
            "rope_theta": settings.rotary_base, "sliding_window": settings.window or None,
            "max_position_embeddings": positions, "attention_dropout": settings.dropout,
        }  # fmt: skip

    def config(self, settings: MoeConfig, task: Task) -> dict[str, Any]:
        """Return the config.json of a model with these settings."""
        if settings.experts == 1:
            what = f"cannot be expressed in a config.json of {self.model_type}"
            raise BadInput(what, field="architecture.experts", value=1, allowed="2 or more")
        return super().config(settings, task)

    def layout(self, model: MoeConfig) -> Iterator[Table]:
        """Return the layout of the tables."""
        width, q, k = model.width, model.heads * model.each_head, model.key_value_heads * model.each_head
        for i in range(model.layers):
            ours, theirs = f"blocks.{i}", f"model.layers.{i}"
            attention = f"{theirs}.self_attn"
            yield Table.plain(f"{ours}.token_norm.weight", f"{theirs}.input_layernorm.weight", width)
            yield Table.plain(f"{ours}.channel_norm.weight", f"{theirs}.post_attention_layernorm.weight", width)
            rows = {f"{attention}.q_proj.weight": q, f"{attention}.k_proj.weight": k, f"{attention}.v_proj.weight": k}
            yield Table.joined(f"{ours}.token.project.weight", rows, width)
            yield Table.plain(f"{ours}.token.output.weight", f"{attention}.o_proj.weight", width, q)
            yield from self.experts(model, f"{ours}.channel", theirs)
        yield Table.plain("norm.weight", "model.norm.weight", width)

    def experts(self, model: MoeConfig, ours: str, theirs: str) -> Iterator[Table]:
        """Return the tables of a layer of experts: w1 is the gate, w3 the value, w2 the output."""
        experts, number = f"{theirs}.block_sparse_moe", model.experts
        shape = model.units(model.width), model.width
        yield Table.plain(f"{ours}.router.weight", f"{experts}.gate.weight", number, model.width)
        yield _stacked(f"{ours}.inner", experts, number, {"w1": shape, "w3": shape})
        yield _stacked(f"{ours}.outer", experts, number, {"w2": shape[::-1]})

    def tables(self, config: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Return the tensors of a checkpoint by our names, with zeros for the selection bias, which it lacks."""
        import torch

        fused = any(name.endswith(FUSED) for name in tensors) and not isinstance(self, FusedMixtral)
        if fused:
            return FusedMixtral().tables(config, tensors)
        tables = super().tables(config, tensors)
        for name in [name for name in tables if name.endswith(".router.weight")]:
            router = tables[name]
            tables[name.replace("router.weight", "selection_bias")] = torch.zeros(len(router), device=router.device)
        return tables


FUSED = ".mlp.experts.down_proj"
"""End of a tensor's name that only the newer layout has."""


class FusedMixtral(Mixtral):
    """The layout that version 5 has in memory, and writes unless it is set to use the older names."""

    def experts(self, model: MoeConfig, ours: str, theirs: str) -> Iterator[Table]:
        """Return the tables of a layer of experts."""
        experts, number, width, units = f"{theirs}.mlp", model.experts, model.width, model.units(model.width)
        yield Table.plain(f"{ours}.router.weight", f"{experts}.gate.weight", number, width)
        yield Table.plain(f"{ours}.inner", f"{experts}.experts.gate_up_proj", number, 2 * units, width)
        yield Table.plain(f"{ours}.outer", f"{experts}.experts.down_proj", number, width, units)


def _rotary_base(config: CheckpointConfig) -> float:
    """Return the base of rotary positions, as version 4 or 5 writes it."""
    key = "rope_parameters" if config.get("rope_scaling") is None else "rope_scaling"
    given = config.get(key, {})
    if not isinstance(given, Mapping) or any(isinstance(value, Mapping) for value in given.values()):
        raise config.refusal(key, CheckpointConfig.LACKS, "one table")
    rope = CheckpointConfig(given, f"config.json: {key}")
    for name in ("rope_type", "type"):
        rope.one_of(name, "default", {"default": "default"})
    if rope.number("partial_rotary_factor", config.number("partial_rotary_factor", 1.0)) != 1:
        raise rope.refusal("partial_rotary_factor", CheckpointConfig.LACKS, "1")
    return rope.number("rope_theta", config.number("rope_theta", 1e6))


def _stacked(name: str, prefix: str, number: int, parts: Mapping[str, tuple[int, int]]) -> Table:
    """Return one table (E, rows, columns) of all experts, from matrices that the checkpoint holds one by one.

    Args:
        name: Our name of the table.
        prefix: The checkpoint's name of the layer of experts.
        number: E.
        parts: The matrices of each expert whose rows are joined, with their shapes.
    """
    theirs = {f"{prefix}.experts.{j}.{part}.weight": shape for j in range(number) for part, shape in parts.items()}

    def read(tensors: Sequence[Tensor]) -> Tensor:
        import torch

        return torch.cat(list(tensors)).view(number, -1, tensors[0].shape[-1])

    def write(table: Tensor) -> Sequence[Tensor]:
        return [part for expert in table for part in expert.chunk(len(parts))]

    return Table(name, theirs, read, write)
