"""The tokenizer of a tokenizer.json: every text comes back, as the library cuts it; what would lose text is refused."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.api import BadInput, NoSettings
from lab.text.promises import check_tokenizer
from lab.text.tokenizers import pretrained
from lab.text.tokenizers.pretokens import LETTERS
from lab.text.tokenizers.pretrained import (
    FILE,
    PretrainedConfig,
    PretrainedTokenizer,
    json_of,
    load_tokenizer,
    read_tokenizer,
    tokenizer_of,
)
from lab.text.tokenizers.subwords import SubwordsConfig, fit_bpe, fit_unigram
from lab.text.tokenizers.units import fit_bytes, fit_characters
from lab.text.tokenizers.words import WordsConfig, fit_words

TEXT = "The theory of the thing: 12 cats,\n\n  naïve “quotes” — <s> ▁ 日本 🙂 don't\t<|end|> the end " * 3
SPLIT = r"(?i:'s|'t)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def added(number, content, **flags):
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return {"id": number, "content": content, **plain, **flags}


def of_letters(**changes):
    """A tokenizer.json as GPT-2 has it."""
    return {
        "added_tokens": [added(260, "<|end|>", lstrip=True)],
        "normalizer": {"type": "NFC"},
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "model": {
            "type": "BPE",
            "dropout": 0.5,
            "vocab": {letter: number for number, letter in enumerate([*LETTERS, "th", "the", "Ġthe", "Ġt"])},
            "merges": [["t", "h"], ["th", "e"], ["Ġ", "the"], ["Ġ", "t"]],
        },
        **changes,
    }


def of_llama_3():
    split = {"type": "Split", "pattern": {"Regex": SPLIT}, "behavior": "Isolated", "invert": False}
    letters = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    both = {"type": "Sequence", "pretokenizers": [split, letters]}
    return of_letters(normalizer=None, pre_tokenizer=both)


def of_sentencepiece(**changes):
    """A tokenizer.json as LLaMA 2 has it."""
    symbols = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    symbols += ["▁", *map(chr, range(33, 127)), "th", "the", "▁the", "▁t"]
    return {
        "added_tokens": [added(number, content) for number, content in enumerate(symbols[:3])],
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "Prepend", "prepend": "▁"},
                {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
            ],
        },
        "pre_tokenizer": None,
        "model": {
            "type": "BPE", "unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True,
            "vocab": {symbol: number for number, symbol in enumerate(symbols)},
            "merges": ["t h", "th e", "▁ the", "▁ t"],
        },
        **changes,
    }  # fmt: skip


def of_metaspace():
    cut = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    return of_sentencepiece(normalizer=None, pre_tokenizer=cut)


KINDS = {"GPT-2": of_letters, "LLaMA 3": of_llama_3, "LLaMA 2": of_sentencepiece, "Metaspace": of_metaspace}


@pytest.fixture(scope="module", params=KINDS)
def tokenizer(request):
    return PretrainedTokenizer(json.dumps(KINDS[request.param]()), 400)


@pytest.fixture(scope="module")
def card():
    from lab.host import Plugins

    return Plugins.from_environment().card("tokenizers", "pretrained")


def test_it_keeps_the_promises_of_tokenizers(tokenizer, card):
    check_tokenizer(tokenizer, card, TEXT)


@settings(derandomize=True, max_examples=20, deadline=None)
@given(text=st.text(st.characters(codec="utf-8") | st.sampled_from(list(" ▁\n<s>the")), max_size=40))
def test_every_text_comes_back(text):
    for make in (of_letters, of_sentencepiece):
        tokenizer = PretrainedTokenizer(json.dumps(make()))
        tokens = tokenizer.encode(text)
        assert tokenizer.decode(tokens) == text
        assert tokenizer.sizes()[tokens].sum() == len(text.encode())


@pytest.mark.parametrize("make", [of_llama_3, of_sentencepiece])
def test_a_long_text_is_cut_as_the_library_cuts_all_of_it(make):
    text = " ".join(f"the {word} thing{chr(10) * (word % 3)} 'tis" for word in range(5000))
    reported = make()
    reported["model"]["dropout"] = None
    if make is of_sentencepiece:
        reported["normalizer"] = reported["normalizer"]["normalizers"][1]
    whole = tokenizers.Tokenizer.from_str(json.dumps(reported)).encode(text, add_special_tokens=False).ids
    assert np.array_equal(PretrainedTokenizer(json.dumps(make())).encode(text), whole)


def test_symbols_have_labels_for_people(tokenizer):
    labels = [tokenizer.label(token) for token in tokenizer.encode(" the\n日")]
    assert labels == ["␣the", "⏎", "<0xE6>", "<0x97>", "<0xA5>"]
    assert tokenizer.label(399) == "<unused 399>"
    assert tokenizer.sizes()[399] == 0


def test_special_symbols_are_read_where_they_are_written_out_and_nowhere_else():
    tokenizer = PretrainedTokenizer(json.dumps(of_letters()))
    tokens = tokenizer.encode("the <|end|> the").tolist()
    assert tokens.count(260) == 1
    assert tokenizer.label(260) == "<|end|>"
    assert 260 not in tokenizer.encode("the end")


@pytest.mark.parametrize(
    ("change", "reported"),
    [
        (lambda data: data["model"].update(type="Unigram"), "cuts by Unigram"),
        (lambda data: data["model"].update(type="WordPiece"), "cuts by WordPiece"),
        (lambda data: data["model"]["vocab"].pop("!"), "lacks the symbols of 1 bytes"),
        (lambda data: data["model"].update(vocab=[1]), "has no vocabulary"),
        (lambda data: data["model"].update(end_of_word_suffix="</w>"), "end_of_word_suffix"),
        (lambda data: data.update(normalizer={"type": "Lowercase"}), "a normalizer of the type Lowercase"),
        (lambda data: data.update(pre_tokenizer={"type": "Sequence", "pretokenizers": [
            data["pre_tokenizer"], {"type": "Whitespace"}]}), "a pre_tokenizer of the type Whitespace"),
        (lambda data: data.update(added_tokens=[{"id": "x"}]), "lists added symbols that are not symbols"),
        (lambda data: data["model"]["vocab"].update(x=10**9), "numbers its symbols from"),
        (lambda data: data["model"].update(merges=["q q"]), "cannot be used"),
        (lambda data: data.update(model=3), "does not describe a tokenizer"),
        (lambda data: data.update(of_sentencepiece()) or data["model"].update(byte_fallback=False), "every text"),
        (lambda data: data.update(of_sentencepiece(normalizer=None)), "neither letters of bytes nor a sign"),
    ],
)  # fmt: skip
def test_what_would_lose_text_or_is_no_such_tokenizer_is_refused(change, reported):
    data = of_letters()
    change(data)
    with pytest.raises(BadInput, match=reported):
        PretrainedTokenizer(json.dumps(data))


HOSTILE = {"type": "Split", "pattern": {"Regex": "(x+x+)+y"}, "behavior": "Isolated", "invert": False}
"""A rule whose search the library gives up after millions of steps, in a panic."""


def test_a_panic_of_the_library_is_a_refusal_of_the_file(tmp_path, capfd):
    cut = {"type": "Sequence", "pretokenizers": [HOSTILE, of_letters()["pre_tokenizer"]]}
    file = tmp_path / "theirs.json"
    file.write_text(json.dumps(of_letters(pre_tokenizer=cut)))
    made = tokenizer_of(file)
    for tokenizer, named in ((made, "tokenizer.json = theirs.json"), (load_tokenizer(made.vocabulary()), FILE)):
        with pytest.raises(BadInput, match="cannot be used: Onig") as refused:
            tokenizer.encode("x" * 200)
        assert named in refused.value.problem.line()
    assert "panicked" in capfd.readouterr().err  # which the library prints by itself


def test_a_panic_while_a_file_is_read_is_a_refusal_of_it(tmp_path, monkeypatch):
    class Panic(BaseException):
        """As pyo3 derives its own."""

    def panic(text):
        raise Panic("index out of bounds")

    monkeypatch.setattr(pretrained, "library", lambda: SimpleNamespace(Tokenizer=SimpleNamespace(from_str=panic)))
    (tmp_path / FILE).write_text(json.dumps(of_letters()))
    with pytest.raises(BadInput, match="cannot be used: index out of bounds") as refused:
        tokenizer_of(tmp_path)
    assert refused.value.problem.field == FILE


def test_a_model_with_fewer_symbols_than_the_file_is_refused():
    with pytest.raises(BadInput, match="has 261 symbols, and the model 100"):
        PretrainedTokenizer(json.dumps(of_letters()), 100)


@pytest.mark.parametrize("vocabulary", [{}, {"size": 0, "tokenizer": "{}"}, {"size": 5, "tokenizer": 1},
                                        {"size": 5, "tokenizer": "no JSON"}])  # fmt: skip
def test_a_damaged_vocabulary_is_refused(vocabulary):
    with pytest.raises(BadInput, match=r"tokenizer\.vocabulary"):
        load_tokenizer(vocabulary)


def test_it_is_read_from_a_file_or_its_folder(tmp_path):
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps(of_letters(), indent=2))
    for path in (file, tmp_path):
        assert read_tokenizer(PretrainedConfig(path=str(path)), "").decode([257]) == "the"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(BadInput, match=r"tokenizer\.path.*cannot be read"):
        read_tokenizer(PretrainedConfig(path=str(file)), "")
    with pytest.raises(BadInput, match=r"tokenizer\.path: is missing\. Allowed: a file or its folder\. Give the path"):
        read_tokenizer(PretrainedConfig(), "")
    with pytest.raises(BadInput, match="there is no such file"):
        read_tokenizer(PretrainedConfig(path=str(tmp_path / "none")), "")


@pytest.mark.parametrize(
    "fit",
    [
        lambda text: fit_characters(NoSettings(), text),
        lambda text: fit_bytes(NoSettings(), text),
        lambda text: fit_bpe(SubwordsConfig(vocabulary_size=300), text),
        lambda text: fit_unigram(SubwordsConfig(vocabulary_size=300), text),
        lambda text: PretrainedTokenizer(json.dumps(of_llama_3())),
    ],
)
def test_a_tokenizer_of_the_lab_is_said_so_that_the_library_cuts_alike(fit):
    tokenizer = fit(TEXT)
    theirs = tokenizers.Tokenizer.from_str(json_of(tokenizer))
    cut = theirs.encode(TEXT, add_special_tokens=False).ids
    if not isinstance(tokenizer, PretrainedTokenizer):
        assert cut == tokenizer.encode(TEXT).tolist()
        assert theirs.decode(cut) == TEXT
    assert theirs.get_vocab_size() == tokenizer.vocabulary_size


def test_words_cannot_be_said():
    assert json_of(fit_words(WordsConfig(), TEXT)) is None
