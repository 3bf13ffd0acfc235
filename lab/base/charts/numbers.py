"""The format of numbers in charts: 1.83, 0.00213, 5.2e-4, 12,400, with a real minus sign."""

from __future__ import annotations

import math

SMALL, LARGE = 1e-3, 1e7
"""Numbers below SMALL and from LARGE on are written with an exponent."""


def format_value(value: float, digits: int = 3) -> str:
    """Return a measured value with `digits` significant digits: 1.83, 0.00213, 5.2e-4, 12,400."""
    if not math.isfinite(value):
        return str(value)
    size = abs(float(f"{value:.{digits - 1}e}"))  # 9.999 has as many decimals as 10.0
    if size == 0:
        return "0"
    if not SMALL <= size < LARGE:
        return with_exponent(value, digits - 1)
    return signed(value, max(0, digits - 1 - math.floor(math.log10(size))))


def signed(value: float, decimals: int) -> str:
    """Return a number with `decimals` decimals and groups of three digits; a value that rounds to 0 has no sign."""
    digits = f"{abs(value):,.{decimals}f}"
    return f"−{digits}" if value < 0 and float(digits.replace(",", "")) else digits


def with_exponent(value: float, decimals: int) -> str:
    """Return a number as 1.2e-5, with at most `decimals` decimals."""
    if value == 0:
        return "0"
    mantissa, _, exponent = f"{abs(value):.{decimals}e}".partition("e")
    return f"{'−' if value < 0 else ''}{trimmed(mantissa)}e{int(exponent)}"


def trimmed(number: str) -> str:
    """Return a formatted number without trailing zeros in its decimals."""
    return number.rstrip("0").rstrip(".") if "." in number and "e" not in number else number
