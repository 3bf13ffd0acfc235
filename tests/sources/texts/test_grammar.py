"""The grammar: no sentence can be read in two ways, so the entropy of its derivations is that of the text."""

import math
import re
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.api import ENTROPY_RATE, BadInput
from lab.sources.texts.english import SENTENCE, english
from lab.sources.texts.grammar import GrammarConfig, grammar, per_sentence, sentences, spelled

RULES = english(0.3, 0.1)
END = "end of text"


def words_of(text):
    """Return the words and punctuation of the complete sentences at the start of a text."""
    names = {word for _, (word,) in RULES["Name"]}
    for line in re.findall(r"[^.]+\. ", text):
        words = re.findall(r"\w+|[.,]", line)
        first = words[0] if words[0] in names else words[0].lower()
        yield [first, *words[1:]]


class Inside:
    """Sums the probabilities of all derivations of a sentence (Baker 1979), of a grammar without left recursion."""

    def __init__(self, rules):
        self.rules = rules
        self.words = {
            part: {way[0]: p for p, way in ways}
            for part, ways in rules.items()
            if all(len(way) == 1 and way[0] not in rules for _, way in ways)
        }

    def probability(self, sentence):
        self.sentence, self.known = sentence, {}
        return self.ends(SENTENCE, 0).get(len(sentence), 0.0)

    def ends(self, symbol, start):
        """Return the possible ends of a part from `start` on, with the total probability of their derivations."""
        word = self.sentence[start] if start < len(self.sentence) else END
        if symbol not in self.rules:
            return {start + 1: 1.0} if symbol == word else {}
        if symbol in self.words:
            return {start + 1: self.words[symbol][word]} if word in self.words[symbol] else {}
        if (symbol, start) not in self.known:
            found = {}
            for p, way in self.rules[symbol]:
                reached = {start: p}
                for part in way:
                    after = {}
                    for position, so_far in reached.items():
                        for end, inner in self.ends(part, position).items():
                            after[end] = after.get(end, 0.0) + so_far * inner
                    reached = after
                for end, total in reached.items():
                    found[end] = found.get(end, 0.0) + total
            self.known[symbol, start] = found
        return self.known[symbol, start]


def derivation(sentence, tables):
    """The probability of the one derivation that is found when the next word alone decides each choice."""
    stack, position, p = [SENTENCE], 0, 1.0
    while stack:
        symbol = stack.pop()
        word = sentence[position] if position < len(sentence) else END
        if symbol in tables:
            picked, way = tables[symbol][word]
            p *= picked
            stack.extend(reversed(way))
        else:
            assert symbol == word
            position += 1
    assert position == len(sentence)
    return p


def parse_tables(rules):
    """For each part and next word the one rule that fits; fails where two do, so a grammar that passes is LL(1)."""
    empty, first, follow = set(), {part: set() for part in rules}, {part: set() for part in rules}
    follow[SENTENCE].add(END)

    def beginnings(way):
        found = set()
        for symbol in way:
            found |= first.get(symbol, {symbol})
            if symbol not in empty:
                return found, False
        return found, True

    size = None
    while size != (size := sum(map(len, [empty, *first.values(), *follow.values()]))):
        for part, ways in rules.items():
            for _, way in ways:
                starts, vanishes = beginnings(way)
                first[part] |= starts
                empty |= {part} if vanishes else set()
                for position, symbol in enumerate(way):
                    if symbol in rules:
                        behind, ends = beginnings(way[position + 1 :])
                        follow[symbol] |= behind | (follow[part] if ends else set())
    tables = {part: {} for part in rules}
    for part, ways in rules.items():
        for p, way in ways:
            starts, vanishes = beginnings(way)
            for word in starts | (follow[part] if vanishes else set()):
                assert word not in tables[part], f"{part} has two rules that begin with {word}"
                tables[part][word] = (p, way)
    return tables


def test_the_next_word_alone_settles_every_choice():
    parse_tables(RULES)


def test_an_ambiguous_grammar_would_be_found_out():
    ambiguous = {SENTENCE: [(0.5, ("a",)), (0.5, ("Other",))], "Other": [(1.0, ("a",))]}
    with pytest.raises(AssertionError, match="two rules that begin with a"):
        parse_tables(ambiguous)
    assert Inside(ambiguous).probability(["a"]) == 1.0


