"""Text of a given form: the tokens that a pattern leaves, against all texts that match; and what cannot be."""

import itertools
import json
import re
import sys

import pytest
import torch

from lab.api import Task
from lab.base import BadInput
from lab.decoding.beams import BeamSearch
from lab.decoding.builtins import BeamSearchConfig, JsonSchemaConfig, RegexConfig, SamplingConfig
from lab.decoding.grammar import LIMITS, json_filter, regex_filter
from lab.decoding.pipeline import NamedFilter
from lab.decoding.stops import End, Stops
from lab.decoding.strategies import Sampling
from lab.decoding.stream import generate
from lab.layers import LanguageModel
from lab.text.tokenizers.units import ByteTokenizer, CharacterTokenizer

CHARACTERS = "\n./0ab"
TOKENIZER = CharacterTokenizer(CHARACTERS)
STOPS = Stops({0: End("end of text")})
SCHEMA = {
    "type": "object",
    "properties": {"name": {"enum": ["ab", "b"]}, "age": {"type": "integer", "minimum": 0, "maximum": 99}},
    "required": ["name", "age"],
    "additionalProperties": False,
}


def regex(pattern, tokenizer=TOKENIZER, prompt=0):
    return regex_filter(RegexConfig(pattern=pattern), tokenizer, prompt)


def allowed(change, history, size=6):
    return set((change(torch.zeros(1, size), [history])[0] == 0).nonzero().flatten().tolist())


@pytest.mark.parametrize("pattern", ["a(b|c)*0?", "a/b", r".*\.", "a\nb*", "(ab|ba){2}", "[^a]+a", "(?:a|0)+b?"])
def test_a_token_stays_if_some_text_that_begins_so_matches(pattern):
    """Against all texts of up to six characters, and Python's own regular expressions."""
    texts = map("".join, itertools.chain.from_iterable(itertools.product(CHARACTERS, repeat=n) for n in range(7)))
    matching = {text for text in texts if re.fullmatch(pattern, text)}
    beginnings = {text[:length] for text in matching for length in range(len(text) + 1)}
    change = regex(pattern)
    for text in sorted(one for one in beginnings if len(one) < 4):
        history = TOKENIZER.encode(text).tolist() if text else []
        onward = {number for number, one in enumerate(CHARACTERS) if text + one in beginnings}
        complete = text in matching and not onward
        assert change.is_complete(history) == complete, text
        assert allowed(change, history) == onward, text


class Random(LanguageModel):
    """A model whose logits say nothing."""

    def __init__(self, symbols):
        super().__init__(None, Task(symbols, 512))
        self.symbols = symbols

    def start(self, batch):
        return torch.zeros(batch)

    def step(self, tokens, state):
        return torch.zeros(len(tokens), self.symbols), state


def written(change, tokenizer, strategy=None, *, prompt=(97,), seed=0, count=300, **options):
    size = tokenizer.vocabulary_size
    stream = generate(
        Random(size), prompt, strategy=strategy or Sampling(SamplingConfig()), filters=[NamedFilter("regex", change)],
        seed=seed, symbols=size, count=count, alternatives=1, **options,
    )  # fmt: skip
    tokens = list(stream)
    return tokenizer.decode([token.token for token in tokens]), tokens[-1].end


@pytest.mark.parametrize("strategy", [None, BeamSearch(BeamSearchConfig(width=4))], ids=["sampling", "beam search"])
def test_a_text_matches_after_the_prompt_and_ends_when_nothing_can_follow(strategy):
    text, end = written(regex("[ab]{2}é{3}", ByteTokenizer(), prompt=1), ByteTokenizer(), strategy)
    assert re.fullmatch("[ab]{2}é{3}", text)
    assert end == End("filter", "regex")


@pytest.mark.parametrize("seed", range(5))
def test_a_text_of_a_schema_is_json_that_fits_it(seed):
    change = json_filter(JsonSchemaConfig(schema_text=json.dumps(SCHEMA)), ByteTokenizer(), 1)
    text, end = written(change, ByteTokenizer(), seed=seed)
    found = json.loads(text)
    assert found.keys() == {"name", "age"}
    assert found["name"] in ("ab", "b")
    assert 0 <= found["age"] <= 99
    assert end == End("filter", "regex")


