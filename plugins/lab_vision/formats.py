"""Conversion between Hugging Face's ViT and CLIP and the models of images of the lab.

Images are (B, H, W, channels) here and (B, channels, H, W) there; no pixel is scaled or shifted by either.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

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
from lab_vision.clip_settings import ClipConfig
from lab_vision.settings import VisionTransformerConfig

if TYPE_CHECKING:
    from torch import Tensor

PLAIN = tuple(dict.fromkeys(HUGGING_FACE_PLAIN.values()))
"""Feed-forward layers without a gate."""
LARGEST_LABELS = 100_000
"""Most classes of a checkpoint."""


class OfImages(HuggingFaceConverter):
    """The base of the converters of models of images.

    Attributes:
        spare: Ends of the names of tensors that may be there and that the model does not need.
    """

    spare: ClassVar[tuple[str, ...]] = ("position_ids",)

    def config(self, settings: Any, task: Task) -> dict[str, Any]:
        """Return the config.json of a model with these settings.

        Raises:
            BadInput: The format cannot express the task or a setting.
        """
        self.check_task(task)
        for name, allowed in self.expressible.items():
            if getattr(settings, name) not in allowed:
                what = f"cannot be expressed in a config.json of {self.model_type}"
                values = ", ".join(str(value) for value in allowed)
                raise BadInput(what, field=f"architecture.{name}", value=getattr(settings, name), allowed=values)
        assert task.input_shape is not None  # `check_task` refuses others
        return {
            "model_type": self.model_type,
            "architectures": [self.reader],
            "dtype": "float32",
            "torch_dtype": "float32",  # the name in version 4
            **self.keys_of(settings, task, task.input_shape),
        }

    def check_task(self, task: Task) -> None:
        """Refuse a task that the format does not have.

        Raises:
            BadInput: It is one.
        """
        raise NotImplementedError

    def keys_of(self, settings: Any, task: Task, shape: tuple[int, ...]) -> dict[str, Any]:
        """Return the keys of config.json for images of a shape (H, W, channels)."""
        raise NotImplementedError

    def config_keys(self, settings: Any, positions: int) -> dict[str, Any]:
        """Return no keys: those of models of images need the task."""
        del settings, positions
        return {}

    def all_tables(self, settings: Any, tables: Mapping[str, Tensor]) -> Iterator[Table]:
        """Yield the tables of a model.

        Args:
            settings: Its settings.
            tables: Its tables, or tensors of their shapes.
        """
        raise NotImplementedError

    def tensors(self, settings: Any, tables: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Return the tensors of the checkpoint."""
        return written_tensors(self.all_tables(settings, tables), tables)

    def layout(self, model: Any) -> Iterator[Table]:
        """Yield no table: `all_tables` yields all of them."""
        del model
        return iter(())


