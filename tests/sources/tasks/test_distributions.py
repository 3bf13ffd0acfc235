"""Small tasks are enumerated: which examples there are, and that each occurs as often as its definition requires."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from lab.api import load
from lab.sources.tasks.arithmetic import AdditionConfig, ModularConfig, addition, modular_addition
from lab.sources.tasks.automata import AutomatonConfig, CycleConfig, cycle_navigation, even_pairs, parity
from lab.sources.tasks.order import OrderConfig, temporal_order
from lab.sources.tasks.recall import (
    InductionConfig,
    RecallConfig,
    SelectiveCopyingConfig,
    associative_recall,
    induction,
    selective_copying,
)
from lab.sources.tasks.strings import StringConfig, copying, reversing, sorting

DRAWS = 10_000
OLD_PASSAGES = ["daadaa", "bbabba", "ccacca", "aabaab", "abaaba", "bdbbdb"]  # of seed 3, from version 1


def texts(examples, count=DRAWS, split="train"):
    tokens = examples.draw(np.arange(count), 3, split).tokens
    return ["".join(examples.symbols[token] for token in row if token >= 0) for row in tokens.tolist()]


def assert_as_likely(counts, probabilities):
    """Assert that the outcomes are the expected ones, each as frequent as expected within five standard deviations."""
    assert counts.keys() == probabilities.keys()
    total = sum(counts.values())
    for outcome, probability in probabilities.items():
        spread = math.sqrt(total * probability * (1 - probability))
        assert abs(counts[outcome] - total * probability) <= 5 * spread + 1e-6 * total, outcome


def strings(alphabet, longest):
    """Each string with its probability: lengths are equally likely, and so are symbols."""
    for length in range(1, longest + 1):
        for symbols in itertools.product(alphabet, repeat=length):
            yield "".join(symbols), 1 / longest / len(alphabet) ** length


@pytest.mark.parametrize(
    ("build", "answer"),
    [(copying, lambda s: s), (reversing, lambda s: s[::-1]), (sorting, lambda s: "".join(sorted(s)))],
)
def test_every_string_of_every_length_is_asked_for_as_often(build, answer):
    examples = build(StringConfig(length=3, alphabet=3))
    expected = {f"{string}|{answer(string)}.": share for string, share in strings("abc", 3)}
    assert_as_likely(Counter(texts(examples)), expected)


def test_parity_asks_of_every_string_whether_its_ones_are_odd():
    expected = {f"{s}={s.count('1') % 2}": share for s, share in strings("01", 4)}
    assert_as_likely(Counter(texts(parity(AutomatonConfig(length=4)))), expected)


def test_even_pairs_asks_of_every_string_whether_its_ends_differ():
    expected = {f"{s}={int(s[0] != s[-1])}": share for s, share in strings("01", 4)}
    assert_as_likely(Counter(texts(even_pairs(AutomatonConfig(length=4)))), expected)


@pytest.mark.parametrize(("walk", "place"), [("<.<<", 2), (">>><", 2), (">>>>", 4), ("....", 0)])
def test_a_walk_on_a_cycle_of_five_ends_as_in_the_paper(walk, place):
    """The first two are the examples of tasks/regular/cycle_navigation.py, one step shorter."""
    assert f"{walk}={place}" in set(texts(cycle_navigation(CycleConfig(length=4))))


def test_every_walk_on_a_cycle_is_as_likely():
    expected = {f"{s}={(s.count('>') - s.count('<')) % 3}": share for s, share in strings("<.>", 3)}
    assert_as_likely(Counter(texts(cycle_navigation(CycleConfig(length=3, cycle=3)))), expected)


def repetitions(alphabet, length):
    """Different symbols, then the last of them again, with its probability: all distances are equally likely."""
    rows = ["".join(row) for row in itertools.permutations(alphabet, length)]
    for distance in range(2, length + 1):
        yield from ((row + row[-distance:], 1 / (length - 1) / len(rows)) for row in rows)


def test_every_row_of_different_symbols_is_repeated_from_every_distance_as_often():
    expected = dict(repetitions("abcd", 3))
    assert_as_likely(Counter(texts(induction(InductionConfig(length=3, alphabet=4)))), expected)


def test_position_alone_does_not_tell_how_a_repetition_goes_on():
    """A reader who looks back by one distance is right in the examples of that distance alone."""
    drawn = induction(InductionConfig()).draw(np.arange(DRAWS), 0, "train")
    right = {}
    for distance in range(1, 13):
        same = drawn.tokens[:, distance:] == drawn.tokens[:, :-distance]
        right[distance] = same[drawn.scored[:, distance:]].sum() / drawn.scored.sum()
    assert max(right.values()) < 0.2


def test_at_a_constant_distance_every_passage_is_repeated_as_often():
    expected = {2 * "".join(half): 1 / 27 for half in itertools.product("abc", repeat=3)}
    constant = InductionConfig(length=3, alphabet=3, distance="constant")
    assert_as_likely(Counter(texts(induction(constant))), expected)


def test_settings_from_before_the_distance_was_drawn_give_the_examples_they_gave():
    old = InductionConfig.read({"length": 3, "alphabet": 4, "scored": "answers"}, version=1)
    assert texts(induction(old), 6) == OLD_PASSAGES


def test_data_are_at_any_positions_among_the_noise_equally_often():
    expected = {}
    for places in itertools.combinations(range(4), 2):
        for data in itertools.product("ab", repeat=2):
            row = ["-"] * 4
            for place, symbol in zip(places, data, strict=True):
                row[place] = symbol
            expected[f"{''.join(row)}|{''.join(data)}"] = 1 / 6 / 4
    examples = selective_copying(SelectiveCopyingConfig(length=4, data=2, alphabet=2))
    assert_as_likely(Counter(texts(examples)), expected)


@pytest.mark.parametrize("power", [0.01, 1.0])
def test_recall_draws_keys_values_and_places_as_zoology_does(power):
    """Keys 1 … V/2 − 1 and values V/2 … V − 1 without replacement; places too, with weights i^(a − 1)."""
    pairs, places, size = 2, 3, 8
    examples = associative_recall(RecallConfig(length=2 * (pairs + places), pairs=pairs, vocabulary=size, power=power))
    tokens = examples.draw(np.arange(DRAWS), 0, "train").tokens
    keys = dict.fromkeys(itertools.permutations((1, 2, 3), 2), 1 / 6)
    values = dict.fromkeys(itertools.permutations((4, 5, 6, 7), 2), 1 / 12)
    assert_as_likely(Counter(zip(tokens[:, 0].tolist(), tokens[:, 2].tolist(), strict=True)), keys)
    assert_as_likely(Counter(zip(tokens[:, 1].tolist(), tokens[:, 3].tolist(), strict=True)), values)
    weights = np.arange(1, places + 1) ** (power - 1)
    weights /= weights.sum()
    queried = {(i, j): weights[i] * weights[j] / (1 - weights[i]) for i, j in itertools.permutations(range(places), 2)}
    behind = tokens[:, 2 * pairs :: 2]
    where = [(behind == tokens[:, [key]]).argmax(axis=1).tolist() for key in (0, 2)]
    assert_as_likely(Counter(zip(*where, strict=True)), queried)


def test_what_is_neither_pair_nor_question_is_filler_or_any_symbol():
    plain, random = (
        associative_recall(RecallConfig(length=40, pairs=2, vocabulary=8, random_filler=filler))
        for filler in (False, True)
    )
    for examples, expected in ((plain, {0: 1.0}), (random, dict.fromkeys(range(8), 1 / 8))):
        drawn = examples.draw(np.arange(2000), 0, "train")
        scored = np.flatnonzero(drawn.scored.any(axis=0))
        assert scored.min() == 5
        free = ~drawn.scored[:, 4:] & ~np.roll(drawn.scored, -1, axis=1)[:, 4:]
        assert_as_likely(Counter(drawn.tokens[:, 4:][free].tolist()), expected)


@pytest.mark.parametrize("share", [0.25, 0.5, 0.999])
def test_each_pair_of_a_modular_sum_is_in_only_one_split(share):
    examples = modular_addition(ModularConfig(modulus=5, train_share=share))
    splits = [set(texts(examples, 2000, split)) for split in ("train", "validation")]
    assert not splits[0] & splits[1]
    assert splits[0] | splits[1] == {f"{a} + {b} = {(a + b) % 5} ".replace(" ", "") for a in range(5) for b in range(5)}
    assert len(splits[0]) == min(round(25 * share), 24) == examples.facts["pairs"]["train"]


def test_a_split_of_modular_sums_depends_on_its_setting_and_not_on_the_seed_of_the_run():
    first, second = (modular_addition(ModularConfig(modulus=5, split=split)) for split in (0, 1))
    by_seed = [set(map(bytes, first.draw(np.arange(2000), seed, "train").tokens)) for seed in (0, 1)]
    assert by_seed[0] == by_seed[1]
    assert set(texts(first)) != set(texts(second))


def test_every_sum_of_two_digits_is_as_likely():
    expected = {f"{a}+{b}={a + b}.": 1 / 100 for a in range(10) for b in range(10)}
    assert_as_likely(Counter(texts(addition(AdditionConfig(length=1)))), expected)


def test_numbers_of_one_count_of_digits_are_as_likely():
    numbers = [text.partition("+")[0] for text in texts(addition(AdditionConfig(length=2)))]
    single, double = {str(n): 1 / 20 for n in range(10)}, {str(n): 1 / 180 for n in range(10, 100)}
    assert_as_likely(Counter(numbers), single | double)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, "97+6=103."),
        ({"reverse": True}, "97+6=301."),
        ({"padded": True}, "97+06=103."),
        ({"padded": True, "reverse": True}, "97+06=301."),
    ],
)
def test_a_sum_is_written_as_its_settings_say(options, text):
    assert text in set(texts(addition(AdditionConfig(length=2, **options)), 60_000))


@pytest.mark.parametrize(("relevant", "ranges"), [(2, [(10, 20), (50, 60)]), (3, [(10, 20), (33, 43), (66, 76)])])
def test_temporal_order_has_the_lengths_and_places_of_the_paper(relevant, ranges):
    rows = texts(temporal_order(OrderConfig(length=110, relevant=relevant)), 4000)
    assert {row.index("=") + 1 for row in rows} == set(range(100, 111))
    places = [[i for i, symbol in enumerate(row) if symbol in "XY"] for row in rows]
    for i, (low, high) in enumerate(ranges):
        assert {found[i] for found in places} == set(range(low, high + 1))
    assert_as_likely(Counter(row[-1] for row in rows), dict.fromkeys("QRSUVABC"[: 2**relevant], 0.5**relevant))
    noise = Counter(symbol for row in rows for symbol in row[1 : row.index("=")] if symbol not in "XY")
    assert_as_likely(noise, dict.fromkeys("abcd", 0.25))


def price(row, possible, first):
    """Return the nats on a row from `first` on for a predictor that knows all examples and their shares."""
    ahead = [
        sum(share for other, share in possible.items() if other.startswith(row[:end])) for end in (first, len(row))
    ]
    return math.log(ahead[0] / ahead[1])


@pytest.mark.parametrize(
    ("build", "answer"),
    [
        ("strings:copying", lambda s: f"|{s}."),
        ("strings:reversing", lambda s: f"|{s[::-1]}."),
        ("strings:sorting", lambda s: f"|{''.join(sorted(s))}."),
    ],
)
@pytest.mark.parametrize("exactly", [False, True])
def test_with_all_of_a_string_scored_the_entropy_is_the_loss_of_who_knows_all_possible_strings(build, answer, exactly):
    examples = load(f"lab.sources.tasks.{build}")(StringConfig(length=4, alphabet=3, scored="all"))
    examples = examples.at_length(4) if exactly else examples
    assert_best(examples, [(s + answer(s), p) for s, p in strings("abc", 4) if len(s) == 4 or not exactly])


@pytest.mark.parametrize("exactly", [False, True])
@pytest.mark.parametrize(
    ("build", "alphabet", "answer"),
    [
        (parity, "01", lambda s: f"={s.count('1') % 2}"),
        (even_pairs, "01", lambda s: f"={int(s[0] != s[-1])}"),
        (cycle_navigation, "<.>", lambda s: f"={(s.count('>') - s.count('<')) % 5}"),
    ],
)
def test_with_all_tokens_scored_an_automaton_has_the_entropy_of_its_strings(build, alphabet, answer, exactly):
    config = (CycleConfig if build is cycle_navigation else AutomatonConfig)(length=5, scored="all")
    examples = build(config).at_length(5) if exactly else build(config)
    assert_best(examples, [(s + answer(s), p) for s, p in strings(alphabet, 5) if len(s) == 5 or not exactly])


def test_with_all_tokens_scored_a_repeated_passage_has_the_entropy_of_its_first_half():
    examples = induction(InductionConfig(length=4, alphabet=3, distance="constant", scored="all"))
    assert_best(examples, [(2 * "".join(half), 1.0) for half in itertools.product("abc", repeat=4)])


def test_with_all_tokens_scored_a_drawn_distance_adds_its_entropy_to_that_of_the_symbols():
    examples = induction(InductionConfig(length=4, alphabet=5, scored="all"))
    assert_best(examples, list(repetitions("abcde", 4)))


def assert_best(examples, weighted):
    """The entropy is what the best predictor loses: exactly over all examples, and within sampling error when drawn."""
    total = sum(weight for _, weight in weighted)
    possible = {row: weight / total for row, weight in weighted}
    prices = {row: price(row, possible, 1) for row in possible}
    loss = sum(share * prices[row] for row, share in possible.items())
    scored = sum(share * (len(row) - 1) for row, share in possible.items())
    assert examples.entropy == pytest.approx(loss / scored, abs=1e-12)
    drawn = examples.draw(np.arange(DRAWS), 0, "validation")
    assert np.array_equal(drawn.scored[:, 1:], drawn.tokens[:, 1:] >= 0)
    rows = ["".join(examples.symbols[token] for token in row if token >= 0) for row in drawn.tokens.tolist()]
    losses = np.array([prices[row] for row in rows])
    counts = drawn.scored.sum(axis=1)
    spread = np.std(losses - examples.entropy * counts) / math.sqrt(DRAWS) / counts.mean()
    assert abs(losses.sum() / counts.sum() - examples.entropy) <= 5 * spread + 1e-9


def test_easier_examples_have_their_data_near_the_separator_in_training_alone():
    config = {"length": 64, "data": 4, "alphabet": 8}
    helped = selective_copying(SelectiveCopyingConfig(**config, easier=0.5))
    plain = selective_copying(SelectiveCopyingConfig(**config))
    numbers = np.arange(2000)
    assert np.array_equal(helped.draw(numbers, 1, "validation").tokens, plain.draw(numbers, 1, "validation").tokens)
    reach = [64 - (helped.draw(numbers, 1, "train").tokens[:, :64] < 8).argmax(axis=1) for helped in (helped, plain)]
    assert (reach[0] <= 16).mean() == pytest.approx(0.25, abs=0.04)  # of the easier half the half up to 16 tokens
    assert (reach[1] <= 16).mean() < 0.02
    assert min(reach[0]) == 4