def test_the_symbols_that_end_a_text_come_only_where_it_matches():
    class Ending(CharacterTokenizer):
        end_of_text = (0,)

    change = regex("a+b", Ending(CHARACTERS))
    assert allowed(change, [], 7) == {4}
    assert allowed(change, [4], 7) == {4, 5}
    assert allowed(change, [4, 5], 7) == {0, 6}  # and the end of a target, which has a number behind the others
    assert change.is_complete([4, 5])
    ends = {
        written(regex("a*", Ending(CHARACTERS), prompt=1), Ending(CHARACTERS), seed=seed, stops=STOPS, prompt=[3])[1]
        for seed in range(5)
    }
    assert ends == {End("end of text")}


def test_histories_may_branch_and_go_back():
    change = regex("(ab|ba){2}0")
    for history, expected in (([4, 5, 4], {5}), ([5], {4}), ([4, 5], {4, 5}), ([4, 5, 5, 4], {3}), ([], {4, 5})):
        assert allowed(change, history) == expected
    both = change(torch.zeros(2, 6), [[4], [5]])
    assert [set((row == 0).nonzero().flatten().tolist()) for row in both] == [{5}, {4}]


def test_a_text_that_the_vocabulary_cannot_go_on_with_is_refused_and_another_one_read_after_it():
    """A schema is not compared with the vocabulary before, as a pattern is."""
    change = json_filter(JsonSchemaConfig(schema_text='{"enum": ["aé", "b"]}'), CharacterTokenizer('"ab'), 0)
    with pytest.raises(BadInput, match="no token of the vocabulary leads on from the text so far"):
        allowed(change, [0, 1], 3)
    assert allowed(change, [0], 3) == {1, 2}
    assert change.is_complete([0, 2, 0])
    with pytest.raises(BadInput, match="the text so far does not fit it"):
        allowed(change, [1], 3)
    assert allowed(change, [0, 2], 3) == {0}


def test_an_empty_pattern_allows_all():
    assert allowed(regex(""), []) == set(range(6))
    assert torch.equal(json_filter(JsonSchemaConfig(), TOKENIZER, 0)(torch.zeros(1, 6), [[]]), torch.zeros(1, 6))


@pytest.mark.parametrize(
    ("pattern", "what"),
    [
        (r"[^\s\S]", "no text of this vocabulary can match it"),
        ("ac", "no text of this vocabulary can match it"),
        ("(a|ab)+c|z", "no text of this vocabulary can match it"),
        ("(a", "cannot be read: unclosed group"),
        ("a{5,2}", "cannot be read: invalid repetition count range"),
        ("a(?=b)", "look-around.*is not supported"),
        ("(.*a.{200}b.*){50}", "is too complex"),
        ("(" * 2000 + "a" + ")" * 2000, "nested"),
    ],
)
def test_a_pattern_that_cannot_be_is_refused_in_a_sentence(pattern, what):
    with pytest.raises(BadInput, match=what) as refused:
        regex(pattern)
    assert refused.value.problem.field == "filters.regex.pattern"
    assert "\n" not in str(refused.value)


def test_states_are_made_as_a_text_comes_to_them():
    """All states of this pattern would be more than there are atoms."""
    change = regex("(a|b)*a(a|b){2000}")
    history = []
    for at in range(200):
        assert allowed(change, history) == {4, 5}
        history.append(4 + at % 2)


@pytest.mark.parametrize(
    ("schema", "what"),
    [
        ("{", "is no JSON"),
        ('{"type": "nonsense"}', "cannot be read"),
        ("false", "cannot be read"),
        ('{"type": "object"}', "no text of this vocabulary can match it"),
    ],
)
def test_a_schema_that_cannot_be_is_refused_in_a_sentence(schema, what):
    with pytest.raises(BadInput, match=what) as refused:
        json_filter(JsonSchemaConfig(schema_text=schema), TOKENIZER, 0)
    assert refused.value.problem.field == "filters.json-schema.schema_text"


def test_a_pattern_that_becomes_too_complex_while_a_text_is_written_is_refused_then(monkeypatch):
    monkeypatch.setitem(LIMITS, "max_lexer_states", 30)
    with pytest.raises(BadInput, match="is too complex"):
        written(regex(".*a.{20}", ByteTokenizer(), prompt=1), ByteTokenizer())


def test_without_the_library_the_problem_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "llguidance", None)
    with pytest.raises(BadInput, match=r"needs llguidance, which is not installed") as refused:
        regex("a")
    assert refused.value.problem.remedy == 'Install it: pip install "lm-lab[grammars]"'
