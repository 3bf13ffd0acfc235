"""Values of expressions: numbers, vectors and matrices in float64, and texts; how they are typed and written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lab.base import BadInput

Array: TypeAlias = NDArray[np.float64]
"""A number (no axes), a vector (n,), or a matrix (rows, columns)."""
Value: TypeAlias = Array | str | tuple[str, ...]
"""What an expression may compute: numbers, a text, or several texts."""
LARGEST = 2048
"""Most numbers of a value."""
SHOWN = 12
"""Most entries of a value that are written out."""


def as_value(given: Any, field: str) -> Value:
    """Return data of a file as a value.

    Args:
        given: A number, a text, or nested lists of numbers or of texts; "inf" and "-inf" among numbers are infinite.
        field: The name of the input, for problems.

    Raises:
        BadInput: It is something else, has rows of unequal length, more than two axes, or too many numbers.
    """
    if isinstance(given, str):
        return given
    if isinstance(given, list | tuple) and given and all(isinstance(each, str) for each in given):
        return tuple(given)
    try:
        array = np.array(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise BadInput(
            "is no number, vector or matrix", field=field, value=given, allowed="numbers, in rows of one length"
        ) from None
    array.setflags(write=False)
    return checked(array, field)


def checked(array: Array, field: str) -> Array:
    """Return an array that is not too large.

    Raises:
        BadInput: It has more than two axes or too many numbers.
    """
    if array.ndim > 2 or array.size > LARGEST:
        shape = " × ".join(map(str, array.shape))
        raise BadInput(
            "is too large", field=field, value=shape, allowed=f"two axes and {LARGEST} numbers at most",
            remedy="Use fewer numbers",
        )  # fmt: skip
    return array


def show_number(number: float, digits: int = 6) -> str:
    """Write a number to read: whole numbers without a point, others with this many significant digits."""
    if not np.isfinite(number):
        return "NaN" if np.isnan(number) else "∞" if number > 0 else "−∞"
    is_whole = number == int(number) and abs(number) < 1e15
    text = str(int(number)) if is_whole else f"{number:.{digits}g}"
    return text.replace("e+", "e").replace("-", "−")


def show(value: Value, digits: int = 6) -> str:
    """Write a value to read: (0.5, 0.2) is a vector, (1, 2; 3, 4) a matrix; long ones are cut."""
    if isinstance(value, str):
        return f"“{value}”"
    if isinstance(value, tuple):
        return ", ".join(f"“{each}”" for each in value)
    if value.ndim == 0:
        return show_number(float(value), digits)
    return f"({_entries(value, digits)})"


def typed(value: Value) -> str:
    """Write a value in full, so that it can be typed again."""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return ", ".join(value)
    if value.ndim == 0:
        return _exact(float(value))
    if value.ndim == 1:
        return f"[{', '.join(map(_exact, value.tolist()))}]"
    return f"[{', '.join(typed(row) for row in value)}]"


def plain(value: Value) -> Any:
    """Return a value as data for JSON: numbers and lists; infinite ones and NaN as words."""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return list(value)
    return _worded(value.tolist())


def _worded(data: Any) -> Any:
    if isinstance(data, list):
        return [_worded(each) for each in data]
    return data if np.isfinite(data) else "nan" if np.isnan(data) else "inf" if data > 0 else "-inf"


def flat(values: Iterable[Any]) -> list[Any]:
    """Return the entries of nested lists and dictionaries, in order."""
    entries: list[Any] = []
    for value in values:
        if isinstance(value, dict):
            entries += flat(value.values())
        elif isinstance(value, list | tuple):
            entries += flat(value)
        else:
            entries.append(value)
    return entries


def _exact(number: float) -> str:
    if not np.isfinite(number):
        return "nan" if np.isnan(number) else "inf" if number > 0 else "-inf"
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(number)


def _entries(value: Array, digits: int) -> str:
    if value.ndim == 1:
        shown = [show_number(float(each), digits) for each in value[:SHOWN]]
        return ", ".join([*shown, *(["…"] if len(value) > SHOWN else [])])
    most = max(1, SHOWN // max(1, value.shape[1]))
    rows = [_entries(row, digits) for row in value[: max(most, 3)]]
    return "; ".join([*rows, *(["…"] if len(value) > len(rows) else [])])
