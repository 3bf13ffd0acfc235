"""Units of loss, and formats of numbers for display."""

from __future__ import annotations

import math
from collections.abc import Mapping

DAY = 24 * 3600
"""Seconds."""


def bits(nats: float) -> float:
    """Convert nats to bits: nats / ln 2."""
    return nats / math.log(2)


def perplexity(nats_per_token: float) -> float:
    """Return exp(nats per token); inf if that overflows."""
    return math.exp(nats_per_token) if nats_per_token < 709 else math.inf


def bits_per_byte(nats_per_token: float, tokens: float, size: float) -> float:
    """Return the loss per byte of text, comparable across tokenizers: nats / ln 2 · tokens / bytes.

    Args:
        nats_per_token: Mean loss over the scored tokens.
        tokens: Number of scored tokens.
        size: Bytes of UTF-8 text that those tokens stand for.
    """
    return bits(nats_per_token) * tokens / size if size else math.nan


def finite(value: float | None) -> float | None:
    """Return the value, or None if JSON cannot express it (NaN, infinities)."""
    return value if value is not None and math.isfinite(value) else None


def infinite(figures: Mapping[str, float | None]) -> list[str]:
    """Return the names of the infinite figures, which `finite` drops: something had probability zero."""
    return [name for name, value in figures.items() if value is not None and math.isinf(value)]


def short(value: float) -> str:
    """Format a count with three digits: 804096 -> "804 k"."""
    for divisor, suffix in ((1, ""), (1e3, " k"), (1e6, " M"), (1e9, " G"), (1e12, " T")):
        if abs(value) < divisor * 999.5:
            scaled = value / divisor
            return f"{scaled:.{0 if not suffix or abs(scaled) >= 100 else 1}f}{suffix}"
    return f"{value:.3g}"


def counted(number: float, unit: str, shown: str = "") -> str:
    """Return a number with its unit, in the singular for 1: "4 blocks", "1 block", "1 expert per token", "1 s".

    Args:
        number: The number.
        unit: The unit; if a plural, its first word is the noun; "" for none.
        shown: The number as text; "" for thousands separated by commas.
    """
    if not unit:
        return shown or f"{number:,}"
    noun, space, rest = unit.partition(" ")
    single = number == 1 and len(noun) > 2 and noun.endswith("s") and noun != "times"
    return f"{shown or f'{number:,}'} {noun[:-1] if single else noun}{space}{rest}"


def inside(title: str) -> str:
    """Return a title as part of a sentence: "QK norm", "RoPE base", "sliding window"."""
    word = title.partition(" ")[0]
    return title if word[1:] != word[1:].lower() or not word[:1].isascii() else title[:1].lower() + title[1:]


def duration(seconds: float) -> str:
    """Format a duration: "0.8 s", "42 s", "3 min 05 s", "2 h 10 min", "154 days"."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    if seconds < 2 * DAY:
        return f"{minutes // 60} h {minutes % 60:02d} min"
    return f"{seconds / DAY:,.0f} days"
