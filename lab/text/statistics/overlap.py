"""Whether the validation text stands in the training text already, so that its loss measures memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab.text.statistics.progress import SLICE, Step, unseen

LENGTH = 50
"""Characters of the passages that are compared."""
WARNED = 0.05
"""Share of validation's passages in training above which there is a warning."""
LONGEST_VALIDATION = 1_000_000
"""Characters of the validation text that are looked up at most, the first ones."""
SHOWN = 400
"""Characters of the longest common passage that are kept to be shown."""

_MARKS = 24  # bits of a hash by which most of what cannot be found is passed over

Hashes = NDArray[np.uint64]


@dataclass(frozen=True)
class Overlap:
    """What training and validation have in common.

    Args:
        share: Of validation's passages of LENGTH characters, those that stand in training; None where it has none.
        passages: How many there are.
        longest: Characters of the longest passage that both hold.
        text: Its first SHOWN characters.
        train_place: Where it begins in the text.
        validation_place: Where it begins in the text a second time, within validation.
        border: Characters before validation begins.
        read: Characters of validation that were looked up, from its beginning.
        warning: A sentence where the share is above WARNED, else empty.
    """

    share: float | None
    passages: int
    longest: int
    text: str
    train_place: int
    validation_place: int
    border: int
    read: int
    warning: str


def overlap(text: str, share: float = 0.9, *, step: Step = unseen) -> Overlap:
    """How much of the validation part of a text stands in its training part, character by character.

    Passages are compared by hashes of 64 bits. That a passage is common goes for all its parts too, so the longest one
    is found by halving.

    Args:
        text: All of it.
        share: Of its characters that are training, at its beginning.
        step: Told how far it is.
    """
    border = int(share * len(text))
    train, validation = text[:border], text[border : border + LONGEST_VALIDATION]
    done, rounds = 0, 4 + 2 * min(len(train), len(validation)).bit_length()

    def inner(at: int, of: int) -> None:
        step(min(done * 1000 + at * 1000 // max(1, of), rounds * 1000), rounds * 1000)

    def found(length: int, *, every: bool = False) -> tuple[NDArray[np.bool_], int]:
        nonlocal done
        done += 1
        return _found(train, validation, length, every, inner)

    common, train_place = found(LENGTH, every=True)
    passages = len(common)
    known, longest, position = float(common.mean()) if passages else None, 0, 0
    low, high = 0, min(LENGTH, len(train) + 1, len(validation) + 1)
    bounded = not common.any()
    if not bounded:  # whoever begins at a long one has less to halve: a text may be one line on and on
        position = int(common.argmax())
        longest, train_place = _longest_prefix(train, validation[position:], lambda: inner(0, 1))
        low, high = longest, 2 * longest
    while high - low > 1 or not bounded:  # `low` is common; `high` is not, once that is known
        middle = (low + high) // 2 if bounded else high
        common, at = found(middle)
        if common.any():
            low, longest, train_place, position = middle, middle, at, int(common.argmax())
            high = high if bounded else 2 * high
        else:
            high, bounded = middle, True
    step(1, 1)
    warning = ""
    if known is not None and known > WARNED:
        warning = (
            f"{known:.0%} of the passages of {LENGTH} characters in validation stand in training too: "
            "a low validation loss may be memory. Remove what is doubled, or split elsewhere."
        )
    start = border + position
    return Overlap(
        known,
        passages,
        longest,
        text[start : start + min(longest, SHOWN)],
        train_place if longest else 0,
        start if longest else border,
        border,
        len(validation),
        warning,
    )


def _longest_prefix(train: str, passage: str, step: Callable[[], None]) -> tuple[int, int]:
    """How many of the first characters of a passage stand together in training, of which LENGTH do, and where."""
    low, high, position = LENGTH, len(passage) + 1, train.find(passage[:LENGTH])
    while high - low > 1:
        step()
        middle = (low + high) // 2
        at = train.find(passage[:middle])
        if at < 0:
            high = middle
        else:
            low, position = middle, at
    return low, position


def _found(train: str, validation: str, length: int, every: bool, step: Step) -> tuple[NDArray[np.bool_], int]:
    """Which passages of a length in validation stand in training, every one or some, and where the first does there."""
    wanted = _hashes(_codes(validation), length)  # (M,)
    common = np.zeros(len(wanted), bool)
    if not len(wanted) or len(train) < length:
        return common, 0
    order = np.argsort(wanted)
    ordered = wanted[order]
    fresh = np.append(True, ordered[1:] != ordered[:-1])
    different = ordered[fresh]  # (D,)
    positions = np.full(len(different), -1, np.int64)  # where each stands in training
    marks = np.zeros(1 << _MARKS, bool)
    marks[different >> np.uint64(64 - _MARKS)] = True
    stride = max(SLICE, 4 * length)
    for start in range(0, len(train) - length + 1, stride):
        hashes = _hashes(_codes(train[start : start + stride + length - 1]), length)
        likely = np.flatnonzero(marks[hashes >> np.uint64(64 - _MARKS)])
        at = np.searchsorted(different, hashes[likely])
        at[at == len(different)] = 0
        here = different[at] == hashes[likely]
        positions[at[here]] = start + likely[here]
        step(start, len(train))
        if here.any() and not every:
            break
    numbers = np.cumsum(fresh) - 1
    common[order] = positions[numbers] >= 0
    return common, int(positions[numbers[np.flatnonzero(order == common.argmax())[0]]]) if common.any() else 0


def _codes(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")


def _hashes(codes: NDArray[np.uint32], length: int) -> Hashes:
    """(N − length + 1,) a hash of each passage of some length, from those of its two halves, which may overlap."""
    if len(codes) < length:
        return np.zeros(0, np.uint64)
    hashes, width = _mixed(codes.astype(np.uint64)), 1
    while width < length:
        grown = min(2 * width, length)
        shift = grown - width
        hashes = _mixed(hashes[:-shift] * np.uint64(0x9E3779B97F4A7C15) + hashes[shift:])
        width = grown
    return hashes


def _mixed(numbers: Hashes) -> Hashes:
    """Each number as one that depends on all its bits (the finaliser of SplitMix64, Steele et al. 2014)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Hashes = numbers ^ (numbers >> np.uint64(31))
    return mixed