def test_one_derivation_has_all_the_probability_of_a_sentence():
    inside, tables = Inside(RULES), parse_tables(RULES)
    for sentence in islice(sentences(RULES, np.random.default_rng(1)), 2000):
        probability = inside.probability(sentence)
        assert probability > 0
        assert probability == pytest.approx(derivation(sentence, tables), rel=1e-9)


@pytest.mark.parametrize(("relative", "reported"), [(0.2, 0.1), (0.0, 0.0), (1.0, 0.1), (0.0, 0.8)])
def test_who_knows_the_grammar_loses_the_entropy_rate_on_the_text(relative, reported):
    config = GrammarConfig(relative_clauses=relative, reported_clauses=reported)
    text, tables = grammar(config), parse_tables(english(relative, reported))
    read = [*words_of(text.text)]
    losses = np.array([-math.log(derivation(sentence, tables)) for sentence in read])
    lengths = np.array([len(spelled(sentence)) for sentence in read])
    rate = losses.sum() / lengths.sum()
    error = (losses - rate * lengths).std(ddof=1) / lengths.mean() / len(read) ** 0.5  # of a quotient of two means
    assert abs(rate - text.floors[ENTROPY_RATE]) <= 3 * error
    assert losses.mean() == pytest.approx(text.facts["entropy_per_sentence"], rel=0.1)
    assert lengths.mean() == pytest.approx(text.facts["characters_per_sentence"], rel=0.1)


def test_what_is_read_from_the_text_is_what_was_drawn():
    text = grammar(GrammarConfig(length=20_000)).text
    assert "".join(spelled(sentence) for sentence in words_of(text)) == text[: text.rindex(". ") + 2]


def test_it_reads_like_english():
    assert spelled(["when", "it", "rains", ",", "Anna", "sleeps", "."]) == "When it rains, Anna sleeps. "
    text = grammar(GrammarConfig(length=20_000)).text
    assert re.fullmatch(r"([A-Z][a-z]*( [A-Za-z]+|,)*\. )+([A-Z][A-Za-z ,]*)?\.?", text)
    assert not re.search(r"\ba [aeiou]", text)
    assert not re.search(r"\b(two|many|these) (\w+ )*?(dog|child|girl) (sleeps|runs|is)\b", text)


def test_it_has_a_small_vocabulary():
    words = {symbol for ways in RULES.values() for _, way in ways for symbol in way} - set(RULES)
    assert 150 <= len(words) <= 300


def test_the_probabilities_of_every_choice_sum_to_one():
    for relative, reported in ((0, 0), (1, 1), (0.3, 0.7)):
        for part, ways in english(relative, reported).items():
            assert sum(p for p, _ in ways) == pytest.approx(1), part
            assert all(p >= 0 for p, _ in ways)


def test_the_entropy_of_a_grammar_that_can_be_counted_by_hand():
    rules = {SENTENCE: [(0.5, ("a", ".")), (0.5, ("b", SENTENCE))]}  # n times "b ", then "a. ": p = 2^−(n+1)
    entropy, characters = per_sentence(rules)
    assert entropy == pytest.approx(2 * math.log(2))
    assert characters == pytest.approx(1 * 2 + 2 + 1)


def test_clauses_without_end_are_reported():
    with pytest.raises(BadInput, match="hardly end") as raised:
        grammar(GrammarConfig(relative_clauses=1.0, reported_clauses=1.0))
    assert raised.value.problem.remedy


def test_the_config_alone_decides_the_text_and_a_longer_one_begins_alike():
    text = grammar(GrammarConfig(length=3000)).text
    assert len(text) == 3000
    assert grammar(GrammarConfig(length=3000)).text == text
    assert grammar(GrammarConfig(length=5000)).text.startswith(text)
    assert grammar(GrammarConfig(length=3000, seed=1)).text != text


@settings(max_examples=25, deadline=None, derandomize=True)
@given(relative=st.floats(0, 1), reported=st.floats(0, 1), length=st.sampled_from([1, 2, 500]))
def test_every_setting_gives_a_finite_rate_or_a_message(relative, reported, length):
    try:
        text = grammar(GrammarConfig(relative_clauses=relative, reported_clauses=reported, length=length))
    except BadInput:
        return  # the problem was checked above
    assert len(text.text) == length
    assert 0.2 < text.floors[ENTROPY_RATE] < 1
