"""The tokenizer of a pretrained model, as its tokenizer.json says: byte pair encoding as GPT-2's or LLaMA's files have.

Three things are other than in the program that wrote the file, so that every text comes back as it was: no space is put
before a text, no character is replaced by one that looks alike (NFC), and no symbol of beginning or end is added. Such
a symbol is read where it is written out: "<s>", "<|endoftext|>".
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, ModelConfig, Tokenizer, setting
from lab.text.tokenizers.pretokens import LETTERS, cutter, library, slices, to_bytes
from lab.text.tokenizers.subwords import SubwordTokenizer
from lab.text.tokenizers.units import ByteTokenizer, CharacterTokenizer
from lab.text.tokenizers.vocabularies import (
    LARGEST,
    Tokens,
    check_characters,
    checked_numbers,
    damaged,
    is_valid_text,
    label_of,
    table_of,
)

FILE = "tokenizer.json"
"""What the file is called beside a model."""

_LARGEST_FILE = 64 << 20  # bytes
_BATCH = 32  # slices that are cut at a time
_SPACE = "▁"  # a space in the symbols of SentencePiece
_BYTE = re.compile(r"<0x([0-9A-F]{2})>")
_INSIDE = re.compile(r"\S ")  # a symbol that goes on behind a space: then a text is cut whole
_BETWEEN = re.compile(r"(?<=\S)(?= )")


class PretrainedConfig(ModelConfig):
    """Where the file lies."""

    path: str = setting(
        "", help="A tokenizer.json of Hugging Face, or the folder in which it lies. The run keeps all that it says."
    )


class PretrainedTokenizer:
    """Symbols of one or more bytes, cut by the library as a tokenizer.json says; every text can be read.

    Args:
        tokenizer: The text of a tokenizer.json.
        size: Symbols of the model; those that the file does not name stand for no text. None means as many as it names.
        field: What problems are about.
        value: What stands there.

    Raises:
        BadInput: It is none, or one that would not give every text back; the problem says what stands in the way.
    """

    def __init__(self, tokenizer: str, size: int | None = None, *, field: str = "tokenizer", value: str = "") -> None:
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
        self._bytes = [symbols.get(number, b"") for number in range(self.vocabulary_size)]
        self._unused = set(range(self.vocabulary_size)) - set(symbols)
        self._fallback = [number for byte in _SPACE.encode() for number in self._numbers_of(model, f"<0x{byte:02X}>")]
        self._needs_full_text = any(_INSIDE.search(each.decode(errors="replace")) for each in self._bytes)
        self._json = tokenizer
        self._library = self._made(data)

    def encode(self, text: str) -> NDArray[np.int64]:
        """(N,) symbol numbers.

        Raises:
            BadInput: The text holds half of a surrogate pair, which has no UTF-8.
        """
        check_characters(text)
        if not self._spaced or _SPACE not in text:
            return self._cut(text)
        parts: list[NDArray[np.int64]] = []  # the sign for a space is a character too, and then stands as three bytes
        for part in text.split(_SPACE):
            parts += [np.array(self._fallback, np.int64), self._cut(part)]
        return np.concatenate(parts[1:])

    def decode(self, tokens: Tokens) -> str:
        """The text of symbols; bytes that are no UTF-8, or not yet, become U+FFFD.

        Raises:
            ValueError: A number is no symbol's.
        """
        numbers = checked_numbers(tokens, self.vocabulary_size).tolist()
        return b"".join(map(self._bytes.__getitem__, numbers)).decode(errors="replace")

    def label(self, token: int) -> str:
        """A symbol for people: "␣the", "<0xE2>" for a part of a character, "<unused 50300>" for one without text."""
        return f"<unused {token}>" if token in self._unused else label_of(self._bytes[token])

    def sizes(self) -> NDArray[np.int64]:
        """(V,) bytes of each symbol."""
        return np.array([len(one) for one in self._bytes], np.int64)

    def vocabulary(self) -> dict[str, Any]:
        """{"size": symbols, "tokenizer": the text of the tokenizer.json}."""
        return {"size": self.vocabulary_size, "tokenizer": self._json}

    def _cut(self, text: str) -> NDArray[np.int64]:
        parts = [np.empty(0, np.int64)]
        waiting: Iterator[str] = iter([text] if self._needs_full_text else slices(text, _BETWEEN))
        while batch := list(itertools.islice(waiting, _BATCH)):
            cut = self._library.encode_batch_fast(batch, add_special_tokens=False)
            parts += [np.array(one.ids, np.int64) for one in cut]
        return np.concatenate(parts)

    # ----------------------------------------------------------------------------------------------- what the file says

    def _parsed(self, text: str) -> dict[str, Any]:
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise self._refused(f"is no JSON: {error}", "a tokenizer.json of Hugging Face") from None
        if not isinstance(data, dict) or not isinstance(data.get("model"), dict):
            raise self._refused("describes no tokenizer", 'a table with "model"')
        return data

    def _model(self, data: dict[str, Any]) -> dict[str, Any]:
        """The table of the model, byte pair encoding."""
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
        model["dropout"] = None  # a text is always cut alike
        return model

    def _added(self, data: dict[str, Any]) -> dict[int, str]:
        """The symbols that are read where they are written out, by number."""
        listed = data.get("added_tokens") or []
        added: dict[int, str] = {}
        for one in listed if isinstance(listed, list) else [None]:
            if not isinstance(one, dict) or type(one.get("id")) is not int or not is_valid_text(one.get("content")):
                raise self._refused("lists added symbols that are none", 'tables with "id" and "content"')
            added[one["id"]] = one["content"]
            one |= {"lstrip": False, "rstrip": False, "single_word": False, "normalized": False}  # nothing is lost
        return added

    def _of_letters(self, data: dict[str, Any], model: dict[str, Any]) -> dict[int, bytes]:
        """The bytes of the symbols where they are written in letters of bytes, as GPT-2's are."""
        self._allow(data, "normalizer", {"NFC"})
        parts = self._allow(data, "pre_tokenizer", {"ByteLevel", "Split", "Digits"})
        data["normalizer"] = None
        for part in parts:
            if part["type"] == "ByteLevel":
                part["add_prefix_space"] = False
            elif part.get("behavior") == "Removed":
                raise self._refused("leaves out what it splits a text at", "a pre_tokenizer that keeps all of it")
        missing = sum(letter not in model["vocab"] for letter in LETTERS)
        if missing:
            raise self._refused(f"lacks the symbols of {missing} bytes", "a symbol for each of the 256 bytes")
        return {number: _letters_to_bytes(symbol) for symbol, number in model["vocab"].items()}

    def _of_sentencepiece(self, data: dict[str, Any], model: dict[str, Any]) -> dict[int, bytes]:
        """The bytes of the symbols where a space is "▁", and what has no symbol is spelled in bytes, as in LLaMA's."""
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
        try:
            return library().Tokenizer.from_str(json.dumps(data))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - what the library panics with is no Exception
            what = f"cannot be used: {str(error)[:200]}"
            raise self._refused(what, "a tokenizer.json that the library tokenizers reads") from None

    def _refused(self, what: str, allowed: str) -> BadInput:
        return BadInput(what, allowed=allowed, **self._refusal)


