"""Filters that hold the text to a regular expression or a JSON schema, by the library llguidance."""

from __future__ import annotations

import contextlib
import json
import math
import re
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from lab.api import BadInput, Constraint, FilterFunction, Histories, LabError, Tokenizer, bytes_of
from lab.base.extras import need
from lab.decoding.builtins import JsonSchemaConfig, RegexConfig

LIMITS = {"initial_lexer_fuel": 1_000_000, "step_lexer_fuel": 500_000, "max_lexer_states": 20_000}
"""Steps to read a pattern, steps for a token (some 40 ms), and states that a pattern may take (some 40 MB)."""
SHOWN = 60
"""The most characters of a pattern in a problem."""


def regex_filter(config: RegexConfig, tokenizer: Tokenizer, prompt: int) -> FilterFunction:
    """Return the filter that leaves the tokens with which the text after the prompt can become one that matches.

    Raises:
        BadInput: The pattern cannot be read or is too complex, or no text of this vocabulary matches it; or llguidance
            is not installed.
    """
    if not config.pattern:
        return lambda logits, _histories: logits
    field = "filters.regex.pattern"
    writable = _writable(tokenizer)
    pattern = _literal(config.pattern)
    rule = pattern if writable is None else f"{pattern} & {_literal(writable)}"
    return _GrammarFilter(f"start: TEXT\nTEXT: {rule}\n", tokenizer, prompt, field, config.pattern)


def json_filter(config: JsonSchemaConfig, tokenizer: Tokenizer, prompt: int) -> FilterFunction:
    """Return the filter that leaves the tokens with which the text after the prompt can become JSON of a schema.

    Raises:
        BadInput: The schema cannot be read or is too complex, or no text of this vocabulary fits it; or llguidance is
            not installed.
    """
    if not config.schema_text:
        return lambda logits, _histories: logits
    field = "filters.json-schema.schema_text"
    try:
        schema = json.loads(config.schema_text)
    except ValueError as error:
        raise BadInput(f"is no JSON: {error}", field=field, value=config.schema_text[:SHOWN]) from None
    return _GrammarFilter(f"start: %json {json.dumps(schema)}\n", tokenizer, prompt, field, config.schema_text)