class ViT(OfImages):
    """ViT with classes: learned positions, a class token, GELU, a linear head."""

    kind = VisionTransformerConfig
    model_type, reader, prefix, embedding = "vit", "ViTForImageClassification", "vit.", ""
    expressible: ClassVar = {
        "positions": ("learned",), "pool": ("class-token",), "activation": PLAIN, "layer_dropout": (0.0,),
    }  # fmt: skip
    spare = (*OfImages.spare, "pooler.dense.weight", "pooler.dense.bias")

    def read_settings(self, config: CheckpointConfig) -> dict[str, Any]:
        """Return the settings for a config.json."""
        config.require("qkv_bias", True)
        return {
            **_sizes(config, 3072), "patch": config.integer("patch_size", 16), "positions": "learned",
            "pool": "class-token", "activation": config.one_of("hidden_act", "gelu", HUGGING_FACE_PLAIN),
            "norm_epsilon": config.number("layer_norm_eps", 1e-12) or 1e-12,
            "dropout": min(config.number("hidden_dropout_prob", 0.0), 0.99),
        }  # fmt: skip

    def task(self, config: Mapping[str, Any], tensors: Mapping[str, Tensor], causal: Task) -> Task:
        """Return the task of a checkpoint: the classes of images.

        Raises:
            BadInput: It has no head of classes.
        """
        del causal
        head = tensors.get("classifier.weight")
        if head is None or not 2 <= len(head) <= LARGEST_LABELS:
            raise BadInput(
                "the weights have no head for classes of images",
                field="weights",
                allowed=f"a checkpoint of {self.reader}",
                remedy="Choose the same model with classes, which most publishers offer too",
            )
        return Task(1, 1, causal=False, input_shape=_image_shape(CheckpointConfig(config), 224), classes=len(head))

    def tables(self, config: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Return the tensors of a checkpoint under the lab's names."""
        model = self.kind.read(self.settings(config), field="config.json")
        task = self.task(config, tensors, Task(1, 1))
        assert task.input_shape is not None
        assert task.classes is not None
        layout = _of_vit(model, _Squares.of(task.input_shape, model.patch), task.classes)
        return read_tables(layout, tensors, self.prefix, [name for name in tensors if name.endswith(self.spare)])

    def check_task(self, task: Task) -> None:
        """Refuse all tasks but classes of images."""
        if task.input_shape is None or task.classes is None:
            what = "a checkpoint of vit has classes of images"
            raise BadInput(what, field="objective.name", allowed="classification")

    def keys_of(self, settings: VisionTransformerConfig, task: Task, shape: tuple[int, ...]) -> dict[str, Any]:
        """Return the keys of config.json."""
        labels = {str(number): f"LABEL_{number}" for number in range(task.classes or 0)}
        return {
            **_keys(settings, shape, settings.patch), "hidden_dropout_prob": settings.dropout,
            "attention_probs_dropout_prob": settings.dropout, "qkv_bias": True, "id2label": labels,
            "label2id": {label: int(key) for key, label in labels.items()},
        }  # fmt: skip

    def all_tables(self, settings: Any, tables: Mapping[str, Tensor]) -> Iterator[Table]:
        """Yield the tables of a model."""
        squares = _Squares.stored(tables["inputs.project.weight"], tables["places"])
        return _of_vit(settings, squares, len(tables["output.weight"]))


class Clip(OfImages):
    """CLIP: a vision transformer and a causal text transformer, compared in one space."""

    kind = ClipConfig
    model_type, reader, prefix, embedding = "clip", "CLIPModel", "", ""
    expressible: ClassVar = {"activation": PLAIN, "dropout": (0.0,), "layer_dropout": (0.0,)}

    def read_settings(self, config: CheckpointConfig) -> dict[str, Any]:
        """Return the settings for a config.json."""
        images, texts = _parts(config)
        _equal(images, texts, "hidden_act", "quick_gelu")
        _equal(images, texts, "layer_norm_eps", 1e-5)
        seen, read = _sizes(images, 3072), _sizes(texts, 2048, layers=12, width=512, heads=8)
        factor = config.number("logit_scale_init_value", 2.6592)
        return {
            **seen, "patch": images.integer("patch_size", 32), **{f"text_{name}": size for name, size in read.items()},
            "embedding_width": config.integer("projection_dim", 512),
            "temperature": min(max(math.exp(-factor), 0.01), 10.0),
            "activation": images.one_of("hidden_act", "quick_gelu", HUGGING_FACE_PLAIN),
            "norm_epsilon": images.number("layer_norm_eps", 1e-5) or 1e-5,
        }  # fmt: skip

    def task(self, config: Mapping[str, Any], tensors: Mapping[str, Tensor], causal: Task) -> Task:
        """Return the task of a checkpoint: which text belongs to which image."""
        del tensors, causal
        images, texts = _parts(CheckpointConfig(config))
        size, length = texts.integer("vocab_size", 49_408), texts.integer("max_position_embeddings", 77)
        return Task(size, length, causal=False, input_shape=_image_shape(images, 224), matching=True)

    def tables(self, config: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Return the tensors of a checkpoint under the lab's names."""
        model = self.kind.read(self.settings(config), field="config.json")
        task = self.task(config, tensors, Task(1, 1))
        assert task.input_shape is not None
        squares = _Squares.of(task.input_shape, model.patch)
        layout = _of_clip(model, squares, task.vocabulary_size, task.context_length)
        return read_tables(layout, tensors, self.prefix, [name for name in tensors if name.endswith(self.spare)])

    def check_task(self, task: Task) -> None:
        """Refuse all tasks but images and the texts that belong to them."""
        if not task.matching:
            what = "a checkpoint of clip compares images with texts"
            raise BadInput(what, field="objective.name", allowed="contrastive")

    def keys_of(self, settings: ClipConfig, task: Task, shape: tuple[int, ...]) -> dict[str, Any]:
        """Return the keys of config.json; the end of a text is the last symbol, and the beginning that before it."""
        begin, end = task.vocabulary_size - 2, task.vocabulary_size - 1
        texts, images = settings.of_texts(), settings.of_images()
        return {
            "projection_dim": settings.embedding_channels,
            "logit_scale_init_value": -math.log(settings.temperature),
            "vision_config": {**_keys(images, shape, settings.patch), "model_type": "clip_vision_model"},
            "text_config": {
                **_block_keys(texts), "model_type": "clip_text_model", "vocab_size": task.vocabulary_size,
                "max_position_embeddings": task.context_length, "bos_token_id": begin, "eos_token_id": end,
                "pad_token_id": end,
            },
        }  # fmt: skip

    def all_tables(self, settings: Any, tables: Mapping[str, Tensor]) -> Iterator[Table]:
        """Yield the tables of a model."""
        squares = _Squares.stored(tables["images.inputs.project.weight"], tables["images.places"])
        words, positions = (len(tables[f"texts.{name}.weight"]) for name in ("embedding", "position"))
        return _of_clip(settings, squares, words, positions)


def _parts(config: CheckpointConfig) -> tuple[CheckpointConfig, CheckpointConfig]:
    """Return the configs of the images and of the texts.

    Raises:
        BadInput: One of them is no table.
    """
    found = []
    for name in ("vision_config", "text_config"):
        part = config.get(name, {})
        if not isinstance(part, Mapping):
            raise config.refusal(name, "is no table", "the settings of an encoder")
        found.append(CheckpointConfig(part, f"config.json: {name}"))
    return found[0], found[1]


def _equal(images: CheckpointConfig, texts: CheckpointConfig, key: str, default: Any) -> None:
    """Refuse two encoders that differ in a key."""
    wanted = images.get(key, default)
    if texts.get(key, default) != wanted:
        raise texts.refusal(key, "differs from that of the images, and here they share it", str(wanted))


def _sizes(
    config: CheckpointConfig, hidden: int, *, layers: int = 12, width: int = 768, heads: int = 12
) -> dict[str, Any]:
    """Return layers, width, heads and hidden units of a config; the arguments are what a missing key means."""
    found = {
        "layers": config.integer("num_hidden_layers", layers),
        "width": config.integer("hidden_size", width),
        "heads": config.integer("num_attention_heads", heads),
        "hidden": config.integer("intermediate_size", hidden),
    }
    if found["width"] % found["heads"]:
        raise config.refusal("num_attention_heads", "does not divide the width", f"a divisor of {found['width']}")
    return found


def _image_shape(config: CheckpointConfig, default: int) -> tuple[int, int, int]:
    """Return the (H, W, channels) of the images of a config; a size may be one number or two."""
    size = config.get("image_size", default)
    sides = size if isinstance(size, list) else [size, size]
    if len(sides) != 2 or not all(type(side) is int and 1 <= side <= 1 << 14 for side in sides):
        raise config.refusal("image_size", "is not the size of an image", "one number of pixels, or height and width")
    channels = config.integer("num_channels", 3)
    if channels not in (1, 3):
        raise config.refusal("num_channels", "is neither grey nor red, green and blue", "1 or 3")
    return sides[0], sides[1], channels


def _block_keys(settings: Any) -> dict[str, Any]:
    """Return the keys of the blocks of an encoder."""
    return {
        "num_hidden_layers": settings.layers, "hidden_size": settings.width, "num_attention_heads": settings.heads,
        "intermediate_size": settings.hidden or 4 * settings.width, "layer_norm_eps": settings.norm_epsilon,
        "hidden_act": next(theirs for theirs, ours in HUGGING_FACE_PLAIN.items() if ours == settings.activation),
    }  # fmt: skip


def _keys(settings: VisionTransformerConfig, shape: Sequence[int], patch: int) -> dict[str, Any]:
    """Return the keys of a vision transformer for images (H, W, channels)."""
    from lab.layers import patch_side

    rows, columns, channels = shape
    size = rows if rows == columns else [rows, columns]
    side = patch or patch_side(rows, columns)
    return {**_block_keys(settings), "image_size": size, "patch_size": side, "num_channels": channels}


@dataclass(frozen=True)
class _Squares:
    """The squares into which an image is cut.

    Args:
        side: Pixels along a side of each.
        count: How many there are.
        channels: Channels of a pixel.
    """

    side: int
    count: int
    channels: int

    @classmethod
    def of(cls, shape: tuple[int, ...], side: int) -> Self:
        """Return those of images (H, W, channels)."""
        rows, columns, channels = shape
        return cls(side, (rows // side) * (columns // side), channels)

    @classmethod
    def stored(cls, weight: Tensor, places: Tensor) -> Self:
        """Return those of a model with weights (C, side² · channels), 1 or 3 channels, and a place for each and one."""
        pixels = weight.shape[1]
        channels = 1 if math.isqrt(pixels) ** 2 == pixels else 3
        return cls(math.isqrt(pixels // channels), len(places) - 1, channels)


def _of_vit(model: VisionTransformerConfig, squares: _Squares, classes: int) -> Iterator[Table]:
    yield from _embedded("", "vit.embeddings.", model.width, squares, _VIT_NAMES)
    yield Table.plain("inputs.project.bias", "vit.embeddings.patch_embeddings.projection.bias", model.width)
    width, hidden = model.width, model.hidden or 4 * model.width
    for i in range(model.layers):
        theirs = f"vit.encoder.layer.{i}"
        names = {
            "q": f"{theirs}.attention.attention.query", "k": f"{theirs}.attention.attention.key",
            "v": f"{theirs}.attention.attention.value", "output": f"{theirs}.attention.output.dense",
            "inner": f"{theirs}.intermediate.dense", "outer": f"{theirs}.output.dense",
            "token_norm": f"{theirs}.layernorm_before", "channel_norm": f"{theirs}.layernorm_after",
        }  # fmt: skip
        yield from _block(f"blocks.{i}", names, width, hidden)
    yield from _norm("norm", "vit.layernorm", width)
    yield from Table.linear("output", "classifier", classes, width, bias=True)


def _of_clip(model: ClipConfig, squares: _Squares, words: int, positions: int) -> Iterator[Table]:
    images, texts, shared = model.of_images(), model.of_texts(), model.embedding_channels
    yield Table.plain("log_scale", "logit_scale")
    yield from _embedded("images.", "vision_model.embeddings.", images.width, squares, _CLIP_NAMES)
    yield from _norm("images.embedding_norm", "vision_model.pre_layrnorm", images.width)
    yield from _clip_blocks("images", "vision_model", images)
    yield from _norm("images.norm", "vision_model.post_layernorm", images.width)
    yield from Table.linear("images.output", "visual_projection", shared, images.width, bias=False)
    theirs = "text_model.embeddings"
    yield Table.plain("texts.embedding.weight", f"{theirs}.token_embedding.weight", words, texts.width)
    yield Table.plain("texts.position.weight", f"{theirs}.position_embedding.weight", positions, texts.width)
    yield from _clip_blocks("texts", "text_model", texts)
    yield from _norm("texts.norm", "text_model.final_layer_norm", texts.width)
    yield from Table.linear("texts.output", "text_projection", shared, texts.width, bias=False)


def _clip_blocks(ours: str, theirs: str, model: Any) -> Iterator[Table]:
    for i in range(model.layers):
        block = f"{theirs}.encoder.layers.{i}"
        names = {
            **{part: f"{block}.self_attn.{part}_proj" for part in "qkv"}, "output": f"{block}.self_attn.out_proj",
            "inner": f"{block}.mlp.fc1", "outer": f"{block}.mlp.fc2", "token_norm": f"{block}.layer_norm1",
            "channel_norm": f"{block}.layer_norm2",
        }  # fmt: skip
        yield from _block(f"{ours}.blocks.{i}", names, model.width, model.hidden or 4 * model.width)


_VIT_NAMES = {
    "token": ("cls_token", (1, 1)), "places": ("position_embeddings", (1,)), "patch": "patch_embeddings.projection",
}  # fmt: skip
_CLIP_NAMES = {
    "token": ("class_embedding", ()), "places": ("position_embedding.weight", ()), "patch": "patch_embedding",
}  # fmt: skip
"""Names of the embedding, and the axes of size 1 before the others."""


def _embedded(ours: str, theirs: str, width: int, squares: _Squares, names: Mapping[str, Any]) -> Iterator[Table]:
    """Yield the tables of the embedding of patches; theirs cut an image channel by channel."""
    side, channels = squares.side, squares.channels
    for name, own in (("token", (1, width)), ("places", (1 + squares.count, width))):
        other, before = names[name]
        their_own = own[1:] if name == "token" else own
        yield _reshaped(ours + {"token": "class_token"}.get(name, name), theirs + other, own, (*before, *their_own))
    kernel = (width, channels, side, side)

    def read(tensors: Sequence[Tensor]) -> Tensor:
        return tensors[0].permute(0, 2, 3, 1).flatten(1)

    def write(table: Tensor) -> list[Tensor]:
        return [table.view(width, side, side, channels).permute(0, 3, 1, 2)]

    yield Table(f"{ours}inputs.project.weight", {f"{theirs}{names['patch']}.weight": kernel}, read, write)


def _reshaped(name: str, other: str, ours: tuple[int, ...], theirs: tuple[int, ...]) -> Table:
    """Return a table that the checkpoint has in another shape."""
    return Table(
        name,
        {other: theirs},
        lambda tensors: tensors[0].reshape(ours),
        lambda table: [table.reshape(theirs)],
    )


def _block(ours: str, names: Mapping[str, str], width: int, hidden: int) -> Iterator[Table]:
    """Yield the tables of one block."""
    for part, rest in (("weight", (width,)), ("bias", ())):
        three = {f"{names[each]}.{part}": width for each in "qkv"}
        yield Table.joined(f"{ours}.token.project.{part}", three, *rest)
    yield from Table.linear(f"{ours}.token.output", names["output"], width, width, bias=True)
    yield from Table.linear(f"{ours}.channel.inner", names["inner"], hidden, width, bias=True)
    yield from Table.linear(f"{ours}.channel.outer", names["outer"], width, hidden, bias=True)
    for norm in ("token_norm", "channel_norm"):
        yield from _norm(f"{ours}.{norm}", names[norm], width)


def _norm(ours: str, theirs: str, width: int) -> Iterator[Table]:
    """Yield the weight and bias of a LayerNorm."""
    for part in ("weight", "bias"):
        yield Table.plain(f"{ours}.{part}", f"{theirs}.{part}", width)
