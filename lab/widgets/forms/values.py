"""The format of values of settings in fields, their parsing, steps and slider positions."""

from __future__ import annotations

import bisect
import json
import math
import operator
import re
from typing import Any

from lab.api import Setting
from lab.widgets.core.i18n import localized, tr

LOG = 300
"""Number of positions of a logarithmic slider."""
DECADES = 1000
"""Range of a logarithmic slider without bounds: a factor above and below the default."""
WIDE = 1000
"""Ratio of the bounds from which a linear scale is useless."""
WIDEST = 10**7
"""Ratio of the bounds from which a slider is offered only if the setting is logarithmic."""


def shown(setting: Setting, value: Any, resolved: Any = None) -> str:
    """Return the text of a value in its field; `typed` returns the same value again.

    Args:
        setting: The setting.
        value: The value.
        resolved: The value in use where `value` means an automatic one; None if it is not known.
    """
    if setting.auto and not value:
        return tr("auto") if resolved is None else tr("auto ({value})", value=_grouped(resolved))
    if setting.zero and value == 0 and not isinstance(value, bool):
        return setting.zero
    if value is None:
        return ""
    if setting.kind == "list":
        return ", ".join(map(_element, value)) or ("[]" if setting.optional else "")
    if setting.kind == "text":
        return json.dumps(value) if setting.optional and (not value.strip() or value.startswith('"')) else str(value)
    return number(value)


def typed(setting: Setting, text: str) -> Any:
    """Return an entry as a plain value; an entry that cannot be parsed stays text, which the config refuses.

    An empty entry means None if that is allowed.
    """
    stripped = text.strip()
    if setting.auto and stripped.lower().startswith(tr("auto").lower()):
        return None if setting.optional else 0
    if setting.zero and stripped.lower() == setting.zero.lower():
        return 0
    if setting.optional and not stripped:
        return None
    if setting.kind == "list":
        pieces = re.findall(r'"(?:[^"\\]|\\.)*"|[^,\s][^,]*', stripped.removeprefix("[").removesuffix("]"))
        return [_typed_element(setting, piece.strip()) for piece in pieces]
    if setting.kind == "text":
        return _unquoted(text) if setting.optional and text.startswith('"') else text
    return _typed_number(stripped)


def number(value: float) -> str:
    """Return a number in its shortest form: 0.001, 1e-5, 10000, 1e6."""
    if isinstance(value, int):
        return str(value)
    text = f"{value:g}"
    if float(text) != value:
        text = repr(value).removesuffix(".0")
    return re.sub(r"e([+-])0*", lambda found: "e-" if found[1] == "-" else "e", text)


