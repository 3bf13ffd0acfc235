"""What readings show is explained in one sentence, with a formula that can be typeset, for all that the lab reports."""

import ast
import itertools
import re
from dataclasses import replace
from pathlib import Path

import pytest
from matplotlib.mathtext import MathTextParser

from lab.api import Explanation, Question, Task
from lab.diagnostics.structure.tree import tree_of
from lab.host import Plugins

ROOT = Path(__file__).resolve().parents[2]
STATES = {"step size", "decay", "half-life", "B", "C", "write strength", "state", "state norm", "effective rank"}
"""Shown in one card about the state, which has its own explanation."""
REPORTS = re.compile(r"\b(report|Reading)\(")
PLUGINS = Plugins(safe_mode=True)
EXPLAINED = {
    name: explanation
    for kind in ("probes", "architectures", "mixers")
    for card in PLUGINS.cards(kind).values()
    for name, explanation in card.explanations.items()
} | {card.name: card.explanation for card in PLUGINS.cards("views").values() if not card.replaces}
EQUATIONS = {
    one for kind in ("architectures", "mixers") for card in PLUGINS.cards(kind).values() for one in card.equations
}
SYMBOLS = {symbol for one in EXPLAINED.values() for symbol in one.symbols} | {
    symbol for kind in ("architectures", "mixers") for card in PLUGINS.cards(kind).values() for symbol in card.symbols
}
FORMULAS = sorted(EQUATIONS | {one.formula for one in EXPLAINED.values() if one.formula} | SYMBOLS)


def names_in_sources():
    """The names that modules report and probes return, where the sources give them as plain text."""
    names = set()
    for file in [*(ROOT / "lab").rglob("*.py"), *(ROOT / "plugins").rglob("*.py")]:
        if "testing" in file.parts:
            continue
        source = file.read_text(encoding="utf-8")
        if not REPORTS.search(source):
            continue  # to parse all takes seconds
        for node in ast.walk(ast.parse(source)):
            called = getattr(node, "func", None)
            name = getattr(called, "attr", None) or getattr(called, "id", None)
            first = node.args[0] if isinstance(node, ast.Call) and node.args else None
            if name in ("report", "Reading") and isinstance(first, ast.Constant) and isinstance(first.value, str):
                names.add(first.value)
    return names


def test_everything_that_the_lab_reports_is_explained():
    names = names_in_sources()
    assert len(names) > 20
    assert sorted(names - EXPLAINED.keys() - STATES) == []


def test_no_two_cards_explain_a_reading_of_one_name_differently():
    explained = {}
    for kind in ("probes", "architectures", "mixers"):
        for card in PLUGINS.cards(kind).values():
            if card.name == "reports":  # of the layers of the lab, whose names other models report too
                continue
            for reading, explanation in card.explanations.items():
                assert explained.setdefault(reading, explanation) == explanation, (card.name, reading)


def test_a_reading_is_found_by_its_name():
    assert PLUGINS.explanation("attention").question == "attention"
    assert PLUGINS.explanation("what nobody reports") is None


def test_an_explanation_is_one_sentence_and_then_how_to_read_it():
    for name in EXPLAINED:
        explanation = EXPLAINED[name]
        assert 20 < len(explanation.shows) <= 100, name
        assert explanation.shows[0].isupper(), name
        assert explanation.shows[-1] not in ".:", name
        assert explanation.how.endswith("."), name
        assert explanation.example == "" or explanation.example.endswith("."), name
        assert explanation.question in Question.__args__, name


@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.long)])
def test_every_formula_can_be_typeset(every):
    for latex in FORMULAS[::every]:
        MathTextParser("agg").parse(f"${latex}$")


def test_each_symbol_of_a_formula_has_a_meaning_in_a_line():
    for name in sorted(name for name, one in EXPLAINED.items() if one.formula):
        explanation = EXPLAINED[name]
        assert explanation.symbols, name
        for symbol, meaning in explanation.symbols.items():
            assert re.sub(r"\W|cdot", "", symbol) in re.sub(r"\W", "", explanation.formula), name
            assert 8 < len(meaning) <= 80, name
            assert meaning[-1] not in ".:", name


CARDS = {f"{kind}/{name}": card for kind in ("architectures", "mixers") for name, card in PLUGINS.cards(kind).items()}


def letters_of(latex):
    """The letters of a formula, with Greek ones by their names; words and functions are left out, and Euler's e."""
    plain = re.sub(r"\\(mathrm|text)(_|\{[^}]*\})", " ", latex)
    plain = re.sub(r"(?<![A-Za-z])e\^", " ", plain)
    commands = set(re.findall(r"\\([A-Za-z]+)", plain)) & GREEK
    return commands | set(re.findall(r"[A-Za-z]", re.sub(r"\\[A-Za-z]+", " ", plain)))


GREEK = {"beta", "gamma", "ell", "theta", "lambda", "mu", "phi", "sigma", "tau", "Delta", "Lambda", "Sigma"}
INDICES = set("ijnst")
"""Letters that count tokens, experts or states; as an index they need no name."""


def test_each_card_has_equations_and_names_every_symbol_of_them():
    for name in CARDS:
        card = CARDS[name]
        assert card.equations, name
        named = set().union(*map(letters_of, card.symbols))
        assert set().union(*map(letters_of, card.equations)) - named - INDICES == set(), name


