"""Filters that know the texts of tokens: a ban list, biases of chosen tokens, and an alphabet."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable

import torch
from torch import Tensor

from lab.api import BadInput, FilterFunction, Histories, Tokenizer
from lab.decoding.builtins import AlphabetConfig, BanListConfig, LogitBiasConfig


def ban_filter(config: BanListConfig, tokenizer: Tokenizer) -> FilterFunction:
    """Return the filter that removes the last token of a banned text after the tokens before it."""
    return _biased([(tokens, -math.inf) for text in config.texts for tokens in _known(text, tokenizer)])


def bias_filter(config: LogitBiasConfig, tokenizer: Tokenizer) -> FilterFunction:
    """Return the filter that adds a number to the logit of the last token of a text after the tokens before it.

    Raises:
        BadInput: An entry is no text with a number, or the number is +∞ or NaN.
    """
    biases = []
    for entry in config.biases:
        text, equals, written = entry.rpartition("=")
        try:
            bias = float(written)
        except ValueError:
            bias = math.nan
        if not text or not equals or not bias < math.inf:
            remedy = "Write a text, an equals sign and a number: e=-2"
            raise BadInput(f"{entry!r} is no bias", field="filters.logit-bias.biases", remedy=remedy)
        biases += [(tokens, bias) for tokens in _known(text, tokenizer)]
    return _biased(biases)


def alphabet_filter(config: AlphabetConfig, tokenizer: Tokenizer) -> FilterFunction:
    """Return the filter that leaves tokens whose text consists of the alphabet's characters, and those without text."""
    allowed = set(config.characters)
    if not allowed:
        return lambda logits, _histories: logits
    texts = [tokenizer.decode([token]) for token in range(tokenizer.vocabulary_size)]
    foreign = torch.tensor(
        [token for token, text in enumerate(texts) if not allowed.issuperset(text)], dtype=torch.long
    )

    def filtered(logits: Tensor, _histories: Histories) -> Tensor:
        return logits.index_fill(-1, foreign, -math.inf)

    return filtered


def _known(text: str, tokenizer: Tokenizer) -> Iterable[list[int]]:
    """Yield the tokens of a text, unless it is empty or the vocabulary lacks a part: then it never comes."""
    with contextlib.suppress(BadInput):
        tokens = [int(token) for token in tokenizer.encode(text)]
        if tokens:
            yield tokens


def _biased(biases: list[tuple[list[int], float]]) -> FilterFunction:
    def filtered(logits: Tensor, histories: Histories) -> Tensor:
        added = torch.zeros_like(logits)
        for row, history in enumerate(histories):
            for (*before, last), bias in biases:
                if not before or list(history[-len(before) :]) == before:
                    added[row, last] += bias
        return logits + added

    return filtered