class _GrammarFilter(Constraint):
    """The texts of a grammar.

    Args:
        grammar: In the language of llguidance.
        tokenizer: The tokenizer of the model.
        prompt: Number of tokens before the text.
        field: The setting, for problems.
        value: Its value, for problems.
    """

    def __init__(self, grammar: str, tokenizer: Tokenizer, prompt: int, field: str, value: str) -> None:
        library = need("llguidance", "grammars", "Text of a given form")
        self._prompt, self._size = prompt, tokenizer.vocabulary_size
        self._refusal = {"field": field, "value": value[:SHOWN]}
        self._ends = [int(end) for end in getattr(tokenizer, "end_of_text", ())]
        own_end = getattr(tokenizer, "end", None)  # of a turn
        self._ends += [own_end] if isinstance(own_end, int) and own_end not in self._ends else []
        words = [b"" if token in self._ends else bytes_of(tokenizer, token) for token in range(self._size)]
        forms = f'%llguidance {{"no_forcing": true}}\n{grammar}'  # of all ways to cut a text, not of the usual alone
        self._matcher = library.LLMatcher(
            _vocabulary(library, words),
            forms,
            log_level=0,
            limits=library.LLParserLimits(**LIMITS, verbose_errors=False),
        )
        self._unread, self._read = self._matcher.deep_copy(), list[int]()
        self._check()
        self._allowed([])  # the first tokens tell whether anything matches

    def __call__(self, logits: Tensor, histories: Histories) -> Tensor:
        """Return logits (H, V) of the tokens that may follow; those that end a text may if it is complete."""
        size = logits.shape[-1]
        removed = torch.ones(len(histories), size, dtype=torch.bool)
        for row, history in enumerate(histories):
            allowed, complete = self._allowed(history[self._prompt :])
            shared = min(size, self._size)
            removed[row, :shared] = ~allowed[:shared]
            ends = [*(end for end in self._ends if end < size), *range(self._size, size)]  # and that of a target
            removed[row, ends] = not complete
        return logits.masked_fill(removed, -math.inf)

    def is_complete(self, history: Sequence[int]) -> bool:
        """Return True if the text fits, and no longer one does."""
        text = history[self._prompt :]
        if text and text[-1] in self._ends:
            return True
        with contextlib.suppress(LabError):
            allowed, complete = self._allowed(text)
            return complete and not bool(allowed.any())
        return False

    def _allowed(self, text: Sequence[int]) -> tuple[Tensor, bool]:
        """Return which tokens (V,) may follow a text, and whether it is complete as it is."""
        self._go_to(text)
        mask = torch.frombuffer(bytearray(self._matcher.compute_logit_bias()), dtype=torch.uint8) > 0
        self._check()
        return mask[: self._size], bool(mask[self._size])

    def _check(self) -> None:
        """Raise what the library reports, and let the matcher begin anew."""
        if not self._matcher.is_error():
            return
        reason, stopped, started = self._matcher.get_error(), self._matcher.stop_reason(), len(self._read) > 0
        self._matcher = self._unread.deep_copy()  # one that has failed gives no answer any more
        self._read = []
        raise self._refused(reason, stopped, started=started)

    def _go_to(self, text: Sequence[int]) -> None:
        """Let the matcher have read a text: back to what it has in common with the last one, and on from there."""
        same = 0
        while same < min(len(text), len(self._read)) and text[same] == self._read[same]:
            same += 1
        if len(self._read) > same:
            self._matcher.rollback(len(self._read) - same)
        self._read = self._read[:same]
        for token in text[same:]:
            self._matcher.consume_token(min(token, self._size))
            self._check()
            self._read.append(token)

    def _refused(self, reason: str, stopped: str, *, started: bool) -> BadInput:
        """Return the problem that the library reports, in the words of the lab."""
        report = f"{reason} {stopped}"
        if "NoExtension" in report or "no tokens" in report:
            what = "no text of this vocabulary can match it"
            if started:
                what = "no token of the vocabulary leads on from the text so far"
            remedy = "Use characters that the vocabulary has, and a pattern that some text matches"
            return BadInput(what, **self._refusal, remedy=remedy)
        if any(word in report for word in ("TooComplex", "fuel", "too many", "limit")):
            return BadInput("is too complex", **self._refusal, remedy="Write it with fewer and smaller repetitions")
        if "doesn't satisfy" in report:
            return BadInput("the text so far does not fit it", **self._refusal)
        error = next((line for line in reason.splitlines() if line.startswith("error: ")), reason.partition("\n")[0])
        error = error.removeprefix("error: ")
        return BadInput(f"cannot be read: {error}", **self._refusal)


class _Words:
    """The vocabulary as llguidance asks for it; the last symbol is the end of a text."""

    bos_token_id = None

    def __init__(self, words: list[bytes]) -> None:
        self.tokens = [*words, b"<end>"]
        self.eos_token_id = len(words)
        self.special_token_ids = [len(words)]

    def __call__(self, text: bytes | str) -> list[int]:
        """Cut no text: what may follow is asked token by token."""
        del text
        return []


def _vocabulary(library: Any, words: list[bytes]) -> Any:
    return library.LLTokenizer(library.TokenizerWrapper(_Words(words)), n_vocab=len(words) + 1, slices=[])


def _literal(pattern: str) -> str:
    """Return a regular expression as one of the grammar, in which a dot is no line break."""
    return (
        "/" + re.sub(r"(\\.)|/", lambda found: found[1] or "\\/", pattern, flags=re.DOTALL).replace("\n", "\\n") + "/"
    )


def _writable(tokenizer: Tokenizer) -> str | None:
    """Return the pattern of all texts that a vocabulary can write; None if it has every byte."""
    words = {bytes_of(tokenizer, token) for token in range(tokenizer.vocabulary_size)} - {b""}
    if all(bytes([byte]) in words for byte in range(256)):
        return None
    texts = sorted(word.decode(errors="ignore") for word in words)
    characters = "".join(map(_escaped, (text for text in texts if len(text) == 1)))
    longer = ["".join(map(_escaped, text)) for text in texts if len(text) > 1]
    return f"(?:{'|'.join([*([f'[{characters}]'] if characters else []), *longer])})*"


def _escaped(character: str) -> str:
    """Return a character as it is written in a pattern, inside of brackets and outside."""
    return character if character.isalnum() else f"\\x{{{ord(character):X}}}"
