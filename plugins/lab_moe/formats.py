"""Checkpoints of Hugging Face's Mixtral as mixtures of experts of the lab, and back.

What a config asks for that they have not here is refused with its key. Whether router logits are given out changes no
output, and is not asked. The weight of the balance is taken as it stands, though it weighs another sum there: of all
layers as one, where a balanced router comes to the number of chosen experts and not to 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from lab.api import BadInput, CheckpointConfig, HuggingFaceConverter, Table, Task
from lab_moe.settings import MoeConfig

if TYPE_CHECKING:
    from torch import Tensor

GATED = {"silu": "swiglu", "swish": "swiglu", "gelu": "geglu"}
"""Activations with a gate by what Hugging Face calls their nonlinearity."""


class Mixtral(HuggingFaceConverter):
    """Mixtral 8x7B and 8x22B with the names that their files have: the matrices of each expert by themselves."""

    kind, model_type, reader, prefix = MoeConfig, "mixtral", "MixtralForCausalLM", "model."
    embedding = "model.embed_tokens.weight"
    expressible: ClassVar = {
        "shared": (0,), "activation": ("swiglu", "geglu"), "routing": ("top-k",), "scores": ("softmax",),
        "renormalise": (True,), "scale": (1.0,), "bias_rate": (0.0,), "bias": (False,), "dense_first": (0,),
        "every": (1,),
    }  # fmt: skip

    def positions(self, config: CheckpointConfig) -> int:
        """Return the tokens that the other model can read."""
        return config.integer("max_position_embeddings", 4096 * 32)

    def read_settings(self, config: CheckpointConfig) -> dict[str, Any]:
        """Return the settings that a config.json asks for."""
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
            "kv_heads": config.window("num_key_value_heads", 8),  # null, as of a window, is 0: as many as heads
            "hidden": config.integer("intermediate_size", 14_336), "experts": experts, "chosen": active,
            "activation": config.one_of("hidden_act", "silu", GATED),
            "balance": config.number("router_aux_loss_coef", 0.001), "rotary_base": _rotary_base(config),
            "window": 0 if config.get("sliding_window") is None else config.integer("sliding_window"),
            "norm_epsilon": config.number("rms_norm_eps", 1e-5), "tie": config.flag("tie_word_embeddings", False),
            "dropout": config.number("attention_dropout", 0.0),
        }  # fmt: skip

    def config_keys(self, settings: MoeConfig, positions: int) -> dict[str, Any]:
        """Return the keys, of rotary positions as version 5 reads them and as version 4 does."""
        return {
            "hidden_size": settings.width, "num_hidden_layers": settings.layers,
            "num_attention_heads": settings.heads, "num_key_value_heads": settings.key_value_heads,
            "head_dim": settings.each_head, "intermediate_size": settings.units(settings.width),
            "hidden_act": next(word for word, ours in GATED.items() if ours == settings.activation),
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
        """Return the tables of a layer of experts: w1 is the gate, w3 what it is multiplied with, w2 leads back."""
        there, number = f"{theirs}.block_sparse_moe", model.experts
        shape = model.units(model.width), model.width
        yield Table.plain(f"{ours}.router.weight", f"{there}.gate.weight", number, model.width)
        yield _stacked(f"{ours}.inner", there, number, {"w1": shape, "w3": shape})
        yield _stacked(f"{ours}.outer", there, number, {"w2": shape[::-1]})

    def tables(self, config: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Return the tensors of a checkpoint under our names; the bias of the choice, which it has not, is zeros."""
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
"""How the name of a tensor ends that only the newer layout has."""


class FusedMixtral(Mixtral):
    """The same as version 5 holds it in memory, and writes where it is told not to keep the older names."""

    def experts(self, model: MoeConfig, ours: str, theirs: str) -> Iterator[Table]:
        """Return the tables of a layer of experts."""
        there, number, width, units = f"{theirs}.mlp", model.experts, model.width, model.units(model.width)
        yield Table.plain(f"{ours}.router.weight", f"{there}.gate.weight", number, width)
        yield Table.plain(f"{ours}.inner", f"{there}.experts.gate_up_proj", number, 2 * units, width)
        yield Table.plain(f"{ours}.outer", f"{there}.experts.down_proj", number, width, units)


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


def _stacked(name: str, there: str, number: int, parts: Mapping[str, tuple[int, int]]) -> Table:
    """Return one table of all experts (E, rows, columns), of matrices that are each by themselves there.

    Args:
        name: Its name.
        there: Where they stand.
        number: E.
        parts: Of each expert, the matrices whose rows follow each other, with their shapes.
    """
    theirs = {f"{there}.experts.{j}.{part}.weight": shape for j in range(number) for part, shape in parts.items()}

    def read(tensors: Sequence[Tensor]) -> Tensor:
        import torch

        return torch.cat(list(tensors)).view(number, -1, tensors[0].shape[-1])

    def write(table: Tensor) -> Sequence[Tensor]:
        return [part for expert in table for part in expert.chunk(len(parts))]

    return Table(name, theirs, read, write)
