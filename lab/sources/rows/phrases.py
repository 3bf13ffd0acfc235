"""Pairs of an English sentence and its translation into a made language with agreement and its own word order.

The rules of the language, all without exception:

1. A noun is a stem and an ending of its class: -a for people, -o for animals, -i for things. The plural adds -n.
2. There are no articles. A number follows its noun and never changes.
3. An adjective follows noun and number and takes the noun's ending, with -n in the plural.
4. The object and its adjective add -s.
5. A verb is a stem, the ending of the subject's class, -t in the past or -m in the future, and -n for a plural subject.
6. "ne" in front of the verb negates it.
7. A place stands first in the sentence and ends in -l.
8. A question ends in "ka" before its mark.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from lab.api import ENTROPY_RATE, Pairs, setting
from lab.sources.rows.draws import Choices, PairsConfig, distinct, row_uniforms

_CLASSES = {
    "a": "child/children girl boy teacher farmer doctor king neighbour sister woman/women",
    "o": "dog cat bird horse fox/foxes mouse/mice bear wolf/wolves duck goat",
    "i": "ball book letter boat stone bell lamp picture coat clock",
}
_VERBS = "see/saw find/found hear/heard follow/followed want/wanted carry/carried/carries draw/drew hide/hid like/liked"
_ALONE = "sleep/slept sing/sang wait/waited run/ran fall/fell rest/rested"
_ADJECTIVES = "big small old young red green quiet happy heavy strange"
_PLACES = "garden house forest river kitchen school market tower"
_NUMBERS = "two three four"

_WORDS, _ROWS = 0, 1  # streams of the draws
_CONSONANTS, _VOWELS = "bdfgjklmprtvz", "aeiou"


class PhrasesConfig(PairsConfig):
    """The word order of the made language; its words follow from the seed."""

    order: Literal["sov", "vso", "svo"] = setting(
        "sov",
        names={"sov": "subject, object, verb", "vso": "verb, subject, object", "svo": "subject, verb, object"},
        help="Word order of the made language; that of English is subject, verb, object.",
    )


@dataclass(frozen=True)
class Language:
    """The stems of the made language by English word."""

    stems: dict[str, str]

    def noun(self, word: str, ending: str, *, plural: bool, role: str = "") -> str:
        """Return a noun or adjective with the ending of a class: "tova", "tovans"."""
        return f"{self.stems[word]}{ending}{'n' if plural else ''}{role}"

    def verb(self, word: str, ending: str, tense: str, *, plural: bool) -> str:
        """Return a verb that agrees with the class and number of its subject: "keliotn"."""
        return f"{self.stems[word]}{ending}{tense}{'n' if plural else ''}"


@dataclass(frozen=True)
class Phrase:
    """A noun with its article or number, and perhaps an adjective."""

    noun: str
    many: str
    ending: str
    before: str
    adjective: str
    plural: bool

    @property
    def english(self) -> str:
        """The phrase in English: "two old dogs"."""
        return " ".join(filter(None, (self.before, self.adjective, self.many if self.plural else self.noun)))

    def made(self, language: Language, role: str = "") -> str:
        """Return the phrase in the made language; its role is "s" for the object."""
        words = [language.noun(self.noun, self.ending, plural=self.plural, role=role)]
        words += [language.stems[self.before]] if self.before in _NUMBERS.split() else []
        if self.adjective:
            words.append(language.noun(self.adjective, self.ending, plural=self.plural, role=role))
        return " ".join(words)


def phrases(config: PhrasesConfig) -> Pairs:
    """Return English sentences, all different, each with its translation, which the sentence determines."""
    language = language_of(config)
    pairs = distinct(config, config.rows, _ROWS, lambda row: sentence(row, language, config.order), 20)
    sources, targets = zip(*pairs, strict=True)
    return Pairs("phrases of a made language", config.prefixed(sources), list(targets), floors={ENTROPY_RATE: 0.0})


def language_of(config: PhrasesConfig) -> Language:
    """Return the vocabulary of a seed: stems of two syllables and a consonant, no two alike."""
    nouns = " ".join(_CLASSES.values())
    words = [word.split("/")[0] for word in f"{nouns} {_VERBS} {_ALONE} {_ADJECTIVES} {_PLACES} {_NUMBERS}".split()]
    stems: dict[str, None] = {}
    number = 0
    while len(stems) < len(words):
        row = Choices(iter(row_uniforms(config, _WORDS, np.array([number]), 5)[0].tolist()))
        stems.setdefault("".join(row.one_of((_CONSONANTS, _VOWELS)[letter % 2]) for letter in range(5)))
        number += 1
    return Language(dict(zip(words, stems, strict=True)))


def sentence(row: Choices, language: Language, order: str) -> tuple[str, str]:
    """Return a sentence in English and in the made language."""
    subject = _phrase(row, ("a", "o"))
    transitive = row.happens(0.7)
    base, past, *third = row.one_of((_VERBS if transitive else _ALONE).split()).split("/")
    object_ = _phrase(row, tuple(_CLASSES)) if transitive else None
    tense = row.one_of(("", "t", "m"))
    negated, question = row.happens(0.25), row.happens(0.2)
    spot = row.one_of(_PLACES.split()) if row.happens(0.3) else ""

    helper = {"t": "did", "m": "will", "": "do" if subject.plural else "does"}[tense]
    if question or negated or tense == "m":
        parts = [helper, subject.english] if question else [subject.english, helper]
        parts += ["not"] if negated else []
        parts.append(base)
    else:
        present = base if subject.plural else (third or [f"{base}s"])[0]
        parts = [subject.english, past if tense == "t" else present]
    parts += [object_.english] if object_ else []
    parts += [f"in the {spot}"] if spot else []

    verb = ("ne " if negated else "") + language.verb(base, subject.ending, tense, plural=subject.plural)
    by_letter = {"s": subject.made(language), "v": verb, "o": object_.made(language, "s") if object_ else ""}
    made = [f"{language.stems[spot]}l"] if spot else []
    made += [by_letter[letter] for letter in order]
    made += ["ka"] if question else []
    end = "?" if question else "."
    return " ".join([*parts, end]), " ".join([*filter(None, made), end])


def _phrase(row: Choices, endings: tuple[str, ...]) -> Phrase:
    ending = row.one_of(endings)
    noun, *many = row.one_of(_CLASSES[ending].split()).split("/")
    plural = row.happens(0.4)
    before = row.one_of(("the", *_NUMBERS.split()) if plural else ("the", "a"))
    adjective = row.one_of(_ADJECTIVES.split()) if row.happens(0.4) else ""
    if before == "a" and (adjective or noun)[0] in "aeiou":
        before = "an"
    return Phrase(noun, (many or [f"{noun}s"])[0], ending, before, adjective, plural)
