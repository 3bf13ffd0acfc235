"""The corpus page: lengths, Zipf's law, n-grams, entropies, duplicates, part by part and all together."""

import itertools
import math
import random
import threading
from collections import Counter
from dataclasses import asdict, fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.api import LongText, NoSettings, Text
from lab.base.jobs import Cancelled, Job, running_jobs
from lab.base.notices import listen
from lab.text.statistics import entropy as statistics_entropy
from lab.text.statistics import grams as statistics_grams
from lab.text.statistics import words as statistics_words
from lab.text.statistics.duplicates import duplicates
from lab.text.statistics.entropy import entropies
from lab.text.statistics.grams import coded_grams, grams
from lab.text.statistics.report import CorpusPage, parts, statistics
from lab.text.statistics.words import words_of
from lab.text.statistics.zipf import zipf
from lab.text.tokenizers.units import ByteTokenizer, fit_characters

PROSE = "The cat sat on the mat.\nA dog, don't you know, ran to the hat of the cat.\n\n" * 20


def page_of(text, **options):
    tokenizer = fit_characters(NoSettings(), text)
    return statistics(Text(text, "mine"), tokenizer.encode(text), tokenizer, **options)


def numbers_of(text):
    return fit_characters(NoSettings(), text).encode(text)


# lengths


def test_lengths_are_counted_in_every_unit():
    text = "Ärger! Don't\n\nworry, DON'T 😀"
    size = statistics(Text(text, "mine"), ByteTokenizer().encode(text), ByteTokenizer()).size
    assert (size.characters, size.bytes, size.lines, size.words) == (28, 32, 3, 4)
    assert (size.words_used, size.characters_used) == (3, len(set(text)))
    assert (size.tokens, size.tokens_used, size.vocabulary) == (32, len(set(text.encode())), 256)


def test_words_are_not_cut_where_slices_meet(monkeypatch):
    whole = words_of(PROSE)
    monkeypatch.setattr(statistics_words, "SLICE", 5)
    sliced = words_of(PROSE)
    assert (sliced.names, sliced.numbers.tolist()) == (whole.names, whole.numbers.tolist())
    assert whole.shown(whole.numbers[6:12]) == "a dog don't you know ran"


# Zipf


@pytest.mark.parametrize("exponent", [0.7, 1.0, 1.6])
def test_the_exponent_of_draws_from_a_known_one_is_found(exponent):
    share = np.arange(1, 5001) ** -exponent
    draws = np.random.default_rng(0).choice(5000, 400_000, p=share / share.sum())
    found = zipf(np.bincount(draws, minlength=5000), str)
    assert found.exponent == pytest.approx(exponent, abs=0.02)
    assert found.counts[found.last - 1] >= 10
    assert found.level == pytest.approx(found.counts[0], rel=0.1)


def test_an_exact_power_law_is_fitted_exactly():
    counts = np.round(1e9 / np.arange(1, 200) ** 1.25).astype(np.int64)
    found = zipf(counts, str)
    assert found.exponent == pytest.approx(1.25, abs=1e-6)
    assert (found.last, found.top[:3]) == (199, ("0", "1", "2"))


def test_equal_counts_have_the_exponent_zero():
    assert zipf(np.full(9, 50), str).exponent == pytest.approx(0, abs=1e-6)


def test_too_few_frequent_symbols_have_no_exponent():
    assert zipf(np.array([0, 90, 80, 70, 60, 3]), str).exponent is None


