"""The tokenizer of a pretrained model, from its tokenizer.json: byte pair encoding as in GPT-2's or LLaMA's files.

Three things differ from the program that wrote the file, so that every text is restored exactly: no space is put before
a text, no character is replaced by an equivalent one (NFC), and no symbol for start or end is added. Such a symbol is
read where it is written out: "<s>", "<|endoftext|>".
"""

from __future__ import annotations

import contextlib
import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, ModelConfig, Tokenizer, setting
from lab.base.files.reading import parse_json, read_text
from lab.text.tokenizers.pretokens import LETTERS, cutter, library, slices, to_bytes
from lab.text.tokenizers.subwords import SubwordTokenizer
from lab.text.tokenizers.units import ByteTokenizer, CharacterTokenizer
from lab.text.tokenizers.vocabularies import (
    LARGEST,
    Tokens,
    check_encodable,
    checked_numbers,
    damaged,
    is_valid_text,
    label_of,
    table_of,
)

FILE = "tokenizer.json"
"""The name of the file next to a model."""

_LARGEST_FILE = 64 << 20  # bytes
_CHOOSE = "Choose the file tokenizer.json of a model"
_BATCH = 32  # slices tokenized at once
_SPACE = "▁"  # a space in the symbols of SentencePiece
_BYTE = re.compile(r"<0x([0-9A-F]{2})>")
_INSIDE = re.compile(r"\S ")  # a symbol that continues after a space: then a text must be tokenized as one
_BETWEEN = re.compile(r"(?<=\S)(?= )")


class PretrainedConfig(ModelConfig):
    """The path of the file."""

    path: str = setting(
        "", path=True, help="A tokenizer.json of Hugging Face, or its folder. The run stores its content."
    )


