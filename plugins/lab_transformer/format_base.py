"""What the readers and writers of Hugging Face's config.json share: keys looked at one by one, and refusals."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from lab.api import BadInput, Converter, Task
from lab_transformer import TransformerConfig
from lab_transformer.format_tables import Table, plain, read_tables, written_tensors

if TYPE_CHECKING:
    from torch import Tensor

ACTIVATIONS = {
    "gelu": "gelu", "gelu_new": "gelu-tanh", "gelu_pytorch_tanh": "gelu-tanh", "relu": "relu", "relu2": "relu2",
    "silu": "silu", "swish": "silu",
}  # fmt: skip
"""Feed-forward layers by what Hugging Face calls their nonlinearity."""
GATED = {"silu": "swiglu", "swish": "swiglu", "gelu": "geglu"}
"""The same of those with a gate."""
LLAMA_3 = {"low_freq_factor": 1.0, "high_freq_factor": 4.0}
"""What the scaling of LLaMA 3 is always set to."""
LACKS = "asks for what the transformer has not"


class Asked:
    """What a config.json asks for; where a key is missing or null, the default of its program holds.

    Args:
        config: The table.
        place: Where it stands, for problems.
    """

    def __init__(self, config: Mapping[str, Any], place: str = "config.json") -> None:
        self._config, self._place = config, place

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key."""
        value = self._config.get(key)
        return default if value is None else value

    def whole(self, key: str, default: int | None = None) -> int:
        """A whole number from 1 on."""
        value = self.get(key, default)
        if type(value) is not int or not 1 <= value < 1 << 31:
            raise self.refused(key, "is no number that a model can have", "a whole number, 1 or more")
        return value

    def number(self, key: str, default: float) -> float:
        """A number that is not negative."""
        value = self.get(key, default)
        if type(value) not in (int, float) or not 0 <= value < 1e30:
            raise self.refused(key, "is no number that a model can have", "a number, 0 or more")
        return float(value)

    def flag(self, key: str, default: bool) -> bool:
        """Whether something is so."""
        value = self.get(key, default)
        if not isinstance(value, bool):
            raise self.refused(key, "is neither true nor false", "true or false")
        return value

    def window(self, key: str, default: int) -> int:
        """Tokens of a sliding window; null means none, and is 0 here."""
        return 0 if key in self._config and self._config[key] is None else self.whole(key, default)

    def one_of(self, key: str, default: str, known: Mapping[str, str]) -> str:
        """What a word means here."""
        value = self.get(key, default)
        if not isinstance(value, str) or value not in known:
            raise self.refused(key, LACKS, ", ".join(known))
        return known[value]

    def must(self, key: str, only: bool | int) -> None:
        """Refuses all but the default."""
        if self.get(key, only) != only:
            raise self.refused(key, LACKS, str(only).lower())

    def refused(self, key: str, what: str, allowed: str) -> BadInput:
        """That a key cannot be followed."""
        return BadInput(what, field=f"{self._place}: {key}", value=repr(self._config.get(key))[:80], allowed=allowed)

    def rotary(self, base_key: str, share_key: str, share: float) -> dict[str, Any]:
        """The settings of rotary positions, as version 4 or 5 of the program writes them.

        Args:
            base_key: Where version 4 has their base.
            share_key: Where it has the share of channels that are rotated.
            share: That share where nothing says one.
        """
        given = self.get("rope_scaling") or self.get("rope_parameters", {})
        if not isinstance(given, Mapping) or any(isinstance(value, Mapping) for value in given.values()):
            raise self.refused("rope_scaling" if self.get("rope_scaling") else "rope_parameters", LACKS, "one table")
        rope = Asked(given, f"{self._place}: rope_parameters")
        found = {
            "positions": "rotary",
            "rotary_base": rope.number("rope_theta", self.number(base_key, 10_000.0)),
            "rotary_share": rope.number("partial_rotary_factor", self.number(share_key, share)),
        }
        key = "rope_type" if rope.get("rope_type") is not None else "type"
        kind = rope.one_of(key, "default", {"default": "none", "linear": "linear", "llama3": "llama3"})
        if kind == "none":
            return found
        if kind == "llama3":
            for name, value in LLAMA_3.items():
                if rope.number(name, value) != value:
                    raise rope.refused(name, LACKS, f"{value:g}, as LLaMA 3 has it")
            longest = self.whole("max_position_embeddings", 2048)
            found["rotary_original"] = rope.whole("original_max_position_embeddings", longest)
        return found | {"rotary_scaling": kind, "rotary_factor": rope.number("factor", 1.0)}


