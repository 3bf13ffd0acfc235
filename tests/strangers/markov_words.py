"""Text of known entropy: a Markov chain over words (Shannon 1948, section 7); a tokenizer of one symbol per word."""

import re
from bisect import bisect
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lab.api import BadInput, Corpus, ModelConfig, NoSettings, Register, Text, Tokenization, hookimpl, setting

LAB_API_VERSION = 1
WORDS = (
    "the", "a", "one", "old", "red", "small", "quick", "dog", "cat", "bird", "house",
    "river", "runs", "sleeps", "sings", "sees", "and", "or", "then", "here",
)  # fmt: skip


class ChainConfig(ModelConfig):
    sharpness: float = setting(8.0, ge=0, le=20, help="Unevenness of the transitions; 0 makes all equally likely.")
    length: int = setting(50_000, ge=100, le=10**7, log=True, unit="words", help="Words of the text.")
    seed: int = setting(0, ge=0, lt=2**63, help="Seed of the transition probabilities and of the walk.")


def walk(config: ChainConfig) -> Text:
    random = np.random.default_rng(config.seed)
    weights = np.exp(config.sharpness * random.random((len(WORDS), len(WORDS))))
    P = weights / weights.sum(axis=1, keepdims=True)  # P[i, j] = p(next = j | now = i), all above 0
    stationary = np.linalg.solve(np.eye(len(P)) - P.T + 1, np.ones(len(P)))  # π = π P and Σ π = 1 in one system
    entropy = -stationary @ (P * np.log(P)).sum(axis=1)  # nats per word

    borders = P.cumsum(axis=1)[:, :-1].tolist()
    words = [bisect(stationary.cumsum()[:-1].tolist(), random.random())]
    for draw in random.random(config.length - 1).tolist():
        words.append(bisect(borders[words[-1]], draw))
    text = "".join(WORDS[word] + " " for word in words)
    floor = entropy * len(words) / len(text)  # per character of this text, so per word exactly
    return Text(text, "Markov chain of words", floors={"entropy rate": float(floor)})


class SpacedWords:
    def __init__(self, symbols: Sequence[str]) -> None:
        self.symbols, self.vocabulary_size = list(symbols), len(symbols)
        self.numbers = {symbol: number for number, symbol in enumerate(symbols)}

    def encode(self, text: str) -> np.ndarray:
        try:
            return np.array([self.numbers[symbol] for symbol in split(text)], np.int64)
        except KeyError as error:
            raise BadInput(
                "is not in the vocabulary", field="text", value=error.args[0], remedy="Words end with a space here"
            ) from None

    def decode(self, tokens: Sequence[int] | np.ndarray) -> str:
        return "".join(self.symbols[token] for token in tokens)

    def label(self, token: int) -> str:
        return self.symbols[token].replace(" ", "␣").replace("\n", "⏎")

    def sizes(self) -> np.ndarray:
        return np.array([len(symbol.encode()) for symbol in self.symbols], np.int64)

    def vocabulary(self) -> dict[str, Any]:
        return {"symbols": self.symbols}


def split(text: str) -> list[str]:
    return re.findall(r"\w+ ?|\W", text)  # a word with the space after it, or a single other character


def fit(config: NoSettings, text: str) -> SpacedWords:
    return SpacedWords(sorted(set(split(text))))


def load(vocabulary: Mapping[str, Any]) -> SpacedWords:
    return SpacedWords(vocabulary["symbols"])


@hookimpl
def lab_register_corpora(register: Register[Corpus]) -> None:
    register(
        Corpus(
            name="markov-words",
            title="Markov chain of words",
            build=walk,
            config=ChainConfig,
            summary="Each word depends on the one before it; the entropy rate is a floor.",
        )
    )


@hookimpl
def lab_register_tokenizers(register: Register[Tokenization]) -> None:
    register(
        Tokenization(
            name="spaced-words",
            title="Words with their space",
            build=fit,
            load=load,
            summary="One symbol per word with the space after it.",
        )
    )
