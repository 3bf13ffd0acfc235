"""Overlap of the validation text with the training text, which makes a low loss a matter of memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab.text.statistics.progress import SLICE, Step, unseen

LENGTH = 50
"""Length of the compared passages in characters."""
WARNED = 0.05
"""Share of validation's passages found in training above which there is a warning."""
LONGEST_VALIDATION = 1_000_000
"""The largest number of first characters of the validation text that are looked up."""
SHOWN = 400
"""Characters of the longest common passage that are stored."""

_MARKS = 24  # bits of a hash that rule out most passages that do not occur

Hashes = NDArray[np.uint64]


@dataclass(frozen=True)
class Overlap:
    """The passages that training and validation have in common.

    Args:
        share: The share of validation's passages of LENGTH characters that occur in training; None without passages.
        passages: The number of these passages.
        longest: The length of the longest common passage in characters.
        text: Its first SHOWN characters.
        train_offset: Its offset in the training part of the text.
        validation_offset: Its offset in the text within the validation part.
        border: The offset at which validation starts.
        read: The number of first characters of validation that were looked up.
        warning: A sentence if the share is above WARNED, else empty.
    """

    share: float | None
    passages: int
    longest: int
    text: str
    train_offset: int
    validation_offset: int
    border: int
    read: int
    warning: str


def overlap(text: str, share: float = 0.9, *, step: Step = unseen) -> Overlap:
    """Return the overlap of the validation part of a text with its training part, character by character.

    Passages are compared by 64-bit hashes. All parts of a common passage are common too, so bisection finds the
    longest one.

    Args:
        text: The complete text.
        share: The share of its characters, from the start, that belongs to training.
        step: Called with the progress.
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

    common, train_offset = found(LENGTH, every=True)
    passages = len(common)
    known, longest, position = float(common.mean()) if passages else None, 0, 0
    low, high = 0, min(LENGTH, len(train) + 1, len(validation) + 1)
    bounded = not common.any()
    if not bounded:  # starting at a long passage saves steps: a text may be one line repeated
        position = int(common.argmax())
        longest, train_offset = _longest_prefix(train, validation[position:], lambda: inner(0, 1))
        low, high = longest, 2 * longest
    while high - low > 1 or not bounded:  # `low` is common; `high` is not, once that is known
        middle = (low + high) // 2 if bounded else high
        common, at = found(middle)
        if common.any():
            low, longest, train_offset, position = middle, middle, at, int(common.argmax())
            high = high if bounded else 2 * high
        else:
            high, bounded = middle, True
    step(1, 1)
    warning = ""
    if known is not None and known > WARNED:
        warning = (
            f"{known:.0%} of the passages of {LENGTH} characters in validation also occur in training: "
            "a low validation loss may be memory. Remove duplicates, or split the text elsewhere."
        )
    start = border + position
    return Overlap(
        known,
        passages,
        longest,
        text[start : start + min(longest, SHOWN)],
        train_offset if longest else 0,
        start if longest else border,
        border,
        len(validation),
        warning,
    )


def _longest_prefix(train: str, passage: str, step: Callable[[], None]) -> tuple[int, int]:
    """Return the length of the longest prefix of a passage that occurs in training, at least LENGTH, and its offset."""
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
    """Return a mask of validation's passages that occur in training, all or some, and the first offset there."""
    wanted = _hashes(_codes(validation), length)  # (M,)
    common = np.zeros(len(wanted), bool)
    if not len(wanted) or len(train) < length:
        return common, 0
    order = np.argsort(wanted)
    ordered = wanted[order]
    fresh = np.append(True, ordered[1:] != ordered[:-1])
    different = ordered[fresh]  # (D,)
    positions = np.full(len(different), -1, np.int64)  # the position of each in training
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
    """Return (N − length + 1,) a hash of each passage of a length, from those of its two halves, which may overlap."""
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
    """Mix all bits of each number (the finaliser of SplitMix64, Steele et al. 2014)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Hashes = numbers ^ (numbers >> np.uint64(31))
    return mixed
