"""Where the ticks of a chart stand, and how a chart writes numbers: 1,240, 0.95 M, 1:02, 5e-4."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

Kind = Literal["number", "steps", "tokens", "seconds"]
"""How the values of an axis are written: as they are, whole, in millions, or as a clock shows them."""

MOST = 7
"""An axis has at most so many steps from tick to tick."""
CLOCK = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400)
"""Seconds between two ticks that a clock would choose."""
LAST = 300
"""A logarithmic axis has values from ten to minus this to ten to this."""
SMALL, LARGE = 1e-3, 1e7
"""Numbers below the one and from the other on are written with an exponent."""


def round_step(about: float, *, up: bool) -> float:
    """The number of 1, 2 and 5 times a power of ten next to another number, above or below it."""
    base = 10.0 ** math.floor(math.log10(about))
    steps = [factor * base for factor in (1, 2, 5, 10)]
    if up:
        return next(step for step in steps if step >= about * (1 - 1e-9))
    return [step for step in steps if step <= about * (1 + 1e-9)][-1]


def ticks(low: float, high: float, *, log: bool = False, kind: Kind = "number", most: int = MOST) -> list[float]:
    """Round values between two ends of an axis, at most `most` steps apart.

    Args:
        low: The lower end, as a power of ten where `log` is set.
        high: The upper end, likewise.
        log: Whether the axis is logarithmic.
        kind: What the values are; seconds stand at quarters and halves of minutes and hours.
        most: At most so many steps.
    """
    if log:
        return _log_ticks(low, high, most)
    step = round_step((high - low) / most, up=True)
    if kind == "steps":
        step = max(step, 1.0)
    elif kind == "seconds" and step >= 1:
        step = next((clock for clock in CLOCK if (high - low) / clock <= most), step)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [index * step for index in range(first, last + 1)]


def _log_ticks(low: float, high: float, most: int) -> list[float]:
    first, last = math.floor(max(low, -LAST)), math.ceil(min(high, LAST))
    for factors in ((1, 2, 3, 4, 5, 6, 7, 8, 9), (1, 2, 5), (1, 3), (1,)):
        if (last - first) * len(factors) > 40 * most:
            continue
        found = [factor * 10.0**digits for digits in range(first, last + 1) for factor in factors]
        inside = [value for value in found if low - 1e-9 <= math.log10(value) <= high + 1e-9]
        if len(inside) < 2:
            break  # less than a decade in sight: round values serve better
        if len(inside) <= most + 1:
            return inside
    if high - low < 1:
        return [value for value in ticks(power(low), power(high), most=most) if value > 0]
    apart = math.ceil((last - first) / most)
    return [10.0**digits for digits in range(first, last + 1, apart) if low - 1e-9 <= digits <= high + 1e-9]


def power(place: float) -> float:
    """The value at a place of a logarithmic axis, within what a float can hold."""
    return float(10.0 ** min(max(place, -LAST), LAST))


def tick_words(values: Sequence[float], *, log: bool = False, kind: Kind = "number") -> list[str]:
    """The words at the ticks of one axis, with as many decimals as tell them apart."""
    if kind == "seconds":
        return [clock_words(value) for value in values]
    if log or len(values) < 2:
        return [_count(value, 3) if kind == "tokens" else _trimmed(value_words(value)) for value in values]
    step = min(b - a for a, b in pairwise(values))
    size = max(abs(value) for value in values)
    if kind == "tokens" and size >= 1e3:
        divisor, unit = _unit(size)
        return [_fixed(value / divisor, step / divisor) + unit if value else "0" for value in values]
    if SMALL <= size < LARGE:
        return [_fixed(value, step) for value in values]
    return [_with_exponent(value, 2) for value in values]


def value_words(value: float, digits: int = 3) -> str:
    """A measured value in so many significant digits: 1.83, 0.00213, 5.2e-4, 12,400."""
    if not math.isfinite(value):
        return str(value)
    size = abs(float(f"{value:.{digits - 1}e}"))  # 9.999 has as many decimals as 10.0
    if size == 0:
        return "0"
    if not SMALL <= size < LARGE:
        return _with_exponent(value, digits - 1)
    return _signed(value, max(0, digits - 1 - math.floor(math.log10(size))))


def place_words(value: float, kind: Kind = "number") -> str:
    """A place on the x axis: 1,240, 0.95 M or 1:02."""
    if kind == "seconds":
        return clock_words(value)
    if kind == "tokens":
        return _count(value, 3)
    whole = kind == "steps" or value == round(value)
    return _signed(value, 0) if whole and abs(value) < 1e15 else _trimmed(value_words(value, 4))


def clock_words(seconds: float) -> str:
    """Seconds as a clock shows them: 0:05, 1:02, 2:10:00."""
    if 0 < abs(seconds) < 1:
        return f"{seconds:.2g}"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:,}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def _count(value: float, digits: int) -> str:
    divisor, unit = _unit(abs(value))
    if not unit:
        return _signed(value, 0)
    scaled = value / divisor
    decimals = max(0, digits - 1 - max(0, math.floor(math.log10(abs(scaled)))))
    return _signed(scaled, decimals) + unit


def _unit(size: float) -> tuple[float, str]:
    if size >= 1e9:
        return 1e9, " G"
    if size >= 1e5:
        return 1e6, " M"
    return (1e3, " k") if size >= 1e3 else (1.0, "")


def _fixed(value: float, step: float) -> str:
    return _signed(value, max(0, -math.floor(math.log10(step) + 1e-9)))


def _signed(value: float, decimals: int) -> str:
    words = f"{abs(value):,.{decimals}f}"
    return f"−{words}" if value < 0 and float(words.replace(",", "")) else words


def _with_exponent(value: float, decimals: int) -> str:
    if value == 0:
        return "0"
    mantissa, _, exponent = f"{abs(value):.{decimals}e}".partition("e")
    return f"{'−' if value < 0 else ''}{_trimmed(mantissa)}e{int(exponent)}"


def _trimmed(words: str) -> str:
    return words.rstrip("0").rstrip(".") if "." in words and "e" not in words else words
