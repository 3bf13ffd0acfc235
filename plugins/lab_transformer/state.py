"""The formula of the size of the cache of keys and values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lab.api import counted

if TYPE_CHECKING:
    from lab.api import Task
    from lab_transformer.settings import TransformerConfig

FLOAT = 4
"""Bytes of a number."""


def state_formula(config: TransformerConfig, task: Task) -> tuple[str, int]:
    """Return the formula and size of keys and values: 2 · layers · heads of them · channels · tokens · bytes.

    A window only needs what the next token reads besides itself, and the first tokens that all may read (Shazeer 2019;
    Jiang et al. 2023, section 2).
    """
    heads, tokens = config.key_value_heads, task.context_length
    if config.window:
        tokens = min(tokens, (config.window - 1) * config.dilation + config.global_tokens)
    size = 2 * config.layers * heads * config.each_head * tokens * FLOAT
    formula = (
        f"keys and values: 2 × {counted(config.layers, 'layers')} × {counted(heads, 'heads')} × "
        f"{config.each_head} channels × {tokens:,} tokens × {FLOAT} bytes"
    )
    return formula, size
