"""Targets follow from their sources: strings are reversed, dates read, sentences translated by the rules."""

import datetime
import re

import pytest

from lab.sources.rows.dates import SPELLINGS, DatesConfig, dates
from lab.sources.rows.phrases import PhrasesConfig, language_of, phrases
from lab.sources.rows.reversal import ReversalConfig, reversal

MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]


def test_strings_are_reversed_and_use_the_letters_and_lengths_asked_for():
    pairs = reversal(ReversalConfig(rows=500, length=4, alphabet=5))
    assert list(pairs.targets) == ["".join(reversed(source)) for source in pairs.sources]
    assert {len(source) for source in pairs.sources} == {1, 2, 3, 4}
    assert set("".join(pairs.sources)) == set("abcde")


def read_date(text, first_year):
    """Read a date in any spelling, without knowing how it was written."""
    named = re.search(
        r"[A-Za-z]*(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*", text.lower().replace("the", "")
    )
    numbers = re.findall(r"\d+", text)
    if named:
        year = next((number for number in numbers if len(number) == 4), numbers[-1])
        day = next(number for number in numbers if number is not year)
        month = MONTHS.index(named[1]) + 1
    elif "/" in text:
        month, day, year = numbers
    elif "." in text:
        day, month, year = numbers
    else:
        digits = "".join(numbers)
        year, month, day = digits[:4], digits[4:6], digits[6:]
    number = int(year)
    if len(year) == 2:
        number += first_year - first_year % 100
        number += 100 * (number < first_year)
    return datetime.date(number, int(month), int(day)).isoformat()


@pytest.mark.parametrize("first_year", [1950, 1900, 2000])
def test_every_spelling_means_one_date(first_year):
    pairs = dates(DatesConfig(rows=2000, first_year=first_year))
    assert [read_date(source, first_year) for source in pairs.sources] == list(pairs.targets)
    years = {int(target[:4]) for target in pairs.targets}
    assert first_year <= min(years) <= max(years) < first_year + 100


def test_all_spellings_occur_and_weekdays_are_right():
    pairs = dates(DatesConfig(rows=2000))
    forms = {re.sub(r"[a-z]+", "a", re.sub(r"\d+", "0", source.lower())) for source in pairs.sources}
    assert len(forms) >= len(SPELLINGS) - 3  # some differ only in capitals or the length of words
    weekdays = [
        (source, target) for source, target in zip(pairs.sources, pairs.targets, strict=True) if "day, " in source
    ]
    assert weekdays
    for source, target in weekdays:
        assert source.startswith(datetime.date.fromisoformat(target).strftime("%A"))


PAST = {"saw": "see", "found": "find", "heard": "hear", "drew": "draw", "hid": "hide", "slept": "sleep", "sang": "sing",
        "ran": "run", "fell": "fall", "carried": "carry", "liked": "like"}  # fmt: skip
SINGULAR = {"children": "child", "women": "woman", "mice": "mouse", "wolves": "wolf", "foxes": "fox"}
CLASSES = {
    "a": "child girl boy teacher farmer doctor king neighbour sister woman",
    "o": "dog cat bird horse fox mouse bear wolf duck goat",
    "i": "ball book letter boat stone bell lamp picture coat clock",
}
ADJECTIVES = "big small old young red green quiet happy heavy strange"
BASES = "see find hear follow want carry draw hide like sleep sing wait run fall rest"


def translate(english, stems, order):
    """Translate by the rules of the docs, from the words alone."""
    *words, mark = english.split()
    question = mark == "?"
    spot = words.pop() if len(words) > 3 and words[-3] == "in" else ""
    words = words[:-2] if spot else words
    negated = "not" in words
    words = [word for word in words if word != "not"]
    helper = next((word for word in words if word in ("did", "will", "do", "does")), "")
    words = [word for word in words if word != helper]
    at, base, past = next((i, *found) for i, word in enumerate(words) if (found := verb_of(word, words[i - 1 : i])))
    tense = "t" if past or helper == "did" else "m" if helper == "will" else ""
    subject, object_ = words[:at], words[at + 1 :]
    ending, plural = agreement(subject)
    parts = {
        "s": noun_phrase(subject, stems, ""),
        "o": noun_phrase(object_, stems, "s") if object_ else "",
        "v": ("ne " if negated else "") + stems[base] + ending + tense + ("n" if plural else ""),
    }
    made = [stems[spot] + "l" if spot else "", *(parts[letter] for letter in order), "ka" if question else "", mark]
    return " ".join(filter(None, made))


def verb_of(word, before):
    if before and before[0] in ("the", "a", "an"):
        return None
    if word in PAST or (word.endswith("ed") and word[:-2] in BASES.split()):
        return PAST.get(word, word[:-2]), True
    for base in (word, word.removesuffix("s"), word.removesuffix("ies") + "y"):
        if base in BASES.split():
            return base, False
    return None


def agreement(phrase):
    noun = SINGULAR.get(phrase[-1], phrase[-1].removesuffix("s"))
    return next(ending for ending, nouns in CLASSES.items() if noun in nouns.split()), noun != phrase[-1]


def noun_phrase(phrase, stems, role):
    ending, plural = agreement(phrase)
    suffix = ending + ("n" if plural else "") + role
    noun = SINGULAR.get(phrase[-1], phrase[-1].removesuffix("s"))
    numbers = [stems[word] for word in phrase if word in ("two", "three", "four")]
    adjectives = [stems[word] + suffix for word in phrase if word in ADJECTIVES.split()]
    return " ".join([stems[noun] + suffix, *numbers, *adjectives])


@pytest.mark.parametrize("order", ["sov", "vso", "svo"])
@pytest.mark.parametrize("seed", [0, 7])
def test_sentences_are_translated_by_the_rules(order, seed):
    config = PhrasesConfig(rows=800, order=order, seed=seed)
    pairs, stems = phrases(config), language_of(config).stems
    assert [translate(source, stems, order) for source in pairs.sources] == list(pairs.targets)


def test_the_vocabulary_follows_from_the_seed_and_no_two_words_are_alike():
    one, other = language_of(PhrasesConfig()).stems, language_of(PhrasesConfig(seed=1)).stems
    assert one == language_of(PhrasesConfig(rows=10, order="svo")).stems != other
    assert len(set(one.values())) == len(one)
