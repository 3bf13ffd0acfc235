"""Every task keeps the contract of examples, and each token it scores is decided by the tokens in front of it."""

import itertools
from itertools import takewhile

import numpy as np
import pytest

from lab.api import BadInput
from lab.sources.tasks.cards import lab_register_corpora
from lab.text.examples.promises import check_examples

CARDS = {}
lab_register_corpora(lambda card: CARDS.update({card.name: card}))

NUMBERS = np.arange(300)


def around(prefix, sign):
    """Return the text before a sign and the text after it."""
    return prefix[: prefix.index(sign)], prefix[prefix.index(sign) + 1 :]


def copied(prefix, config):
    string, given = around(prefix, "|")
    return [*string, "."][len(given)]


def reversed_(prefix, config):
    string, given = around(prefix, "|")
    return [*string[::-1], "."][len(given)]


def sorted_(prefix, config):
    string, given = around(prefix, "|")
    order = sorted(string, key=lambda symbol: int(symbol[1:]) if len(symbol) > 1 else (symbol.isupper(), symbol))
    return [*order, "."][len(given)]


def followed_before(prefix, config):
    if config.distance == "constant":
        return prefix[len(prefix) - config.length]
    return prefix[prefix.index(prefix[-1]) + 1]


def picked_out(prefix, config):
    read, given = around(prefix, "|")
    return [symbol for symbol in read if symbol != "-"][len(given)]


def recalled(prefix, config):
    pairs = 2 * config.pairs
    return dict(zip(prefix[0:pairs:2], prefix[1:pairs:2], strict=True))[prefix[-1]]


def parity(prefix, config):
    return str(prefix.count("1") % 2)


def even_pairs(prefix, config):
    string = "".join(around(prefix, "=")[0])
    return str(sum(string[i : i + 2] in ("01", "10") for i in range(len(string))) % 2)


def place_on_cycle(prefix, config):
    place = 0
    for step in around(prefix, "=")[0]:
        place = (place + {"<": -1, ".": 0, ">": 1}[step]) % config.cycle
    return str(place)


def sum_modulo(prefix, config):
    first, plus, second, equals = prefix
    assert plus == "+"
    assert equals == "="
    return str((int(first) + int(second)) % config.modulus)


def sum_in_digits(prefix, config):
    question, given = around(prefix, "=")
    terms = "".join(question).split("+")
    assert all(term == str(int(term)) for term in terms) or config.padded
    total = str(sum(map(int, terms)))
    total = total.zfill(1 + max(map(len, terms))) if config.padded else total
    return ((total[::-1] if config.reverse else total) + ".")[len(given)]


def class_of_order(prefix, config):
    order = [symbol for symbol in prefix if symbol in ("X", "Y")]
    assert (prefix[0], prefix[-1], len(order)) == ("E", "=", config.relevant)
    return "QRSUVABC"[int("".join("01"[symbol == "Y"] for symbol in order), 2)]


SOLVERS = {
    "copy": copied,
    "reverse": reversed_,
    "sort": sorted_,
    "induction": followed_before,
    "selective-copying": picked_out,
    "mqar": recalled,
    "parity": parity,
    "even-pairs": even_pairs,
    "cycle-navigation": place_on_cycle,
    "modular-addition": sum_modulo,
    "addition": sum_in_digits,
    "temporal-order": class_of_order,
}
SETTINGS = [
    *((name, {}) for name in SOLVERS),
    *((name, {"length": 1, "alphabet": 1}) for name in ("copy", "reverse", "sort")),
    ("copy", {"alphabet": 60}),
    ("sort", {"alphabet": 300}),
    ("induction", {"length": 2, "alphabet": 8}),
    ("induction", {"length": 2, "alphabet": 1, "distance": "constant"}),
    ("selective-copying", {"length": 5, "data": 5, "alphabet": 100}),
    ("mqar", {"length": 33, "pairs": 8, "vocabulary": 19}),
    ("mqar", {"length": 100, "pairs": 6, "vocabulary": 64, "power": 1, "random_filler": True}),
    *((name, {"length": 1}) for name in ("parity", "even-pairs", "cycle-navigation", "addition")),
    ("cycle-navigation", {"cycle": 10}),
    ("modular-addition", {"modulus": 2, "train_share": 0.001}),
    ("modular-addition", {"modulus": 300, "split": 3}),
    *(("addition", {"length": 5, "reverse": r, "padded": p}) for r, p in [(True, False), (False, True), (True, True)]),
    ("temporal-order", {"relevant": 3}),
    ("temporal-order", {"length": 11, "relevant": 3}),
]


def made(name, settings=None):
    config = CARDS[name].config(**(settings or {}))
    return CARDS[name].make(config), config


def rows_of(examples, split="train"):
    """Each example as the names of its symbols, and the places that are scored."""
    drawn = examples.draw(NUMBERS[:40], 5, split)
    names = [symbol.strip() for symbol in examples.symbols]
    for tokens, scored in zip(drawn.tokens.tolist(), drawn.scored, strict=True):
        yield [names[token] for token in takewhile(lambda token: token >= 0, tokens)], np.flatnonzero(scored)


def assert_solved(examples, config, solver, split="train"):
    for row, scored in rows_of(examples, split):
        assert [solver(row[:place], config) for place in scored] == [row[place] for place in scored]


def test_each_task_has_a_solver():
    assert CARDS.keys() == SOLVERS.keys()


