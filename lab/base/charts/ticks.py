"""The ticks of an axis: round values and their labels, such as 1,240, 0.95 M, 1:02, 5e-4."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from lab.base.charts.numbers import LARGE, SMALL, format_value, signed, trimmed, with_exponent

Kind = Literal["number", "steps", "tokens", "seconds"]
"""The format of the values of an axis: plain, integers, in thousands or millions, or clock time."""

MOST = 7
"""The largest number of intervals between ticks on an axis."""
CLOCK = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400)
"""The allowed distances between two ticks of an axis of time, in seconds."""
NEAREST = 0.6
"""The least distance of two ticks of a logarithmic axis, as a share of the distance of `most` evenly spread ones."""
LAST = 300
"""A logarithmic axis reaches from 10^-LAST to 10^LAST."""


def round_step(about: float, *, up: bool) -> float:
    """Return the nearest number of the form 1, 2 or 5 times a power of ten, at or above `about`, or at or below it."""
    base = 10.0 ** math.floor(math.log10(about))
    steps = [factor * base for factor in (1, 2, 5, 10)]
    if up:
        return next(step for step in steps if step >= about * (1 - 1e-9))
    return [step for step in steps if step <= about * (1 + 1e-9)][-1]


def ticks(low: float, high: float, *, log: bool = False, kind: Kind = "number", most: int = MOST) -> list[float]:
    """Return round values between the two ends of an axis.

    Args:
        low: The lower end, as a power of ten where `log` is set.
        high: The upper end, likewise.
        log: Whether the axis is logarithmic.
        kind: The format of the values; ticks of seconds are at quarters and halves of minutes and hours.
        most: The largest number of intervals between ticks.
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


def value_ticks(low: float, high: float, *, log: bool = False, most: int = MOST) -> list[float]:
    """Return the ticks of an axis of values: those of `ticks`, but at least two where possible, as one shows no scale.

    Args:
        low: The lower end, as a power of ten where `log` is set.
        high: The upper end, likewise.
        log: Whether the axis is logarithmic.
        most: The wanted largest number of intervals; up to MOST may be needed for two ticks.
    """
    found = ticks(low, high, log=log, most=most)
    while len(found) < 2 and most < MOST:
        most += 1
        found = ticks(low, high, log=log, most=most)
    return found


def _log_ticks(low: float, high: float, most: int) -> list[float]:
    first, last = math.floor(max(low, -LAST)), math.ceil(min(high, LAST))
    for factors in ((1, 2, 3, 4, 5, 6, 7, 8, 9), (1, 2, 5), (1, 3), (1,)):
        if (last - first) * len(factors) > 40 * most:
            continue
        found = [factor * 10.0**digits for digits in range(first, last + 1) for factor in factors]
        inside = [value for value in found if low - 1e-9 <= math.log10(value) <= high + 1e-9]
        if len(inside) < 2:
            break  # less than a decade is visible: round values are better
        if len(inside) <= most + 1 and _apart(inside) >= NEAREST * (high - low) / most:
            return inside
    if high - low < 1:
        return _few_log_ticks(low, high, most)
    stride = math.ceil((last - first) / most)
    return [10.0**digits for digits in range(first, last + 1, stride) if low - 1e-9 <= digits <= high + 1e-9]


def _apart(values: Sequence[float]) -> float:
    """Return the least distance of two neighbours on a logarithmic axis."""
    return min((math.log10(b / a) for a, b in pairwise(values)), default=math.inf)


def _few_log_ticks(low: float, high: float, most: int) -> list[float]:
    """Return round values within a decade; those at the upper end stand so close together that some are left out."""
    found: list[float] = []
    for count in range(most, 0, -1):
        fewer = [value for value in ticks(power(low), power(high), most=count) if value > 0]
        if found and len(fewer) < 2:
            break
        found = fewer
        if _apart(found) >= NEAREST * (high - low) / most:
            break
    return found


def power(exponent: float) -> float:
    """Return 10^exponent within the range of a float: the value at a position of a logarithmic axis."""
    return float(10.0 ** min(max(exponent, -LAST), LAST))


def round_values(low: float, high: float, count: int) -> list[float]:
    """Return about `count` round values between two others, at least two; only `low` if the range is empty."""
    count = max(count, 1)
    if not 1e-300 < (high - low) / count < math.inf:
        return [low]
    found = ticks(low, high, most=count)
    return found if len(found) > 1 else round_values(low, high, 2 * count)


def format_ticks(values: Sequence[float], *, log: bool = False, kind: Kind = "number") -> list[str]:
    """Return the labels of the ticks of one axis, with enough decimals to distinguish them."""
    if kind == "seconds":
        return [format_clock(value) for value in values]
    if log or len(values) < 2:
        return [_count(value, 3) if kind == "tokens" else trimmed(format_value(value)) for value in values]
    step = min(b - a for a, b in pairwise(values))
    size = max(abs(value) for value in values)
    if kind == "tokens" and size >= 1e3:
        divisor, unit = _unit(size)
        return [_fixed(value / divisor, step / divisor) + unit if value else "0" for value in values]
    if SMALL <= size < LARGE:
        return [_fixed(value, step) for value in values]
    return [with_exponent(value, 2) for value in values]


def format_position(value: float, kind: Kind = "number") -> str:
    """Return the label of a position on the x axis: 1,240, 0.95 M or 1:02."""
    if kind == "seconds":
        return format_clock(value)
    if kind == "tokens":
        return _count(value, 3)
    integral = kind == "steps" or value == round(value)
    return signed(value, 0) if integral and abs(value) < 1e15 else trimmed(format_value(value, 4))


def format_clock(seconds: float) -> str:
    """Return seconds as a clock shows them: 0:05, 1:02, 2:10:00."""
    if 0 < abs(seconds) < 1:
        return f"{seconds:.2g}"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:,}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def _count(value: float, digits: int) -> str:
    divisor, unit = _unit(abs(value))
    if not unit:
        return signed(value, 0)
    scaled = value / divisor
    decimals = max(0, digits - 1 - max(0, math.floor(math.log10(abs(scaled)))))
    return signed(scaled, decimals) + unit


def _unit(size: float) -> tuple[float, str]:
    if size >= 1e9:
        return 1e9, " G"
    if size >= 1e5:
        return 1e6, " M"
    return (1e3, " k") if size >= 1e3 else (1.0, "")


def _fixed(value: float, step: float) -> str:
    return signed(value, max(0, -math.floor(math.log10(step) + 1e-9)))