class HuggingFace(Converter):
    """What the converters of Hugging Face's checkpoints share.

    Attributes:
        model_type: As config.json calls it.
        reader: The class of that program which reads it.
        prefix: What stands before the names of all tensors but the head, and is missing in some files.
        embedding: Name of the embedding.
        position: Name of the learned positions.
        head: Name of the head.
        says: By setting, the values that the format can say, beside those of `ALWAYS`.
    """

    model_type: ClassVar[str]
    reader: ClassVar[str]
    prefix: ClassVar[str]
    embedding: ClassVar[str]
    position: ClassVar[str] = ""
    head: ClassVar[str] = "lm_head.weight"
    says: ClassVar[Mapping[str, tuple[Any, ...]]]
    ALWAYS: ClassVar[Mapping[str, tuple[Any, ...]]] = {
        "global_tokens": (0,), "dilation": (1,), "sink": (False,), "qk_norm": (False,), "attention_cap": (0.0,),
        "output_cap": (0.0,), "norm_place": ("pre",),
    }  # fmt: skip

    @abstractmethod
    def asked(self, asked: Asked) -> dict[str, Any]:
        """The settings that a config of this kind asks for."""

    @abstractmethod
    def said(self, settings: TransformerConfig, positions: int) -> dict[str, Any]:
        """The keys of a config of this kind."""

    @abstractmethod
    def layout(self, model: TransformerConfig) -> Iterator[Table]:
        """The tables of blocks and last norm, with all biases that the format has."""

    def positions(self, asked: Asked) -> int:
        """The tokens that the other model can read."""
        return asked.whole("max_position_embeddings", 2048)

    def settings(self, config: Mapping[str, Any]) -> dict[str, Any]:
        """The settings of the transformer that a config.json asks for."""
        asked = Asked(config)
        if config.get("quantization_config") is not None:
            raise asked.refused("quantization_config", "the weights are quantised", "weights of bf16, fp16 or float32")
        return self.asked(asked)

    def tables(self, config: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """The tensors of a checkpoint under our names."""
        model = TransformerConfig.read(self.settings(config), field="config.json")
        asked = Asked(config)
        layout = self._whole(model, asked.whole("vocab_size"), self.positions(asked))
        return read_tables(layout, tensors, self.prefix, (self.head,) if model.tie else ())

    def tensors(self, settings: TransformerConfig, tables: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """The tensors of that checkpoint; of biases that the model has not, zeros."""
        positions = len(tables["position.weight"]) if "position.weight" in tables else 0
        return written_tensors(self._whole(settings, len(tables["embedding.weight"]), positions), tables)

    def config(self, settings: TransformerConfig, task: Task) -> dict[str, Any]:
        """The config.json of a model with these settings."""
        if not task.causal or task.classes is not None or task.input_shape is not None:
            raise BadInput("does not predict the next token of a text", field="objective.name", allowed="causal")
        for name, allowed in {**self.ALWAYS, **self.says}.items():
            if getattr(settings, name) not in allowed:
                what = f"cannot be said in a config.json of {self.model_type}"
                values = ", ".join(str(value) for value in allowed)
                raise BadInput(what, field=f"architecture.{name}", value=getattr(settings, name), allowed=values)
        return {
            "model_type": self.model_type,
            "architectures": [self.reader],
            "vocab_size": task.vocabulary_size,
            "tie_word_embeddings": settings.tie,
            "dtype": "float32",
            "torch_dtype": "float32",  # what version 4 calls it
            **dict.fromkeys(("bos_token_id", "eos_token_id", "pad_token_id")),  # else those of its own vocabulary
            **self.said(settings, task.context_length),
        }

    def _whole(self, model: TransformerConfig, vocabulary: int, positions: int) -> Iterator[Table]:
        yield plain("embedding.weight", self.embedding, vocabulary, model.width)
        if model.positions == "learned":
            yield plain("position.weight", self.position, positions, model.width)
        yield from self.layout(model)
        if not model.tie:
            yield plain("output.weight", self.head, vocabulary, model.width)


def rope(settings: TransformerConfig) -> dict[str, Any]:
    """The keys of rotary positions, as version 5 reads them and as version 4 does."""
    scaling: dict[str, Any] = {}
    if settings.rotary_scaling != "none":
        scaling = {"rope_type": settings.rotary_scaling, "factor": settings.rotary_factor}
    if settings.rotary_scaling == "llama3":
        scaling |= {"original_max_position_embeddings": settings.rotary_original, **LLAMA_3}
    parameters = {"rope_type": "default", "rope_theta": settings.rotary_base, **scaling}
    if settings.rotary_share != 1:
        parameters["partial_rotary_factor"] = settings.rotary_share
    said = {"rope_parameters": parameters, "rope_theta": settings.rotary_base}
    return said | {"rope_scaling": scaling} if scaling else said


def word_for(feed_forward: str, known: Mapping[str, str]) -> str:
    """What Hugging Face calls a feed-forward layer."""
    return next(word for word, ours in known.items() if ours == feed_forward)


def units(settings: TransformerConfig) -> int:
    """Units of the feed-forward layer."""
    gated = settings.feed_forward in GATED.values()
    return settings.hidden or (8 * settings.width // 3 if gated else 4 * settings.width)


def refuse_other_heads(model_type: str, settings: TransformerConfig, kv_heads: int) -> None:
    """Refuses heads that do not share the width, or so many heads of keys and values.

    Raises:
        BadInput: There are such.
    """
    what = f"cannot be said in a config.json of {model_type}"
    if settings.each_head * settings.heads != settings.width:
        raise BadInput(what, field="architecture.head_width", value=settings.head_width, allowed="width / heads")
    if settings.key_value_heads != kv_heads:
        raise BadInput(what, field="architecture.kv_heads", value=settings.kv_heads, allowed=kv_heads)