def test_a_task_has_what_it_tests_which_models_do_well_and_references():
    for card in CARDS.values():
        assert card.tests, card
        assert card.expected, card
        assert card.references, card
        assert card.tokenizer == "symbol", card


def test_a_task_keeps_the_contract_of_examples():
    for name, settings in SETTINGS:
        check_examples(made(name, settings)[0])


@pytest.mark.parametrize(("name", "settings"), SETTINGS)
@pytest.mark.parametrize("split", ["train", "validation"])
def test_earlier_tokens_determine_every_scored_token(name, settings, split):
    examples, config = made(name, settings)
    assert examples.entropy == 0
    assert_solved(examples, config, SOLVERS[name], split)


@pytest.mark.parametrize("name", CARDS)
def test_the_whole_answer_is_scored_and_nothing_else(name):
    for row, scored in rows_of(made(name)[0]):
        if name == "mqar":
            assert scored.tolist() == [i for i in range(8, len(row)) if row[i].startswith("v")]
            assert len(scored) == 4
        else:
            sign = {"induction": 12, "temporal-order": len(row) - 2}.get(name)
            sign = next(i for i, symbol in enumerate(row) if symbol in "|=") if sign is None else sign
            assert scored.tolist() == list(range(sign + 1, len(row)))


@pytest.mark.parametrize(("name", "settings"), SETTINGS)
def test_a_greater_length_is_the_same_task_with_all_examples_of_that_length(name, settings):
    examples, config = made(name, settings)
    if examples.at_length is None:
        assert name == "modular-addition"
        return
    farther = 4 * examples.length
    longer = examples.at_length(farther)
    check_examples(longer)
    assert longer.symbols == examples.symbols
    assert longer.length == farther
    assert_solved(longer, config.model_copy(update={"length": farther}), SOLVERS[name])
    marks = {"copy": "|", "reverse": "|", "sort": "|", "selective-copying": "|", "temporal-order": "="}
    marks |= dict.fromkeys(("parity", "even-pairs", "cycle-navigation"), "=")
    for row, _ in rows_of(longer):
        if name in marks:
            assert row.index(marks[name]) == farther - (name == "temporal-order")
        elif name == "addition":
            assert (row.index("+"), row.index("=")) == (farther, 2 * farther + 1)
        elif name == "induction" and config.distance == "drawn":
            assert len(set(row)) == farther
        else:
            assert len(row) == farther * (2 if name == "induction" else 1)


def test_the_longest_example_is_as_long_as_was_said():
    for name, settings in SETTINGS:
        examples, _ = made(name, settings)
        lengths = (examples.draw(np.arange(4000), 0, "train").tokens >= 0).sum(axis=1)
        assert lengths.max() == examples.longest, (name, settings)


@pytest.mark.parametrize("name", CARDS)
def test_an_example_is_a_function_of_its_number_the_seed_and_the_split(name):
    examples, _ = made(name)
    whole = examples.draw(NUMBERS, 1, "train")
    some = made(name)[0].draw(NUMBERS[[7, 3, 3]], 1, "train")
    assert np.array_equal(whole.tokens[[7, 3, 3]], some.tokens)
    assert np.array_equal(whole.scored[[7, 3, 3]], some.scored)
    for other in (examples.draw(NUMBERS, 2, "train"), examples.draw(NUMBERS, 1, "validation")):
        same = (whole.tokens == other.tokens).all(axis=1).mean()
        assert same < 0.1


@pytest.mark.parametrize("name", ["copy", "reverse", "sort", "induction", "selective-copying", "mqar"])
def test_no_long_example_is_in_both_splits(name):
    examples = made(name, {"alphabet": 128} if name == "induction" else {})[0].at_length(100)
    train, validation = (examples.draw(NUMBERS, 0, split).tokens for split in ("train", "validation"))
    assert not set(map(bytes, train)) & set(map(bytes, validation))


@pytest.mark.parametrize(
    ("name", "settings", "field"),
    [
        ("selective-copying", {"length": 7, "data": 8}, "corpus.length"),
        ("induction", {"length": 9, "alphabet": 8}, "corpus.length"),
        ("mqar", {"length": 64, "pairs": 17}, "corpus.pairs"),
        ("mqar", {"length": 64, "pairs": 8, "vocabulary": 16}, "corpus.pairs"),
    ],
)
def test_settings_that_do_not_go_together_are_refused_by_name(name, settings, field):
    with pytest.raises(BadInput) as refused:
        made(name, settings)
    assert refused.value.problem.field == field
    assert refused.value.problem.allowed


def test_a_length_that_no_example_can_have_is_refused():
    for length, name in itertools.product([0, -5, 10**12], [name for name in CARDS if name != "modular-addition"]):
        with pytest.raises(BadInput, match=r"corpus\.length"):
            made(name)[0].at_length(length)


@pytest.mark.parametrize("name", CARDS)
def test_the_greatest_settings_still_give_examples(name):
    bounds = {
        field: next(limit.le for limit in info.metadata if hasattr(limit, "le"))
        for field, info in CARDS[name].config.model_fields.items()
        if field not in ("distance", "scored", "random_filler", "reverse", "padded", "relevant", "train_share")
    }
    examples, _ = made(name, bounds)
    drawn = examples.draw(np.array([0, 2**62]), 2**63, "train")
    assert drawn.scored.any(axis=1).all()
    assert drawn.tokens.max() < len(examples.symbols)
