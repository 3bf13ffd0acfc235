"""Conversion between Hugging Face's T5 and BART and encoder-decoders of the lab.

A config that needs something the encoder-decoder lacks is refused, with its key; nothing is ignored silently.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from lab.api import (
    GATED_ACTIVATIONS,
    HUGGING_FACE_GATED,
    HUGGING_FACE_PLAIN,
    BadInput,
    CheckpointConfig,
    HuggingFaceConverter,
    Table,
    Task,
)
from lab_seq2seq.encoder_decoder_card import EncoderDecoderConfig

if TYPE_CHECKING:
    from torch import Tensor

COPIES = re.compile(
    r"(model\.)?(encoder|decoder)\.embed_tokens\.weight"
    r"|decoder\.block\.0\.layer\.1\.EncDecAttention\.relative_attention_bias\.weight"
)
"""Copies of the embedding that files may hold besides it, and a table of the first T5 files that nothing reads."""
PLAIN = tuple(dict.fromkeys(HUGGING_FACE_PLAIN.values()))
"""Feed-forward layers without a gate."""


class OfEncoderDecoders(HuggingFaceConverter):
    """The base of the converters of encoder-decoders.

    The symbol that begins a target is the last but one of the vocabulary, and the one that ends it the last, as in the
    lab's objective.
    """

    kind = EncoderDecoderConfig

    def task(self, config: Mapping[str, Any], tensors: Mapping[str, Tensor], causal: Task) -> Task:
        """Return the task of a model that reads a source of the same vocabulary."""
        del config, tensors
        return replace(causal, source_vocabulary_size=causal.vocabulary_size)

    def tables(self, config: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Return the tensors of a checkpoint under the lab's names; copies of the embedding are left out."""
        tied = self.settings(config)["tie"]
        found = {name: table for name, table in tensors.items() if name == self.head or not COPIES.fullmatch(name)}
        if not tied and self.head not in found and self.embedding in found:
            found[self.head] = found[self.embedding]
        return super().tables(config, found)

    def config(self, settings: EncoderDecoderConfig, task: Task) -> dict[str, Any]:
        """Return the config.json of a model with these settings."""
        if task.source_vocabulary_size != task.vocabulary_size:
            what = "reads something else than texts of its own vocabulary"
            raise BadInput(what, field="objective.name", allowed="sequence-to-sequence")
        begin, end = task.vocabulary_size - 2, task.vocabulary_size - 1
        return {
            **super().config(settings, task),
            "is_encoder_decoder": True,
            "decoder_start_token_id": begin,
            "eos_token_id": end,
            "pad_token_id": end,
        }


