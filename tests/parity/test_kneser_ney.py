"""Modified Kneser-Ney smoothing against KenLM: every probability and back-off of a file that its lmplz wrote."""

import math
from pathlib import Path

import numpy as np
import pytest
import torch

from lab.api import Task
from lab_ngram import NgramConfig, arpa
from lab_ngram.model import NgramModel

GOLD = Path(__file__).parents[1] / "gold" / "kneser-ney"


@pytest.fixture(scope="module")
def text():
    return (GOLD / "fables-60k.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def kenlm():
    return arpa.read(GOLD / "fables-60k-char-order4.arpa")


@pytest.fixture(scope="module")
def ours(text):
    return arpa.of_text([arpa.word(character) for character in text], NgramConfig(order=4))


def by_words(file, m):
    entries = file.orders[m - 1]
    grams = [tuple(file.words[token] for token in tokens) for tokens in entries.tokens.tolist()]
    return dict(zip(grams, zip(entries.log10.tolist(), entries.backoff.tolist(), strict=True), strict=True))


@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_every_probability_and_back_off_is_that_of_kenlm(m, ours, kenlm):
    found, known = by_words(ours, m), by_words(kenlm, m)
    assert found.keys() == known.keys()
    differences = np.array([np.subtract(found[gram], known[gram]) for gram in known])
    if m == 4:  # nothing stands behind the longest
        assert np.isnan(differences[:, 1]).all()
        differences = differences[:, :1]
    assert np.abs(differences).max() <= 1e-6  # lmplz writes some seven digits


def test_a_text_is_as_likely_as_kenlm_finds_it(text, ours, kenlm):
    words = [arpa.word(character) for character in text[:5000]]
    assert ours.log10(ours.sentence(words)).sum() == pytest.approx(kenlm.log10(kenlm.sentence(words)).sum(), rel=1e-6)


def test_the_model_of_a_stream_has_kenlms_perplexity_within_a_thousandth(text, kenlm):
    """A run knows no <s>, </s> and <unk>: what they take is all that differs."""
    names = sorted(set(text))
    tokens = torch.tensor([[names.index(character) for character in text]])
    model = NgramModel(NgramConfig(order=4), Task(vocabulary_size=len(names), context_length=8)).double()
    model.count(tokens[0].numpy())
    nats = -model.score(tokens[:, :-1], tokens[:, 1:]).mean().item()
    log10 = kenlm.log10(kenlm.sentence([arpa.word(character) for character in text]))[1:-1]
    assert math.exp(nats) == pytest.approx(10 ** -log10.mean(), rel=1e-3)


def test_a_file_of_kenlm_that_is_read_and_written_is_the_same_byte_for_byte(tmp_path, kenlm):
    (tmp_path / "again.arpa").write_bytes(arpa.content(kenlm))
    assert (tmp_path / "again.arpa").read_bytes() == (GOLD / "fables-60k-char-order4.arpa").read_bytes()
