"""Checks of the results of corpora and tokenizers before they are used, so that errors name their cause."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeGuard

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, LabError, LongText, Text, Tokenization, Tokenizer, load
from lab.text.measures import symbol_counts

SAMPLE = 1 << 16
"""Number of bytes of text that are decoded, and encoded again by the loaded tokenizer."""

_METHODS = ("encode", "decode", "label", "sizes", "vocabulary")
_PARTIAL = "\ufffd"  # stands for an incomplete character
_LABELS = 64  # symbols whose labels are checked
_SLICE = 1 << 20  # characters whose bytes are counted at once
_SHOWN = 20  # characters around a difference


def check_text(text: Any) -> None:
    """Check the result of a corpus' factory; of a LongText its beginning.

    Raises:
        BadInput: The text is blank.
        LabError: It is neither Text nor LongText, or one of its fields is wrong; the problem names the field, value,
            what is allowed and what to do. The caller adds the plugin.
    """
    if not isinstance(text, Text | LongText):
        _refuse(f"the corpus gave {_kind(text)}", "a lab.api.Text", "Return Text(text, name) from its factory")
    content = text.text if isinstance(text, Text) else text.beginning
    if not isinstance(content, str):
        _refuse(f"Text.text is {_kind(content)}", "a str", "Decode bytes, and join pieces")
    if not content or content.isspace():
        what = "the corpus holds nothing but white space" if content else "the corpus is empty"
        raise BadInput(what, field="corpus", remedy="Give some text; a few thousand characters are a start")
    try:
        _bytes(content)
    except UnicodeEncodeError as error:
        half = f"half of a surrogate pair, U+{ord(error.object[error.start]):04X}"
        _refuse(f"Text.text holds {half}", "characters that UTF-8 has", "Leave it out, or replace it by U+FFFD")
    if not isinstance(text.name, str) or not text.name.strip():
        _refuse(f"Text.name is {text.name!r}", "a name for display", "Name the text: Text(text, name)")
    if not _is_integer(text.dropped) or text.dropped < 0:
        _refuse(f"Text.dropped is {text.dropped!r}", "a whole number ≥ 0", "Count the characters that were left out")
    _check_floors(text.floors)
    _check_facts(text.facts)
    if len(text.starts):
        _check_starts(text)


def check_tokenizer(
    tokenizer: Tokenizer, card: Tokenization, text: str, tokens: NDArray[np.integer[Any]] | None = None
) -> None:
    """Check a tokenizer that was just fitted, or loaded, on a text that it must handle.

    All of the text is compared by its length in bytes, the first SAMPLE bytes character by character.

    Args:
        tokenizer: The tokenizer.
        card: Its card, whose `load` must restore it.
        text: A text that it must handle.
        tokens: The encoding of all of that text, if known; else it is encoded here.

    Raises:
        LabError: It breaks the contract of lab.api.Tokenizer; the problem names the method, the result, what is allowed
            and what to do. The caller adds the plugin. Errors of its own code pass.
    """
    _check_members(tokenizer, "the factory")
    V = int(tokenizer.vocabulary_size)
    tokens = tokenizer.encode(text) if tokens is None else tokens
    _check_tokens(tokens, V)
    sizes = tokenizer.sizes()
    _check_sizes(sizes, V)
    count = max(1, int(np.searchsorted(np.cumsum(sizes[tokens[:SAMPLE]]), SAMPLE, side="right")))
    sample, complete = tokens[:count], count >= len(tokens)
    decoded = tokenizer.decode(sample)
    _check_decoded(decoded, text, complete=complete)
    total, expected = int(symbol_counts(tokens, V) @ sizes), _bytes(text)
    if total != expected:
        remedy = "Let sizes() give the bytes of each symbol's text in UTF-8, len(text.encode()), 0 for one without text"
        _refuse(f"sizes() adds up to {total} bytes for a text of {expected}", "the same number", remedy)
    covered = int(sizes[sample].sum())
    read = text[:covered].encode()[:covered].decode(errors="replace").rstrip(_PARTIAL)
    if not complete and decoded.rstrip(_PARTIAL) != read:
        what = f"decode gives {len(decoded)} characters for {count} symbols that stand for {covered} bytes of text"
        _refuse(what, "all their text", "Decode every symbol; bytes that are not yet UTF-8 become U+FFFD")
    for token in sorted({*range(min(V, _LABELS)), *sample[:_LABELS].tolist(), V - 1}):
        label = tokenizer.label(token)
        if not isinstance(label, str):
            _refuse(f"label({token}) gives {_kind(label)}", "a str", "Return what the user sees for this one symbol")
    restored = _through_json(tokenizer.vocabulary())
    _check_again(load(card.load)(restored), tokenizer, sample, read)


def _check_floors(floors: Any) -> None:
    remedy = 'Give losses in nats per character by name: floors={"entropy rate": 1.2}'
    if not isinstance(floors, Mapping):
        _refuse(f"Text.floors is {_kind(floors)}", "a dict", remedy)
    for name, value in floors.items():
        if not _is_number(value) or not math.isfinite(value) or value < 0:
            _refuse(f"the floor {name!r} is {value!r}", "a finite number ≥ 0", f"{remedy}, or leave {name!r} out")


def _check_starts(text: Text | LongText) -> None:
    remedy = "Make it of its documents: Text.of(documents, name)"
    starts = np.asarray(text.starts)
    if not _holds_integers(starts) or starts.ndim != 1:
        _refuse("Text.starts is not a list of whole numbers", "the position of each document's first character", remedy)
    if len(starts) < 2:
        _refuse("Text.starts names one document", "at least two, or none for one continuous text", remedy)
    characters = len(text.text) if isinstance(text, Text) else text.characters
    if starts[0] or (np.diff(starts) < 2).any() or starts[-1] >= characters:
        what = "Text.starts does not rise from 0 within the text"
        _refuse(what, "positions from 0 on, each with a character and a line break behind it", remedy)
    content = text.text if isinstance(text, Text) else ""  # the borders of a long text are read when it is tokenized
    inner = starts[1:].tolist() if content else []
    other = next((start for start in inner if content[start - 1] != "\n"), None)
    if other is not None:
        _refuse(f"no line break is before character {other}, where a document begins", "a line break", remedy)


def _check_facts(facts: Any) -> None:
    if not isinstance(facts, Mapping):
        _refuse(f"Text.facts is {_kind(facts)}", "a dict", 'Give facts by name: facts={"version": "1.0"}')
    for name, value in facts.items():
        try:
            json.dumps({name: value}, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            remedy = f"Write {name!r} as text, numbers, lists and dicts of these: str(…), int(…), .tolist()"
            _refuse(f"the fact {name!r} is not plain data: {error}", "what JSON can hold", remedy)


def _check_members(tokenizer: Any, where: str) -> None:
    for name in _METHODS:
        if not callable(getattr(tokenizer, name, None)):
            what = f"{where} gave {_kind(tokenizer)}, which has no method {name}"
            _refuse(what, f"a lab.api.Tokenizer, with {', '.join(_METHODS)}", f"Write the method {name}")
    size = getattr(tokenizer, "vocabulary_size", None)
    if not _is_integer(size) or size < 1:
        what = f"vocabulary_size is {'a method' if callable(size) else repr(size)}"
        _refuse(what, "a whole number ≥ 1", "Set self.vocabulary_size to the number of symbols")


def _check_tokens(tokens: Any, size: int) -> None:
    allowed = f"a numpy array (N,) of whole numbers from 0 to {size - 1}"
    if not isinstance(tokens, np.ndarray):
        _refuse(f"encode gives {_kind(tokens)}", allowed, "Return np.array(numbers, np.int64)")
    if tokens.ndim != 1 or not _holds_integers(tokens):
        what = f"encode gives {tokens.dtype} numbers of the shape {tokens.shape}"
        _refuse(what, allowed, "Return np.array(numbers, np.int64), one number per symbol")
    if tokens.size and not 0 <= tokens.min() <= tokens.max() < size:
        what = f"encode gives numbers from {tokens.min()} to {tokens.max()}, and vocabulary_size is {size}"
        _refuse(what, allowed, "Number the symbols from 0, and set vocabulary_size to their number")


def _check_sizes(sizes: Any, size: int) -> None:
    allowed = f"a numpy array ({size},) of whole numbers ≥ 0, the bytes of each symbol's text in UTF-8"
    remedy = "Return np.array([len(text.encode()) for text in symbols], np.int64)"
    if not isinstance(sizes, np.ndarray):
        _refuse(f"sizes() gives {_kind(sizes)}", allowed, remedy)
    if sizes.shape != (size,) or not _holds_integers(sizes):
        _refuse(f"sizes() gives {sizes.dtype} numbers of the shape {sizes.shape}", allowed, remedy)
    if sizes.min() < 0:
        symbol = int(sizes.argmin())
        _refuse(f"sizes() gives {sizes[symbol]} for symbol {symbol}", allowed, remedy)


def _check_decoded(decoded: Any, text: str, *, complete: bool) -> None:
    """Check that decode returns the text: all of it, or its beginning if symbols were left out."""
    if not isinstance(decoded, str):
        _refuse(f"decode gives {_kind(decoded)}", "a str", "Join the texts of the symbols")
    if decoded == text or (not complete and text.startswith(decoded)):
        return
    pairs = enumerate(zip(decoded, text, strict=False))
    same = next((index for index, (own, other) in pairs if own != other), min(len(decoded), len(text)))
    if not complete and not decoded[same:].strip(_PARTIAL):
        return
    here = f"at character {same} the text has {text[same:][:_SHOWN]!r}, decode returns {decoded[same:][:_SHOWN]!r}"
    remedy = "Let encode keep every character, and raise BadInput for those the vocabulary lacks; let decode undo it"
    _refuse(f"decode does not restore the text: {here}", "decode(encode(text)) == text", remedy)


def _through_json(vocabulary: Any) -> Any:
    remedy = "Build it from dicts with str keys, lists, text, numbers and None, and convert it back in load"
    if not isinstance(vocabulary, dict):
        _refuse(f"vocabulary() gives {_kind(vocabulary)}", "a dict of plain JSON", remedy)
    try:
        restored = json.loads(json.dumps(vocabulary, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        _refuse(f"vocabulary() is not plain JSON: {error}", "a dict of plain JSON", remedy)
    changed = _changed(vocabulary, restored, "vocabulary()")
    if changed is not None:
        _refuse(f"vocabulary() is changed by JSON: {changed}", "values that JSON preserves", remedy)
    return restored


def _changed(before: Any, after: Any, path: str) -> str | None:
    """Return the first difference between a value and its copy through JSON."""
    if isinstance(before, dict) and isinstance(after, dict):
        strange = next((key for key in before if not isinstance(key, str)), None)
        if strange is not None:
            return f"{path} has the key {strange!r}, which JSON turns into text"
        items = ((before[key], after[key], f"{path}[{key!r}]") for key in before)
    elif isinstance(before, list) and isinstance(after, list):
        items = ((one, other, f"{path}[{i}]") for i, (one, other) in enumerate(zip(before, after, strict=True)))
    elif before == after:
        return None
    else:
        return f"{path} is {_kind(before)} and becomes {_kind(after)}"
    return next(filter(None, (_changed(*item) for item in items)), None)


def _check_again(again: Any, tokenizer: Tokenizer, sample: NDArray[np.integer[Any]], text: str) -> None:
    """Check that the tokenizer restored from the stored vocabulary encodes like the fitted one."""
    _check_members(again, "load(vocabulary())")
    queries: dict[str, Callable[[Tokenizer], Any]] = {
        "vocabulary_size": lambda one: one.vocabulary_size,
        "encode": lambda one: _encoded(one, text),
        "decode": lambda one: one.decode(sample),
        "sizes": lambda one: one.sizes(),
    }
    for name, query in queries.items():
        own, other = query(tokenizer), query(again)
        arrays = isinstance(own, np.ndarray) or isinstance(other, np.ndarray)
        if not (np.array_equal(own, other) if arrays else own == other):
            remedy = "Put everything the tokenizer needs into vocabulary(), and restore it only from that in load"
            _refuse(f"{name} of load(vocabulary()) differs from that of the fitted tokenizer", "the same", remedy)


def _encoded(tokenizer: Tokenizer, text: str) -> Any:
    """Return the encoding of a text, or None if it is refused: a text that was cut may end inside a symbol."""
    try:
        return tokenizer.encode(text)
    except BadInput:
        return None


def _bytes(text: str) -> int:
    """Return the length in UTF-8, without a copy of the text."""
    if text.isascii():
        return len(text)
    return sum(len(text[start : start + _SLICE].encode()) for start in range(0, len(text), _SLICE))


def _is_integer(value: Any) -> TypeGuard[int]:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _is_number(value: Any) -> TypeGuard[float]:
    return _is_integer(value) or isinstance(value, float | np.floating)


def _holds_integers(values: NDArray[Any]) -> bool:
    return values.dtype.kind in "iu" and np.can_cast(values.dtype, np.int64)


def _kind(value: Any) -> str:
    if value is None:
        return "None"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _refuse(what: str, allowed: str, remedy: str) -> NoReturn:
    raise LabError(what, allowed=allowed, remedy=remedy)
