"""Compressors: bits per byte of a text alone and after another."""

import bz2
import lzma
import random
import zlib

import pytest

from lab.text.statistics.compressors import COMPRESSORS, compressed_bits, compressed_size

NOISE = random.Random(0).randbytes(5000)
PROSE = b"The cat sat on the mat, and a dog ran to the hat. " * 40


@pytest.mark.parametrize("name", COMPRESSORS)
def test_a_text_that_was_just_read_costs_less(name):
    assert compressed_bits(NOISE, NOISE, name) < 2 < compressed_bits(b"", NOISE, name)


@pytest.mark.parametrize("name", COMPRESSORS)
def test_noise_costs_its_eight_bits_and_a_little(name):
    assert 8 <= compressed_bits(b"", NOISE, name) < 9


@pytest.mark.parametrize("name", COMPRESSORS)
def test_the_size_of_a_validation_text_is_what_it_adds_to_the_training_text(name):
    both, alone = compressed_size(name, PROSE, NOISE), compressed_size(name, PROSE)
    assert compressed_bits(PROSE, NOISE, name) == 8 * (both - alone) / len(NOISE)


def test_sizes_are_those_of_the_standard_library_over_many_slices():
    text = PROSE * 100
    sizes = {name: compressed_size(name, text) for name in COMPRESSORS}
    assert sizes == {
        "zlib": len(zlib.compress(text, 9)),
        "bz2": len(bz2.compress(text)),
        "lzma": len(lzma.compress(text)),
    }


@pytest.mark.parametrize("name", COMPRESSORS)
def test_nothing_costs_nothing(name):
    assert compressed_bits(PROSE, b"", name) == 0


@pytest.mark.parametrize("name", COMPRESSORS)
def test_no_text_costs_less_than_nothing(name):
    text = b"one line without an end"
    assert all(compressed_bits(text[:border], text[border:], name) >= 0 for border in range(len(text)))


def test_steps_come_to_the_end_and_may_end_the_work():
    reported = []
    compressed_size("zlib", bytes(200_000), step=lambda done, total: reported.append((done, total)))
    assert reported[-1] == (200_000, 200_000)
    assert len(reported) > 2
    with pytest.raises(InterruptedError):
        compressed_size("zlib", bytes(200_000), step=lambda done, total: (_ for _ in ()).throw(InterruptedError))
