"""Number formats: what an expression gives if every value is rounded to float16, bfloat16, float32 or float64."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from lab.worked.expressions.values import Array, Value
from lab.worked.graph import Graph, Rounding

LOG_SUM_EXP = "log(sum(exp(z)))"
"""The sum as it is defined, whose exponentials overflow."""
SHIFTED = "m = max(z); m + log(sum(exp(z − m)))"
"""The same sum less the largest entry, which cannot overflow."""


def _single(x: Array) -> NDArray[np.float32]:
    with np.errstate(all="ignore"):
        return np.asarray(x, np.float32)


def to_bfloat16(x: Array) -> Array:
    """Return numbers rounded to bfloat16 (to the nearest, ties to even), as float64."""
    single = _single(x)
    bits = np.atleast_1d(single).view(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
    result = np.where(np.isnan(np.atleast_1d(single)), np.float32(np.nan), rounded.astype(np.uint32).view(np.float32))
    return result.reshape(single.shape).astype(np.float64)


def _cast(dtype: type[np.floating]) -> Rounding:
    def rounding(x: Array) -> Array:
        with np.errstate(all="ignore"):  # beyond the largest number they are infinite
            return np.asarray(np.asarray(x, dtype), np.float64)

    return rounding


@dataclass(frozen=True)
class Format:
    """A number format.

    Args:
        name: Its name in numpy and torch.
        rounding: Rounds numbers to it.
        largest: The largest finite number.
        epsilon: The distance from 1 to the next larger number.
        smallest_normal: The smallest number that has all digits.
        smallest: The smallest number above 0.
    """

    name: str
    rounding: Rounding
    largest: float
    epsilon: float
    smallest_normal: float
    smallest: float

    @property
    def exp_limit(self) -> float:
        """The largest x for which exp(x) is finite."""
        return log(self.largest)


FORMATS = (
    Format("float16", _cast(np.float16), 65504.0, 2.0**-10, 2.0**-14, 2.0**-24),
    Format("bfloat16", to_bfloat16, (2 - 2.0**-7) * 2.0**127, 2.0**-7, 2.0**-126, 2.0**-133),
    Format("float32", _cast(np.float32), (2 - 2.0**-23) * 2.0**127, 2.0**-23, 2.0**-126, 2.0**-149),
    Format("float64", _cast(np.float64), (2 - 2.0**-52) * 2.0**1023, 2.0**-52, 2.0**-1022, 2.0**-1074),
)
"""The formats, from the coarsest to the finest."""


def in_formats(program: str, inputs: Mapping[str, object]) -> dict[str, Value]:
    """Return the result of a program in each format, by its name; every value is rounded as soon as it is computed.

    Raises:
        BadInput: The program or its inputs cannot be used.
    """
    return {each.name: Graph(program, inputs, each.rounding).result.value for each in FORMATS}
