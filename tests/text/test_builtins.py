"""The cards that lab.text registers."""

import subprocess
import sys

import pytest

from lab.api import Corpus, Tokenization, load, settings_of
from lab.text import builtins as parts
from lab.text.corpora.files import PastedConfig


def registered(hook):
    cards = []
    hook(cards.append)
    return {card.name: card for card in cards}


CORPORA = registered(parts.lab_register_corpora)
TOKENIZERS = registered(parts.lab_register_tokenizers)


def test_the_lab_brings_six_texts_five_files_of_rows_and_eight_tokenizers():
    texts = ["file", "text", "download", "dataset", "mixture", "python-manual"]
    kinds = ["pairs", "labels", "conversations", "vectors", "images"]
    assert [name for name, card in CORPORA.items() if card.kind == "text"] == texts
    assert [card.kind for card in CORPORA.values()] == ["text"] * 6 + kinds
    assert list(TOKENIZERS) == ["character", "byte", "word", "bpe", "unigram", "pretrained", "symbol", "none"]
    assert all(type(card) is Corpus for card in CORPORA.values())
    assert all(type(card) is Tokenization for card in TOKENIZERS.values())


@pytest.mark.parametrize("card", [*CORPORA.values(), *TOKENIZERS.values()], ids=lambda card: card.name)
def test_every_card_is_explained_and_its_factory_is_there(card):
    assert card.title
    assert card.summary.endswith(".")
    assert callable(load(card.build))
    assert all(setting.help.endswith(".") for setting in settings_of(card.config))


@pytest.mark.parametrize(
    "card",
    [card for card in TOKENIZERS.values() if card.name not in ("none", "symbol", "pretrained")],
    ids=lambda card: card.name,
)
def test_a_corpus_goes_through_every_tokenizer_and_back(card):
    text = CORPORA["text"].make(PastedConfig(text="From cards to tokens — and back.\n")).text
    tokenizer = card.make(card.config(), text)
    again = load(card.load)(tokenizer.vocabulary())
    assert again.decode(tokenizer.encode(text)) == text


@pytest.mark.long  # in short: the same of all built-ins
def test_listing_the_cards_imports_neither_torch_nor_qt():
    heavy = ("torch", "PySide6", "psutil", "tokenizers", "PIL", "pyarrow", "datasets")
    code = f"import sys, lab.text.builtins; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
