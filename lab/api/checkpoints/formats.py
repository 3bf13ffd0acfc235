"""The base of readers and writers of Hugging Face checkpoints: checked access to config.json, and conversion."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from lab.api.checkpoints.tables import Table, read_tables, written_tensors
from lab.api.config import ModelConfig
from lab.api.model import Task
from lab.api.registrations import Converter
from lab.base import BadInput

if TYPE_CHECKING:
    from torch import Tensor


class CheckpointConfig:
    """A config.json with checked access to its keys. A missing or null key gets the default of the original program.

    All methods but `get` and `refusal` raise BadInput for a value that is not allowed; the problem names the key.

    Args:
        config: The table.
        path: Its path, shown in problems.
    """

    LACKS: ClassVar[str] = "needs what the architecture here does not have"

    def __init__(self, config: Mapping[str, Any], path: str = "config.json") -> None:
        self._config, self._path = config, path

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of a key."""
        value = self._config.get(key)
        return default if value is None else value

    def integer(self, key: str, default: int | None = None) -> int:
        """Return a whole number of at least 1."""
        value = self.get(key, default)
        if type(value) is not int or not 1 <= value < 1 << 31:
            raise self.refusal(key, "is not a number that a model can have", "a whole number, 1 or more")
        return value

    def number(self, key: str, default: float) -> float:
        """Return a number of at least 0."""
        value = self.get(key, default)
        if type(value) not in (int, float) or not 0 <= value < 1e30:
            raise self.refusal(key, "is not a number that a model can have", "a number, 0 or more")
        return float(value)

    def flag(self, key: str, default: bool) -> bool:
        """Return a truth value."""
        value = self.get(key, default)
        if not isinstance(value, bool):
            raise self.refusal(key, "is neither true nor false", "true or false")
        return value

    def window(self, key: str, default: int) -> int:
        """Return the tokens of a sliding window; 0 if the key is null, which means none."""
        return 0 if key in self._config and self._config[key] is None else self.integer(key, default)

    def one_of(self, key: str, default: str, known: Mapping[str, str]) -> str:
        """Return the value that `known` gives for a word."""
        value = self.get(key, default)
        if not isinstance(value, str) or value not in known:
            raise self.refusal(key, self.LACKS, ", ".join(known))
        return known[value]

    def require(self, key: str, only: bool | int) -> None:
        """Refuse all values except `only`, which is also the default."""
        if self.get(key, only) != only:
            raise self.refusal(key, self.LACKS, str(only).lower())

    def refusal(self, key: str, what: str, allowed: str) -> BadInput:
        """Return the error for a key that is not supported."""
        return BadInput(what, field=f"{self._path}: {key}", value=repr(self._config.get(key))[:80], allowed=allowed)


class HuggingFaceConverter(Converter):
    """The base of converters of Hugging Face's language models: a subclass defines the mapping.

    Attributes:
        kind: The config class of the architecture, which has `width` and `tie`.
        model_type: The value of "model_type" in config.json.
        reader: The class of transformers that reads it.
        prefix: The start of the names of all tensors but the head, which some files leave out.
        embedding: Name of the embedding.
        position: Name of the learned positions; "" if there are none.
        head: Name of the head.
        expressible: By setting, the values that the format can express; settings that are not listed may have any.
    """

    kind: ClassVar[type[ModelConfig]]
    model_type: ClassVar[str]
    reader: ClassVar[str]
    prefix: ClassVar[str]
    embedding: ClassVar[str]
    position: ClassVar[str] = ""
    head: ClassVar[str] = "lm_head.weight"
    expressible: ClassVar[Mapping[str, tuple[Any, ...]]] = {}

    @abstractmethod
    def read_settings(self, config: CheckpointConfig) -> dict[str, Any]:
        """Return the settings for a config of this kind."""

    @abstractmethod
    def config_keys(self, settings: Any, positions: int) -> dict[str, Any]:
        """Return the keys of a config of this kind."""

    @abstractmethod
    def layout(self, model: Any) -> Iterator[Table]:
        """Yield the tables of the blocks and the last norm, with all biases that the format has."""

    def positions(self, config: CheckpointConfig) -> int:
        """Return the number of tokens that the original model can read."""
        return config.integer("max_position_embeddings", 2048)

    def settings(self, config: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings of the architecture for a config.json."""
        keys = CheckpointConfig(config)
        if config.get("quantization_config") is not None:
            raise keys.refusal("quantization_config", "the weights are quantised", "weights of bf16, fp16 or float32")
        return self.read_settings(keys)

    def tables(self, config: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Return the tensors of a checkpoint under the lab's names."""
        model: Any = self.kind.read(self.settings(config), field="config.json")
        keys = CheckpointConfig(config)
        layout = self._layout(model, keys.integer("vocab_size"), self.positions(keys))
        return read_tables(layout, tensors, self.prefix, (self.head,) if model.tie else ())

    def tensors(self, settings: Any, tables: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Return the tensors of the checkpoint; biases that the model lacks are zeros."""
        positions = len(tables["position.weight"]) if "position.weight" in tables else 0
        return written_tensors(self._layout(settings, len(tables["embedding.weight"]), positions), tables)

    def config(self, settings: Any, task: Task) -> dict[str, Any]:
        """Return the config.json of a model with these settings."""
        if not task.causal or task.classes is not None or task.input_shape is not None:
            raise BadInput("does not predict the next token of a text", field="objective.name", allowed="causal")
        for name, allowed in self.expressible.items():
            if getattr(settings, name) not in allowed:
                what = f"cannot be expressed in a config.json of {self.model_type}"
                values = ", ".join(str(value) for value in allowed)
                raise BadInput(what, field=f"architecture.{name}", value=getattr(settings, name), allowed=values)
        return {
            "model_type": self.model_type,
            "architectures": [self.reader],
            "vocab_size": task.vocabulary_size,
            "tie_word_embeddings": settings.tie,
            "dtype": "float32",
            "torch_dtype": "float32",  # the name in version 4
            **dict.fromkeys(("bos_token_id", "eos_token_id", "pad_token_id")),  # or transformers takes its own defaults
            **self.config_keys(settings, task.context_length),
        }

    def _layout(self, model: Any, vocabulary: int, positions: int) -> Iterator[Table]:
        yield Table.plain("embedding.weight", self.embedding, vocabulary, model.width)
        if self.position:
            yield Table.plain("position.weight", self.position, positions, model.width)
        yield from self.layout(model)
        if not model.tie:
            yield Table.plain("output.weight", self.head, vocabulary, model.width)
