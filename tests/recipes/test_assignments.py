"""PATH=VALUE: values as TOML writes them, and text without quotes."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.base import BadInput
from lab.recipes import Recipe, merged, parse_assignment
from lab.recipes.assignments import assigned, parse_value

KEYS = st.sampled_from(["name", "a", "b"])
VALUES = st.recursive(st.integers(0, 3), lambda inner: st.dictionaries(KEYS, inner, max_size=3), max_leaves=6)
TABLES = st.dictionaries(KEYS, VALUES, max_size=3)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3), ("3e-4", 3e-4), ("1_000", 1000), ("true", True), ("[1, 2]", [1, 2]), ('"3"', "3"), ("'3'", "3"),
        ("sgd", "sgd"), ("a b", "a b"), ("", None), ("a=b", "a=b"), ("{x = 1}", {"x": 1}),
        ("C:\\texts\\a.txt", "C:\\texts\\a.txt"),
        ("True", "True"), ("1\nother = 2", "1\nother = 2"), ("über", "über"), ("-", "-"), ("0x10", 16),
    ],
)  # fmt: skip
def test_a_value_is_toml_or_else_text(text, value):
    assert parse_assignment(f"a.b={text}") == {"a": {"b": value}}


@given(st.text(st.characters(codec="utf-8"), max_size=20))
def test_no_value_raises(text):
    assert parse_assignment(f"a={text}").keys() == {"a"}


def test_spaces_around_path_and_value_do_not_matter():
    assert parse_assignment(" training.steps = 5 ") == {"training": {"steps": 5}}


@pytest.mark.parametrize("text", ["", "=", "=1", "a", "a.b", ".a=1", "a.=1", "a..b=1", " =1"])
def test_what_is_no_assignment_is_refused_with_an_example(text):
    with pytest.raises(BadInput, match=r"--set training\.steps=300"):
        parse_assignment(text)


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=5), st.integers())
def test_a_path_is_nested_tables(parts, value):
    table = assigned(".".join(parts), value)
    for part in parts:
        assert list(table) == [part]
        table = table[part]
    assert table == value


@given(TABLES)
def test_merging_with_nothing_or_with_itself_changes_nothing(table):
    assert merged(table, {}) == merged({}, table) == merged(table, table) == table


@given(TABLES, TABLES)
def test_merging_leaves_its_arguments_alone_and_is_done_after_the_first_time(base, piece):
    before = copy.deepcopy((base, piece))
    result = merged(base, piece)
    assert (base, piece) == before
    assert result.keys() >= piece.keys()
    assert merged(result, piece) == result


def test_another_name_drops_the_settings_of_the_old_card():
    base = {"training": {"optimizer": {"name": "adamw", "beta1": 0.9}, "steps": 5}}
    piece = {"training": {"optimizer": {"name": "sgd"}}}
    assert merged(base, piece) == {"training": {"optimizer": {"name": "sgd"}, "steps": 5}}


def test_a_value_replaces_a_table_and_a_table_replaces_a_value():
    assert merged({"a": {"b": 1}}, {"a": 2}) == {"a": 2}
    assert merged({"a": 2}, {"a": {"b": 1}}) == {"a": {"b": 1}}


@pytest.mark.parametrize(
    ("assignment", "value"),
    [
        ("training.steps=300", 300),
        ("training.steps=3e2", 300),
        ('training.steps="300"', 300),
        ("training.steps=1_0", 10),
    ],
)
def test_a_number_may_be_written_in_several_ways(assignment, value):
    assert Recipe().with_assignments(assignment).training.steps == value


def test_a_value_nested_without_end_is_refused():
    with pytest.raises(BadInput, match="nested too deep"):
        parse_value("[" * 5000 + "]" * 5000)
