"""The contract of corpora and tokenizers: sound ones pass, and each problem names its remedy."""

import numpy as np
import pytest

from lab.api import BadInput, LabError, NoSettings, Text, Tokenization
from lab.text import promises
from lab.text.promises import SAMPLE, check_text, check_tokenizer
from lab.text.tokenizers.units import (
    ByteTokenizer,
    CharacterTokenizer,
    fit_characters,
    load_bytes,
    load_characters,
)

TEXT = "naïve 🐈 and 東京\n" * 40


def problem_of(call, *arguments):
    with pytest.raises(LabError) as caught:
        call(*arguments)
    assert caught.value.problem.remedy
    assert caught.value.problem.plugin is None
    return caught.value


# ---- texts


def test_a_text_with_floors_and_facts_passes():
    facts = {"version": "3.11", "files": 3, "parts": ["a", {"b": None}], "share": 0.5}
    assert check_text(Text(TEXT, "mine", 3, facts, {"entropy rate": 1.2, "none": 0, "numpy": np.float32(1)})) is None


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_a_blank_text_is_no_corpus(text):
    error = problem_of(check_text, Text(text, "blank"))
    assert isinstance(error, BadInput)
    assert error.problem.field == "corpus"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (TEXT, "the corpus gave a str. Allowed: a lab.api.Text"),
        (None, "the corpus gave None"),
        (Text, "the corpus gave the class Text"),
        (Text(TEXT.encode(), "bytes"), "Text.text is a bytes"),
        (Text("ab\ud800", "half"), "half of a surrogate pair, U+D800"),
        (Text(TEXT, " "), "Text.name is ' '"),
        (Text(TEXT, "mine", dropped=-1), "Text.dropped is -1"),
        (Text(TEXT, "mine", floors={"fine": 1.0, "rate": -0.1}), "the floor 'rate' is -0.1"),
        (Text(TEXT, "mine", floors={"rate": float("nan")}), "the floor 'rate' is nan"),
        (Text(TEXT, "mine", floors={"rate": float("inf")}), "a finite number ≥ 0"),
        (Text(TEXT, "mine", floors={"rate": "1.2"}), "the floor 'rate' is '1.2'"),
        (Text(TEXT, "mine", floors={"rate": True}), "the floor 'rate' is True"),
        (Text(TEXT, "mine", floors=[1.0]), "Text.floors is a list"),
        (Text(TEXT, "mine", facts={"count": np.int64(3)}), "the fact 'count' is not plain data"),
        (Text(TEXT, "mine", facts={"ok": 1, "ratio": float("nan")}), "the fact 'ratio'"),
        (Text(TEXT, "mine", facts={"names": {"a", "b"}}), "lists and dicts"),
        (Text(TEXT, "mine", facts=["a"]), "Text.facts is a list"),
    ],
)
def test_a_broken_text_is_reported_with_its_field(text, words):
    error = problem_of(check_text, text)
    assert not isinstance(error, BadInput)
    assert words in str(error)


# ---- tokenizers


@pytest.mark.parametrize("text", [TEXT, "a", "a" * 200_000, "🐈é" * 50_000, "\ufffd\ufffd" * 30_000])
@pytest.mark.parametrize(("fit", "load"), [(fit_characters, load_characters), (lambda *_: ByteTokenizer(), load_bytes)])
def test_the_tokenizers_of_the_lab_pass(fit, load, text):
    check_tokenizer(fit(NoSettings(), text), Tokenization("own", "Own", fit, load=load), text)


@pytest.mark.parametrize("size", range(1, 9))
def test_a_sample_may_end_inside_of_a_character(monkeypatch, size):
    monkeypatch.setattr(promises, "SAMPLE", size)
    check_tokenizer(ByteTokenizer(), Tokenization("byte", "Bytes", ByteTokenizer, load=load_bytes), "🐈é\ufffd" * 5)


class Words:
    """A sound tokenizer whose symbols are words with what follows them; the broken ones change one thing each."""

    def __init__(self, symbols):
        self.symbols, self.vocabulary_size = symbols, len(symbols)

    def encode(self, text):
        try:
            return np.array([self.symbols.index(word) for word in text.split("|")[:-1]], np.int64)
        except ValueError:
            raise BadInput("is not in the vocabulary", field="text") from None

    def decode(self, tokens):
        return "".join(f"{self.symbols[token]}|" for token in tokens)

    def label(self, token):
        return self.symbols[token]

    def sizes(self):
        return np.array([len(f"{word}|".encode()) for word in self.symbols])

    def vocabulary(self):
        return {"symbols": self.symbols}


WORDS = "once|upon|a|time|in|Zoë's|house|" * 30


def checked(broken, text=WORDS, tokens=None, **changes):
    """The error for Words with some methods replaced."""
    kind = type("Broken", (broken,), changes)
    card = Tokenization("words", "Words", kind, load=lambda vocabulary: kind(vocabulary["symbols"]))
    check_tokenizer(kind(sorted(set(WORDS.split("|")[:-1]))), card, text, tokens)


