"""Names and kinds of a model's parts, from what a module declares, its name in the model, and its class."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from torch import nn

from lab.base.model_parts import Kind

KNOWN = {
    "wte": "embedding", "embed_tokens": "embedding", "tok_embeddings": "embedding", "token_embedding": "embedding",
    "wpe": "positions", "position": "positions", "position_embedding": "positions", "pos_emb": "positions",
    "lm_head": "unembedding", "unembed": "unembedding", "relative": "relative positions",
    "q_proj": "query", "k_proj": "key", "v_proj": "value", "o_proj": "output", "out_proj": "output", "wq": "query",
    "wk": "key", "wv": "value", "wo": "output", "c_attn": "query, key, value", "qkv": "query, key, value",
    "gate_proj": "gate", "up_proj": "up", "down_proj": "down", "c_fc": "up", "fc1": "up", "fc2": "down", "ffn":
    "feed-forward", "mlp": "feed-forward", "ff": "feed-forward", "attn": "attention", "self_attn": "attention",
    "ln_f": "norm", "inner": "up", "outer": "down", "project": "input projection", "select": "selection",
    "token_norm": "norm", "channel_norm": "norm", "narrow": "projection to the width",
}  # fmt: skip
"""Plain names of parts that many models call alike."""
SLOTS = ("token", "channel", "mixer")
"""Names of parts that say less than their class."""
TOKENS = ("attention", "attn", "mamba", "ssm", "rnn", "lstm", "gru", "recurren", "retention", "delta", "cell", "conv")
CHANNELS = ("feedforward", "mlp", "ffn")
"""Parts of the names of classes that mix tokens, or the channels of each token."""


def declared_names(module: Any) -> Mapping[str, Any]:
    """Return the names that a module declares for itself ("") and its parts in `part_names`; {} if it declares none.

    The value for a child or parameter is its name, or a table from names to numbers of rows if it is one matrix made
    of several.
    """
    declared = getattr(module, "part_names", None)
    return declared if isinstance(declared, Mapping) else {}


def name_of(module: Any, attribute: str, parent: Any, *, vocabulary: int, root: bool) -> str:
    """Return the name of a child module.

    Args:
        module: The child.
        attribute: Its name in its parent, without numbers.
        parent: The module around it.
        vocabulary: Symbols of the vocabulary, or classes, by which the last layer is recognised.
        root: Whether the parent is the model.
    """
    declared = declared_names(parent).get(attribute)
    if isinstance(declared, str):
        return declared
    own = declared_names(module).get("")
    if isinstance(own, str):
        return own
    if root and isinstance(module, nn.Linear) and module.out_features == vocabulary:
        return "unembedding"
    if attribute in KNOWN:
        return KNOWN[attribute]
    if is_norm(module):
        return "norm"
    if attribute in SLOTS or not attribute:
        return words_of_class(type(module).__name__)
    if re.fullmatch(r"blocks?|h|layers?", attribute):
        return "block" if re.fullmatch(r"blocks?|h", attribute) or _has_parts(module) else "layer"
    return attribute.replace("_", " ")


def name_of_parameter(attribute: str, parent: Any) -> str:
    """Return the name of an own parameter of a module."""
    declared = declared_names(parent).get(attribute)
    return declared if isinstance(declared, str) else KNOWN.get(attribute, attribute.replace("_", " "))


def kind_of(module: Any, attribute: str, name: str) -> Kind:
    """Return the kind of a child module."""
    kind = type(module).__name__.lower()
    if isinstance(module, nn.Embedding):
        return "embedding"
    if is_norm(module):
        return "norm"
    if name == "unembedding":
        return "output"
    if name == "block" or kind.endswith("block") or "decoderlayer" in kind or "encoderlayer" in kind:
        return "block"
    if hasattr(module, "active_share") or attribute == "channel" or any(word in kind for word in CHANNELS):
        return "channels"
    if hasattr(module, "mixing_heads") or attribute == "token" or any(word in kind for word in TOKENS):
        return "part" if kind.startswith("conv") or "shortconv" in kind else "tokens"
    return "part"


def is_norm(module: Any) -> bool:
    """Return True for a normalisation."""
    return "norm" in type(module).__name__.lower()


def words_of_class(name: str) -> str:
    """Return the name of a class as words: "FeedForward" is feed-forward, "LSTMCell" LSTM cell."""
    if name == "FeedForward":
        return "feed-forward"
    words = re.findall(r"[A-Z]+(?![a-z])\d*[A-Z]*|[A-Z][a-z]+\d*|[a-z]+\d*|\d+", name)
    plain = [word if sum(map(str.isupper, word)) > 1 or word[-1].isdigit() else word.lower() for word in words]
    return " ".join(plain) or name


def _has_parts(module: nn.Module) -> bool:
    return any(True for child in module.children() if not isinstance(child, nn.RNNBase))
