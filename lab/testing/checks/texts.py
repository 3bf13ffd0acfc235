"""Checks of corpora and tokenizers: the requirements of a run on text and tokens."""

from __future__ import annotations

from typing import Any

import numpy as np

from lab.api import BadInput, Examples, LongText, ModelConfig, Rows, Text, Tokenizer
from lab.testing.check import remedied, require
from lab.testing.registration_case import RegistrationCase, registration_check, use_of
from lab.testing.tiny import ASCII, STRANGE, TEXT
from lab.text.corpora.mixture import Mixture, MixtureConfig
from lab.text.examples.promises import check_examples
from lab.text.examples.source import sha256_of
from lab.text.promises import check_text, check_tokenizer
from lab.text.rows.promises import check_rows
from lab.training.material import Given, kind_of

# ---- corpora


@use_of("corpora")
def read(case: RegistrationCase, config: ModelConfig | None = None) -> Given:
    """Return the text, examples or rows of a corpus."""
    parts = {"first": Text(TEXT, "first"), "second": Text(ASCII, "second")}
    given: Given = case.make(*([parts] if isinstance(case.given, MixtureConfig) else []), config=config)
    if isinstance(given, Mixture):
        given.weights()
    return given


@registration_check("corpora", name="contract", after="card")
def gives_a_text(case: RegistrationCase) -> None:
    """The corpus is a text that is not blank, examples drawn as declared, or rows without gaps, as its card says."""
    given = read(case)
    kind, remedy = kind_of(given), "write on the card what the factory gives"
    require(case.card.kind == kind, f"the card says {case.card.kind!r}, and the corpus gives {kind!r}", remedy)
    if isinstance(given, Rows):
        check_rows(given)
        return
    if not isinstance(given, Examples):
        check_text(_whole(given))
        return
    check_examples(given)
    if given.at_length is not None:
        length = 2 * given.length
        longer = given.at_length(length)
        check_examples(longer)
        same = longer.symbols == given.symbols and longer.length == length
        require(same, f"at_length({length}) is another source", "use the same symbols, and the requested `length`")


@registration_check("corpora", name="same")
def gives_the_same_text(case: RegistrationCase) -> None:
    """Equal settings give the same text, examples or rows, floors and facts."""
    first, second = read(case), read(case)
    remedy = (
        "draw from a generator that is seeded by a setting, sort the contents of sets and folders, do not use the time"
    )
    if isinstance(first, Rows) and isinstance(second, Rows):
        require(first.sha256 == second.sha256, "the rows differ between two readings with equal settings", remedy)
        names = ["name", "facts", "floors"]
    elif isinstance(first, Examples) and isinstance(second, Examples):
        require(sha256_of(first) == sha256_of(second), "draw differs between two sources with equal settings", remedy)
        names = ["name", "symbols", "longest", "entropy", "length", "facts"]
    else:
        first, second = _whole(first), _whole(second)
        names = ["text", "name", "dropped", "facts", "floors"]
    for name in names:
        one, other = getattr(first, name), getattr(second, name)
        where = f"{type(first).__name__}.{name}"
        require(one == other, f"{where} differs between two readings with equal settings", remedy)


def _whole(given: Any) -> Any:
    """Return a text, and a long one in one piece."""
    if not isinstance(given, LongText):
        return given
    return Text("".join(given.pieces()), given.name, given.dropped, given.facts, given.floors)


# ---- tokenizers


@use_of("tokenizers")
def fit(case: RegistrationCase, config: ModelConfig | None = None) -> tuple[Tokenizer, str]:
    """Return a tokenizer and the text that it was fitted to."""
    if case.text is not None:
        return case.make(case.text, config=config), case.text
    try:
        tokenizer = case.make(TEXT, config=config)
        tokenizer.encode(TEXT)
    except BadInput:  # it may only support English
        return case.make(ASCII, config=config), ASCII
    return tokenizer, TEXT


@registration_check("tokenizers", name="contract", after="card")
def keeps_its_promises(case: RegistrationCase) -> None:
    """Text becomes symbols and the same text again; sizes are consistent; the vocabulary restores the tokenizer."""
    tokenizer, text = fit(case)
    check_tokenizer(tokenizer, case.card, text)


@registration_check("tokenizers", name="same")
def cuts_the_same(case: RegistrationCase) -> None:
    """Fitted twice to the same text, it splits it in the same way."""
    (first, text), (second, _) = fit(case), fit(case)
    same = first.vocabulary() == second.vocabulary() and np.array_equal(first.encode(text), second.encode(text))
    remedy = "sort the contents of sets and counts, break ties by the text, and draw nothing"
    require(same, "two tokenizers fitted to one text differ", remedy)


@registration_check("tokenizers", name="unknown")
def refuses_what_it_does_not_know(case: RegistrationCase) -> None:
    """Text that it was not fitted to is encoded, or refused with BadInput; the latter only if it is fitted to all."""
    tokenizer, _ = fit(case)
    remedy = 'raise BadInput("is not in the vocabulary", field="text", value=…) where encode meets unknown text'
    with remedied(f"encode({STRANGE!r})", remedy):
        try:
            tokens = tokenizer.encode(STRANGE)
        except BadInput as error:
            what = f'encode({STRANGE!r}) is refused ({error.problem.what}), and the card says fitted_to="training"'
            refusal = 'encode every text, or leave fitted_to="all", so that nothing is missing in the validation part'
            require(case.card.fitted_to != "training", what, refusal)
            return
    within = not len(tokens) or 0 <= np.min(tokens) <= np.max(tokens) < tokenizer.vocabulary_size
    remedy = "encode unknown text as a special symbol of the vocabulary, or raise BadInput"
    require(bool(within), f"encode({STRANGE!r}) returns numbers outside of the vocabulary", remedy)


@registration_check("tokenizers", name="symbols")
def decodes_what_models_write(case: RegistrationCase) -> None:
    """Symbols in any order are decoded, as a list or an array; empty text has no symbols."""
    tokenizer, _ = fit(case)
    written = np.random.default_rng(0).integers(0, tokenizer.vocabulary_size, 50)
    remedy = "decode any symbols in any order, since models generate them; bytes that are not UTF-8 become U+FFFD"
    with remedied("decode of symbols in an unusual order", remedy):
        decoded = tokenizer.decode(written)
    remedy = "accept a numpy array and a list of int alike"
    with remedied("decode of a list", remedy):
        require(tokenizer.decode(written.tolist()) == decoded, "decode of a list differs from that of an array", remedy)
    with remedied('encode("") or decode([])', "return an empty array for empty text, and empty text for no symbols"):
        empty = tokenizer.encode("")
        remedy = "return np.array(numbers, np.int64), which is an array of integers even if it is empty"
        whole = isinstance(empty, np.ndarray) and empty.shape == (0,) and empty.dtype.kind in "iu"
        require(whole, f'encode("") returns {empty!r}', remedy)
        nothing = tokenizer.decode([])
        require(nothing == "", f"decode([]) returns {nothing!r}", 'let decode([]) return ""')
