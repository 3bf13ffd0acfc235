"""Conversion between Hugging Face's GPT-2, LLaMA, Mistral, GPT-NeoX and Falcon and transformers of the lab.

A config that needs something the transformer lacks is refused, with its key; nothing is ignored silently.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from lab.api import (
    GATED_ACTIVATIONS,
    HUGGING_FACE_GATED,
    HUGGING_FACE_PLAIN,
    CheckpointConfig,
    Table,
)
from lab_transformer.format_base import (
    ALWAYS,
    OfTransformers,
    name_of,
    refuse_other_heads,
    rope,
    rotary,
)
from lab_transformer.format_tables import both, heads_apart
from lab_transformer.settings import TransformerConfig

if TYPE_CHECKING:
    from torch import Tensor

PLAIN = tuple(dict.fromkeys(HUGGING_FACE_PLAIN.values()))
"""Feed-forward layers without a gate."""


class Gpt2(OfTransformers):
    """GPT-2: learned positions, LayerNorm, biases everywhere; its projections are stored as (in, out)."""

    model_type, reader, prefix = "gpt2", "GPT2LMHeadModel", "transformer."
    embedding, position = "transformer.wte.weight", "transformer.wpe.weight"
    expressible: ClassVar = {
        **ALWAYS, "positions": ("learned",), "norm": ("layer",), "parallel": ("no",), "window": (0,),
        "feed_forward": PLAIN,
    }  # fmt: skip

    def positions(self, config: CheckpointConfig) -> int:
        """Return the number of learned positions."""
        return config.integer("n_positions", 1024)

    def read_settings(self, config: CheckpointConfig) -> dict[str, Any]:
        """Return the settings for a config.json."""
        config.require("scale_attn_weights", True)
        config.require("scale_attn_by_inverse_layer_idx", False)
        config.require("add_cross_attention", False)
        width = config.integer("n_embd", 768)
        return {
            "layers": config.integer("n_layer", 12), "width": width, "heads": config.integer("n_head", 12),
            "hidden": config.integer("n_inner", 4 * width), "positions": "learned", "norm": "layer", "bias": True,
            "feed_forward": config.one_of("activation_function", "gelu_new", HUGGING_FACE_PLAIN),
            "norm_epsilon": config.number("layer_norm_epsilon", 1e-5), "dropout": config.number("resid_pdrop", 0.1),
            "tie": config.flag("tie_word_embeddings", True),
        }  # fmt: skip

    def config_keys(self, settings: TransformerConfig, positions: int) -> dict[str, Any]:
        """Return the keys of config.json."""
        refuse_other_heads(self.model_type, settings, settings.heads)
        drop = settings.dropout
        return {
            "n_positions": positions, "n_ctx": positions, "n_embd": settings.width, "n_layer": settings.layers,
            "n_head": settings.heads, "n_inner": settings.units,
            "activation_function": name_of(settings.feed_forward, {"gelu_new": "gelu-tanh", **HUGGING_FACE_PLAIN}),
            "layer_norm_epsilon": settings.norm_epsilon, "resid_pdrop": drop, "embd_pdrop": drop, "attn_pdrop": drop,
        }  # fmt: skip

    def layout(self, model: TransformerConfig) -> Iterator[Table]:
        """Return the layout of the tables."""
        width, hidden = model.width, model.units
        for i in range(model.layers):
            ours, theirs = f"blocks.{i}", f"transformer.h.{i}"
            yield from both(f"{ours}.token_norm", f"{theirs}.ln_1", width)
            yield from both(f"{ours}.channel_norm", f"{theirs}.ln_2", width)
            for name, other, inner, outer in (
                ("token.project", "attn.c_attn", width, 3 * width),
                ("token.output", "attn.c_proj", width, width),
                ("channel.inner", "mlp.c_fc", width, hidden),
                ("channel.outer", "mlp.c_proj", hidden, width),
            ):
                yield Table.turned(f"{ours}.{name}.weight", f"{theirs}.{other}.weight", inner, outer)
                yield Table.plain(f"{ours}.{name}.bias", f"{theirs}.{other}.bias", outer)
        yield from both("norm", "transformer.ln_f", width)


class Llama(OfTransformers):
    """LLaMA 1 to 3: rotary positions, RMSNorm, a gate, shared keys and values."""

    model_type, reader, prefix = "llama", "LlamaForCausalLM", "model."
    embedding = "model.embed_tokens.weight"
    expressible: ClassVar = {
        **ALWAYS, "positions": ("rotary",), "norm": ("rms",), "parallel": ("no",),
        "feed_forward": tuple(GATED_ACTIVATIONS), "rotary_pairs": ("halves",), "rotary_share": (1.0,),
        "rotary_scaling": ("none", "linear", "llama3"), "window": (0,),
    }  # fmt: skip

    def read_settings(self, config: CheckpointConfig) -> dict[str, Any]:
        """Return the settings for a config.json."""
        bias = config.flag("attention_bias", False)
        if config.flag("mlp_bias", False) != bias:
            raise config.refusal("attention_bias", "differs from mlp_bias", "biases in both, or in neither")
        return {**self._shared(config, config.integer("num_attention_heads", 32)), "bias": bias}

    def config_keys(self, settings: TransformerConfig, positions: int) -> dict[str, Any]:
        """Return the keys of config.json."""
        return {
            **rope(settings), "hidden_size": settings.width, "num_hidden_layers": settings.layers,
            "num_attention_heads": settings.heads, "num_key_value_heads": settings.key_value_heads,
            "head_dim": settings.each_head, "intermediate_size": settings.units,
            "hidden_act": name_of(settings.feed_forward, HUGGING_FACE_GATED), "rms_norm_eps": settings.norm_epsilon,
            "max_position_embeddings": positions, "attention_dropout": settings.dropout,
            "attention_bias": settings.bias, "mlp_bias": settings.bias,
        }  # fmt: skip

    def layout(self, model: TransformerConfig) -> Iterator[Table]:
        """Return the layout of the tables."""
        width, hidden = model.width, model.units
        q, k = model.heads * model.each_head, model.key_value_heads * model.each_head
        for i in range(model.layers):
            ours, theirs = f"blocks.{i}", f"model.layers.{i}"
            attention, mlp = f"{theirs}.self_attn", f"{theirs}.mlp"
            yield Table.plain(f"{ours}.token_norm.weight", f"{theirs}.input_layernorm.weight", width)
            yield Table.plain(f"{ours}.channel_norm.weight", f"{theirs}.post_attention_layernorm.weight", width)
            for part, rest, inner in (("weight", (width,), (hidden,)), ("bias", (), ())):
                if part == "weight" or model.bias:
                    rows = {f"{attention}.q_proj.{part}": q, f"{attention}.k_proj.{part}": k,
                            f"{attention}.v_proj.{part}": k}  # fmt: skip
                    yield Table.joined(f"{ours}.token.project.{part}", rows, *rest)
                    output = (width, q) if part == "weight" else (width,)
                    yield Table.plain(f"{ours}.token.output.{part}", f"{attention}.o_proj.{part}", *output)
                    gate = {f"{mlp}.gate_proj.{part}": hidden, f"{mlp}.up_proj.{part}": hidden}
                    yield Table.joined(f"{ours}.channel.inner.{part}", gate, *rest)
                    yield Table.plain(f"{ours}.channel.outer.{part}", f"{mlp}.down_proj.{part}", width, *inner)
        yield Table.plain("norm.weight", "model.norm.weight", width)

    def _shared(self, config: CheckpointConfig, kv_heads: int) -> dict[str, Any]:
        heads, width = config.integer("num_attention_heads", 32), config.integer("hidden_size", 4096)
        rotation = rotary(config, "rope_theta", "partial_rotary_factor", 1.0)
        if rotation["rotary_share"] != 1:
            raise config.refusal("partial_rotary_factor", CheckpointConfig.LACKS, "1")
        return {
            **rotation, "layers": config.integer("num_hidden_layers", 32), "width": width, "heads": heads,
            "head_width": config.integer("head_dim", max(1, width // heads)),
            "kv_heads": config.integer("num_key_value_heads", kv_heads),
            "hidden": config.integer("intermediate_size"), "norm": "rms",
            "feed_forward": config.one_of("hidden_act", "silu", HUGGING_FACE_GATED),
            "norm_epsilon": config.number("rms_norm_eps", 1e-6), "tie": config.flag("tie_word_embeddings", False),
            "dropout": config.number("attention_dropout", 0.0),
        }  # fmt: skip


class Mistral(Llama):
    """Mistral 7B and its relatives: LLaMA with a sliding window and without biases."""

    model_type, reader = "mistral", "MistralForCausalLM"
    expressible: ClassVar = {name: values for name, values in Llama.expressible.items() if name != "window"} | {
        "bias": (False,)
    }

    def positions(self, config: CheckpointConfig) -> int:
        """Return the number of tokens that the other model can read."""
        return config.integer("max_position_embeddings", 4096 * 32)

    def read_settings(self, config: CheckpointConfig) -> dict[str, Any]:
        """Return the settings; a missing window means 4,096 tokens, null none."""
        if config.get("layer_types") is not None:
            raise config.refusal("layer_types", CheckpointConfig.LACKS, "the same window in all layers")
        window = config.window("sliding_window", 4096)
        return {**self._shared(config, 8), "window": window}

    def config_keys(self, settings: TransformerConfig, positions: int) -> dict[str, Any]:
        """Return the keys of config.json."""
        keys = {
            key: value for key, value in super().config_keys(settings, positions).items() if not key.endswith("_bias")
        }
        return {**keys, "sliding_window": settings.window or None}


class GptNeoX(OfTransformers):
    """GPT-NeoX and Pythia: rotary positions on a share of the channels, both branches in parallel."""

    model_type, reader, prefix = "gpt_neox", "GPTNeoXForCausalLM", "gpt_neox."
    embedding, head = "gpt_neox.embed_in.weight", "embed_out.weight"
    expressible: ClassVar = {
        **ALWAYS, "positions": ("rotary",), "norm": ("layer",), "parallel": ("two-norms", "no"), "window": (0,),
        "feed_forward": PLAIN, "rotary_pairs": ("halves",), "rotary_scaling": ("none", "linear", "llama3"),
    }  # fmt: skip

    def read_settings(self, config: CheckpointConfig) -> dict[str, Any]:
        """Return the settings for a config.json."""
        config.require("attention_bias", True)
        width = config.integer("hidden_size", 6144)
        return {
            **rotary(config, "rotary_emb_base", "rotary_pct", 0.25), "layers": config.integer("num_hidden_layers", 44),
            "width": width, "heads": config.integer("num_attention_heads", 64),
            "hidden": config.integer("intermediate_size", 24576), "norm": "layer", "bias": True,
            "parallel": "two-norms" if config.flag("use_parallel_residual", True) else "no",
            "feed_forward": config.one_of("hidden_act", "gelu", HUGGING_FACE_PLAIN),
            "norm_epsilon": config.number("layer_norm_eps", 1e-5), "dropout": config.number("hidden_dropout", 0.0),
            "tie": config.flag("tie_word_embeddings", False),
        }  # fmt: skip

    def config_keys(self, settings: TransformerConfig, positions: int) -> dict[str, Any]:
        """Return the keys of config.json."""
        refuse_other_heads(self.model_type, settings, settings.heads)
        keys = rope(settings)
        keys["rope_parameters"]["partial_rotary_factor"] = settings.rotary_share  # the default is a quarter
        return {
            **keys, "rotary_pct": settings.rotary_share, "rotary_emb_base": settings.rotary_base,
            "hidden_size": settings.width, "num_hidden_layers": settings.layers, "attention_bias": True,
            "num_attention_heads": settings.heads, "intermediate_size": settings.units,
            "hidden_act": name_of(settings.feed_forward, HUGGING_FACE_PLAIN), "layer_norm_eps": settings.norm_epsilon,
            "use_parallel_residual": settings.parallel == "two-norms", "max_position_embeddings": positions,
            "hidden_dropout": settings.dropout, "attention_dropout": settings.dropout,
        }  # fmt: skip

    def layout(self, model: TransformerConfig) -> Iterator[Table]:
        """Return the layout of the tables."""
        width, hidden = model.width, model.units
        for i in range(model.layers):
            ours, theirs = f"blocks.{i}", f"gpt_neox.layers.{i}"
            yield from both(f"{ours}.token_norm", f"{theirs}.input_layernorm", width)
            yield from both(f"{ours}.channel_norm", f"{theirs}.post_attention_layernorm", width)
            packed = f"{theirs}.attention.query_key_value"
            yield heads_apart(f"{ours}.token.project.weight", f"{packed}.weight", model.heads, model.each_head, width)
            yield heads_apart(f"{ours}.token.project.bias", f"{packed}.bias", model.heads, model.each_head)
            yield from Table.linear(f"{ours}.token.output", f"{theirs}.attention.dense", width, width, bias=True)
            yield from Table.linear(f"{ours}.channel.inner", f"{theirs}.mlp.dense_h_to_4h", hidden, width, bias=True)
            yield from Table.linear(f"{ours}.channel.outer", f"{theirs}.mlp.dense_4h_to_h", width, hidden, bias=True)
        yield from both("norm", "gpt_neox.final_layer_norm", width)


class Falcon(OfTransformers):
    """Falcon 7B: one head of keys and values, both branches in parallel after one norm, as in PaLM.

    Its LayerNorms have biases and its projections have none: here those are zeros.
    """

    model_type, reader, prefix = "falcon", "FalconForCausalLM", "transformer."
    embedding = "transformer.word_embeddings.weight"
    expressible: ClassVar = {
        **ALWAYS, "positions": ("rotary",), "norm": ("layer",), "parallel": ("one-norm", "no"), "window": (0,),
        "feed_forward": PLAIN, "rotary_pairs": ("halves",), "rotary_share": (1.0,),
        "rotary_scaling": ("none", "linear", "llama3"),
    }  # fmt: skip

    def read_settings(self, config: CheckpointConfig) -> dict[str, Any]:
        """Return the settings for a config.json."""
        config.require("alibi", False)
        config.require("new_decoder_architecture", False)
        config.require("multi_query", True)
        config.require("num_ln_in_parallel_attn", 1)
        config.flag("bias", False)
        rotation = rotary(config, "rope_theta", "partial_rotary_factor", 1.0)
        if rotation["rotary_share"] != 1:
            raise config.refusal("partial_rotary_factor", CheckpointConfig.LACKS, "1")
        width = config.integer("hidden_size", 4544)
        return {
            **rotation, "layers": config.integer("num_hidden_layers", 32), "width": width,
            "heads": config.integer("num_attention_heads", 71), "kv_heads": 1, "norm": "layer", "bias": True,
            "hidden": config.integer("ffn_hidden_size", 4 * width),
            "parallel": "one-norm" if config.flag("parallel_attn", True) else "no",
            "feed_forward": config.one_of("activation", "gelu", HUGGING_FACE_PLAIN),
            "norm_epsilon": config.number("layer_norm_epsilon", 1e-5), "dropout": config.number("hidden_dropout", 0.0),
            "tie": config.flag("tie_word_embeddings", True),
        }  # fmt: skip

    def config_keys(self, settings: TransformerConfig, positions: int) -> dict[str, Any]:
        """Return the keys of config.json."""
        refuse_other_heads(self.model_type, settings, 1)
        return {
            **rope(settings), "hidden_size": settings.width, "num_hidden_layers": settings.layers,
            "num_attention_heads": settings.heads, "ffn_hidden_size": settings.units, "bias": settings.bias,
            "activation": name_of(settings.feed_forward, HUGGING_FACE_PLAIN),
            "layer_norm_epsilon": settings.norm_epsilon,
            "parallel_attn": settings.parallel == "one-norm", "multi_query": True, "alibi": False,
            "new_decoder_architecture": False, "max_position_embeddings": positions,
            "hidden_dropout": settings.dropout, "attention_dropout": settings.dropout,
        }  # fmt: skip

    def layout(self, model: TransformerConfig) -> Iterator[Table]:
        """Return the layout of the tables."""
        width = model.width
        for i in range(model.layers):
            ours, theirs = f"blocks.{i}", f"transformer.h.{i}"
            yield from both(f"{ours}.token_norm", f"{theirs}.input_layernorm", width)
            if model.parallel == "no":
                yield from both(f"{ours}.channel_norm", f"{theirs}.post_attention_layernorm", width)
            for name, (other, outer, inner) in _projections(model, i).items():
                yield from Table.linear(f"{ours}.{name}", other, outer, inner, bias=model.bias)
        yield from both("norm", "transformer.ln_f", width)

    def tables(self, config: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Return the tensors of a checkpoint by our names, with zeros for missing biases of projections."""
        if CheckpointConfig(config).flag("bias", False):
            return super().tables(config, tensors)
        import torch

        model = TransformerConfig.read(self.settings(config), field="config.json")
        projections = [each for layer in range(model.layers) for each in _projections(model, layer).values()]
        zeros = {f"{other}.bias": torch.zeros(outer) for other, outer, _ in projections}
        return super().tables(config, ChainMap(zeros, tensors))  # type: ignore[arg-type]  # only read


def _projections(model: TransformerConfig, layer: int) -> dict[str, tuple[str, int, int]]:
    """Return the projections of a Falcon block by our names: the checkpoint's name, rows, columns."""
    theirs, width, hidden = f"transformer.h.{layer}", model.width, model.units
    return {
        "token.project": (f"{theirs}.self_attention.query_key_value", width + 2 * model.each_head, width),
        "token.output": (f"{theirs}.self_attention.dense", width, width),
        "channel.inner": (f"{theirs}.mlp.dense_h_to_4h", hidden, width),
        "channel.outer": (f"{theirs}.mlp.dense_4h_to_h", width, hidden),
    }
