"""Expressions are parsed by the lab's own parser: what is typed is checked, bounded, and never run as Python."""

import numpy as np
import pytest

from lab.base import BadInput
from lab.worked import Graph, parse, parse_expression
from lab.worked.expressions.parsing import DEEPEST, LONGEST, MOST
from lab.worked.expressions.syntax import show
from lab.worked.reading import read_entry, read_value


def value(text, **inputs):
    return np.asarray(Graph(text, inputs).result.value).tolist()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2*3", 7),
        ("(1 + 2)*3", 9),
        ("2 - 3 - 4", -5),
        ("8/4/2", 1),
        ("2^3^2", 512),
        ("-2^2", -4),
        ("2**-1", 0.5),
        ("−3·2", -6),
        ("6 ÷ 2 × 3", 9),
        ("3²", 9),
        ("√(9)", 3),
        ("ln(1)", 0),
        ("1e-3", 0.001),
        (".5", 0.5),
        ("max(1, 3, 2)", 3),
        ("[1, 2] @ [3, 4]", 11),
        ("[[1, 2], [3, 4]]ᵀ", [[1, 3], [2, 4]]),
        ("[1, 2, 3][1:]", [2, 3]),
        ("[[1, 2], [3, 4]][:, 1]", [2, 4]),
        ("[1, 2][-1]", 2),
        ("sum([1, 2]) # a comment", 3),
        ("a = 2; a·a", 4),
        ("a = 2\nb = a + 1\na·b", 6),
        ("sum(\n[1,\n2])", 3),
    ],
)
def test_arithmetic_has_the_usual_order(text, expected):
    assert value(text) == expected


@pytest.mark.parametrize(
    "text",
    ["a·(b + c)", "a − (b − c)", "a / (b·c)", "(a^b)^c", "−(a + b)", "(−a)^2", "a @ bᵀ", "relu(a)[0] + [b, c][1]"],
)
def test_what_is_written_can_be_parsed_again(text):
    once = parse_expression(text)
    assert show(once) == text
    assert parse_expression(show(once)) == once


@pytest.mark.parametrize(
    "text",
    [
        "",
        ";;",
        "1 +",
        "(1",
        "1)",
        "[1, 2",
        "a b",
        "2x",
        "f(1)",
        "log()",
        "log(1, 2)",
        "a = ",
        "= 1",
        "1 = 2",
        "a[b]",
        "a[]",
        "'text'",
        '"x"',
        "a.b",
        "__import__('os')",
        "x if y else z",
        "lambda x: x",
        "a == b",
        "1; 2",
        "a = 1; a = 2",
        "log = 2",
        "a[1.5]",
        "add(1, 2)",
        "x\x00",
        "{1}",
        "a := 1",
        "1e999999999(",
        "\\",
    ],
)
def test_what_is_no_expression_is_refused(text):
    with pytest.raises(BadInput) as error:
        parse(text)
    assert error.value.problem.field == "expression"


@pytest.mark.parametrize(
    "text",
    [
        "x" * (LONGEST + 1),
        "(" * (DEEPEST + 1) + "1" + ")" * (DEEPEST + 1),
        "-" * 1000 + "1",
        "+".join("1" * (MOST + 1)),
        "[" * 200 + "1" + "]" * 200,
        "2^" * 300 + "2",
    ],
)
def test_length_depth_and_size_are_bounded(text):
    with pytest.raises(BadInput):
        parse(text)


@pytest.mark.parametrize(
    ("text", "inputs"),
    [
        ("[1, 2] + [1, 2, 3]", {}),
        ("[[1, 2]] @ [[1, 2]]", {}),
        ("[1, [2]]", {}),
        ("x[5]", {"x": [1, 2]}),
        ("x + 1", {"x": "a"}),
        ("column(x)·x", {"x": [1.0] * 2000}),
        ("x", {"x": [[1], [1, 2]]}),
        ("x", {"x": {"a": 1}}),
        ("x + y", {"x": 1}),
        ("range(10^9)", {}),
        ("x = x + 1", {"x": 1}),
        ("x", {"x": [[[1]]]}),
        ("max([])", {}),
    ],
)
def test_values_that_do_not_fit_are_refused(text, inputs):
    with pytest.raises(BadInput):
        Graph(text, inputs)


def test_overflow_is_infinite_and_no_error():
    assert value("exp(1000)") == float("inf")
    assert value("10^999") == float("inf")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2", 2),
        ("-inf", -np.inf),
        ("1/4", 0.25),
        ("[1, 2]", [1, 2]),
        ("1, 2", [1, 2]),
        ("1 2; 3 4", [[1, 2], [3, 4]]),
        ("[[1, -inf], [1, 1]]", [[1, -np.inf], [1, 1]]),
        ("[1/2, sqrt(4)]", [0.5, 2]),
        ("−1e-3", -0.001),
    ],
)
def test_values_are_typed_as_numbers_lists_or_rows(text, expected):
    assert np.asarray(read_value(text, "x")).tolist() == expected


@pytest.mark.parametrize(
    "text", ["", "x", "[1, 2", "[[1], [1, 2]]", "1; 2 3", "[1] [2]", "[[[[1]]]]", "os.system(1)", "1" * 30_000]
)
def test_what_is_no_value_is_refused(text):
    with pytest.raises(BadInput):
        read_value(text, "x")


def test_texts_are_read_as_they_are():
    assert read_value("a, b", "x", like=("c",)) == ("a", "b")
    assert read_value("1 + 1", "x", like="text") == "1 + 1"


def test_a_direction_names_a_number_of_an_input():
    assert read_entry("W[0, 1]", "forward") == ("W", (0, 1))
    assert read_entry("x", "forward") == ("x", ())
    with pytest.raises(BadInput):
        read_entry("W[a]", "forward")
