"""Regular languages: the output of a finite automaton for a string, "0110=0", as in Delétang et al. 2023."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lab.api import Examples, ModelConfig, setting
from lab.sources.tasks.questions import Question
from lab.sources.tasks.rows import LONGEST, SCORED_HELP, Scored


class AutomatonConfig(ModelConfig):
    """Random strings with one answer; `length` counts the symbols before "="."""

    length: int = setting(
        40,
        ge=1,
        le=LONGEST,
        log=True,
        unit="symbols",
        help="Largest length of a string; each length from 1 on is equally likely.",
        cite="Delétang et al. 2023, section 4",
    )
    scored: Scored = setting("answers", help=SCORED_HELP)


class CycleConfig(AutomatonConfig):
    """Random walks on a cycle; `length` counts the steps before "="."""

    cycle: int = setting(
        5, ge=2, le=10, unit="positions", help="Positions on the cycle.", cite="Delétang et al. 2023, appendix A"
    )


def parity(config: AutomatonConfig) -> Examples:
    """Return the source of parities: 0 if a string of 0 and 1 has an even number of 1, else 1."""

    def answer(strings: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
        return _total(strings, counts) % 2

    return Question("Parity", ("0", "1", "="), 2, 2, answer).examples(config.length, config.scored)


def even_pairs(config: AutomatonConfig) -> Examples:
    """Return the source of even pairs: 0 if an even number of neighbours in a string differ (01 and 10), else 1."""

    def answer(strings: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
        differ = (strings[:, 1:] != strings[:, :-1]).astype(np.int64)
        return _total(differ, counts - 1) % 2

    return Question("Even pairs", ("0", "1", "="), 2, 2, answer).examples(config.length, config.scored)


def cycle_navigation(config: CycleConfig) -> Examples:
    """Return the source of walks on a cycle from 0 and their ends: "<" is a step back, "." none, ">" one on."""

    def answer(strings: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
        return 4 + _total(strings - 1, counts) % config.cycle

    symbols = ("<", ".", ">", "=", *map(str, range(config.cycle)))
    return Question("Cycle navigation", symbols, 3, 3, answer).examples(config.length, config.scored)


def _total(values: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sums (B, 1) of the first `counts` (B,) of `values` (B, M) in each row."""
    inside = np.arange(values.shape[1]) < counts[:, None]
    total: NDArray[np.int64] = np.where(inside, values, 0).sum(axis=1, keepdims=True)
    return total
