"""Conversion between Hugging Face's BERT, RoBERTa, DistilBERT, ALBERT and ELECTRA and encoders of the lab."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from lab.api import BadInput, CheckpointConfig, Table
from lab_encoder.format_base import (
    CLASSES,
    MASKED,
    PAIRS,
    REPLACED,
    TOKENS,
    OfEncoders,
    block_tables,
    both,
    embedding_tables,
    joined,
    output_tables,
    turned,
)

if TYPE_CHECKING:
    from lab.api import Task
    from lab_encoder.settings import EncoderConfig


class Bert(OfEncoders):
    """BERT: learned positions, segments, post-norm; a head for hidden tokens, and one for the next sentence."""

    model_type, prefix = "bert", "bert."
    classes_of: ClassVar = {
        MASKED: "BertForMaskedLM", PAIRS: "BertForPreTraining", CLASSES: "BertForSequenceClassification",
        TOKENS: "BertForTokenClassification",
    }  # fmt: skip
    signs: ClassVar = {
        PAIRS: ("cls.seq_relationship.weight", "cls.predictions.bias"), MASKED: ("cls.predictions.bias",),
        CLASSES: ("classifier.weight", "bert.pooler.dense.weight"), TOKENS: ("classifier.weight",),
    }  # fmt: skip
    spare: ClassVar[tuple[str, ...]] = ("bert.pooler.", "cls.predictions.decoder.", "cls.seq_relationship.")
    also: ClassVar = {"cls.predictions.decoder.bias": "cls.predictions.bias"}
    expressible: ClassVar = {**OfEncoders.expressible, "embedding_width": (0,), "shared_groups": (0,)}
    first_position: ClassVar[int] = 0

    def embedded(self, model: EncoderConfig, task: Task) -> Iterator[Table]:
        """Yield the tables of the embedding."""
        yield from embedding_tables(self.prefix, model, task, self.first_position, segments=True)

    def blocks(self, model: EncoderConfig) -> Iterator[Table]:
        """Yield the tables of the blocks."""
        yield from block_tables(self.prefix, model)

    def config_keys(self, settings: EncoderConfig, positions: int) -> dict[str, Any]:
        """Return the keys of config.json."""
        if not settings.segments:  # transformers has at least one kind, whose vector is zero
            return {**super().config_keys(settings, positions), self.segments: 1}
        return super().config_keys(settings, positions)

    def heads(self, model: EncoderConfig, predicts: str, task: Task) -> Iterator[Table]:
        """Yield the tables of the head."""
        width = model.width
        if predicts in (CLASSES, TOKENS):
            if predicts == CLASSES:
                yield from Table.linear("pooler", "bert.pooler.dense", width, width, bias=True)
            yield from Table.linear("output", "classifier", task.classes or 0, width, bias=True)
            return
        head = "cls.predictions"
        yield from Table.linear("transform", f"{head}.transform.dense", width, width, bias=True)
        yield from both("head_norm", f"{head}.transform.LayerNorm", width)
        yield from output_tables(model, task, f"{head}.decoder.weight", f"{head}.bias")
        if predicts == PAIRS:
            yield from Table.linear("pooler", "bert.pooler.dense", width, width, bias=True)
            for part, rest in (("weight", (width,)), ("bias", ())):
                yield turned(f"next_sentence.{part}", f"cls.seq_relationship.{part}", 2, *rest)


class Roberta(Bert):
    """RoBERTa: BERT without the next sentence; its positions are counted from the padding symbol's number on.

    transformers takes every symbol of that number for padding, also where it is written into a text.
    """

    model_type, prefix = "roberta", "roberta."
    classes_of: ClassVar = {
        MASKED: "RobertaForMaskedLM", CLASSES: "RobertaForSequenceClassification",
        TOKENS: "RobertaForTokenClassification",
    }  # fmt: skip
    signs: ClassVar = {
        MASKED: ("lm_head.bias",), CLASSES: ("classifier.out_proj.weight",), TOKENS: ("classifier.weight",)
    }  # fmt: skip
    spare: ClassVar[tuple[str, ...]] = ("roberta.pooler.", "lm_head.decoder.")
    also: ClassVar = {"lm_head.decoder.bias": "lm_head.bias"}
    expressible: ClassVar = {**Bert.expressible, "feed_forward": ("gelu",)}
    first_position = 2

    def positions(self, config: CheckpointConfig) -> int:
        """Return the number of positions that a text can have."""
        return max(1, config.integer("max_position_embeddings", 514) - self.first_position)

    def read_settings(self, config: CheckpointConfig) -> dict[str, Any]:
        """Return the settings for a config.json."""
        if config.get("hidden_act", "gelu") != "gelu":
            raise config.refusal("hidden_act", CheckpointConfig.LACKS, "gelu, which its head has too")
        if config.get("pad_token_id", 1) != 1:
            raise config.refusal("pad_token_id", "gives the first position another number", "1")
        return super().read_settings(config)

    def config_keys(self, settings: EncoderConfig, positions: int) -> dict[str, Any]:
        """Return the keys of config.json."""
        return {**super().config_keys(settings, positions + self.first_position), "pad_token_id": 1}

    def heads(self, model: EncoderConfig, predicts: str, task: Task) -> Iterator[Table]:
        """Yield the tables of the head."""
        width = model.width
        if predicts in (CLASSES, TOKENS):
            if predicts == CLASSES:
                yield from Table.linear("pooler", "classifier.dense", width, width, bias=True)
            output = "classifier.out_proj" if predicts == CLASSES else "classifier"
            yield from Table.linear("output", output, task.classes or 0, width, bias=True)
            return
        yield from Table.linear("transform", "lm_head.dense", width, width, bias=True)
        yield from both("head_norm", "lm_head.layer_norm", width)
        yield from output_tables(model, task, "lm_head.decoder.weight", "lm_head.bias")


class DistilBert(OfEncoders):
    """DistilBERT: BERT without segments; ReLU before the output for classes."""

    model_type, prefix, segments, activation = "distilbert", "distilbert.", "", "relu"
    names: ClassVar = {
        "layers": "n_layers", "width": "dim", "heads": "n_heads", "hidden": "hidden_dim", "activation": "activation",
        "dropout": "dropout", "attention_dropout": "attention_dropout",
    }  # fmt: skip
    classes_of: ClassVar = {
        MASKED: "DistilBertForMaskedLM", CLASSES: "DistilBertForSequenceClassification",
        TOKENS: "DistilBertForTokenClassification",
    }  # fmt: skip
    signs: ClassVar = {
        MASKED: ("vocab_projector.bias",), CLASSES: ("classifier.weight", "pre_classifier.weight"),
        TOKENS: ("classifier.weight",),
    }  # fmt: skip
    spare: ClassVar[tuple[str, ...]] = ("vocab_projector.weight",)
    expressible: ClassVar = {
        **OfEncoders.expressible, "embedding_width": (0,), "shared_groups": (0,), "segments": (0,),
        "norm_epsilon": (1e-12,),
    }  # fmt: skip

    def defaults(self) -> Mapping[str, Any]:
        """Return the defaults."""
        return {**super().defaults(), "layers": 6}

    def read_settings(self, config: CheckpointConfig) -> dict[str, Any]:
        """Return the settings for a config.json; fixed sinusoids are stored like learned positions."""
        return {**super().read_settings(config), "norm_epsilon": 1e-12}

    def embedded(self, model: EncoderConfig, task: Task) -> Iterator[Table]:
        """Yield the tables of the embedding."""
        yield from embedding_tables(self.prefix, model, task, 0, segments=False)

    def blocks(self, model: EncoderConfig) -> Iterator[Table]:
        """Yield the tables of the blocks."""
        width, hidden = model.width, model.units
        for i in range(model.layers):
            ours, theirs = f"blocks.{i}", f"distilbert.transformer.layer.{i}"
            yield from joined(f"{ours}.token.project", tuple(f"{theirs}.attention.{n}_lin" for n in "qkv"), width)
            yield from Table.linear(f"{ours}.token.output", f"{theirs}.attention.out_lin", width, width, bias=True)
            yield from both(f"{ours}.token_norm", f"{theirs}.sa_layer_norm", width)
            yield from Table.linear(f"{ours}.channel.inner", f"{theirs}.ffn.lin1", hidden, width, bias=True)
            yield from Table.linear(f"{ours}.channel.outer", f"{theirs}.ffn.lin2", width, hidden, bias=True)
            yield from both(f"{ours}.channel_norm", f"{theirs}.output_layer_norm", width)

    def heads(self, model: EncoderConfig, predicts: str, task: Task) -> Iterator[Table]:
        """Yield the tables of the head."""
        width = model.width
        if predicts in (CLASSES, TOKENS):
            if predicts == CLASSES:
                yield from Table.linear("pooler", "pre_classifier", width, width, bias=True)
            yield from Table.linear("output", "classifier", task.classes or 0, width, bias=True)
            return
        yield from Table.linear("transform", "vocab_transform", width, width, bias=True)
        yield from both("head_norm", "vocab_layer_norm", width)
        yield from output_tables(model, task, "vocab_projector.weight", "vocab_projector.bias")


class Albert(OfEncoders):
    """ALBERT: a narrow embedding, and blocks that share their weights."""

    model_type, prefix = "albert", "albert."
    classes_of: ClassVar = {
        MASKED: "AlbertForMaskedLM", CLASSES: "AlbertForSequenceClassification", TOKENS: "AlbertForTokenClassification"
    }  # fmt: skip
    signs: ClassVar = {
        MASKED: ("predictions.bias",), CLASSES: ("classifier.weight", "albert.pooler.weight"),
        TOKENS: ("classifier.weight",),
    }  # fmt: skip
    spare: ClassVar[tuple[str, ...]] = ("albert.pooler", "predictions.decoder.", "sop_classifier.")
    also: ClassVar = {"predictions.decoder.bias": "predictions.bias"}

    def defaults(self) -> Mapping[str, Any]:
        """Return the defaults."""
        return {"layers": 12, "width": 4096, "heads": 64, "hidden": 16_384, "activation": "gelu_new", "dropout": 0.0}

    def read_settings(self, config: CheckpointConfig) -> dict[str, Any]:
        """Return the settings for a config.json."""
        config.require("inner_group_num", 1)
        read = super().read_settings(config)
        groups, narrow = config.integer("num_hidden_groups", 1), config.integer("embedding_size", 128)
        if read["layers"] % groups:
            raise config.refusal("num_hidden_groups", "does not divide the layers", f"a divisor of {read['layers']}")
        if narrow == read["width"]:
            raise config.refusal("embedding_size", "is as wide as the blocks", "another number than hidden_size")
        return {**read, "embedding_width": narrow, "shared_groups": groups}

    def config_keys(self, settings: EncoderConfig, positions: int) -> dict[str, Any]:
        """Return the keys of config.json."""
        keys = super().config_keys(settings, positions)
        if settings.embedding_channels == settings.width or not settings.shared_groups:
            name = "embedding_width" if settings.shared_groups else "shared_groups"
            what = f"cannot be expressed in a config.json of {self.model_type}"
            raise BadInput(what, field=f"architecture.{name}", value=getattr(settings, name), allowed="1 or more")
        return {
            **keys, "embedding_size": settings.embedding_channels, "num_hidden_groups": settings.shared_groups,
            "inner_group_num": 1, self.segments: settings.segments or 1,
        }  # fmt: skip

    def embedded(self, model: EncoderConfig, task: Task) -> Iterator[Table]:
        """Yield the tables of the embedding."""
        yield from embedding_tables(self.prefix, model, task, 0, segments=True)
        mapping = "albert.encoder.embedding_hidden_mapping_in"
        yield from Table.linear("widen", mapping, model.width, model.embedding_channels, bias=True)

    def blocks(self, model: EncoderConfig) -> Iterator[Table]:
        """Yield the tables of the first block of each group, which are those of all of its blocks."""
        width, hidden = model.width, model.units
        for group in range(model.shared_groups):
            ours = f"blocks.{group * model.layers // model.shared_groups}"
            theirs = f"albert.encoder.albert_layer_groups.{group}.albert_layers.0"
            attention = f"{theirs}.attention"
            three = tuple(f"{attention}.{name}" for name in ("query", "key", "value"))
            yield from joined(f"{ours}.token.project", three, width)
            yield from Table.linear(f"{ours}.token.output", f"{attention}.dense", width, width, bias=True)
            yield from both(f"{ours}.token_norm", f"{attention}.LayerNorm", width)
            yield from Table.linear(f"{ours}.channel.inner", f"{theirs}.ffn", hidden, width, bias=True)
            yield from Table.linear(f"{ours}.channel.outer", f"{theirs}.ffn_output", width, hidden, bias=True)
            yield from both(f"{ours}.channel_norm", f"{theirs}.full_layer_layer_norm", width)

    def heads(self, model: EncoderConfig, predicts: str, task: Task) -> Iterator[Table]:
        """Yield the tables of the head."""
        width, narrow = model.width, model.embedding_channels
        if predicts in (CLASSES, TOKENS):
            if predicts == CLASSES:
                yield from Table.linear("pooler", "albert.pooler", width, width, bias=True)
            yield from Table.linear("output", "classifier", task.classes or 0, width, bias=True)
            return
        yield from Table.linear("transform", "predictions.dense", narrow, width, bias=True)
        yield from both("head_norm", "predictions.LayerNorm", narrow)
        yield from output_tables(model, task, "predictions.decoder.weight", "predictions.bias")


class Electra(OfEncoders):
    """ELECTRA: the generator, which predicts hidden tokens, or the discriminator, which finds replaced ones."""

    model_type, prefix, activation = "electra", "electra.", "gelu"
    classes_of: ClassVar = {
        MASKED: "ElectraForMaskedLM", REPLACED: "ElectraForPreTraining", CLASSES: "ElectraForSequenceClassification",
        TOKENS: "ElectraForTokenClassification",
    }  # fmt: skip
    signs: ClassVar = {
        MASKED: ("generator_lm_head.bias",), REPLACED: ("discriminator_predictions.dense_prediction.weight",),
        CLASSES: ("classifier.out_proj.weight",), TOKENS: ("classifier.weight",),
    }  # fmt: skip
    spare: ClassVar[tuple[str, ...]] = ("generator_lm_head.weight",)
    expressible: ClassVar = {**OfEncoders.expressible, "feed_forward": ("gelu",), "shared_groups": (0,)}

    def defaults(self) -> Mapping[str, Any]:
        """Return the defaults."""
        return {**super().defaults(), "width": 256, "heads": 4, "hidden": 1024}

    def read_settings(self, config: CheckpointConfig) -> dict[str, Any]:
        """Return the settings for a config.json."""
        if config.get("hidden_act", "gelu") != "gelu":
            raise config.refusal("hidden_act", CheckpointConfig.LACKS, "gelu, which its heads have too")
        read = super().read_settings(config)
        narrow = config.integer("embedding_size", 128)
        return {**read, "embedding_width": 0 if narrow == read["width"] else narrow}

    def config_keys(self, settings: EncoderConfig, positions: int) -> dict[str, Any]:
        """Return the keys of config.json."""
        keys = super().config_keys(settings, positions)
        return {**keys, "embedding_size": settings.embedding_channels, self.segments: settings.segments or 1}

    def embedded(self, model: EncoderConfig, task: Task) -> Iterator[Table]:
        """Yield the tables of the embedding."""
        yield from embedding_tables(self.prefix, model, task, 0, segments=True)
        narrow = model.embedding_channels
        if narrow != model.width:
            yield from Table.linear("widen", "electra.embeddings_project", model.width, narrow, bias=True)

    def blocks(self, model: EncoderConfig) -> Iterator[Table]:
        """Yield the tables of the blocks."""
        yield from block_tables(self.prefix, model)

    def heads(self, model: EncoderConfig, predicts: str, task: Task) -> Iterator[Table]:
        """Yield the tables of the head."""
        width, narrow = model.width, model.embedding_channels
        if predicts in (CLASSES, TOKENS):
            if predicts == CLASSES:
                yield from Table.linear("pooler", "classifier.dense", width, width, bias=True)
            output = "classifier.out_proj" if predicts == CLASSES else "classifier"
            yield from Table.linear("output", output, task.classes or 0, width, bias=True)
        elif predicts == REPLACED:
            head = "discriminator_predictions"
            yield from Table.linear("transform", f"{head}.dense", width, width, bias=True)
            yield from Table.linear("output", f"{head}.dense_prediction", 1, width, bias=True)
        else:
            yield from Table.linear("transform", "generator_predictions.dense", narrow, width, bias=True)
            yield from both("head_norm", "generator_predictions.LayerNorm", narrow)
            yield from output_tables(model, task, "generator_lm_head.weight", "generator_lm_head.bias")
