"""Strings to be copied, reversed or sorted: "cab|cab.", "cab|bac.", "cab|abc."."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from lab.api import Examples, ModelConfig, setting
from lab.sources.tasks.questions import Question
from lab.sources.tasks.rows import LONGEST, SCORED_HELP, Scored, letters, mirrored, shown


class StringConfig(ModelConfig):
    """Random strings; `length` counts the symbols before the separator."""

    length: int = setting(
        20,
        ge=1,
        le=LONGEST,
        log=True,
        unit="symbols",
        help="Largest length of a string; each length from 1 on is equally likely.",
        cite="Graves et al. 2014, section 4.1",
    )
    alphabet: int = setting(8, ge=1, le=4096, log=True, unit="symbols", help="Different symbols, each equally likely.")
    scored: Scored = setting("answers", help=SCORED_HELP)


def copying(config: StringConfig) -> Examples:
    """Return the source of strings followed by the same string."""

    def answer(strings: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
        del counts
        return strings

    return _strings("Copy", config, answer)


def reversing(config: StringConfig) -> Examples:
    """Return the source of strings followed by their reverse."""
    return _strings("Reverse", config, mirrored)


def sorting(config: StringConfig) -> Examples:
    """Return strings followed by their symbols in alphabetical order."""

    def answer(strings: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
        outside = np.arange(strings.shape[1]) >= counts[:, None]
        return np.sort(np.where(outside, config.alphabet, strings), axis=1)

    return _strings("Sort", config, answer)


def _strings(
    name: str, config: StringConfig, answer: Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.int64]]
) -> Examples:
    size = config.alphabet
    symbols = shown([*letters(size), "|", "."])
    return Question(name, symbols, size, size, answer, size + 1).examples(config.length, config.scored)
