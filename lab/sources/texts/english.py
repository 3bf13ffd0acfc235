"""Words and rules of a small English in which every sentence has exactly one parse.

The next word alone decides every choice between rules (the grammar is LL(1)), and such a grammar is unambiguous
(Rosenkrantz & Stearns 1970). This restricts the phrases: only verbs without an object take adverbs and locations,
"that" opens a clause after some verbs and a relative clause after animals and things, and conjunctions never occur
inside a clause.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Rules: TypeAlias = Mapping[str, Sequence[tuple[float, tuple[str, ...]]]]
"""The expansions of each part of speech: probabilities, with words or parts of speech. The first is a sentence."""

SENTENCE = "Sentence"

_WORDS = {
    "Name": "Anna Ben Clara David Emma Felix Grace Henry Julia Leo Maria Oscar",
    "DetOne": "the a every one my this",
    "DetMany": "two some many these three few both",
    "Size": "small big young tall tiny heavy",
    "Kind": "quiet brave gentle lazy clever proud friendly strange lonely curious",
    "Person": "child girl boy teacher farmer doctor sailor baker king neighbour soldier poet",
    "People": "children girls boys teachers farmers doctors sailors bakers kings neighbours soldiers poets",
    "Animal": "dog cat bird horse fox rabbit mouse bear wolf duck sheep goat",
    "Animals": "dogs cats birds horses foxes rabbits mice bears wolves ducks geese goats",
    "Thing": "ball book letter boat song picture lamp stone bell coat mirror clock",
    "Things": "balls books letters boats songs pictures lamps stones bells coats mirrors clocks",
    "Acts": "sleeps runs waits sings laughs plays walks rests dances hides dreams jumps",
    "Act": "sleep run wait sing laugh play walk rest dance hide dream jump",
    "Meets": "sees likes finds follows remembers watches hears loves needs wants misses draws",
    "Meet": "see like find follow remember watch hear love need want miss draw",
    "Says": "says thinks knows hopes believes fears",
    "Say": "say think know hope believe fear",
    "State": "hungry tired happy sad cold ready late afraid alone awake",
    "Weather": "cold warm dark windy sunny foggy wet",
    "Modal": "can will must may should",
    "Manner": "quietly slowly often well happily outside together again early",
    "Time": "night noon dawn dusk home",
    "Near": "in near behind under beside",
    "Spot": "garden house forest river kitchen tree school bridge market tower window field",
    "First": "today sometimes now usually perhaps later",
    "Join": "and but so",
}


def english(relative_clauses: float, reported_clauses: float) -> Rules:
    """Return the rules.

    Args:
        relative_clauses: Probability that a noun carries a clause ("the dog that sleeps"); a name never does.
        reported_clauses: Probability that a verb reports a clause ("says that the dog sleeps").
    """
    r, c = relative_clauses, reported_clauses
    rest = 1 - c
    rules: dict[str, list[tuple[float, tuple[str, ...]]]] = {
        SENTENCE: [
            (0.75, ("Clause", "More", ".")),
            (0.15, ("First", ",", "Clause", "More", ".")),
            (0.10, ("when", "Clause", ",", "Clause", "More", ".")),
        ],
        "More": [
            (0.70, ()),
            (0.18, (",", "Join", "Clause")),
            (0.08, ("because", "Clause")),
            (0.04, ("while", "Clause")),
        ],
        "Clause": [(0.62, ("One", "DoesOne")), (0.30, ("Many", "DoMany")), (0.08, ("it", "Sky"))],
        "Sky": [(0.35, ("rains",)), (0.20, ("snows",)), (0.45, ("is", "Weather"))],
        # subjects
        "One": [(0.3, ("Name",)), (0.7, ("DetOne", "SizedOne"))],
        "Many": [(1.0, ("DetMany", "SizedMany"))],
        "SizedOne": [(0.25, ("Size", "KindOne")), (0.75, ("KindOne",))],
        "SizedMany": [(0.25, ("Size", "KindMany")), (0.75, ("KindMany",))],
        "KindOne": [(0.2, ("Kind", "BeingOne")), (0.8, ("BeingOne",))],
        "KindMany": [(0.2, ("Kind", "BeingMany")), (0.8, ("BeingMany",))],
        "BeingOne": [(0.5, ("Person", "WhoOne")), (0.5, ("Animal", "ThatOne"))],
        "BeingMany": [(0.5, ("People", "WhoMany")), (0.5, ("Animals", "ThatMany"))],
        # objects
        "Object": [(0.15, ("Name",)), (0.60, ("DetOne", "AnyOne")), (0.25, ("DetMany", "AnyMany"))],
        "AnyOne": [(0.2, ("Size", "MetOne")), (0.8, ("MetOne",))],
        "AnyMany": [(0.2, ("Size", "MetMany")), (0.8, ("MetMany",))],
        "MetOne": [(0.45, ("Thing", "ThatThing")), (0.55, ("BeingOne",))],
        "MetMany": [(0.45, ("Things", "ThatThing")), (0.55, ("BeingMany",))],
        # clauses after a noun
        "WhoOne": [(1 - r, ()), (0.75 * r, ("who", "DoesOne")), (0.25 * r, ("whom", "Meeting"))],
        "WhoMany": [(1 - r, ()), (0.75 * r, ("who", "DoMany")), (0.25 * r, ("whom", "Meeting"))],
        "ThatOne": [(1 - r, ()), (r, ("that", "TailOne"))],
        "ThatMany": [(1 - r, ()), (r, ("that", "TailMany"))],
        "ThatThing": [(1 - r, ()), (r, ("that", "Meeting"))],
        "TailOne": [(0.75, ("DoesOne",)), (0.25, ("Meeting",))],
        "TailMany": [(0.75, ("DoMany",)), (0.25, ("Meeting",))],
        "Meeting": [(0.7, ("One", "Meets")), (0.3, ("Many", "Meet"))],
        # predicates
        "DoesOne": [
            (0.42 * rest, ("Acts", "How", "When", "Where")),
            (0.38 * rest, ("Meets", "Object")),
            (c, ("Says", "that", "Clause")),
            (0.12 * rest, ("is", "State")),
            (0.05 * rest, ("does", "not", "Do")),
            (0.03 * rest, ("Modal", "May")),
        ],
        "DoMany": [
            (0.42 * rest, ("Act", "How", "When", "Where")),
            (0.38 * rest, ("Meet", "Object")),
            (c, ("Say", "that", "Clause")),
            (0.12 * rest, ("are", "State")),
            (0.05 * rest, ("do", "not", "Do")),
            (0.03 * rest, ("Modal", "May")),
        ],
        "Do": [
            (0.55 * rest, ("Act", "How", "When", "Where")),
            (0.45 * rest, ("Meet", "Object")),
            (c, ("Say", "that", "Clause")),
        ],
        "May": [(0.8, ("Do",)), (0.2, ("be", "State"))],
        "How": [(0.7, ()), (0.3, ("Manner",))],
        "When": [(0.85, ()), (0.15, ("at", "Time"))],
        "Where": [(0.55, ()), (0.45, ("Near", "the", "Spot"))],
    }
    return rules | {part: _by_rank(words.split()) for part, words in _WORDS.items()}


def _by_rank(words: Sequence[str]) -> list[tuple[float, tuple[str, ...]]]:
    """Return probabilities by rank: the n-th word has 1/n the frequency of the first (Zipf 1949)."""
    total = sum(1 / rank for rank in range(1, len(words) + 1))
    return [(1 / rank / total, (word,)) for rank, word in enumerate(words, start=1)]