def _grouped(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else number(value) if isinstance(value, float) else str(value)


def _element(value: Any) -> str:
    if isinstance(value, str):
        return value if re.fullmatch(r'[^\s,"\[\]]+( [^\s,"\[\]]+)*', value) else json.dumps(value)
    return str(value).lower() if isinstance(value, bool) else number(value)


def _typed_element(setting: Setting, text: str) -> Any:
    return _typed_number(text) if setting.element in ("int", "float") else _unquoted(text)


def _unquoted(text: str) -> str:
    try:
        return str(json.loads(text)) if text.startswith('"') else text
    except ValueError:
        return text


def _typed_number(text: str) -> Any:
    """Return a number with a decimal point, or with a decimal comma in a language that writes one."""
    written = text.replace(",", ".") if localized(".") == "," else text
    for read in (int, float):
        try:
            value = read(written)
        except ValueError:
            continue
        return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value
    return text


def stepped(setting: Setting, value: float, steps: int, *, far: bool = False) -> float:
    """Return the value some steps further, within the bounds.

    Whole numbers change by 1, others by a hundredth of their scale (ten times that if `far`), those on a logarithmic
    scale by 10 % (by a factor of two if `far`).

    Args:
        setting: The setting.
        value: The value to start from.
        steps: Number of steps, negative for backwards.
        far: Whether the steps are large.
    """
    integral, bounds = setting.kind == "int", setting.bounds
    if _is_log(setting) and value > 0 and (far or not integral):
        doubled = value * 2**steps if steps > 0 else value // 2**-steps if integral else value / 2**-steps
        new = doubled if far else _rounded(value * 1.1**steps)
    else:
        new = value + steps * _step(setting, value) * (10 if far else 1)
    new = round(new) if integral else float(f"{new:.12g}")
    new = max(new, bounds.get("ge", new))
    new = min(new, bounds.get("le", new))
    return new if bounds.get("gt", -math.inf) < new < bounds.get("lt", math.inf) else value


def slider_values(setting: Setting) -> tuple[float, ...]:
    """Return the ascending values of a slider's positions; none if a slider is of no use.

    The scale is logarithmic if the setting is, or if the bounds are far apart. If it starts at zero or has an open end,
    it reaches three decades to either side of the default, and whole numbers have a position for 0. Whole numbers up
    to a power of two have positions at powers of two and halfway between.
    """
    span = _span(setting)
    if span is None or setting.optional:
        return ()
    low, high = span
    integral, multiple = setting.kind == "int", setting.bounds.get("multiple_of", 0)
    if _is_log(setting):
        values = _binary(low, high) if integral and _is_power_of_two(high) else _decimal(low, high)
        values = [0.0, *values] if integral and _low(setting) == 0 else values
    else:
        step = _step(setting, 0)
        values = [float(f"{low + index * step:.12g}") for index in range(math.floor((high - low) / step + 1e-9) + 1)]
        values += [high] if values[-1] < high else []
    if multiple:
        values = [float(f"{round(value / multiple) * multiple:.12g}") for value in values]
    values = [round(value) if integral else value for value in values]
    return tuple(value for value in values if _allowed(setting, value))


def nearest_index(value: float, values: tuple[float, ...]) -> int:
    """Return the index of the nearest value."""
    after = bisect.bisect_right(values, value)
    before = bisect.bisect_left(values, value)
    if before < after:
        return (before + after - 1) // 2
    return min(
        (index for index in (before - 1, before) if 0 <= index < len(values)), key=lambda p: abs(values[p] - value)
    )


def _is_log(setting: Setting) -> bool:
    if setting.log:
        return True
    low, high = _low(setting), _high(setting)
    if low is None or high is None or low < 0:
        return False
    start = max(low, 1) if setting.kind == "int" else low
    return start > 0 and high / start >= WIDE


def _span(setting: Setting) -> tuple[float, float] | None:
    """Return the ends of a slider's scale; None if a slider is of no use."""
    low, high = _low(setting), _high(setting)
    if _is_log(setting):
        about = setting.default if isinstance(setting.default, int | float) and setting.default > 0 else None
        if not low or low < 0:
            low = 1 if setting.kind == "int" else about and _rounded(about / DECADES)
        high = high if high is not None else about and _rounded(about * DECADES)
        if not low or not high or high <= low or high == math.inf or (not setting.log and high / low > WIDEST):
            return None
        return low, high
    if low is None or high is None or not 0 < high - low < WIDE:
        return None
    return low, high


def _decimal(low: float, high: float) -> list[float]:
    start, length = math.log(low), math.log(high) - math.log(low)
    return [low, *(_rounded(math.exp(start + length * index / LOG)) for index in range(1, LOG)), high]


def _binary(low: float, high: float) -> list[float]:
    powers = [2**power for power in range(int(high).bit_length())]
    return [value for value in sorted({*powers, *(power * 3 // 2 for power in powers)}) if low <= value <= high]


def _is_power_of_two(value: float) -> bool:
    return value == int(value) and int(value).bit_count() == 1


def _low(setting: Setting) -> float | None:
    return next((setting.bounds[name] for name in ("ge", "gt") if name in setting.bounds), None)


def _high(setting: Setting) -> float | None:
    return next((setting.bounds[name] for name in ("le", "lt") if name in setting.bounds), None)


def _allowed(setting: Setting, value: float) -> bool:
    rules = {"ge": operator.ge, "gt": operator.gt, "le": operator.le, "lt": operator.lt}
    return all(rule(value, setting.bounds[name]) for name, rule in rules.items() if name in setting.bounds)


def _step(setting: Setting, value: float) -> float:
    """Return one step on a linear scale: a hundredth of it, or of the value if the scale has no ends."""
    multiple = setting.bounds.get("multiple_of", 0)
    if setting.kind == "int":
        return multiple or 1
    low, high = _low(setting), _high(setting)
    size = high - low if low is not None and high is not None else abs(value)
    power = 10.0 ** math.floor(math.log10(size / 100)) if 0 < size / 100 < math.inf else 0.01
    step = next((factor * power for factor in (5, 2) if factor * power <= size / 100 * (1 + 1e-9)), power)
    return math.ceil(step / multiple) * multiple if multiple else step


def _rounded(value: float) -> float:
    """Return a number rounded to two significant digits."""
    return float(f"{value:.1e}")