class T5(OfEncoderDecoders):
    """T5, version 1.0 and 1.1: relative positions, RMSNorm before each branch, no bias, no division by √D."""

    model_type, reader, prefix, embedding = "t5", "T5ForConditionalGeneration", "", "shared.weight"
    expressible: ClassVar = {
        "positions": ("t5",), "norm": ("rms",), "norm_place": ("pre",), "embedding_norm": (False,), "bias": (False,),
        "scaled": (False,), "head_bias": (False,), "patch": (0,),
    }  # fmt: skip

    def positions(self, config: CheckpointConfig) -> int:
        """Return the tokens of its training windows."""
        return config.integer("n_positions", 512)

    def read_settings(self, config: CheckpointConfig) -> dict[str, Any]:
        """Return the settings for a config.json."""
        gated, _, activation = str(config.get("feed_forward_proj", "relu")).rpartition("-")
        if gated and (gated, activation) == ("gated", "gelu"):
            activation = "gelu_new"  # so has it been read since version 1.1
        known = HUGGING_FACE_GATED if gated else HUGGING_FACE_PLAIN
        if gated not in ("", "gated") or activation not in known:
            raise config.refusal(
                "feed_forward_proj", CheckpointConfig.LACKS, ", ".join([*HUGGING_FACE_PLAIN, "gated-gelu"])
            )
        layers, scaled = config.integer("num_layers", 6), config.flag("scale_decoder_outputs", True)
        tie = config.flag("tie_word_embeddings", True) and scaled  # version 1.1 is written as tied, and has a head
        return {
            "layers": config.integer("num_decoder_layers", layers), "encoder_layers": layers,
            "width": config.integer("d_model", 512), "heads": config.integer("num_heads", 8),
            "head_width": config.integer("d_kv", 64), "hidden": config.integer("d_ff", 2048),
            "positions": "t5", "relative_buckets": config.integer("relative_attention_num_buckets", 32),
            "relative_distance": config.integer("relative_attention_max_distance", 128), "norm": "rms",
            "norm_epsilon": config.number("layer_norm_epsilon", 1e-6), "bias": False, "scaled": False,
            "feed_forward": known[activation], "dropout": config.number("dropout_rate", 0.1), "tie": tie,
            "share": not tie, "scaled_head": tie,
        }  # fmt: skip

    def config_keys(self, settings: EncoderDecoderConfig, positions: int) -> dict[str, Any]:
        """Return the keys of config.json."""
        if not settings.tie and not settings.share:
            what = "cannot be expressed in a config.json of t5, which has one embedding for source and target"
            raise BadInput(what, field="architecture.share", value=False, allowed="true")
        if settings.scaled_head != settings.tie:
            what = "cannot be expressed in a config.json of t5, which scales the head where it is the embedding"
            raise BadInput(what, field="architecture.scaled_head", value=settings.scaled_head, allowed=settings.tie)
        gate = GATED_ACTIVATIONS.get(settings.feed_forward)
        names = {ours: theirs for theirs, ours in reversed([*HUGGING_FACE_PLAIN.items()])}
        projection = f"gated-{names[gate]}" if gate else names[settings.feed_forward]
        if gate == "gelu":  # which it reads as its approximation
            what = "cannot be expressed in a config.json of t5"
            raise BadInput(what, field="architecture.feed_forward", value="geglu", allowed="geglu-tanh, or no gate")
        return {
            "d_model": settings.width, "d_kv": settings.each_head, "d_ff": settings.units,
            "num_layers": settings.encoder_layers or settings.layers, "num_decoder_layers": settings.layers,
            "num_heads": settings.heads, "relative_attention_num_buckets": settings.relative_buckets,
            "relative_attention_max_distance": settings.relative_distance, "n_positions": positions,
            "layer_norm_epsilon": settings.norm_epsilon, "dropout_rate": settings.dropout,
            "feed_forward_proj": projection.replace("gelu_new", "gelu") if gate else projection,
            "scale_decoder_outputs": settings.scaled_head,
        }  # fmt: skip

    def layout(self, model: EncoderDecoderConfig) -> Iterator[Table]:
        """Return the layout of the tables."""
        width, inner = model.width, model.heads * model.each_head
        for ours, theirs in (("encoder.", "encoder"), ("", "decoder")):
            first = f"{theirs}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
            yield Table.plain(f"{ours}relative.weight", first, model.relative_buckets, model.heads)
            for i in range(model.encoder_layers or model.layers if ours else model.layers):
                block, layer = f"{ours}blocks.{i}", f"{theirs}.block.{i}.layer"
                parts = {f"{layer}.0.SelfAttention.{part}.weight": inner for part in "qkv"}
                yield Table.plain(f"{block}.token_norm.weight", f"{layer}.0.layer_norm.weight", width)
                yield Table.joined(f"{block}.token.project.weight", parts, width)
                yield Table.plain(f"{block}.token.output.weight", f"{layer}.0.SelfAttention.o.weight", width, inner)
                if not ours:
                    cross = f"{layer}.1.EncDecAttention"
                    memory = {f"{cross}.{part}.weight": inner for part in "kv"}
                    yield Table.plain(f"{block}.cross_norm.weight", f"{layer}.1.layer_norm.weight", width)
                    yield Table.plain(f"{block}.cross.query.weight", f"{cross}.q.weight", inner, width)
                    yield Table.joined(f"{block}.cross.project.weight", memory, width)
                    yield Table.plain(f"{block}.cross.output.weight", f"{cross}.o.weight", width, inner)
                last = f"{layer}.{1 if ours else 2}"
                dense, units = f"{last}.DenseReluDense", model.units
                gated = model.feed_forward in GATED_ACTIVATIONS
                inputs = {f"{dense}.{name}.weight": units for name in (("wi_0", "wi_1") if gated else ("wi",))}
                yield Table.plain(f"{block}.channel_norm.weight", f"{last}.layer_norm.weight", width)
                yield Table.joined(f"{block}.channel.inner.weight", inputs, width)
                yield Table.plain(f"{block}.channel.outer.weight", f"{dense}.wo.weight", width, units)
            yield Table.plain(f"{ours}norm.weight", f"{theirs}.final_layer_norm.weight", width)