class PretrainedTokenizer:
    """A tokenizer defined by a tokenizer.json, with symbols of one or more bytes; reads every text.

    Args:
        tokenizer: The text of a tokenizer.json.
        size: Number of symbols of the model; those missing in the file have no text. None means as many as in the file.
        end_of_text: Numbers of the symbols with which the model ends a text.
        field: The field of problems.
        value: The value of that field.

    Raises:
        BadInput: It is not a tokenizer, or one that would not restore every text; the problem gives the reason.
    """

    def __init__(
        self,
        tokenizer: str,
        size: int | None = None,
        *,
        end_of_text: Sequence[int] = (),
        field: str = "tokenizer",
        value: str = "",
    ) -> None:
        self._refusal = {"field": field, "value": value or None}
        data = self._parsed(tokenizer)
        model = self._model(data)
        added = self._added(data)
        self._spaced = not any(part.get("type") == "ByteLevel" for part in _parts(data.get("pre_tokenizer")))
        symbols = self._of_letters(data, model) if not self._spaced else self._of_sentencepiece(data, model)
        symbols |= {number: content.encode() for number, content in added.items()}
        named = max(symbols, default=-1) + 1
        if not symbols or min(symbols) < 0 or named > LARGEST:
            raise self._refused(f"numbers its symbols from {min(symbols, default=0)} to {named - 1}", "0, 1, 2, …")
        if size is not None and size < named:
            what = f"has {named:,} symbols, and the model {size:,}"
            raise self._refused(what, "at most as many symbols as the model has")
        self.vocabulary_size = named if size is None else size
        self.end_of_text = tuple(number for number in end_of_text if 0 <= number < self.vocabulary_size)
        self._bytes = [symbols.get(number, b"") for number in range(self.vocabulary_size)]
        self._unused = set(range(self.vocabulary_size)) - set(symbols)
        self._fallback = [number for byte in _SPACE.encode() for number in self._numbers_of(model, f"<0x{byte:02X}>")]
        self._needs_full_text = any(_INSIDE.search(each.decode(errors="replace")) for each in self._bytes)
        self._json = tokenizer
        self._library = self._made(data)

    def encode(self, text: str) -> NDArray[np.int64]:
        """Return (N,) symbol numbers.

        Raises:
            BadInput: The text holds half of a surrogate pair, which has no UTF-8.
        """
        check_encodable(text)
        if not self._spaced or _SPACE not in text:
            return self._cut(text)
        parts: list[NDArray[np.int64]] = []  # the sign for a space may also occur in a text, as three bytes
        for part in text.split(_SPACE):
            parts += [np.array(self._fallback, np.int64), self._cut(part)]
        return np.concatenate(parts[1:])

    def decode(self, tokens: Tokens) -> str:
        """Return the text of symbols; incomplete or invalid UTF-8 becomes U+FFFD.

        Raises:
            ValueError: A number is not that of a symbol.
        """
        numbers = checked_numbers(tokens, self.vocabulary_size).tolist()
        return b"".join(map(self._bytes.__getitem__, numbers)).decode(errors="replace")

    def bytes_of(self, token: int) -> bytes:
        """Return the bytes of a symbol, which may be part of a character."""
        return self._bytes[token]

    def label(self, token: int) -> str:
        """Return a symbol for display: "␣the", "<0xE2>" for part of a character, "<unused 50300>" without text."""
        return f"<unused {token}>" if token in self._unused else label_of(self._bytes[token])

    def sizes(self) -> NDArray[np.int64]:
        """Return (V,) bytes of each symbol."""
        return np.array([len(one) for one in self._bytes], np.int64)

    def vocabulary(self) -> dict[str, Any]:
        """Return {"size": symbols, "tokenizer": the text of the tokenizer.json}, and "end_of_text" if there is any."""
        ends = {"end_of_text": list(self.end_of_text)} if self.end_of_text else {}
        return {"size": self.vocabulary_size, "tokenizer": self._json, **ends}

    def _cut(self, text: str) -> NDArray[np.int64]:
        parts = [np.empty(0, np.int64)]
        waiting: Iterator[str] = iter([text] if self._needs_full_text else slices(text, _BETWEEN))
        while batch := list(itertools.islice(waiting, _BATCH)):
            with self._panics_refused():
                cut = self._library.encode_batch_fast(batch, add_special_tokens=False)
            parts += [np.array(one.ids, np.int64) for one in cut]
        return np.concatenate(parts)

    # ------------------------------------------------------------------------------------------ content of the file

    def _parsed(self, text: str) -> dict[str, Any]:
        try:
            data = parse_json(text)
        except ValueError as error:
            raise self._refused(f"is not JSON: {error}", "a tokenizer.json of Hugging Face") from None
        if not isinstance(data, dict) or not isinstance(data.get("model"), dict):
            raise self._refused("does not describe a tokenizer", 'a table with "model"')
        return data

    def _model(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return the table of the model, byte pair encoding."""
        model: dict[str, Any] = data["model"]
        kind = model.get("type", "BPE" if "merges" in model else None)
        if kind != "BPE":
            raise self._refused(f"cuts by {str(kind)[:40]}", "BPE, byte pair encoding")
        vocabulary = model.get("vocab")
        is_valid = isinstance(vocabulary, dict) and all(type(number) is int for number in vocabulary.values())
        if not is_valid or not isinstance(model.get("merges"), list):
            raise self._refused("has no vocabulary of symbols with their numbers", '"vocab" and "merges"')
        for key in ("continuing_subword_prefix", "end_of_word_suffix"):
            if model.get(key):
                raise self._refused(f"marks words by {key} = {str(model[key])[:20]!r}", "no such mark")
        model["dropout"] = None  # tokenization is deterministic
        return model

    def _added(self, data: dict[str, Any]) -> dict[int, str]:
        """Return the symbols that are recognised when they are written out in a text, by number."""
        listed = data.get("added_tokens") or []
        added: dict[int, str] = {}
        for one in listed if isinstance(listed, list) else [None]:
            if not isinstance(one, dict) or type(one.get("id")) is not int or not is_valid_text(one.get("content")):
                raise self._refused("lists added symbols that are not symbols", 'tables with "id" and "content"')
            added[one["id"]] = one["content"]
            one |= {"lstrip": False, "rstrip": False, "single_word": False, "normalized": False}  # nothing is lost
        return added

    def _of_letters(self, data: dict[str, Any], model: dict[str, Any]) -> dict[int, bytes]:
        """Return the bytes of the symbols if they are written in letters of bytes, as in GPT-2."""
        self._allow(data, "normalizer", {"NFC"})
        parts = self._allow(data, "pre_tokenizer", {"ByteLevel", "Split", "Digits"})
        data["normalizer"] = None
        for part in parts:
            if part["type"] == "ByteLevel":
                part["add_prefix_space"] = False
            elif part.get("behavior") == "Removed":
                raise self._refused("removes separators of a text", "a pre_tokenizer that keeps all of it")
        missing = sum(letter not in model["vocab"] for letter in LETTERS)
        if missing:
            raise self._refused(f"lacks the symbols of {missing} bytes", "a symbol for each of the 256 bytes")
        return {number: _letters_to_bytes(symbol) for symbol, number in model["vocab"].items()}

    def _of_sentencepiece(self, data: dict[str, Any], model: dict[str, Any]) -> dict[int, bytes]:
        """Return the bytes of the symbols if a space is "▁" and unknown text is spelled in bytes, as in LLaMA."""
        self._allow(data, "normalizer", {"NFC", "Prepend", "Replace"})
        cut = self._allow(data, "pre_tokenizer", {"Metaspace"})
        replaced = [part for part in _parts(data.get("normalizer")) if part["type"] == "Replace"]
        for part in replaced:
            if part.get("pattern") != {"String": " "} or part.get("content") != _SPACE:
                raise self._refused("replaces parts of a text", f'"{_SPACE}" for a space, and nothing else')
        if not replaced and not cut:
            raise self._refused("has neither letters of bytes nor a sign for a space", "BPE as of GPT-2 or LLaMA")
        bytes_known = all(f"<0x{byte:02X}>" in model["vocab"] for byte in range(256))
        if not bytes_known or model.get("byte_fallback") is not True:
            what = "cannot read every text: characters without a symbol of their own are lost"
            raise self._refused(what, "byte_fallback, and a symbol for each of the 256 bytes")
        if cut:
            metaspace = {"type": "Metaspace", "replacement": _SPACE, "prepend_scheme": "never"}
            data["normalizer"] = None
            data["pre_tokenizer"] = {**metaspace, "split": cut[0].get("split", True)}
        else:
            data["normalizer"] = {"type": "Replace", "pattern": {"String": " "}, "content": _SPACE}
        return {number: _piece_to_bytes(symbol) for symbol, number in model["vocab"].items()}

    def _allow(self, data: dict[str, Any], part: str, kinds: set[str]) -> list[dict[str, Any]]:
        found = _parts(data.get(part))
        for one in found:
            if one.get("type") not in kinds:
                raise self._refused(f"has a {part} of the type {str(one.get('type'))[:40]}", ", ".join(sorted(kinds)))
        return found

    def _numbers_of(self, model: dict[str, Any], symbol: str) -> list[int]:
        return [model["vocab"][symbol]] if self._spaced else []

    def _made(self, data: dict[str, Any]) -> Any:
        data |= {"truncation": None, "padding": None, "post_processor": None, "decoder": None}
        with self._panics_refused():
            return library().Tokenizer.from_str(json.dumps(data))

    @contextlib.contextmanager
    def _panics_refused(self) -> Iterator[None]:
        """Turn an error of the library, also a panic, which is not an Exception, into a refusal of the file."""
        try:
            yield
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:  # noqa: BLE001
            what = f"cannot be used: {str(error)[:200]}"
            raise self._refused(what, "a tokenizer.json that the library tokenizers reads") from None

    def _refused(self, what: str, allowed: str) -> BadInput:
        return BadInput(what, allowed=allowed, **self._refusal)


def read_tokenizer(config: PretrainedConfig, text: str) -> PretrainedTokenizer:
    """Return the tokenizer of a file, regardless of the text.

    Raises:
        BadInput: There is no such file, or it is not a tokenizer of this kind; about "tokenizer.path".
    """
    del text
    if not config.path:
        remedy = "Give the path of the tokenizer.json of a model"
        raise BadInput("is missing", field="tokenizer.path", allowed="a file or its folder", remedy=remedy)
    return tokenizer_of(Path(config.path).expanduser(), field="tokenizer.path", value=config.path)


def tokenizer_of(
    path: Path, size: int | None = None, *, end_of_text: Sequence[int] = (), field: str = FILE, value: str = ""
) -> PretrainedTokenizer:
    """Return the tokenizer of a tokenizer.json.

    Args:
        path: The file, or its folder.
        size: As in PretrainedTokenizer.
        end_of_text: As in PretrainedTokenizer.
        field: The field of problems.
        value: The value of that field.

    Raises:
        BadInput: It cannot be read, or is not such a tokenizer.
    """
    refusal = {"field": field, "value": value or path.name}
    try:
        file = path / FILE if path.is_dir() else path
        if not file.exists():
            raise BadInput("there is no such file", remedy=_CHOOSE, **refusal)
        content = read_text(file, _LARGEST_FILE)
    except (OSError, ValueError, RuntimeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        raise BadInput(f"cannot be read: {reason}", remedy=_CHOOSE, **refusal) from None
    return PretrainedTokenizer(_compact(content), size, end_of_text=end_of_text, **refusal)


def load_tokenizer(vocabulary: Mapping[str, Any]) -> PretrainedTokenizer:
    """Restore a tokenizer from PretrainedTokenizer.vocabulary, also from untrusted data.

    Raises:
        BadInput: It is not such a vocabulary.
    """
    ends = vocabulary.get("end_of_text", []) if isinstance(vocabulary, Mapping) else []
    if not isinstance(ends, list) or not all(type(number) is int for number in ends):
        raise damaged("end_of_text", "are not numbers of symbols", ends, "a list of whole numbers")
    named = {"size", "tokenizer", *(["end_of_text"] if ends else [])}
    table = table_of(vocabulary, named)
    size, content = table["size"], table["tokenizer"]
    if type(size) is not int or not 1 <= size <= LARGEST:
        raise damaged("size", "is not a number of symbols", size, f"1 to {LARGEST:,}")
    if not isinstance(content, str):
        raise damaged("tokenizer", "is not text", content, "the text of a tokenizer.json")
    return PretrainedTokenizer(content, size, end_of_text=ends, field="tokenizer.vocabulary.tokenizer", value=FILE)


def _compact(content: str) -> str:
    """Return JSON without white space between its parts; return other text unchanged."""
    try:
        return json.dumps(parse_json(content), ensure_ascii=False, separators=(",", ":"))
    except ValueError:
        return content


def _parts(node: Any) -> list[dict[str, Any]]:
    """Return the steps of a normalizer or pre_tokenizer, those of sequences in turn."""
    if not isinstance(node, dict):
        return [] if node is None else [{}]
    if node.get("type") != "Sequence":
        return [node]
    inner = node.get("pretokenizers", node.get("normalizers"))
    return [part for each in inner for part in _parts(each)] if isinstance(inner, list) else [{}]


def _letters_to_bytes(symbol: str) -> bytes:
    try:
        return to_bytes(symbol)
    except KeyError:  # an added symbol, in plain text
        return symbol.encode(errors="replace")


def _piece_to_bytes(symbol: str) -> bytes:
    byte = _BYTE.fullmatch(symbol)
    return bytes([int(byte[1], 16)]) if byte else symbol.replace(_SPACE, " ").encode(errors="replace")


def json_of(tokenizer: Tokenizer) -> str | None:
    """Return the text of a tokenizer.json equivalent to a tokenizer of the lab; None if that is impossible."""
    made: Any = None
    parts = library()
    match tokenizer:
        case PretrainedTokenizer():
            return str(tokenizer.vocabulary()["tokenizer"])
        case SubwordTokenizer():
            known = tokenizer.vocabulary()
            symbols = known["symbols"]
            if "scores" in known:
                scored = list(zip(symbols, known["scores"], strict=True))
                made = parts.Tokenizer(parts.models.Unigram(scored, None, False))
            else:
                numbers = {symbol: number for number, symbol in enumerate(symbols)}
                merges = [(symbols[left], symbols[right]) for left, right in known["merges"]]
                made = parts.Tokenizer(parts.models.BPE(vocab=numbers, merges=merges))
            made.pre_tokenizer, made.decoder = cutter(), parts.decoders.ByteLevel()
        case ByteTokenizer():
            numbers = {letter: byte for byte, letter in enumerate(LETTERS)}
            made = parts.Tokenizer(parts.models.BPE(vocab=numbers, merges=[]))
            made.pre_tokenizer = parts.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
            made.decoder = parts.decoders.ByteLevel()
        case CharacterTokenizer():
            numbers = {character: number for number, character in enumerate(tokenizer.characters)}
            made = parts.Tokenizer(parts.models.BPE(vocab=numbers, merges=[]))
            made.decoder = parts.decoders.Fuse()
    return None if made is None else str(made.to_str())
