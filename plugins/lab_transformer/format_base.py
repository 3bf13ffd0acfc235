"""Base of the formats of transformers: Hugging Face's names for feed-forward layers and rotary positions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lab.api import BadInput, CheckpointConfig, HuggingFaceConverter
from lab_transformer.settings import TransformerConfig

LLAMA_3 = {"low_freq_factor": 1.0, "high_freq_factor": 4.0}
"""Fixed values in the scaling of LLaMA 3."""
ALWAYS: Mapping[str, tuple[Any, ...]] = {
    "global_tokens": (0,), "dilation": (1,), "sink": (False,), "qk_norm": (False,), "attention_cap": (0.0,),
    "output_cap": (0.0,), "norm_place": ("pre",),
}  # fmt: skip
"""The only values of these settings that any of the formats can express."""


class OfTransformers(HuggingFaceConverter):
    """Base of the converters of transformers' checkpoints."""

    kind = TransformerConfig


def rotary(config: CheckpointConfig, base_key: str, share_key: str, share: float) -> dict[str, Any]:
    """Return the settings of rotary positions, as version 4 or 5 of the library writes them.

    Args:
        config: The config.json.
        base_key: The key of their base in version 4.
        share_key: The key of the share of rotated channels in version 4.
        share: The default of that share.
    """
    given = config.get("rope_scaling") or config.get("rope_parameters", {})
    if not isinstance(given, Mapping) or any(isinstance(value, Mapping) for value in given.values()):
        raise config.refusal(
            "rope_scaling" if config.get("rope_scaling") else "rope_parameters", CheckpointConfig.LACKS, "one table"
        )
    rope = CheckpointConfig(given, "config.json: rope_parameters")
    found = {
        "positions": "rotary",
        "rotary_base": rope.number("rope_theta", config.number(base_key, 10_000.0)),
        "rotary_share": rope.number("partial_rotary_factor", config.number(share_key, share)),
    }
    key = "rope_type" if rope.get("rope_type") is not None else "type"
    kind = rope.one_of(key, "default", {"default": "none", "linear": "linear", "llama3": "llama3"})
    if kind == "none":
        return found
    if kind == "llama3":
        for name, value in LLAMA_3.items():
            if rope.number(name, value) != value:
                raise rope.refusal(name, CheckpointConfig.LACKS, f"{value:g}, as LLaMA 3 has it")
        longest = config.integer("max_position_embeddings", 2048)
        found["rotary_original"] = rope.integer("original_max_position_embeddings", longest)
    return found | {"rotary_scaling": kind, "rotary_factor": rope.number("factor", 1.0)}


def rope(settings: TransformerConfig) -> dict[str, Any]:
    """Return the keys of rotary positions, both as version 5 and as version 4 reads them."""
    scaling: dict[str, Any] = {}
    if settings.rotary_scaling != "none":
        scaling = {"rope_type": settings.rotary_scaling, "factor": settings.rotary_factor}
    if settings.rotary_scaling == "llama3":
        scaling |= {"original_max_position_embeddings": settings.rotary_original, **LLAMA_3}
    parameters = {"rope_type": "default", "rope_theta": settings.rotary_base, **scaling}
    if settings.rotary_share != 1:
        parameters["partial_rotary_factor"] = settings.rotary_share
    keys = {"rope_parameters": parameters, "rope_theta": settings.rotary_base}
    return keys | {"rope_scaling": scaling} if scaling else keys


def name_of(feed_forward: str, known: Mapping[str, str]) -> str:
    """Return Hugging Face's name of a feed-forward layer."""
    return next(name for name, ours in known.items() if ours == feed_forward)


def refuse_other_heads(model_type: str, settings: TransformerConfig, kv_heads: int) -> None:
    """Refuse heads that do not divide the width, or an inexpressible number of heads of keys and values.

    Raises:
        BadInput: The format cannot express these heads.
    """
    what = f"cannot be expressed in a config.json of {model_type}"
    if settings.each_head * settings.heads != settings.width:
        raise BadInput(what, field="architecture.head_width", value=settings.head_width, allowed="width / heads")
    if settings.key_value_heads != kv_heads:
        raise BadInput(what, field="architecture.kv_heads", value=settings.kv_heads, allowed=kv_heads)