def test_a_third_party_tokenizer_passes():
    checked(Words)
    checked(Words, tokens=Words(sorted(set(WORDS.split("|")[:-1]))).encode(WORDS))


def test_a_sample_ends_where_a_symbol_does(monkeypatch):
    monkeypatch.setattr(promises, "SAMPLE", 20)
    checked(Words)


def less(words):
    return [word for word in words if len(word) > 2]


BROKEN = {
    "gives a list": ({"encode": lambda self, text: Words.encode(self, text).tolist()}, "encode gives a list"),
    "gives floats": ({"encode": lambda self, text: Words.encode(self, text) * 1.0}, "encode gives float64 numbers"),
    "gives columns": ({"encode": lambda self, text: Words.encode(self, text)[:, None]}, "of the shape (210, 1)"),
    "counts from 1": ({"encode": lambda self, text: Words.encode(self, text) + 1}, "numbers from 1 to 7"),
    "is lower case": ({"decode": lambda self, tokens: Words.decode(self, tokens).lower()}, 'the text has "Zoë'),
    "gives bytes": ({"decode": lambda self, tokens: Words.decode(self, tokens).encode()}, "decode gives a bytes"),
    "leaves out": ({"encode": lambda self, text: Words.encode(self, text)[1:]}, "at character 0 the text has 'once|"),
    "is short": ({"decode": lambda self, tokens: Words.decode(self, tokens[:2])}, "does not restore"),
    "measures characters": (
        {"sizes": lambda self: np.array([len(f"{word}|") for word in self.symbols])},
        "sizes() adds up to 960 bytes for a text of 990",
    ),
    "has too few sizes": ({"sizes": lambda self: Words.sizes(self)[1:]}, "sizes() gives int64 numbers of the shape"),
    "has sizes as list": ({"sizes": lambda self: list(Words.sizes(self))}, "sizes() gives a list"),
    "has sizes below 0": ({"sizes": lambda self: Words.sizes(self) - 9}, "sizes() gives -"),
    "labels by number": ({"label": lambda *given: given[-1]}, "label(0) gives an int"),
    "numbers its words": (
        {"vocabulary": lambda self: {"symbols": self.symbols, "numbers": dict(enumerate(self.symbols))}},
        "vocabulary()['numbers'] has the key 0",
    ),
    "keeps a tuple": (
        {"vocabulary": lambda self: {"symbols": self.symbols, "pairs": [("a", "b")]}},
        "vocabulary()['pairs'][0] is a tuple and becomes a list",
    ),
    "keeps bytes": ({"vocabulary": lambda _: {"symbols": b"abc"}}, "vocabulary() is not plain JSON"),
    "keeps a list": ({"vocabulary": lambda self: self.symbols}, "vocabulary() gives a list"),
    "forgets words": ({"vocabulary": lambda self: {"symbols": self.symbols[:-1]}}, "vocabulary_size of load("),
    "changes its order": ({"vocabulary": lambda self: {"symbols": self.symbols[::-1]}}, "encode of load("),
    "has no sizes": ({"sizes": None}, "which has no method sizes"),
    "counts by a method": (
        {"__init__": lambda self, symbols: setattr(self, "symbols", symbols), "vocabulary_size": lambda _: 7},
        "vocabulary_size is a method",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_promise_names_its_method_and_what_to_write(name):
    changes, words = BROKEN[name]
    error = problem_of(lambda: checked(Words, **changes))
    assert words in str(error)
    assert error.problem.allowed


def test_what_decodes_only_the_beginning_of_a_long_text_is_found_out(monkeypatch):
    monkeypatch.setattr(promises, "SAMPLE", 100)
    changes = {"decode": lambda self, tokens: Words.decode(self, tokens[:2])}
    assert "for 21 symbols that stand for 99 bytes" in str(problem_of(lambda: checked(Words, **changes)))


def test_what_is_lost_behind_the_sample_is_found_by_the_bytes():
    tokens = ByteTokenizer().encode("abc" * 100_000)[:-5]
    card = Tokenization("byte", "Bytes", ByteTokenizer, load=load_bytes)
    error = problem_of(check_tokenizer, ByteTokenizer(), card, "abc" * 100_000, tokens)
    assert "sizes() adds up to 299995 bytes for a text of 300000" in str(error)


def test_what_its_own_code_raises_passes():
    with pytest.raises(ZeroDivisionError):
        checked(Words, label=lambda *_: 1 / 0)


def test_of_a_long_text_whose_tokens_are_known_only_the_beginning_is_read_again(monkeypatch):
    text = "once upon a time 🐈 " * 100_000
    tokenizer, read = fit_characters(NoSettings(), text), []
    card, tokens = Tokenization("own", "Own", fit_characters, load=load_characters), tokenizer.encode(text)
    for name in ("encode", "decode"):
        own = getattr(CharacterTokenizer, name)
        monkeypatch.setattr(
            CharacterTokenizer, name, lambda self, given, own=own: read.append(len(given)) or own(self, given)
        )
    check_tokenizer(tokenizer, card, text, tokens)
    assert 0 < max(read) <= SAMPLE
