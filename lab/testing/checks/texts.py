"""Checks of corpora and tokenizers: what a run relies on between a text and its numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from lab.api import BadInput, Examples, LongText, ModelConfig, Text, Tokenizer
from lab.testing.check import remedied, require
from lab.testing.registration_case import RegistrationCase, registration_check, use_of
from lab.testing.tiny import ASCII, STRANGE, TEXT
from lab.text.examples.promises import check_examples
from lab.text.examples.source import sha256_of
from lab.text.promises import check_text, check_tokenizer

# ---- corpora


@use_of("corpora")
def read(case: RegistrationCase, config: ModelConfig | None = None) -> Text | LongText | Examples:
    """Return what a corpus makes."""
    given: Text | LongText | Examples = case.make(config=config)
    return given


@registration_check("corpora", name="contract", after="card")
def gives_a_text(case: RegistrationCase) -> None:
    """The corpus is a text that is not blank, with floors and facts, or examples that it draws as declared."""
    given = read(case)
    if not isinstance(given, Examples):
        check_text(_whole(given))
        return
    check_examples(given)
    if given.at_length is not None:
        length = 2 * given.length
        longer = given.at_length(length)
        check_examples(longer)
        same = longer.symbols == given.symbols and longer.length == length
        require(same, f"at_length({length}) is another source", "give the same symbols, and the requested `length`")


@registration_check("corpora", name="same")
def gives_the_same_text(case: RegistrationCase) -> None:
    """Equal settings give the same text or examples, floors and facts."""
    first, second = read(case), read(case)
    own = "draw from a generator that is seeded by a setting, sort what comes from sets and folders, leave the time out"
    if isinstance(first, Examples) and isinstance(second, Examples):
        require(sha256_of(first) == sha256_of(second), "draw differs between two sources with equal settings", own)
        names = ["name", "symbols", "longest", "entropy", "length", "facts"]
    else:
        first, second = _whole(first), _whole(second)
        names = ["text", "name", "dropped", "facts", "floors"]
    for name in names:
        one, other = getattr(first, name), getattr(second, name)
        where = f"{type(first).__name__}.{name}"
        require(one == other, f"{where} differs between two readings with equal settings", own)


def _whole(given: Any) -> Any:
    """Return a text; a long one in one piece."""
    if not isinstance(given, LongText):
        return given
    return Text("".join(given.pieces()), given.name, given.dropped, given.facts, given.floors)


# ---- tokenizers


@use_of("tokenizers")
def fit(case: RegistrationCase, config: ModelConfig | None = None) -> tuple[Tokenizer, str]:
    """Return a tokenizer, and the text it was fitted to."""
    if case.text is not None:
        return case.make(case.text, config=config), case.text
    try:
        tokenizer = case.make(TEXT, config=config)
        tokenizer.encode(TEXT)
    except BadInput:  # it may be for English alone
        return case.make(ASCII, config=config), ASCII
    return tokenizer, TEXT


@registration_check("tokenizers", name="contract", after="card")
def keeps_its_promises(case: RegistrationCase) -> None:
    """Text becomes symbols and the same text again; sizes add up; the stored vocabulary makes the same tokenizer."""
    tokenizer, text = fit(case)
    check_tokenizer(tokenizer, case.card, text)


@registration_check("tokenizers", name="same")
def cuts_the_same(case: RegistrationCase) -> None:
    """Fitted twice to the same text, it cuts it in the same way."""
    (first, text), (second, _) = fit(case), fit(case)
    same = first.vocabulary() == second.vocabulary() and np.array_equal(first.encode(text), second.encode(text))
    order = "sort what comes from sets and counts, break ties by the text, and draw nothing"
    require(same, "two tokenizers fitted to one text differ", order)


@registration_check("tokenizers", name="unknown")
def refuses_what_it_does_not_know(case: RegistrationCase) -> None:
    """Text that it was not fitted to is encoded, or refused with BadInput."""
    tokenizer, _ = fit(case)
    words = 'raise BadInput("is not in the vocabulary", field="text", value=…) where encode meets unknown text'
    with remedied(f"encode({STRANGE!r})", words):
        try:
            tokens = tokenizer.encode(STRANGE)
        except BadInput:
            return
    within = not len(tokens) or 0 <= np.min(tokens) <= np.max(tokens) < tokenizer.vocabulary_size
    number = "give unknown text a symbol of its own, within the vocabulary, or refuse it with BadInput"
    require(bool(within), f"encode({STRANGE!r}) gives numbers outside of the vocabulary", number)


@registration_check("tokenizers", name="symbols")
def decodes_what_models_write(case: RegistrationCase) -> None:
    """Symbols in any order are decoded, as a list or an array; no text is no symbols."""
    tokenizer, _ = fit(case)
    written = np.random.default_rng(0).integers(0, tokenizer.vocabulary_size, 50)
    anyway = "give the text of any symbols in any order: models write them, and bytes that are no UTF-8 become U+FFFD"
    with remedied("decode of symbols in an order that no text has", anyway):
        decoded = tokenizer.decode(written)
    alike = "take a numpy array and a list of int alike"
    with remedied("decode of a list", alike):
        require(tokenizer.decode(written.tolist()) == decoded, "decode of a list differs from that of an array", alike)
    with remedied('encode("") or decode([])', "let no text be an array of no symbols, and no symbols no text"):
        empty = tokenizer.encode("")
        shape = "return np.array(numbers, np.int64), which is an array of whole numbers even where it is empty"
        whole = isinstance(empty, np.ndarray) and empty.shape == (0,) and empty.dtype.kind in "iu"
        require(whole, f'encode("") gives {empty!r}', shape)
        nothing = tokenizer.decode([])
        require(nothing == "", f"decode([]) gives {nothing!r}", 'let decode([]) be ""')