def read_tokenizer(config: PretrainedConfig, text: str) -> PretrainedTokenizer:
    """The tokenizer of a file, whatever the text.

    Raises:
        BadInput: There is no such file, or it is no tokenizer of this kind; about "tokenizer.path".
    """
    del text
    if not config.path:
        remedy = "Say where the tokenizer.json of a model lies"
        raise BadInput("is missing", field="tokenizer.path", allowed="a file or its folder", remedy=remedy)
    return tokenizer_of(Path(config.path).expanduser(), field="tokenizer.path", value=config.path)


def tokenizer_of(path: Path, size: int | None = None, *, field: str = FILE, value: str = "") -> PretrainedTokenizer:
    """The tokenizer of a tokenizer.json.

    Args:
        path: The file, or the folder in which it lies.
        size: As of PretrainedTokenizer.
        field: What problems are about.
        value: What stands there.

    Raises:
        BadInput: It cannot be read, or is no such tokenizer.
    """
    refusal = {"field": field, "value": value or path.name}
    try:
        file = path / FILE if path.is_dir() else path
        if not file.is_file():
            remedy = "Choose the file tokenizer.json of a model"
            raise BadInput("there is no such file", remedy=remedy, **refusal)
        with file.open("rb") as opened:
            data = opened.read(_LARGEST_FILE + 1)
        if len(data) > _LARGEST_FILE:
            raise BadInput("is larger than any tokenizer", allowed=f"at most {_LARGEST_FILE >> 20} MiB", **refusal)
        content = data.decode()
    except (OSError, ValueError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadInput(f"cannot be read: {reason}", **refusal) from None
    return PretrainedTokenizer(_compact(content), size, **refusal)


def load_tokenizer(vocabulary: Mapping[str, Any]) -> PretrainedTokenizer:
    """The inverse of PretrainedTokenizer.vocabulary, for data that may come from strangers.

    Raises:
        BadInput: It is no such vocabulary.
    """
    table = table_of(vocabulary, {"size", "tokenizer"})
    size, content = table["size"], table["tokenizer"]
    if type(size) is not int or not 1 <= size <= LARGEST:
        raise damaged("size", "is no number of symbols", size, f"1 to {LARGEST:,}")
    if not isinstance(content, str):
        raise damaged("tokenizer", "is no text", content, "the text of a tokenizer.json")
    return PretrainedTokenizer(content, size, field="tokenizer.vocabulary.tokenizer")


def _compact(content: str) -> str:
    """JSON without white space between its parts; what is none is left for who reads it."""
    try:
        return json.dumps(json.loads(content), ensure_ascii=False, separators=(",", ":"))
    except (ValueError, RecursionError):
        return content


def _parts(node: Any) -> list[dict[str, Any]]:
    """The steps of a normalizer or pre_tokenizer, those of sequences one after the other."""
    if not isinstance(node, dict):
        return [] if node is None else [{}]
    if node.get("type") != "Sequence":
        return [node]
    inner = node.get("pretokenizers", node.get("normalizers"))
    return [part for each in inner for part in _parts(each)] if isinstance(inner, list) else [{}]


def _letters_to_bytes(symbol: str) -> bytes:
    try:
        return to_bytes(symbol)
    except KeyError:  # a symbol that was added, in plain words
        return symbol.encode(errors="replace")


def _piece_to_bytes(symbol: str) -> bytes:
    byte = _BYTE.fullmatch(symbol)
    return bytes([int(byte[1], 16)]) if byte else symbol.replace(_SPACE, " ").encode(errors="replace")


def json_of(tokenizer: Tokenizer) -> str | None:
    """The text of a tokenizer.json that cuts as a tokenizer of the lab does; None where no such file can say it."""
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