# n-grams


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 2), min_size=5, max_size=60), st.sampled_from([3, 1 << 20]))
def test_numbers_of_n_grams_are_equal_where_the_n_grams_are_and_divide_into_contexts(symbols, size):
    for order, codes in enumerate(coded_grams(np.array(symbols), size), 1):
        written = [tuple(symbols[start : start + order]) for start in range(len(symbols) - order + 1)]
        assert len(set(zip(codes.tolist(), written, strict=True))) == len(set(written)) == len(set(codes.tolist()))
        contexts = (codes // size).tolist()
        assert len(set(zip(contexts, [gram[:-1] for gram in written], strict=True))) == len(set(contexts))
        assert (codes % size).tolist() == [gram[-1] for gram in written]


def test_the_most_frequent_n_grams_are_those_of_a_counter():
    symbols = numbers_of(PROSE)
    found = grams(symbols, 40, lambda gram: ",".join(map(str, gram.tolist())))
    for order, each in enumerate(found, 1):
        counted = Counter(tuple(symbols[start : start + order].tolist()) for start in range(len(symbols) - order + 1))
        assert (each.order, each.total, each.distinct) == (order, counted.total(), len(counted))
        assert each.once == sum(count == 1 for count in counted.values())
        assert [count for _, count in each.top] == sorted(counted.values(), reverse=True)[:20]
        assert all(counted[tuple(map(int, gram.split(",")))] == count for gram, count in each.top)


def test_n_grams_are_shown_readably():
    page = page_of("to be or not\n" * 30)
    assert ("␣b", 30) in page.grams_characters[1].top
    assert ("t⏎", 30) in page.grams_characters[1].top
    assert page.grams_words[1].top[0] == ("to be", 30)
    assert [each.order for each in page.grams_words] == [1, 2, 3, 4, 5]


# entropies


def test_entropies_are_the_conditional_entropies_of_the_counts():
    text = "abracadabra alakazam " * 3
    for order in range(1, 6):
        pairs = Counter((text[at : at + order - 1], text[at + order - 1]) for at in range(len(text) - order + 1))
        contexts = Counter()
        for (context, _), count in pairs.items():
            contexts[context] += count
        wanted = -sum(
            count / pairs.total() * math.log2(count / contexts[context]) for (context, _), count in pairs.items()
        )
        found = entropies(numbers_of(text), len(set(text))).orders[order]
        assert found.bits == pytest.approx(wanted)
        assert (found.contexts, found.once) == (len(contexts), sum(c == 1 for c in contexts.values()) / len(contexts))


def test_order_zero_is_the_logarithm_of_the_alphabet():
    assert entropies(numbers_of("abcdabcd"), 4).orders[0].bits == 2


def test_a_markov_chain_has_its_entropy_counted_and_held_out():
    draws = np.random.default_rng(1).random(60_000) < 0.1
    symbols = np.cumsum(draws) % 2  # changes with probability 0.1
    truth = -(0.1 * math.log2(0.1) + 0.9 * math.log2(0.9))
    orders = entropies(symbols, 2).orders
    assert orders[1].bits == pytest.approx(1, abs=0.01)
    for each in orders[2:]:
        assert each.bits == pytest.approx(truth, abs=0.01)
        assert each.held_out == pytest.approx(truth, abs=0.02)
        assert not each.sparse


def test_short_noise_is_reported_as_too_short():
    symbols = np.random.default_rng(2).integers(0, 50, 3000)
    found = entropies(symbols, 50)
    assert found.orders[4].bits < 0.1
    assert found.orders[4].held_out > math.log2(50) - 0.5
    assert "the counts are too few" in found.note


def test_held_out_probabilities_are_those_of_witten_and_bell():
    text, share = "abab" + "ab", 4 / 6
    first = (2 + 2 * 0.5) / (4 + 2)  # a or b among abab, two types
    after_b = (1 + 1 * first) / (1 + 1)  # b was followed once, by a
    after_a = (2 + 1 * first) / (2 + 1)  # a was followed twice, by b
    found = entropies(numbers_of(text), 2, share).orders
    assert found[1].held_out == pytest.approx(-math.log2(first))
    assert found[2].held_out == pytest.approx(-(math.log2(after_b) + math.log2(after_a)) / 2)


def test_a_longer_text_is_read_to_the_limit_and_reports_it(monkeypatch):
    monkeypatch.setattr(statistics_entropy, "LONGEST", 100)
    monkeypatch.setattr(statistics_grams, "LONGEST", 100)
    page = page_of(PROSE)
    assert (page.entropies.read, page.entropies.border) == (100, 90)
    assert page.grams_characters[0].total == 100


# duplicates


def test_duplicates_are_counted_by_lines_paragraphs_and_documents():
    text = "one\ntwo\n\n one\ntwo \n\nthree\n\n\nthree\n\nfour\n<|endoftext|>\nthree\n\ffour\none"
    lines, paragraphs, documents = duplicates(text)
    assert (lines.unit, lines.count, lines.repeated) == ("lines", 10, 6)
    assert (paragraphs.count, paragraphs.repeated) == (7, 3)
    assert (documents.count, documents.repeated) == (4, 0)
    assert lines.examples[0] == ("three", 3)
    assert ("one\ntwo", 2) in paragraphs.examples


def test_documents_that_come_again_take_their_share():
    document = "A story.\n\nIt ends.\n"
    found = duplicates(f"{document}\n\nAnother.\n\n\n{document}")[2]
    assert (found.count, found.repeated, found.share) == (3, 1, 1 / 3)
    assert found.characters == pytest.approx(18 / 44)


# all together


@pytest.mark.parametrize(
    "text",
    ["x", "xy", "a" * 3000, "".join(map(chr, range(0x4E00, 0x4E00 + 500))), "one line without an end", "😀😃" * 40,
     "!?" * 9, "\x00\x01" * 30, " \n" * 30],
    ids=["one", "two", "same", "unique", "line", "emoji", "no words", "control", "blank"],
)  # fmt: skip
def test_odd_texts_have_finite_figures(text):
    page = asdict(page_of(text))
    flat = [page]
    for each in flat:
        if isinstance(each, dict | list | tuple):
            flat += each.values() if isinstance(each, dict) else each
    numbers = [each for each in flat if isinstance(each, float | int)]
    assert np.isfinite(numbers).all()
    assert min(numbers) >= 0


def test_the_parts_are_those_of_the_page_and_may_be_computed_alone():
    text = Text(PROSE, "mine")
    tokenizer = fit_characters(NoSettings(), PROSE)
    tokens = tokenizer.encode(PROSE)
    todo = parts(text, tokens, tokenizer)
    assert set(todo) == {each.name for each in fields(CorpusPage)} - {"name", "characters", "read", "share"}
    whole = statistics(text, tokens, tokenizer)
    for name in todo:
        alone = parts(text, tokens, tokenizer)[name](lambda done, total: None)
        assert str(alone) == str(getattr(whole, name))


def test_of_a_long_text_the_page_reads_the_beginning():
    text = LongText(lambda: iter([PROSE] * 9), "long", PROSE, 9 * len(PROSE), 9 * len(PROSE), "0" * 64)
    tokenizer = fit_characters(NoSettings(), PROSE)
    page = statistics(text, tokenizer.encode(PROSE), tokenizer)
    assert (page.characters, page.read) == (9 * len(PROSE), len(PROSE))
    assert page.size == page_of(PROSE).size


def test_progress_grows_to_its_end():
    reported = []
    page_of(PROSE, progress=lambda done, total: reported.append(done / total))
    assert reported == sorted(reported)
    assert reported[-1] == 1


def test_a_cancelled_page_ends_as_cancelled_jobs_do():
    calls = itertools.count()
    with pytest.raises(Cancelled):
        page_of(PROSE, cancelled=lambda: next(calls) > 5)


def test_a_job_that_was_cancelled_leaves_no_notice():
    reported, started = [], threading.Event()
    silence = listen(reported.append)

    def work(job):
        started.set()
        while True:
            page_of(PROSE, cancelled=lambda: job.cancelled)

    job = Job("counting", work).start()
    started.wait(10)
    job.cancel()
    assert job.join(10)
    silence()
    assert reported == []
    assert job not in running_jobs()


@pytest.mark.long
def test_a_million_characters_are_described():
    words = [f"w{number}" for number in range(5000)]
    text = " ".join(random.Random(0).choices(words, k=180_000))
    assert page_of(text).size.characters > 900_000
