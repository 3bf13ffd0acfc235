"""The settings of all generated rows, and random draws that depend on seed and row alone."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, ModelConfig, setting, uniforms
from lab.base.torch_lock import mixed

T = TypeVar("T")
Row = TypeVar("Row", bound=Hashable)

_BATCH = 4096  # candidates drawn at once, at least
_TRIES = 50  # candidates per wanted row before giving up


class RowsConfig(ModelConfig):
    """The number of rows and the seed."""

    rows: int = setting(
        5000,
        ge=10,
        le=200_000,
        log=True,
        unit="rows",
        help="Rows of training and validation together; more rows start with the same ones.",
    )
    seed: int = setting(0, ge=0, lt=2**63, help="Seed of all random draws.")


class PairsConfig(RowsConfig):
    """What all generated pairs have."""

    prefix: str = setting(
        "",
        max_length=100,
        help="Text in front of each source, which tells the tasks of a mixture apart: “reverse: ”. Empty: none.",
        cite="Raffel et al. 2020, section 2.4",
    )

    def prefixed(self, sources: Sequence[str]) -> list[str]:
        """Return the sources with the prefix in front."""
        return [self.prefix + source for source in sources]


class Choices:
    """The random choices of one row, made one after the other.

    Args:
        uniform: Numbers in [0, 1), one for each choice.
    """

    def __init__(self, uniform: Iterator[float]) -> None:
        self._uniform = uniform

    def below(self, limit: int) -> int:
        """Return an integer from 0 to limit − 1, each equally likely."""
        return int(next(self._uniform) * limit)

    def one_of(self, options: Sequence[T]) -> T:
        """Return one of the options, each equally likely."""
        return options[self.below(len(options))]

    def happens(self, probability: float) -> bool:
        """Return True with this probability."""
        return next(self._uniform) < probability


def row_uniforms(config: RowsConfig, stream: int, numbers: NDArray[np.int64], count: int) -> NDArray[np.float64]:
    """Return `count` numbers in [0, 1) for each row number, (B,) -> (B, count); each stream is independent."""
    return uniforms(mixed(config.seed, stream), numbers, count)


def normals(uniform: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return normal numbers from numbers in [0, 1), (B, 2K) -> (B, K), by Box and Muller 1958."""
    radius = np.sqrt(-2 * np.log1p(-uniform[:, ::2]))
    found: NDArray[np.float64] = radius * np.cos(2 * np.pi * uniform[:, 1::2])
    return found


def distinct(
    config: RowsConfig, count: int, stream: int, make: Callable[[Choices], Row | None], draws: int
) -> list[Row]:
    """Return different rows in the order in which they are drawn, so that no part of the data repeats another.

    Args:
        config: The seed.
        count: The number of rows.
        stream: The stream of the draws; other streams are independent.
        make: Makes a row from its choices, or None if these give none.
        draws: The largest number of choices of a row.

    Raises:
        BadInput: There are not so many different rows.
    """
    found: dict[Row, None] = {}
    start, before = 0, -1
    while len(found) < count:
        if len(found) == before or start > _TRIES * count + _BATCH:
            raise BadInput(
                "there are not so many different rows with these settings",
                field="corpus.rows",
                value=str(config.rows),
                remedy="Ask for fewer rows, or change the settings so that more are possible",
            )
        before = len(found)
        numbers = np.arange(start, start + max(_BATCH, count))
        for uniform in row_uniforms(config, stream, numbers, draws).tolist():
            row = make(Choices(iter(uniform)))
            if row is not None:
                found.setdefault(row)
        start += len(numbers)
    return list(found)[:count]


def independent(config: RowsConfig, count: int, stream: int, make: Callable[[Choices], T], draws: int) -> list[T]:
    """Return rows that are drawn independently, so that one may occur twice; the arguments are those of `distinct`."""
    uniform = row_uniforms(config, stream, np.arange(count), draws).tolist()
    return [make(Choices(iter(row))) for row in uniform]


def in_turn(config: RowsConfig, classes: int, of_class: Callable[[int, int], list[T]]) -> tuple[list[T], list[int]]:
    """Return rows of each class in turn and their classes: as many of each, up to one row.

    Args:
        config: The number of rows.
        classes: The number of classes.
        of_class: (class, number of rows) -> rows of that class.
    """
    labels = [number % classes for number in range(config.rows)]
    rows = [iter(of_class(label, len(range(label, config.rows, classes)))) for label in range(classes)]
    return [next(rows[label]) for label in labels], labels