class Bart(OfEncoderDecoders):
    """BART: learned positions, LayerNorm after each sum and after the embeddings, biases everywhere."""

    model_type, reader, prefix = "bart", "BartForConditionalGeneration", "model."
    embedding = "model.shared.weight"
    expressible: ClassVar = {
        "positions": ("learned",), "norm": ("layer",), "norm_place": ("post",), "norm_epsilon": (1e-5,),
        "embedding_norm": (True,), "scaled": (True,), "scaled_head": (False,), "feed_forward": PLAIN, "patch": (0,),
        "tie": (True,),
    }  # fmt: skip

    def positions(self, config: CheckpointConfig) -> int:
        """Return the number of learned positions."""
        return config.integer("max_position_embeddings", 1024)

    def read_settings(self, config: CheckpointConfig) -> dict[str, Any]:
        """Return the settings for a config.json."""
        config.require("scale_embedding", False)
        config.require("tie_word_embeddings", True)
        heads, hidden = config.integer("decoder_attention_heads", 16), config.integer("decoder_ffn_dim", 4096)
        config.require("encoder_attention_heads", heads)
        config.require("encoder_ffn_dim", hidden)
        return {
            "layers": config.integer("decoder_layers", 12), "encoder_layers": config.integer("encoder_layers", 12),
            "width": config.integer("d_model", 1024), "heads": heads, "hidden": hidden, "positions": "learned",
            "norm": "layer", "norm_place": "post", "embedding_norm": True, "bias": True, "head_bias": True,
            "feed_forward": config.one_of("activation_function", "gelu", HUGGING_FACE_PLAIN),
            "dropout": config.number("dropout", 0.1), "tie": True,
        }  # fmt: skip

    def config_keys(self, settings: EncoderDecoderConfig, positions: int) -> dict[str, Any]:
        """Return the keys of config.json."""
        if settings.each_head * settings.heads != settings.width:
            what = "cannot be expressed in a config.json of bart"
            raise BadInput(what, field="architecture.head_width", value=settings.head_width, allowed="width / heads")
        names = {ours: theirs for theirs, ours in reversed([*HUGGING_FACE_PLAIN.items()])}
        heads, hidden = settings.heads, settings.units
        return {
            "d_model": settings.width, "encoder_layers": settings.encoder_layers or settings.layers,
            "decoder_layers": settings.layers, "encoder_attention_heads": heads, "decoder_attention_heads": heads,
            "encoder_ffn_dim": hidden, "decoder_ffn_dim": hidden, "max_position_embeddings": positions,
            "activation_function": names[settings.feed_forward], "dropout": settings.dropout,
            "attention_dropout": settings.dropout, "scale_embedding": False, "forced_eos_token_id": None,
        }  # fmt: skip

    def layout(self, model: EncoderDecoderConfig) -> Iterator[Table]:
        """Return the layout of the tables but learned positions, whose number `_layout` knows."""
        width, units = model.width, model.units
        for ours, theirs in (("encoder.", "model.encoder"), ("", "model.decoder")):
            yield from _norm(f"{ours}embedding_norm", f"{theirs}.layernorm_embedding", width)
            for i in range(model.encoder_layers or model.layers if ours else model.layers):
                block, layer = f"{ours}blocks.{i}", f"{theirs}.layers.{i}"
                yield from _norm(f"{block}.token_norm", f"{layer}.self_attn_layer_norm", width)
                yield from _norm(f"{block}.channel_norm", f"{layer}.final_layer_norm", width)
                for part, rest, inner in (("weight", (width,), (units,)), ("bias", (), ())):
                    attention = {f"{layer}.self_attn.{name}_proj.{part}": width for name in "qkv"}
                    yield Table.joined(f"{block}.token.project.{part}", attention, *rest)
                    yield Table.plain(
                        f"{block}.token.output.{part}", f"{layer}.self_attn.out_proj.{part}", width, *rest
                    )
                    if not ours:
                        cross = f"{layer}.encoder_attn"
                        memory = {f"{cross}.{name}_proj.{part}": width for name in "kv"}
                        yield Table.plain(f"{block}.cross.query.{part}", f"{cross}.q_proj.{part}", width, *rest)
                        yield Table.joined(f"{block}.cross.project.{part}", memory, *rest)
                        yield Table.plain(f"{block}.cross.output.{part}", f"{cross}.out_proj.{part}", width, *rest)
                    yield Table.plain(f"{block}.channel.inner.{part}", f"{layer}.fc1.{part}", units, *rest)
                    yield Table.plain(f"{block}.channel.outer.{part}", f"{layer}.fc2.{part}", width, *inner)
                if not ours:
                    yield from _norm(f"{block}.cross_norm", f"{layer}.encoder_attn_layer_norm", width)

    def _layout(self, model: EncoderDecoderConfig, vocabulary: int, positions: int) -> Iterator[Table]:
        yield from super()._layout(model, vocabulary, positions)
        for ours, theirs in (("encoder.", "model.encoder"), ("", "model.decoder")):
            yield _after_two(f"{ours}position.weight", f"{theirs}.embed_positions.weight", positions, model.width)
        yield _row("head_bias", "final_logits_bias", vocabulary)


def _norm(ours: str, theirs: str, width: int) -> Iterator[Table]:
    for part in ("weight", "bias"):
        yield Table.plain(f"{ours}.{part}", f"{theirs}.{part}", width)


def _after_two(ours: str, theirs: str, rows: int, width: int) -> Table:
    """Return the table of positions, which the checkpoint numbers from 2 on."""

    def write(table: Tensor) -> Sequence[Tensor]:
        import torch

        return [torch.cat([table.new_zeros(2, width), table])]

    return Table(ours, {theirs: (rows + 2, width)}, lambda tensors: tensors[0][2:], write)


def _row(ours: str, theirs: str, size: int) -> Table:
    """Return a vector that the checkpoint stores as a matrix of one row."""
    return Table(ours, {theirs: (1, size)}, lambda tensors: tensors[0][0], lambda table: [table[None]])
