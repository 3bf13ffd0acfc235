"""Checkpoints of Hugging Face's GPT-2, LLaMA, Mistral, GPT-NeoX and Falcon as transformers of the lab, and back.

What a config asks for that the transformer has not is refused with its key; nothing is left out in silence.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from lab.api import Asked, Table
from lab_transformer import TransformerConfig
from lab_transformer.format_base import (
    ACTIVATIONS,
    ALWAYS,
    GATED,
    OfTransformers,
    refuse_other_heads,
    rope,
    rotary,
    units,
    word_for,
)
from lab_transformer.format_tables import both, heads_apart

if TYPE_CHECKING:
    from torch import Tensor

PLAIN = ("gelu", "gelu-tanh", "relu", "relu2", "silu")
"""Feed-forward layers without a gate."""


class Gpt2(OfTransformers):
    """GPT-2: learned positions, LayerNorm, biases everywhere; its projections stand as (in, out)."""

    model_type, reader, prefix = "gpt2", "GPT2LMHeadModel", "transformer."
    embedding, position = "transformer.wte.weight", "transformer.wpe.weight"
    says: ClassVar = {
        **ALWAYS, "positions": ("learned",), "norm": ("layer",), "parallel": ("no",), "window": (0,),
        "feed_forward": PLAIN,
    }  # fmt: skip

    def positions(self, asked: Asked) -> int:
        """Return the context length: as many positions as are learned."""
        return asked.whole("n_positions", 1024)

    def asked(self, asked: Asked) -> dict[str, Any]:
        """Return the settings that a config.json asks for."""
        asked.must("scale_attn_weights", True)
        asked.must("scale_attn_by_inverse_layer_idx", False)
        asked.must("add_cross_attention", False)
        width = asked.whole("n_embd", 768)
        return {
            "layers": asked.whole("n_layer", 12), "width": width, "heads": asked.whole("n_head", 12),
            "hidden": asked.whole("n_inner", 4 * width), "positions": "learned", "norm": "layer", "bias": True,
            "feed_forward": asked.one_of("activation_function", "gelu_new", ACTIVATIONS),
            "norm_epsilon": asked.number("layer_norm_epsilon", 1e-5), "dropout": asked.number("resid_pdrop", 0.1),
            "tie": asked.flag("tie_word_embeddings", True),
        }  # fmt: skip

    def said(self, settings: TransformerConfig, positions: int) -> dict[str, Any]:
        """Return the keys of config.json."""
        refuse_other_heads(self.model_type, settings, settings.heads)
        drop = settings.dropout
        return {
            "n_positions": positions, "n_ctx": positions, "n_embd": settings.width, "n_layer": settings.layers,
            "n_head": settings.heads, "n_inner": units(settings),
            "activation_function": word_for(settings.feed_forward, {"gelu_new": "gelu-tanh", **ACTIVATIONS}),
            "layer_norm_epsilon": settings.norm_epsilon, "resid_pdrop": drop, "embd_pdrop": drop, "attn_pdrop": drop,
        }  # fmt: skip

    def layout(self, model: TransformerConfig) -> Iterator[Table]:
        """Return the layout of the tables."""
        width, hidden = model.width, units(model)
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
    says: ClassVar = {
        **ALWAYS, "positions": ("rotary",), "norm": ("rms",), "parallel": ("no",), "feed_forward": ("swiglu", "geglu"),
        "rotary_pairs": ("halves",), "rotary_share": (1.0,), "rotary_scaling": ("none", "linear", "llama3"),
        "window": (0,),
    }  # fmt: skip

    def asked(self, asked: Asked) -> dict[str, Any]:
        """Return the settings that a config.json asks for."""
        bias = asked.flag("attention_bias", False)
        if asked.flag("mlp_bias", False) != bias:
            raise asked.refused("attention_bias", "differs from mlp_bias", "biases in both, or in neither")
        return {**self._shared(asked, asked.whole("num_attention_heads", 32)), "bias": bias}

    def said(self, settings: TransformerConfig, positions: int) -> dict[str, Any]:
        """Return the keys of config.json."""
        return {
            **rope(settings), "hidden_size": settings.width, "num_hidden_layers": settings.layers,
            "num_attention_heads": settings.heads, "num_key_value_heads": settings.key_value_heads,
            "head_dim": settings.each_head, "intermediate_size": units(settings),
            "hidden_act": word_for(settings.feed_forward, GATED), "rms_norm_eps": settings.norm_epsilon,
            "max_position_embeddings": positions, "attention_dropout": settings.dropout,
            "attention_bias": settings.bias, "mlp_bias": settings.bias,
        }  # fmt: skip

    def layout(self, model: TransformerConfig) -> Iterator[Table]:
        """Return the layout of the tables."""
        width, hidden = model.width, units(model)
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

    def _shared(self, asked: Asked, kv_heads: int) -> dict[str, Any]:
        heads, width = asked.whole("num_attention_heads", 32), asked.whole("hidden_size", 4096)
        turned = rotary(asked, "rope_theta", "partial_rotary_factor", 1.0)
        if turned["rotary_share"] != 1:
            raise asked.refused("partial_rotary_factor", Asked.LACKS, "1")
        return {
            **turned, "layers": asked.whole("num_hidden_layers", 32), "width": width, "heads": heads,
            "head_width": asked.whole("head_dim", max(1, width // heads)),
            "kv_heads": asked.whole("num_key_value_heads", kv_heads),
            "hidden": asked.whole("intermediate_size"), "norm": "rms",
            "feed_forward": asked.one_of("hidden_act", "silu", GATED),
            "norm_epsilon": asked.number("rms_norm_eps", 1e-6), "tie": asked.flag("tie_word_embeddings", False),
            "dropout": asked.number("attention_dropout", 0.0),
        }  # fmt: skip


class Mistral(Llama):
    """Mistral 7B and its kin: LLaMA with a sliding window, and never a bias."""

    model_type, reader = "mistral", "MistralForCausalLM"
    says: ClassVar = {name: values for name, values in Llama.says.items() if name != "window"} | {"bias": (False,)}

    def positions(self, asked: Asked) -> int:
        """Return the tokens that the other model can read."""
        return asked.whole("max_position_embeddings", 4096 * 32)

    def asked(self, asked: Asked) -> dict[str, Any]:
        """Return the settings; a window that is not named is 4,096, null is none."""
        if asked.get("layer_types") is not None:
            raise asked.refused("layer_types", Asked.LACKS, "the same window in all layers")
        window = asked.window("sliding_window", 4096)
        return {**self._shared(asked, 8), "window": window}

    def said(self, settings: TransformerConfig, positions: int) -> dict[str, Any]:
        """Return the keys of config.json."""
        keys = {key: value for key, value in super().said(settings, positions).items() if not key.endswith("_bias")}
        return {**keys, "sliding_window": settings.window or None}


class GptNeoX(OfTransformers):
    """GPT-NeoX and Pythia: rotary positions on a share of the channels, both branches side by side."""

    model_type, reader, prefix = "gpt_neox", "GPTNeoXForCausalLM", "gpt_neox."
    embedding, head = "gpt_neox.embed_in.weight", "embed_out.weight"
    says: ClassVar = {
        **ALWAYS, "positions": ("rotary",), "norm": ("layer",), "parallel": ("two-norms", "no"), "window": (0,),
        "feed_forward": PLAIN, "rotary_pairs": ("halves",), "rotary_scaling": ("none", "linear", "llama3"),
    }  # fmt: skip

    def asked(self, asked: Asked) -> dict[str, Any]:
        """Return the settings that a config.json asks for."""
        asked.must("attention_bias", True)
        width = asked.whole("hidden_size", 6144)
        return {
            **rotary(asked, "rotary_emb_base", "rotary_pct", 0.25), "layers": asked.whole("num_hidden_layers", 44),
            "width": width, "heads": asked.whole("num_attention_heads", 64),
            "hidden": asked.whole("intermediate_size", 24576), "norm": "layer", "bias": True,
            "parallel": "two-norms" if asked.flag("use_parallel_residual", True) else "no",
            "feed_forward": asked.one_of("hidden_act", "gelu", ACTIVATIONS),
            "norm_epsilon": asked.number("layer_norm_eps", 1e-5), "dropout": asked.number("hidden_dropout", 0.0),
            "tie": asked.flag("tie_word_embeddings", False),
        }  # fmt: skip

    def said(self, settings: TransformerConfig, positions: int) -> dict[str, Any]:
        """Return the keys of config.json."""
        refuse_other_heads(self.model_type, settings, settings.heads)
        keys = rope(settings)
        keys["rope_parameters"]["partial_rotary_factor"] = settings.rotary_share  # a quarter where nothing says it
        return {
            **keys, "rotary_pct": settings.rotary_share, "rotary_emb_base": settings.rotary_base,
            "hidden_size": settings.width, "num_hidden_layers": settings.layers, "attention_bias": True,
            "num_attention_heads": settings.heads, "intermediate_size": units(settings),
            "hidden_act": word_for(settings.feed_forward, ACTIVATIONS), "layer_norm_eps": settings.norm_epsilon,
            "use_parallel_residual": settings.parallel == "two-norms", "max_position_embeddings": positions,
            "hidden_dropout": settings.dropout, "attention_dropout": settings.dropout,
        }  # fmt: skip

    def layout(self, model: TransformerConfig) -> Iterator[Table]:
        """Return the layout of the tables."""
        width, hidden = model.width, units(model)
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
    """Falcon 7B: one head of keys and values, both branches side by side behind one norm, as in PaLM.

    Its LayerNorms have biases and its projections have none: here these are zeros.
    """

    model_type, reader, prefix = "falcon", "FalconForCausalLM", "transformer."
    embedding = "transformer.word_embeddings.weight"
    says: ClassVar = {
        **ALWAYS, "positions": ("rotary",), "norm": ("layer",), "parallel": ("one-norm", "no"), "window": (0,),
        "feed_forward": PLAIN, "rotary_pairs": ("halves",), "rotary_share": (1.0,),
        "rotary_scaling": ("none", "linear", "llama3"),
    }  # fmt: skip

    def asked(self, asked: Asked) -> dict[str, Any]:
        """Return the settings that a config.json asks for."""
        asked.must("alibi", False)
        asked.must("new_decoder_architecture", False)
        asked.must("multi_query", True)
        asked.must("num_ln_in_parallel_attn", 1)
        asked.flag("bias", False)
        turned = rotary(asked, "rope_theta", "partial_rotary_factor", 1.0)
        if turned["rotary_share"] != 1:
            raise asked.refused("partial_rotary_factor", Asked.LACKS, "1")
        width = asked.whole("hidden_size", 4544)
        return {
            **turned, "layers": asked.whole("num_hidden_layers", 32), "width": width,
            "heads": asked.whole("num_attention_heads", 71), "kv_heads": 1, "norm": "layer", "bias": True,
            "hidden": asked.whole("ffn_hidden_size", 4 * width),
            "parallel": "one-norm" if asked.flag("parallel_attn", True) else "no",
            "feed_forward": asked.one_of("activation", "gelu", ACTIVATIONS),
            "norm_epsilon": asked.number("layer_norm_epsilon", 1e-5), "dropout": asked.number("hidden_dropout", 0.0),
            "tie": asked.flag("tie_word_embeddings", True),
        }  # fmt: skip

    def said(self, settings: TransformerConfig, positions: int) -> dict[str, Any]:
        """Return the keys of config.json."""
        refuse_other_heads(self.model_type, settings, 1)
        return {
            **rope(settings), "hidden_size": settings.width, "num_hidden_layers": settings.layers,
            "num_attention_heads": settings.heads, "ffn_hidden_size": units(settings), "bias": settings.bias,
            "activation": word_for(settings.feed_forward, ACTIVATIONS), "layer_norm_epsilon": settings.norm_epsilon,
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
        """The tensors of a checkpoint under our names, with zeros for the biases of projections that it has not."""
        if Asked(config).flag("bias", False):
            return super().tables(config, tensors)
        import torch

        model = TransformerConfig.read(self.settings(config), field="config.json")
        projections = [each for layer in range(model.layers) for each in _projections(model, layer).values()]
        zeros = {f"{other}.bias": torch.zeros(outer) for other, outer, _ in projections}
        return super().tables(config, ChainMap(zeros, tensors))  # type: ignore[arg-type]  # it is only read


def _projections(model: TransformerConfig, layer: int) -> dict[str, tuple[str, int, int]]:
    """Return the projections of a Falcon's block: name there, rows, columns, by name here."""
    theirs, width, hidden = f"transformer.h.{layer}", model.width, units(model)
    return {
        "token.project": (f"{theirs}.self_attention.query_key_value", width + 2 * model.each_head, width),
        "token.output": (f"{theirs}.self_attention.dense", width, width),
        "channel.inner": (f"{theirs}.mlp.dense_h_to_4h", hidden, width),
        "channel.outer": (f"{theirs}.mlp.dense_4h_to_h", width, hidden),
    }
