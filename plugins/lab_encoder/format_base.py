"""What the Hugging Face checkpoints of encoders have in common: their tasks, their blocks, and names of old files."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from lab.api import (
    HUGGING_FACE_PLAIN,
    BadInput,
    CheckpointConfig,
    HuggingFaceConverter,
    Table,
    Task,
    read_tables,
    written_tensors,
)
from lab_encoder.settings import EncoderConfig

if TYPE_CHECKING:
    from torch import Tensor

MASKED, PAIRS, REPLACED = "hidden tokens", "hidden tokens and next sentence", "replaced tokens"
CLASSES, TOKENS = "classes", "classes of tokens"
"""What the head of a checkpoint predicts."""
NORM_PARTS = {".gamma": ".weight", ".beta": ".bias"}
"""Ends of the names of norms in old files, by what they are named now."""
PLAIN = tuple(dict.fromkeys(HUGGING_FACE_PLAIN.values()))
"""Feed-forward layers without a gate."""
LARGEST_LABELS = 100_000
"""Most classes of a checkpoint."""


class OfEncoders(HuggingFaceConverter):
    """The base of the converters of encoders.

    Attributes:
        activation: The activation of the layer before the output for classes.
        segments: The key of the number of segments; "" if there are none.
        names: The keys of config.json for layers, width, heads, hidden, activation and dropout.
        classes_of: By what it predicts, the class of transformers that reads it.
        signs: By what a head predicts, the tensors by which it is recognised, the first of which makes its outputs; the
            first head that has all of them is the one.
        spare: Starts of the names of tensors that may be there and that the task does not need.
        also: Other names of tensors, by the name in `layout`.
    """

    kind = EncoderConfig
    activation: ClassVar[str] = "tanh"
    segments: ClassVar[str] = "type_vocab_size"
    names: ClassVar[Mapping[str, str]] = {
        "layers": "num_hidden_layers", "width": "hidden_size", "heads": "num_attention_heads",
        "hidden": "intermediate_size", "activation": "hidden_act", "dropout": "hidden_dropout_prob",
        "attention_dropout": "attention_probs_dropout_prob",
    }  # fmt: skip
    classes_of: ClassVar[Mapping[str, str]]
    signs: ClassVar[Mapping[str, tuple[str, ...]]]
    spare: ClassVar[tuple[str, ...]] = ()
    also: ClassVar[Mapping[str, str]] = {}
    expressible: ClassVar = {
        "pattern": ("attention+mlp",), "positions": ("learned",), "norm": ("layer",), "norm_place": ("post",),
        "embedding_norm": (True,), "bias": (True,), "qk_norm": (False,), "window": (0,), "kv_heads": (0,),
        "head_width": (0,), "feed_forward": PLAIN, "head_transform": (True,), "layer_dropout": (0.0,),
    }  # fmt: skip

    @abstractmethod
    def blocks(self, model: EncoderConfig) -> Iterator[Table]:
        """Yield the tables of the blocks."""

    @abstractmethod
    def heads(self, model: EncoderConfig, predicts: str, task: Task) -> Iterator[Table]:
        """Yield the tables of the head, all but those that are tied."""

    @abstractmethod
    def embedded(self, model: EncoderConfig, task: Task) -> Iterator[Table]:
        """Yield the tables of the embedding."""

    def defaults(self) -> Mapping[str, Any]:
        """Return the defaults of layers, width, heads, hidden and dropout."""
        return {"layers": 12, "width": 768, "heads": 12, "hidden": 3072, "activation": "gelu", "dropout": 0.1}

    def read_settings(self, config: CheckpointConfig) -> dict[str, Any]:
        """Return the settings for a config.json."""
        config.require("is_decoder", False)
        config.require("add_cross_attention", False)
        if config.get("position_embedding_type", "absolute") != "absolute":
            raise config.refusal("position_embedding_type", CheckpointConfig.LACKS, "absolute")
        known, names = self.defaults(), self.names
        hidden = config.integer(names["hidden"], known["hidden"])
        width, heads = config.integer(names["width"], known["width"]), config.integer(names["heads"], known["heads"])
        if width % heads:
            raise config.refusal(names["heads"], "does not divide the width", f"a divisor of {width}")
        return {
            "layers": config.integer(names["layers"], known["layers"]), "width": width, "heads": heads,
            "hidden": hidden, "positions": "learned",
            "norm": "layer", "norm_place": "post", "bias": True, "head_transform": True, "embedding_norm": True,
            "feed_forward": config.one_of(names["activation"], known["activation"], HUGGING_FACE_PLAIN),
            "norm_epsilon": config.number("layer_norm_eps", 1e-12) or 1e-12,
            "dropout": min(config.number(names["dropout"], known["dropout"]), 0.99),
            "segments": config.integer(self.segments, 2) if self.segments else 0, "embedding_width": 0,
            "tie": config.flag("tie_word_embeddings", True), "pool": "first", "pooler": self.activation,
            "pattern": "attention+mlp",
        }  # fmt: skip

    def config_keys(self, settings: EncoderConfig, positions: int) -> dict[str, Any]:
        """Return the keys of config.json."""
        names, drop = self.names, settings.dropout
        return {
            names["layers"]: settings.layers, names["width"]: settings.width, names["heads"]: settings.heads,
            names["hidden"]: settings.units, names["dropout"]: drop, names["attention_dropout"]: drop,
            names["activation"]: _name_of(settings.feed_forward), "max_position_embeddings": positions,
            **({"layer_norm_eps": settings.norm_epsilon, self.segments: settings.segments} if self.segments else {}),
        }  # fmt: skip

    def positions(self, config: CheckpointConfig) -> int:
        """Return the number of positions."""
        return config.integer("max_position_embeddings", 512)

    def task(self, config: Mapping[str, Any], tensors: Mapping[str, Tensor], causal: Task) -> Task:
        """Return the task of a checkpoint, which its tensors tell.

        Raises:
            BadInput: It has no head that the lab knows.
        """
        del causal
        return self._task(config, tensors)

    def _task(self, config: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> Task:
        """Return the task of a checkpoint.

        Raises:
            BadInput: It has no head that the lab knows.
        """
        keys = CheckpointConfig(config)
        size, positions = keys.integer("vocab_size"), self.positions(keys)
        predicts = self._predicts(tensors, config.get("architectures"))
        if predicts in (CLASSES, TOKENS):
            classes = self._classes(tensors, self.signs[predicts][0])
            return Task(size, positions, causal=False, classes=classes, by_token=predicts == TOKENS)
        return Task(size, positions, causal=False, next_sentence=predicts == PAIRS, replaced=predicts == REPLACED)

    def tables(self, config: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Return the tensors of a checkpoint under the lab's names."""
        model = self.kind.read(self.settings(config), field="config.json")
        task = self._task(config, tensors)
        layout = list(self._tables_of(model, task))
        given = _Renamed(tensors, self._new_names(tensors))
        wanted = {name for table in layout for name in table.theirs}
        spare = [name for name in given if name not in wanted and self._is_spare(name)]
        return read_tables(layout, given, "", spare)

    def tensors(self, settings: Any, tables: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Return the tensors of the checkpoint."""
        return written_tensors(self._tables_of(settings, _task_of(tables)), tables)

    def config(self, settings: Any, task: Task) -> dict[str, Any]:
        """Return the config.json of a model with these settings.

        Raises:
            BadInput: The format cannot express the task or a setting.
        """
        name = predicted(task)
        if task.causal or task.input_shape is not None or task.outputs is not None or name not in self.classes_of:
            allowed = ", ".join(self.classes_of)
            what = f"a checkpoint of {self.model_type} cannot predict this"
            raise BadInput(what, field="objective.name", value=name, allowed=allowed)
        for setting, allowed_values in self._expressible(task).items():
            if getattr(settings, setting) not in allowed_values:
                what = f"cannot be expressed in a config.json of {self.model_type}"
                values = ", ".join(str(value) for value in allowed_values)
                raise BadInput(what, field=f"architecture.{setting}", value=getattr(settings, setting), allowed=values)
        labels = {str(number): f"LABEL_{number}" for number in range(task.classes or 0)}
        return {
            "model_type": self.model_type,
            "architectures": [self.classes_of[name]],
            "vocab_size": task.vocabulary_size,
            "tie_word_embeddings": settings.tie,
            "dtype": "float32",
            "torch_dtype": "float32",  # the name in version 4
            **dict.fromkeys(("bos_token_id", "eos_token_id", "pad_token_id")),
            **({"id2label": labels, "label2id": {label: int(key) for key, label in labels.items()}} if labels else {}),
            **self.config_keys(settings, task.context_length),
        }

    def layout(self, model: Any) -> Iterator[Table]:
        """Yield the tables of the blocks."""
        return self.blocks(model)

    def _expressible(self, task: Task) -> dict[str, tuple[Any, ...]]:
        of_texts = {"pool": ("first",), "pooler": (self.activation,)}
        return {**self.expressible, **({} if task.classes is None or task.by_token else of_texts)}

    def _tables_of(self, model: EncoderConfig, task: Task) -> Iterator[Table]:
        yield from self.embedded(model, task)
        yield from self.blocks(model)
        yield from self.heads(model, predicted(task), task)

    def _new_names(self, tensors: Iterable[str]) -> dict[str, str]:
        """Return the names as in `layout`, by the names in the file."""
        present, found = set(tensors), {}
        bare = not any(name.startswith(self.prefix) for name in present)
        for name in present:
            new = name
            for end, now in NORM_PARTS.items():
                new = new.removesuffix(end) + now if new.endswith(end) else new
            if bare and self._belongs_to_body(new):
                new = self.prefix + new
            other = self.also.get(new)
            found[name] = other if other is not None and other not in present else new
        return found

    def _belongs_to_body(self, name: str) -> bool:
        return name.startswith(("embeddings", "encoder.", "transformer.", "pooler."))

    def _predicts(self, tensors: Mapping[str, Tensor], readers: Any = None) -> str:
        """Return what the head predicts: what config.json says, if its tensors are there; else what these tell."""
        names = set(self._new_names(tensors).values())
        named = readers if isinstance(readers, list) else []
        for predicts, reader in self.classes_of.items():
            if reader in named and names.issuperset(self.signs[predicts]):
                return predicts
        for predicts, signs in self.signs.items():
            if names.issuperset(signs):
                return predicts
        raise BadInput(
            "the weights have no head that the lab knows; maybe they are the body of a model alone",
            field="weights",
            allowed=f"a checkpoint of {', '.join(self.classes_of.values())}",
            remedy="Choose the same model for masked language modelling, which most publishers offer too",
        )

    def _classes(self, tensors: Mapping[str, Tensor], name: str) -> int:
        """Return the number of classes of the matrix of a head."""
        before = next(old for old, new in self._new_names(tensors).items() if new == name)
        classes = int(tensors[before].shape[0])
        if not 2 <= classes <= LARGEST_LABELS:
            what, allowed = "the head is one of numbers, not of classes", f"2 to {LARGEST_LABELS:,} classes"
            raise BadInput(what, field="weights", value=classes, allowed=allowed)
        return classes

    def _is_spare(self, name: str) -> bool:
        """Return True for a tensor that the task does not need: a pooler, a tied matrix, another head, positions."""
        return name.startswith(self.spare) or name.endswith("position_ids")


class _Renamed(Mapping[str, "Tensor"]):
    """Tensors under other names, read when they are asked for."""

    def __init__(self, tensors: Mapping[str, Tensor], names: Mapping[str, str]) -> None:
        self._tensors, self._old = tensors, {new: old for old, new in names.items()}

    def __getitem__(self, name: str) -> Tensor:
        return self._tensors[self._old[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._old)

    def __len__(self) -> int:
        return len(self._old)


def predicted(task: Task) -> str:
    """Return what the head of a model of a task predicts."""
    if task.classes is not None:
        return TOKENS if task.by_token else CLASSES
    return REPLACED if task.replaced else PAIRS if task.next_sentence else MASKED


def _task_of(tables: Mapping[str, Tensor]) -> Task:
    """Return the task of a model's tables."""
    size, positions = len(tables["embedding.weight"]), len(tables["position.weight"])
    outputs = len(tables["output.bias"])
    if "head_norm.weight" in tables:
        return Task(size, positions, causal=False, next_sentence="next_sentence.weight" in tables)
    if "transform.weight" in tables:
        return Task(size, positions, causal=False, replaced=True)
    by_token = "pooler.weight" not in tables
    return Task(size, positions, causal=False, classes=outputs, by_token=by_token)


def _name_of(activation: str) -> str:
    return next(theirs for theirs, ours in HUGGING_FACE_PLAIN.items() if ours == activation)


def both(name: str, other: str, width: int) -> Iterator[Table]:
    """Yield the weight and bias of a LayerNorm."""
    for part in ("weight", "bias"):
        yield Table.plain(f"{name}.{part}", f"{other}.{part}", width)


def joined(name: str, others: tuple[str, ...], width: int) -> Iterator[Table]:
    """Yield weight and bias of one projection that the checkpoint stores as several."""
    yield Table.joined(f"{name}.weight", {f"{other}.weight": width for other in others}, width)
    yield Table.joined(f"{name}.bias", {f"{other}.bias": width for other in others})


def turned(name: str, other: str, *shape: int) -> Table:
    """Return a table whose rows the checkpoint has in the opposite order."""
    return Table(name, {other: shape}, lambda tensors: tensors[0].flip(0), lambda table: [table.flip(0)])


def embedding_tables(prefix: str, model: EncoderConfig, task: Task, first: int, *, segments: bool) -> Iterator[Table]:
    """Yield the tables of an embedding.

    Args:
        prefix: The start of the names.
        model: The settings.
        task: The task.
        first: Number of the first position; rows before it are not used.
        segments: Whether the checkpoint has segments, at least one.
    """
    width, count = model.embedding_channels, task.context_length
    names = f"{prefix}embeddings"
    yield Table.plain("embedding.weight", f"{names}.word_embeddings.weight", task.vocabulary_size, width)

    def write(table: Tensor) -> list[Tensor]:
        return [table if not first else _padded(table, first)]

    yield Table(
        "position.weight", {f"{names}.position_embeddings.weight": (first + count, width)},
        lambda tensors: tensors[0][first:], write,
    )  # fmt: skip
    if segments:
        rows = model.segments or 1  # without segments a vector of zeros is written
        yield Table.plain("segment.weight", f"{names}.token_type_embeddings.weight", rows, width)
    yield from both("embedding_norm", f"{names}.LayerNorm", width)


def block_tables(prefix: str, model: EncoderConfig) -> Iterator[Table]:
    """Yield the tables of the blocks, as BERT names them."""
    width, hidden = model.width, model.units
    for i in range(model.layers):
        ours, theirs = f"blocks.{i}", f"{prefix}encoder.layer.{i}"
        three = tuple(f"{theirs}.attention.self.{name}" for name in ("query", "key", "value"))
        yield from joined(f"{ours}.token.project", three, width)
        yield from Table.linear(f"{ours}.token.output", f"{theirs}.attention.output.dense", width, width, bias=True)
        yield from both(f"{ours}.token_norm", f"{theirs}.attention.output.LayerNorm", width)
        yield from Table.linear(f"{ours}.channel.inner", f"{theirs}.intermediate.dense", hidden, width, bias=True)
        yield from Table.linear(f"{ours}.channel.outer", f"{theirs}.output.dense", width, hidden, bias=True)
        yield from both(f"{ours}.channel_norm", f"{theirs}.output.LayerNorm", width)


def output_tables(model: EncoderConfig, task: Task, weight: str, bias: str) -> Iterator[Table]:
    """Yield the matrix of the head, unless it is the embedding, and its biases."""
    if not model.tie:
        size, own = task.vocabulary_size, weight.removesuffix("weight") + "bias"
        yield Table.plain("output.weight", weight, size, model.embedding_channels)
        if own != bias:  # untied they are two, of which the second has no effect
            both = {own: (size,), bias: (size,)}
            yield Table("output.bias", both, lambda tensors: tensors[0], lambda table: [table, table.clone()])
            return
    yield Table.plain("output.bias", bias, task.vocabulary_size)


def _padded(table: Tensor, rows: int) -> Tensor:
    import torch

    return torch.cat([table.new_zeros(rows, table.shape[1]), table])
