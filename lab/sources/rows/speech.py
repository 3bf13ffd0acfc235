"""Sentences whose every word is labelled with its part of speech, which its form alone often does not give."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from lab.api import ENTROPY_RATE, LabelledTexts
from lab.sources.rows.draws import Choices, RowsConfig, distinct

CLASSES = ("determiner", "adjective", "noun", "verb", "adverb", "preposition", "mark")

_BOTH = "plant dance walk drink duck bear play ring fish light"  # nouns that are also verbs
_FORMS: Mapping[str, tuple[int, str]] = {
    "det.one": (0, "the the one every this"),
    "det.many": (0, "the the some many these"),
    "adj": (1, "light dark cold old young clean open dry small big quiet fast early hard"),
    "noun.one": (2, f"{_BOTH} cold dark clean child farmer dog stone box tree"),
    "noun.many": (2, "plants dances walks drinks ducks bears plays rings fish lights young old boxes children farmers"),
    "verb.one": (3, "plants lights opens cleans dries rings sees finds draws drinks"),
    "verb.many": (3, "plant light open clean dry ring see find draw drink"),
    "rest.one": (3, "dances walks ducks plays fishes lights sleeps falls rests"),
    "rest.many": (3, "dance walk duck play fish light sleep fall rest"),
    "adv": (4, "fast early hard slowly often well"),
    "prep": (5, "near behind under in"),
    "mark": (6, "."),
}
"""The words of each form, and its part of speech: nouns and verbs by number, verbs with and without an object."""
_WORDS = {form: words.split() for form, (_, words) in _FORMS.items()}
_ONE = (("det.one", "noun.one"), ("det.one", "adj", "noun.one"))
_MANY = (("det.many", "noun.many"), ("det.many", "adj", "noun.many"), ("noun.many",), ("adj", "noun.many"))
_ENDS = (
    (),
    ("adv",),
    *(("prep", *phrase) for phrase in (*_ONE, *_MANY)),
)


def _patterns() -> list[tuple[str, ...]]:
    """Return the sequences of forms that are sentences: a verb agrees with its subject."""
    found = []
    for number, subjects in (("one", _ONE), ("many", _MANY)):
        predicates = [(f"rest.{number}", *end) for end in _ENDS]
        predicates += [(f"verb.{number}", *phrase, *end) for phrase in (*_ONE, *_MANY) for end in ((), ("adv",))]
        found += [(*subject, *predicate, "mark") for subject, predicate in itertools.product(subjects, predicates)]
    return found


PATTERNS = _patterns()


def parts_of_speech(config: RowsConfig) -> LabelledTexts:
    """Return sentences, all different, with the part of speech of each word.

    Sentences that could be labelled in two ways are left out, so the words of a sentence determine its labels. The loss
    of the best predictor that sees each word alone is their mean entropy given the word, counted in these rows.

    Raises:
        BadInput: There are not so many different sentences.
    """
    by_length: dict[int, list[tuple[str, ...]]] = defaultdict(list)
    for pattern in PATTERNS:
        by_length[len(pattern)].append(pattern)

    def sentence(row: Choices) -> tuple[tuple[str, ...], tuple[int, ...]] | None:
        pattern = row.one_of(PATTERNS)
        words = tuple(row.one_of(_WORDS[form]) for form in pattern)
        labelled = labellings(words, by_length[len(words)])
        return (words, labelled.pop()) if len(labelled) == 1 else None

    longest = max(map(len, PATTERNS))
    rows = distinct(config, config.rows, 0, sentence, 1 + longest)
    texts, labels = [list(words) for words, _ in rows], [list(found) for _, found in rows]
    floors = {ENTROPY_RATE: 0.0, "each word alone": round(entropy_by_word(texts, labels), 6)}
    return LabelledTexts("parts of speech", texts, labels, CLASSES, floors=floors)


def labellings(words: Sequence[str], patterns: Sequence[tuple[str, ...]]) -> set[tuple[int, ...]]:
    """Return the parts of speech that a sentence can have by patterns of its length."""
    fitting = (
        pattern for pattern in patterns if all(word in _WORDS[form] for word, form in zip(words, pattern, strict=True))
    )
    return {tuple(_FORMS[form][0] for form in pattern) for pattern in fitting}


def entropy_by_word(texts: Sequence[Sequence[str]], labels: Sequence[Sequence[int]]) -> float:
    """Return the mean entropy in nats of a label given its word alone."""
    pairs = Counter(zip(itertools.chain(*texts), itertools.chain(*labels), strict=True))
    words = Counter(itertools.chain(*texts))
    total = sum(words.values())
    terms = [count / total * math.log(words[word] / count) for (word, _), count in pairs.items()]
    return float(np.sum(terms))
