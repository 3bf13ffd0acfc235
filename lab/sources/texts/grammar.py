"""Text of a probabilistic context-free grammar: sentences with nested clauses, whose entropy is exact."""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Iterator
from itertools import accumulate

import numpy as np

from lab.api import ENTROPY_RATE, BadInput, Text, setting
from lab.sources.texts.english import SENTENCE, Rules, english
from lab.sources.texts.lengths import GeneratedConfig

BUSIEST = 0.97
"""Largest growth of a derivation per round: near 1 sentences become endless."""

_BATCH = 1 << 16  # random numbers drawn at once


class GrammarConfig(GeneratedConfig):
    """The amount of nesting."""

    relative_clauses: float = setting(
        0.2, ge=0, le=1, help='Probability that a noun has a relative clause ("the dog that sees the cat").'
    )
    reported_clauses: float = setting(
        0.1, ge=0, le=1, help='Probability that a verb reports a clause ("says that the dog sleeps").'
    )
    documents: bool = setting(
        False, help="Make each sentence a document of its own, which ends with an end symbol. Off: one continuous text."
    )


def grammar(config: GrammarConfig) -> Text:
    """Return sentences drawn one after the other, as a text or as documents, with their entropy per character.

    Raises:
        BadInput: There are so many nested clauses that sentences would not end.
    """
    _, draws = config.draws()
    rules = english(config.relative_clauses, config.reported_clauses)
    entropy, characters = per_sentence(rules)
    text: list[str] = []
    missing = config.length
    for words in sentences(rules, draws):
        text.append(spelled(words))
        missing -= len(text[-1])
        if missing <= 0:
            break
    facts = {"characters_per_sentence": characters, "entropy_per_sentence": entropy}
    floors = {ENTROPY_RATE: entropy / characters}
    if config.documents and len(text) > 1:  # the border of two stands for the space between them
        return Text.of((sentence.rstrip(" ") for sentence in text), "sentences", facts=facts, floors=floors)
    return Text("".join(text)[: config.length], "sentences", facts=facts, floors=floors)


def per_sentence(rules: Rules) -> tuple[float, float]:
    """Return the entropy of a sentence in nats, and its expected number of characters.

    A derivation is a branching process. The expected number of expansions of each part of speech solves m = e + m M,
    where M counts the parts in each expansion; the entropy of a derivation is the sum of m times the entropy of that
    choice (Grenander 1976; Chi 1999). As no sentence has two derivations, it is the entropy of the sentence.

    Raises:
        BadInput: The process grows too fast.
    """
    number = {part: index for index, part in enumerate(rules)}
    M = np.zeros((len(rules), len(rules)))
    choice, letters = np.zeros(len(rules)), np.zeros(len(rules))
    for part, ways in rules.items():
        row = number[part]
        for p, symbols in ways:
            choice[row] -= p * math.log(p) if p else 0.0
            for symbol in symbols:
                if symbol in number:
                    M[row, number[symbol]] += p
                else:
                    letters[row] += p * _width(symbol)
    growth = float(np.abs(np.linalg.eigvals(M)).max())
    if growth > BUSIEST:
        raise BadInput(
            f"there are so many nested clauses that sentences would hardly end: each round of a derivation leaves "
            f"{growth:.3f} of the symbols to expand",
            field="corpus.relative_clauses",
            allowed=f"at most {BUSIEST}",
            remedy="Lower relative_clauses or reported_clauses",
        )
    uses = np.linalg.solve(np.eye(len(rules)) - M.T, np.eye(len(rules))[number[SENTENCE]])
    return float(uses @ choice), float(uses @ letters)


def sentences(rules: Rules, random: np.random.Generator) -> Iterator[list[str]]:
    """Yield the words and punctuation of one sentence after another, without end."""
    ways = {part: [symbols[::-1] for _, symbols in options] for part, options in rules.items()}
    borders = {part: list(accumulate(p for p, _ in options))[:-1] for part, options in rules.items()}
    draws: Iterator[float] = iter(())
    while True:
        words: list[str] = []
        stack = [SENTENCE]
        while stack:
            symbol = stack.pop()
            if symbol not in ways:
                words.append(symbol)
                continue
            draw = next(draws, None)
            if draw is None:
                draws = iter(random.random(_BATCH).tolist())
                draw = next(draws)
            stack.extend(ways[symbol][bisect(borders[symbol], draw)])
        yield words


def spelled(words: list[str]) -> str:
    """Return a sentence as written: capitalised, with a space after the full stop."""
    line = " ".join(words).replace(" ,", ",").replace(" .", ".")
    return line[0].upper() + line[1:] + " "


def _width(word: str) -> int:
    """Return the characters of a word including one space; punctuation has no space of its own."""
    return 1 if word in {",", "."} else len(word) + 1
