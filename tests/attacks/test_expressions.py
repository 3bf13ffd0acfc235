"""Typed expressions by a grammar: a graph with all that is shown of it, or a refusal, in bounded time."""

import random
import warnings

import pytest
from attacking import bounded_memory, refusal

from lab.cli.main import main
from lab.worked import OPERATIONS, Graph, count, descended, forward, in_formats, reverse
from lab.worked.expressions.parsing import HIDDEN, LONGEST, MOST
from lab.worked.expressions.values import as_value, plain, show
from lab.worked.reading import LONGEST as LONGEST_VALUE
from lab.worked.reading import read_entry, read_value
from lab.worked.snippet import program_as_python

SAMPLE = 200
NUMBERS = ("0", "1", "2", "-1", "0.5", "1e308", "1e400", "1e-400", "9" * 400, "π", "64", "65", "3.7")
FUNCTIONS = sorted(set(OPERATIONS) - set(HIDDEN))
SUFFIXES = ("[0]", "[-1]", "[5]", "[0:2]", "[:]", "[0,1]", ".T", "[999999]", "[0,0,0]")
INPUTS = {
    "x": ("2", "0", "-3", "inf", "nan", "1e308", "1-2"),
    "v": ("[1,2,3]", "[0,0]", "[inf,1]", "[1]", "[]", "1 2"),
    "W": ("[[1,2],[3,4]]", "[[0]]", "[[1,2,3]]", "[[1,nan],[2,3]]", "[[1],[2,3]]"),
    "n": ("3", "64", "-2", "1e300"),
    "u": (f"[{'1,' * 2048}]", f"[{'[1],' * 2048}]", f"[[{'1,' * 2048}]]", f"[{'1,' * 3000}]"),
}
"""What the inputs are typed as; those of t and ts are texts."""


def expression(draw, depth):
    """Return an expression; most of them can be parsed."""
    chance = draw.random()
    if depth <= 0 or chance < 0.25:
        return draw.choice((*INPUTS, "t", "ts") if draw.random() < 0.6 else NUMBERS)
    if chance < 0.55:
        return f"({expression(draw, depth - 1)} {draw.choice('+-*/@^·')} {expression(draw, depth - 1)})"
    if chance < 0.85:
        name = draw.choice(FUNCTIONS)
        least, most = OPERATIONS[name].arity
        return f"{name}({', '.join(expression(draw, depth - 1) for _ in range(draw.randint(least, min(most, 3))))})"
    if chance < 0.9:
        return f"-{expression(draw, depth - 1)}"
    if chance < 0.94:
        return expression(draw, depth - 1) + draw.choice(SUFFIXES)
    return f"[{', '.join(expression(draw, depth - 1) for _ in range(draw.randint(1, 3)))}]"


def program(draw):
    """Return an expression or two statements, at times with a wrong character in it."""
    text = expression(draw, draw.randint(1, 5))
    if draw.random() < 0.2:
        text = f"a = {expression(draw, 2)}; {text} + a"
    if draw.random() < 0.1:
        at = draw.randrange(len(text))
        text = text[:at] + draw.choice("()[],;=.^*@\0é²") + text[at + 1 :]
    return text


def read(draw):
    """Return values of the inputs; those that are refused are 1."""
    inputs = {"t": "ab", "ts": as_value(["a", "bb"], "ts")}
    for name, texts in INPUTS.items():
        text, inputs[name] = draw.choice(texts), as_value(1, name)
        refusal(lambda name=name, text=text: inputs.update({name: read_value(text, name)}))
    return inputs


def asked_everything(text, inputs):
    """Ask of an expression all that the command line and the window ask. Return True if it has a graph."""
    refusal(lambda: program_as_python(text, inputs))
    graphs = []
    refusal(lambda: graphs.append(Graph(text, inputs)))
    for graph in graphs:
        for node in graph.nodes:
            assert [node.formula, node.sign, show(node.value), plain(node.value), graph.filled(node)]
        for ask in (lambda: count(graph), lambda: reverse(graph), lambda: descended(graph, ["x"], 0.1)):  # noqa: B023
            refusal(ask)
        for entry in ("x", "W[0,1]", "v[0]"):
            refusal(lambda entry=entry: forward(graph, *read_entry(entry, "forward")))  # noqa: B023
        refusal(lambda: in_formats(text, inputs))
    return bool(graphs)


def try_expressions(seeds, tally):
    """Ask everything of programs of the grammar. Return how many have a graph."""
    tally.seeds(f"seeds {seeds[0]} to {seeds[-1]}")
    graphs = 0
    for seed in seeds:
        draw = random.Random(seed)
        text = program(draw)
        tally.begin("programs")
        try:
            with bounded_memory(), warnings.catch_warnings():
                warnings.simplefilter("error")
                graphs += asked_everything(text, read(draw))
        except Exception as error:
            error.add_note(f"seed {seed}: {text}")
            raise
    tally.end()
    return graphs


def test_an_expression_has_a_graph_or_is_refused(tally):
    assert SAMPLE / 10 < try_expressions(range(SAMPLE), tally) < SAMPLE


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_thousands_of_expressions(tally):
    assert try_expressions(range(1000, 21_000), tally) > 2000


@pytest.mark.parametrize(
    "text",
    [
        *("1" * 30 + "x", "1." * 300, "[" * 5000, "1e" * 3000, "inf" * 3000, "-" * 5000, "[1, " * 2000),
        *("1 " * 9000 + "x", "1" * LONGEST_VALUE, "]" * 50 + "1", ";" * 9000 + "1", "1" * LONGEST_VALUE + "1"),
    ],
    ids=lambda text: text[:6],
)
def test_a_typed_value_is_read_or_refused_at_once(text):
    problem = refusal(lambda: read_value(text, "x"))
    assert problem is None or problem.what


@pytest.mark.parametrize(
    "text",
    [
        *("x" + ".T" * 59, "x" + "+x" * (MOST // 2 - 1), "(" * 59 + "x" + ")" * 59, "-" * 58 + "x"),
        *("x" + "[:]" * 59, "exp(" * 58 + "x" + ")" * 58, "x" + "^x" * 50),
    ],
    ids=lambda text: text[:6],
)
def test_the_longest_and_deepest_expressions_can_be_shown(text):
    assert asked_everything(text, {"x": as_value([[1.0]], "x")})


@pytest.mark.parametrize(
    "words",
    [
        *([f"x + 1e{10**9}"], ["range(1e300)"], ["range(exp(999))"], ["identity(1/0)"], ["column(t)", "--set", "t=1"]),
        *(["x", "--set", "x=" + "1" * 40 + "a"], ["(" * LONGEST], ["x" * (LONGEST + 1)], ["x", "--set", "x=[[[[1]]]]"]),
        *(["x" + ".T" * 400], ["x" + "[:]" * 400]),
        *(["x·x", "--set", "x=1", "--forward", "x[" + "9" * 400 + "]"], ["--log-sum-exp", "1e999"]),
        *(["x", "--set", "x=1", "--descend", "y"], ["x", "--set", "x=1", "--descend", "x", "--rate", "1e999"]),
    ],
    ids=lambda words: words[0][:12],
)  # fmt: skip
def test_the_command_refuses_in_one_line(words, capsys):
    code = main(["graph", *words])
    found = capsys.readouterr()
    assert code in (0, 2)
    assert "Traceback" not in found.err
    assert "failed" not in found.err
    assert len(found.err) < 5000