def test_each_symbol_that_a_card_names_is_in_its_equations_and_has_a_meaning_in_a_line():
    for name in CARDS:
        equations = re.sub(r"\W", "", " ".join(CARDS[name].equations))
        for symbol, meaning in CARDS[name].symbols.items():
            assert re.sub(r"\W", "", symbol) in equations, symbol
            assert 8 < len(meaning) <= 90, name
            assert meaning[-1] not in ".:", name


def test_each_formula_names_every_symbol_of_it():
    for name in sorted(name for name, one in EXPLAINED.items() if one.formula):
        explanation = EXPLAINED[name]
        assert (
            letters_of(explanation.formula) - set().union(*map(letters_of, explanation.symbols)) - INDICES == set()
        ), name


def test_every_reading_has_an_example_and_a_formula():
    assert [name for name, one in EXPLAINED.items() if not one.example] == []
    assert [name for name, one in EXPLAINED.items() if not one.formula] == []


@pytest.fixture(scope="module")
def models(shallow_tree):
    """The drawings of models of two layers of all built-in architectures, with their default settings."""
    return [shallow_tree(name) for name in PLUGINS.cards("architectures")]


@pytest.mark.parametrize("name", sorted(name for name, one in EXPLAINED.items() if one.parts))
def test_each_part_that_a_symbol_is_linked_to_exists_in_a_model(name, models):
    for part in EXPLAINED[name].parts.values():
        assert any(model.find(part) for model in models), part


def test_a_part_can_be_given_for_symbols_alone():
    with pytest.raises(ValueError, match="'K', which is not one of its symbols: Q"):
        Explanation(
            shows="Queries", how="Read them.", question="attention", symbols={"Q": "queries"}, parts={"K": "key"}
        )


@pytest.mark.parametrize("name", sorted(PLUGINS.cards("architectures")))
def test_symbols_of_an_architecture_are_linked_to_parts_and_settings_that_it_has(name, shallow_tree):
    card, tree = PLUGINS.cards("architectures")[name], shallow_tree(name)
    assert card.symbol_parts
    assert [part for part in card.symbol_parts.values() if tree.find(part) is None] == []
    assert set(card.symbol_settings.values()) <= set(card.config.model_fields)


UNLINKED = {
    "the input", "the image", "the text of an image",
    "the image of a row of the batch", "the text of a row of the batch",
    "the logistic function", "the identity matrix",
    "the index of the head, from 0", "the tokens between the two", "the time, or the index of the token",
    "the input at token t", "the input at a token", "the input of the layer", "the input of the layer at a token",
    "the input of a channel", "the token at position t", "the token of the target at position t",
    "a token that may come next", "every token that came after the context",
    "the residual stream, a vector for each token", "the residual stream of the decoder",
    "the vectors of all tokens, a row each",
}  # fmt: skip
"""The meanings of symbols that are no part of a model and set by none of its settings: operators, indices, inputs."""


@pytest.mark.parametrize("name", CARDS)
def test_each_symbol_is_linked_unless_it_is_an_operator_an_index_or_an_input(name):
    card = CARDS[name]
    linked = {*card.symbol_parts, *card.symbol_settings}
    unlinked = {meaning for symbol, meaning in card.symbols.items() if symbol not in linked}
    assert unlinked - UNLINKED == set()


@pytest.fixture(scope="module")
def stack_of_all_mixers():
    """The drawing of a hybrid with all built-in mixers, and the blocks of the mixers by their names."""
    mixers = PLUGINS.cards("mixers").values()
    channels = itertools.cycle(mixer.name for mixer in mixers if mixer.kind == "channel")
    blocks = [(mixer.name, next(channels)) for mixer in mixers if mixer.kind == "token"]
    card = PLUGINS.cards("architectures")["hybrid"]
    config = card.config(layers=len(blocks), pattern=", ".join(map("+".join, blocks)))
    return tree_of(card, config, Task(97, 24)), {
        name: f"blocks.{index}" for index, names in enumerate(blocks) for name in names
    }


@pytest.mark.parametrize("name", sorted(PLUGINS.cards("mixers")))
def test_symbols_of_a_mixer_are_linked_to_parts_of_its_own_block_and_to_its_settings(name, stack_of_all_mixers):
    (tree, blocks), mixer = stack_of_all_mixers, PLUGINS.cards("mixers")[name]
    block = tree.find(blocks[name])
    assert [part for part in mixer.parts_in(block.path).values() if block.find(part) is None] == []
    assert set(mixer.symbol_settings.values()) <= set(mixer.config.model_fields)


@pytest.mark.parametrize("links", ["symbol_parts", "symbol_settings"])
def test_a_link_of_an_architecture_can_be_given_for_its_symbols_alone(links):
    with pytest.raises(ValueError, match=f"{links} of gru names 'Q', which is not one of its symbols: x_t"):
        replace(PLUGINS.cards("architectures")["gru"], **{links: {"Q": "query"}})


def test_a_stack_of_a_mixer_links_symbols_to_its_own_settings():
    mixer = replace(PLUGINS.cards("mixers")["attention"], alone=True, symbol_settings={"H": "heads"})
    assert mixer.stack().symbol_settings == {"H": "attention.heads"}
